"""Rulings common to several books that reports and refusals name, in the package's own words."""

from rules_engine.core.protocol.rulebook import rulings_in

COMMON = rulings_in("""

G-2 [V8.16] Dice come from one seeded stream that is kept; equal initiative is rolled again.

G-3 [V8.11] Hexes are numbered column and row from the top left, even columns half a hex down. A random hex beside one
is a D6 clockwise from north, rolled again where it is off the map.

G-4 [V8.94] Who sends no sheet holds, without Emergency Movement and reaction, and does not let others go.

G-6 [V8.48] Battles are fought by hand. Both Teams report every unit; what they agree on is carried out.

G-7 [V8.39] A smaller number of a Size Class is a larger ship.

BP-R02 [V8.12] No allowance is larger than 12, the last column of the table.

BP-R05 [V8.13] Emergency Movement needs supply, so a strategic cost is 6, 12 or 3.5.

BP-R06 [V8.14] Sublight units, and those without working warp engines, have no allowance; they may be towed.

BP-R07 [V8.49] Emergency Movement is for units that move at least one hex without it.

BP-R08 [V8.15, V8.94] Damage counts from the next phase on; points that were used are not given back.

BP-R09 [V8.18] Fighters and PFs move aboard others alone.

BP-R13 [V8.24] Whoever has as many as the others in a hex leaves by consent alone; a scenario may let such a Team use
its Command Rating.

BP-R14 [V8.24] By their Command Rating so many units leave as the lead of their highest over the others' highest,
whoever has it among them, and one stays. It is used once a phase in a hex. Only ships that travel by themselves count:
bases, ships without engines and fighters aboard neither leave so, nor are the one that stays, nor lend their rating.

BP-R16 [V8.25] The other Team is asked, or its standing orders answer. Monsters and alien ships refuse, and so does
silence.

BP-R18 [V8.31, V8.37] Each unit in tow takes a working tractor beam; one may be towed, by a tug two.

BP-R20 [V8.39] No unit tows one of a smaller number of Size Class; tugs as V8.84 says.

BP-R22 [V8.35] Tower and towed must both be free to leave; who is in tow counts for no strength.

BP-R25 [V8.84] A tug tows one unit less than its pod weights, two at most; one a class larger alone, with three
weights.

BP-R32 [V8.13] A unit is in supply whose hex a base or star system of its Team reaches, at each turn's beginning, within
the scenario's number of hexes, by none in which others stand alone, nor any in their Zones of
Control without own units.

BP-R35 [V8.68] With damaged sensors or scanners a unit lies in wait only with 7 or more on 2d6.

BP-R37 [V8.45] An overhaul takes a whole turn at an own base or original star system that was held and not bombarded.
A battle there breaks it off, and the unit fights with Weapon Status 0.

BP-R55 [V8.65] Weapon Status is 1d6: 0 for 1 and 2, 1 for 3, 2 for 4 to 6, 3 for 7 and more; four more for those that
lie in wait.

BP-R57 [V8.56] Of others' stacks Team and hex are seen, not how many, nor what; of cloaked ones nothing. What was
turned up is kept as a dated contact.

BP-R58 [V8.15] One secret sheet a turn holds ways and standing orders; moves are carried out hex by hex by the
initiative of each phase; captains are asked again only where their sheet leaves it to them, or in each phase if the
scenario says so.

BP-R59 [V8.15, V8.21] What cannot move at all, with no engines and nobody who tows it, stays behind as a stack of its
own when the rest of its stack goes, unless its orders say "keep together". What is merely slow sets the column. Those
that a sheet detaches may have a way of their own in the same turn.

BP-R60 [V8.26, V8.61, V8.63, V8.64, V8.68, V8.69] A reaction begins when all orders of the turn's beginning have
been carried out, judged for both Teams at once. It ends with the turn, or sooner when its unit is crippled,
captured, left without warp engines, withdraws or disengages out of its hex, or leaves its station by orders; with it
end the points held and the target. Who never left its station has not entered its hex by reaction. Parts of a stack
keep theirs; who cannot react is not dragged along, but stays.

BP-R61 [V8.51, V8.52, V8.56, V8.63, T8.730] A cloak has one order and one cost, that of the unit as it moves, pods
included. Only an ion storm that showed units makes the battle's ground one. "Until it reacts" ends the cloak as the
reaction begins. Rearguards and parts keep the cloak of the stack that they leave.

BP-R62 [V8.45] An overhaul ends unfinished when its place was attacked in that turn while the ship was there, wherever
the ship is at the end.

BP-R63 [V8.64] Monsters move before the last hexes of a reaction are spent: who reacts to one may spend both of the
phase.

BP-R64 [V8.11] A route that begins with the hex in which the unit stands is read without it.

BP-R65 [T8.730] A listening post on the map notes which Team came under cloak into its hex or one of the six around it.

""")
