"""A short form over a long sheet: what usually changes, asked for at once; all else stays as it was filled in.

A long sheet has a line for each ship. Most of them say the same, so the short form asks *which* lines say something,
and puts that into all of them: it reads and writes the same sheet as forms of single lines and typed orders do.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused, malformed
from rules_engine.core.forms.forms import Choice, Field, Form, Line, Sheet

MOST_ASKED = 5
"""Questions that are asked at once."""


class OneField(NamedTuple):
    """A field of one line, as it stands on the sheet; ``label`` if it is called otherwise by itself."""

    line: str
    field: str
    label: str = ""


class WhichLines(NamedTuple):
    """Which of these ``lines`` say ``value`` in their ``field``. One that is not chosen any more says ``otherwise``."""

    key: str
    label: str
    field: str
    value: Json
    otherwise: Json
    lines: tuple[Choice, ...]


class EachLine(NamedTuple):
    """A field of each of these ``lines`` that says ``value`` in another field, ``where``; all others leave it empty.

    ``label`` has ``{}`` for a line's name. What nobody has said otherwise is what the field ``usual`` (line, field) of
    the sheet says.
    """

    field: str
    label: str
    where: str
    value: Json
    lines: tuple[Choice, ...]
    usual: tuple[str, str]

    def asked(self, form: Form, sheet: Mapping[str, Mapping[str, Json]]) -> list[Choice]:
        """The lines of which it is asked by the sheet as it stands."""
        return [line for line in self.lines if _value(form, sheet, line.value, self.where) == self.value]


Question = OneField | WhichLines | EachLine


class ShortPage(NamedTuple):
    """Questions that are asked together."""

    title: str
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class ShortForm:
    """The pages of a short form, in the order in which they are usually filled in."""

    pages: tuple[ShortPage, ...] = ()

    def is_asked(self, number: int, form: Form, sheet: Sheet) -> bool:
        """Whether a page has anything to ask by the sheet as it stands."""
        return bool(self.line(number, form, sheet).fields)

    def line(self, number: int, form: Form, sheet: Sheet) -> Line:
        """A page as a line to be filled in, with what the sheet says now; at most as many questions as are asked at
        once."""
        fields = [field for one in self.pages[number].questions for field in _fields(one, form, sheet)]
        return Line(f"short{number}", self.pages[number].title, tuple(fields[:MOST_ASKED]))

    def put_in(self, number: int, form: Form, sheet: Sheet, said: Mapping[str, Json]) -> Sheet:
        """What the sheet's lines say by what was filled in on a page: those that change alone, with None for a field
        that is empty now.

        Raises:
            Refused: when a line was chosen for two things of which it can say one.
        """
        known = {field.key for field in self.line(number, form, sheet).fields}
        after = {key: dict(line) for key, line in {**form.prefilled(), **sheet}.items()}
        chosen: dict[tuple[str, str], WhichLines] = {}
        for question in self.pages[number].questions:
            match question:
                case OneField(line=line, field=field):
                    if (key := f"{line}.{field}") in known and key in said:
                        after.setdefault(line, {})[field] = said[key]
                case WhichLines():
                    if question.key in known and question.key in said:
                        _choose(question, form, after, said[question.key], chosen)
                case EachLine(field=field):
                    for line in question.lines:
                        if (key := f"{line.value}.{field}") in known and key in said:
                            after.setdefault(line.value, {})[field] = said[key]
        self._follow(form, sheet, after)
        return _changed(form, sheet, after)

    def said(self, number: int, form: Form, sheet: Sheet) -> tuple[tuple[str, str], ...]:
        """What a page says by the sheet as it stands: labels with words; of choices of lines the keys of those that are
        chosen, of a field of each line its key."""
        said: list[tuple[str, str]] = []
        asked = {field.key for field in self.line(number, form, sheet).fields}
        for question in self.pages[number].questions:
            for field in _fields(question, form, sheet):
                label = field.key.partition(".")[0] if isinstance(question, EachLine) else field.label
                shown = field._replace(choices=()) if field.kind == "many" else field
                if field.key in asked and (words := in_words(shown, field.value)):
                    said.append((label, words))
        return tuple(said)

    def _follow(self, form: Form, before: Sheet, after: Sheet) -> None:
        """Fill in what follows: fields that other lines leave empty, and what nobody has said otherwise."""
        for question in (one for page in self.pages for one in page.questions if isinstance(one, EachLine)):
            was, usual = _value(form, before, *question.usual), _value(form, after, *question.usual)
            asked = {line.value for line in question.asked(form, after)}
            for line in question.lines:
                now = _value(form, after, line.value, question.field)
                if line.value not in asked:
                    wanted: Json = None
                elif now is None or (now == was and now == _value(form, before, line.value, question.field)):
                    wanted = usual
                else:
                    continue
                after.setdefault(line.value, {})[question.field] = wanted


def in_words(field: Field, value: Json) -> str:
    """What a field says, in the words of its form; empty where it says nothing."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_label(field, one) for one in value)
    return "" if value is None else _label(field, value)


def _label(field: Field, value: Json) -> str:
    return next((choice.label for choice in field.choices if choice.value == value), str(value))


def _fields(question: Question, form: Form, sheet: Sheet) -> Iterator[Field]:
    match question:
        case OneField(line=line, field=key, label=label):
            found = _field(form, line, key)
            if found is not None:
                value = _value(form, sheet, line, key)
                yield found._replace(key=f"{line}.{key}", label=label or found.label, value=value)
        case WhichLines(key=key, label=label, field=of, value=value, lines=lines):
            there = tuple(line for line in lines if _field(form, line.value, of) is not None)
            chosen: list[Json] = [one.value for one in there if _value(form, sheet, one.value, of) == value]
            if there:
                yield Field(key, label, "many", choices=there, value=chosen, optional=True)
        case EachLine(field=key, label=label):
            for line in question.asked(form, sheet):
                found = _field(form, line.value, key)
                if found is not None:
                    value = _value(form, sheet, line.value, key)
                    name = label.format(line.value)
                    yield found._replace(key=f"{line.value}.{key}", label=name, value=value)


def _choose(
    question: WhichLines,
    form: Form,
    after: dict[str, dict[str, Json]],
    said: Json,
    chosen: dict[tuple[str, str], WhichLines],
) -> None:
    """Let the chosen lines say it, and those that did and are not chosen any more the other thing."""
    wanted = set(map(str, cast(Sequence[Json], said))) if isinstance(said, list) else set[str]()
    for line in question.lines:
        if line.value in wanted:
            other = chosen.setdefault((line.value, question.field), question)
            if other is not question:
                problem = f"{line.value} cannot be both “{other.label}” and “{question.label}”"
                raise Refused([malformed(problem, line.value, legal="one of them")])
            after.setdefault(line.value, {})[question.field] = question.value
        elif (line.value, question.field) not in chosen and (
            _value(form, after, line.value, question.field) == question.value
        ):
            after.setdefault(line.value, {})[question.field] = question.otherwise


def _field(form: Form, line: str, key: str) -> Field | None:
    found = form.line(line)
    return None if found is None else next((field for field in found.fields if field.key == key), None)


def _value(form: Form, sheet: Mapping[str, Mapping[str, Json]], line: str, key: str) -> Json:
    """What a sheet says in a field; of a line that is not on it, what was filled in."""
    return sheet[line].get(key) if line in sheet else form.filled_in(line).get(key)


def _changed(form: Form, before: Sheet, after: Sheet) -> Sheet:
    found: Sheet = {}
    for key, line in after.items():
        changes = {name: value for name, value in line.items() if _value(form, before, key, name) != value}
        if changes:
            found[key] = changes
    return found
