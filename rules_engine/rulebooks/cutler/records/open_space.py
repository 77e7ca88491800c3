"""The chart of open space, for an empire's hexes at the beginning and for surveyed ones. 1.1.2.5.1"""

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.dice import Roll
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.state import CutlerTurn
from rules_engine.rulebooks.cutler.records.tables import Terrain

SINGLE_STARS = 3
TERRAIN: dict[int, Terrain] = {
    4: "white_dwarf",
    5: "heat",
    6: "dust",
    16: "asteroids",
    17: "nebula",
    18: "pulsar",
}
"""The chart of open space, 3D6, but for its lowest result; what is not named is empty. 1.1.2.5.1"""
HOLES = 3
"""The highest D6 result at which the lowest result of the chart is a black hole and no neutron star. CU-R07"""

TERRAIN_WORDS: dict[Terrain, str] = {
    "asteroids": "an asteroid belt",
    "dust": "a dust zone",
    "heat": "a heat zone",
    "nebula": "a nebula",
    "black_hole": "a black hole",
    "neutron_star": "a neutron star",
    "white_dwarf": "a white dwarf",
    "pulsar": "a pulsar",
}


@rule("1.1.2.5.1")
def open_space(turn: CutlerTurn, hex_id: HexId) -> tuple[Terrain | None, list[Roll]]:
    """Roll for a hex without a planet, where everybody sees it: its terrain if any, and the dice. 1.1.2.5.1, CU-R07"""
    rolls = [turn.roll(f"open space {hex_id}", faces=6, count=3)]
    if rolls[0].total != SINGLE_STARS:
        return TERRAIN.get(rolls[0].total), rolls
    rolls.append(turn.roll(f"black hole or neutron star {hex_id}", faces=6))
    return "black_hole" if rolls[1].total <= HOLES else "neutron_star", rolls
