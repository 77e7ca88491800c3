"""What an ask says at a glance: what is needed, what is going on, and what each line of its sheet says now.

A rulebook may say it well; where it does not, it is taken from the ask's title, text and form.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Json
from rules_engine.core.forms.forms import Field, Line

MOST_HEADING_WORDS = 6
MOST_NOW = 90
"""Letters of what a line says now."""
MOST_TEXT_SAID = 40
FEW_FIELDS = 3


class Question(NamedTuple):
    """What is needed, in ``heading``, of six words at most (``Contact in 1217``), and what is going on, in one
    sentence.

    ``hexes`` are those that it is about; none if it is about the whole map. A question about the ``whole`` turn names
    the turn as its heading (``Turn 29``), and what is new on the map is added to it. ``others`` says what becomes of
    lines that are not looked at (``go on as plotted``); of ``lines`` that stand for a force or the like, and are worth
    showing, the keys may be named, in their order (none: all lines).
    """

    heading: str
    situation: str = ""
    hexes: tuple[HexId, ...] = ()
    whole: bool = False
    others: str = "stay as they are"
    noun: str = ""
    lines: tuple[str, ...] = ()


class LineNow(NamedTuple):
    """What a line of a sheet says as the answer stands, ``now`` in a few words (``Stays and searches E27``).

    ``code`` is the short name of what it is about (``A6``), ``hexes`` where that is and where it goes; the first is
    where it stands. ``doubts`` are those of the ask's warnings that are about it, word for word.
    """

    now: str
    code: str = ""
    hexes: tuple[HexId, ...] = ()
    doubts: tuple[str, ...] = ()


def usual_question(title: str, text: str) -> Question:
    """A question as an ask's title and text have it."""
    return Question(first_words(title), first_sentence(text))


def first_words(title: str) -> str:
    """As much of a title as fits a heading: its first parts, or its first words."""
    parts = title.replace(": ", ", ").split(", ")
    for count in range(len(parts), 0, -1):
        words = ", ".join(parts[:count]).split()
        if len(words) <= MOST_HEADING_WORDS:
            return title[: len(" ".join(words))]
    return " ".join(title.split()[:MOST_HEADING_WORDS])


def first_sentence(text: str) -> str:
    """The first sentence of a text."""
    head, stop, _ = text.partition(". ")
    return f"{head}." if stop else text


def say_line(line: Line, values: Mapping[str, Json]) -> str:
    """The values of a line in a few words."""
    usual = line.filled_in()
    filled = {**usual, **values}
    changed = [field for field in line.fields if filled.get(field.key) != usual.get(field.key)]
    said = [
        words for field in changed or line.fields[:FEW_FIELDS] if (words := say_field(field, filled.get(field.key)))
    ]
    return _joined(said) or "Nothing"


def _joined(said: Sequence[str]) -> str:
    kept: list[str] = []
    for words in said:
        if sum(map(len, kept)) + len(words) > MOST_NOW and kept:
            return f"{', '.join(kept)} …"
        kept.append(words)
    return ", ".join(kept)


def say_field(field: Field, value: Json) -> str:
    """One value in words; nothing for what is left open."""
    labels = {choice.value: choice.label for choice in field.choices}
    match field.kind:
        case "one":
            return labels.get(str(value), str(value)) if value not in (None, "") else ""
        case "many":
            chosen = [labels.get(str(one), str(one)) for one in value] if isinstance(value, list) else []
            return ", ".join(chosen)
        case "flag":
            return field.label if value is True else ""
        case "number":
            return f"{field.label} {value}" if value not in (None, 0) else ""
        case "text":
            text = " ".join(str(value or "").split())
            return text if len(text) <= MOST_TEXT_SAID else f"{text[: MOST_TEXT_SAID - 1]}…"
