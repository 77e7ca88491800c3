"""Chapter 7.3.2 and the restrictions on moving: where a shadower may follow its target, and what that costs.

A shadower plots no move, so that what binds moves has to be looked at when its target moves. PQ-17 7.3.2,
C.oob.klingon.restriction, C.cp.kzinti, C.schedule.note3, rulings CP-4, CP-5, CP-12, own ruling PQ-170.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import Why, because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.command_points import (
    account_of,
    charge,
    commands,
    left,
    must_go_home,
    need,
    price,
    rule_of,
    ways_home,
)
from rules_engine.rulebooks.pq17.ch05_movement.movement import leaves_hex, plotted_movers, plotted_shadowers, step_made
from rules_engine.rulebooks.pq17.ch06_reconnaissance.shadowing import fall_behind
from rules_engine.rulebooks.pq17.ch10_supply.fuel import can_move, pay_move
from rules_engine.rulebooks.pq17.contacts.shadow_chains import joined_now, leader_of
from rules_engine.rulebooks.pq17.nations.homes import is_bound
from rules_engine.rulebooks.pq17.records.forces import EXIT, IN_PLACE, STAY, TaskForce
from rules_engine.rulebooks.pq17.records.lots import as_seen
from rules_engine.rulebooks.pq17.records.state import State, tf_order


@dataclass(frozen=True)
class _Held:
    """A shadower that may not follow its target, and the reason its owner is told."""

    tf: TaskForce
    why: Why
    late: bool
    """Whether it began to shadow in this impulse, so that it has no movement point to expend."""


@rule("7.3.1", "7.3.2", "5.3.5", "C.oob.klingon.restriction", "C.cp.kzinti", "C.schedule.note3")
def follow(turn: TurnContext[State], side: Side, staying: Sequence[str] = ()) -> list[TaskForce]:
    """Before ``side`` makes its plotted moves: end the shadowing of forces that may not or cannot go where their target
    goes, and pay for what the others do, as for points that are expended in place against their plot. Who came to its
    leader in this impulse pays the fuel of the hex now.

    Returns the forces that expend a point by staying behind. PQ-17 7.3.1, 7.3.2, 5.3.5, C.oob.klingon.restriction,
    C.cp.kzinti, C.schedule.note3, rulings CP-4, CP-5, CP-8, CP-12, own rulings PQ-170, PQ-191.
    """
    state = turn.state
    moves = _kept_in_place(state, side, staying)
    made: dict[str, str] = {}
    held: list[_Held] = []
    for leader in plotted_movers(state, side):
        step = step_made(state, leader, staying)
        if step in state.grid:
            made[leader.id] = step
        step = STAY if step in (*IN_PLACE, EXIT) else step
        found = state.shadowers_of(leader.id)
        while found:
            after: list[TaskForce] = []
            for tf in sorted(found, key=lambda one: tf_order(one.id)):
                if leader_of(state, tf) is not leader:
                    continue
                late = joined_now(state, tf)
                if late and step == STAY:
                    continue  # neither it nor what shadows it has a point
                why = _why_not(state, tf, step, moves)
                if why is None and late and not can_move(state, tf, leader.speed):
                    why = because("PQ-17 7.3.1", {"not enough fuel for a hex at speed": leader.speed.rate})
                if why is not None:
                    held.append(_Held(tf, why, late=late))
                    continue  # what shadows it stays with it
                moves[tf.id] = step
                if late:
                    pay_move(state, tf, leader.speed)
                after += state.shadowers_of(tf.id)
            found = after
    charge(turn.at("following"), moves, made)
    for one in as_seen(turn.at("left behind"), held, lambda one: one.tf.hex, lambda one: one.tf.id):
        fall_behind(turn, one.tf, one.why)
    return [one.tf for one in held if not one.late]


@rule("5.3.5")
def _kept_in_place(state: State, side: Side, staying: Sequence[str]) -> dict[str, str]:
    """The task forces that expend their point in place although they plotted a move. PQ-17 5.3.5, ruling MOV-2."""
    kept = [tf for tf in plotted_movers(state, side) if leaves_hex(tf) and step_made(state, tf, staying) == STAY]
    return {tf.id: STAY for tf in (*kept, *plotted_shadowers(state, side))}


@rule("C.oob.klingon.restriction", "4.2.3", "C.cp.kzinti")
def _why_not(state: State, tf: TaskForce, step: str, moves: Mapping[str, str]) -> Why | None:
    """Why a shadower may not expend its point as its target does, or None.

    PQ-17 C.oob.klingon.restriction, 4.2.3, C.cp.*, rulings SCN-4, CP-4, CP-5."""
    if step != STAY and is_bound(state, tf):
        return because("PQ-17 C.oob.klingon.restriction", {"its target goes to": step, "it may not leave": tf.hex})
    if step != STAY and must_go_home(state, tf) and step not in ways_home(state, tf):
        return because("PQ-17 4.2.3", {"its target goes to": step, "it must go": "to port by the shortest way"})
    forces = state.all_task_forces(tf.side)
    for nation in commands(state, tf.side):
        after = {**moves, tf.id: step}
        short = -left(state, nation.key, need(state, nation.key, forces, after))
        if short > 0 and price(state, nation, forces, after) > price(state, nation, forces, moves):
            where = "stays" if step == STAY else f"goes to {step}"
            bank = account_of(state, nation.key).bank
            return because(rule_of(nation), {"its target": where, "points missing": short, "points left": bank})
    return None
