"""How coordinated forces look to others and to themselves: one counter, one glance. 2.10"""

from collections.abc import Mapping, Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.conditions.cloaks import faced, seen
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit

Parties = dict[Side, list[Unit]]
"""Units by the race whose counter stands for them."""


@rule("2.10")
def as_parties(state: CutlerState, viewer: Side, hex_id: HexId, found: Mapping[Side, list[Unit]]) -> Parties:
    """What a race has found of the others in a hex as it looks to it: the units of each race, those of a coordinated
    force together, by the race whose counter stands for them; its partners it tells from each other. 2.10, CU-R33"""
    parties: Parties = {}
    for race in [one for one in state.races() if one != viewer and found.get(one)]:
        force = state.coordination.force_of(race)
        as_one = [race] if viewer in force else [one for one in state.races() if one in force and found.get(one)]
        if race == as_one[0]:
            parties[counter_of(state, as_one, hex_id)] = [unit for one in as_one for unit in found[one]]
    return parties


@rule("2.10", "2.6.2.1")
def parties_seen(state: CutlerState, viewer: Side, hex_id: HexId) -> Parties:
    """The others in a hex as a race sees them; none that are hidden from it. 2.10, 2.6.2.1, CU-R33, CU-R37"""
    found = {race: seen(state, hex_id, race, viewer) for race in state.races_in(hex_id)}
    return as_parties(state, viewer, hex_id, found)


@rule("2.10", "3.1.3")
def parties_met(state: CutlerState, viewer: Side, hex_id: HexId) -> Parties:
    """Those of them whom it can meet there. 2.10, 3.1.3, CU-R33, CU-R37"""
    found = {race: faced(state, hex_id, race, viewer) for race in state.races_in(hex_id)}
    return as_parties(state, viewer, hex_id, found)


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
        for hex_id in sorted({unit.hex for unit in state.alive(race) if unit.has_counter and unit.hex in own})
        if (race, hex_id) not in known
    ]


def owners_of(state: CutlerState, units: list[Unit]) -> str:
    """Whose units these are, in words: ``Hydran and Lyran``."""
    races = {unit.race for unit in units}
    return " and ".join(state.name_of(race) for race in state.races() if race in races)
