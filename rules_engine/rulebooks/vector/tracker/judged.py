"""Whether an event may be done at its moment: asked by the sheet, and again by the flight. Each rule stands in its
chapter."""

from collections.abc import Callable, Mapping

from rules_engine.rulebooks.vector.ch1_movement.slips import slip_objection
from rules_engine.rulebooks.vector.ch2_energy.allocating import reserve_objection
from rules_engine.rulebooks.vector.ch3_acceleration.stopping import stop_objection
from rules_engine.rulebooks.vector.ch3_acceleration.thrust import thrust_objection
from rules_engine.rulebooks.vector.ch4_turning.high_energy import het_objection
from rules_engine.rulebooks.vector.ch4_turning.turns import turn_objection
from rules_engine.rulebooks.vector.ch5_other.landing import lander_objection, landing_objection
from rules_engine.rulebooks.vector.ch5_other.launching import launch_objection
from rules_engine.rulebooks.vector.ch5_other.tractors import control_objection, energy_objection, load_of
from rules_engine.rulebooks.vector.ch5_other.weasels import weasel_objection
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.plots import PlotAction, PlotEvent
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.tracker.tows import tow_objection


def objection_to(battle: Tactical, ship: VectorShip, clock: int, event: PlotEvent) -> Objection | None:
    """Why a unit cannot do this on an impulse, counted from the battle's beginning; None if it can."""
    fixed = fixed_objection(battle, ship, event)
    in_tow = tow_objection(battle, ship.id, event.action) if event.action in MOVES else None
    return fixed or in_tow or _JUDGED_BY[event.action](battle, ship, clock, event)


MOVES: frozenset[PlotAction] = frozenset({"accelerate", "reverse", "turn", "het", "stop", "slip"})
"""What only a unit does that moves."""


def fixed_objection(battle: Tactical, ship: VectorShip, event: PlotEvent) -> Objection | None:
    """Why a unit cannot do what would move or turn it: it stays where it is. VM-N61"""
    if ship.id not in battle.fixed or event.action not in MOVES:
        return None
    return Objection(f"{ship.id} stays where it is", "VM-N61", "launches, and reports")


def host_of(battle: Tactical, ship: VectorShip, named: str) -> VectorShip | None:
    """The unit of its own or an allied side that a unit may land on."""
    found = battle.units.get(named)
    fits = found is not None and battle.is_present(found) and battle.friends(found.side, ship.side)
    return found if fits else None


def _thrust(battle: Tactical, ship: VectorShip, clock: int, event: PlotEvent) -> Objection | None:
    held = control_objection(battle, ship) or energy_objection(battle, ship)
    load = load_of(battle, ship)
    reverse = event.action == "reverse"
    return held or thrust_objection(ship, clock, event.amount, reverse=reverse, by_impulse=event.by_impulse, load=load)


def _turn(_battle: Tactical, ship: VectorShip, clock: int, event: PlotEvent) -> Objection | None:
    if event.hand is None:
        return Objection("a turn to which side?", "CJD1.41", "turn left or right")
    return turn_objection(ship, clock, by_impulse=event.by_impulse)


def _het(_battle: Tactical, ship: VectorShip, _clock: int, event: PlotEvent) -> Objection | None:
    return het_objection(ship, event.facing, event.energy)


def _stop(battle: Tactical, ship: VectorShip, clock: int, _event: PlotEvent) -> Objection | None:
    return energy_objection(battle, ship) or stop_objection(ship, clock)


def _slip(battle: Tactical, ship: VectorShip, clock: int, event: PlotEvent) -> Objection | None:
    if event.hand not in ("left", "right"):
        return Objection("a slip to which side?", "CJD1.142", "slip left or right")
    return control_objection(battle, ship) or slip_objection(ship, clock)


def _reserve(_battle: Tactical, ship: VectorShip, _clock: int, event: PlotEvent) -> Objection | None:
    return reserve_objection(ship, event.amount, by_impulse=event.by_impulse)


def _launch(battle: Tactical, ship: VectorShip, _clock: int, event: PlotEvent) -> Objection | None:
    return launch_objection(battle, ship, event.subject, event.amount)


def _weasel(battle: Tactical, ship: VectorShip, _clock: int, event: PlotEvent) -> Objection | None:
    launched = launch_objection(battle, ship, event.subject, event.amount) if event.subject else None
    return weasel_objection(ship) or launched


def _land(battle: Tactical, ship: VectorShip, _clock: int, event: PlotEvent) -> Objection | None:
    host = host_of(battle, ship, event.subject)
    never = never_lands(battle, ship, event.subject)
    return never or (landing_objection(ship, host, load_of(battle, ship)) if host is not None else None)


def never_lands(battle: Tactical, ship: VectorShip, named: str) -> Objection | None:
    """Why a unit cannot land on another, wherever that is: it does not land, there is no such host, or others decide
    how it moves. CJD1.531, VM-R60"""
    host = host_of(battle, ship, named)
    return lander_objection(ship, host) or energy_objection(battle, ship) or control_objection(battle, ship)


_JUDGED_BY: Mapping[PlotAction, Callable[[Tactical, VectorShip, int, PlotEvent], Objection | None]] = {
    "accelerate": _thrust,
    "reverse": _thrust,
    "turn": _turn,
    "het": _het,
    "stop": _stop,
    "slip": _slip,
    "reserve": _reserve,
    "launch": _launch,
    "weasel": _weasel,
    "land": _land,
}
