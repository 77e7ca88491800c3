"""Chapter 2.4.1.10: a legendary navigator's choice when its group leaves a nebula, made after the die was seen."""

from collections.abc import Mapping
from typing import Literal

from pydantic import RootModel

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.dice import Roll
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.ch02_movement.movement import intended_moves
from rules_engine.rulebooks.cutler.ch02_movement.nebulae import (
    OUT,
    Group,
    Steered,
    at_nebula,
    nebula_groups,
    roll_for,
)
from rules_engine.rulebooks.cutler.records.conditions.officers import has_navigator
from rules_engine.rulebooks.cutler.records.lines import PartialLine
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn
from rules_engine.rulebooks.cutler.standing.decisions import ask_details_steps

LINE: Literal["navigator"] = "navigator"
OUTCOMES = {
    1: "they stay, and must roll again",
    2: "they come out at once in a random hex",
    3: "they stay, and may leave for {goal} in the next impulse without a roll",
    4: "they stay, and drift out into a random hex in the next impulse",
    5: "they leave for {goal}",
}


class NavigatorLine(PartialLine):
    """Whether 1 is added; blank is what the default does."""

    add: bool | None = None


class NavigatorSheet(RootModel[dict[Literal["navigator"], NavigatorLine]]):
    """A navigator's choice. 2.4.1.10"""

    @property
    def add(self) -> bool | None:
        """It, if it was made."""
        return self.root[LINE].add if LINE in self.root else None


@rule("2.4.1.10", "4.2.4.8")
def may_have_navigators(state: CutlerState) -> bool:
    """Whether somebody began with a navigator, or may have one trained: what all know. 2.4.1.10, 4.2.4.8, CU-N78"""
    trained = any(item.officer == "navigator" and item.price is not None for item in state.accessories.values())
    return state.navigators or trained


Choices = dict[tuple[Side, str], Steered]
"""Rolls with what was added, by race and group."""


@rule("2.4.1.10")
def navigators_steps(turn: CutlerTurn, sailing: Mapping[str, HexId]) -> Steps[Choices]:
    """Roll for the groups that leave a nebula with a navigator, and ask their owners whether to add 1; ``sailing`` are
    the moves of convoys.

    Where somebody may have a navigator and a counter is in a nebula, both of which all know, everybody waits alike
    where windows are fixed; there, nobody is asked if no counter is. 2.4.1.10, CU-R26, CU-N78
    """
    state = turn.state
    seen = any(state.terrain.get(hex_id) == "nebula" for _, hex_id in state.counters())
    if may_have_navigators(state) and seen:
        return (yield from turn.window_steps(_choices_steps(turn, sailing, asks=True), "decision"))
    return (yield from _choices_steps(turn, sailing, asks=not turn.shared.patient))


def _choices_steps(turn: CutlerTurn, sailing: Mapping[str, HexId], *, asks: bool) -> Steps[Choices]:
    """The rolls and choices; unless it ``asks``, a navigator does what its default says."""
    state = turn.state
    moves = {**intended_moves(state), **sailing}
    groups = [one for one in nebula_groups(state, moves) if one.rolls and has_navigator(one.units)]
    dice = [roll_for(at_nebula(turn, group), group) for group in groups]
    low = [(group, die) for group, die in zip(groups, dice, strict=True) if die.total < OUT]
    choices = [_ask(group, die) for group, die in low]
    sheets = (yield from ask_details_steps(turn, choices)) if asks else [NavigatorSheet({})] * len(choices)
    added = {(group.race, group.key): int(adds(sheet, die)) for (group, die), sheet in zip(low, sheets, strict=True)}
    return {
        (group.race, group.key): Steered(die, added.get((group.race, group.key), 0))
        for group, die in zip(groups, dice, strict=True)
    }


def adds(sheet: NavigatorSheet, die: Roll) -> bool:
    """Whether 1 is added: as the sheet says, or else where that lets the group out as plotted."""
    return die.total + 1 == OUT if sheet.add is None else sheet.add


@rule("2.4.1.10")
def _ask(group: Group, die: Roll) -> Ask[NavigatorSheet]:
    """The choice of one group's owner, who sees the die. 2.4.1.10, CU-R26"""
    names = ", ".join(unit.name for unit in group.units)
    usual = die.total + 1 == OUT
    as_rolled, with_one = (OUTCOMES[result].format(goal=group.goal) for result in (die.total, die.total + 1))
    field = Field(key="add", label="Add 1", kind="flag", value=usual, optional=True)
    return Ask(
        kind="navigator",
        key=f"navigator {group.key}",
        parties=(group.race,),
        title=f"{group.here}: the navigator of {group.fleet}",
        text=f"{names}: the die shows {die.total}, so {as_rolled}. With your navigator's 1 more, {with_one}.",
        question=Question(
            f"{group.fleet} leaves a nebula", f"The die shows {die.total}. Does your navigator add 1?", (group.here,)
        ),
        model=NavigatorSheet,
        form=Form(lines=(Line(key=LINE, label=f"{group.fleet}, leaving the nebula", fields=(field,)),)),
        rule="2.4.1.10, CU-R26",
        default=NavigatorSheet({}),
        default_says=f"1 is {'' if usual else 'not '}added.",
        pace="decision",
        read_back=lambda sheet: [
            f"Your navigator adds {1 if adds(sheet, die) else 'nothing'}: "
            f"{with_one if adds(sheet, die) else as_rolled}."
        ],
    )
