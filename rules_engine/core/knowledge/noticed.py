"""What the counters of a map tell by themselves: who meets whom, who is at whose places, and what was seen anew."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Owner, When
from rules_engine.core.basics.counted import counted, verb
from rules_engine.core.grids.places import MapPlaces
from rules_engine.core.knowledge.numbered import LONGEST_NAME, Happening, Rank, fitting, listed, short_name
from rules_engine.core.knowledge.views import Counter, Glimpse, HexNote, Knowledge

MOVERS = ("force", "convoy")
"""Forms of counters that come and go; others are noticed only when they are new."""
PLACES = {"settled": "in your settled hex", "base": "at your base", "planet": "at your planet"}
"""By mark of a hex: where someone is who is there."""
STAYING = {"base": "a base of theirs", "minefield": "a minefield"}
"""By form of a counter that never moves: what own forces found that are there."""
NEW, BETTER = 2_000, 1_000
"""How much heavier it is that somebody is new, or better known."""
MOST_COUNTED = 99
LONGEST_LABEL = 14
"""The letters of a counter's label that is cut; codes are shorter."""


class Looked(NamedTuple):
    """What a reader looks at: ``reader`` is the side (empty: nobody in particular), ``since`` when the turn began of
    which the news are told, ``knowledge`` what the reader was told, ``owners`` the names of sides and outsiders,
    ``friends`` others who act with the reader, and ``may`` what own forces may do that meet others (``attack or slip
    away``); ``says_levels`` is whether the names of levels tell a reader anything."""

    reader: Owner
    places: MapPlaces
    counters: Sequence[Counter]
    notes: Sequence[HexNote]
    since: When
    owners: Mapping[Owner, str]
    knowledge: Knowledge
    friends: Sequence[Owner] = ()
    may: str = ""
    says_levels: bool = True


class _Change(NamedTuple):
    """A counter of another with what it was before the turn: whether it is new, came here, or is better known."""

    counter: Counter
    is_new: bool = False
    came_from: HexId = ""
    was: str = ""

    @property
    def weight(self) -> int:
        """What is new first, then what is better known, then by grade."""
        is_new = bool(self.is_new or self.came_from)
        return NEW * is_new + BETTER * bool(self.was) + (self.counter.grade or 0)


def noticed(looked: Looked) -> Iterator[Happening]:
    """All that the counters tell, in no particular order."""
    if not looked.reader:
        yield from _several_sides(looked)
        return
    own: dict[HexId, list[Counter]] = {}
    for piece in looked.counters:
        if piece.owner == looked.reader and piece.form in MOVERS:
            own.setdefault(piece.hex, []).append(piece)
    homes = {note.hex: note for note in looked.notes if note.owner == looked.reader and PLACES.keys() & {*note.marks}}
    for hex_id, others in _others(looked).items():
        ours = own.get(hex_id)
        if ours:
            yield _meeting(looked, hex_id, others, ours)
        elif hex_id in homes:
            yield _threat(looked, hex_id, others, _at(homes[hex_id]), own)
        else:
            beside = [homes[one] for one in looked.places.neighbours(hex_id) if one in homes]
            moving = [one for one in others if one.counter.form in MOVERS]
            if beside and moving:
                yield _beside(looked, hex_id, moving, beside, own)
            elif seen := [one for one in others if one.weight >= BETTER]:
                yield _seen(looked, hex_id, seen, own)
    yield from _lost(looked, own)


# --- what has changed -------------------------------------------------------------------------------------------------


def _others(looked: Looked) -> dict[HexId, list[_Change]]:
    """The counters of others that are held, by hex, the most newsworthy first: all that move, and what is new."""
    found: dict[HexId, list[_Change]] = {}
    for piece in looked.counters:
        if piece.owner not in (looked.reader, *looked.friends) and piece.live and piece.hex in looked.places:
            change = _change(looked, piece)
            if piece.form in MOVERS or change.weight >= BETTER:
                found.setdefault(piece.hex, []).append(change)
    return {hex_id: sorted(some, key=lambda one: -one.weight) for hex_id, some in found.items()}


def _change(looked: Looked, piece: Counter) -> _Change:
    contact = looked.knowledge.contacts.get(piece.id)
    if contact is None:
        return _Change(piece)
    if _is_since(contact.first_seen, looked.since):
        return _Change(piece, is_new=True)
    before: Glimpse | None = None
    for seen in (*contact.history, contact.latest):
        if not _is_since(seen.when, looked.since):
            before = seen
    if before is None:
        return _Change(piece)
    came_from = before.hex if before.hex != piece.hex else ""
    better = piece.level is not None and piece.level > before.level
    return _Change(piece, came_from=came_from, was=before.level_name if better else "")


def _is_since(when: When, since: When) -> bool:
    return (when.turn, when.step) >= (since.turn, since.step)


# --- in words ---------------------------------------------------------------------------------------------------------


def _meeting(looked: Looked, hex_id: HexId, there: Sequence[_Change], ours: Sequence[Counter]) -> Happening:
    others = [one for one in there if one.counter.form in MOVERS]
    if not others:
        return _arrival(looked, hex_id, there, ours)
    fresh = [one for one in others if one.is_new or one.came_from]
    who, with_whom = _labels(others), listed(_names(ours))
    verb_of = verb(len(others), "meets", "meet")
    said = [f"{who} {verb_of} {with_whom}", f"{who} {verb_of} {counted(len(ours), 'force')}"]
    said.append(f"{counted(len(others), 'contact')}, {counted(len(ours), 'force')}")
    better = next((one for one in others if one.was), None)
    known = [] if better is None or fresh else _known(looked, better.counter)
    if better is not None and known:
        name = short_name(better.counter.label, LONGEST_LABEL)
        said = [f"{name} with {with_whom}, now {known[0]}", *(f"{name}, now {form}" for form in known), *said]
    elif not fresh:
        said = [f"{who} still with {with_whom}", f"{who} still with {counted(len(ours), 'force')}", *said[2:]]
    may = [f"{with_whom} may {looked.may}", f"Your forces may {looked.may}"] if looked.may else []
    return Happening(
        Rank.MEETING,
        hex_id,
        said,
        weight=_weight(others),
        aside=_aside(looked, others),
        note=_strengths(looked, others),
        choice=may,
    )


def _arrival(looked: Looked, hex_id: HexId, fixed: Sequence[_Change], ours: Sequence[Counter]) -> Happening:
    """Own forces found something that stays where it is."""
    what = STAYING.get(fixed[0].counter.form, short_name(fixed[0].counter.label, LONGEST_LABEL))
    said = [f"{listed(_names(ours))} found {what}", f"{counted(len(ours), 'force')} found {what}"]
    note = _strengths(looked, fixed)
    return Happening(Rank.MEETING, hex_id, said, weight=_weight(fixed), aside=_aside(looked, fixed), note=note)


def _threat(
    looked: Looked, hex_id: HexId, others: Sequence[_Change], where: str, own: Mapping[HexId, Sequence[Counter]]
) -> Happening:
    return Happening(
        Rank.THREAT,
        hex_id,
        [f"{_labels(others)} {where}", f"{counted(len(others), 'contact')} {where}"],
        weight=_weight(others) + 2 * NEW,
        aside=_aside(looked, others),
        note=_strengths(looked, others),
        choice=_nearest(looked.places, hex_id, own),
    )


def _beside(
    looked: Looked,
    hex_id: HexId,
    others: Sequence[_Change],
    homes: Sequence[HexNote],
    own: Mapping[HexId, Sequence[Counter]],
) -> Happening:
    who = _labels(others)
    wheres = [short_name(home.name, longest) for longest in (24, 10) for home in homes[:1] if home.name]
    here = looked.places.called(hex_id)
    wheres.append(looked.places.called(homes[0].hex))
    return Happening(
        Rank.THREAT,
        hex_id,
        [*(f"{who} in {here}, beside {where}" for where in wheres), f"{counted(len(others), 'contact')} in {here}"],
        weight=_weight(others),
        aside=_aside(looked, others),
        note=_strengths(looked, others),
        choice=_nearest(looked.places, hex_id, own),
        names_place=True,
    )


def _seen(
    looked: Looked, hex_id: HexId, others: Sequence[_Change], own: Mapping[HexId, Sequence[Counter]]
) -> Happening:
    first = others[0]
    name, known = short_name(first.counter.label, LONGEST_LABEL), _known(looked, first.counter)
    if len(others) > 1:
        said = [f"{_labels(others)} seen", f"{len(others)} contacts seen"]
    elif first.is_new:
        said = [*(f"{name} seen, {form}" for form in known), f"{name} seen"]
    elif first.came_from:
        said = [f"{name} came from {_where(looked, first.came_from)}"]
    else:
        said = [*(f"{name}, now {form}" for form in known), f"{name} better known"]
    return Happening(
        Rank.ELSE,
        hex_id,
        said,
        weight=_weight(others),
        aside=_aside(looked, others),
        note=_strengths(looked, others[1:]),
        choice=_nearest(looked.places, hex_id, own),
    )


def _lost(looked: Looked, own: Mapping[HexId, Sequence[Counter]]) -> Iterator[Happening]:
    """Contacts that were held when the turn began, and are no longer."""
    gone: dict[HexId, list[str]] = {}
    for piece in looked.counters:
        contact = looked.knowledge.contacts.get(piece.id)
        if contact is not None and not piece.live and contact.latest.when.turn >= looked.since.turn:
            gone.setdefault(piece.hex, []).append(short_name(piece.label, LONGEST_LABEL))
    for hex_id, labels in gone.items():
        if hex_id in looked.places:
            said = [f"{listed(labels)} lost from sight", f"{len(labels)} contacts lost from sight"]
            nearest = _nearest(looked.places, hex_id, own)
            yield Happening(Rank.ELSE, hex_id, said, aside="lost", choice=nearest)


def _several_sides(looked: Looked) -> Iterator[Happening]:
    """For a reader without a side: hexes in which movers of several owners are."""
    there: dict[HexId, dict[Owner, list[Counter]]] = {}
    for piece in looked.counters:
        if piece.form in MOVERS and piece.live and piece.hex in looked.places:
            there.setdefault(piece.hex, {}).setdefault(piece.owner, []).append(piece)
    for hex_id, owners in there.items():
        if len(owners) > 1:
            names = _called([looked.owners.get(owner, owner) or "unknown" for owner in owners])
            said = [f"{listed(names, len(names))} meet", f"{listed(names)} meet", f"{len(names)} sides meet"]
            yield Happening(Rank.MEETING, hex_id, said, weight=sum(map(len, owners.values())))


def _called(names: Sequence[str]) -> list[str]:
    """Names of sides in few letters: by their first word where that is enough to tell them apart."""
    first = [name if len(name) <= LONGEST_NAME else name.split(maxsplit=1)[0] for name in names]
    return [short_name(one) for one in (first if len({*first}) == len(names) else names)]


def _names(pieces: Iterable[Counter]) -> list[str]:
    return [short_name(piece.label, LONGEST_LABEL) for piece in pieces]


def _labels(others: Sequence[_Change]) -> str:
    return listed(_names(one.counter for one in others))


def _weight(others: Sequence[_Change]) -> int:
    return max(one.weight for one in others) + min(len(others), MOST_COUNTED)


def _where(looked: Looked, hex_id: HexId) -> str:
    """What a place is called in a few words."""
    return short_name(looked.places.called(hex_id))


def _aside(looked: Looked, others: Sequence[_Change]) -> str:
    first = others[0]
    if first.is_new:
        return "new"
    if first.came_from:
        return f"from {_where(looked, first.came_from)}"
    return f"was {first.was}" if first.was else ""


def _known(looked: Looked, piece: Counter) -> list[str]:
    """How well it is known, and how strong, in several lengths; nothing if neither is known."""
    ships = counted(piece.ships, "ship") if piece.ships else ""
    level = piece.level_name if looked.says_levels and piece.grade else ""
    forms = [", ".join(filter(None, (level, ships))), level, ships]
    return [form for form in dict.fromkeys(forms) if form]


def _strengths(looked: Looked, others: Sequence[_Change]) -> list[str]:
    """What is known of each of which anything is, as many as fit in a line."""
    parts = [
        f"{short_name(one.counter.label, LONGEST_LABEL)}: {known[0]}"
        for one in others
        if (known := _known(looked, one.counter))
    ]
    return [" · ".join(parts[:count]) for count in range(min(len(parts), 4), 0, -1)]


def _at(home: HexNote) -> str:
    return next(said for mark, said in PLACES.items() if mark in home.marks)


def _nearest(places: MapPlaces, hex_id: HexId, own: Mapping[HexId, Sequence[Counter]]) -> list[str]:
    """Which own forces are nearest, and how far; in the hex itself they are not told."""
    ways = ((places.distance(hex_id, here), here) for here in own if here in places)
    there = [(far, here) for far, here in ways if far is not None]
    far, _ = min(there, default=(0, ""))
    if not far:
        return []
    names = [name for distance, here in sorted(there) if distance == far for name in _names(own[here])]
    away = f"{verb(len(names), 'is', 'are')} {f'one {places.step}' if far == 1 else counted(far, places.step)} away"
    return [form for form in (f"{listed(names)} {away}", f"{len(names)} forces {away}") if fitting([form])]
