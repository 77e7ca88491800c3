"""Order sheets as text: what a player may type, or edit in a file and send back.

One line of text for each line of the form::

    # Anything after a hash is a note.
    TF1: speed 2; posture active, warp on; route 0412, 0413
    TF2 speed 0

    D1-D9: fate disengaged; turn 4

A line is named by its key or its label, and so is a field, in any case. Two keys with a hyphen between name all lines
from one to the other, in the order of the form. ``=`` after a field's name is allowed; several values are separated by
commas, fields by semicolons, and ``-`` clears an optional field. What is not mentioned is
left as it was. Text with a semicolon, comma, colon, equals sign, hash or quote in it stands in double quotes, or in
those of a phone (:mod:`quotes`).

A line may have a notation of its own (:mod:`form_names`), which is read where its fields are not named.

What cannot be read so is read as people write, ``move Vanguard to Grimhold at 2`` (:mod:`plain_orders`), or refused.

No word is passed over: what is said sets a value that can be read back, or is refused by name. So a field is said once,
unless an order for several lines is followed by one for fewer of them.

Whatever is sent is read in a time that grows with its length alone: each line by itself, names looked up and not
searched for, and no more defects told than somebody can read.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.plain_text import without_unseen
from rules_engine.core.basics.quotes import with_plain_quotes
from rules_engine.core.basics.refusals import Refusal, Refused, ambiguous, illegal, malformed, nearest
from rules_engine.core.forms.form_names import FormNames, folded, has_own_notation, most_words
from rules_engine.core.forms.forms import Field, Form, Line, Sheet
from rules_engine.core.forms.meanings import near, numbered_like
from rules_engine.core.forms.misfits import legal_values, listed
from rules_engine.core.forms.order_values import (
    MOST_FAULTS,
    MOST_IN_LINE,
    MOST_ORDERS,
    MOST_VALUES,
    NotOnForm,
    SheetReading,
    TooMuchSaid,
    Word,
    check_fit,
    cut,
    value_of,
    written,
)
from rules_engine.core.forms.plain_names import PlainNames
from rules_engine.core.forms.plain_orders import WAYS, read_plainly

__all__ = [  # with the limits of a text, which stand beside what is read of it
    "MOST_FAULTS",
    "MOST_IN_LINE",
    "MOST_JUDGED",
    "MOST_ORDERS",
    "MOST_VALUES",
    "Judge",
    "Places",
    "read_sheet",
    "says_nothing",
    "write_sheet",
]

_GRAMMAR = r"""
    order: NAME ":" [part (";" [part])*]
         | part (";" [part])*
    part: (QUOTED | WORDS)+
    NAME: /[^:;,"#\r\n]+(?=:)/
    QUOTED: /"(\\.|[^"\\\r\n])*"/
    WORDS: /[^:;"#\r\n]+/
    NOTE: /#[^\r\n]*/
    %ignore NOTE
    %ignore /[ \t]+/
"""
_PARSER = Lark(_GRAMMAR, start="order", parser="lalr", lexer="contextual")

_STEPS = re.compile(r">|→")
_HEX = re.compile(r"\b\d{4}\b")
"""Ways over hexes are read as people write them, with all that may stand beside them."""

_NAMING = re.compile(r"[^\s=]+|=")
"""The words that may name a field; an equals sign ends its name."""

_AS_ABOVE = "#   (fields as in the line above)"

Judge = Callable[[Sheet], Sequence[Refusal]]
"""Whoever knows why values do not fit a sheet: what it refuses if they are put in."""

MOST_JUDGED = 20
"""The most lines that are judged for a reason; of more the first."""
MOST_PLAIN = 200
"""The most lines of text that are read as people write; what follows is in the notation or refused."""


Places = Callable[[], Mapping[str, str]]
"""Whoever knows what hexes are called by whoever writes."""


def read_sheet(
    form: Form, text: str, judge: Judge | None = None, places: Places = dict, stands: Sheet | None = None
) -> Sheet:
    """The values that ``text`` sets, by line and field; only those it mentions. A cleared field is None. Why a line or
    a choice is not on the form, ``judge`` may know, what hexes are called, ``places``, and what ``stands`` is not
    written over by an order for the next line of a series.

    Raises:
        Refused: with every defect of every line, each with its line number and the nearest thing meant.
    """
    names, reading = FormNames(form), SheetReading()
    plain: list[PlainNames] = []
    left = MOST_PLAIN
    for number, order in enumerate(_rows_of(text), start=1):
        said = order.strip()
        if not said or said.startswith("#"):
            continue
        try:
            reading.begins(f"line {number}", said)
            row = _Row(reading.where)
            row.read(names, said)
            if row.faults and not plain:
                plain.append(PlainNames(names, places(), stands or {}))
            again, left = (row.faults and left > 0), left - int(bool(row.faults))
            for fault in row.read_again(plain[0], said) if again else row.faults:
                reading.is_wrong(fault)
            for line, field, part in row.parts:
                reading.parts.setdefault(line.key, []).append((field.key, part))
            for line, field, value, among in row.sets:
                try:
                    reading.sets(line, field, value, among=among)
                except TooMuchSaid:
                    raise
                except Refused as fault:
                    reading.is_wrong(fault)
        except TooMuchSaid as much:
            reading.faults.append(much)
            break
        except Refused as fault:
            reading.faults.append(fault)
    if reading.faults:
        raise Refused(_explained(reading.faults, judge))
    reading.put_in_order(form, stands or {})
    return reading.sheet


@dataclass
class _Row:
    """What one line of text says: the values that it sets, each by an order for so many lines, and what is wrong.
    ``parts`` are the texts of lines with a notation of their own, as they were typed."""

    where: str
    sets: list[tuple[Line, Field, Json, int]] = dataclass_field(default_factory=list[tuple[Line, Field, Json, int]])
    faults: list[Refused] = dataclass_field(default_factory=list[Refused])
    parts: list[tuple[Line, Field, str]] = dataclass_field(default_factory=list[tuple[Line, Field, str]])

    def read(self, names: FormNames, order: str) -> None:
        """Read it in the notation."""
        try:
            _read_order(names, order, self)
        except Refused as fault:
            self.faults.append(fault)
        self._take_parts()
        if self.faults or self._says_twice():
            self._read_own(names, order)

    def _take_parts(self) -> None:
        self.parts = [
            (line, field, value)
            for line, field, value, _ in self.sets
            if field.kind == "text" and isinstance(value, str) and has_own_notation(line)
        ]

    def _says_twice(self) -> bool:
        said = [(line.key, field.key) for line, field, _, _ in self.sets]
        return len(said) > len({*said})

    def _read_own(self, names: FormNames, order: str) -> None:
        """Read it in its lines' own notation, if they all have one."""
        lines, said = _lines_and_words(names, order.partition("#")[0], self.where)
        if not said or '"' in said or not all(map(has_own_notation, lines)):
            return
        self.sets, self.faults, self.parts = [], [], []
        for line in lines:
            parts = names.parts_of(line, said)
            self.parts += [(line, field, text) for field, text in parts]
            for field in line.fields:
                texts = [text for one, text in parts if one is field]
                if not texts:
                    continue
                text = "; ".join(texts)
                try:
                    value = value_of(names, line, field, [(text, True)], self.where)
                    self.sets.append((line, field, value, len(lines)))
                except Refused as fault:
                    self.faults.append(fault)

    def read_again(self, plain: PlainNames, order: str) -> list[Refused]:
        """Read it as people write, whole or not at all; gives what is wrong with it."""
        try:
            found = read_plainly(plain, order, self.where)
            if found is None:
                return self.faults
            among = len({line.key for line, _, _ in found})
            self.sets = [
                (line, field, value_of(plain.names, line, field, words, self.where), among)
                for line, field, words in found
            ]
            self._take_parts()
        except Refused as fault:
            # Whoever named line and field in the notation is told what is wrong there.
            is_exact = any("." in one.path for told in self.faults for one in told.refusals) or ":" in order
            return self.faults if is_exact else [fault]
        return []


def _explained(faults: Sequence[Refused], judge: Judge | None) -> Iterator[Refusal]:
    """The refusals of all faults; for what is not on the form, those with a rule that whoever judges gives."""
    doubted: Sheet = {}
    for fault in faults:
        if isinstance(fault, NotOnForm) and (fault.line in doubted or len(doubted) < MOST_JUDGED):
            doubted.setdefault(fault.line, {}).update(fault.values)
    told = judge(doubted) if judge is not None and doubted else ()
    for fault in faults:
        own: list[Refusal] = []
        if isinstance(fault, NotOnForm):
            paths = {fault.line, *(f"{fault.line}.{key}" for key in fault.values)}
            where = fault.refusals[0].path
            own = [one.model_copy(update={"path": where}) for one in told if one.rule and one.path in paths]
        yield from own or fault.refusals


def says_nothing(text: str) -> bool:
    """Whether a text holds blanks and notes alone."""
    return all(not said or said.startswith("#") for said in map(str.strip, _rows_of(text)))


def _rows_of(text: str) -> list[str]:
    rows = without_unseen(text).replace("\u00a0", " ").split("\n")
    return ["" if row.strip() == "```" else with_plain_quotes(row) for row in rows]


def write_sheet(form: Form, sheet: Sheet, *, title: str = "", notes: bool = True, clears: bool = False) -> str:
    """``sheet`` as text that :func:`read_sheet` reads back, with ``notes`` on what may be chosen.

    Without notes, only lines that set something are written; with them, of a series the next one as well. ``clears``:
    fields that are None are written as cleared.
    """
    rows = [f"# {title}"] if title else []
    if notes:
        rows.append("# name: field value; field value   (what you leave out stays as it is)")
    said: list[str] = []
    unused = form.unused(sheet) if notes else frozenset[str]()
    for line in form.lines:
        if line.key in unused:
            if _last_of_series(form, line):
                rows += ["", f"# and so on, to {_one_line(line.label)}: {line.key}"]
            continue
        values = sheet.get(line.key, {})
        if notes:
            rows += ["", f"# {_one_line(line.label)}" + (f" ({_one_line(line.note)})" if line.note else "")]
            legal = [f"#   {_one_line(field.key)}: {legal_values(field)}{_help(field)}" for field in line.fields]
            rows += legal if legal != said else [_AS_ABOVE]
            said = legal
        elif not values:
            continue
        parts = [
            f"{field.key} {'-' if values[field.key] is None else written(values[field.key])}"
            for field in line.fields
            if field.key in values and (clears or values[field.key] is not None)
        ]
        rows.append(f"{line.key}: {'; '.join(parts)}".rstrip())
    return "\n".join(rows) + "\n"


def _last_of_series(form: Form, line: Line) -> bool:
    return next(one for one in reversed(form.lines) if one.series == line.series) is line


def _one_line(text: str) -> str:
    return " ".join(text.split())


# --- reading ------------------------------------------------------------------------------------------------------


def _read_order(names: FormNames, order: str, row: _Row) -> None:
    """Put what one order says into the row, and what is wrong with its parts among its faults."""
    where = row.where
    try:
        tree: Tree[Token] = _PARSER.parse(order)  # pyright: ignore[reportUnknownMemberType]
    except UnexpectedInput:
        legal = "`name: field value; field value`"
        raise Refused([malformed("this cannot be read as an order", where, legal=legal)]) from None
    named = [child for child in tree.children if isinstance(child, Token)]
    parts = [list(_words(child, where)) for child in tree.children if isinstance(child, Tree)]
    if named:
        name, parts = str(named[0]).strip(), [part for part in parts if part]
        lines = names.between(name) or [_line_named(names, name, where, parts)]
    else:
        leading = parts[0][0] if parts and parts[0] else ("", False)
        line, rest = _line_leading(names, leading[0], where)
        first = [(rest, False), *parts[0][1:]] if rest else parts[0][1:]
        parts = [first, *parts[1:]] if first else parts[1:]
        lines = [line]
        if not parts:  # with a colon it is a line of a whole sheet on which nothing is filled in
            raise Refused([malformed(f"“{cut(order)}” says nothing", where, legal=_said_so(line))])
    for line in lines:
        before: Field | None = None
        for words in parts:
            try:
                field, values = _field(names, line, words, where, before)
                before = field
                row.sets.append((line, field, value_of(names, line, field, values, where), len(lines)))
            except Refused as fault:
                row.faults.append(fault)
                if len(row.faults) > MOST_FAULTS:  # more are not told
                    return


def _lines_and_words(names: FormNames, order: str, where: str) -> tuple[Sequence[Line], str]:
    """The lines that an order begins with the names of, and what follows; none where it names none."""
    name, colon, said = order.partition(":")
    lines = names.between(name) or names.lines.get(folded(name), [])
    if colon and len(lines):
        return lines, said.strip()
    try:
        line, rest = _line_leading(names, order, where)
    except Refused:
        return [], ""
    return [line], rest


def _said_so(line: Line) -> str:
    """How something is said to a line."""
    return f"{cut(line.key)}: {line.fields[0].key} …" if line.fields else f"{cut(line.key)}:"


def _words(part: "Tree[Token]", where: str) -> Iterator[Word]:
    for token in part.children:
        if isinstance(token, Token) and token.type == "QUOTED":
            try:
                word = without_unseen(str(json.loads(token, strict=False)))
            except ValueError:
                legal = r"\\ for a backslash, \" for a quote"
                raise Refused([malformed(f"{cut(token)} cannot be read", where, legal=legal)]) from None
            check_fit(word, where)
            yield word, True
        elif isinstance(token, Token) and token.type == "WORDS":
            yield from ((" ".join(piece.split()), False) for piece in token.split(",") if piece.strip())


def _line_named(names: FormNames, name: str, where: str, parts: Sequence[list[Word]]) -> Line:
    """The line of that name; ``parts`` are what is said to it."""
    plain = folded(name)
    found = names.lines.get(plain, [])
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        raise Refused([ambiguous(f"“{name}” names several lines", where, nearest=[line.key for line in found])])
    for one in names.form.absent:
        if not one.field and plain in {folded(one.key), folded(one.label)}:
            raise Refused([illegal(one.problem, one.rule, where, legal=listed(names.keys))])
    labels = {folded(line.label): line.key for line in names.form.lines}
    meant = numbered_like(name, names.keys) or nearest(name, names.keys)
    meant = meant or tuple(dict.fromkeys(labels[one] for one in nearest(plain, labels)))
    refusal = malformed(f"there is no line “{cut(name)}”", where, legal=listed(names.keys), nearest=meant)
    raise NotOnForm([refusal], name, _said_to_nobody(names, name, parts))


def _said_to_nobody(names: FormNames, name: str, parts: Sequence[list[Word]]) -> dict[str, Json]:
    """What is said to a line that is not there, as far as the lines that are there have such choices and texts."""
    fields = {field.key: field for line in names.form.lines for field in line.fields}
    line, said = Line(key=name, label=name, fields=tuple(fields.values())), dict[str, Json]()
    for words in parts[: len(fields)]:
        try:
            field, values = _field(names, line, words, "", None)
        except Refused:
            continue
        if field.kind in ("one", "text"):
            said[field.key] = ", ".join(word for word, _ in values)
    return said


def _line_leading(names: FormNames, words: str, where: str) -> tuple[Line, str]:
    """The line whose name these words begin with, and the words after it. A form of one line needs none."""
    pieces = words.split()
    for count in range(min(len(pieces), names.most_words), 0, -1):
        found = names.lines.get(folded(" ".join(pieces[:count])), [])
        if len(found) == 1:
            return found[0], " ".join(pieces[count:])
    if len(names.form.lines) == 1:
        return names.form.lines[0], words
    if not pieces:
        raise Refused([malformed("this names no line", where, legal=listed(names.keys))])
    said = [[(" ".join(pieces[1:]), False)]] if pieces[1:] else []
    return _line_named(names, pieces[0], where, said), ""


def _field(
    names: FormNames, line: Line, words: list[Word], where: str, before: Field | None
) -> tuple[Field, list[Word]]:
    """The field that the words begin with, and the words of its value; ``before`` is the field named before them."""
    fields = names.fields(line)
    lead, quoted = words[0] if words else ("", False)
    if not quoted:
        pieces = [*_NAMING.finditer(lead)]
        for count in range(min(len(pieces), most_words(fields)), 0, -1):
            field = fields.get(folded(" ".join(piece[0] for piece in pieces[:count])))
            if field is not None:
                rest = lead[pieces[count - 1].end() :].strip().removeprefix("=").strip()
                return field, ([(rest, False)] if rest else []) + words[1:]
    keys = [field.key for field in line.fields]
    first = next(iter(lead.split(maxsplit=1)), lead)
    absent = None if quoted else names.form.absence(line.key, folded(first).replace(" ", "_"))
    if absent is not None:
        raise Refused([illegal(absent.problem, absent.rule, where, legal=listed(keys))])
    if len(line.fields) == 1:
        return line.fields[0], words
    way = next((field for field in line.fields if field.kind == "text" and field.key in WAYS), None)
    if way is not None and not quoted and _STEPS.search(lead) and not _HEX.search(lead):
        return way, words  # `Sol > Wolf 359` says by itself that it is a way
    meant = near(first, keys)
    problem = f"{cut(line.key)} has no field “{cut(first)}”"
    if before is not None and before.kind == "text" and not meant:
        problem += f'; if it belongs to {before.key}, put all of that in double quotes: {before.key} "…; …"'
    raise Refused([malformed(problem, where, legal=listed(keys), nearest=meant)])


# --- writing ------------------------------------------------------------------------------------------------------


def _help(field: Field) -> str:
    return f"; {_one_line(field.help)}" if field.help else ""
