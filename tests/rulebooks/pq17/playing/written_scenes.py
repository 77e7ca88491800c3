"""Scenes of play written as lines, and how each thing is spelled in them."""

import ast
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Choice, Field, Form
from rules_engine.core.knowledge import glance, side_tables, views
from rules_engine.core.knowledge.reports import MapNote, Report
from rules_engine.core.protocol import asks, turn_context
from rules_engine.rulebooks.pq17.records.state import State
from tests.rulebooks.written_texts import compare, scene_path, written

# --- scenes written down whole: what is put to each side, what it answers, and what each side is told, in order -------
# A scene is a flow of play with loaded dice; its text lies in a file beside the test, under the test's name. Lines
# that begin with ``#`` say which rules the next lines come from; blank lines count for nothing.
# Who is asked, with the title, stands after ``==``, and then the sheet line by line; after ``>`` what is answered,
# after ``<`` how it is read back, after ``!`` what the side is warned of. A report begins with those who are told and
# its kind, and ends with the reason that is given. Of an order that is refused the refusals follow.
Sheets = Mapping[str, list[Any]]
"""Answers by kind of ask and side (``attack alliance``; of both sides, by kind alone), in the order of asking; the
default where none is left, and for None. A function makes the sheet from what is filled in."""


def scene(
    at: turn_context.TurnContext[State],
    steps: Generator[asks.Batch, Any, Any],
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


def _answer(ask: asks.AnyAsk, order: Any) -> Any:
    if order is None:
        assert ask.default is not None, f"{ask.title} needs an answer"
        return ask.default
    given: Any = order(ask.form.prefilled()) if callable(order) else order
    return ask.answer_from(given)


def put(at: turn_context.TurnContext[State], ask: asks.AnyAsk) -> Iterator[str]:
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


def answered(ask: asks.AnyAsk, answer: Any) -> Iterator[str]:
    """An answer as its side is asked to confirm it."""
    yield "> the default" if answer == ask.default else "> an order"
    yield from (f"< {line}" for line in ask.read_back(answer))
    yield from (f"! {line}" for line in ask.warn(answer))


def heard(at: turn_context.TurnContext[State], report: Report) -> Iterator[str]:
    """A report, with who hears it and why."""
    who = "Everybody" if report.is_public() else " and ".join(map(at.name_of, report.to))
    first, *rows = report.text.split("\n")
    yield f"{who}, {report.kind}: {first}"
    yield from (f"  {row}" for row in rows)
    yield from (f"  noted under {fact.topic}" for fact in report.facts if isinstance(fact, MapNote))
    if report.why is not None:
        yield f"  because {report.why.text()}"


def all_heard(at: turn_context.TurnContext[State]) -> list[str]:
    """All reports of a turn context."""
    return [line for report in at.shared.reports for line in heard(at, report)]


def refused(ask: asks.AnyAsk, sheets: Iterable[Any]) -> Iterator[str]:
    """Orders that an ask refuses, each with all that is wrong with it. An order that is taken fails the test."""
    for order in sheets:
        yield f"> {order}"
        with pytest.raises(Refused) as caught:
            ask.answer_from(order)
        yield from (f"  {one}" for one in caught.value.refusals)


def written_orders(request: pytest.FixtureRequest) -> list[Any]:
    """The orders in the file beside a test, as :func:`refused` writes them: ``> {'A1': {}}``, or of one line of a sheet
    ``> A1 {'hex': '0405'}``."""
    found: list[Any] = []
    for line in written(scene_path(request)):
        if line.startswith("> "):
            key, brace, values = line.removeprefix("> ").partition("{")
            sheet = ast.literal_eval(brace + values)
            found.append({key.strip(): sheet} if key else sheet)
    assert found, "no order stands in the file"
    return found


def refused_as_written(request: pytest.FixtureRequest, ask: asks.AnyAsk) -> None:
    """Try the orders in the file beside a test: each is refused, with what stands below it there."""
    compare(request, refused(ask, written_orders(request)))


# --- what people read outside of a scene, line by line: boards, tables, reports, an ask with its answers --------------
# `written_texts.compare` compares the lines with what was written down by hand from the book.
def spell_ask(ask: asks.AnyAsk, *answers: Any) -> Iterator[str]:
    """An ask as its side reads it, and how each of ``answers`` (after those filled in) is read back."""
    yield f"{ask.title} [{ask.rule}]"
    yield ask.text
    yield from spell_form(ask.form)
    yield f"Without an answer: {ask.default_says}"
    for answer in (ask.default, *map(ask.answer_from, answers)):
        yield "Read back:"
        yield from (f"  {line}" for line in ask.read_back(answer))
        yield from (f"  Note: {line}" for line in ask.warn(answer))


def spell_form(form: Form) -> Iterator[str]:
    """Every line of a form with its fields."""
    for line in form.lines:
        yield f"{line.key}: {line.label}{f' -- {line.note}' if line.note else ''}"
        yield from (f"  {_field_in_words(one)}" for one in line.fields)


def _field_in_words(field: Field) -> str:
    words = [f"{field.label} ({field.kind}{', optional' if field.optional else ''})"]
    if field.kind == "number":
        words.append(f"from {field.least} to {field.most}")
    choices = [
        f"{one.label}{f' [{one.hint}]' if one.hint else ''}{f' = {one.value}' if one.value != one.label else ''}"
        for one in field.choices
    ]
    words += [f"one of {' / '.join(choices)}"] if choices else []
    words += [f"now {field.value}"] if field.value is not None else []
    words += [f"-- {field.help}"] if field.help else []
    return ", ".join(words)


def spell_reports(reports: Iterable[Report], names: Iterable[str] = ("alliance", "coalition")) -> Iterator[str]:
    """Every report: whom it reaches, its kind and text, and the reason with its figures."""
    for one in reports:
        to = " and ".join(side for side in names if one.is_for(side))
        yield f"To {to}, {one.kind}: {one.text}"
        if one.why is not None:
            yield f"  because {one.why.text()}"
        yield from (f"  kept as {fact.topic}: {fact.text}" for fact in one.facts if isinstance(fact, MapNote))


def spell_header(header: glance.Header) -> Iterator[str]:
    """What stands above a map."""
    steps = " ".join(f"[{one}]" if place == header.step else one for place, one in enumerate(header.steps))
    yield f"header: {header.scenario}; {header.turn}; {header.day or '-'}; {steps or '-'}"
    if (track := header.track) is not None:
        yield f"  {track.label} {track.number}, {track.said}: {track.least} {track.value} {track.aim} {track.most}"
    yield from (f"  {one.owner} {one.count} {header.tallied}" for one in header.tallies)
    yield from (f"  {one.value} {one.said}" for one in header.figures)


def spell_board(board: views.Board) -> Iterator[str]:
    """A board: its heading, its counters with what is said about them, its hexes and its panels."""
    yield f"{board.rulebook}: {board.heading}"
    yield from spell_header(board.header)
    for number, place in enumerate(board.news, start=1):
        said = (place.fact, place.aside, place.note, place.choice)
        yield f"news {number} in {' '.join(place.hexes)}: {place.title}; {'; '.join(word or '-' for word in said)}"
    for one in board.counters:
        strength = "" if one.ships is None else f", {one.ships} ships"
        strength += "" if one.whole is None else f", {one.whole} % whole"
        strength += ", docked" if one.docked else ""
        level = one.level_name or "-"
        yield f"{one.owner} {one.form} {one.id} in {one.hex}: {one.label}, {one.sub or '-'}, {level}{strength}"
        yield from (f"  {row}" for row in one.details)
    for note in board.hexes:
        if note == views.HexNote(hex=note.hex, territory=note.territory):
            continue
        invented = ", invented" if note.invented else ""
        marks = " ".join(note.marks) or "-"
        yield f"hex {note.hex}: {note.terrain}, {note.owner or '-'}, {marks}, {note.name}{invented}"
    for owner in dict.fromkeys(note.territory for note in board.hexes if note.territory):
        yield f"space of {owner}: {' '.join(note.hex for note in board.hexes if note.territory == owner)}"
    for course in board.courses:
        ends = "".join(f", {stage.said} after {stage.after}" for stage in course.stages)
        yield f"course of {course.counter}, {course.kind}: {' '.join(course.hexes)}{ends}"
    for one in board.ranges:
        yield f"range {one.kind}: {' '.join(one.hexes)}"
    for panel in board.panels:
        yield f"{panel.title}:"
        yield from (f"  {row}" for row in panel.rows)


def spell_table(table: side_tables.SideTable) -> Iterator[str]:
    """A table that a side looks up."""
    yield f"{table.key}: {table.title}{f' -- {table.note}' if table.note else ''}"
    yield from (f"  {' | '.join(row)}" for row in (table.columns, *table.rows))
