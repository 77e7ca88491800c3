"""A sheet as text, taken line by line: what is good of it stands though another line is not.

This is for sheets whose lines can be handed in one by one, such as a budget; orders that belong together are read whole
(:mod:`order_text`). What a line says is never taken in part.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refusal, Refused, malformed
from rules_engine.core.forms.fitting import fitting
from rules_engine.core.forms.forms import Form, Line, Sheet
from rules_engine.core.forms.order_text import Judge, Places, read_sheet, says_nothing

MOST_ROWS = 100
"""Lines of text that say something and are taken one by one."""

Trial = Callable[[Sheet], Sequence[Refusal]]
"""What is refused if these values are put into the sheet as it stands."""


@dataclass(eq=False)
class OrderRow:
    """One line of a text, by its number from 1: what it sets, and why it is not taken (empty: it is)."""

    number: int
    text: str
    sheet: Sheet = dataclass_field(default_factory=dict[str, dict[str, Json]])
    refusals: tuple[Refusal, ...] = ()

    @property
    def place(self) -> str:
        """Where it stands."""
        return f"line {self.number}"


@dataclass
class TakenRows:
    """What came of a text: its lines, the values of those that are taken, and all refusals."""

    rows: list[OrderRow]

    @property
    def sheet(self) -> Sheet:
        """What the lines set that are taken."""
        return joined(row for row in self.rows if not row.refusals)

    @property
    def refusals(self) -> list[Refusal]:
        """Why others are not, in their order."""
        return [one for row in self.rows for one in row.refusals]

    @property
    def left(self) -> str:
        """The lines that are not taken, as they were written."""
        return "\n".join(row.text for row in self.rows if row.refusals)


def joined(rows: Iterable[OrderRow]) -> Sheet:
    """What several lines set together; of what two set, the later."""
    found: Sheet = {}
    for row in rows:
        for key, values in row.sheet.items():
            found.setdefault(key, {}).update(values)
    return found


def read_rows(form: Form, text: str, judge: Judge | None = None, places: Places = dict) -> list[OrderRow]:
    """Each line of ``text`` that says something, read by itself, with what is wrong with it."""
    found: list[OrderRow] = []
    said: dict[tuple[str, str], Json] = {}
    for number, words in enumerate(text.split("\n"), start=1):
        if says_nothing(words):
            continue
        row = OrderRow(number, words.strip())
        if len(found) == MOST_ROWS:
            problem = "this and what follows was not read"
            row.refusals = (malformed(problem, row.place, legal=f"at most {MOST_ROWS} lines at once"),)
            rest = text.split("\n")[number - 1 :]
            row.text = "\n".join(rest).strip()
            return [*found, row]
        try:
            row.sheet = read_sheet(form, "\n" * (number - 1) + words, judge, places)
        except Refused as refused:
            row.refusals = refused.refusals
        else:
            row.refusals = tuple(_said_twice(row, said))
        if not row.refusals:
            said |= {(key, name): value for key, line in row.sheet.items() for name, value in line.items()}
        found.append(row)
    return found


def _said_twice(row: OrderRow, said: dict[tuple[str, str], Json]) -> Iterator[Refusal]:
    """What a line says otherwise than one before it."""
    for key, values in row.sheet.items():
        for name, value in values.items():
            if said.get((key, name), value) != value:
                yield malformed(
                    "a line before this says something else of it", f"{row.place}, {key}.{name}", legal="one"
                )


def is_about(form: Form, rows: Sequence[OrderRow], keys: frozenset[str]) -> bool:
    """Whether a text is about these lines of the form and no others, as far as it can be read."""
    others = {line.key.casefold() for line in form.lines if line.key not in keys}
    good = [row for row in rows if not row.refusals]
    named = [row.text.partition(":")[0].split(" ", 1)[0].casefold() for row in rows if row.refusals]
    return bool(good) and all(row.sheet.keys() <= keys for row in good) and others.isdisjoint(named)


def take_rows(form: Form, rows: Sequence[OrderRow], keys: frozenset[str], trial: Trial) -> TakenRows:
    """As many of these lines as are legal together with the sheet as it stands; each other says why it is not."""
    for row in rows:
        if not row.refusals and not row.sheet.keys() <= keys:
            strangers = ", ".join(key for key in row.sheet if key not in keys)
            problem = "this is no line of the budget"
            legal = ", ".join(_some([line for line in form.lines if line.key in keys]))
            row.refusals = (malformed(problem, f"{row.place}, {strangers}", legal=legal),)
    good = [row for row in rows if not row.refusals]
    _, left = fitting(good, lambda some: trial(joined(some)), _is_about_row)
    for row, why in left.items():
        row.refusals = tuple(one.model_copy(update={"path": _placed(row, one.path)}) for one in why)
    return TakenRows([*rows])


def _some(lines: Sequence[Line], most: int = 8) -> list[str]:
    """The keys of the first of these, and how many there are besides."""
    more = [f"{len(lines) - most} more"] if len(lines) > most else []
    return [*(line.key for line in lines[:most]), *more]


def _is_about_row(row: OrderRow, refusal: Refusal) -> bool:
    """Whether a refusal names a line of the sheet that this one sets. Keys of lines may have dots in them."""
    return any(names_line(refusal.path, key) for key in row.sheet)


def names_line(path: str, key: str) -> bool:
    """Whether a refusal's path is that of a line, or of one of its fields."""
    return path == key or path.startswith(f"{key}.")


def _placed(row: OrderRow, path: str) -> str:
    return f"{row.place}, {path}" if path else row.place
