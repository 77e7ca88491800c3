"""Values in order sheets as text: the words after a field's name, read as the field's kind asks, and written."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import field as field_of

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.plain_text import unfit_character
from rules_engine.core.basics.quotes import MARKS
from rules_engine.core.basics.refusals import Refusal, Refused, ambiguous, malformed, unfit_text
from rules_engine.core.forms.form_names import FormNames, folded
from rules_engine.core.forms.forms import Field, Form, Line, Sheet
from rules_engine.core.forms.meanings import near
from rules_engine.core.forms.misfits import legal_values

_YES = {"yes", "y", "on", "true", "1"}
_NO = {"no", "n", "off", "false", "0"}
CLEAR = {"-", "–", "none"}
"""What clears a field."""

_SPECIAL = re.compile(rf'[=;,#":\r\n{MARKS}]|^\s|\s$|^$')

Word = tuple[str, bool]
"""A piece of a value, and whether it stood in quotes."""

MOST_QUOTED = 60
"""The most characters of what somebody wrote that are told back."""


class NotOnForm(Refused):
    """Something was named that is no line, or none of the choices: ``values`` of ``line``, which may be judged."""

    def __init__(self, refusals: Iterable[Refusal], line: str, values: dict[str, Json]) -> None:
        super().__init__(refusals)
        self.line, self.values = line, values


def cut(text: str) -> str:
    """What somebody wrote, short enough to be told back."""
    return text if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED]}…"


def check_fit(text: str, path: str) -> None:
    """Refuse a text with a character that no text may hold.

    Raises:
        Refused: naming the character; the text itself is not told back.
    """
    if unfit := unfit_character(text):
        raise Refused([unfit_text(unfit, path)])


def value_of(names: FormNames, line: Line, field: Field, words: list[Word], where: str) -> Json:
    """The value that the words stand for in a field of a line; None clears it.

    Raises:
        Refused: saying what the field takes.
    """
    path = f"{where}, {line.key}.{field.key}"
    for word, _ in words:
        check_fit(word, path)
    clears = CLEAR | {folded(field.none)} if field.none else CLEAR
    if len(words) == 1 and not words[0][1] and folded(words[0][0]) in clears and _is_clear(field, words[0][0]):
        if field.kind == "many":
            return []
        if field.optional:
            return None
        raise Refused([malformed("this cannot be left empty", path, legal=legal_values(field))])
    if not words and field.kind in ("many", "text"):
        none = ", or - for none" if field.kind == "text" and field.optional else ""
        raise Refused([malformed("nothing is said here", path, legal=f"{legal_values(field)}{none}")])
    match field.kind:
        case "many":
            try:
                return _several(names, line, field, words, path)
            except Refused as fault:
                if any(not quoted and " " in word for word, quoted in words):  # commas are missing rather than a reason
                    raise
                raise NotOnForm(fault.refusals, line.key, {field.key: [word for word, _ in words]}) from None
        case "one":
            word = _single(field, words, path)
            try:
                return _choice(names, line, field, word, path)
            except Refused as fault:
                raise NotOnForm(fault.refusals, line.key, {field.key: word}) from None
        case "number":
            return _number(field, _single(field, words, path), path)
        case "flag":
            return _flag(_single(field, words, path), path)
        case "text":
            if len(words) > 1 and any(quoted for _, quoted in words):
                legal = f'all of it in one pair of double quotes: {field.key} "…"'
                raise Refused([malformed("a part of this stands in quotes and a part does not", path, legal=legal)])
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
    chosen: list[Json] = [_choice(names, line, field, word, path) for word, _ in words]
    for number, one in enumerate(chosen):
        if one in chosen[:number]:
            raise Refused([malformed(f"“{cut(str(one))}” is named twice", path, legal="each of them once")])
    return chosen


def _choice(names: FormNames, line: Line, field: Field, word: str, path: str) -> str:
    if any(word == choice.value for choice in field.choices):
        return word
    found = names.choices(line, field).get(folded(word), [])
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        raise Refused([ambiguous(f"“{word}” could be several things", path, nearest=found)])
    meant = near(word, [one.value for one in field.choices]) or near(
        word, {one.label: one.value for one in field.choices}
    )
    raise Refused([malformed(f"“{cut(word)}” is not possible here", path, legal=legal_values(field), nearest=meant)])


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


def written(value: Json) -> str:
    """A value as it is read again."""
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
    return json.dumps(text, ensure_ascii=False) if _SPECIAL.search(text) or text.casefold() in CLEAR else text


# --- what has been read ----------------------------------------------------------------------------------------------

MOST_FAULTS = 25
"""After so many defects the rest is not read."""
MOST_ORDERS = 2_000
"""The most lines of text that may say something."""
MOST_IN_LINE = 4_000
"""The most characters of a line of text."""
MOST_VALUES = 10_000
"""The most values that a text may set; a line for many lines of the form sets one in each."""


class TooMuchSaid(Refused):
    """The text says more than is read."""


@dataclass
class SheetReading:
    """What has been read of a text: the sheet, and what is wrong with it."""

    where: str = ""
    sheet: Sheet = field_of(default_factory=dict[str, dict[str, Json]])
    faults: list[Refused] = field_of(default_factory=list[Refused])
    orders: int = 0
    values: int = 0
    said: dict[tuple[str, str], int] = field_of(default_factory=dict[tuple[str, str], int])
    """For how many lines the order was that set a field of a line."""
    parts: dict[str, list[tuple[str, str]]] = field_of(default_factory=dict[str, list[tuple[str, str]]])
    """The texts that were typed to each line, each with the key of its field, in their order."""

    def begins(self, where: str, order: str) -> None:
        """An order stands in the line of text ``where``."""
        self.where = where
        self.orders += 1
        if len(self.faults) >= MOST_FAULTS:
            raise TooMuchSaid(
                [malformed("this and what follows was not read", where, legal="set right what stands above")]
            )
        if self.orders > MOST_ORDERS:
            raise TooMuchSaid([malformed("the text has too many lines", where, legal=f"at most {MOST_ORDERS:,}")])
        if len(order) > MOST_IN_LINE:
            problem = f"this line has {len(order):,} characters"
            raise Refused([malformed(problem, where, legal=f"at most {MOST_IN_LINE:,}")])

    def sets(self, line: Line, field: Field, value: Json, *, among: int) -> None:
        """A field of a line is given a value, by an order for so many lines (``among``)."""
        self.values += 1
        if self.values > MOST_VALUES:
            raise TooMuchSaid(
                [malformed("the text sets too many values", self.where, legal=f"at most {MOST_VALUES:,}")]
            )
        values, place = self.sheet.setdefault(line.key, {}), (line.key, field.key)
        if field.key in values and values[field.key] != value and among >= self.said[place]:
            before, now = (cut("-" if one is None else written(one)) for one in (values[field.key], value))
            problem = f"this was said before as “{before}”, now as “{now}”"
            raise Refused([malformed(problem, f"{self.where}, {line.key}.{field.key}", legal="one of them")])
        values[field.key] = value
        self.said[place] = among

    def put_in_order(self, form: Form, stands: Sheet) -> None:
        """Let the form say what lines hold whose fields were given texts in an order that matters."""
        for key, parts in self.parts.items():
            if form.in_order is not None:
                self.sheet[key].update(form.in_order(key, parts, stands.get(key, {})))

    def is_wrong(self, fault: Refused) -> None:
        """A part of the order is wrong; the others are still read."""
        if len(self.faults) >= MOST_FAULTS:
            raise TooMuchSaid([malformed("the rest was not read", self.where, legal="set right what stands above")])
        self.faults.append(fault)
