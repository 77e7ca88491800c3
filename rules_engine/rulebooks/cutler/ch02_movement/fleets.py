"""A race's own fleets: kept together, split when their ships part, with courses trimmed as they are followed.

Fleets are a convenience of plotting: every rule of the book works on ships. CU-N03
"""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fleet, Unit

NEAR = 2
"""Hexes within which a foreign counter is worth asking a side about."""


def tidy_fleets(state: CutlerState) -> None:
    """Drop lost ships, split fleets whose ships parted, trim courses by the hexes moved, and note courses that cannot
    go on."""
    for name in sorted(state.fleets):
        fleet = state.fleets[name]
        fleet.units = [
            key for key in fleet.units if not state.units[key].destroyed and state.units[key].race == fleet.race
        ]
        if not fleet.units:
            del state.fleets[name]
            continue
        _split(state, fleet)
    for race in state.races():
        for fleet in state.fleets_of(race):
            _trim(state, fleet)


def _split(state: CutlerState, fleet: Fleet) -> None:
    parts: dict[tuple[HexId, HexId], list[Unit]] = {}
    for unit in state.members(fleet):
        parts.setdefault((unit.hex, unit.retreat_hex), []).append(unit)
    if len(parts) == 1:
        return
    onward = fleet.course[0] if fleet.course else ""
    # The part that went where the course led keeps fleet and course; failing that, the biggest.
    ranked = sorted(parts.items(), key=lambda part: (part[0][0] != onward, -len(part[1]), part[1][0].id))
    fleet.units = [unit.id for unit in ranked[0][1]]
    for _, units in ranked[1:]:
        fresh = state.new_fleet(fleet.race, [unit.id for unit in units])
        state.empires[fleet.race].alerts.append(f"{fresh.key} parted from {fleet.key}")


def _trim(state: CutlerState, fleet: Fleet) -> None:
    here = state.place_of(fleet)
    forced = state.units[fleet.units[0]].retreat_hex
    if fleet.course and fleet.course[0] == here and not forced:
        fleet.course = fleet.course[1:]
    start = forced or here
    if fleet.course and state.grid.distance(start, fleet.course[0]) != 1:
        fleet.course = []
        state.empires[fleet.race].alerts.append(f"{fleet.key} was thrown off its course and holds")


@rule("2.6.2")
def counters_near(state: CutlerState, race: Side) -> list[str]:
    """Foreign counters within two hexes of the race's fleets, as ``race@hex``. All of it is public. 2.6.2"""
    places = sorted({state.place_of(fleet) for fleet in state.fleets_of(race)})
    return [
        f"{other}@{hex_id}"
        for other, hex_id in state.counters()
        if other != race and any(state.grid.distance(hex_id, place) <= NEAR for place in places)
    ]


def watch_counters(turn: CutlerTurn) -> None:
    """Note a reason to ask each race whose fleets have a new counter near them, or share a hex with one."""
    state = turn.state
    for race in state.races():
        empire = state.empires[race]
        near = counters_near(state, race)
        for counter in near:
            other, hex_id = counter.split("@")
            if counter not in empire.near:
                empire.alerts.append(f"a {state.name_of(other)} counter is at {hex_id}")
        empire.near = near
