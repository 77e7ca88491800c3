"""Step 1: who is in supply. The text leaves it to a section that we do not have; BP-R32 stands in."""

from collections.abc import Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.ch20_pinning.strength import standing_of
from rules_engine.rulebooks.border_patrol.ch60_reaction.zones import is_in_zone
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import NEUTRALS, Unit
from rules_engine.rulebooks.border_patrol.stacks import is_seen


@rule("V8.13")
def determine_supply(state: BorderState) -> None:
    """Fix for the turn who is in supply: whose hex a source of its Team reaches. V8.13, BP-R32"""
    for team in state.teams:
        reached = supplied_hexes(state, team)
        for unit in state.units.values():
            if unit.team == team:
                unit.in_supply = unit.hex in reached


def supplied_hexes(state: BorderState, team: Side) -> frozenset[HexId]:
    """The hexes that are within reach of a Team's bases and star systems, by ways that nobody bars. Who is under cloak
    is supplied among others, but opens no way to own units behind, whose supply shows in what they score. BP-N18"""
    closed = frozenset(_barred(state, team, [unit for unit in _own(state, team) if is_seen(unit)]))
    barred = frozenset(_barred(state, team, _own(state, team)))
    found = [one for one in sources(state, team) if one not in barred]
    reached = dict.fromkeys(found)
    for _ in range(state.supply.reach):
        around = [one for hex_id in found if hex_id not in closed for one in state.grid.neighbours(hex_id)]
        found = [one for one in dict.fromkeys(around) if one not in barred and one not in reached]
        reached |= dict.fromkeys(found)
    return frozenset(reached)


def sources(state: BorderState, team: Side) -> list[HexId]:
    """The hexes of a Team's bases and star systems."""
    bases = [unit.hex for _, unit in sorted(state.units.items()) if unit.kind == "base" and unit.team == team]
    return list(dict.fromkeys([*bases, *(one.hex for _, one in sorted(state.systems.items()) if one.owner == team)]))


def _own(state: BorderState, team: Side) -> list[Unit]:
    return [unit for unit in state.units.values() if unit.team == team]


def _barred(state: BorderState, team: Side, keeping: Sequence[Unit]) -> list[HexId]:
    """Hexes with others alone, and those in the others' Zones of Control, but for those that own units are ``keeping``
    open. Who of the others is under cloak bars nothing, for nobody may learn of it. BP-R32, BP-N18"""
    others = [
        unit
        for _, unit in sorted(state.units.items())
        if standing_of(unit, team) == "unfriendly" and unit.kind not in NEUTRALS and is_seen(unit)
    ]
    own = dict.fromkeys(unit.hex for unit in keeping)
    near = [
        hex_id
        for unit in others
        for hex_id in state.grid.within(unit.hex, max(state.zones.reach, state.zones.restricted))
        if is_in_zone(state.grid, unit, hex_id, (), state.zones)
    ]
    alone = [unit.hex for _, unit in sorted(state.units.items()) if unit.kind in NEUTRALS]
    return [hex_id for hex_id in dict.fromkeys([*near, *alone]) if hex_id not in own]
