"""The names by which lines, fields and choices of a form may be called: looked up, however many there are.

A line may have a notation of its own: a text field of it takes ``others``. What is typed to such a line and is not
read as fields is shared out: a part that begins with the name of another text field goes there, all else to that one,
each in the order in which it was said. ``H2: accelerate 6 on 1; turn left on 4; turn right on 12`` so fills in two.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from rules_engine.core.forms.forms import Field, Form, Line


def folded(text: str) -> str:
    """A name in plain letters: case and how its words are joined make no difference."""
    return re.sub(r"(?<=\w)[\s_-]+(?=\w)", " ", text).strip().casefold()


def most_words(names: Iterable[str]) -> int:
    """How many words the longest of the names has."""
    return max((len(name.split()) for name in names), default=0)


class FormNames:
    """What the lines, fields and choices of a form may be called."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.keys = [line.key for line in form.lines]
        self.lines: dict[str, list[Line]] = {}
        for line in form.lines:
            for name in dict.fromkeys((folded(line.key), folded(line.label))):
                self.lines.setdefault(name, []).append(line)
        self.most_words = most_words(self.lines)
        self._fields: dict[str, dict[str, Field]] = {}
        self._most: dict[tuple[str, str], int] = {}
        self._choices: dict[tuple[str, str], dict[str, list[str]]] = {}

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each line stands, by its key in lower case."""
        return {key.casefold(): number for number, key in enumerate(self.keys)}

    def between(self, name: str) -> Sequence[Line]:
        """The lines from one key to another, ``D1-D9``; none if the name is not such a range."""
        first, hyphen, last = (part.strip().casefold() for part in name.partition("-"))
        at, whole = self.places, name.strip().casefold()
        if not hyphen or whole in at or first not in at or last not in at or at[first] > at[last]:
            return []
        return self.form.lines[at[first] : at[last] + 1]

    @cached_property
    def by_key(self) -> dict[str, Line]:
        """Each line by its key in lower case."""
        return {line.key.casefold(): line for line in reversed(self.form.lines)}

    def most_choice_words(self, line: Line, field: Field) -> int:
        """How many words the longest name of a field's choices has."""
        if (line.key, field.key) not in self._most:
            self._most[line.key, field.key] = most_words(self.choices(line, field))
        return self._most[line.key, field.key]

    def fields(self, line: Line) -> dict[str, Field]:
        """The fields of a line, by key and label."""
        if line.key not in self._fields:
            self._fields[line.key] = {folded(name): field for field in line.fields for name in (field.label, field.key)}
        return self._fields[line.key]

    def choices(self, line: Line, field: Field) -> dict[str, list[str]]:
        """The values that a name may stand for in a field of a line, by value, label, and label without what stands in
        brackets at its end."""
        known = self._choices.get((line.key, field.key))
        if known is None:
            known = self._choices[line.key, field.key] = {}
            for one in field.choices:
                short = one.label.partition(" (")[0] if one.label.endswith(")") else one.label
                for name in dict.fromkeys((folded(one.value), folded(one.label), folded(short))):
                    known.setdefault(name, []).append(one.value)
        return known

    def parts_of(self, line: Line, said: str) -> list[tuple[Field, str]]:
        """What was said to a line with a notation of its own, part by part, each with its field."""
        fields = {name: one for name, one in self.fields(line).items() if one.kind == "text"}
        rest = next(one for one in line.fields if one.others)
        parts = filter(None, (" ".join(one.split()) for one in said.split(";")))
        return [(field or rest, text) for field, text in (_begun(fields, part) for part in parts)]


def has_own_notation(line: Line) -> bool:
    """Whether a field of the line takes what is said in the line's own notation."""
    return any(one.others for one in line.fields)


def _begun(fields: dict[str, Field], part: str) -> tuple[Field | None, str]:
    """The field whose name a part begins with, and what it says of it."""
    words = part.split(" ")
    for count in range(min(most_words(fields), len(words) - 1), 0, -1):
        found = fields.get(folded(" ".join(words[:count])))
        if found is not None:
            return found, " ".join(words[count:]).removeprefix("=").strip()
    return None, part
