"""In words what a map shows at a glance: its numbered places, its header, and how strong counters are."""

import unicodedata
from collections.abc import Callable, Iterable

from rules_engine.core.knowledge.glance import News
from rules_engine.core.knowledge.views import Board, Counter, Course

_WHOLE = 100


def words_of(text: str, longest: int = 400) -> str:
    """A name as it may stand in a text: one line of limited length, without control and direction characters."""
    if not text.isprintable():
        text = "".join(" " if char.isspace() else char for char in text if not _is_control(char))
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def _is_control(char: str) -> bool:
    # Joiners stay: emoji and some scripts need them, and they do not change the direction of a text.
    return unicodedata.category(char) in ("Cc", "Cf", "Cs") and char not in "\t\n\r\u200c\u200d"


Numbered = tuple[tuple[int, News], ...]
"""Numbered places with their numbers."""


def facts_of(numbered: Numbered) -> str:
    """The numbered places, as a text begins with them: ``1. Gorge: E1 meets A2 (new). 2. …``; "" without any."""
    return " ".join(f"{number}. {_fact(place)}." for number, place in numbered)


def places_of(numbered: Numbered, called: Callable[[str], str] = str) -> Iterable[str]:
    """Each numbered place with all that is said about it."""
    for number, place in numbered:
        said = [f"in {' and '.join(map(called, place.hexes))}", words_of(place.note), words_of(place.choice)]
        yield f"{number}. {_fact(place)}; {'; '.join(filter(None, said))}"


def _fact(place: News) -> str:
    aside = words_of(place.aside)
    return f"{words_of(place.fact).rstrip('.')}{f' ({aside})' if aside else ''}"


def header_of(board: Board) -> Iterable[str]:
    """What stands above the map besides the turn, a line each."""
    header = board.header
    if (track := header.track) is not None:
        said = [f"{words_of(track.label)} {words_of(track.number) or f'{track.value:+d}'}", words_of(track.said)]
        yield ", ".join(filter(None, said))
    if header.tallies:
        counts = ", ".join(f"{words_of(board.name_of(one.owner))} {one.count}" for one in header.tallies)
        yield f"{words_of(header.tallied) or 'Held'}: {counts}"
    yield from (f"{words_of(one.value)} {words_of(one.said)}" for one in header.figures)


def strength_of(piece: Counter) -> list[str]:
    """How many ships a counter has, what damage has left of them, and whether it is in port."""
    words = [f"{piece.ships} ship{'s' if piece.ships > 1 else ''}"] if piece.ships and piece.form != "base" else []
    if piece.whole is not None and piece.whole < _WHOLE:
        words.append(f"{piece.whole} % whole")
    if piece.docked and "port" not in piece.sub:
        words.append("in port")
    return words


def stages_of(course: Course, called: Callable[[str], str] = str) -> str:
    """Where its turns end: ``T30 at 0706, T31 at 0607``."""
    last = len(course.hexes) - 1
    ends = [one for one in course.stages if one.after]
    return ", ".join(f"{words_of(one.said)} at {called(course.hexes[min(one.after, last)])}" for one in ends)
