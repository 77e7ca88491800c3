"""What an ask says at a glance: what is needed, what is going on, and what each line of its sheet says now.

A rulebook may say it well; where it does not, it is taken from the ask's title, text and form.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Json
from rules_engine.core.forms.forms import Field, Line, Sheet

MOST_HEADING_WORDS = 6
MOST_NOW = 90
"""Letters of what a line says now."""
MOST_CODE = 5
MOST_TEXT_SAID = 40
FEW_FIELDS = 3
MOST_OFFERS = 3


class UsualAnswer(NamedTuple):
    """A usual answer as one button: its ``label``, of three words at most, and what it puts into the sheet;
    ``is_grave`` if it cannot well be taken back, as an attack."""

    label: str
    values: Sheet
    is_grave: bool = False


class Question(NamedTuple):
    """What is needed, in ``heading``, of six words at most (``Contact in 1217``), and what is going on, in one
    sentence.

    ``hexes`` are those that it is about; none if it is about the whole map. A question about the ``whole`` turn names
    the turn as its heading (``Turn 29``), and how much of what is new on the map needs its reader is added to it,
    but for one that is ``plain``: where news only tell, and none is to be answered. ``others`` says what becomes of
    lines that are not looked at (``go on as plotted``); of ``lines`` that stand for a force or the like, and are worth
    showing, the keys may be named, in their order (none: all lines). ``noun`` is what such a line is (``force``).
    ``offers`` are usual answers, three at most.
    """

    heading: str
    situation: str = ""
    hexes: tuple[HexId, ...] = ()
    whole: bool = False
    plain: bool = False
    others: str = "stay as they are"
    noun: str = ""
    lines: tuple[str, ...] = ()
    offers: tuple[UsualAnswer, ...] = ()


def at_each(verb: str, targets: Mapping[str, Iterable[str]], *, is_grave: bool = False) -> tuple[UsualAnswer, ...]:
    """For each of the first few targets: that all lines which could, by their keys, name it in their field
    ``target``."""
    named = dict.fromkeys(target for some in targets.values() for target in some)
    return tuple(
        UsualAnswer(f"{verb} {one}", {key: {"target": one} for key, some in targets.items() if one in some}, is_grave)
        for one in [*named][:MOST_OFFERS]
    )


class LineNow(NamedTuple):
    """What a line of a sheet says as the answer stands, ``now`` in a few words (``Stays and searches E27``).

    ``code`` is the short name of what it is about (``A6``), ``hexes`` where that is and where it goes; the first is
    where it stands (none: where the side's counter of that name is). ``doubts`` are those of the ask's warnings that
    are about it, word for word.
    """

    now: str
    code: str = ""
    hexes: tuple[HexId, ...] = ()
    doubts: tuple[str, ...] = ()


def usual_lines(
    lines: Sequence[Line], sheet: Sheet, said: Sequence[str], warnings: Sequence[str], *, is_all: bool
) -> dict[str, LineNow]:
    """What lines say where the rulebook does not say it: what is read back of them, or else what is chosen there.

    If they are all there is (``is_all``) and but one, everything that is said is said of it.
    """
    if is_all and len(lines) == 1 and said:
        line = lines[0]
        code = line.key if is_code(line.key) else ""
        named = said[0].startswith((f"{line.label}:", f"{line.key}:"))
        first = _without_name(said[0], line) if named else said[0]
        return {line.key: LineNow(_shortened(" ".join([first, *said[1:]])), code, doubts=tuple(warnings))}
    known = {line.key: line for line in lines}
    told, doubts = _by_line(said, known.keys()), _by_line(warnings, known.keys())
    return {
        key: LineNow(
            _shortened(_without_name(told[key][0], line)) if key in told else say_line(line, sheet.get(key) or {}),
            code=key if is_code(key) else "",
            doubts=tuple(doubts.get(key, ())),
        )
        for key, line in known.items()
    }


def _by_line(said: Iterable[str], keys: Set[str]) -> dict[str, list[str]]:
    """Sentences by the line whose key they begin with."""
    found: dict[str, list[str]] = {}
    for one in said:
        key = one.split(" ", 1)[0].rstrip(":,")
        if key in keys:
            found.setdefault(key, []).append(one)
    return found


def is_code(key: str) -> bool:
    """Whether a key is a short name with a number, as people know it: A6, TF12."""
    return len(key) <= MOST_CODE and key[:1].isupper() and key[-1:].isdigit()


def _without_name(sentence: str, line: Line) -> str:
    """A sentence about something without its name at the beginning, and what stands in brackets behind that."""
    name = line.label if sentence.startswith(line.label) else line.key
    rest = sentence[len(name) :].lstrip(":, ")
    if rest.startswith("("):
        rest = rest.partition(")")[2].lstrip(":, ") or rest
    return f"{rest[:1].upper()}{rest[1:]}"


def _shortened(words: str) -> str:
    if len(words) <= MOST_NOW:
        return words
    return f"{words[: MOST_NOW - 2].rpartition(' ')[0].rstrip(' ,;')} …"


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
            return "" if value is None else f"{field.label} {value}"
        case "text":
            text = " ".join(str(value or "").split())
            return text if len(text) <= MOST_TEXT_SAID else f"{text[: MOST_TEXT_SAID - 1]}…"
