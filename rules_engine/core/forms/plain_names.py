"""What the lines of a form, and places, are called by people, and which of their words say nothing."""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused, malformed
from rules_engine.core.forms.form_names import FormNames, folded, most_words
from rules_engine.core.forms.forms import Line, Sheet, says_more
from rules_engine.core.forms.order_values import cut

EMPTY = frozenset(
    word
    for words in (
        "move moves go goes going send sends sail sails fly flies head heads heading bring get take takes",
        "please the let have order orders should shall must will set sets is are be was were its it a an i we want",
        "my our of task force forces fleet ship",
    )
    for word in words.split()
)
"""Words that say nothing by themselves. None of them may ever change what the others mean."""

ALMOST = 0.85
"""How like a name must be to what somebody wrote, to be proposed where nothing else tells that it is an order."""

_COMMON = EMPTY | {"new", "your", "their", "all", "whole", "side"}
"""Words that are no proper names, though a label may begin with them."""


@dataclass
class PlainNames:
    """What the lines of a form, and places, may be called in plain words."""

    names: FormNames
    places: Mapping[str, str]
    """Hexes by what they are called."""
    stands: Sheet = field(default_factory=dict[str, dict[str, Json]])
    """The sheet as it stands: of a series, what it says is not written over."""
    _taken: set[str] = field(default_factory=set[str])

    @cached_property
    def lines(self) -> dict[str, list[Line]]:
        """Lines by key, label, and what their labels call them."""
        found = {name: list(lines) for name, lines in self.names.lines.items()}
        for line in self.names.form.lines:
            for name in _called(line):
                if folded(name) in self.names.lines:  # which is a line's own
                    continue
                known = found.setdefault(folded(name), [])
                if line not in known:
                    known.append(line)
        return found

    @cached_property
    def hexes(self) -> dict[str, str]:
        """Hexes by folded names; a name that two places have is none."""
        found: dict[str, set[str]] = {}
        for name, hex_id in self.places.items():
            found.setdefault(folded(name), set()).add(hex_id)
        return {name: next(iter(ids)) for name, ids in found.items() if len(ids) == 1}

    def next_of(self, series: str, where: str) -> Line:
        """The next line of a series to be used, which is then taken.

        Raises:
            Refused: when all are used.
        """
        for line in self.names.form.lines:
            is_free = line.key not in self._taken and not says_more(line, self.stands.get(line.key, {}))
            if line.series == series and is_free:
                self._taken.add(line.key)
                return line
        raise Refused([malformed(f"all lines for {series} are used", where, legal="name the line that is to change")])

    def line_begun(self, words: Sequence[str], where: str) -> Line | None:
        """The next line of the series that an order is for which names no line; None if it begins with none.

        Raises:
            Refused: when it nearly does, or all are used.
        """
        series, _, meant = self.series_begun(words)
        if meant:
            raise Refused([malformed(f"“{cut(' '.join(words))}” is no order as it stands", where, nearest=meant)])
        return None if series is None else self.next_of(series, where)

    def series_begun(self, words: Sequence[str]) -> tuple[str | None, int, tuple[str, ...]]:
        """The series that an order is for which begins with what the first field of that series' lines may be, and how
        many words that has; and else what of that may have been meant, nearly letter by letter."""
        said = [word for word in words if word not in ",;:"]
        meant: list[str] = []
        for first in range(len(said)):
            found: dict[str, int] = {}
            for series, line in self._first_lines.items():
                names = self.names.choices(line, line.fields[0])
                for count in range(min(most_words(names), len(said) - first), 0, -1):
                    begins = folded(" ".join(said[first : first + count]))
                    if begins in names and (count > 1 or self._says_more(line, said[first + 1 :])):
                        found.setdefault(series, count)
                    elif count > 1:
                        meant += difflib.get_close_matches(begins, names, 1, ALMOST)
            if len(found) == 1:
                return *next(iter(found.items())), ()
            if found or folded(said[first]) not in EMPTY:
                return None, 0, () if found else tuple(dict.fromkeys(meant))
        return None, 0, ()

    def _says_more(self, line: Line, words: Sequence[str]) -> bool:
        """Whether one of these words is a field of the line, or a choice of another than the first: what begins with a
        single word may be anything else."""
        known = {*self.names.fields(line)}
        for one in line.fields[1:]:
            known |= {*self.names.choices(line, one)}
        return any(folded(word) in known for word in words)

    @cached_property
    def _first_lines(self) -> dict[str, Line]:
        """Of each series a line, if its first field takes one of several."""
        lines = reversed(self.names.form.lines)
        return {one.series: one for one in lines if one.series and one.fields and one.fields[0].kind == "one"}

    @cached_property
    def most_line_words(self) -> int:
        """How many words the longest name of a line has."""
        return most_words(self.lines)

    @cached_property
    def most_place_words(self) -> int:
        """How many words the longest name of a place has."""
        return most_words(self.hexes)


def _called(line: Line) -> list[str]:
    """What a label calls its line beside its key: ``A1 Vanguard in 0403, in port`` is ``Vanguard``."""
    label = re.sub(r"\([^)]*\)", "", line.label)
    label = re.split(r"\b(?:in|at)\s+\d{4}|, in port|\bif you form it", label)[0].strip(" ,:")
    head, colon, rest = label.partition(":")
    name = rest.strip() if colon and folded(head) == folded(line.key) else label
    if name.casefold().startswith(f"{line.key.casefold()} "):
        name = name[len(line.key) :].strip()
    if not name or "," in name:  # several ships: to name one of them is not to name them all
        return []
    proper = [
        word
        for word in name.split()
        if word[:1].isupper() and len(word) > 2 and word.isalpha() and word.casefold() not in _COMMON
    ]
    return list(dict.fromkeys([name, *proper]))
