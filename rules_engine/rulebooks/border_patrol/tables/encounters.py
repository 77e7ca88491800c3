"""Unexpected encounters of cloaked units: adjustments of the roll (T8.720) and results (T8.730)."""

from typing import Literal

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.rules import rule

Adjustment = Literal["outstanding", "poor", "out of supply", "own province"]

ADJUSTMENTS: dict[Adjustment, int] = {"outstanding": 3, "poor": -3, "out of supply": -4, "own province": 1}
"""What is added to the roll of 2d6; a helmsman's part is worked out. The first is not printed. T8.720, BP-R50"""

ROLL_LESS = 6
"""What is taken from the roll of 2d6. V8.72"""
OWN_PROVINCE_LESS = 3
"""What is taken from the roll of 1d6 in a province that the units' Team claims. V8.73"""

EncounterKind = Literal["none", "ion storm", "listening post", "convoy"]


class EncounterRow(Frozen):
    """What an encounter makes known of the cloaked units, beside their number, Size Classes and place.

    ``direction`` is whether the way that they go is told, ``upturned`` whether they stand open on the map until they
    leave the hex, ``to_everybody`` whether others than the opposing Team learn of them, ``terrain`` what a battle in
    the hex has.
    """

    direction: bool = False
    upturned: bool = False
    to_everybody: bool = False
    terrain: str = ""


ROWS: dict[EncounterKind, EncounterRow] = {
    "ion storm": EncounterRow(direction=True, upturned=True, to_everybody=True, terrain="ion storm"),
    "listening post": EncounterRow(direction=True),
    "convoy": EncounterRow(),
}
"""What each result makes known. T8.730"""

_RESULTS: dict[int, EncounterKind] = {
    1: "ion storm",
    2: "ion storm",
    3: "listening post",
    4: "listening post",
    5: "listening post",
    6: "convoy",
}


@rule("T8.720")
def adjustment(kind: Adjustment) -> int:
    """What a condition adds to the roll. T8.720"""
    return ADJUSTMENTS[kind]


@rule("T8.730")
def encounter_result(total: int) -> EncounterKind:
    """What the adjusted roll of 1d6 brings: nothing at 0 and less. T8.730

    Raises:
        ValueError: for more than a die can show.
    """
    if total > max(_RESULTS):
        raise ValueError(f"one die shows 6 at most, and not {total}")
    return _RESULTS.get(total, "none")
