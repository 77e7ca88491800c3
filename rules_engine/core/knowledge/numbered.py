"""Which places of a map are numbered, and in which order: decided from what the reader knows alone.

A rulebook says what happened, hex by hex (:class:`Happening`); what its counters tell by themselves is found in
:mod:`~rules_engine.core.knowledge.noticed`. Here it is put in order, what lies near each other shares a place, and the
sentences are fitted.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.places import MapPlaces
from rules_engine.core.knowledge.glance import LONGEST_ASIDE, LONGEST_FACT, MOST_NEWS, News

LONGEST_NAME = 10
"""The letters of a name that is cut."""


class Rank(IntEnum):
    """What comes first."""

    BATTLE = 0
    """Battles, and the reader's own losses."""
    MEETING = 1
    """Contacts in hexes of own forces; for a reader without a side, hexes in which several sides are."""
    THREAT = 2
    """Contacts in the reader's own places, and beside them."""
    ELSE = 3
    """All else that is new."""


class Happening(NamedTuple):
    """Something that the reader is to notice in a hex.

    ``said`` is one sentence without the place, in several lengths, the longest first; ``names_place`` is whether it
    names the place itself, ``idle`` that its reader can do nothing about it now. Of the same rank what has more
    ``weight`` comes first. ``aside``, ``note`` and ``choice`` are those of
    :class:`~rules_engine.core.knowledge.glance.News`, the last two in several lengths too.
    """

    rank: Rank
    hex: HexId
    said: Sequence[str]
    weight: int = 0
    aside: str = ""
    note: Sequence[str] = ()
    choice: Sequence[str] = ()
    names_place: bool = False
    idle: bool = False


def numbered_places(happenings: Iterable[Happening], places: MapPlaces, names: Mapping[HexId, str]) -> tuple[News, ...]:
    """The numbered places, the first three of all; ``names`` are those of places that the reader knows."""
    found: list[list[Happening]] = []
    for one in sorted(happenings, key=_order):
        if one.hex not in places:
            continue
        ways = ((places.distance(some[0].hex, one.hex), number) for number, some in enumerate(found))
        far, number = min(((far, number) for far, number in ways if far is not None), default=(places.near, 0))
        if far < places.near:
            found[number].append(one)
        elif len(found) < MOST_NEWS:
            found.append([one])
    return tuple(_news(some, places, names) for some in found)


def _order(one: Happening) -> tuple[int, int, HexId, Sequence[str]]:
    return one.rank, -one.weight, one.hex, one.said


def _news(place: Sequence[Happening], places: MapPlaces, names: Mapping[HexId, str]) -> News:
    first = place[0]
    elsewhere = [one for one in place if one.hex != first.hex]
    note = (_sentence(elsewhere[0], places, names) if elsewhere else "") or fitting(first.note)
    return News(
        hexes=tuple(dict.fromkeys(one.hex for one in place)),
        title=_title(first, places, names),
        fact=_sentence(first, places, names),
        aside=first.aside[:LONGEST_ASIDE],
        note=note,
        choice=fitting([said for one in place for said in one.choice]),
        idle=all(one.idle for one in place),
    )


def _title(first: Happening, places: MapPlaces, names: Mapping[HexId, str]) -> str:
    """The name of a place with its hex; where it has none, what is there. Where places have no numbers, its name."""
    if not places.is_numbered:
        return short_name(names.get(first.hex) or places.called(first.hex), LONGEST_FACT)
    if name := names.get(first.hex):
        return f"{short_name(name, LONGEST_FACT - len(first.hex) - 1)} {first.hex}"
    return f"{'Battle' if first.rank is Rank.BATTLE else 'Hex'} {first.hex}"


def _sentence(one: Happening, places: MapPlaces, names: Mapping[HexId, str]) -> str:
    """The longest form of the sentence that fits with the name of its place, or a shorter name, or its hex."""
    number = one.hex if places.is_numbered else short_name(places.called(one.hex))
    if one.names_place:
        return fitting(one.said) or number
    name = names.get(one.hex, "") if places.is_numbered else names.get(one.hex) or places.called(one.hex)
    wheres = dict.fromkeys([name, short_name(name), number] if name else [number])
    return fitting([f"{where}: {said}" for said in one.said if said for where in wheres]) or number


def fitting(forms: Iterable[str]) -> str:
    """The first form that is no longer than a fact may be; "" if there is none."""
    return next((form for form in forms if 0 < len(form) <= LONGEST_FACT), "")


def short_name(name: str, longest: int = LONGEST_NAME) -> str:
    """A name, cut to so many letters."""
    return name if len(name) <= longest else f"{name[: longest - 1].rstrip()}…"


def listed(words: Sequence[str], most: int = 2) -> str:
    """A few words as a list: ``E27``, ``E27 and E30``, ``E27, E30 and 2 more``."""
    if len(words) <= most:
        return " and ".join(words)
    return f"{', '.join(words[:most])} and {len(words) - most} more"
