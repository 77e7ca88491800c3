"""How coordinated forces look to others and to themselves: one counter, one glance. 2.10"""

from collections.abc import Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit


@rule("2.10")
def seen_as_one(state: CutlerState, viewer: Side, race: Side, hex_id: HexId) -> list[Side]:
    """The races in a hex that are one force with this one for others; its partners tell it from themselves. 2.10"""
    force = state.coordination.force_of(race)
    return [race] if viewer in force else [one for one in state.races_in(hex_id) if one in force]


@rule("2.10")
def parties_seen(state: CutlerState, viewer: Side, hex_id: HexId) -> dict[Side, list[Unit]]:
    """The others in a hex as a race sees them: the units of each race, those of a coordinated force together, by the
    race whose counter stands for them. 2.10, CU-R33"""
    seen: dict[Side, list[Unit]] = {}
    for race in state.races_in(hex_id):
        as_one = seen_as_one(state, viewer, race, hex_id)
        if race == as_one[0] and race != viewer:
            units = [unit for one in as_one for unit in state.units_in(hex_id, one)]
            seen[counter_of(state, as_one, hex_id)] = units
    return seen


@rule("2.10")
def counter_of(state: CutlerState, as_one: Sequence[Side], hex_id: HexId) -> Side:
    """The race whose counter stands for these, of one force, in a hex; of those without counters the first. 2.10"""
    counters = [race for race, at in state.counters() if at == hex_id and race in as_one]
    return counters[0] if counters else as_one[0]


@rule("2.10")
def counters_for(state: CutlerState, viewer: Side) -> list[tuple[Side, HexId]]:
    """The counters that a race knows of: all on the map, and those of its partners under one of them where it is with
    them. 2.10"""
    known = state.counters()
    partners = [race for race in state.coordination.force_of(viewer) if race != viewer]
    if not partners:
        return known
    own = {unit.hex for unit in state.alive(viewer)}
    return known + [
        (race, hex_id)
        for race in partners
        for hex_id in sorted({unit.hex for unit in state.alive(race) if unit.is_cu and unit.hex in own})
        if (race, hex_id) not in known
    ]


def owners_of(state: CutlerState, units: list[Unit]) -> str:
    """Whose units these are, in words: ``Hydran and Lyran``."""
    races = {unit.race for unit in units}
    return " and ".join(state.name_of(race) for race in state.races() if race in races)
