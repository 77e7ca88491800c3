"""A race's own fleets: kept together, split when their ships part, with courses trimmed as they are followed.

Fleets are a convenience of plotting: every rule of the book works on ships. CU-N03
"""

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.counted import with_article
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.ch02_movement.convoys.under_way import tidy_convoys
from rules_engine.rulebooks.cutler.records.conditions.cloaks import can_cloak
from rules_engine.rulebooks.cutler.records.conditions.towing import end_tows
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fleet, Unit

NEAR = 2
"""Hexes within which a foreign counter is worth asking a side about."""


def tidy_fleets(state: CutlerState) -> None:
    """Drop lost ships, split fleets whose ships parted, trim courses by the hexes moved, and note courses that cannot
    go on, and cloaked fleets of which a ship has been refit into one without a cloak."""
    end_tows(state)
    for name in sorted(state.fleets):
        fleet = state.fleets[name]
        left = state.members(fleet)
        if not left:
            del state.fleets[name]
        elif len(left) < len(fleet.units):
            fleet.units = [unit.id for unit in left]
        if fleet.cloak and not all(map(can_cloak, left)):
            fleet.cloak = False
            state.empires[fleet.race].alerts.append(f"{fleet.key} has a ship without a cloak, and drops its own")
        if len({(unit.hex, unit.retreat_hex) for unit in left}) > 1:
            _split(state, fleet)
    for race in state.races():
        for fleet in state.fleets_of(race):
            if fleet.course:
                _trim(state, fleet)
    tidy_convoys(state)


def _split(state: CutlerState, fleet: Fleet) -> None:
    parts: dict[tuple[HexId, HexId], list[Unit]] = {}
    for unit in state.members(fleet):
        parts.setdefault((unit.hex, unit.retreat_hex), []).append(unit)
    onward = fleet.course[0] if fleet.course else ""
    # The part that went where the course led keeps fleet and course; failing that, the biggest.
    ranked = sorted(parts.items(), key=lambda part: (part[0][0] != onward, -len(part[1]), part[1][0].id))
    fleet.units = [unit.id for unit in ranked[0][1]]
    for _, units in ranked[1:]:
        fresh = state.new_fleet(fleet.race, [unit.id for unit in units])
        fresh.cloak = fleet.cloak
        state.empires[fleet.race].alerts.append(f"{fresh.key} parted from {fleet.key}")


def _trim(state: CutlerState, fleet: Fleet) -> None:
    first = state.units[fleet.units[0]]
    if fleet.course[0] == first.hex and not first.retreat_hex:
        fleet.course = fleet.course[1:]
    around = state.grid.neighbours(first.retreat_hex or first.hex)
    if fleet.course and fleet.course[0] not in around:
        fleet.course = []
        state.empires[fleet.race].alerts.append(f"{fleet.key} was thrown off its course and holds")


@rule("2.6", "2.6.2")
def watch_counters(turn: CutlerTurn) -> None:
    """Note a reason to ask each race whose fleets have a new foreign counter within two hexes. All of it is public.
    2.6.2
    """
    state = turn.state
    counters = state.counters()
    for race in state.races():
        empire = state.empires[race]
        places = dict.fromkeys(state.place_of(fleet) for fleet in state.fleets.values() if fleet.race == race)
        watched = {hex_id for place in places for hex_id in state.grid.within(place, NEAR)}
        near = {
            f"{other}@{hex_id}": f"{with_article(state.name_of(other))} counter is at {hex_id}"
            for other, hex_id in counters
            if other not in state.coordination.force_of(race) and hex_id in watched
        }
        empire.alerts += [alert for counter, alert in near.items() if counter not in empire.near]
        empire.near = list(near)
