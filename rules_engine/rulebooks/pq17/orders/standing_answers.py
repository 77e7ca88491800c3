"""Answering PQ-17's asks by standing orders; what was told of once is remembered with the side's orders."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from pydantic import BaseModel

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.core.standing import answers
from rules_engine.core.standing.answers import Decision, Decisions
from rules_engine.rulebooks.pq17.records.state import State

A = TypeVar("A", bound=BaseModel)


def by_standing_orders_steps(turn: TurnContext[State], ask: Ask[A], decisions: Decisions) -> Steps[A]:
    """Answer ``ask`` by standing orders alone if they decide every line; else ask, with their decisions filled in."""
    answer = answers.answered(ask, decisions)
    if answer is None:
        return (yield from turn.ask_steps(answers.left_to_owner(ask, decisions)))
    tell_decisions(turn, ask.parties[0], ask.rule, answers.those_made(decisions).values())
    return answer


def by_orders_alone(
    turn: TurnContext[State],
    side: Side,
    rule: str,
    default: A,
    decisions: Decisions,
    *,
    check: Callable[[A], Sequence[Refusal]],
) -> A | None:
    """The default sheet with what standing orders decide, which is told, so that no ask need be made where they change
    nothing; None if they leave a line open, or by ``check`` cannot be carried out after all."""
    found = answers.by_default_or_orders(default, decisions, check=check)
    if found is None:
        return None
    sheet, decided = found
    tell_decisions(turn, side, rule, decided)
    return sheet


def tell_decisions(turn: TurnContext[State], side: Side, rule: str, decisions: Iterable[Decision]) -> None:
    """Report what standing orders decided, with the order that did."""
    answers.tell_decisions(turn, side, rule, decisions, turn.state.doctrine[side].said)
