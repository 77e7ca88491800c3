"""Chapter 9: what a survey can find, and the terrain of open space."""

from typing import Literal

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.tables import Terrain

Finding = Literal["major", "minor", "delay", "open", "monster"]

OPEN_SPACE = range(6, 16)
FINDINGS: dict[int, Finding] = {
    3: "major",
    4: "minor",
    5: "delay",
    **dict.fromkeys(OPEN_SPACE, "open"),
    16: "monster",
    17: "minor",
    18: "major",
}
"""What 3D6 find in a surveyed hex. 9.2"""

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

MONSTER_LIMIT = 5
"""A ship is destroyed by a monster at this or more on a D6. 9.2"""


@rule("9.2", "10.0")
def finding(total: int) -> Finding:
    """What a roll of 3D6 finds. There are monsters nowhere else. 9.2, 10.0, CU-R125"""
    return FINDINGS[total]


@rule("1.1.2.5.1")
def single_star(die: int) -> Terrain:
    """Which of two the lowest result of the chart is, by a D6. 1.1.2.5.1, CU-R07"""
    return "black_hole" if die <= HOLES else "neutron_star"


@rule("9.2", "10.0")
def is_lost_to_monster(die: int) -> bool:
    """Whether a ship that rolls this is destroyed. There are no officers yet, who would take one off. 9.2, 10.0"""
    return die >= MONSTER_LIMIT
