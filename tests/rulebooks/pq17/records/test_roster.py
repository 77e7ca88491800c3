"""Lookups of task forces say what a look at every task force would say, whatever changed before."""

from random import Random

import pytest

from rules_engine.core.basics.canonical_json import canonical
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.running.edits import assign
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.state import State, tf_order
from tests.rulebooks.pq17.worlds.notation import world

HEXES = ("0303", "0404", "0405")
WORLD = """
    A1 0303 CA+DD
    A2 0404 DD
    A10 0404 FF
    A9 0303 BATS base Haven known LC1
    C1 0404 CA
    C2 0405 DD+FF
"""


def plainly(state: State) -> dict[str, object]:
    """Every lookup, worked out from all task forces."""
    everyone = sorted(state.task_forces.values(), key=lambda tf: tf_order(tf.id))
    units = sorted(state.units)
    return {
        "all": everyone,
        "sides": [[tf for tf in everyone if tf.side == side] for side in ("alliance", "coalition")],
        "hexes": [[tf for tf in everyone if tf.hex == hex_id] for hex_id in HEXES],
        "docked": [tf for tf in everyone if tf.in_port == "A9" and tf.side == "alliance"],
        "shadowers": [[tf for tf in everyone if tf.shadowing == one] for one in ("A1", "C1")],
        "units": [next((tf for tf in everyone if unit in tf.units), None) for unit in units],
    }


def looked_up(state: State) -> dict[str, object]:
    """The same by the state's own lookups."""
    haven = TaskForce(id="A9", side="alliance", hex="0303", units=[])
    return {
        "all": state.all_task_forces(),
        "sides": [state.all_task_forces(side) for side in ("alliance", "coalition")],
        "hexes": [state.task_forces_in(hex_id) for hex_id in HEXES],
        "docked": state.docked_at(haven),
        "shadowers": [state.shadowers_of(one) for one in ("A1", "C1")],
        "units": [state.tf_of(unit) for unit in sorted(state.units)],
    }


def same(one: object, other: object) -> bool:
    """The very same task forces in the same places."""
    if isinstance(one, dict) and isinstance(other, dict):
        return all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one is other


def change(state: State, chance: Random) -> str:
    """Change one thing by one of the state's operations; says which."""
    force = chance.choice(list(state.task_forces.values()))
    match chance.randrange(9):
        case 0:
            state.set_hex(force, chance.choice(HEXES))
            return "moved"
        case 1:
            state.set_port(force, chance.choice(["", "A9"]))
            return "port"
        case 2:
            state.set_target(force, chance.choice(["", "A1", "C1"]))
            return "shadowing"
        case 3 if force.units:
            other = chance.choice(list(state.task_forces.values()))
            *stay, goes = force.units
            state.set_units(force, stay)
            state.set_units(other, [*other.units, goes])
            return "a unit went over"
        case 4 if force.units:
            other = chance.choice(list(state.task_forces.values()))
            *stay, goes = force.units
            state.set_units(other, [*other.units, goes] if other is not force else other.units)
            state.set_units(force, stay if other is not force else force.units)
            return "a unit came first and went then"
        case 5 if len(state.task_forces) > 3:
            state.remove_force(force.id)
            return "dissolved"
        case 6:
            key = f"A{chance.randint(20, 29)}"
            state.put_force(TaskForce(id=key, side="alliance", hex=chance.choice(HEXES), units=[]))
            return "formed"
        case 7:
            state.set_side(force, "coalition" if force.side == "alliance" else "alliance")
            return "captured"
        case _:
            state.put_force(force.copied())
            return "replaced"


@pytest.mark.parametrize("seed", range(20))
def test_lookups_follow_every_change(seed: int):
    state, chance = world(WORLD), Random(seed)
    assert same(looked_up(state), plainly(state))
    for _ in range(60):
        done = change(state, chance)
        assert same(looked_up(state), plainly(state)), done


def test_after_a_change_by_hand_the_index_is_made_anew():
    state = world(WORLD)
    assign(state, "task_forces.A1.hex", "0404")
    assert same(looked_up(state), plainly(state))
    assign(state, "task_forces.A2", None, remove=True)
    assert same(looked_up(state), plainly(state))
    with pytest.raises(Refused):
        assign(state, "task_forces.A1.hex, task_forces.A1.side, task_forces.A1.speed", "0303")
    assert same(looked_up(state), plainly(state))


def test_a_list_that_was_looked_up_is_the_callers_own():
    state = world(WORLD)
    for found in (state.all_task_forces(), state.all_task_forces("alliance"), state.task_forces_in("0404")):
        found.clear()
    assert [tf.id for tf in state.all_task_forces("alliance")] == ["A1", "A2", "A9", "A10"]
    assert [tf.id for tf in state.task_forces_in("0404")] == ["A2", "A10", "C1"]


def test_copies_and_snapshots_have_lookups_of_their_own():
    state = world(WORLD)
    assert len(state.task_forces_in("0404")) == 3
    for other in (
        state.copied(),
        state.changed(units=dict(state.units), task_forces=state.copied().task_forces),
        State.from_json(state.to_json()),
    ):
        assert other == state
        assert canonical(other.to_json()) == canonical(state.to_json())
        other.set_hex(other.task_forces["A1"], "0404")
        assert same(looked_up(other), plainly(other))
        assert len(other.task_forces_in("0404")) == 4
        assert len(state.task_forces_in("0404")) == 3
