"""Rulings on cargo, towing, exploration and what scenarios add: of the common list, and our own from JL-N31 on."""

from rules_engine.core.protocol.rulebook import rulings_in

COMMON_ON_LOADS = rulings_in("""

JL-R20 [13.3.1] The Cargo ratings of a squadron's active units are added up, Flights' among them. Crippled units are
not active, and the squadrons of a fleet do not pool.

JL-R21 [13.3.2.1] Census embarks and disembarks at own colonies that are not in rebellion.

JL-R23 [13.3.2.3] Experience points take exact tenths of Cargo rating; the total is compared as it is.

JL-R24 [13.3.3] First everything is disembarked, then everything embarked. What was embarked in a turn, or taken over
from another squadron, does not leave in it.

JL-R25 [13.3.2.3] Ground units may invade in the turn in which they embark, if their squadron comes to the colony in
that turn.

JL-R26 [13.3.3] What is cargo carries nothing itself.

JL-R27 [13.3.3] Flights go straight to carriers that have basing capacity left. Cargo may be thrown out anywhere but
in a lane, and is lost.

JL-R28 [13.3.3] Cargo that exceeds the Cargo rating after a battle is lost: what its owner chooses, as little as must
be; if nobody chooses, the cheapest.

JL-R29 [13.4.1] The Towing ratings of the tugs of a squadron that tow are added up, and cover the sum of what is in
tow.

JL-R30 [13.4.1] The propulsion of each tug that tows is halved and rounded up: 1 to 1, 2 to 1, 3 to 2.

JL-R32 [13.4.1] What the chart does not name cannot be towed: ground units, officers, facilities.

JL-R33 [13.4.2] A tow in a battle is noted on its sheet: +1 Formation Level, no weapons fire by tugs and towed.

JL-R47 [13.4.2] In a tracked battle a tug that tows has half its ratings, rounded up, and moves at half the greatest
speed at first. What it has in tow moves with it and leaves with it; neither fires. What is let go or taken in tow there
comes into the battle's account.

JL-R34 [13.5.1] An exploration order is about one lane, at whose end the squadron stands.

JL-R35 [13.5.2] Base chances: Easy 10, Moderate 5, Hard 0, Extreme -10; a scenario may say others.

JL-R36 [13.5.2] A check succeeds with a d100 up to the chance, as a major success up to half of it. A failure of 91
and more is a major one.

JL-R37 [13.5.2] Bonuses add up for each empire and lane, +10 for a minor success and +1 for a sacrifice, until the
lane is surveyed.

JL-R38 [13.5.2] Sacrifice, systems failure and an abandoned unit strike one unit of the force, each with the same
chance; the other results all of them.

JL-R39 [13.5.2] Systems failure destroys a unit that is crippled already.

JL-R40 [13.5.2] After an accidental jump the force is in the system at the far end, or in one that is drawn of the far
galaxy. The lane stays unexplored, also as the way back.

JL-R41 [13.5.2] A survey is public, with its class; the lane can be ordered from the next Turn Orders Phase on.

JL-R43 [13.5.2] Chances are held between 1 and 99.

""")
"""Rulings common to several books, in the package's own words."""

OWN_ON_LOADS = rulings_in("""

JL-N31 [13.5.2] The Jump Lane Class Table is the scenario's: up to which roll of a D10 a lane is major, normal or
minor; above it is restricted.

JL-N32 [13.3.3] A Flight takes so much basing capacity as its SIZ. A crippled carrier has none: its Flights go to
another of the squadron, stay with it if they have FTL, else remain where it is, and are lost in a lane.

JL-N33 [13.3.2.2] A starbase or satellite that is put out stands at the place by itself, with or without a colony, and
can be taken aboard or in tow there. A starship joins the squadron that brought it.

JL-N34 [13.3.2.3] Who takes a colony has it with its census, and it is in rebellion no more; invaders that are left
stand there. Colonies of empires with a treaty of passage are not invaded. Whether there is a colony to invade shows
when the squadron comes. Whether there is a colony to invade shows when the squadron comes.

JL-N35 [13.3.3] If nobody chooses, experience points are lost first, then census, then units by their worth. Cargo
that no longer fits after a peril of exploration is lost in the same way, and nobody is asked.

JL-N37 [13.4.1] If the active tugs no longer have the rating for all that is in tow, all of it is let go: bases and
satellites stand where they are and are lost in a lane, other units are of the squadron by themselves. Crippled tugs
do not tow.

JL-N38 [13.5.1] Squadrons of one empire at one end that are to explore the same lane are one force with one check.

JL-N39 [13.5.1, 13.5.2] Crippled units and those out of supply add no Science and hold no system. At a turn's end a
unit is in supply again that is within the scenario's number of explored lanes of an own colony, or beside an own
starbase; not in a lane.

JL-N40 [13.5.2] All checks of a turn are made on the map as it was before them, empire by empire in the scenario's
order. Two that complete one survey in the same turn have both done it; its class is rolled once.

JL-N41 [13.3.2.1] A place that nobody owns, and where starbases of one empire alone stand at a turn's end, is a colony
of that empire, without census unless some was left there. In a system with planets colonies are at planets. Who has
units in the system is told.

JL-N42 [13.0] A campaign ends after its last turn, when an empire has the scenario's total, or when fewer than two are
in play. Who has neither a colony nor a squadron at a turn's end is out of play.

JL-N43 [13.0] Reinforcements come at the beginning of their turn to the colony that the schedule names, or if that is
lost or in rebellion to their empire's home, else to another colony, of several
one that is drawn; if it has none, they wait.

JL-N44 [13.0] Points are for surveys by the class of the lane, census landed, systems held at a turn's end, starbases
where none of the empire stood before, and enemy units destroyed. Census that is taken away again takes its points
with it. Each empire is told its own points; all are told at the end.

JL-N45 [13.0] A system is held by an empire that is present there alone: with a colony that is not in rebellion, or an
active unit of space in supply that is no cargo.

JL-N46 [13.4.2] The account of a battle says of each base and satellite, and of what was in tow before, which tug has it
in tow at the end. Starships of the same empire's squadrons may take bases and satellites in tow, not in lanes; other
units leave by themselves. They are of their tug's squadron, and withdraw with it. A base that was let go stays. What is
too much for the tugs is let go when the account is carried out (JL-N37): ratings are their owner's secret until then.

""")
"""Our own rulings, where the text and the common list are silent."""
