"""Rulings on weasels, terrain, launching, landing, tractors and friction: of the common list, and our own."""

from rules_engine.core.protocol.rulebook import rulings_in

COMMON_ON_OTHERS = rulings_in("""

G-1 [CJD1.55] Every calculation is done in exact fractions and rounded down once, at the end.

G-2 [CJD1.43] All dice come from one seeded, logged generator.

G-4 [CJD1.14] What is not said coasts, and the greater element moves first.

G-6 [CJD1.5] Weapons are resolved at the table. What they do is reported, and the other captains agree, or the referee
decides.

VM-R23 [CJD1.51] A wild weasel is voided by one acceleration of 2 or more, or by a high energy turn.

VM-R24 [CJD1.53] A launched unit adds to its carrier's vector up to half its rated speed, rounded down, in one direction
of its captain's choice. What is left of that half may be used later.

VM-R25 [CJD1.53] In every later turn it has the same half again, as hexes of acceleration the way it faces.

VM-R26 [CJD1.53] PFs may spend one of these for each 60 degrees that they turn.

VM-R27 [CJD1.531] Who lands is in the same hex with the same vector, or makes it the same by an acceleration on the
impulse of landing.

VM-R28 [CJD1.541] Above speed 32 terrain counts as met at 32, with twice the damage, and once more for every 8 hexes of
speed above 32: 33 is twice, 40 three times, 48 four times.

VM-R29 [CJD1.55] Adding the two would double the speed of two equal ships. So the common vector is the sum of each
vector times its move cost, divided by both move costs, each element rounded down. A table may choose the text as it
stands, without dividing.

VM-R30 [CJD1.55] When a tractor lets go, both keep the common vector.

VM-R31 [CJD1.551] More total power controls; of equal power a die decides for the first turn, and then it alternates
with every turn.

VM-R32 [CJD1.61] Warp friction is a choice of the table, off if nobody says. At speed 2 and more it takes 1 from the
greatest element.

VM-R33 [CJD1.611] Speeds 33 to 39 lose 2 and take 1 point of damage, 40 to 47 lose 3 and take 2, 48 to 55 lose 4 and
take 3. Hex by hex it is taken from the element that is the greatest then; the damage goes to the shield on the side
that the first of them points to.

VM-R60 [CJD1.551] A shuttle that is held in a tractor, or whose movement another controls, does nothing by its own
energy; it does not land either.

VM-R61 [CJD1.61] A choice of the element that friction takes from holds for the plot that makes it, and no longer: where
a turn has several pieces, for the last of them.

VM-R62 [CJD1.0] Where a map has an edge, a picture shows all of it that comes into it; a pointer to it points at its
nearest hex, and says how far that is.

""")

OWN_ON_OTHERS = rulings_in("""

VM-N07 [CJD1.531] Shuttles and PFs land, on a unit of their own side or an ally's. The acceleration on the impulse of
landing is worked out and paid by itself, along the facing or against it, and waits for no interval. What has landed is
out of play. A PF whose movement another controls does not land, either; what a tractor draws aboard is for the table.

VM-N08 [CJD1.61] Of two equal elements friction takes from the one that the captain names, else from the one further
from the facing; in a tractor its controller's words and facing count for both. What a shield cannot take of the damage
goes inside, which the table resolves.

VM-N09 [CJD1.551] Who controls the movement of two units in a tractor decides path, slips and accelerations of both, and
pays for both: points are multiplied by both move costs over its own, and rounded up; the point of impulse power pays
one hex as ever. It counts as an acceleration of both. The other unit turns as it likes.

VM-N10 [CJD1.55] A unit is in one tractor at a time. A tractor ends when one of its units is out of play.

VM-N14 [CJD1.51] A unit has one wild weasel out at a time. One that is no unit of the battle has no place on the map,
and is voided all the same.

VM-N15 [CJD1.54] Terrain and webs are met when their hex is entered, at the speed of that moment.

""")
