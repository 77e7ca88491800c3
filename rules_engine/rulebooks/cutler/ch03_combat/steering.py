"""Chapters 3.6.1.1.1 and 3.6.1.1.2: a legendary navigator shifts the directions of groups that surround."""

from collections.abc import Mapping

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.records.lines import PartialLine
from rules_engine.rulebooks.cutler.records.state import CutlerTurn
from rules_engine.rulebooks.cutler.standing.decisions import ask_details_steps

DIRECTIONS = range(1, 7)
"""Directions count from the facing of the escaping ships, which is 1. CU-N94"""
SHIFTS = {-1: "One lower", 0: "As rolled", 1: "One higher"}


class SteerLine(PartialLine):
    """By how much a group's direction is shifted."""

    shift: int = Bounded(default=0, ge=-1, le=1)


class SteerSheet(RootModel[dict[str, SteerLine]]):
    """A line for each group that surrounds: ``G1``, ``G2`` …"""

    def way(self, number: int, die: int) -> int:
        """The direction of a group that rolled this; next to 6 is 1."""
        line = self.root.get(f"G{number}")
        return (die - 1 + (line.shift if line else 0)) % len(DIRECTIONS) + 1


@rule("3.6.1.1.1", "3.6.1.1.2")
def steered_steps(
    turn: CutlerTurn, hex_id: HexId, steers: Side | None, rolled: Mapping[int, int]
) -> Steps[dict[int, int]]:
    """The directions of the groups that surround, as they were ``rolled``, shifted by the side whose navigator
    ``steers``: that of the pursuers, or of the escaping ships. 3.6.1.1.1, 3.6.1.1.2, CU-R71"""
    if steers is None:
        return dict(rolled)
    (sheet,) = yield from ask_details_steps(turn, [_ask(hex_id, steers, rolled)])
    return {number: sheet.way(number, die) for number, die in rolled.items()}


def _ask(hex_id: HexId, steers: Side, rolled: Mapping[int, int]) -> Ask[SteerSheet]:
    ways = tuple(Choice(str(shift), name) for shift, name in SHIFTS.items())
    field = Field("shift", "Direction", "one", choices=ways, value="0")
    lines = tuple(Line(f"G{number}", f"Group {number} in direction {die}", (field,)) for number, die in rolled.items())
    return Ask(
        kind="steer",
        parties=(steers,),
        title=f"{hex_id}: your navigator and the groups that surround",
        text="Your legendary navigator may shift the direction of each group that surrounds by 1; next to 6 is 1.",
        question=Question(
            f"Surrounding in {hex_id}", "Your navigator may shift each group's direction by 1.", (hex_id,)
        ),
        model=SteerSheet,
        form=Form(lines),
        rule="3.6.1.1.1, 3.6.1.1.2, CU-R71",
        default=SteerSheet({}),
        default_says="The directions stay as they were rolled.",
        pace="decision",
        check=lambda sheet: _judge(rolled, sheet),
        read_back=lambda sheet: [
            f"Group {number}: direction {sheet.way(number, die)}." for number, die in rolled.items()
        ],
    )


@rule("3.6.1.1.1", "3.6.1.1.2")
def _judge(rolled: Mapping[int, int], sheet: SteerSheet) -> list[Refusal]:
    """Refusals of groups that do not surround. 3.6.1.1.1, 3.6.1.1.2"""
    known = [f"G{number}" for number in rolled]
    return [malformed("no such group surrounds", key, legal=", ".join(known)) for key in sheet.root if key not in known]
