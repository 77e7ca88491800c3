"""Events that wait for a condition. VM-R36"""

from rules_engine.core.grids.space import hexes_between
from rules_engine.rulebooks.vector.records.plots import PlotCondition, PlotEvent
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.tracker.air import Air, targets_of


def due_events(air: Air, ship: VectorShip) -> list[tuple[int, PlotEvent]]:
    """What a unit does on this impulse, as it was typed, slips last, for they depend on whether it moves. What waits
    for a condition is done once. VM-R09"""
    flight = air.flight_of(ship.id)
    found: list[tuple[int, PlotEvent]] = []
    for number, event in enumerate(flight.plot.events):
        if event.impulse == air.impulse:
            found.append((number, event))
        elif waits(event) and number not in flight.done and _comes_about(air, ship, event):
            flight.done[number] = air.impulse
            found.append((number, event))
    typed = flight.plot.typed
    return sorted(found, key=lambda one: (one[1].action == "slip", typed.index(one[0]) if typed else one[0]))


def waits(event: PlotEvent) -> bool:
    """Whether an event waits for a condition."""
    return event.impulse is None and event.when is not None


def holds(battle: Tactical, ship: VectorShip, when: PlotCondition) -> bool:
    """Whether the unit of a condition is as near as it says, as the units stand."""
    targets = targets_of(battle, ship, when.unit)
    return any(hexes_between(ship.at, target.at) <= when.within for target in targets)


def _comes_about(air: Air, ship: VectorShip, event: PlotEvent) -> bool:
    when = event.when
    return when is not None and when.first <= air.impulse <= when.last and holds(air.battle, ship, when)
