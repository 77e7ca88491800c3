"""How far the units of a battle see, as figures. PQ-17 T3a, T3c."""

from collections.abc import Mapping

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch08_combat.battle_setup import is_active_unit, may_be_scout
from rules_engine.rulebooks.pq17.ch08_combat.battle_tables import detection_range, sees_as_military, true_distance
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State

Forces = Mapping[str, TaskForce]
"""The task forces of a battle under the titles of its sheet."""


@rule("T3a", "T3c", "8.5.5.3.10", "8.5.5.3.11", "8.5.5.3.12")
def ranges_of(state: State, unit: Unit, force: TaskForce, *, cloaks: set[bool]) -> tuple[int, ...]:
    """The distances on the map at which a unit sees others, shortest first: they are cloaked or not as ``cloaks`` says,
    and it may be a scout or not. PQ-17 T3a, T3c, 8.5.5.3.10-.12; rulings DEP-1 to DEP-3."""
    military = sees_as_military(state.class_of(unit))
    blind = not is_active_unit(state, unit, force)
    effective = {detection_range(military=military, scout=False)}
    if may_be_scout(state, unit, force):
        effective.add(detection_range(military=military, scout=True))
    return tuple(sorted({true_distance(far, doubled=cloaked or blind) for far in effective for cloaked in cloaks}))


def of_original(state: State, battle: Battle, *, cloaks: set[bool]) -> list[int]:
    """All distances at which any unit of the Original Defender sees others, shortest first."""
    forces = [state.task_forces[key] for key in battle.original]
    found = {
        far
        for force in forces
        for unit in state.separate_units(force)
        for far in ranges_of(state, unit, force, cloaks=cloaks)
    }
    return sorted(found)


@rule("8.5.5.4.3", "8.5.5.3.10", "T3c")
def distances(state: State, battle: Battle) -> list[int]:
    """The ranges of the Original Defender's units towards the attackers: as near as each of these may start.

    PQ-17 8.5.5.4.3, 8.5.5.3.10, T3c."""
    return of_original(state, battle, cloaks={state.task_forces[key].posture.cloak for key in battle.attackers})
