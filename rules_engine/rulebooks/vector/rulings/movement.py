"""Rulings on vectors, energy, acceleration and turning: of the common list, and our own up to VM-N13."""

from rules_engine.core.protocol.rulebook import rulings_in

COMMON_ON_MOVEMENT = rulings_in("""

VM-R01 [CJD1.11] The six directions are A to F, clockwise and 60 degrees apart. A vector has one way of being written:
nothing, one element, or two in neighbouring directions.

VM-R02 [CJD1.111] Opposite directions cancel, and two that are 120 degrees apart become the one between them, again and
again until one or two neighbours are left. The order of doing so does not matter.

VM-R03 [CJD1.13] The example of speed 20 cannot be meant as printed: its directions are 120 degrees apart and come to
speed 12. Read its second direction as the neighbour of its first.

VM-R04 [CJD1.14] Before each hex: if the last hex of this count was moved in the same element, and that element has
strictly less left than the other, the hex must be moved in the other. With as much left, or nothing of the other, it
may be the same again.

VM-R05 [CJD1.14] A count begins with each turn and after each acceleration; the last hex of the count before it is
forgotten.

VM-R06 [CJD1.13] Speed S moves on impulse I if S times I over 32, rounded down, is more than it was the impulse before.

VM-R07 [CJD1.131] Above 32 it is the same sum, and some impulses move two hexes or more.

VM-R08 [CJD1.141] After acceleration the new speed moves on its own impulses for the rest of the turn. What the old one
still had to move is dropped.

VM-R09 [CJD1.32] On each impulse everybody turns and accelerates first, each judged by how all stood and flew at its
beginning; then comes what needs another unit (launching, landing), judged by what that made of it; then all move.
Neither codes nor the order of sheets decide between units. Of one unit's own actions on an impulse those that are typed
first are done first, slips last.

VM-R10 [CJD1.142] A sideslip leads 60 degrees off the hex that would be moved, and counts as that element's move; the
vector stays. It needs a hex moved straight since the last one.

VM-R11 [CJD1.22] Reserve power stands twice in the text; it is one rule.

VM-R12 [CJD1.21] Any number of points may be allocated, but no more than 30 of warp movement and 1 of impulse power are
used in a turn, for acceleration and turns together. High energy turns are apart.

VM-R13 [CJD1.31] A point of warp movement costs the unit's move cost in warp power, so 15 power at move cost 1/2 are 30
points. The point of impulse power is one of power, whatever the move cost.

VM-R14 [CJD1:312] In reverse, which is against the facing, a hex costs 4 points of warp movement, or the one point of
impulse power.

VM-R15 [CJD1.32] Who accelerates on an impulse may do so again 8 impulses later, 6 if nimble. The interval goes on over
the end of a turn.

VM-R16 [CJD1.32] One acceleration is any number of hexes in one direction.

VM-R17 [CJD1.411] Size classes 6 and 7 pay nothing to turn; their interval still runs.

VM-R18 [CJD1.42-rate-of-turn] One number is printed for two rules. The broken line of the table is joined: drone 1,
shuttle 3, AA 4, A 5, B 6, C 7, D 8, E 10, F 12, G 14, H 16.

VM-R19 [CJD1.42-rate-of-turn] Who turns on an impulse may turn again that many impulses later, also over the end of a
turn.

VM-R20 [CJD1.3x] Emergency deceleration turns unused points into shield reinforcement, leaves the vector as it is, and
forbids acceleration for 16 impulses, or as many as the battle's settings say. Turns and high energy turns stay legal.

VM-R21 [CJD1.43] What a high energy turn costs is entered on the line that orders it, as “Energy for it” or as “het E
energy 6 on 9”; 5 where nothing is said. It is taken from the same energy as accelerations, warp first, and does not
count against a turn's limit of 30 and 1. A D6 decides whether the unit breaks down, and the facing after it may be any.

VM-R22 [CJD1.431] Who tumbles keeps the vector, and neither accelerates nor turns until it is over.

VM-R34 [CJD1.3] Some numbers are skipped or printed with a colon; nothing is lost by it.

VM-R35 [CJD1.44] A unit at speed zero turns as any other.

VM-R36 [CJD1.21] The text leaves thrust unplotted. By chat a turn is plotted in secret in one, two or four pieces, as is
set for the battle (two, if nobody says), or in 32 at a table's wish. What is said holds for its impulse, what is not
said coasts, and the plots of a piece are opened together.

VM-R37 [CJD1.14] Who says nothing moves in the greater element first, then in the two in turn; of equal ones in that
nearer to the facing first.

VM-R38 [CJD1.12] Hex, facing and vector of all units are known to all, and accelerations once they happen. Plots,
conditions, reserve, energy left and damage to engines are not, before they show.

""")

OWN_ON_MOVEMENT = rulings_in("""

VM-N01 [CJD1:313] The point of impulse power pays one hex of an acceleration, or one turn, beside warp points for the
rest: where the captain says so, and by itself where warp falls short by one.

VM-N02 [CJD1.142] A unit that has not slipped yet needs a straight hex first, too. Of several hexes on one impulse the
first is slipped. A slip on an impulse on which the unit does not move is refused.

VM-N03 [CJD1.14] A path of several directions is the order of moves of the count in which the piece's first hex is
moved, also if that begins with an acceleration before it. One direction alone is the first move of that count, and of
each that begins later in the piece. What an order leaves open is moved as usual.

VM-N04 [CJD1.22] Reserve becomes points of warp movement; one point may become the point of impulse power where the turn
has had none. Neither lifts the limit of a turn.

VM-N05 [CJD1.53] What is launched begins a count of its own, moves from the impulse of its launch on, faces where its
added speed points, or as its carrier, and coasts until the next piece is plotted.

VM-N06 [CJD1.431] Tumbling lasts 16 impulses, or as many as the battle's settings say, or until its captain reports that
it is over. Every 4 impulses the unit turns by 60 degrees, always to the side that a D6 gave: left by 1 to 3.

VM-N11 [CJD1.53] What is launched has no points of movement: it pays from half its rated speed, 1 for a hex of
acceleration, 2 for one in reverse. All that has a rated speed flies so.

VM-N12 [CJD1.43] The lowest D6 that breaks a unit down is a figure of its class, 5 if nothing is given. Size classes 6
and 7 make no high energy turns. The interval of turns neither forbids one nor begins with it.

VM-N13 [CJD1.3x] Points become power for the shields by the move cost, rounded down, and the point of impulse power one
more. Acceleration, and another emergency deceleration, is legal again on the 16th impulse after it. Who tumbles cannot.

""")
