"""Chapter 5.2.3.3: which forces can have active sensors; a base, whose posture nobody plans, has them if it can."""

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch11_repair.refits import units_at_work
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.state import State


@rule("5.2.3.3")
def can_be_active(state: State, tf: TaskForce) -> bool:
    """Whether one ship that works has a sensor rating and the power for full fire control.

    PQ-17 5.2.3.3, ruling PST-5."""
    return any(unit.sensor_rating and unit.can_power_fire_control for unit in units_at_work(state, tf))


@rule("5.2.3.3", "1.8.12.8")
def settle_base_sensors(state: State, tf: TaskForce) -> None:
    """Nobody plans a base's posture: its sensors are active if they can be. PQ-17 5.2.3.3, 1.8.12.8."""
    tf.posture = tf.posture.with_values(active=can_be_active(state, tf))
