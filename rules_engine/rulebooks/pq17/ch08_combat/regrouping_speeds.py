"""Regrouping after a battle: the postures and speeds that possible task forces could have.

PQ-17 8.5.6.4, 8.5.7.2, 5.1.5, 5.2.3; rulings WPR-6, WPR-11.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch05_movement.movement import crawl_turns
from rules_engine.rulebooks.pq17.ch05_movement.postures import can_cloak, force_posture, why_not
from rules_engine.rulebooks.pq17.ch05_movement.speeds import speeds
from rules_engine.rulebooks.pq17.ch10_supply.fuel import acceleration_cost, hex_cost, points_left
from rules_engine.rulebooks.pq17.orders.order_sheets import PostureWord
from rules_engine.rulebooks.pq17.records.forces import Posture, TaskForce
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import IMPULSES, Speed


@dataclass(frozen=True)
class Reform:
    """What a side may regroup. ``pools`` are sets of task forces that may exchange units; ``before`` is each unit's
    speed before the battle if raising it costs fuel; ``quarries`` are the enemy's contact numbers that may be
    pursued."""

    side: Side
    pools: tuple[tuple[str, ...], ...]
    title: str
    text: str
    rule: str
    before: Mapping[str, str] | None = None
    quarries: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
    """Units that may repair themselves at once (8.5.7.3)."""

    @property
    def forces(self) -> list[str]:
        """The ids of all task forces concerned."""
        return [tf_id for pool in self.pools for tf_id in pool]


# --- speeds -----------------------------------------------------------------------------------------------------------


@rule("8.5.6.4", "8.5.6.4.2", "5.1.5")
def check_speed(state: State, reform: Reform, trial: TaskForce, speed: Speed, path: str) -> list[Refusal]:
    """What is illegal about a speed, and the ship or posture that forbids it. PQ-17 8.5.6.4, 8.5.6.4.2, 5.1.5."""
    possible = speeds(state, trial)
    legal = ", ".join(one.label for one in legal_speeds(state, reform, trial))
    if speed not in possible:
        rule, why = why_not(state, trial, speed)
        return [illegal(why, rule, path, legal=legal)]
    for unit_id in trial.units:
        unit = state.units[unit_id]
        extra = penalty(state, reform, trial, unit_id, speed)
        if extra > unit.fuel:
            problem = f"{unit.name} cannot pay {show_fraction(extra)} to go faster"
            return [illegal(problem, "PQ-17 8.5.6.4.2", path, legal=legal)]
    if speed not in legal_speeds(state, reform, trial):
        return [illegal("not enough fuel for the rest of the turn", "PQ-17 8.5.6.4", path, legal=legal)]
    return []


def legal_speeds(state: State, reform: Reform, trial: TaskForce) -> list[Speed]:
    """Speeds that every ship can reach and pay for: the penalty now and the movement points left this turn."""
    return [speed for speed in speeds(state, trial) if _can_pay(state, reform, trial, speed)]


def _can_pay(state: State, reform: Reform, trial: TaskForce, speed: Speed) -> bool:
    left = [impulse for impulse in IMPULSES if impulse > state.impulse]
    points = points_left(speed, left, crawl_turns(state, trial))
    return all(
        state.units[unit_id].fuel
        >= penalty(state, reform, trial, unit_id, speed) + points * hex_cost(state, trial, state.units[unit_id], speed)
        for unit_id in trial.units
    )


@rule("8.5.6.4.1")
def penalty(state: State, reform: Reform, trial: TaskForce, unit_id: str, speed: Speed) -> Fraction:
    """The fuel a ship pays to go faster than before the battle; zero after combat. PQ-17 8.5.6.4.1; WPR-6, WPR-11."""
    if reform.before is None or unit_id not in reform.before:
        return Fraction(0)
    before = Speed(reform.before[unit_id])
    return acceleration_cost(state, trial, state.units[unit_id], before, speed)


def trial_of(state: State, source: TaskForce, units: Sequence[str], posture: Posture) -> TaskForce:
    """The task force that these ships of ``source`` would be."""
    trial = source.copied()
    trial.units = list(units)
    trial.posture = posture
    trial.shadowing = ""
    trial.tows = [tow for tow in trial.tows if {tow.tower, *tow.towed} <= set(units)]
    return trial


def units_of(state: State, pool: Sequence[str]) -> list[str]:
    """All units of those task forces."""
    return [unit_id for tf_id in pool for unit_id in state.task_forces[tf_id].units]


# --- what is offered --------------------------------------------------------------------------------------------------


@rule("8.5.6.4", "5.1.5")
def offered_speeds(state: State, reform: Reform) -> list[Speed]:
    """Every speed that some task force of the sheet could take. Existing forces and single ships are tried, since no
    force is faster than its fastest ship. Pursuers leave port first. PQ-17 8.5.6.4, 5.1.5."""
    found = {Speed.STATION}
    for trial in _candidates(state, reform):
        found.update(legal_speeds(state, reform, trial))
        if reform.quarries and trial.in_port:
            trial.in_port = ""
            found.update(legal_speeds(state, reform, trial))
    return [speed for speed in Speed if speed in found]


@rule("5.2.3.1", "5.2.3.2", "5.2.3.3", "5.2.3.4")
def offered_postures(state: State, reform: Reform) -> list[PostureWord]:
    """Every posture word that some task force of the sheet could use. PQ-17 5.2.3.1 to 5.2.3.4."""
    cloak: list[PostureWord] = ["cloak"] if any(can_cloak(state, one) for one in _candidates(state, reform)) else []
    return [*cloak, "warp off", "passive", "logistics"]


def _candidates(state: State, reform: Reform) -> Iterator[TaskForce]:
    """Existing task forces and each ship by itself, active and with warp on if possible."""
    for tf_id in reform.forces:
        tf = state.task_forces[tf_id]
        for units in (tf.units, *([unit_id] for unit_id in tf.units)):
            trial = trial_of(state, tf, units, Posture())
            force_posture(state, trial)
            yield trial
