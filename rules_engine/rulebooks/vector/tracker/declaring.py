"""What units do on an impulse before they move: each as it is plotted, where it is legal at that moment. VM-R09"""

from collections.abc import Callable, Mapping

from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.space import Way
from rules_engine.rulebooks.vector.ch2_energy.allocating import add_reserve
from rules_engine.rulebooks.vector.ch2_energy.paying import Bill
from rules_engine.rulebooks.vector.ch3_acceleration.stopping import stop
from rules_engine.rulebooks.vector.ch3_acceleration.thrust import accelerate, push
from rules_engine.rulebooks.vector.ch4_turning.high_energy import begin_tumbling, breaks_down, het, pay_het
from rules_engine.rulebooks.vector.ch4_turning.turns import sixths_to, turn
from rules_engine.rulebooks.vector.ch5_other.landing import LastThrust, land, last_thrust
from rules_engine.rulebooks.vector.ch5_other.launching import launch
from rules_engine.rulebooks.vector.ch5_other.tractors import load_of
from rules_engine.rulebooks.vector.ch5_other.weasels import voids_weasel
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.plots import PlotAction, PlotEvent
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.tables.figures import BREAKDOWN_FACES, HET_ENERGY
from rules_engine.rulebooks.vector.tracker.air import Air, targets_of
from rules_engine.rulebooks.vector.tracker.conditions import waits
from rules_engine.rulebooks.vector.tracker.judged import host_of, objection_to
from rules_engine.rulebooks.vector.tracker.towing import loosen


@rule("CJD1.21", "CJD1.32")
def declare(air: Air, ship: VectorShip, number: int, event: PlotEvent) -> None:
    """Do one event of a unit's plot, or refuse it to its captain where it is not legal now. CJD1.21, CJD1.32, VM-R09"""
    if waits(event):
        air.note(ship, "fired", private=True, event=number, other=event.when.unit if event.when else "")
    judged = air.landings.get((ship.id, number)) if event.action == "land" else None
    objection = judged if judged is not None else objection_to(air.battle, ship, air.clock, event)
    if isinstance(objection, Objection):
        air.refuse(ship, objection, number)
        return
    before = ship.warp_left, ship.impulse_left, ship.half_left
    _DONE_BY[event.action](air, ship, number, event)
    if event.action not in ("reserve", "stop"):
        now = ship.warp_left, ship.impulse_left, ship.half_left
        air.flight_of(ship.id).bills[number] = Bill(*(had - left for had, left in zip(before, now, strict=True)))


NEED_ANOTHER: frozenset[PlotAction] = frozenset({"launch", "weasel", "land"})
"""What needs another unit: it comes after all turns and accelerations of an impulse. VM-R09"""


def judge_landing(air: Air, ship: VectorShip, event: PlotEvent) -> LastThrust | Objection:
    """How a landing is judged once everybody has turned and accelerated: why it is not done, or the acceleration that
    it takes. CJD1.531, VM-R09"""
    objection = objection_to(air.battle, ship, air.clock, event)
    if objection is not None:
        return objection
    host = host_of(air.battle, ship, event.subject)
    thrust = last_thrust(ship, host) if host is not None else None
    if thrust is None:
        raise ValueError(f"{ship.id} cannot land on {event.subject}")
    return thrust


def _accelerate(air: Air, ship: VectorShip, number: int, event: PlotEvent) -> None:
    reverse = event.action == "reverse"
    _thrust(air, ship, number, LastThrust(event.amount, reverse), by_impulse=event.by_impulse)


def _thrust(air: Air, ship: VectorShip, number: int, thrust: LastThrust, *, by_impulse: bool = False) -> None:
    """Accelerate a unit, and what it has in a tractor."""
    load = load_of(air.battle, ship)
    way = accelerate(ship, air.clock, thrust.hexes, reverse=thrust.reverse, by_impulse=by_impulse, load=load)
    _accelerated(air, ship, way, thrust.hexes, number)
    link = air.battle.link_of(ship.id)
    if link is not None:
        towed = air.battle.units[link.held]
        push(towed, air.clock, way, thrust.hexes)
        _accelerated(air, towed, way, thrust.hexes, None)


def _accelerated(air: Air, ship: VectorShip, way: Way, hexes: int, number: int | None) -> None:
    """What follows from any acceleration: the path of the old count is forgotten, and a weasel may be voided."""
    flight = air.flight_of(ship.id)
    if len(flight.plot.path) == 1:
        ship.path = flight.plot.path
    elif not (flight.plot.path and flight.fresh):
        ship.path = ""
    air.note(ship, "accelerated", amount=hexes, way=way, rule="CJD1.31", event=number)
    _void(air, ship, hexes=hexes)


def _void(air: Air, ship: VectorShip, *, hexes: int = 0, by_het: bool = False) -> None:
    if voids_weasel(ship, hexes=hexes, het=by_het):
        out, ship.weasel = ship.weasel, ""
        air.note(ship, "voided", other=out if out in air.battle.units else "", rule="CJD1.51")


def _turn(air: Air, ship: VectorShip, number: int, event: PlotEvent) -> None:
    sixths = {"left": -1, "right": 1}.get(event.hand or "")
    if sixths is None:
        targets = targets_of(air.battle, ship, event.subject or (event.when.unit if event.when else ""))
        sixths = sixths_to(ship, [target.at for target in targets], away=event.hand == "away")
    if not sixths:
        air.note(ship, "kept", private=True, event=number)
        return
    turn(ship, air.clock, sixths, by_impulse=event.by_impulse)
    air.note(ship, "turned", amount=sixths, rule="CJD1.41", event=number)


def _het(air: Air, ship: VectorShip, number: int, event: PlotEvent) -> None:
    facing = event.facing or ship.facing
    pay_het(ship, event.energy)
    key = f"breakdown/{air.battle.turn}.{air.impulse}/{ship.id}"
    roll = air.dice.roll(f"breakdown of {ship.id}", faces=BREAKDOWN_FACES, key=key) if air.dice else None
    if air.dice is None or roll is None or not breaks_down(ship, roll.total):
        het(ship, facing)
        air.note(ship, "high energy turn", rule="CJD1.43", dice=(roll,) if roll else (), event=number)
    else:
        side = air.dice.roll(f"tumbling of {ship.id}", faces=BREAKDOWN_FACES, key=f"tumbling/{key}")
        begin_tumbling(ship, air.clock, air.battle.options.tumble_pause, side.total)
        air.note(ship, "tumbling", rule="CJD1.431", dice=(roll, side), event=number)
    _void(air, ship, by_het=True)


def _stop(air: Air, ship: VectorShip, number: int, _event: PlotEvent) -> None:
    later = (
        one for one in air.flight_of(ship.id).plot.events if one.action == "het" and (one.impulse or 0) > air.impulse
    )
    kept = sum(HET_ENERGY if one.energy is None else one.energy for one in later)
    power = stop(ship, air.clock, air.battle.options.thrust_pause, kept)
    air.note(ship, "stopped", private=True, amount=power, rule="CJD1.3x", event=number)


def _slip(air: Air, ship: VectorShip, _number: int, event: PlotEvent) -> None:
    air.flight_of(ship.id).slip = event.hand or ""


def _reserve(air: Air, ship: VectorShip, number: int, event: PlotEvent) -> None:
    add_reserve(ship, event.amount, by_impulse=event.by_impulse)
    air.note(ship, "reserve", private=True, amount=event.amount, rule="CJD1.22", event=number)


def _launch(air: Air, ship: VectorShip, number: int, event: PlotEvent) -> None:
    if event.action == "weasel":
        ship.weasel = event.subject or "out"
    if event.subject:
        unit = air.battle.units[event.subject]
        launch(ship, unit, event.amount, event.facing or ship.facing, air.impulse)
        if event.action == "weasel":
            unit.figures = unit.figures.with_values(form="weasel")
        air.note(unit, "launched", amount=event.amount, way=unit.facing, other=ship.id, rule="CJD1.53", event=number)
    if event.action == "weasel":
        air.note(ship, "weasel", other=event.subject, rule="CJD1.51", event=number)


def _land(air: Air, ship: VectorShip, number: int, event: PlotEvent) -> None:
    judged = air.landings[ship.id, number]
    if isinstance(judged, LastThrust) and judged.hexes:
        _thrust(air, ship, number, judged)
    land(ship, event.subject)
    loosen(air.battle)
    air.note(ship, "landed", other=event.subject, rule="CJD1.531", event=number)


_DONE_BY: Mapping[PlotAction, Callable[[Air, VectorShip, int, PlotEvent], None]] = {
    "accelerate": _accelerate,
    "reverse": _accelerate,
    "turn": _turn,
    "het": _het,
    "stop": _stop,
    "slip": _slip,
    "reserve": _reserve,
    "launch": _launch,
    "weasel": _launch,
    "land": _land,
}
