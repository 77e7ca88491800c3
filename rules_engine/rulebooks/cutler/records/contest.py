"""The order of races by die roll: the highest first, ties rolled again among the tied. G-2"""

from collections.abc import Mapping, Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.dice import Roll
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.cutler.records.state import CutlerState


def roll_order(
    turn: TurnContext[CutlerState],
    races: Sequence[Side],
    purpose: str,
    *,
    count: int = 1,
    seen_by: Sequence[Side] | None = None,
    plus: Mapping[Side, int] | None = None,
) -> tuple[list[Side], list[Roll]]:
    """The races from the highest roll to the lowest, with what is added to a race's, and all rolls made. G-2"""
    if len(races) < 2:
        return list(races), []
    rolls = [turn.roll(f"{purpose}, {turn.name_of(race)}", faces=6, count=count, seen_by=seen_by) for race in races]
    by_total: dict[int, list[Side]] = {}
    for race, roll in zip(races, rolls, strict=True):
        by_total.setdefault(roll.total + (plus or {}).get(race, 0), []).append(race)
    order: list[Side] = []
    for total in sorted(by_total, reverse=True):
        again, more = roll_order(turn, by_total[total], purpose, count=count, seen_by=seen_by, plus=plus)
        order += again
        rolls += more
    return order, rolls
