"""Answering asks by standing orders. A sheet whose every line they decide is not asked; its owner is told why.

Decisions use only what the side itself knows, so that a prompt that does not come tells the other side
nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pydantic import BaseModel

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.records.state import State

A = TypeVar("A", bound=BaseModel)


@dataclass(frozen=True)
class Decision:
    """What standing orders decide for one line of a sheet.

    ``values`` go into the line; ``said`` tells the owner what was done (empty: not worth a report), and ``clause`` is
    the order behind it, given by ``whose``. With ``once``, the decision not to do something is told once a turn only.
    """

    values: Mapping[str, Json]
    said: str = ""
    clause: str = ""
    whose: str = ""
    once: bool = False


BY_ORDERS = "Your standing orders are carried out. Where they are silent:"
"""The text for silence where standing orders decide a part of a sheet."""

Decisions = Mapping[str, Decision | None]
"""Decisions by line key; None, or a missing key, leaves the line to its owner."""


def by_standing_orders_steps(turn: TurnContext[State], ask: Ask[A], decisions: Decisions) -> Steps[A]:
    """Answer ``ask`` by standing orders alone if they decide every line; else ask, with their decisions filled in."""
    decided = {key: found for key, found in decisions.items() if found is not None}
    keys = [line.key for line in ask.form.lines]
    if any(key not in decided for key in keys):
        return (yield from turn.ask_steps(_filled(ask, decided)))
    answer = _answer(ask, decided)
    if ask.check(answer):  # if they cannot be carried out after all, the owner must decide
        return (yield from turn.ask_steps(ask))
    tell_decisions(turn, ask.parties[0], ask.rule, decided.values())
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
    decided = {key: found for key, found in decisions.items() if found is not None}
    if len(decided) < len(decisions):
        return None
    sheet = _changed(default, decided) if decided else default
    if sheet != default and check(sheet):
        return None
    tell_decisions(turn, side, rule, decided.values())
    return sheet


def tell_decisions(turn: TurnContext[State], side: Side, rule: str, decisions: Iterable[Decision]) -> None:
    """Report what standing orders decided, with the order that did."""
    remembered = turn.state.doctrine[side].said
    for one in decisions:
        if not one.said or (one.once and one.said in remembered):
            continue
        if one.once:
            remembered.append(one.said)
        why = because(rule, {one.whose: f"“{one.clause}”"})
        turn.tell([side], one.said, kind="doctrine", why=why)


def _answer(ask: Ask[A], decided: Mapping[str, Decision]) -> A:
    return ask.model.model_validate(_merged({}, decided)) if ask.default is None else _changed(ask.default, decided)


def _changed(sheet: A, decided: Mapping[str, Decision]) -> A:
    return type(sheet).model_validate(_merged(sheet.model_dump(mode="json", exclude_none=True), decided))


def _merged(sheet: dict[str, dict[str, Json]], decided: Mapping[str, Decision]) -> dict[str, dict[str, Json]]:
    merged = {key: dict(line) for key, line in sheet.items()}
    for key, one in decided.items():
        line = {**merged.get(key, {}), **one.values}
        merged[key] = {name: value for name, value in line.items() if value is not None}
    return {key: line for key, line in merged.items() if line}


def _filled(ask: Ask[A], decided: Mapping[str, Decision]) -> Ask[A]:
    """The ask with the decisions filled in; its owner may change them, and silence accepts them."""
    if not decided:
        return ask
    lines = tuple(
        _with_values(line, decided[line.key].values) if line.key in decided else line for line in ask.form.lines
    )
    changed = replace(ask, form=Form(lines=lines))
    default = _answer(ask, decided)
    if ask.check(default):
        return ask
    if default == ask.default:
        return changed
    return replace(changed, default=default, default_says=f"{BY_ORDERS} {ask.default_says}")


def _with_values(line: Line, values: Mapping[str, Json]) -> Line:
    fields: Sequence[Field] = [
        field._replace(value=values[field.key]) if field.key in values else field for field in line.fields
    ]
    return line._replace(fields=tuple(fields))
