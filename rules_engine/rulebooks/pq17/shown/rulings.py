"""This package's own rulings, for players to read: on chapters 1 to 12, then on the campaign. NOTES.md tells more."""

from rules_engine.core.protocol.rulebook import rulings_in

RULINGS = rulings_in("""
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

PQ-196 [10.3.7.1] What a side changes on its logistics sheet, who is docked and what is passed on, may stand: it is
filled in on each later turn's sheet, and carried out where none is opened or nothing is sent. Where the routine does
not go together with it, the routine gives way. What cannot be done in a turn because ships are apart waits; what the
rules refuse ends, and its owner is told. Repairs stand by themselves until they are done; construction never does.

PQ-200 [8.5.5.4, 8.5.5.3.12, 1.8.12.10] In a battle that is tracked, who may be a scout is one, and the middle of the
map is marked. Where the rules leave forces no room to be out of each other's ranges, they are as far apart as there is
room: two or three that attack, by the sum of their distances from the Original Defender. Bases that were put beside
others lie as far from them as was plotted, whatever their ranges; their owner sees to the direction.

PQ-203 [8.5.5.6] A battle on whose account nobody agrees within the time that the campaign sets ends by the attackers'
leaving on its first turn, without losses on either side; the defenders hold the hex. A scenario may have the defenders
leave instead. A base cannot leave, so where one would have to, the others do.

CMB-7 [8.5.5.4] Who joins a battle by attacking an attacker is set up last: no nearer to the force that it attacked
than that force's ranges, with one unit at it, and outside the ranges of all others.

PQ-61 [C.random.hf-df, C.random.residual-minefield, C.random.elusive-target] An event that may be used at many moments
is offered when something new turns up (a contact, or a better level than ever; not that one moved or faded), or every
time if its owner asks for that. Elusive Target is offered at each attack that succeeds, and once for each searcher
and the force that it found.

PQ-62 [C.special.flotilla-5] Its owner is asked where to place Flotilla 5 on the period's first turn, then on the turn
that he names; silent to the last plot, it is placed in Kiel's hex.

PQ-63 [C.random.fis-ultra, C.random.kis-b, C.random.whiskers] Whether an operation is carried out is revealed, not
against which base. Both sides hear the answer.

PQ-64 [4.1.3, 4.1.4, C.special.initiative-star] Bids are revealed and the rolls can be checked, so the bonus of a star
cannot be hidden: it is said openly with the initiative roll, as one for a condition. Which condition gives it is not
said.

PQ-65 [8.6.2.2, 7.3.2, 7.3.8, 7.3.9] A force that shadows a settled hex does so until it moves or raids it; like any
shadower it may meanwhile search and attack nothing else.

PQ-66 [C.raid.note6] A convoy is drawn until its value reaches the range; local defence until no type fits into what
is left. Refits are chosen once, after the last unit.

PQ-67 [C.special.gale-force, C.special.port-strike] Internal damage is any box destroyed but shields, as reported
after the battle, those too that were repaired in it. Points double by being scored once more, for the operation's
side alone to see until the Administrative Step.

PQ-68 [C.suicide-freighter] A freighter is converted while docked to a base unit in Logistics posture, with its own
supply first and then the base's; it docks by itself where the logistics plan leaves a position. An interruption of
its group prevents it, and going back loses the explosives.

PQ-69 [4.1.2, 4.1.3] The rule sets no limit to a bid; a sheet takes at most 99 points, so that nobody pays for a slip.
A bid of more points than a side has is allowed, and its consequence is said before it counts.

PQ-130 [C.cp.kzinti, C.oob.kzinti.base-convoy] Freighters of a base convoy need no command points: with two a period
the Kzintis could not bring theirs in and out again, as their order of battle has it.

PQ-131 [C.schedule.note3, C.schedule.note5] Where and when ships come on is said once a period, on one sheet. What is
held back can come on in a later period.

PQ-132 [C.schedule.note4] A ship of a named operation that is damaged or short of fuel is not let off the map; it
could only be lost there, since it would satisfy nothing.

PQ-133 [C.vp.8] Supplies of the convoy to the Kzintis that leave a freighter within an impulse are destroyed; what is
unloaded elsewhere or used up in the logistics step counts for nobody.

PQ-134 [C.vp.note5] With both Kzinti bases lost, freighters in Logistics posture at speed 0 in 1001 hand their
supplies over at the end of the turn without being asked.

PQ-140 [C.variants] Hulls present in the campaign are those on the map and those that wait to come on; ships lost,
captured or transferred away are not. A fleet over the limit may still buy other hulls.

PQ-141 [C.oob] Whether a deployment is legal depends on where each ship stands: ships in a named group's place count
for it in the order of the sheet, all others must be where their force may begin. Ships that nobody names begin at
their nation's home, in port.

PQ-142 [C.oob.kzinti.deployment] Kzinti ships begin in any of the hexes named: settled ones, the two bases, 0707 and
0708; nowhere between them.

PQ-143 [C.oob.klingon.bastion] The hex filled in for Bastion is drawn by lot among all legal ones, since a printed one
would be no secret.

PQ-144 [1.8.12.2, C.oob] A base with its pods and modules is one unit, whose boxes and value are its own and theirs
together. Of a known base everybody knows how many pods and modules it has by their printed type, but not which they
are.

PQ-145 [C.purchase.1g, C.purchase.2] Skids and ducktails are refits of the freighters they belong to; a ship's own
shuttles, mines and other consumables are its commander's options. Points left of a mercenary or expeditionary force
stay with it.

PQ-146 [C.purchase] A purchase sheet begins with the scenario's ready-made order of battle before the first turn; with
a referee's own figures, as far as it is still legal. Later it is plain hulls of each category.

PQ-147 [C.base-restrictions, 1.8.12.2] Small bases and platforms may be bought, but come into play by base
construction alone, and that is for what is built around pods: so they are bought as those pods, every class that a
catalogue gives core pods. What has none, such as a repair dock, could never be put up and is not sold. Tugs take
loose pods of their task force up to their slots as plans are carried out, and pods go where their tug goes.

PQ-148 [C.vp.7, C.vp.10, C.schedule.note3] Unless their owner plans otherwise, convoys sail to their base, unload
there and sail back to where they came on; at a base that is full they wait for room to the end of the period. Ships
chosen for a transfer leave the map. Escorts stay behind at the edge and go to port.

PQ-149 [6.3.2, 8.4.2, C.vp.7] Convoys on their errand, and freighters and tugs without a warship, search and attack
nobody and sail on unless they have standing orders of their own, if their side wishes to be asked on contact only. A
side that is asked at every step is asked about them too.

PQ-150 [1.6.4.2, 6.2.2, 6.3.2, 8.4.4] Within a hex attempts are resolved by lot, target by target, and contacts that
look alike get their numbers by lot: no order tells how the other side numbers its task forces. What is told of
several contacts comes in the order of the reader's own numbers.

PQ-170 [7.3.2, C.cp.kzinti, C.schedule.note3, C.oob.klingon.restriction] A shadower goes where its target goes only as
far as it could have plotted to go itself. Command points for that are spent as it moves. Where a restriction binds
it, or no points are left, it stays behind: its shadowing ends, its point is expended in place, and it is back at the
speed it plotted. Staying behind so is no choice of its own and costs no exemption; staying with a target that stays
is one.

PQ-171 [C.cp.reinforcements, 5.3.5, 8.5.6.2] Whoever comes out of port costs its points at once, however it came out:
by a plot, in pursuit, driven out, or because its base was lost. Only the first two can be refused; who is driven out
without points goes home. A reinforcement or transfer leaves its direct way if it stays in its hex by choice: to
search, attack or shadow, by the option to remain, or by entering a port that is not its goal.

PQ-172 [4.2.3, 7.4.4] A ship that must go home for want of command points shadows nobody any more, from the next plot
on. Once in port it needs points like any other to leave it again.

PQ-201 [8.3.5.2, 9.7, 12.6.3] A force that has attempted an attack or swept mines is not offered less power when it is
attacked in the same impulse. Where its fuel does not suffice for all boxes, as many stay on as it can pay for.

PQ-202 [SOP.3.a, 2.1] What was scored in secret is revealed to the other side as the period ends, point by point.
Everybody is told the new total and, in a campaign, the period's points by line of the victory table.

MOV-7 [C.schedule.note5, C.oob.kzinti.orion-mercenaries] Scheduled convoys, the Orions and the reaction force are put
into the edge hex of their choice on the first impulse of their turn, without cost in fuel or movement points, and
then move like others. Other reinforcements come on with their first movement point of the period, and pay for that
hex.
""")
