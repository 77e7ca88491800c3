"""Errands: the voyages that convoys and ships on transfer make by themselves, turn by turn, unless their owner plans
otherwise.

A convoy sails to its base, unloads there for as long as it can (in port, in Logistics posture, keeping station), waits
there to the period's end if the base is full, and sails back to where it leaves the map; a ship chosen for a transfer
sails to its exit; escorts left behind sail to port.
An errand only fills in the planning sheet. It ends when its owner plans otherwise for the task force.
PQ-17 C.schedule.note3, C.vp.7, C.vp.10, 10.3.8.1, ruling SUP-11.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch05_movement.postures import force_posture, settle_speed
from rules_engine.rulebooks.pq17.ch10_supply.fuel import hex_cost
from rules_engine.rulebooks.pq17.ch10_supply.stores import cargo_room
from rules_engine.rulebooks.pq17.nations.homes import bases_of, commander_of, period_of, way_to
from rules_engine.rulebooks.pq17.nations.unloading import is_handed_over, unloading_refusal
from rules_engine.rulebooks.pq17.records.forces import EXIT, PORT, Posture, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.progress import Errand, ErrandStage
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import TURNS_A_PERIOD, Speed
from rules_engine.rulebooks.pq17.tables.supply import Goods

WORTH_WAITING = 10
"""Supply points that a base must have room for if a freighter is to stay and unload."""
TURNS_IN_PORT = 2
"""Turns needed, besides those for the hexes, to leave port and to leave the map."""


@dataclass(frozen=True)
class ErrandMoves:
    """A task force's orders for a turn, by its errand."""

    stage: ErrandStage
    posture: Posture
    speed: Speed
    steps: list[str]


# --- the errand -------------------------------------------------------------------------------------------------------


def errand_of(state: State, tf: TaskForce) -> Errand | None:
    """The errand of a task force: the one that all its ships on errands share. Other ships come along with a convoy
    only. A shadower has no errand."""
    errands = state.progress.errands
    if not errands or tf.is_base or tf.shadowing:
        return None
    mine = [errands[unit] for unit in tf.units if unit in errands]
    if not mine or any((one.port, one.leave) != (mine[0].port, mine[0].leave) for one in mine):
        return None
    idle = [unit for unit in state.separate_units(tf) if unit.id not in errands]
    return mine[0] if mine[0].unload or not idle else None


def send(state: State, units: Iterable[Unit], errand: Errand) -> None:
    """Give ships an errand, each its own record of it."""
    for unit in units:
        state.progress.errands[unit.id] = errand.copied()


@rule("1.6.5.1")
def parted(state: State, pool: Sequence[TaskForce], fresh: Sequence[str]) -> dict[str, str]:
    """For ships that could be regrouped, the new task force each goes into so that it can do its errand. Ships on
    transfer leave others behind, and convoys leave their escorts at the map's edge. PQ-17 1.6.5.1."""
    errands = state.progress.errands
    free = iter(fresh)
    moved: dict[str, str] = {}
    exits: dict[tuple[str, HexId], str] = {}
    for tf in pool if fresh and errands else ():
        if tf.shadowing or errands.keys().isdisjoint(tf.units):
            continue
        ships = [unit.id for unit in state.separate_units(tf)]
        leaving = [unit for unit in ships if unit in errands and not errands[unit].port]
        for unit in leaving if len(leaving) < len(ships) else ():
            permit = state.progress.permits.get(unit)
            way = (permit.key if permit is not None else "", errands[unit].leave)
            if way not in exits:
                exits[way] = next(free)
            moved[unit] = exits[way]
        left = left_behind(state, tf)
        if left:
            moved |= dict.fromkeys(left, next(free))
    return moved


def left_behind(state: State, tf: TaskForce) -> list[str]:
    """The escorts of a convoy that has reached the hex where it leaves the map."""
    errand = errand_of(state, tf)
    if errand is None or not errand.unload or errand.stage != "back" or tf.hex != errand.leave:
        return []
    return [unit.id for unit in state.separate_units(tf) if unit.id not in state.progress.errands]


# --- the turn's orders ------------------------------------------------------------------------------------------------


@rule("5.5.2", "5.5.3", "10.3.8.1")
def errand_orders(state: State, tf: TaskForce) -> ErrandMoves | None:
    """What a task force's errand orders for this turn, for a force on the map or as a sheet would form it; None without
    an errand. PQ-17 5.5.2, 5.5.3, 10.3.8.1, ruling SUP-11."""
    errand = errand_of(state, tf)
    if errand is None:
        return None
    stage = _stage(state, tf, errand)
    if stage in ("unload", "wait", "stores", "done"):
        orders = ErrandMoves(stage, Posture(logistics=stage != "done"), Speed.STATION, [])
    else:
        steps = _way(state, tf, errand, stage)
        orders = ErrandMoves(stage, Posture(), _pace(state, tf, errand, len(steps)), steps)
    made = tf.copied()
    made.posture = orders.posture
    force_posture(state, made)
    speed = settle_speed(state, made, orders.speed) if orders.steps else Speed.STATION
    return ErrandMoves(stage, made.posture, speed, orders.steps)


def _stage(state: State, tf: TaskForce, errand: Errand) -> ErrandStage:
    port = port_of(state, tf.side, errand)
    if port is None or errand.stage == "back":
        if tf.in_port and not errand.port and _wants_fuel(state, tf, errand):
            return "stores"
        return "back" if errand.leave else "done"
    if tf.in_port != port.id:
        return "out"
    if errand.unload and not _must_go(state, tf, errand):
        if _could_unload(state, tf, port):
            return "unload"
        if _may_wait(state, tf, port):
            return "wait"
    return "back" if errand.leave else "done"


def port_of(state: State, side: Side, errand: Errand) -> TaskForce | None:
    """The base an errand leads to, while it exists and its side holds it."""
    port = state.task_forces.get(errand.port)
    return port if port is not None and port.is_base and port.side == side else None


def _could_unload(state: State, tf: TaskForce, port: TaskForce) -> bool:
    """Whether a freighter still has supply that the base takes."""
    return any(
        is_handed_over(state, unit, host) or cargo_room(host, Goods.SUPPLY) >= min(WORTH_WAITING, unit.supply)
        for unit, host in _unloading(state, tf, port)
    )


@rule("C.vp.10")
def _may_wait(state: State, tf: TaskForce, port: TaskForce) -> bool:
    """Whether to wait for room: the base's ships take supply from it, and the freighter is not due this period.

    PQ-17 C.vp.10 lets a freighter stay to the end of the period after the one in which it came."""
    came = [state.progress.freighters[unit].period for unit in tf.units if unit in state.progress.freighters]
    return bool(came) and period_of(state.turn) <= min(came) and any(_unloading(state, tf, port))


def _unloading(state: State, tf: TaskForce, port: TaskForce) -> Iterator[tuple[Unit, Unit]]:
    """Pairs of a freighter with supply left and a unit of the base that may take it."""
    for unit in state.units_of(tf):
        if unit.supply and state.class_of(unit).is_freighter:
            yield from ((unit, one) for one in state.units_of(port) if unloading_refusal(state, unit, one) is None)


@rule("C.schedule.note4")
def _wants_fuel(state: State, tf: TaskForce, errand: Errand) -> bool:
    """Whether a ship on transfer would reach the edge with less than half of its fuel, and has time to refuel first.

    PQ-17 C.schedule.note4."""
    steps = _way(state, tf, errand, "back")
    short = any(
        unit.fuel - len(steps) * hex_cost(state, tf, unit, Speed.EFFICIENT) < Fraction(unit.power_boxes, 2)
        for unit in state.units_of(tf)
    )
    return short and _turns_left(state, tf, errand) > len(steps) + 1


@rule("C.vp.10", "C.vp.note7")
def _must_go(state: State, tf: TaskForce, errand: Errand) -> bool:
    """Whether it must set out now to leave the map in time. PQ-17 C.vp.10, C.vp.note7."""
    if not errand.leave:
        return False
    return _turns_left(state, tf, errand) <= state.grid.distance(tf.hex, errand.leave) + TURNS_IN_PORT


@rule("C.schedule.note3", "C.vp.10")
def _turns_left(state: State, tf: TaskForce, errand: Errand) -> int:
    """Turns, including this one, until it must have left: for a freighter the end of the period after its arrival, for
    others the end of this period. PQ-17 C.schedule.note3, C.vp.10."""
    came = [state.progress.freighters[unit].period for unit in tf.units if unit in state.progress.freighters]
    last = max(min(came) + 1, period_of(state.turn)) if errand.unload and came else period_of(state.turn)
    return last * TURNS_A_PERIOD - state.turn + 1


def _way(state: State, tf: TaskForce, errand: Errand, stage: ErrandStage) -> list[str]:
    """The steps of the way out or back, including port steps; the edge is crossed only with a permit."""
    leaves = [PORT] if tf.in_port else []
    port = port_of(state, tf.side, errand)
    if stage == "out" and port is not None:
        return [*leaves, *way_to(state.grid, tf.hex, port.hex), PORT]
    permits = state.progress.permits
    may_all = all(unit.id in permits and errand.leave in permits[unit.id].hexes for unit in state.separate_units(tf))
    return [*leaves, *way_to(state.grid, tf.hex, errand.leave), *([EXIT] if may_all else [])]


def _pace(state: State, tf: TaskForce, errand: Errand, steps: int) -> Speed:
    """The speed: Efficient Cruise, unless that would reach the map's edge too late."""
    if not errand.leave or errand.unload:
        return Speed.EFFICIENT
    left = _turns_left(state, tf, errand)
    return next((one for one in (Speed.EFFICIENT, Speed.CRUISE) if left * one.whole >= steps), Speed.SPRINT)


# --- in words ---------------------------------------------------------------------------------------------------------


def say_errand(state: State, tf: TaskForce, stage: ErrandStage | None = None) -> str:
    """The errand in plain words, as its owner reads it, at its ``stage`` where that is known; empty without one."""
    errand = errand_of(state, tf)
    if errand is None:
        return ""
    port = port_of(state, tf.side, errand)
    name = port.base.name if port is not None and port.base is not None else ""
    stage = stage or _stage(state, tf, errand)
    if stage == "wait":
        return f"convoy: waits at {name} for room, then back to {errand.leave}"
    if errand.unload and stage != "back" and name:
        return f"convoy: to {name}, unload, back to {errand.leave}"
    if errand.unload:
        return f"convoy: back to {errand.leave}"
    if errand.leave:
        return f"transfer: {'stores first, then ' if stage == 'stores' else ''}off the map by {errand.leave}"
    return f"to port at {name}"


# --- carrying out -----------------------------------------------------------------------------------------------------


def keep_errands(
    turn: TurnContext[State], side: Side, forces: Iterable[tuple[str, ErrandStage | None]], escorts: Iterable[str]
) -> None:
    """After plans are carried out, update errands. ``forces`` maps each task force to the stage of its errand that its
    plan follows, or None. Owners are told of new stages, errands whose plan differs end, and ``escorts`` that were left
    behind are sent to port."""
    state = turn.state
    errands = state.progress.errands
    for unit in [one for one in errands if state.tf_of(one) is None]:
        del errands[unit]
    for tf_id, stage in forces:
        tf = state.task_forces[tf_id]
        mine = [unit for unit in tf.units if unit in errands]
        if not mine:
            continue
        if stage is None:
            text = f"{tf.label} is planned otherwise: its errand is over."
            turn.tell([side], text, kind="convoy", why=because("standing orders"))
        elif stage != errands[mine[0]].stage and stage != "done":
            text = f"{tf.label} goes about its errand: {_said(state, tf, stage)}."
            turn.tell([side], text, kind="convoy", why=because("standing orders"))
        for unit in mine:
            errands[unit].stage = stage or "done"
            if errands[unit].stage == "done":
                del errands[unit]
    for unit in escorts:
        _send_to_port(state, side, unit)


def escorts(state: State, side: Side) -> list[str]:
    """The escorts that convoys would leave behind now."""
    forces = state.all_task_forces(side) if state.progress.errands else []
    return [unit for tf in forces for unit in left_behind(state, tf)]


def _send_to_port(state: State, side: Side, unit_id: str) -> None:
    """Send a ship to its nation's nearest base, unless the convoy took it along after all."""
    tf = state.tf_of(unit_id)
    if tf is None or any(unit in state.progress.errands and unit != unit_id for unit in tf.units):
        return
    homes = [base for base in bases_of(state, commander_of(state, state.units[unit_id])) if base.side == side]
    if homes:
        nearest = min(homes, key=lambda base: (state.grid.distance(tf.hex, base.hex), base.id))
        send(state, state.units_of(tf), Errand(port=nearest.id))


def _said(state: State, tf: TaskForce, stage: ErrandStage) -> str:
    said = {"unload": "it unloads", "stores": "it takes on stores"}
    if stage == "wait":
        return "the base has no room, so it waits in port to the end of the period"
    return said.get(stage, say_errand(state, tf))
