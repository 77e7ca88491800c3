"""Which of the things that somebody was told a sentence on their map rests on: by the hexes and the names in both.

A map's numbered places are made from what a board shows, the reports are made as play goes on; both speak of the same
hexes, contacts and forces in the reader's own words.
"""

import re
from collections.abc import Collection, Iterable, Sequence

from rules_engine.core.knowledge.reports import Report, Sighted

MOST_REASONS = 3
"""Reports that are given for one sentence."""

_WORD = re.compile(r"\w+")
_SHORTEST = 3
"""Letters of a word that tells something; codes such as E1 have a digit and may be shorter."""


def reports_of(hexes: Collection[str], sentence: str, reports: Sequence[Report]) -> list[int]:
    """Where among ``reports`` those stand that say why ``sentence``, which is about ``hexes``, holds: of those that
    speak of one of the hexes and share the most words with it the newest, in order; none if none has a why."""
    wanted = {word for word in _words([sentence]) if _tells(word)} - {one.casefold() for one in hexes}
    found: list[tuple[int, int]] = []
    for place, report in enumerate(reports):
        if report.why is None or not is_about(hexes, report):
            continue
        found.append((len(wanted & _words([report.text, *(value for _, value in report.why.inputs)])), place))
    most = max((shared for shared, _ in found), default=0)
    return [place for shared, place in found if shared == most][-MOST_REASONS:]


def is_about(hexes: Collection[str], report: Report) -> bool:
    """Whether a report speaks of one of these hexes, or shows something there."""
    if any(isinstance(fact, Sighted) and fact.hex in hexes for fact in report.facts):
        return True
    text = _phrase(report.text)
    return any(said in text for said in map(_phrase, hexes) if said.strip())


def _phrase(text: str) -> str:
    """The words of a text with a space on either side of each: ``wolf-359`` is said where Wolf 359 is."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in _WORD.findall(text.casefold())}


def _tells(word: str) -> bool:
    return len(word) >= _SHORTEST or any(char.isdigit() for char in word)
