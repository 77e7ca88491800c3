"""Rulings on lanes, movement and encounters: of the common list, and our own up to JL-N30."""

from rules_engine.core.protocol.rulebook import rulings_in

COMMON_ON_MOVES = rulings_in("""

G-1 [all] Every calculation is done in exact fractions and rounded once, at the end; halves of tugs' ratings and the
turns of extended jumps are rounded up.

G-2 [all] All dice come from one seeded, logged generator.

G-4 [all] Who sends no orders lets routes and trade runs go on; who says nothing of cargo that does not fit loses the
cheapest.

G-6 [13.2] Battles are fought by hand. They end with an account of every unit, in which all parties agree, or the
referee decides.

JL-R02 [13.0] In the Movement Phase cargo is moved first, then exploration is resolved, then groups move.

JL-R03 [13.1] Lane classes cost: Major 1/2, Normal 1, Minor 2, Restricted 4; an unexplored lane cannot be crossed. A
scenario may say other costs.

JL-R04 [13.1.3] Sector lanes cost twice as much.

JL-R05 [13.1] Engines are for interplanetary lanes, FTL for interstellar and sector lanes, Intergalactic for
intergalactic ones. Whoever has a rating of 0 cannot use a lane at all, not even in an extended jump.

JL-R06 [13.1.2, 13.1.3, 13.1.4] Where a scenario has system maps, other systems are reached from the outskirts alone,
and who comes from another system arrives there.

JL-R07 [13.1.4] A system of arrival is drawn with equal chances from all systems of the sector, explored or not, when
the jump ends.

JL-R08 [13.1.5] The points of a turn's movement are the costs of its lanes, and no more than the slowest rating.

JL-R09 [13.1.5] The slowest is sought among those that move by themselves: neither based flights, nor cargo, nor units
in tow. Where one of them lacks the propulsion, the order is refused.

JL-R10 [13.1.5] What is left of a rating at a turn's end is lost. In a turn a squadron goes no farther than its rating
pays; a longer route goes on in later turns, and is read back with the turn of each arrival. A lane that costs more than
the rating is crossed by an extended jump.

JL-R11 [13.1.6] Who becomes slower or faster in mid-jump pays the rest by the new rating.

JL-R12 [13.1.6] The turn of the order is the first of an extended jump; the group arrives in the movement of the last.

JL-R13 [13.1.6] A group in transit takes no orders of any kind, and is seen by nobody but those that meet it.

JL-R14 [13.1.6] Every opposing group that enters a lane in a turn meets those in transit there. They fight in the lane,
and survivors complete their orders.

JL-R15 [13.2] Groups that pass each other in one lane do not meet; a scenario may let them meet with 5 or less on a
D10.

JL-R16 [13.1.5] A group comes to a place when its costs up to there, by its rating, are spent. Of several common
destinations that counts to which the later of two comes first, then the smaller sum of both times, then chance.

JL-R17 [13.1.5] A group that stands has its place as its only destination, at time 0: who comes there stops there.

JL-R18 [13.2] The printed example meets at Minor 1.

JL-R19 [13.2] Opposing are empires at war and all without a treaty of passage, for which each must grant it.

JL-R31 [13.4.1] A tug that tows makes extended jumps by its halved rating.

JL-R44 [13.2] Who is stopped by others has its movement of this turn behind it. What is left of its route stands, is
shown to its captain on the next sheet, and goes on if nothing is said.

JL-R45 [13.1.6, 13.2] A squadron withdraws to the place that it left in this turn. One that came out of an extended jump
is in the lane again, as far along it as when the turn began, and comes out at the near end after as many turns as it
had travelled; if it has become slower or faster, by its new rating (JL-R11).

JL-R46 [13.2] A unit that an empire has met in this turn keeps its name for that empire when it leaves its carrier or
its group in the same turn.

JL-R42 [13.5] An empire knows systems and lanes that it or anybody has surveyed, and what is at the places where its
units stand; of unexplored lanes the near end. It sees others' groups only where it has units, as empire and number,
and what they consist of after an encounter.

""")

OWN_ON_MOVES = rulings_in("""

JL-N01 [13.1.5] A route may be longer than a turn's rating. It goes on from turn to turn, as far as the rating pays for,
and pauses where something is to be done with cargo. After “loop” its places are gone round again and again.

JL-N02 [13.1.5] Each kind of propulsion has its own rating in a turn: a group may leave its planet by Engines and go on
from the outskirts by FTL.

JL-N03 [13.1.6] A group that has lost its propulsion in a lane makes one point a turn.

JL-N04 [13.1.5] Who is stopped by others has its movement of this turn behind it; what is left of its route goes on in
the next.

JL-N05 [13.2] Who has met others at a place meets nobody elsewhere in that turn, but all that come there.

JL-N06 [13.2] Starbases and other units of space that stand by themselves stop others as a group that stands does;
ground units do not.

JL-N07 [13.2] With system maps groups meet at one planet, or in the outskirts.

JL-N08 [13.2] What empires grant each other changes when all sheets are in, before anybody moves. Treaties that begin
or end, and wars, are told to everybody, other changes to the two.

JL-N09 [13.1.6] Battles in lanes come first; who is in several is in one after the other, as it comes into the lanes;
where that leads round in a circle, one is drawn. Then it is found out anew,
without those that were lost, who stops whom.

JL-N10 [13.2] All empires that are at a place and oppose somebody there fight one battle.

JL-N11 [13.1.4] Players may name any sector of a galaxy that they know of, whether or not they know a system there.

JL-N12 [13.5.1] Who explores lets its route wait for that turn, and so does the fleet that it is in.

JL-N13 [13.1.5] A fleet has two squadrons or more, at one place. Who is left alone goes on by the fleet's route.

JL-N14 [13.2] A squadron withdraws from a battle as a whole: to the place that it left in this turn, or else to the
nearest without opposing units that it reaches in a turn, an own one first, of equally near ones one that is drawn. All
go at once, by how all stood when the battles were over; of those that oppose each other and would go to one place one
is drawn, and the others go by how all stand then. From a lane and from the ground nobody withdraws, nor do bases that
stand.

JL-N15 [13.3.2.3] Ground units land where no opposing units of space are left, at one colony those of one empire in a
turn, of several one that is drawn. Where nobody defends, the colony is taken; else both fight, and who lands
takes it if no defender is left.

JL-N16 [13.4.1] Units are taken in tow by as few tugs as have the rating, the strongest first.

JL-N17 [13.2] A battle in space that is tracked is set up empire by empire in an order that is drawn, those that fight
as one after each other. An empire's units are within 10 hexes of each other, those of its friends as near, what is in
tow beside a tug, and those that come later 25 to 35 hexes from the nearest enemy. Bases and satellites stay
that are not in tow. Size classes stand in for SIZ: 4 for ships up to SIZ 2, 3 up to SIZ 4, 2 above and for starbases, 5
for satellites, 6 for Flights, which move as shuttles.

JL-N18 [13.2] A squadron that withdraws has no route any more: it began elsewhere. One whose tugs were lost crosses no
lanes for which it has no propulsion, not even to withdraw; the others are told that it stays.

JL-N19 [13.2] A battle on whose account nobody agrees within the time that the campaign sets ends without losses: every
unit is as it was when the battle began, and stays where it is. Those at one place do not fight again there until a unit
comes or goes, or a war is declared. A scenario may have the squadrons withdraw that came there in that turn.

""")
