"""Rulings about plots that wait, about who defends and lands together, and about what is told: the package's own, and
those common to several books that reports name."""

from rules_engine.core.protocol.rulebook import rulings_in

MEETINGS = rulings_in("""

CU-N180 [6.4.1.3] Who lodges another hex than the next one of its course goes on from there to the next but one, by a
shortest path. Who lodges to stay begins its course in impulse 2. A ship that joins one that lodged to stay waits with
it.

CU-N181 [3.5.4, 3.5.9] Where one side has a base in a hex and the other has none, the base's side defends; where both or
neither have one, who holds the planet; then who alone has ground bases or a moon. At a feature with one side's base
this side sets up as the defender, whoever defends the rest of the hex.

CU-N182 [3.1, 3.5.4.2, 3.5.5.3] No cards are shown where nothing could be fought: by bases alone against bases and
derelicts alone, since none of them can come to the other.

CU-N183 [3.4.5.4, 2.2] When a battle is over, all who fought are told which units leave the hex because they
disengaged: by their names, which the battle showed. Where each goes its own race alone is told, until all see a counter
move; nor do others hear which of them can move.

CU-N184 [5.1] A prize keeps its name. If its captor has a unit of that name, it is called a prize from the end of the
impulse's combat on, until the race that built it has it back.

CU-N185 [1.1.2.1, 1.1.2.3] A generated map is as large as fifteen hexes across an empire allow. Planets are offered as
far from other empires as may be, so that at the start none is within a turn's move of another race's.

CU-N186 [2.2, 2.6.3] Each race reads which of its own fleets and convoys moved, and by which hexes, and of a move that
was called off whose it was. Others read what the map shows them: that a counter of a race went from one hex to another.

CU-R127 [2.10, 5.3] Coordinated races that land on a planet together are one force there. The planet falls when its
holder has no boarding party left. It goes to the race of the force that landed most, the one named first in the
agreement if equal; each keeps its own people, who fight nobody while they are one force and count for no garrison. Who
lands on a partner's planet attacks it.

CU-R128 [6.4.1.3] A movement plot mission changes the plot that it names, in impulse 1, and nothing else. To stay means
to stay in that impulse; later impulses of the stored course stand. One that fails changes no course.

CU-R130 [2.4] A plot that cannot be carried out in this impulse waits, and where it is read back, and on the map, it is
said that it waits, and why.

CU-R131 [3.2] Who has passed does not roll for acting player until somebody has made a challenge; the report of a
challenge says who is passed over.

CU-R132 [8.7, 8.8] All scans of a race in an impulse are told on one line, each with its hex and die.

CU-R133 [12.0] Where the value of fleets parts a tie, that is said, with the values.

CU-N187 [3.4, 2.9.6, 5.3] A battle or ground combat on whose account nobody agrees within the time that the campaign
sets ends without losses: every unit and all troops are as they were when it began, and stay where they are; fighters
that sortied disengage. Units fight again only when somebody shows a combat card again, troops only once some have come,
left or been lost (else CU-N34).
""")
