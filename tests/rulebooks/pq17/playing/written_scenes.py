"""Scenes written down whole: what is put to each side, what it answers, and what each side is told, in order.

A scene is a flow of play with loaded dice; its text lies in a file beside the test, under the test's name. Lines that
begin with ``#`` say which rules the next lines come from; blank lines count for nothing.

Who is asked, with the title, stands after ``==``, and then the sheet line by line; after ``>`` what is answered, after
``<`` how it is read back, after ``!`` what the side is warned of. A report begins with those who are told and its
kind, and ends with the reason that is given. Of an order that is refused the refusals follow.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Choice, Field, Form
from rules_engine.core.knowledge.reports import MapNote, Report
from rules_engine.core.protocol.asks import AnyAsk, Batch
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.records.state import State

Sheets = Mapping[str, list[Any]]
"""Answers by kind of ask and side (``attack alliance``; of both sides, by kind alone), in the order of asking; the
default where none is left, and for None. A function makes the sheet from what is filled in."""


def scene(
    at: TurnContext[State],
    steps: Generator[Batch, Any, Any],
    sheets: Sheets | None = None,
    *,
    brief: Sequence[str] = (),
    unread: Sequence[str] = (),
) -> list[str]:
    """The lines of a flow of play: all that is asked, answered and told. Of asks of the kinds ``brief``, which stand
    in another scene, only the title is written down; reports of the kinds ``unread`` are left out."""
    left = {key: list(answers) for key, answers in (sheets or {}).items()}
    lines: list[str] = []
    told = 0
    given: dict[str, object] | None = None
    while True:
        try:
            batch = next(steps) if given is None else steps.send(given)
        except StopIteration:
            batch = None
        for report in at.shared.reports[told:]:
            lines += heard(at, report) if report.kind not in unread else ()
        told = len(at.shared.reports)
        if batch is None:
            break
        given = {}
        for ask in batch.asks:
            lines += [f"== {ask.title}"] if ask.kind in brief else put(at, ask)
            answers = left.get(" ".join([ask.kind, *(ask.parties if len(ask.parties) == 1 else ())]))
            given[ask.id] = _answer(ask, answers.pop(0) if answers else None)
            lines += answered(ask, given[ask.id])
    assert not any(left.values()), f"never asked: {left}"
    return lines


def _answer(ask: AnyAsk, order: Any) -> Any:
    if order is None:
        assert ask.default is not None, f"{ask.title} needs an answer"
        return ask.default
    given: Any = order(ask.form.prefilled()) if callable(order) else order
    return ask.answer_from(given)


def put(at: TurnContext[State], ask: AnyAsk) -> Iterator[str]:
    """An ask as its side reads it."""
    yield f"== {' and '.join(map(at.name_of, ask.parties))}: {ask.title} ({ask.rule})"
    yield ask.text
    yield from sheet(ask.form)
    if ask.default is not None:
        yield f"Unanswered: {ask.default_says}"


def sheet(form: Form) -> Iterator[str]:
    """A form line by line."""
    for line in form.lines:
        yield f"[{line.key}] {line.label}{f' ({line.note})' if line.note else ''}"
        for field in line.fields:
            yield f"  {field.label}: {_field(field)}"
            if field.help:
                yield f"    {field.help}"


def _field(field: Field) -> str:
    bounds = f"{field.least} to {field.most}" if field.least is not None else f"at most {field.most}"
    words = {"number": bounds, "text": bounds, "flag": "yes or no"}.get(field.kind, "")
    words += " / ".join(map(_choice, field.choices))
    if field.value is not None:
        words += f", filled in {_plain(field.value)}"
    return f"{words}{', may be left out' if field.optional else ''}"


def _choice(choice: Choice) -> str:
    said = choice.value if choice.label == choice.value else f"{choice.value} = {choice.label}"
    return f"{said} ({choice.hint})" if choice.hint else said


def _plain(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list() | tuple():
            return " and ".join(map(str, value)) or "nothing"  # pyright: ignore[reportUnknownArgumentType,reportUnknownVariableType]
        case _:
            return str(value)


def answered(ask: AnyAsk, answer: Any) -> Iterator[str]:
    """An answer as its side is asked to confirm it."""
    yield "> the default" if answer == ask.default else "> an order"
    yield from (f"< {line}" for line in ask.read_back(answer))
    yield from (f"! {line}" for line in ask.warn(answer))


def heard(at: TurnContext[State], report: Report) -> Iterator[str]:
    """A report, with who hears it and why."""
    who = "Everybody" if report.is_public() else " and ".join(map(at.name_of, report.to))
    first, *rows = report.text.split("\n")
    yield f"{who}, {report.kind}: {first}"
    yield from (f"  {row}" for row in rows)
    yield from (f"  noted under {fact.topic}" for fact in report.facts if isinstance(fact, MapNote))
    if report.why is not None:
        yield f"  because {report.why.text()}"


def refused(ask: AnyAsk, sheets: Iterable[Any]) -> Iterator[str]:
    """Orders that an ask refuses, each with all that is wrong with it. An order that is taken fails the test."""
    for order in sheets:
        yield f"> {order}"
        with pytest.raises(Refused) as caught:
            ask.answer_from(order)
        yield from (f"  {one}" for one in caught.value.refusals)
