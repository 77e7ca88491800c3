"""Answering asks by standing orders. A sheet whose every line they decide is not asked; its owner is told why.

Decisions use only what the side itself knows, so that a prompt that does not come tells the others nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from pydantic import BaseModel

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.turn_context import TurnContext

A = TypeVar("A", bound=BaseModel)


@dataclass(frozen=True)
class Decision:
    """What standing orders decide for one line of a sheet.

    ``values`` go into the line; ``said`` tells the owner what was done (empty: not worth a report), and ``clause`` is
    the order behind it, given by ``whose``. With ``once``, the decision not to do something is told once a turn only.
    Of a force, ``partners`` have what each other side of it is told, of its own order.
    """

    values: Mapping[str, Json]
    said: str = ""
    clause: str = ""
    whose: str = ""
    once: bool = False
    partners: Mapping[Side, "Decision"] = field(default_factory=dict[Side, "Decision"])

    def told_to(self, side: Side) -> "Decision":
        """What one side of those that are asked is told."""
        return self.partners.get(side, self)


BY_ORDERS = "Your standing orders are carried out. Where they are silent:"
"""The text for silence where standing orders decide a part of a sheet."""

Decisions = Mapping[str, Decision | None]
"""Decisions by line key; None, or a missing key, leaves the line to its owner."""


def those_made(decisions: Decisions) -> dict[str, Decision]:
    """The lines that standing orders decide."""
    return {key: found for key, found in decisions.items() if found is not None}


def answered(ask: Ask[A], decisions: Decisions) -> A | None:
    """The answer that standing orders alone give, if they decide every line and it can be carried out."""
    decided = those_made(decisions)
    if any(line.key not in decided for line in ask.form.lines):
        return None
    answer = answer_of(ask, decided)
    return None if ask.check(answer) else answer


def left_to_owner(ask: Ask[A], decisions: Decisions) -> Ask[A]:
    """The ask that is put to its owner where standing orders do not decide all: with what they decide filled in."""
    decided = those_made(decisions)
    if all(line.key in decided for line in ask.form.lines):
        return ask  # what they decide cannot be carried out after all
    return filled(ask, decided)


Telling = Callable[[Side, str, Iterable[Decision]], None]
"""How a side is told what its standing orders decided, under which rule."""


def ask_or_obey_steps(
    turn: TurnContext[Any], asks: Sequence[Ask[A]], decisions: Sequence[Decisions | None], inform: Telling
) -> Steps[list[A]]:
    """Ask several things at once, each of one side or one force, but for those that standing orders answer; their sides
    are told, each of its own orders.

    What they decide of a sheet in part is filled in. None where there are no orders about an ask. The answers come in
    the order of the asks.
    """
    given: dict[int, A] = {}
    put: list[Ask[A]] = []
    for number, (ask, decided) in enumerate(zip(asks, decisions, strict=True)):
        answer = None if decided is None else answered(ask, decided)
        if decided is not None and answer is not None:
            given[number] = answer
            for side in ask.parties:
                inform(side, ask.rule, [one.told_to(side) for one in those_made(decided).values()])
        put.append(ask if decided is None or answer is not None else left_to_owner(ask, decided))
    return (yield from turn.ask_all_steps(put, given))


def tell_decisions(
    turn: TurnContext[Any], side: Side, rule: str, decisions: Iterable[Decision], remembered: list[str]
) -> None:
    """Report what standing orders decided, with the order that did; ``remembered`` is what was told once."""
    for one in decisions:
        if not one.said or (one.once and one.said in remembered):
            continue
        if one.once:
            remembered.append(one.said)
        why = because(rule, {one.whose: f"“{one.clause}”"})
        turn.tell([side], one.said, kind="doctrine", why=why)


def by_default_or_orders(
    default: A, decisions: Decisions, *, check: Callable[[A], Sequence[Refusal]]
) -> tuple[A, list[Decision]] | None:
    """The default sheet with what standing orders decide, and what is to be told of it, so that no ask need be made
    where they change nothing; None if they leave a line open, or by ``check`` cannot be carried out after all."""
    decided = those_made(decisions)
    if len(decided) < len(decisions):
        return None
    sheet = changed(default, decided) if decided else default
    if sheet != default and check(sheet):
        return None
    return sheet, [*decided.values()]


def answer_of(ask: Ask[A], decided: Mapping[str, Decision]) -> A:
    """The sheet that these decisions fill in."""
    return ask.model.model_validate(merged({}, decided)) if ask.default is None else changed(ask.default, decided)


def changed(sheet: A, decided: Mapping[str, Decision]) -> A:
    """A sheet with these decisions in its lines."""
    return type(sheet).model_validate(merged(sheet.model_dump(mode="json", exclude_none=True), decided))


def merged(sheet: dict[str, dict[str, Json]], decided: Mapping[str, Decision]) -> dict[str, dict[str, Json]]:
    """The same, of a sheet that is a document."""
    result = {key: dict(line) for key, line in sheet.items()}
    for key, one in decided.items():
        line = {**result.get(key, {}), **one.values}
        result[key] = {name: value for name, value in line.items() if value is not None}
    return {key: line for key, line in result.items() if line}


def filled(ask: Ask[A], decided: Mapping[str, Decision]) -> Ask[A]:
    """The ask with the decisions filled in; its owner may change them, and silence accepts them."""
    if not decided:
        return ask
    lines = tuple(
        _with_values(line, decided[line.key].values) if line.key in decided else line for line in ask.form.lines
    )
    anew = replace(ask, form=Form(lines=lines))
    default = answer_of(ask, decided)
    if ask.check(default):
        return ask
    if default == ask.default:
        return anew
    return replace(anew, default=default, default_says=f"{BY_ORDERS} {ask.default_says}")


def _with_values(line: Line, values: Mapping[str, Json]) -> Line:
    fields: Sequence[Field] = [
        field._replace(value=values[field.key]) if field.key in values else field for field in line.fields
    ]
    return line._replace(fields=tuple(fields))
