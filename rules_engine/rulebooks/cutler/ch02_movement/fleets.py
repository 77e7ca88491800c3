"""A race's own fleets: kept together, split when their ships part, with courses trimmed as they are followed.

Fleets are a convenience of plotting: every rule of the book works on ships. CU-N03
"""

from collections.abc import Iterable

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import with_article
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch02_movement.convoys.under_way import tidy_convoys
from rules_engine.rulebooks.cutler.records.conditions.cloaks import can_cloak
from rules_engine.rulebooks.cutler.records.conditions.docking import in_own_flight, keep_docked
from rules_engine.rulebooks.cutler.records.conditions.towing import end_tows
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fleet, Unit
from rules_engine.rulebooks.cutler.standing.patrols import (
    drop_records,
    hold,
    keep_record,
    loop_of,
    next_round,
    orders_of_fleet,
    stopped,
    stops_of,
)
from rules_engine.rulebooks.cutler.standing.precedence import book_key, order_of

NEAR = 2
"""Hexes within which a foreign counter is worth asking a side about."""


def tidy_fleets(state: CutlerState) -> None:
    """Drop lost ships, split fleets whose ships parted, trim courses by the hexes moved, and note courses that cannot
    go on, and cloaked fleets of which a ship has been refit into one without a cloak."""
    keep_docked(state)
    end_tows(state)
    for name in sorted(state.fleets):
        fleet = state.fleets[name]
        left = state.members(fleet)
        if not left:
            del state.fleets[name]
        elif len(left) < len(fleet.units):
            fleet.units = [unit.id for unit in left]
        if fleet.cloak and not all(map(can_cloak, in_own_flight(left))):
            fleet.cloak = False
            state.empires[fleet.race].alerts.append(f"{fleet.key} has a ship without a cloak, and drops its own")
        if len({(unit.hex, unit.retreat_hex) for unit in left}) > 1:
            _split(state, fleet)
    for race in state.races():
        for fleet in state.fleets_of(race):
            if fleet.course:
                _trim(state, fleet)
            _go_round(state, fleet)
    drop_records(state)
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
        keep_record(state, book_key(fresh), orders=orders_of_fleet(state, fleet))
        state.empires[fleet.race].alerts.append(f"{fresh.key} parted from {fleet.key}")


def _trim(state: CutlerState, fleet: Fleet) -> None:
    first = state.units[fleet.units[0]]
    if fleet.course[0] == first.hex and not first.retreat_hex:
        fleet.come_to_next()
    around = state.grid.neighbours(first.retreat_hex or first.hex)
    if fleet.course and fleet.course[0] not in around and not loop_of(state, fleet):
        fleet.end_course()
        state.empires[fleet.race].alerts.append(f"{fleet.key} was thrown off its course and holds")


def _go_round(state: CutlerState, fleet: Fleet) -> None:
    """Let a fleet that has flown its course, or was thrown off it, go on with its patrol."""
    loop, first = loop_of(state, fleet), state.units[fleet.units[0]]
    here = first.retreat_hex or first.hex
    if loop and (not fleet.course or fleet.course[0] not in state.grid.neighbours(here)):
        fleet.begin_course(next_round(state.grid, here, loop))


@rule("2.6", "2.6.2")
def watch_counters(turn: CutlerTurn) -> None:
    """Note a reason to ask each race whose fleets have a new foreign counter within two hexes, or end their courses,
    as standing orders say: fleets that go on look at no counters. All of it is public. 2.6.2
    """
    state = turn.state
    counters = state.counters()
    for race in state.races():
        empire = state.empires[race]
        fleets = [fleet for fleet in state.fleets.values() if fleet.race == race]
        does = {fleet.key: _when_near(state, fleet) for fleet in fleets}
        around = {
            hex_id: frozenset(state.grid.within(hex_id, NEAR)) for hex_id in dict.fromkeys(map(state.place_of, fleets))
        }
        watched = {
            fleet.key: around[state.place_of(fleet)]
            for fleet in fleets
            if does[fleet.key] != "go on" or any(stop.kind == "contact" for stop in stops_of(state, fleet))
        }
        everywhere = frozenset[HexId]().union(*watched.values())
        near = {
            (other, hex_id): f"{with_article(state.name_of(other))} counter is at {hex_id}"
            for other, hex_id in counters
            if other not in state.coordination.force_of(race) and hex_id in everywhere
        }
        fresh = {at: alert for at, alert in near.items() if f"{at[0]}@{at[1]}" not in empire.near}
        asking = [key for key in watched if does[key] == "ask"]
        empire.alerts += [alert for at, alert in fresh.items() if any(at[1] in watched[key] for key in asking)]
        for fleet in fleets:
            seen = [alert for at, alert in fresh.items() if at[1] in watched.get(fleet.key, ())]
            _stop(turn, fleet, seen, holds=does[fleet.key] == "hold")
        empire.near = [f"{other}@{hex_id}" for other, hex_id in near]
        if turn.shared.orders_wait:
            _note_unwatched(state, race, frozenset[HexId]().union(*around.values()), counters)


def _note_unwatched(
    state: CutlerState, race: Side, around: frozenset[HexId], counters: Iterable[tuple[Side, HexId]]
) -> None:
    """Note whether a counter has come near of which a race would be told but for its standing orders: all see that it
    came near, and would else see by the time that its owner was not asked. CU-N151"""
    empire, partners = state.empires[race], state.coordination.force_of(race)
    close = [f"{other}@{hex_id}" for other, hex_id in counters if other not in partners and hex_id in around]
    empire.spared = empire.spared or not set(close).issubset(empire.unwatched)
    empire.unwatched = close


def _when_near(state: CutlerState, fleet: Fleet) -> str:
    given = order_of(state, fleet.race, fleet, "near")
    return "ask" if given is None else str(given.value)


def _stop(turn: CutlerTurn, fleet: Fleet, near: list[str], *, holds: bool) -> None:
    """End a fleet's course if something stops it, of which its race is told and asked, or if it is to hold."""
    state, race = turn.state, fleet.race
    if reason := stopped(state, fleet, near):
        hold(state, fleet)
        state.empires[race].alerts.append(f"{fleet.key} has stopped: {reason}")
    elif holds and near and (fleet.course or loop_of(state, fleet)):
        given = order_of(state, race, fleet, "near")
        hold(state, fleet)
        why = because("2.6.2", {} if given is None else {given.whose: f"“{given.clause}”"})
        text = f"{fleet.key} holds in {state.place_of(fleet)}: {near[0]}."
        turn.tell([race], text, kind="doctrine", why=why)
