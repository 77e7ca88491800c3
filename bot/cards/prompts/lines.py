"""The lines of a sheet as rows of its card: first those that need their reader. Knows no discord.py."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.cards.frames import beside
from bot.cards.menus import cut, parts_of
from bot.cards.prompts.state import PromptState, component_id
from bot.records.components import ButtonSpec, SectionBlock
from rules_engine.core.basics.base import HexId, Json
from rules_engine.core.forms.forms import Field, Line
from rules_engine.core.knowledge.views import Board
from rules_engine.core.protocol.question import LineNow, UsualAnswer

PINS = "①②③"
MOST_LOOKED_AT = 200
"""Lines that are looked at for what needs the reader; of a longer sheet the first."""
FEW_LINES = 3
"""Of a sheet with no more lines all are rows."""
MOST_FIRST = 34
MOST_LABEL = 16
"""Letters of a button beside a row."""

_MARKS = re.compile(r"([*_`~|\\])")


@dataclass(frozen=True)
class LineRow:
    """A line of a sheet as a row: its place on the sheet, the number of its pin (None: none), what is doubtful, and
    whether anything was changed on it."""

    index: int
    line: Line
    says: LineNow
    pin: int | None = None
    changed: bool = False

    @property
    def needs_reader(self) -> bool:
        """Whether there is something about it to look at."""
        return self.pin is not None or self.changed or bool(self.says.doubts)


def plain(words: str) -> str:
    """Words that others may have written, as they are and not as marks of Discord's."""
    return _MARKS.sub(r"\\\1", words)


def named(board: Board | None) -> dict[HexId, str]:
    """The names of hexes on a side's map."""
    return {} if board is None else {note.hex: note.name for note in board.hexes if note.name}


def with_places(words: str, hexes: Iterable[HexId], board: Board | None) -> str:
    """Words with the names that the side knows of these hexes: "Contact at Scene Flow" of "Contact in 1217"."""
    names = named(board)
    for one in hexes:
        if one in names:
            words = words.replace(f"in {one}", f"at {plain(names[one])}")
    return words


def line_rows(state: PromptState) -> list[LineRow]:
    """The lines that stand for something, those that need the reader first."""
    ask, form = state.ask, state.ask.form
    question = ask.asks_for
    stands = state.stands
    sheet = form.prefilled() if stands is None else ask.sheet_of(stands)
    changed = {line.key for line in form.lines if _is_changed(line, sheet.get(line.key))}
    unused = form.unused(sheet)
    every = [line.key for line in form.lines]
    keys = dict.fromkeys((*question.lines, *(key for key in every if key in changed)) if question.lines else every)
    looked = [key for key in keys if key not in unused][:MOST_LOOKED_AT]
    says = {} if stands is None else _placed(state, ask.says_now(stands, looked))
    pins = {one: number for number, news in enumerate(state.board.news if state.board else ()) for one in news.hexes}
    number_of = {line.key: number for number, line in enumerate(form.lines)}
    rows = [
        LineRow(number_of[key], line, now, _pin(now, pins) if question.whole else None, key in changed)
        for key, now in says.items()
        if (line := form.line(key)) is not None
    ]
    return sorted(rows, key=_order) if question.whole else rows


def _placed(state: PromptState, says: Mapping[str, LineNow]) -> dict[str, LineNow]:
    """The same with the hexes of the side's own counters where it is not said where they stand."""
    if state.board is None:
        return dict(says)
    at = {one.id: one.hex for one in state.board.counters if one.level is None}
    return {
        key: now if now.hexes or key not in at else now._replace(hexes=(at[key],), code=now.code or key)
        for key, now in says.items()
    }


def _order(row: LineRow) -> tuple[bool, int, bool, bool, int]:
    """Numbered places in their order, then what is doubtful, then what was changed; the rest as it stands."""
    return row.pin is None, row.pin or 0, not row.says.doubts, not row.changed, row.index


def _pin(now: LineNow, pins: Mapping[HexId, int]) -> int | None:
    return min((pins[one] for one in now.hexes[:1] if one in pins), default=None)


def _is_changed(line: Line, values: Mapping[str, Json] | None) -> bool:
    return any(
        value not in (None, "", []) and value != field.value
        for field in line.fields
        if (value := (values or {}).get(field.key)) is not None
    )


# --- as blocks --------------------------------------------------------------------------------------------------------


def row_block(state: PromptState, row: LineRow) -> SectionBlock:
    """A row: what it is and where, what it says now, what is doubtful, and the button that changes it."""
    says = row.says
    names = named(state.board)
    called = state.board.places.called if state.board is not None else str
    where = next((names.get(one) or called(one) for one in says.hexes[:1]), "")
    what = f"{says.code} {where}" if says.code else row.line.label
    pin = f"{PINS[row.pin]} " if row.pin is not None else ""
    mark = "✏️ " if row.changed else ""
    below = [f"{mark}{says.now}", *(f"⚠️ {doubt}" for doubt in says.doubts)]
    return beside(f"{pin}{plain(cut(what.strip(), MOST_FIRST))}", "\n".join(below), _button(state, row))


def _button(state: PromptState, row: LineRow) -> ButtonSpec:
    """What changes a line: the only other answer, where there is one, or else its form."""
    other = _other_answer(row.line, state)
    if other is not None:
        number, label = other
        usual = _usual(state, row.line, number)
        made = _small(component_id(state.token, "set", f"{row.index}.{number}"), usual.label if usual else label)
        return {**made, "style": "danger"} if usual and usual.is_grave else made
    return _small(component_id(state.token, "edit", f"{row.index}.0"), "Change")


def _small(custom_id: str, label: str) -> ButtonSpec:
    return {"type": "button", "id": custom_id, "label": label, "style": "secondary", "disabled": False}


def answers_of(field: Field) -> Sequence[tuple[Json, str]]:
    """The only two answers to a field with their names; none where there are others."""
    if field.kind == "flag" and not field.optional:
        return (False, "No"), (True, "Yes")
    if field.kind == "one" and not field.optional and len(field.choices) == 2:
        return [(one.value, one.label) for one in field.choices]
    if field.kind == "one" and field.optional and len(field.choices) == 1:
        only = field.choices[0].value
        return (None, "Do not"), (only, f"{field.label} {only}")
    return ()


def _other_answer(line: Line, state: PromptState) -> tuple[int, str] | None:
    """The answer that a line of one question with two answers does not say now: its number and its name."""
    if len(line.fields) != 1 or not (answers := answers_of(line.fields[0])):
        return None
    stands = state.stands
    values = {} if stands is None else state.ask.sheet_of(stands).get(line.key) or {}
    now = values.get(line.fields[0].key)
    if now is None and not line.fields[0].optional:
        now = line.fields[0].value
    number = 0 if now == answers[1][0] else 1
    label = answers[number][1]
    return (number, label) if len(label) <= MOST_LABEL else None


def _usual(state: PromptState, line: Line, number: int) -> UsualAnswer | None:
    """The usual answer that is no more than this answer to the one question of a line."""
    field = line.fields[0]
    value = answers_of(field)[number][0]
    same = (one for one in state.ask.asks_for.offers if one.values == {line.key: {field.key: value}})
    return next((one for one in same if len(one.label) <= MOST_LABEL), None)


def is_beside_a_row(state: PromptState, offer: UsualAnswer) -> bool:
    """Whether a usual answer is what a button beside the only row of a sheet says, or takes back."""
    lines = state.ask.form.lines
    if len(lines) != 1 or len(lines[0].fields) != 1:
        return False
    count = len(answers_of(lines[0].fields[0]))
    stands = _other_answer(lines[0], state)
    return stands is not None and any(_usual(state, lines[0], number) is offer for number in range(count))


def reached_by(rows: Sequence[LineRow]) -> frozenset[str]:
    """The entries of the menu that these rows make superfluous."""
    return frozenset(f"{row.index}.0" for row in rows if len(parts_of(row.line)) == 1)
