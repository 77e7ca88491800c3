"""Rulings on tracked battles: what the tracker adds where another rulebook's battle is flown by it."""

from rules_engine.core.protocol.rulebook import rulings_in

OWN_ON_BATTLES = rulings_in("""

VM-N60 [1.2] Where a unit's record lacks a figure of movement, a usual one for its size class stands, marked as invented
to its own side. Size class 1: movement cost 2, turn mode F, 60 warp; 2: 3/2, E, 45; 3: 1, D, 30; 4: 1/2, B, 15; 5: 1/5,
A, 5; 6: 1/6, AA, 2; 7: 1/10, AA, 1. Reserve is none.

VM-N61 [1.1] A unit that cannot move, as a base, neither accelerates nor turns, and no tractor joins it with another. It
is still reported of.

VM-N62 [1.0] Units are set up by the conditions of the battle's own rulebook, in no planet but for what cannot move. A
unit moves straight ahead or astern at its speed. One of which nothing is said begins legally, at its least speed. Who
turns to the nearest enemy does so once all are placed; of equally near ones to the first clockwise from A.

VM-N63 [1.0] Units that arrive later are placed by their captain at the beginning of their turn, before anybody plots.
Until then nobody but their side knows of them.

VM-N64 [1.0] When one force at most is left, all sides are asked in secret whether the battle is over, and again after
each turn that is flown all the same. It is over unless somebody flies on, who may have units to come or not.

VM-N65 [1.0] Ranges are counted at the ends of turns. A turn is quiet between two forces if no two of their units that
are there at its end are nearer than at its beginning, or than where one of them arrived.

VM-N66 [1.5] A unit whose end is reported with the plots of a turn's first piece has left on the turn before; with those
of a later piece on the turn that is flown.

VM-N67 [1.0] A battle under way is taken up from positions that each side types in secret. All must name the same turn
as the next; then everybody sees the positions, and each force confirms them or says what is not so. Energy is that of a
turn's beginning, and nobody must wait from earlier turns. Who was out before is counted as out since the turn before.

VM-N68 [1.55] What tugs of a battle's own rulebook have in tow when it begins moves with them, by the plot of the first
tug: its engines, and those of tugs that pull with it, give half, rounded up, and it pays for itself alone. What is in
tow turns as it likes, bases do not, and no tractor holds it but by its tug. It leaves the battle with the first tug.
It is let go where a tug is reported to have released it or is destroyed: bases stand then, others keep the vector. A
base that the rulebook lets ships tow is taken in tow by a report of a tractor, and moves as its tug from then on.

""")
