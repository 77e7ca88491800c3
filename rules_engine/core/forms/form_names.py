"""The names by which lines, fields and choices of a form may be called: looked up, however many there are."""

import re
from collections.abc import Iterable
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
        self._choices: dict[tuple[str, str], dict[str, list[str]]] = {}

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each line stands, by its key in lower case."""
        return {key.casefold(): number for number, key in enumerate(self.keys)}

    def fields(self, line: Line) -> dict[str, Field]:
        """The fields of a line, by key and label."""
        if line.key not in self._fields:
            self._fields[line.key] = {folded(name): field for field in line.fields for name in (field.label, field.key)}
        return self._fields[line.key]

    def choices(self, line: Line, field: Field) -> dict[str, list[str]]:
        """The values that a name may stand for in a field of a line, by value and label."""
        known = self._choices.get((line.key, field.key))
        if known is None:
            known = self._choices[line.key, field.key] = {}
            for one in field.choices:
                for name in dict.fromkeys((folded(one.value), folded(one.label))):
                    known.setdefault(name, []).append(one.value)
        return known
