"""Own rulings on chapters 1 to 12, for players to read."""

from rules_engine.core.protocol.rulebook import rulings_in

BOOK_RULINGS = rulings_in("""
PQ-1 [5.1.1, T1] A task force at Warp Crawl may hold ships that have only impulse power left; those pay no fuel.

PQ-2 [5.3.5.3, 5.3.5.4] A task force that searched or attacked before its own move stays in its hex; a plot to enter
or to leave port stays in the hex anyway and is carried out. Who declared shadowing makes no plotted move at all,
whether it succeeded or not.

PQ-3 [6.4.1, 7.3.2] A level falls once an impulse, even for a shadower that moves in both halves.

PQ-4 [1.6.4.2] When contacts split or merge, a force of the very same ships keeps its number. Of the parts of a split
a lot says which keeps it; of contacts that merge the lowest number stays.

PQ-5 [5.3.2] Routes may be stored for as many steps as you like. They are flown without asking until your side has a
contact that its standing orders do not cover, runs short of fuel, or asks to plot every impulse. A step not made is
kept for the next point.

PQ-6 [9.5] Who cannot pay for a hex and says nothing drops to the highest speed that it can pay for.

PQ-7 [5.5.1] With several friendly bases in a hex a task force enters port with the first.

PQ-8 [T5.victory, T5.note6] A scenario shorter than an operational period states its own threshold, marked as
invented.

PQ-9 [5.3] Only ships with leave to quit the map may do so: convoys, carriers of supply, ships named for a transfer,
and those of special conditions. It takes a movement point in an edge hex of theirs; all else stays on.

PQ-20 [6.3.2, 8.4.2] Searches, and likewise attacks, in all hexes are declared on one sheet a side and step; what
happens in one hex is not known when another is declared. The phasing side's order of hexes is the order in which
searches are resolved; attacks go by ascending hex number.

PQ-21 [6.3.4.11, 6.3.4.12, 7.2.1] Probes and shadowing are ordered together with the search, for the case that it
succeeds. Probes ordered so are spent only in columns where the roll can matter.

PQ-22 [1.7.4, 1.8.4, 1.8.6] Bases and settled hexes search without being told, a settled hex every enemy force and a
base the one it knows least, as long as the target is below ID2 and the search can teach anything.

PQ-23 [6.4.1] A force at U that expends a movement point in place looks no different, so nobody is told.

PQ-24 [8.3.4, 8.3.5] A ship without warp and AWR boxes has no combat fuel to pay.

PQ-25 [8.5.6.2, 8.5.6.9.2] Whether a pursuer fights or shadows what it catches is ordered with the pursuit. A force
that pursues from port leaves it.

PQ-26 [8.5.5.6] Only the winner holds prizes at the end of a battle. A captured base stays where it is; a captured
ship joins one of the winner's forces.

PQ-27 [8.5.7.2] After a battle sequence each side regroups on one sheet, whose groups may not be mixed; forces that
began to shadow keep their station.

PQ-28 [7.3.10] A shadower that stays out of a battle chooses which part of a split force it follows; it does not split
itself before the next planning step.

PQ-29 [5.1.6, 8.5.5.6] A force that battle damage has made slower than its speed, or unable to keep its posture, drops
to what it can at once.

PQ-101 [10.2.6.1, 10.2.6.4] General drones may lie in any space, so only limited and restricted ones have a
percentage; reloads count as the racks that they reload.

PQ-102 [10.2.2.2, 11.2.4.5] When cargo boxes are destroyed, fuel goes first, then repair points, then consumables, and
supply last: supply can become any of them.

PQ-103 [10.3.7.2, 10.3.7.4] Ships that pass something on, and are free to, are docked by that, to a base rather than
to a ship. A unit gives what it has when the plan is made; all goods leave before any are stored.

PQ-104 [10.3.7.3, T4] What passes from ship to ship over a tug counts at both docking positions.

PQ-105 [10.3.10.1] Ships that carry supply or fuel as cargo keep their own engines at least half full, and bases full,
unless their side wishes otherwise.

PQ-106 [10.1.1, 10.2.6.3] Both sides report the consumables that a battle used up. Units begin with all of them aboard
but mines.

PQ-107 [10.2.7.2] A base with implicit supply gets it at the end of each turn, after transfers: itself first, then
what is in port.

PQ-120 [12.5.3.9] A minelayer lays what is missing to the next strength point and keeps the rest aboard.

PQ-121 [12.5.3.1, 12.5.3.7] Laying is a step of a route or plot: lay. Mines and laying fuel are spent when the impulse
ends, by every ship of the force, and only if nothing spoilt it.

PQ-122 [12.7.3] Who meets a minefield is told how many mine attacks there were, not what was rolled for their number.
The minefield's owner is told that it attacked, and nothing else.

PQ-123 [12.4.4] The strength that an enemy holds is that of his last search. A minefield that is gone stays on his map
until he is there again, or shares its hex when it goes.

PQ-124 [12.7.7] Ships whose class gives six shields have mine hits worked out, unless they cloak or are in tow. What
went through is put to the owner; if he says nothing it is spread evenly over the ship's boxes (invented).

PQ-125 [12.7.8] Whether minesweepers screen is asked before the number of attacks is rolled; by default they do.

PQ-126 [12.6.3, 12.4.1] A minefield alone asks nobody to attack but forces with a minesweeper and sides that are asked
in every impulse; one at ID3 asks nobody to search it again.

PQ-111 [11.4.9.1, 11.4.9.9] A damaged base with repair boxes free sees to itself each turn without a posture and
without being told.

PQ-112 [11.4.5.4, 11.4.6.3] On a battle's result, self-repairs count as made before damage to the DAMCON track cuts
what is left of them and of its repair points. Such tracks lose their highest box first and get the lowest back first.

PQ-113 [1.8.12.4, 1.8.12.8] A base that is being extended goes on working; if that is interrupted, the parts stay
where they were.

PQ-114 [11.5.4, 11.4.9.6] A refit is done box by box: a finished box stays done, one that is interrupted or not gone
on with is lost. A ship with a refit begun stays inactive until it is complete; it may be towed.

PQ-115 [11.4.9.2.1] Where a base's class does not say where its repair boxes are, they are shared out evenly over its
docking positions; repair pods built into it serve a position each, repair modules two.

PQ-116 [11.4.7] Every ship that fought may repair itself once the battle sequence is over, the loser's too; shields
rise by themselves where nothing else is damaged and the power is plainly there.

PQ-160 [T3a] Fast patrol ships and civilians with special sensors never have a scout's range when a battle is set up.

PQ-161 [8.5.5.4.1, 8.5.5.4.2, 1.8.2] Where a battle is set up, a base and all forces in port with it are placed like
one force: one unit in the middle of the map, every other within range of all the rest.

PQ-180 [6.2.4 to 6.2.6, 12.7.4, 12.7.7] A pod on its tug and a module in cargo are no ships: they are neither counted
nor hit by themselves, and lend no sensors. Pods go down with a tug that mines destroy, and score; modules with their
cargo boxes. A module is no prize by itself: it goes with its ship, also when that is captured.

PQ-181 [T5, C.purchase.3, C.raid.note6, C.vp.14] A ship's value includes its refits, bought with it or given later,
for points, raids and transfers. Drones and commander's options are used up and handed on; they do not count.

PQ-182 [1.7.4, 1.8.2.1] A settled hex searches a base and all in port with it in one attempt. Who enters port after
that is not searched there in the same impulse, since the base would be searched twice.

PQ-183 [5.1.5, 5.4.8] An owner may enter any practical speed up to what the ship's warp boxes give; damage lowers it
further. Entering what they give takes the figure back.

PQ-190 [5.2.3.2, 5.2.4, 6.3.4.3.1, 8.5.3.1, 9.5] Fuel is needed to declare Warp On, in planning and after a battle,
and to choose a speed by warp. Neither ends with the last point: to searches, attacks, surprise, mines and the battle
sheet warp is on by the posture, a search or an attack that took the last fuel is made at full speed, and a force
slows down when its next move cannot be paid for. Bases have warp on for a turn that finds them with AWR boxes and
fuel. A report counts a ship without fuel as not using warp, whatever its posture.

PQ-191 [1.2.5, 7.3.1, 7.3.2, 7.2.3] Who begins to shadow in the first half of an impulse goes with a target that moves
in the second, even if it has moved itself, and pays that hex at the target's speed when it moves. If a ship of it
cannot pay it stays behind and shadows no longer. A target that stays costs it nothing.

PQ-192 [7.4.3, 7.4.4, 7.5.4] Whether a shadower can keep up is settled once both sides have plotted, beginning with
those next to the force that leads: whoever is set free may take its own shadowers to another speed. Who loses its
target then makes the move on its plot. Combined forces that would shadow each other in a circle do not: the side with
the initiative, which assigns last, loses that link.

PQ-193 [8.3.4.3, 8.3.5.3, 8.5.6.9.3] Boxes that an Original Defender did not pay for stay off in every battle of that
impulse, also if it then pursues; damage takes them first. In a later battle one that is turned on costs combat fuel
divided by the boxes left when that battle began.

PQ-194 [5.3.5, 5.5.3, 5.1.6, 8.5.7.2.6] A force formed after a battle makes the move of the force whose name it keeps,
or of the first that gave it ships, if it still can: not if damage has left it at a speed without a movement point in
this impulse, nor if a ship in it may not leave the hex or the map. A point that is not used so is expended in place.
Who came out of port in the battle has left it: the step on its plot or route that leads out is done.

PQ-195 [11.4.9, 11.4.9.9] Repair boxes serve their orders in the order of the sheet: first those with a limit of CDR
points, then the others; what repairs itself comes last and uses the boxes that its work on others leaves.

CMB-7 [8.5.5.4] Who joins a battle by attacking an attacker is set up last: no nearer to the force that it attacked
than that force's ranges, with one unit at it, and outside the ranges of all others.
""")
