"""Leaving the map over its edge, and what is told of departures. PQ-17 5.3, C.schedule.note3, own ruling PQ-9."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import drop_unit
from rules_engine.rulebooks.pq17.contacts.identification import held_track, remove_contact
from rules_engine.rulebooks.pq17.nations.homes import is_fit
from rules_engine.rulebooks.pq17.records.forces import EXIT, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.progress import Arrival, Away, Departure, Permit
from rules_engine.rulebooks.pq17.records.state import State


@rule("5.3", "C.schedule.note3")
def leave_map(turn: TurnContext[State], side: Side) -> list[Departure]:
    """Take off the map every task force of ``side`` whose plotted step led over the edge; returns what left.

    Shadowers lose it, and sides that held a contact are told that it is gone. PQ-17 5.3, C.schedule.note3."""
    state = turn.state
    gone: list[Departure] = []
    for tf in [tf for tf in state.all_task_forces(side) if tf.plot == EXIT]:
        gone += _leave(turn, tf)
    return gone


def _leave(turn: TurnContext[State], tf: TaskForce) -> list[Departure]:
    state = turn.state
    viewer = state.enemy_of(tf.side)
    left = [_departure(state, tf, unit) for unit in state.units_of(tf)]
    names = ", ".join(state.units[one.unit].name for one in left)
    turn.tell([tf.side], f"{tf.label} has left the map from {tf.hex}: {names}.", why=because("PQ-17 5.3"))
    why = because("PQ-17 5.3", {"it went over the edge in": tf.hex})
    track = held_track(state, viewer, tf)
    for unit in state.units_of(tf):
        drop_unit(state, unit.id)
        state.progress.direct.pop(unit.id, None)
        state.progress.errands.pop(unit.id, None)
    if track is not None:
        remove_contact(turn, viewer, tf.id, f"Contact {track} has left the map.", why)
    for one in left:
        _file(state, one)
    return left


def _departure(state: State, tf: TaskForce, unit: Unit) -> Departure:
    permits = state.progress.permits
    permit = permits[unit.carried_by if state.is_load(tf, unit) else unit.id]
    fit = is_fit(state, unit)
    return Departure(unit=unit.id, kind=permit.kind, key=permit.key, hex=tf.hex, turn=state.turn, fit=fit)


@rule("C.cargo-supply-benefit", "C.schedule.note8")
def _file(state: State, one: Departure) -> None:
    """File a departed unit: a carrier of supplies waits to return, all others are gone.

    PQ-17 C.cargo-supply-benefit, C.schedule.note8."""
    progress = state.progress
    progress.departures.append(one)
    if one.kind == "cargo":
        progress.away[one.unit] = Away(state="waiting", key="", turn=one.turn, hex=one.hex)
        return
    kind = "transferred" if one.kind == "transfer" else "left"
    progress.away[one.unit] = Away(state=kind, key=one.key, turn=one.turn, hex=one.hex)
    progress.permits.pop(one.unit, None)


def allow_exit(state: State, unit: str, permit: Permit) -> None:
    """Permit a unit to leave the map (for a special condition, say)."""
    state.progress.permits[unit] = permit


def expect(state: State, arrival: Arrival) -> None:
    """Let units wait off the map. They must be in ``state.units`` and in no task force.

    Raises:
        ValueError: when a unit is on the map or waits already.
    """
    for unit_id in arrival.units:
        known = state.progress.away.get(unit_id)
        if state.tf_of(unit_id) is not None or (known is not None and known.state == "waiting" and known.key):
            raise ValueError(f"{unit_id} cannot come on: it is on the map or waits already")
        state.progress.away[unit_id] = Away(state="waiting", key=arrival.key, turn=state.turn)
    state.progress.arrivals.append(arrival)
