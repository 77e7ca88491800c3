"""What empires see of others: groups where their own units are, as empire and number of units. JL-R42"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.reports import Fact, Lost, Sighted, because
from rules_engine.rulebooks.jump_lanes.records.places import PlaceId, system_of
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn
from rules_engine.rulebooks.jump_lanes.records.units import SPACE_KINDS, Unit

SEEN = 1
"""How well a group is known that stands where own units are: whose it is, and how many units."""
MET = 4
"""How well one is known that was met in an encounter: its units by name."""
LEVEL_NAMES = {SEEN: "seen", MET: "met"}


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
    found += [Present(f"@{at}/{who}", who, at, "base", tuple(units)) for (at, who), units in sorted(standing.items())]
    return found


def systems_held(state: LanesState, empire: Side) -> set[str]:
    """The systems in which an empire has units, whatever they are."""
    places = [one.at for one in state.squadrons.values() if one.empire == empire and one.at]
    places += [unit.at for unit in state.units.values() if unit.empire == empire and unit.at]
    return {system_of(place) for place in places}


def look_around(turn: LanesTurn, met: Mapping[Side, Iterable[str]] | None = None) -> None:
    """Tell each empire what it sees of others now, and what it sees no longer. ``met`` are the groups that each empire
    met in an encounter since the last look. JL-R42"""
    state = turn.state
    present = present_groups(state)
    for empire in state.empires:
        held = systems_held(state, empire)
        seen = [one for one in present if one.empire != empire and system_of(one.at) in held]
        _tell(turn, empire, seen, {*(met or {}).get(empire, ())})


def _tell(turn: LanesTurn, empire: Side, seen: list[Present], met: set[str]) -> None:
    """Tell one empire what is new of what it sees, and drop what it sees no longer."""
    tracks = turn.state.empires[empire].tracks
    known = turn.knowledge(empire).contacts
    facts: list[Fact] = []
    said: list[str] = []
    in_sight = {one.key for one in seen}
    for key in [key for key in sorted(tracks.current) if key not in in_sight]:
        number = tracks.drop(key)
        if number is not None:
            facts.append(Lost(track=number))
            said.append(f"{number} is out of sight")
    for one in seen:
        number = tracks.issue(one.key)
        contact = known.get(number)
        was_met = contact is not None and contact.live and contact.latest.level == MET
        fact = _sighted(turn.state, one, number, MET if one.key in met or was_met else SEEN)
        latest = None if contact is None or not contact.live else contact.latest
        if latest is None or (latest.hex, latest.level, latest.headline) != (fact.hex, fact.level, fact.headline):
            facts.append(fact)
            name = turn.name_of(one.empire)
            said.append(f"{number} at {turn.state.place_name(one.at)}: {name}, {fact.headline}")
    if facts:
        turn.tell([empire], f"{'; '.join(said)}.", kind="contact", facts=facts, why=because("JL-R42"))


def _sighted(state: LanesState, one: Present, track: str, level: int) -> Sighted:
    units = [state.units[key] for key in one.units]
    return Sighted(
        track=track,
        hex=one.at,
        form=one.form,
        level=level,
        level_name=LEVEL_NAMES[level],
        headline=_headline(units, level),
        owner=one.empire,
    )


def _headline(units: list[Unit], level: int) -> str:
    return ", ".join(sorted(unit.name for unit in units)) if level == MET else counted(len(units), "unit")
