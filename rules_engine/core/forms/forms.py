"""A generic order sheet: what a user interface needs to ask anything, and nothing about how it looks.

A :class:`Form` is a list of lines (a task force, a ship, a mission), each with a few fields. What comes back is a
*sheet*: ``{line key: {field key: value}}``. The same form drives buttons and selects, typed orders and uploaded
files, so the manual and the automatic path cannot differ.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from rules_engine.core.basics.base import Json

FieldValue = Json
Sheet = dict[str, dict[str, Json]]

FieldKind = Literal["one", "many", "number", "text", "flag"]


class Choice(NamedTuple):
    """One thing that may be chosen. A ``label`` that is too long for where it is shown is cut there."""

    value: str
    label: str
    hint: str = ""


class Field(NamedTuple):
    """One question of a line.

    ``one`` and ``many`` take values of ``choices``; ``number`` an integer within ``least`` and ``most``;
    ``text`` a string of at most ``most`` characters; ``flag`` true or false. ``value`` is what is filled in to
    begin with. An optional field may be left out or null. ``none`` is a word that stands for none of the choices of a
    ``many`` field, as such a choice is read back. ``others`` marks the text field that takes what is typed to its line
    in the line's own notation (:mod:`form_names`). ``example`` is a text that would be accepted.
    """

    key: str
    label: str
    kind: FieldKind
    choices: tuple[Choice, ...] = ()
    least: int | None = None
    most: int | None = None
    value: Json = None
    optional: bool = False
    help: str = ""
    none: str = ""
    others: bool = False
    example: str = ""

    def is_choice(self) -> bool:
        """Whether anybody could answer this in more than one way."""
        match self.kind:
            case "one":
                return len(self.choices) + int(self.optional) > 1
            case "many":
                return bool(self.choices)
            case "number":
                return self.least is None or self.most is None or self.least < self.most
            case "text" | "flag":
                return True


class Line(NamedTuple):
    """One line of a sheet: a task force, a ship, a mission.

    Lines of a long sheet that a player looks for together name their ``group``, in the plural: "Ships". Lines of one
    ``series`` ask the same again: they are used one after another, as many as somebody has something to say. Where
    not all fields can be asked at once, the first ``together`` many are; 0 is as many as can.
    """

    key: str
    label: str
    fields: tuple[Field, ...]
    note: str = ""
    group: str = ""
    series: str = ""
    together: int = 0

    def filled_in(self) -> dict[str, Json]:
        """Its fields' initial values; fields without one are left out."""
        return {field.key: field.value for field in self.fields if field.value is not None}


class Absence(NamedTuple):
    """Why a line that somebody may look for is not on this sheet, or a ``field`` not on its line: in ``problem``, by
    ``rule``."""

    key: str
    label: str
    problem: str
    rule: str
    field: str = ""


InOrder = Callable[[str, Sequence[tuple[str, str]], Mapping[str, Json]], Mapping[str, Json]]
"""See :class:`Form`."""


@dataclass(frozen=True, eq=False)
class Form:  # noqa: PLW1641  values of fields may be lists, so it has no hash
    """The whole sheet that is asked for. ``why_absent`` finds why lines and fields are not on it, when somebody fills
    them in. ``in_order`` gives the values of a line's fields where the order of what was typed to them matters: by
    the line's key, each text with the key of its field as they were typed, and what stands there."""

    lines: tuple[Line, ...] = ()
    why_absent: Callable[[], Iterable[Absence]] = tuple
    in_order: InOrder | None = None

    @cached_property
    def absent(self) -> tuple[Absence, ...]:
        """Why lines and fields that somebody may look for are not on it."""
        return tuple(self.why_absent())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and (self.lines, self.absent) == (other.lines, other.absent)

    def is_choice(self) -> bool:
        """Whether the sheet leaves anything to choose."""
        return any(field.is_choice() for line in self.lines for field in line.fields)

    @cached_property
    def has_series(self) -> bool:
        """Whether some lines ask the same again."""
        return any(line.series for line in self.lines)

    def unused(self, sheet: Sheet) -> frozenset[str]:
        """The keys of lines that nobody needs to see yet: of each series what follows the next one to be used."""
        free: dict[str, list[str]] = {}
        if self.has_series:
            for line in self.lines:
                if line.series and not says_more(line, sheet.get(line.key, {})):
                    free.setdefault(line.series, []).append(line.key)
                elif line.series:
                    free[line.series] = []
        return frozenset(key for keys in free.values() for key in keys[1:])

    def line(self, key: str) -> Line | None:
        """The line of that key, if there is one."""
        return self.by_key.get(key)

    def absence(self, key: str, field: str = "") -> Absence | None:
        """Why a line, or a field of it, is not on the sheet, if that is explained."""
        return next((one for one in self.absent if (one.key, one.field) == (key, field)), None)

    @cached_property
    def by_key(self) -> dict[str, Line]:
        """The lines by their keys; of a doubled key the first."""
        return {line.key: line for line in reversed(self.lines)}

    def prefilled(self) -> Sheet:
        """The sheet with every field's initial value; fields without one are left out."""
        return {line.key: line.filled_in() for line in self.lines}

    def filled_in(self, key: str) -> dict[str, Json]:
        """The initial values of one line; none where there is no such line."""
        line = self.line(key)
        return {} if line is None else line.filled_in()


def says_more(line: Line, values: dict[str, Json]) -> bool:
    """Whether a line says more than it did to begin with."""
    usual = line.filled_in()
    return any(value != usual.get(key) for key, value in values.items())


def text_field(key: str, label: str, most: int, value: Json, hint: str = "") -> Field:
    """An optional text of at most so many characters."""
    return Field(key, label, "text", most=most, value=value, optional=True, help=hint)


def number_field(key: str, label: str, numbers: range, value: Json, hint: str = "", *, optional: bool = False) -> Field:
    """A whole number within these."""
    least, most = numbers[0], numbers[-1]
    return Field(key, label, "number", least=least, most=most, value=value, optional=optional, help=hint)


def choices(*values: str, **labelled: str) -> tuple[Choice, ...]:
    """Choices whose labels are their values, then those given as ``value=label``."""
    return tuple(Choice(value=value, label=value) for value in values) + tuple(
        Choice(value=value, label=label) for value, label in labelled.items()
    )
