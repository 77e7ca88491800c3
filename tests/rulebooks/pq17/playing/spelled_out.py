"""What people read outside of a scene, line by line: boards, tables, reports, an ask with its answers.

`written_texts.compare` compares the lines with what was written down by hand from the book.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from rules_engine.core.forms.forms import Field, Form
from rules_engine.core.knowledge.glance import Header
from rules_engine.core.knowledge.reports import MapNote, Report
from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.core.knowledge.views import Board, HexNote
from rules_engine.core.protocol.asks import AnyAsk


def spell_ask(ask: AnyAsk, *answers: Any) -> Iterator[str]:
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
        yield from (f"  {_field(one)}" for one in line.fields)


def _field(field: Field) -> str:
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


def spell_header(header: Header) -> Iterator[str]:
    """What stands above a map."""
    steps = " ".join(f"[{one}]" if place == header.step else one for place, one in enumerate(header.steps))
    yield f"header: {header.scenario}; {header.turn}; {header.day or '-'}; {steps or '-'}"
    if (track := header.track) is not None:
        yield f"  {track.label} {track.number}, {track.said}: {track.least} {track.value} {track.aim} {track.most}"
    yield from (f"  {one.owner} {one.count} {header.tallied}" for one in header.tallies)
    yield from (f"  {one.value} {one.said}" for one in header.figures)


def spell_board(board: Board) -> Iterator[str]:
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
        if note == HexNote(hex=note.hex, territory=note.territory):
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


def spell_table(table: SideTable) -> Iterator[str]:
    """A table that a side looks up."""
    yield f"{table.key}: {table.title}{f' -- {table.note}' if table.note else ''}"
    yield from (f"  {' | '.join(row)}" for row in (table.columns, *table.rows))
