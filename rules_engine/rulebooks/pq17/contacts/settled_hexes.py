"""A settled hex as the target of raiders: a task force without units, made from its record each time it is needed.

It is known by its hex to both sides, stands at speed 0, and is always active, warp on and in good conditions.
PQ-17 8.6.1, 8.6.2.2, ruling RAID-1.
"""

from typing import TypeGuard

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.records.forces import Posture, SettledHex, TaskForce
from rules_engine.rulebooks.pq17.records.state import COALITION, State

PREFIX = "settled "
"""Prefix of the contact number by which raiders know it and name it in orders."""
GOOD_CONDITIONS = 1


class SettledForce(TaskForce):
    """A settled hex as a task force. PQ-17 8.6.2.2."""

    @property
    def label(self) -> str:
        """The name by which both sides know it."""
        return f"settled hex {self.hex}"


def key_of(hex_id: HexId) -> str:
    """Its number and its id, e.g. ``settled 0303``."""
    return f"{PREFIX}{hex_id}"


@rule("8.6.2.2")
def as_force(settled: SettledHex) -> SettledForce:
    """A settled hex as a task force: active, warp on, at speed 0. PQ-17 8.6.2.2, ruling RAID-1."""
    return SettledForce(
        id=key_of(settled.hex),
        side=settled.side,
        hex=settled.hex,
        units=[],
        posture=Posture(cloak=False, warp=True, active=True, logistics=False),
        id_level=settled.id_level,
    )


def is_settled(tf: TaskForce) -> TypeGuard[SettledForce]:
    """Whether a task force is a settled hex."""
    return isinstance(tf, SettledForce)


@rule("8.6.1", "C.vp.11")
def may_raid(state: State, side: Side) -> bool:
    """Whether a side has anything to gain by raids: the Coalition, where the campaign has raid tables.

    PQ-17 8.6.1, C.vp.11; ruling RAID-10."""
    return state.settings.raid_table != "" and side == COALITION


@rule("8.6.2.1", "8.6.2.3", "8.6.2")
def raid_target(state: State, tf: TaskForce) -> SettledForce | None:
    """The enemy settled hex that a ships' task force could raid where it is. PQ-17 8.6.2.1, 8.6.2.3."""
    if tf.base is not None or not may_raid(state, tf.side):
        return None
    settled = state.settled_by(tf.hex, state.enemy_of(tf.side))
    return None if settled is None else as_force(settled)


@rule("8.6.2.7")
def is_raided(state: State, target: SettledForce) -> bool:
    """Whether it has been raided this turn. PQ-17 8.6.2.7, ruling RAID-3."""
    return state.settled[target.hex].raided_on == state.turn


@rule("8.6.2.2")
def shadowers(state: State, hex_id: HexId) -> list[TaskForce]:
    """The task forces that shadow a settled hex: all with a unit that does and is still there. PQ-17 8.6.2.2."""
    settled = state.settled[hex_id]
    wanted = set(settled.shadowed_by)
    if not wanted:
        return []
    return [tf for tf in state.task_forces_in(hex_id, state.enemy_of(settled.side)) if wanted & set(tf.units)]


@rule("8.6.2.8")
def forget_raiders(state: State, hex_id: HexId) -> None:
    """Make a settled hex unidentified (U) and not shadowed again. PQ-17 8.6.2.8, ruling RAID-2."""
    settled = state.settled[hex_id]
    settled.id_level = type(settled.id_level).U
    settled.shadowed_by = []


@rule("7.3.2")
def start_impulse(state: State) -> None:
    """Where no enemy is left, its level and shadowing lapse; shadowing by forces that have left lapses too. RAID-2,
    7.3.2."""
    for hex_id in sorted(state.settled):
        settled = state.settled[hex_id]
        enemies = state.task_forces_in(hex_id, state.enemy_of(settled.side))
        if not enemies:
            forget_raiders(state, hex_id)
        elif settled.shadowed_by:
            here = {unit_id for tf in enemies for unit_id in tf.units}
            settled.shadowed_by = [unit_id for unit_id in settled.shadowed_by if unit_id in here]


@rule("C.raid.note5")
def is_local_force(state: State, tf: TaskForce) -> bool:
    """Whether it was raised to defend a settled hex against a raid. PQ-17 C.raid.note5."""
    return any(tf.id in raid.task_forces for raid in state.special.raids)
