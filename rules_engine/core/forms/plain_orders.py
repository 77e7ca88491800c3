"""Orders as people write them: ``A1 to 0405 at 2``, ``move Vanguard to Grimhold``, ``DF1 and DF2 destroyed``.

Only what the notation of :mod:`order_text` cannot read comes here. A line is named anywhere in its order, by its key,
its label or a proper name that no other line has; what is left must fall, word for word, into fields and values of that
line, else the order is refused. Only words without a meaning of their own are passed over (*move*, *please*, *the*);
*not*, *if* and *until* have one, so they are never passed over. Nothing is guessed: a name that two lines have, or a
value that two fields take, is refused with both.

A hex after a line's name is where it goes: the line's field of rows of hexes (``route`` or ``course``), or the one
field that has that hex among its choices; else the field for what else there may be (``other``). ``places`` are the
names that whoever writes knows hexes by.

Lines of one series ask the same again: an order that names their series, or no line but begins with what such a line is
for (``location detection against …``), is for the next that says nothing yet.
"""

import re
from dataclasses import dataclass, field

from rules_engine.core.basics.refusals import Refused, ambiguous, malformed
from rules_engine.core.forms.form_names import folded, most_words
from rules_engine.core.forms.forms import Field, Line
from rules_engine.core.forms.meanings import near
from rules_engine.core.forms.misfits import listed
from rules_engine.core.forms.order_values import Word, cut
from rules_engine.core.forms.plain_names import EMPTY, PlainNames

MOST_LETTERS = 400
"""Letters of an order that is read so."""

WAYS = ("route", "course")
"""What fields of rows of hexes are called, in every rulebook."""

STEPS = ("go", "move")
"""What fields are called that choose the next hex, in every rulebook."""

ELSE = "other"
"""What a field is called that takes in words what is not among the choices of the field before it."""

_TO = {"to", "towards", "toward", "via", "through", "into", "→", "->"}
_AT = {"at", "with", "@"}
_IN = {"in", "on", "of"}
_THEN = ">"
"""Between two hexes of a way that is written step by step: ``0412 > 0413``."""
_STEPS = re.compile(r"(?<=\d\d\d\d)[ \t]{0,9}>[ \t]{0,9}(?=\d\d\d\d(?!\d))")
_GAP = {",", "and", "then", "&", "+"}
_BEFORE_NAME = {"with", "by", "using", "from", "for"}
"""Words that may join what is done to who does it."""

_ARTICLES = {"the", "a", "an"}
_BULLETS = {"-", "–", "•", "*"}

_PARTS = re.compile(r"→|->|[^\s,;:=]+|[,;:]")
_HEX = re.compile(r"\d{4}")

Set = tuple[Line, Field, list[Word]]
"""A field of a line, and the words of its value."""


@dataclass
class _Clause:
    """One order: the lines that it is for, and what it says to them."""

    lines: list[Line] = field(default_factory=list[Line])
    words: list[str] = field(default_factory=list[str])


def read_plainly(plain: PlainNames, order: str, where: str) -> list[Set] | None:
    """What an order in plain words sets; None where it names no line of the form, or says nothing to one.

    Raises:
        Refused: when it names a line, and a word of it has no meaning there, or several.
    """
    if len(order) > MOST_LETTERS or '"' in order:
        return None
    said = _STEPS.sub(f" {_THEN} ", order.partition("#")[0])
    words = [word.rstrip(".!?") or word for word in _PARTS.findall(said)]
    words = words[1:] if words[:1] and words[0] in _BULLETS else words
    found: list[Set] = []
    clauses = _clauses(plain, words, where)
    for clause in clauses:
        for line in clause.lines:
            said = _Said(plain, line, clause.words, where).sets()
            if not said:  # whoever names a line says something to it
                return None
            found += said
    return found or None


def _clauses(plain: PlainNames, words: list[str], where: str) -> list[_Clause]:
    """The orders in a row of words: each begins with the name of a line, but what stands before the first is its."""
    clauses: list[_Clause] = []
    ahead: list[str] = []
    at = 0
    series, count, _ = plain.series_begun(words)
    if series is not None and count > 1:  # a name of several words is none of a line's that is called by one of them
        clauses.append(_Clause([plain.next_of(series, where)]))
    while at < len(words):
        word = words[at]
        named, count = (None, 0)
        after_to = at > 0 and words[at - 1].casefold() in _TO
        open_clause = clauses[-1] if clauses else None
        has_said = open_clause is not None and any(not _is_empty(one) for one in open_clause.words)
        between = at > 0 and _is_gap(words[at - 1])
        is_value = open_clause is not None and _Said(plain, open_clause.lines[0], words, where, at).is_choice()
        if not after_to and (between or not is_value) and not _is_for(plain, open_clause, words, at, where):
            named, count = _line_at(plain, words, at, where, by_key=has_said and not between)
        if named is None:
            (ahead if open_clause is None else open_clause.words).append(word)
            at += 1
            continue
        if open_clause is not None and not has_said:
            open_clause.lines += [named] if named not in open_clause.lines else []
        else:
            clauses.append(_Clause([named]))
        at += count
    only = plain.names.form.lines[0] if len(plain.names.form.lines) == 1 else None
    if not clauses and only is None:
        only = plain.line_begun(words, where)
    if not clauses and only is not None:
        clauses.append(_Clause([only]))
    if clauses:
        if ahead and ahead[-1].casefold() in _BEFORE_NAME:
            ahead.pop()
        clauses[0].words[:0] = ahead
    return clauses


def _is_for(plain: PlainNames, clause: _Clause | None, words: list[str], at: int, where: str) -> bool:
    """Whether several words from here on say what the line of a series is for, though another is called by the first of
    them: ``M1: base plans``."""
    line = None if clause is None else clause.lines[0]
    return line is not None and line.series != "" and _Said(plain, line, words, where, at).begins_a_choice()


def _is_gap(word: str) -> bool:
    return word in ";:" or word.casefold() in _GAP


def _is_empty(word: str) -> bool:
    return _is_gap(word) or word.casefold() in EMPTY


def _line_at(plain: PlainNames, words: list[str], at: int, where: str, *, by_key: bool) -> tuple[Line | None, int]:
    """The line whose name (or ``by_key`` alone) begins here, and how many words it has."""
    if by_key:
        line = plain.names.by_key.get(words[at].casefold())
        return (None, 0) if line is None else (line, 1)
    for count in range(min(plain.most_line_words, len(words) - at), 0, -1):
        name = folded(" ".join(words[at : at + count]))
        found = plain.lines.get(name, [])
        if len(found) == 1:
            return found[0], count
        series = {one.series for one in found}
        if len(found) > 1 and len(series) == 1 and (only := next(iter(series))):
            return plain.next_of(only, where), count
        if len(found) > 1 and name not in EMPTY:
            near_lines = [one.key for one in found[:6]]
            raise Refused([ambiguous(f"“{cut(name)}” could be several lines", where, nearest=near_lines)])
    return None, 0


@dataclass
class _Said:
    """What is said to one line, word for word."""

    plain: PlainNames
    line: Line
    words: list[str]
    where: str
    at: int = 0
    found: dict[str, list[Word]] = field(default_factory=dict[str, list[Word]])

    @property
    def path(self) -> str:
        """Where in the text this is."""
        return f"{self.where}, {self.line.key}"

    def sets(self) -> list[Set]:
        """The fields that are set, with their values."""
        while self.at < len(self.words):
            if not (
                self._empty()
                or self._way()
                or self._named()
                or self._number()
                or self._speed()
                or self._value()
                or self._at_a_place()
            ):
                self._refuse()
        by_key = {one.key: one for one in self.line.fields}
        return [(self.line, by_key[key], words) for key, words in self.found.items()]

    # --- words ---------------------------------------------------------------------------------------------------

    def _word(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.words[at] if at < len(self.words) else ""

    def _empty(self) -> bool:
        """A word that says nothing by itself, unless a field or a choice is called so."""
        if _is_gap(self._word()):
            self.at += 1
            return True
        if self._word().casefold() not in EMPTY or self._field_at(self.at)[0] is not None or self.begins_a_choice():
            return False
        self.at += 1
        return True

    def begins_a_choice(self) -> bool:
        """Whether several words from here on are a choice: ``ship plans``."""
        fields = [one for one in self.line.fields if one.kind == "one"]
        return any(self._choice_at(one, self.at)[1] > 1 for one in fields)

    def _put(self, one: Field, words: list[Word]) -> None:
        before = self.found.get(one.key)
        if before is not None and one.kind == "many":
            words = [*before, *words]  # who names one twice is told so
        elif before is not None and before != words:
            said = (" ".join(word for word, _ in some) for some in (before, words))
            problem = f"this is said twice, as “{cut(next(said))}” and as “{cut(next(said))}”"
            raise Refused([malformed(problem, f"{self.path}.{one.key}", legal="one of them")])
        self.found[one.key] = words

    # --- a way ---------------------------------------------------------------------------------------------------

    def _way(self) -> bool:
        """Where it goes: one hex or place, or several in their order."""
        at, steps, to = self.at, list[str](), False
        while at < len(self.words):
            ahead = at
            while steps and ahead < len(self.words) and self.words[ahead].casefold() in _GAP:
                ahead += 1
            then = bool(steps) and ahead < len(self.words) and self.words[ahead] == _THEN
            goes = ahead < len(self.words) and self.words[ahead].casefold() in _TO
            ahead += int(goes or then)
            by_name = goes or not steps
            if by_name and not goes and not _HEX.fullmatch(self.words[at]) and self.is_choice():
                break  # a contact that may be chosen is chosen; "to" a contact goes there
            hex_id, count = self._hex_at(ahead, by_name=by_name)
            if not hex_id:
                break
            steps += [*(["to"] if goes else [_THEN] if then else []), hex_id]
            to, at = to or goes, ahead + count
        hexes = [one for one in steps if one not in ("to", _THEN)]
        if not hexes:
            return False
        choosing = [one for one in self.line.fields if one.kind == "one" and hexes[0] in _values(one)]
        way = next((one for one in self.line.fields if one.kind == "text" and one.key in WAYS), None)
        if len(hexes) == 1 and len(choosing) == 1:
            self._put(choosing[0], [(hexes[0], False)])
        elif way is not None:
            self._put(way, [(" ".join(steps if to or len(hexes) > 1 else ["to", *steps]), True)])
            for one in self.line.fields:  # what says whether it goes by that way, or elsewhere
                if one.kind == "one" and way.key in _values(one):
                    self._put(one, [(way.key, False)])
        elif (step := self._step_from(steps)) is not None:
            self._put(step, [(hexes[1], False)])
        elif len(hexes) == 1 and self._elsewhere() is not None:
            self._say_elsewhere(hexes[0])
        else:
            return False
        self.at = at
        return True

    def _step_from(self, steps: list[str]) -> Field | None:
        """The field of the next hex, where a line without a way is sent on from the hex in which its label has it:
        ``A1: 0403 > 0404``."""
        if len(steps) != 3 or steps[1] != _THEN or steps[0] not in _PARTS.findall(self.line.label):
            return None
        return next((one for one in self.line.fields if one.key in STEPS and steps[2] in _values(one)), None)

    def _elsewhere(self) -> Field | None:
        """The field of the line for what is not among the choices."""
        return next((one for one in self.line.fields if one.kind == "text" and one.key == ELSE), None)

    def _say_elsewhere(self, hex_id: str) -> None:
        found = self._elsewhere()
        if found is not None:
            self._put(found, [(hex_id, True)])

    def _at_a_place(self) -> bool:
        """``at 0405``, ``on Forgefall``: the word alone, where the line takes places in words; what follows is read, or
        refused, by itself."""
        if self._elsewhere() is None or self._word().casefold() not in _AT | _IN or not self._word(1):
            return False
        self.at += 1
        return True

    def is_choice(self) -> bool:
        """Whether some field of the line has a choice that stands here."""
        fields = [one for one in self.line.fields if one.kind in ("one", "many")]
        return any(self._choice_at(one, self.at)[0] for one in fields)

    def _hex_at(self, at: int, *, by_name: bool) -> tuple[str, int]:
        """The hex that stands here by its number or (``by_name``) a name, and how many words that has."""
        if at < len(self.words) and _HEX.fullmatch(self.words[at]):
            return self.words[at], 1
        if not by_name:
            return "", 0
        for count in range(min(self.plain.most_place_words, len(self.words) - at), 0, -1):
            hex_id = self.plain.hexes.get(folded(" ".join(self.words[at : at + count])))
            if hex_id is not None:
                return hex_id, count
        return "", 0

    # --- fields --------------------------------------------------------------------------------------------------

    def _field_at(self, at: int) -> tuple[Field | None, int]:
        """The field whose name stands here, and how many words that has; a verb may be the beginning of a name."""
        fields = self.plain.names.fields(self.line)
        for count in range(min(most_words(fields), len(self.words) - at), 0, -1):
            found = fields.get(folded(" ".join(self.words[at : at + count])))
            if found is not None:
                return found, count
        word = folded(self.words[at]) if at < len(self.words) else ""
        begun = {one.key: one for name, one in fields.items() if len(word) >= 4 and name.startswith(word)}
        return (next(iter(begun.values())), 1) if len(begun) == 1 else (None, 0)

    def _named(self) -> bool:
        """A field by its name, and its value behind it."""
        found, count = self._field_at(self.at)
        if found is None:
            return False
        at = self.at + count
        if found.kind != "text":
            while at < len(self.words) and self.words[at].casefold() in _TO | {"at", "is"}:
                at += 1
        rest = self.words[at : at + 1]
        match found.kind:
            case "flag":
                is_said = bool(rest) and rest[0].casefold() in {"yes", "no", "y", "n", "on", "off", "true", "false"}
                self._put(found, [(rest[0] if is_said else "yes", False)])
                self.at = at + int(is_said)
            case "number":
                if not rest or not rest[0].lstrip("+-").isdigit():
                    return False
                self._put(found, [(rest[0], False)])
                self.at = at + 1
            case "text" if found.key in WAYS:
                before, self.at = self.at, at
                if not self._way():
                    self.at = before
                    return False
            case "text":
                return False  # how long it is nobody knows: it is written in the notation
            case _:
                value, count = self._choice_at(found, at)
                if not value and rest and rest[0].casefold() in _ARTICLES:
                    at += 1
                    value, count = self._choice_at(found, at)
                if not value:
                    return self._named_elsewhere(found, at)
                self._put(found, [(value, False)])
                self.at = at + count
        return True

    def _named_elsewhere(self, found: Field, at: int) -> bool:
        """A hex behind the name of the field before the one for what is not among its choices."""
        keys = [one.key for one in self.line.fields]
        is_next = ELSE in keys and keys.index(ELSE) == keys.index(found.key) + 1
        hex_id, count = self._hex_at(at, by_name=True) if is_next else ("", 0)
        if not hex_id:
            return False
        self._say_elsewhere(hex_id)
        self.at = at + count
        return True

    def _number(self) -> bool:
        """A number before the name of what it counts: ``3 probes``, ``with 3 probes``."""
        ahead = int(self._word().casefold() == "with")
        number = self._word(ahead)
        if not number.isdigit():
            return False
        found, count = self._field_at(self.at + ahead + 1)
        if found is None or found.kind != "number":
            return False
        self._put(found, [(number, False)])
        self.at += ahead + 1 + count
        return True

    def _speed(self) -> bool:
        """``at 2``: the speed, where the line has one."""
        if self._word().casefold() not in _AT:
            return False
        speed = next((one for one in self.line.fields if one.key == "speed"), None)
        after = self.at + (2 if self._word(1).casefold() == "speed" else 1)
        value, count = ("", 0) if speed is None else self._choice_at(speed, after)
        if speed is None or not value:
            return False
        self._put(speed, [(value, False)])
        self.at = after + count
        return True

    # --- values --------------------------------------------------------------------------------------------------

    def _choice_at(self, one: Field, at: int) -> tuple[str, int]:
        """The choice of a field that stands here, and how many words that has."""
        names = self.plain.names.choices(self.line, one)
        for count in range(min(self.plain.names.most_choice_words(self.line, one), len(self.words) - at), 0, -1):
            found = names.get(folded(" ".join(self.words[at : at + count])), [])
            if len(found) == 1:
                return found[0], count
        return "", 0

    def _value(self) -> bool:
        """A choice by itself, if one field of the line has it; a bare number could be anything's."""
        to = 1 if self._word().casefold() in _TO else 0
        if self._word(to).isdigit():
            return False
        fields = [one for one in self.line.fields if one.kind in ("one", "many")]
        found = {one.key: (one, *self._choice_at(one, self.at + to)) for one in fields}
        found = {key: one for key, one in found.items() if one[1]}
        if len(found) > 1:
            nearest = [f"{key} {value}" for key, (_, value, _) in found.items()]
            problem = f"“{cut(self._word())}” could be said of several things"
            raise Refused([ambiguous(problem, self.path, nearest=nearest)])
        for one, value, count in found.values():
            self._put(one, [(value, False)])
            self.at += to + count
        cleared = [one for one in fields if one.none and folded(self._word()) == folded(one.none)]
        if not found and len(cleared) == 1:
            self._put(cleared[0], [(cleared[0].none, False)])
            self.at += 1
            return True
        return bool(found)

    def _refuse(self) -> None:
        """This word has no meaning here."""
        word = self._word()
        known: dict[str, str] = {}
        for one in self.line.fields:
            known |= {choice.value: choice.value for choice in one.choices}
            known |= {choice.label: choice.value for choice in one.choices}
        known |= {one.key: one.key for one in self.line.fields}
        known |= {name: name for name in self.plain.places}
        fields = [one.key for one in self.line.fields]
        problem = f"“{cut(word)}” says nothing to {cut(self.line.key)}"
        raise Refused([malformed(problem, self.path, legal=listed(fields), nearest=near(word, known))])


def _values(one: Field) -> list[str]:
    return [choice.value for choice in one.choices]
