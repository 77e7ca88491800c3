"""Order sheets as text: what a player may type, or edit in a file and send back.

One line of text for each line of the form::

    # Anything after a hash is a note.
    TF1: speed 2; posture active, warp on; route 0412, 0413
    TF2 speed 0

    D1-D9: fate disengaged; turn 4

A line is named by its key or its label, and so is a field, in any case. Two keys with a hyphen between name all lines
from one to the other, in the order of the form. ``=`` after a field's name is allowed; several values are separated by
commas, fields by semicolons, and ``-`` clears an optional field. What is not mentioned is
left as it was. Text with a semicolon, comma, colon, equals sign, hash or quote in it stands in double quotes.

Whatever is sent is read in a time that grows with its length alone: each line by itself, names looked up and not
searched for, and no more defects told than somebody can read.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refusal, Refused, ambiguous, illegal, malformed, nearest
from rules_engine.core.forms.form_names import FormNames, folded, most_words
from rules_engine.core.forms.forms import Field, Form, Line, Sheet
from rules_engine.core.forms.misfits import legal_values, listed

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

_YES = {"yes", "y", "on", "true", "1"}
_NO = {"no", "n", "off", "false", "0"}
_CLEAR = {"-", "–", "none"}
_SPECIAL = re.compile(r"[=;,#\":\r\n]|^\s|\s$|^$")

_AS_ABOVE = "#   (fields as in the line above)"

Word = tuple[str, bool]
"""A piece of a value, and whether it stood in quotes."""

Judge = Callable[[Sheet], Sequence[Refusal]]
"""Whoever knows why values do not fit a sheet: what it refuses if they are put in."""

MOST_JUDGED = 20
"""The most lines that are judged for a reason; of more the first."""
MOST_FAULTS = 25
"""After so many defects the rest is not read."""
MOST_ORDERS = 2_000
"""The most lines of text that may say something."""
MOST_IN_LINE = 4_000
"""The most characters of a line of text."""
MOST_QUOTED = 60
"""The most characters of what somebody wrote that are told back."""
MOST_VALUES = 10_000
"""The most values that a text may set; a line for many lines of the form sets one in each."""


class _Unfit(Refused):
    """Something was named that is no line, or none of the choices: ``values`` of ``line``, which may be judged."""

    def __init__(self, refusals: Iterable[Refusal], line: str, values: dict[str, Json]) -> None:
        super().__init__(refusals)
        self.line, self.values = line, values


def read_sheet(form: Form, text: str, judge: Judge | None = None) -> Sheet:
    """The values that ``text`` sets, by line and field; only those it mentions. A cleared field is None. Why a line or
    a choice is not on the form, ``judge`` may know.

    Raises:
        Refused: with every defect of every line, each with its line number and the nearest thing meant.
    """
    names, reading = FormNames(form), _Reading()
    for number, order in enumerate(text.replace("\u00a0", " ").strip("\ufeff").split("\n"), start=1):
        said = order.strip()
        if not said or said.startswith("#"):
            continue
        try:
            reading.begins(f"line {number}", said)
            _read_order(names, said, reading)
        except _TooMuch as much:
            reading.faults.append(much)
            break
        except Refused as fault:
            reading.faults.append(fault)
    if reading.faults:
        raise Refused(_explained(reading.faults, judge))
    return reading.sheet


class _TooMuch(Refused):
    """The text says more than is read."""


@dataclass
class _Reading:
    """What has been read of a text: the sheet, and what is wrong with it."""

    where: str = ""
    sheet: Sheet = dataclass_field(default_factory=dict[str, dict[str, Json]])
    faults: list[Refused] = dataclass_field(default_factory=list[Refused])
    orders: int = 0
    values: int = 0

    def begins(self, where: str, order: str) -> None:
        """An order stands in the line of text ``where``."""
        self.where = where
        self.orders += 1
        if len(self.faults) >= MOST_FAULTS:
            raise _TooMuch(
                [malformed("this and what follows was not read", where, legal="set right what stands above")]
            )
        if self.orders > MOST_ORDERS:
            raise _TooMuch([malformed("the text has too many lines", where, legal=f"at most {MOST_ORDERS:,}")])
        if len(order) > MOST_IN_LINE:
            problem = f"this line has {len(order):,} characters"
            raise Refused([malformed(problem, where, legal=f"at most {MOST_IN_LINE:,}")])

    def sets(self, line: Line, field: Field, value: Json) -> None:
        """A field of a line is given a value."""
        self.values += 1
        if self.values > MOST_VALUES:
            raise _TooMuch([malformed("the text sets too many values", self.where, legal=f"at most {MOST_VALUES:,}")])
        self.sheet.setdefault(line.key, {})[field.key] = value

    def is_wrong(self, fault: Refused) -> None:
        """A part of the order is wrong; the others are still read."""
        if len(self.faults) >= MOST_FAULTS:
            raise _TooMuch([malformed("the rest was not read", self.where, legal="set right what stands above")])
        self.faults.append(fault)


def _explained(faults: Sequence[Refused], judge: Judge | None) -> Iterator[Refusal]:
    """The refusals of all faults; for what is not on the form, those with a rule that whoever judges gives."""
    doubted: Sheet = {}
    for fault in faults:
        if isinstance(fault, _Unfit) and (fault.line in doubted or len(doubted) < MOST_JUDGED):
            doubted.setdefault(fault.line, {}).update(fault.values)
    told = judge(doubted) if judge is not None and doubted else ()
    for fault in faults:
        own: list[Refusal] = []
        if isinstance(fault, _Unfit):
            paths = {fault.line, *(f"{fault.line}.{key}" for key in fault.values)}
            where = fault.refusals[0].path
            own = [one.model_copy(update={"path": where}) for one in told if one.rule and one.path in paths]
        yield from own or fault.refusals


def write_sheet(form: Form, sheet: Sheet, *, title: str = "", notes: bool = True) -> str:
    """``sheet`` as text that :func:`read_sheet` reads back, with ``notes`` on what may be chosen.

    Without notes, only lines that set something are written.
    """
    rows = [f"# {title}"] if title else []
    if notes:
        rows.append("# name: field value; field value   (what you leave out stays as it is)")
    said: list[str] = []
    for line in form.lines:
        values = sheet.get(line.key, {})
        if notes:
            rows += ["", f"# {_one_line(line.label)}" + (f" ({_one_line(line.note)})" if line.note else "")]
            legal = [f"#   {_one_line(field.key)}: {legal_values(field)}{_help(field)}" for field in line.fields]
            rows += legal if legal != said else [_AS_ABOVE]
            said = legal
        elif not values:
            continue
        parts = [
            f"{field.key} {_show(values[field.key])}" for field in line.fields if values.get(field.key) is not None
        ]
        rows.append(f"{line.key}: {'; '.join(parts)}".rstrip())
    return "\n".join(rows) + "\n"


def _one_line(text: str) -> str:
    return " ".join(text.split())


# --- reading ------------------------------------------------------------------------------------------------------


def _read_order(names: FormNames, order: str, reading: _Reading) -> None:
    """Put what one order says into the sheet, and what is wrong with its parts among the faults."""
    where = reading.where
    try:
        tree: Tree[Token] = _PARSER.parse(order)  # pyright: ignore[reportUnknownMemberType]
    except UnexpectedInput:
        legal = "`name: field value; field value`"
        raise Refused([malformed("this cannot be read as an order", where, legal=legal)]) from None
    named = [child for child in tree.children if isinstance(child, Token)]
    parts = [list(_words(child, where)) for child in tree.children if isinstance(child, Tree)]
    if named:
        name = str(named[0]).strip()
        lines = _lines_between(names, name) or [_line_named(names, name, where, parts)]
    else:
        leading = parts[0][0] if parts and parts[0] else ("", False)
        line, rest = _line_leading(names, leading[0], where)
        first = [(rest, False), *parts[0][1:]] if rest else parts[0][1:]
        parts = [first, *parts[1:]] if first else parts[1:]
        lines = [line]
    for line in lines:
        before: Field | None = None
        for words in parts:
            try:
                field, values = _field(names, line, words, where, before)
                before = field
                reading.sets(line, field, _value(names, line, field, values, where))
            except _TooMuch:
                raise
            except Refused as fault:
                reading.is_wrong(fault)


def _words(part: "Tree[Token]", where: str) -> Iterator[Word]:
    for token in part.children:
        if isinstance(token, Token) and token.type == "QUOTED":
            try:
                yield str(json.loads(token, strict=False)), True
            except ValueError:
                legal = r"\\ for a backslash, \" for a quote"
                raise Refused([malformed(f"{cut(token)} cannot be read", where, legal=legal)]) from None
        elif isinstance(token, Token) and token.type == "WORDS":
            yield from ((" ".join(piece.split()), False) for piece in token.split(",") if piece.strip())


def cut(text: str) -> str:
    """What somebody wrote, short enough to be told back."""
    return text if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED]}…"


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
    near = nearest(name, names.keys) or tuple(dict.fromkeys(labels[one] for one in nearest(plain, labels)))
    refusal = malformed(f"there is no line “{cut(name)}”", where, legal=listed(names.keys), nearest=near)
    raise _Unfit([refusal], name, _said_to_nobody(names, name, parts))


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


def _lines_between(names: FormNames, name: str) -> Sequence[Line]:
    """The lines from one key to another, ``D1-D9``; none if the name is not such a range."""
    first, hyphen, last = (part.strip().casefold() for part in name.partition("-"))
    at = names.places
    whole = name.strip().casefold()
    if not hyphen or whole in at or first not in at or last not in at or at[first] > at[last]:
        return []
    return names.form.lines[at[first] : at[last] + 1]


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
        pieces = lead.replace("=", " = ").split()
        for count in range(min(len(pieces), most_words(fields)), 0, -1):
            field = fields.get(folded(" ".join(pieces[:count])))
            if field is not None:
                rest = pieces[count:]
                rest = rest[1:] if rest[:1] == ["="] else rest
                return field, ([(" ".join(rest), False)] if rest else []) + words[1:]
    keys = [field.key for field in line.fields]
    first = next(iter(lead.split(maxsplit=1)), lead)
    absent = None if quoted else names.form.absence(line.key, folded(first).replace(" ", "_"))
    if absent is not None:
        raise Refused([illegal(absent.problem, absent.rule, where, legal=listed(keys))])
    if len(line.fields) == 1:
        return line.fields[0], words
    near = nearest(first, keys)
    problem = f"{cut(line.key)} has no field “{cut(first)}”"
    if before is not None and before.kind == "text" and not near:
        problem += f'; if it belongs to {before.key}, put all of that in double quotes: {before.key} "…; …"'
    raise Refused([malformed(problem, where, legal=listed(keys), nearest=near)])


def _value(names: FormNames, line: Line, field: Field, words: list[Word], where: str) -> Json:
    path = f"{where}, {line.key}.{field.key}"
    clears = _CLEAR | {folded(field.none)} if field.none else _CLEAR
    if len(words) == 1 and not words[0][1] and folded(words[0][0]) in clears and _is_clear(field, words[0][0]):
        if field.kind == "many":
            return []
        if field.optional:
            return None
        raise Refused([malformed("this cannot be left empty", path, legal=legal_values(field))])
    match field.kind:
        case "many":
            try:
                return _several(names, line, field, words, path)
            except Refused as fault:
                if any(not quoted and " " in word for word, quoted in words):  # commas are missing rather than a reason
                    raise
                raise _Unfit(fault.refusals, line.key, {field.key: [word for word, _ in words]}) from None
        case "one":
            word = _single(field, words, path)
            try:
                return _choice(names, line, field, word, path)
            except Refused as fault:
                raise _Unfit(fault.refusals, line.key, {field.key: word}) from None
        case "number":
            return _number(field, _single(field, words, path), path)
        case "flag":
            return _flag(_single(field, words, path), path)
        case "text":
            text = ", ".join(word for word, _ in words)
            if field.most is not None and len(text) > field.most:
                raise Refused([malformed(f"this has {len(text)} characters", path, legal=f"at most {field.most}")])
            return text


def _is_clear(field: Field, word: str) -> bool:
    """Whether the word clears the field, rather than being one of its choices."""
    return all(folded(word) not in {folded(one.value), folded(one.label)} for one in field.choices)


def _single(field: Field, words: list[Word], path: str) -> str:
    if len(words) != 1:
        problem = "one value is needed here" if not words else "only one value is possible here"
        raise Refused([malformed(problem, path, legal=legal_values(field))])
    return words[0][0]


def _several(names: FormNames, line: Line, field: Field, words: list[Word], path: str) -> list[Json]:
    return [_choice(names, line, field, word, path) for word, _ in words]


def _choice(names: FormNames, line: Line, field: Field, word: str, path: str) -> str:
    if any(word == choice.value for choice in field.choices):
        return word
    found = names.choices(line, field).get(folded(word), [])
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        raise Refused([ambiguous(f"“{word}” could be several things", path, nearest=found)])
    labels = {one.label: one.value for one in field.choices}
    near = nearest(word, [one.value for one in field.choices])
    near = near or tuple(labels[label] for label in nearest(word, labels))
    raise Refused([malformed(f"“{cut(word)}” is not possible here", path, legal=legal_values(field), nearest=near)])


def _number(field: Field, word: str, path: str) -> int:
    if not re.fullmatch(r"[+-]?\d{1,9}", word):
        raise Refused([malformed(f"“{cut(word)}” is not a whole number", path, legal=legal_values(field))])
    number = int(word)
    low = field.least is not None and number < field.least
    if low or (field.most is not None and number > field.most):
        raise Refused([malformed(f"{number} is out of range", path, legal=legal_values(field))])
    return number


def _flag(word: str, path: str) -> bool:
    folded = word.casefold()
    if folded in _YES | _NO:
        return folded in _YES
    raise Refused([malformed(f"“{cut(word)}” is neither yes nor no", path, legal="yes or no")])


# --- writing ------------------------------------------------------------------------------------------------------


def _help(field: Field) -> str:
    return f"; {_one_line(field.help)}" if field.help else ""


def _show(value: Json) -> str:
    match value:
        case True:
            return "yes"
        case False:
            return "no"
        case list():
            return ", ".join(_quoted(str(one)) for one in value) or "-"
        case _:
            return _quoted(str(value))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False) if _SPECIAL.search(text) or text.casefold() in _CLEAR else text
