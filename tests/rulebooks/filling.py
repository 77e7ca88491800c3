"""Sheets with one field changed: each value that a form takes, put in by itself, and what is said of it afterwards."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Field, Line, Sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from tests.rulebooks.players import AT, random_answer, random_value

BASES = 3
"""Sheets of an ask that are begun from: as it is filled in, and some at random."""
MOST_CHOICES = 12
"""The most choices of a field that are tried, each by itself."""
MOST_SETTINGS = 16
"""The most settings of one field, on whatever lines of a sheet it stands, that are tried on each sheet begun from."""

TEXTS: dict[str, tuple[str, ...]] = {
    "name": ("Ardent", "Bold"),
    "doctrine": ("search fuel>10; shadow", "withdraw", "ask every step", "attack id2 x1.5"),
    "stop": ("contact", "points", "contact id2; fuel<4"),
    "boxes": ("warp 1", "hull 1", "damcon 1", "impulse 1", "apr 1"),
    "damage": ("hull 2", "shield 3"),
    "used": ("1 drone", "1 shuttle", "1 fighter"),
    "make": ("1 fuel", "1 repair"),
}
"""What may be written in a field of text, beside what stands in the same field of other lines."""


@dataclass(frozen=True)
class Setting:
    """A field of a line that was set to a value by itself, and what was read back of the sheet before and after."""

    kind: str
    line: Line
    field: Field
    value: Json
    before: tuple[str, ...]
    after: tuple[str, ...]
    warned: tuple[str, ...]
    """What the side is warned of afterwards."""
    sheets: tuple[Json, Json]
    """The whole sheet before and after."""

    def is_said(self) -> bool:
        """Whether what is read back changed, or a warning says that the line is without effect."""
        return self.before != self.after or any(self._is_void(said) for said in self.warned)

    def _is_void(self, said: str) -> bool:
        about = re.search(rf"(?<!\w){re.escape(self.line.key)}(?!\w)", said) or "the other lines" in said
        return bool(about) and "does nothing" in said

    def __str__(self) -> str:
        """For a failure."""
        return f"{self.kind}: {self.line.key}.{self.field.key} = {self.value!r} is not said in {self.after}"


@dataclass
class Filling:
    """An open ask that a side fills in."""

    adjudicator: Adjudicator[Any]
    side: str
    ask: AnyAsk
    chance: random.Random
    _goes_on: tuple[Json, tuple[str, list[str]]] | None = None
    """The sheet that was last begun from, and how the campaign goes on with it."""

    def settings(self, wanted: set[tuple[str, str]]) -> Iterator[Setting]:
        """Fields set by themselves to other legal values; only those that are ``wanted``, by kind and key."""
        kind = self.ask.kind
        fields = [(line, field) for line in self.ask.form.lines for field in line.fields if (kind, field.key) in wanted]
        for sheet in self._bases() if fields else ():
            stands = self._answer(sheet)
            if stands is None:
                continue
            was = tuple(self.ask.read_back(stands))
            for line, field, value in self._some_settings(fields, sheet):
                changed: Json = {**sheet, line.key: {**sheet.get(line.key, {}), field.key: value}}
                answer = self._answer(changed)
                if answer is not None:
                    said, warned = tuple(self.ask.read_back(answer)), tuple(self.ask.warn(answer))
                    yield Setting(kind, line, field, value, was, said, warned, ({**sheet}, changed))

    def _some_settings(self, fields: list[tuple[Line, Field]], sheet: Sheet) -> Iterator[tuple[Line, Field, Json]]:
        """Of each field as many as are tried, with the lines and values drawn where there are more."""
        for key in dict.fromkeys(field.key for _, field in fields):
            found = [
                (line, field, value)
                for line, field in fields
                if field.key == key
                for value in self._other_values(line, field, sheet)
            ]
            yield from found if len(found) <= MOST_SETTINGS else self.chance.sample(found, MOST_SETTINGS)

    def _bases(self) -> Iterator[Sheet]:
        yield self.ask.form.prefilled()
        for _ in range(BASES - 1):
            found = random_answer(self.adjudicator, self.side, self.ask, random.Random(self.chance.random()))
            if isinstance(found, dict):
                yield {key: dict(line) for key, line in found.items() if isinstance(line, dict)}

    def _other_values(self, line: Line, field: Field, sheet: Sheet) -> Iterator[Json]:
        """Values that the field's own description allows, other than the one that stands there."""
        stands = sheet.get(line.key, {}).get(field.key)
        stands = field.value if stands is None else stands
        for value in self._values(line, field):
            if value is not None and value != stands and not (value in ([], "", False) and not stands):
                yield value

    def _values(self, line: Line, field: Field) -> Iterator[Json]:
        values: list[Json] = [choice.value for choice in field.choices]
        some = values if len(values) <= MOST_CHOICES else self.chance.sample(values, MOST_CHOICES)
        match field.kind:
            case "one":
                yield from some
            case "many":
                yield from ([value] for value in some)
            case "number":
                least, most = field.least or 0, 99 if field.most is None else field.most
                yield from sorted({least, min(least + 1, most), (least + most) // 2, most})
            case "flag":
                yield from (True, False)
            case "text":
                grid = self.adjudicator.view(self.side).board.places
                others = [one.value for other in self.ask.form.lines for one in other.fields if one.key == field.key]
                texts = [*TEXTS.get(field.key, ()), *others[:6], random_value(field, line, grid, self.chance)]
                yield from dict.fromkeys([*texts, *grid.ids()[:3]])

    def _answer(self, document: Json) -> Any:
        try:
            return self.adjudicator.try_answer(self.side, self.ask.id, document)
        except Refused:
            return None

    def has_effect(self, one: Setting, entries: Sequence[JournalEntry], seed: bytes) -> bool:
        """Whether the campaign of these entries goes on differently with the field set."""
        before, after = one.sheets
        if self._goes_on is None or self._goes_on[0] != before:
            self._goes_on = before, self._after(before, entries, seed)
        return self._goes_on[1] != self._after(after, entries, seed)

    def _after(self, document: Json, entries: Sequence[JournalEntry], seed: bytes) -> tuple[str, list[str]]:
        again = replay(self.adjudicator.rulebook, entries, seed)
        again.answer(self.side, self.ask.id, document, by="x", at=AT)
        step = again.close("deadline", by="clock", at=AT, strand=self.ask.strand)
        return again.digest(), [report.text for report in step.reports]


@dataclass
class Tried:
    """What was set in the sheets of one or more campaigns: how often by kind and field, and what was wrong."""

    enough: int
    """How often each field of each kind of ask is set."""
    count: Counter[tuple[str, str]] = dataclass_field(default_factory=Counter[tuple[str, str]])
    wrong: list[str] = dataclass_field(default_factory=list[str])

    def open_asks(
        self, adjudicator: Adjudicator[Any], entries: Sequence[JournalEntry], seed: bytes, chance: random.Random
    ) -> None:
        """Set the fields of all open asks that were not set often enough yet."""
        for ask in adjudicator.open_asks():
            fields = {(ask.kind, field.key) for line in ask.form.lines for field in line.fields}
            for side in ask.parties:
                filling = Filling(adjudicator, side, ask, chance)
                for one in filling.settings({one for one in fields if self.count[one] < self.enough}):
                    self.count[one.kind, one.field.key] += 1
                    if not one.is_said() and filling.has_effect(one, entries, seed):
                        self.wrong.append(str(one))
