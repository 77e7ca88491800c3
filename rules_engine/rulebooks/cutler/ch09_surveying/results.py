"""Chapter 9: what a survey can find."""

from typing import Literal

from rules_engine.core.basics.rules import rule

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

MONSTER_LIMIT = 5
"""A ship is destroyed by a monster at this or more on a D6. 9.2"""


@rule("9.2", "10.0")
def finding(total: int) -> Finding:
    """What a roll of 3D6 finds. There are monsters nowhere else. 9.2, 10.0, CU-R125"""
    return FINDINGS[total]


@rule("9.2", "10.0")
def is_lost_to_monster(die: int, *, guided: bool = False) -> bool:
    """Whether a ship that rolls this is destroyed; a legendary science officer aboard a survey ship takes 1 off.

    9.2, 10.0
    """
    return die - guided >= MONSTER_LIMIT
