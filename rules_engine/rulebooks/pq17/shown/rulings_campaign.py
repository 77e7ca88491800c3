"""Own rulings on the campaign and what it adds to the chapters, for players to read."""

from rules_engine.core.protocol.rulebook import rulings_in

CAMPAIGN_RULINGS = rulings_in("""
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

MOV-7 [C.schedule.note5, C.oob.kzinti.orion-mercenaries] Scheduled convoys, the Orions and the reaction force are put
into the edge hex of their choice on the first impulse of their turn, without cost in fuel or movement points, and
then move like others. Other reinforcements come on with their first movement point of the period, and pay for that
hex.
""")
