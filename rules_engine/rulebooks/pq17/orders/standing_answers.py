"""Answering by standing orders: a sheet whose every line they decide is not asked, and its owner is told why.

Decisions are made from what the side itself knows, so that the other side can learn nothing from a prompt that did
not come.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pydantic import BaseModel

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.records.state import State

A = TypeVar("A", bound=BaseModel)


@dataclass(frozen=True)
class Decision:
    """What standing orders say to one line of a sheet.

    ``values`` go into the line; ``said`` tells the owner what was done, empty where nothing is worth a word, and
    ``clause`` is the order that did it, given by ``whose``. Who forbears is told so once a turn (``once``).
    """

    values: Mapping[str, Json]
    said: str = ""
    clause: str = ""
    whose: str = ""
    once: bool = False


BY_ORDERS = "Your standing orders are carried out. Where they are silent:"
"""What silence means where they decide a part of a sheet."""

Decisions = Mapping[str, Decision | None]
"""By line; None, or no entry, leaves the line to its owner."""


def by_doctrine_steps(turn: TurnContext[State], ask: Ask[A], decisions: Decisions) -> Steps[A]:
    """The answer to ``ask``: by standing orders alone, or with what they decide filled in already."""
    decided = {key: found for key, found in decisions.items() if found is not None}
    keys = [line.key for line in ask.form.lines]
    if any(key not in decided for key in keys):
        return (yield from turn.ask_steps(_filled(ask, decided)))
    answer = _answer(ask, decided)
    if ask.check(answer):  # orders that cannot be carried out after all are their owner's to mend
        return (yield from turn.ask_steps(ask))
    tell_decisions(turn, ask.parties[0], ask.rule, decided.values())
    return answer


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
    sheet = {} if ask.default is None else ask.default.model_dump(mode="json", exclude_none=True)
    return ask.model.model_validate(_merged(sheet, decided))


def _merged(sheet: dict[str, dict[str, Json]], decided: Mapping[str, Decision]) -> dict[str, dict[str, Json]]:
    merged = {key: dict(line) for key, line in sheet.items()}
    for key, one in decided.items():
        line = {**merged.get(key, {}), **one.values}
        merged[key] = {name: value for name, value in line.items() if value is not None}
    return {key: line for key, line in merged.items() if line}


def _filled(ask: Ask[A], decided: Mapping[str, Decision]) -> Ask[A]:
    """The ask with what is decided filled in, for its owner to see and change; silence takes it as well."""
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
        field.model_copy(update={"value": values[field.key]}) if field.key in values else field for field in line.fields
    ]
    return line.model_copy(update={"fields": tuple(fields)})
