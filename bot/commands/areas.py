"""What ``/map area:`` may show: numbered places, forces, contacts, places, hexes, by the names that a reader knows."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from bot.errors import Sorry
from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import nearest
from rules_engine.core.grids.places import UnknownPlace
from rules_engine.core.knowledge.views import Board, Counter

MOST_TYPED = 100
"""Characters of an area."""

INSIDE = "inside"
"""Before the name of a system: its own map."""

Area = tuple[HexId, ...] | int
"""The hexes that are to be shown, or the rank of a numbered place, from 1."""


class Landmark(NamedTuple):
    """Something on a map that has a name: how a completion shows it, what is typed for it, and where it is."""

    shown: str
    typed: str
    area: Area


def landmarks(board: Board, side: str | None = None) -> list[Landmark]:
    """All that has a name on this board: numbered places, forces of ``side``, other counters, places; on a map of lanes
    its parts, too."""
    counters = (*_counters(board, side, own=True), *_counters(board, side, own=False))
    return [*_numbered(board), *counters, *_places(board), *_parts(board)]


def _told_apart(found: list[Landmark]) -> list[Landmark]:
    """Those of one name in several hexes with the hex that each is in: ``Battle at 0407``."""
    hexes: dict[str, set[Area]] = {}
    for one in found:
        hexes.setdefault(_plain(one.typed), set()).add(one.area)
    return [_at_its_hex(one) if len(hexes[_plain(one.typed)]) > 1 else one for one in found]


def _at_its_hex(one: Landmark) -> Landmark:
    """A landmark by its name and its hex; a numbered place has its number."""
    if isinstance(one.area, int):
        return one
    name = one.area[0]
    if len(one.area) > 1:
        return one
    rest = [part for part in one.shown.removeprefix(one.typed).split(" · ") if part != name]
    return Landmark(f"{one.typed} at {name}{' · '.join(rest)}", f"{one.typed} at {name}", one.area)


def _numbered(board: Board) -> Iterator[Landmark]:
    for rank, one in enumerate(board.news, start=1):
        yield Landmark(f"{rank} · {one.title}: {one.fact}", str(rank), rank)


def _counters(board: Board, side: str | None, *, own: bool) -> Iterator[Landmark]:
    for one in board.counters:
        is_own = one.owner == side and one.level is None
        if is_own == own and one.hex in board.places and one.label.strip():
            yield Landmark(_shown(board, one, own=own), one.label.strip(), (one.hex,))


def _shown(board: Board, one: Counter, *, own: bool) -> str:
    ships = counted(one.ships, "ship") if one.ships else ""
    owner = "" if own else board.name_of(one.owner)
    age = "" if one.live else f"{counted(one.age, 'turn')} ago"
    words = (f"{one.label} {one.sub}".strip(), owner, one.level_name, ships, board.places.called(one.hex), age)
    return " · ".join(word for word in words if word)


def _places(board: Board) -> Iterator[Landmark]:
    for note in board.hexes:
        if note.name.strip() and note.hex in board.places:
            number = f" · {note.hex}" if board.places.is_numbered else ""
            yield Landmark(f"{note.name.strip()}{number}", note.name.strip(), (note.hex,))


def _parts(board: Board) -> Iterator[Landmark]:
    """The sectors and galaxies that a reader knows of a map of lanes, and the maps of systems."""
    if board.chart is None:
        return
    for one in board.chart.regions:
        yield Landmark(f"{one.name} · {one.level}", one.name, one.systems)
    inner: dict[HexId, list[HexId]] = {}
    for planet in board.chart.planets:
        inner.setdefault(planet.system, []).append(planet.id)
    for system, planets in inner.items():
        name = f"{INSIDE} {board.chart.called(system)}"
        yield Landmark(f"{name} · map of the system", name, tuple(planets))


def offered(board: Board, side: str | None, typed: str) -> list[tuple[str, str]]:
    """Completions of what is typed: landmarks that have it in them, those that begin with it first, then hexes."""
    wanted = _plain(typed)
    apart = _told_apart(landmarks(board, side))
    found = [one for one in apart if wanted in _plain(one.shown) and len(one.typed) <= MOST_TYPED]
    found.sort(key=lambda one: not _plain(one.typed).startswith(wanted))
    offers = {one.typed: one.shown for one in reversed(found)}  # of one name the first is kept
    ordered = [(offers[name], name) for name in dict.fromkeys(one.typed for one in found)]
    if wanted.isdigit() and board.places.is_numbered:
        ordered += [(f"around {name}", name) for name in board.places.ids() if name.startswith(wanted)]
    hexed = _hex_off_hand(board, wanted)
    if hexed is not None and hexed not in {name for _, name in ordered}:
        ordered.append((f"around {hexed}", hexed))
    return ordered


def _hex_off_hand(board: Board, typed: str) -> HexId | None:
    """The hex of an unbounded sheet that is typed; its hexes cannot be listed. None on any other map."""
    if board.tactical is None:
        return None
    try:
        return board.places.parse(typed)
    except UnknownPlace:
        return None


def area_of(board: Board, typed: str | None, side: str | None = None) -> Area | None:
    """What an area that somebody typed is on this board; None for the whole map.

    One name (``A1``, ``Scene Flow``, ``0412``) or several, which the area lies around (``0210 0515``; ``A1, Dusk``).

    Raises:
        Sorry: naming what is not on it.
    """
    if not typed or not typed.strip():
        return None
    known = _known(board, side)
    if (whole := known.get(_plain(typed))) is not None:
        return whole
    hexes = [name for part in typed.split(",") if part.strip() for name in _hexes_of(board, side, known, part)]
    if not hexes:
        raise Sorry("That names no force, contact, place or hex of this map.", code="unknown-hex")
    return tuple(dict.fromkeys(hexes))


def _known(board: Board, side: str | None) -> dict[str, Area]:
    """Each name with what it stands for; a hex before all else, and one that several have for all of them, unless it
    is said with the hex of one."""
    known: dict[str, Area] = {name: (name,) for name in board.places.ids()}
    if not board.places.is_numbered:
        known |= {_plain(board.places.called(name)): (name,) for name in board.places.ids()}
    every = landmarks(board, side)
    known |= {_plain(one.typed): one.area for one in map(_at_its_hex, every) if not isinstance(one.area, int)}
    for one in sorted(every, key=lambda one: isinstance(one.area, int)):
        name = _plain(one.typed)
        there = known.get(name)
        if there is None:
            known[name] = one.area
        elif isinstance(there, tuple) and isinstance(one.area, tuple) and name not in board.places:
            known[name] = tuple(dict.fromkeys((*there, *one.area)))
    return known


def _hexes_of(board: Board, side: str | None, known: dict[str, Area], part: str) -> tuple[HexId, ...]:
    """The hexes of one part of an area, which is one name, or several of one word each."""
    whole = known.get(_plain(part))
    if whole is not None:
        return _around(board, whole)
    if (hexed := _hex_off_hand(board, part)) is not None:
        return (hexed,)
    found: list[HexId] = []
    for word in re.split(r"[\s-]+", part.strip()):
        meant = known.get(_plain(word))
        if meant is None and (hexed := _hex_off_hand(board, word)) is not None:
            meant = (hexed,)
        if word and meant is None:
            raise _unknown(board, side, word, part.strip())
        found += _around(board, meant) if meant is not None else ()
    return tuple(found)


def _around(board: Board, area: Area) -> tuple[HexId, ...]:
    return board.news[area - 1].hexes if isinstance(area, int) else area


def _unknown(board: Board, side: str | None, word: str, part: str) -> Sorry:
    if word.isdigit() and board.places.is_numbered and board.tactical is None:
        hexes = board.places.ids()
        near = nearest(word, set(hexes))
        legal = f"“{word[:20]}” is not a hex of this map. The map goes from {hexes[0]} to {hexes[-1]}."
    else:
        names = [one.typed for one in landmarks(board, side) if not isinstance(one.area, int)]
        near = nearest(_plain(part), names) or nearest(_plain(word), names)
        also = ", and it is not a hex of this map" if board.places.is_numbered else ""
        legal = f"You know no force, contact or place called “{part[:40]}”{also}."
    return Sorry(legal + (f" Did you mean {near[0]}?" if near else ""), code="unknown-hex")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
