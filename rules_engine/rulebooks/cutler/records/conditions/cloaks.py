"""Cloaks: who is hidden in a hex, and from whom. All that others than its owner see of a hex goes by this.

A cloaked unit is hidden in its hex unless it chose to show itself there (``engaged``), or a race with ships in the hex
found it in this impulse (``found_by``). 2.6.2.1, CU-R36, CU-R37, CU-N73
"""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit


@rule("2.6.2.1")
def can_cloak(unit: Unit) -> bool:
    """Whether it has a cloak that works: a prize's does not. 2.6.2.1, CU-R36, CU-N73"""
    return unit.record.cloak and unit.is_mobile and not unit.captured_from


@rule("2.6.1", "2.6.2.1")
def is_hidden(unit: Unit) -> bool:
    """Whether nobody sees it who has not found it; docked PFs nobody finds. 2.6.1, 2.6.2.1, CU-R23, CU-R37"""
    return bool(unit.docked_at) or (unit.cloaked and not unit.engaged)


@rule("2.6.2.1")
def hunts_in(state: CutlerState, race: Side, hex_id: HexId) -> bool:
    """Whether a race has ships in the hex, neither bases nor hidden, that bring what it found to battle. 2.6.2.1"""
    return any(not unit.is_station and not is_hidden(unit) for unit in state.units_in(hex_id, race))


def seen(state: CutlerState, hex_id: HexId, race: Side, viewer: Side) -> list[Unit]:
    """A race's units in the hex that are not hidden from another one, by id."""
    return [unit for unit in state.units_in(hex_id, race) if not is_hidden(unit) or viewer in unit.found_by]


@rule("2.6.2.1", "3.1.3")
def faced(state: CutlerState, hex_id: HexId, race: Side, viewer: Side) -> list[Unit]:
    """Those of them that the other one can meet there: who is found, only where it hunts.

    2.6.2.1, 3.1.3, CU-R37, CU-R49
    """
    units = seen(state, hex_id, race, viewer)
    if not any(map(is_hidden, units)) or hunts_in(state, viewer, hex_id):
        return units
    return [unit for unit in units if not is_hidden(unit)]


def open_races(state: CutlerState, hex_id: HexId) -> list[Side]:
    """The races with units in the hex that all others there see, in the scenario's order."""
    shown = {unit.race for unit in state.units_in(hex_id) if not is_hidden(unit)}
    return [race for race in state.races() if race in shown]


@rule("2.6.2.1")
def hunted_pairs(state: CutlerState, hex_id: HexId) -> list[tuple[Side, Side]]:
    """Who may fight whom in the hex only because it found that race's hidden ships: (finder, found). Partners are one
    force. 2.6.2.1, 2.10"""
    shown = open_races(state, hex_id)
    return [
        (finder, race)
        for finder in shown
        for race in state.races_in(hex_id)
        if race not in (*shown, *state.coordination.force_of(finder)) and faced(state, hex_id, race, finder)
    ]


def meeting_races(state: CutlerState, hex_id: HexId) -> list[Side]:
    """The races that meet in a hex, in the scenario's order: none of those that stay hidden there."""
    shown = open_races(state, hex_id)
    hunted = {race for pair in hunted_pairs(state, hex_id) for race in pair}
    return [race for race in state.races() if race in hunted or (len(shown) > 1 and race in shown)]
