"""Rulings on duels: what a campaign of its own adds, for the text is about movement alone."""

from rules_engine.core.protocol.rulebook import rulings_in

OWN_ON_DUELS = rulings_in("""

VM-N20 [CJD1.0] Two units match at the end of an impulse if they are in one hex or in neighbouring ones and the
difference of their vectors is 2 or less. A courier that a hunter matches is caught and out of play; from turn 12 on
nobody is caught any more. Ships and PFs catch and are caught, shuttles and weapons are not. A scenario may say other
figures.

VM-N21 [CJD1.0] A courier that ends an impulse at the far edge, which is a column of the sheet, or beyond it is away,
also if a hunter matches it there.

VM-N22 [CJD1.0] A buoy is passed by a ship that enters a hex within one of it, and counts after the one before it
alone. Where a course is a courier's way out, it is away when it has passed the last buoy.

VM-N23 [CJD1.0] A race is won by the first captain of whom a ship has passed all buoys and then enters a hex of the
line; those that do so on the same impulse share it. If nobody has at the last turn, it is won by who passed most
buoys.

VM-N24 [CJD1.0] A squadron has gathered at the end of an impulse on which all its ships in play match one of them, two
at least, and none is still to come. The first to gather wins.

VM-N25 [CJD1.0] A duel is over at the end of the piece of a turn in which its aim is reached, no courier or no hunter
is left, or one captain alone has ships; at the latest with the last turn, or with the last in which couriers can be
caught. Couriers win who have lost less than half their ships or just half; if none has, the hunters win who caught
most. A captain without ships is out of play.

VM-N26 [CJD1.0] Where a scenario gives a captain a zone, its ships are set up there in secret, by all at once, in any
direction and with any facing, at the zone's speed or less, in no planet. Who says nothing begins where the scenario
has its ships.

VM-N27 [CJD1.0] Ships that arrive later are there from the beginning of their turn, with the vector that the scenario
gives them. Until then nobody but their owner knows of them.

VM-N28 [CJD1.0] Who is gone, or says nothing, coasts.

""")
