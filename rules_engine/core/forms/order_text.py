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
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refusal, Refused, ambiguous, illegal, malformed, nearest
from rules_engine.core.forms.forms import Field, Form, Line, Sheet
from rules_engine.core.forms.misfits import legal_values, listed

_GRAMMAR = r"""
    sheet: _NL* (order (_NL+ order)* _NL*)?
    order: NAME ":" [part (";" [part])*]
         | part (";" [part])*
    part: (QUOTED | WORDS | COMMA)+
    NAME: /[^:;,"#\r\n]+(?=\s*:)/
    QUOTED: /"(\\.|[^"\\\r\n])*"/
    WORDS: /[^:;,"#\r\n]+/
    COMMA: ","
    NOTE: /#[^\r\n]*/
    _NL: /\r?\n/
    %ignore NOTE
    %ignore /[ \t]+/
"""
_PARSER = Lark(_GRAMMAR, start="sheet", parser="lalr", lexer="contextual", propagate_positions=True)

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
    try:
        tree: Tree[Token] = _PARSER.parse(text.replace("\u00a0", " ").strip("\ufeff"))  # pyright: ignore[reportUnknownMemberType]
    except UnexpectedInput as error:
        where = f"line {error.line}" if error.line > 0 else "the end"
        legal = "`name: field value; field value`"
        raise Refused([malformed("this cannot be read as an order", where, legal=legal)]) from None
    sheet: Sheet = {}
    faults: list[Refused] = []
    for order in tree.children:
        if isinstance(order, Tree):
            try:
                _read_order(form, order, sheet, faults)
            except Refused as fault:
                faults.append(fault)
    if faults:
        raise Refused(_explained(faults, judge))
    return sheet


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


def _read_order(form: Form, order: "Tree[Token]", sheet: Sheet, faults: list[Refused]) -> None:
    """Put what one order says into ``sheet``, and what is wrong with its parts into ``faults``."""
    number = order.meta.line
    where = f"line {number}"
    named = [child for child in order.children if isinstance(child, Token)]
    parts = [list(_words(child)) for child in order.children if isinstance(child, Tree)]
    if named:
        name = str(named[0]).strip()
        lines = _lines_between(form, name) or [_line_named(form, name, where, parts)]
    else:
        line, rest = _line_leading(form, parts[0][0][0], where)
        first = [(rest, False), *parts[0][1:]] if rest else parts[0][1:]
        parts = [first, *parts[1:]] if first else parts[1:]
        lines = [line]
    for line in lines:
        before: Field | None = None
        for words in parts:
            try:
                field, values = _field(form, line, words, where, before)
                before = field
                sheet.setdefault(line.key, {})[field.key] = _value(line, field, values, where)
            except Refused as fault:
                faults.append(fault)


def _words(part: "Tree[Token]") -> Iterator[Word]:
    for token in part.children:
        if isinstance(token, Token) and token.type == "QUOTED":
            yield str(json.loads(token)), True
        elif isinstance(token, Token) and token.type == "WORDS" and token.strip():
            yield " ".join(token.split()), False


def _folded(text: str) -> str:
    return re.sub(r"(?<=\w)[\s_-]+(?=\w)", " ", text).strip().casefold()


def _line_names(form: Form) -> dict[str, list[Line]]:
    names: dict[str, list[Line]] = {}
    for line in form.lines:
        for name in dict.fromkeys((_folded(line.key), _folded(line.label))):
            names.setdefault(name, []).append(line)
    return names


def _line_named(form: Form, name: str, where: str, parts: Sequence[list[Word]]) -> Line:
    """The line of that name; ``parts`` are what is said to it."""
    names = _line_names(form)
    found = names.get(_folded(name), [])
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        raise Refused([ambiguous(f"“{name}” names several lines", where, nearest=[line.key for line in found])])
    keys = [line.key for line in form.lines]
    for one in form.absent:
        if not one.field and _folded(name) in {_folded(one.key), _folded(one.label)}:
            raise Refused([illegal(one.problem, one.rule, where, legal=listed(keys))])
    labels = {_folded(line.label): line.key for line in form.lines}
    near = nearest(name, keys) or tuple(dict.fromkeys(labels[one] for one in nearest(_folded(name), labels)))
    refusal = malformed(f"there is no line “{name}”", where, legal=listed(keys), nearest=near)
    raise _Unfit([refusal], name, _said_to_nobody(form, name, parts))


def _said_to_nobody(form: Form, name: str, parts: Sequence[list[Word]]) -> dict[str, Json]:
    """What is said to a line that is not there, as far as the lines that are there have such choices and texts."""
    fields = {field.key: field for line in form.lines for field in line.fields}
    line, said = Line(key=name, label=name, fields=tuple(fields.values())), dict[str, Json]()
    for words in parts:
        try:
            field, values = _field(form, line, words, "", None)
        except Refused:
            continue
        if field.kind in ("one", "text"):
            said[field.key] = ", ".join(word for word, _ in values)
    return said


def _lines_between(form: Form, name: str) -> list[Line]:
    """The lines from one key to another, ``D1-D9``; none if the name is not such a range."""
    first, hyphen, last = (part.strip().casefold() for part in name.partition("-"))
    at = {line.key.casefold(): number for number, line in enumerate(form.lines)}
    whole = name.strip().casefold()
    if not hyphen or whole in at or first not in at or last not in at or at[first] > at[last]:
        return []
    return list(form.lines[at[first] : at[last] + 1])


def _line_leading(form: Form, words: str, where: str) -> tuple[Line, str]:
    """The line whose name these words begin with, and the words after it. A form of one line needs none."""
    pieces = words.split()
    names = _line_names(form)
    for count in range(len(pieces), 0, -1):
        found = names.get(_folded(" ".join(pieces[:count])), [])
        if len(found) == 1:
            return found[0], " ".join(pieces[count:])
    if len(form.lines) == 1:
        return form.lines[0], words
    return _line_named(form, pieces[0], where, [[(" ".join(pieces[1:]), False)]] if pieces[1:] else []), ""


def _field(form: Form, line: Line, words: list[Word], where: str, before: Field | None) -> tuple[Field, list[Word]]:
    """The field that the words begin with, and the words of its value; ``before`` is the field named before them."""
    names = {_folded(name): field for field in line.fields for name in (field.label, field.key)}
    lead, quoted = words[0] if words else ("", False)
    if not quoted:
        pieces = lead.replace("=", " = ").split()
        for count in range(len(pieces), 0, -1):
            field = names.get(_folded(" ".join(pieces[:count])))
            if field is not None:
                rest = pieces[count:]
                rest = rest[1:] if rest[:1] == ["="] else rest
                return field, ([(" ".join(rest), False)] if rest else []) + words[1:]
    keys = [field.key for field in line.fields]
    first = lead.split()[0] if lead.split() else lead
    absent = None if quoted else form.absence(line.key, _folded(first).replace(" ", "_"))
    if absent is not None:
        raise Refused([illegal(absent.problem, absent.rule, where, legal=listed(keys))])
    if len(line.fields) == 1:
        return line.fields[0], words
    near = nearest(first, keys)
    problem = f"{line.key} has no field “{first}”"
    if before is not None and before.kind == "text" and not near:
        problem += f'; if it belongs to {before.key}, put all of that in double quotes: {before.key} "…; …"'
    raise Refused([malformed(problem, where, legal=listed(keys), nearest=near)])


def _value(line: Line, field: Field, words: list[Word], where: str) -> Json:
    path = f"{where}, {line.key}.{field.key}"
    if len(words) == 1 and not words[0][1] and words[0][0].casefold() in _CLEAR and _is_clear(field, words[0][0]):
        if field.kind == "many":
            return []
        if field.optional:
            return None
        raise Refused([malformed("this cannot be left empty", path, legal=legal_values(field))])
    match field.kind:
        case "many":
            try:
                return [_choice(field, word, path) for word, _ in words]
            except Refused as fault:
                if any(not quoted and " " in word for word, quoted in words):  # commas are missing rather than a reason
                    raise
                raise _Unfit(fault.refusals, line.key, {field.key: [word for word, _ in words]}) from None
        case "one":
            word = _single(field, words, path)
            try:
                return _choice(field, word, path)
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
    return all(_folded(word) not in {_folded(one.value), _folded(one.label)} for one in field.choices)


def _single(field: Field, words: list[Word], path: str) -> str:
    if len(words) != 1:
        problem = "one value is needed here" if not words else "only one value is possible here"
        raise Refused([malformed(problem, path, legal=legal_values(field))])
    return words[0][0]


def _choice(field: Field, word: str, path: str) -> str:
    for choice in field.choices:
        if word == choice.value:
            return choice.value
    wanted = _folded(word)
    found = [one.value for one in field.choices if wanted in {_folded(one.value), _folded(one.label)}]
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        raise Refused([ambiguous(f"“{word}” could be several things", path, nearest=found)])
    labels = {one.label: one.value for one in field.choices}
    near = nearest(word, [one.value for one in field.choices])
    near = near or tuple(labels[label] for label in nearest(word, labels))
    raise Refused([malformed(f"“{word}” is not possible here", path, legal=legal_values(field), nearest=near)])


def _number(field: Field, word: str, path: str) -> int:
    if not re.fullmatch(r"[+-]?\d{1,9}", word):
        raise Refused([malformed(f"“{word}” is not a whole number", path, legal=legal_values(field))])
    number = int(word)
    low = field.least is not None and number < field.least
    if low or (field.most is not None and number > field.most):
        raise Refused([malformed(f"{number} is out of range", path, legal=legal_values(field))])
    return number


def _flag(word: str, path: str) -> bool:
    folded = word.casefold()
    if folded in _YES | _NO:
        return folded in _YES
    raise Refused([malformed(f"“{word}” is neither yes nor no", path, legal="yes or no")])


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
