"""Scenario files: the introductory one, and everything that can be wrong with another."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.reading import SheetSize
from tests.rulebooks.pq17.playing.chooser import INTRO, intro
from tests.rulebooks.pq17.playing.scripted import scenario

FILES = {path.name: path.read_text() for path in sorted(INTRO.iterdir())}


@pytest.mark.rule("pq17", "9.4", "1.8.10.1", "6.2.1", "1.6.5.5", "C.initiative.start")
def test_the_introduction_sets_up_without_a_defect() -> None:
    state = RULEBOOK.set_up(intro())
    assert RULEBOOK.defects(state) == []
    assert State.from_json(state.to_json()) == state
    assert state.initiative == "alliance"
    for unit in state.units.values():
        assert unit.fuel == unit.warp + unit.awr
        assert state.class_of(unit).invented
    levels = {tf.id: tf.id_level for tf in state.all_task_forces()}
    assert {tf_id for tf_id, level in levels.items() if level is IdLevel.ID3} == {"A9", "C9"}
    assert all(level is IdLevel.N for tf_id, level in levels.items() if tf_id not in ("A9", "C9"))


@pytest.mark.rule("pq17", "1.8.10", "1.8.10.1", "6.2.1")
def test_the_scenario_says_which_bases_are_known() -> None:
    state = RULEBOOK.set_up(scenario("A1 0403 MCA\nC8 0305 OBS Lair unknown\nC9 0508 OBS Grimhold\nC1 0507 OCA"))
    assert {tf.id: tf.id_level for tf in state.all_task_forces("coalition")} == {
        "C1": IdLevel.N,
        "C8": IdLevel.N,
        "C9": IdLevel.ID3,
    }
    shown = RULEBOOK.side_board(state, "alliance", Knowledge())
    assert [one.label for one in shown.counters if one.form == "base"] == ["Grimhold"]
    assert "0305" not in {one.hex for one in (*shown.counters, *shown.hexes)}


def test_the_introduction_has_what_it_promises() -> None:
    state = RULEBOOK.set_up(intro())
    for side in ("alliance", "coalition"):
        forces = [tf for tf in state.all_task_forces(side) if not tf.is_base]
        ships = [unit for tf in forces for unit in state.units_of(tf)]
        assert 3 <= len(forces) <= 5
        assert 8 <= len(ships) <= 10
        assert any(unit.special_sensors for unit in ships)
        assert {"CA", "DD", "FF"} <= {state.class_of(unit).category for unit in ships}
        assert [unit.name for unit in ships if state.class_of(unit).is_freighter]
        assert len([one for one in state.settled.values() if one.side == side]) == 1
        assert len([tf for tf in state.all_task_forces(side) if tf.base is not None and tf.base.known]) == 1
    assert [one for one in state.hexes.values() if one.terrain == "nebula"]


@pytest.mark.rule("pq17", "1.3.1", "C.map")
def test_the_map_counts_rows_from_the_top_and_columns_from_the_right() -> None:
    grid = SheetSize(columns=22, rows=17).grid()
    right, top = grid.side("right"), grid.side("top")
    assert (right[0], right[-1]) == ("0101", "1701")
    assert (top[0], top[-1]) == ("0101", "0122")
    assert grid.distance("1217", "1715") == 5  # Scapa to Kiel; 6 if the rows were not straight (ruling MAP-3)
    assert "0806" in grid.neighbours("0707")


@pytest.mark.rule("pq17", "C.local-conditions", "6.3.3")
def test_local_conditions_are_read_from_the_scenarios_table() -> None:
    settings = RULEBOOK.set_up(intro()).settings
    rolls = (1, 11, 12, 59, 60, 78, 79, 100)
    assert [settings.conditions_of(rolled) for rolled in rolls] == [1, 1, 2, 2, 3, 3, 4, 4]


def test_a_condition_may_be_that_of_a_single_roll() -> None:
    settings = RULEBOOK.set_up(
        RULEBOOK.read_scenario(changed(scenario=("[11, 59, 78, 100]", "[1, 59, 78, 100]")))
    ).settings
    assert [settings.conditions_of(rolled) for rolled in (1, 2)] == [1, 2]


def changed(**replaced: tuple[str, str]) -> dict[str, str]:
    files = dict(FILES)
    for name, (old, new) in replaced.items():
        key = f"{name}.toml"
        assert old in files[key]
        files[key] = files[key].replace(old, new, 1)
    return files


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (changed(scenario=('hex = "0403"', 'hex = "4403"')), "4403 is not on the map"),
        (changed(scenario=('task_force = "A1"', 'task_force = "A11"')), "is no task force"),
        (changed(scenario=('class_id = "MCA"', 'class_id = "MCB"')), "is no unit class"),
        (changed(scenario=('in_port = "A9"', 'in_port = "C9"')), "is no friendly base in this hex"),
        (changed(scenario=('id = "lance"', 'id = "resolve"')), "resolve is given 2 times"),
        (changed(scenario=('task_force = "A9"', 'task_force = "A1"')), "never share a task force"),
        (changed(scenario=('emblem = "C"', 'emblem = "A"')), "different emblems"),
        (changed(scenario=('key = "coalition"', 'key = "horde"')), "one alliance and one coalition"),
        (changed(scenario=("[11, 59, 78, 100]", "[11, 59, 78, 90]")), "must rise to 100"),
        (changed(scenario=("[11, 59, 78, 100]", "[0, 59, 78, 100]")), "must rise to 100"),
        (changed(scenario=("turns = 8", "turns = 8\nturm = 9")), "turm"),
        (changed(scenario=("turns = 8", "turns = ")), "is not TOML"),
        (changed(scenario=('id = "C1"', 'id = "A5"')), "must be C and a number"),
        (changed(ships=('move_cost = "2/3"', 'move_cost = "2/0"')), "move_cost"),
        (changed(ships=("warp = 30", "wrap = 30")), "wrap"),
        ({"scenario.toml": FILES["scenario.toml"]}, "ships.toml"),
        (FILES | {"ships.csv": ""}, "give one of"),
        (FILES | {"scenrio.toml": ""}, "is not a file"),
    ],
)
def test_defects_are_refused_with_what_would_be_right(files: dict[str, str], words: str) -> None:
    with pytest.raises(Refused) as caught:
        RULEBOOK.read_scenario(files)
    assert any(words in str(one) for one in caught.value.refusals)


def test_all_defects_of_all_files_are_told_at_once() -> None:
    files = changed(scenario=('hex = "0403"', 'hex = "4403"'), ships=("warp = 30", "wrap = 30"))
    files["notes.txt"] = ""
    with pytest.raises(Refused) as caught:
        RULEBOOK.read_scenario(files)
    said = " ".join(map(str, caught.value.refusals))
    assert all(word in said for word in ("4403", "wrap", "notes.txt"))


def broken(**values: Any) -> State:
    state = RULEBOOK.set_up(intro())
    for path, value in values.items():
        unit_id, _, name = path.partition("__")
        setattr(state.units[unit_id], name, value)
    return state


@pytest.mark.rule("pq17", "1.6.1", "9.1", "9.2", "1.6.7.1")
def test_impossible_states_are_recognised() -> None:
    assert RULEBOOK.defects(broken(resolve__fuel=35)) == ["resolve has 35 fuel in 34 boxes"]
    assert RULEBOOK.defects(broken(plenty__cargo=40)) == ["plenty carries more than its cargo boxes hold"]
    state = broken()
    state.set_units(state.task_forces["A1"], [*state.task_forces["A1"].units, "swift"])
    assert "swift is in 2 task forces instead of 1" in RULEBOOK.defects(state)
    state = broken()
    state.set_hex(state.task_forces["A3"], "0403")
    assert "A3 is in a port that is not there" in RULEBOOK.defects(state)
