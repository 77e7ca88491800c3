"""What empires see of others: groups where their own units are, as empire and number of units. JL-R42"""

from collections.abc import Collection, Iterable, Mapping
from itertools import groupby
from typing import NamedTuple

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.reports import Fact, Lost, Sighted, because
from rules_engine.core.knowledge.views import track_order
from rules_engine.rulebooks.jump_lanes.records.places import PlaceId, system_of
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn
from rules_engine.rulebooks.jump_lanes.records.units import SPACE_KINDS

SEEN = 1
"""How well a group is known that stands where own units are: whose it is, and how many units."""
MET = 4
"""How well one is known that was met in an encounter: its units by name."""
LEVEL_NAMES = {SEEN: "seen", MET: "met"}
STATION, BASE = "station", "base"
"""What of others stands by itself, and what of that is known to have a starbase in it."""
NAMES = ", "
"""Between the names of units."""


class Present(NamedTuple):
    """What of an empire may be seen at a place: a squadron, or the space units that stand there by themselves."""

    key: str
    empire: Side
    at: PlaceId
    form: str
    units: tuple[str, ...]


def present_groups(state: LanesState) -> list[Present]:
    """All that stands at places, in a fixed order."""
    found = [
        Present(key, one.empire, one.at, "force", tuple(unit.id for unit in state.members(key)))
        for key, one in sorted(state.squadrons.items())
        if one.at
    ]
    standing: dict[tuple[PlaceId, Side], list[str]] = {}
    for key in sorted(state.units):
        unit = state.units[key]
        if unit.at and unit.kind in SPACE_KINDS:
            standing.setdefault((unit.at, unit.empire), []).append(key)
    found += [Present(f"@{at}/{who}", who, at, STATION, tuple(units)) for (at, who), units in sorted(standing.items())]
    return found


def systems_held(state: LanesState, empire: Side) -> set[str]:
    """The systems in which an empire has units, whatever they are."""
    places = [one.at for one in state.squadrons.values() if one.empire == empire and one.at]
    places += [unit.at for unit in state.units.values() if unit.empire == empire and unit.at]
    return {system_of(place) for place in places}


def look_around(
    turn: LanesTurn,
    met: Mapping[Side, Iterable[str]] | None = None,
    *,
    units: Mapping[Side, Collection[str]] | None = None,
) -> None:
    """Tell each empire what it sees of others now, and what it sees no longer. ``met`` are the groups that each empire
    met in an encounter since the last look, ``units`` the single units that it met in this turn, whatever group they
    are of now. JL-R42, JL-R46"""
    state = turn.state
    present = present_groups(state)
    for empire in state.empires:
        held = systems_held(state, empire)
        seen = [one for one in present if one.empire != empire and system_of(one.at) in held]
        groups = {*(met or {}).get(empire, ())}
        known = (units or {}).get(empire, ())
        told = {key for one in seen for key in one.units if one.key in groups or key in known}
        _tell(turn, empire, seen, told)


def _tell(turn: LanesTurn, empire: Side, seen: list[Present], met: set[str]) -> None:
    """Tell one empire what is new of what it sees, and drop what it sees no longer; ``met`` are units by id."""
    tracks = turn.state.empires[empire].tracks
    known = turn.knowledge(empire).contacts
    facts: list[Fact] = []
    said: list[str] = []
    in_sight = {one.key for one in seen}
    gone = {number: key for key, number in tracks.current.items() if key not in in_sight}
    for number in sorted(gone, key=track_order):
        tracks.drop(gone[number])
        facts.append(Lost(track=number))
        said.append(f"{number} is out of sight")
    for one in _as_they_look(turn, empire, [one for one in seen if one.key not in tracks.current]):
        tracks.issue(one.key)
    for number, one in sorted(((tracks.issue(one.key), one) for one in seen), key=lambda two: track_order(two[0])):
        contact = known.get(number)
        latest = None if contact is None or not contact.live else contact.latest
        before = latest.headline if latest is not None and latest.level == MET else ""
        fact = _sighted(turn.state, one, number, met=met, before=before)
        if latest is None or (latest.hex, latest.level, latest.headline) != (fact.hex, fact.level, fact.headline):
            facts.append(fact)
            name = turn.name_of(one.empire)
            said.append(f"{number} at {turn.state.place_name(one.at)}: {name}, {fact.headline}")
    if facts:
        turn.tell([empire], f"{'; '.join(said)}.", kind="contact", facts=facts, why=because("JL-R42"))


def _as_they_look(turn: LanesTurn, empire: Side, new: Iterable[Present]) -> list[Present]:
    """Groups that come into sight, in the order in which they get their numbers: by what is seen of them, and those
    that look alike as the dice fall. Else the numbers would follow the names that their owner gives them, and one that
    was out of sight could be told from another."""
    ordered: list[Present] = []
    for _, alike in groupby(sorted(new, key=_look), key=_look):
        left = list(alike)
        while len(left) > 1:
            drawn = turn.roll("order of sighting", faces=len(left), key=f"sighting/{empire}", seen_by=[])
            ordered.append(left.pop(drawn.total - 1))
        ordered += left
    return ordered


def _look(one: Present) -> tuple[PlaceId, Side, bool, int]:
    return one.at, one.empire, one.form == STATION, len(one.units)


def _sighted(state: LanesState, one: Present, track: str, *, met: set[str], before: str) -> Sighted:
    """What is seen of a group: its units by name that were ``met`` in this turn or ``before`` (what was said of it
    then), and how many others there are. Of what stands by itself only who met it can tell whether it is a starbase or
    a satellite. JL-R42, JL-R46"""
    units = [state.units[key] for key in one.units]
    known = before.split(NAMES)
    told = [unit for unit in units if unit.id in met or unit.name in known]
    named = sorted(unit.name for unit in told)
    has_base = one.form == STATION and any(unit.kind == "starbase" for unit in told)
    others = len(units) - len(named)
    level = MET if named else SEEN
    headline = NAMES.join([*named, *([f"{others} more"] if others else [])]) if named else counted(others, "unit")
    return Sighted(
        track=track,
        hex=one.at,
        form=BASE if has_base else one.form,
        level=level,
        level_name=LEVEL_NAMES[level],
        headline=headline,
        owner=one.empire,
    )


def units_seen(headline: str, level: int) -> int | None:
    """How many units a sighting tells of, from its words; None if it does not tell."""
    *first, last = headline.split(NAMES)
    number = last.partition(" ")[0]
    count = int(number) if number.isdecimal() and (level == SEEN or last.endswith(" more")) else None
    if level == MET:
        return len(first) + (1 if count is None else count)
    return count
