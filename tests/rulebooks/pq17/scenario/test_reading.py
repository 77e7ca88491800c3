"""Scenario files: the introductory one, and everything that can be wrong with another."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.ch12_mines.removal import wear_minefields
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.records import minefields
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TowGroup
from rules_engine.rulebooks.pq17.records.progress import Arrival, Away
from rules_engine.rulebooks.pq17.records.state import State, VpLine
from rules_engine.rulebooks.pq17.scenario import invariants, reading
from rules_engine.rulebooks.pq17.shown.boards import public_board, side_board
from rules_engine.rulebooks.pq17.tables.supply import Goods
from tests.expected.kept import cases
from tests.expected.spelling import evaluated
from tests.rulebooks.pq17.playing.officers import INTRO, intro
from tests.rulebooks.pq17.playing.scripted import scenario
from tests.rulebooks.pq17.worlds import notation, repair
from tests.rulebooks.scenario_defects import Scenarios

# --- every invariant is broken once, and says so; a sound world has no defect -----------------------------------------
WORLD = """
    A1 0405 CA+DD speed 2 ID1
    A2 0405 DD
    A3 0303 FF port A9
    A9 0303 BATS base Haven known LC1
    C1 0405 CA speed 2 U shadows A1
    C2 0406 FF
    turn 1 impulse 1
"""


def line(amount: str, turn: int = 1, *, public: bool = True) -> VpLine:
    return VpLine(line="T5.1", amount=Fraction(amount), turn=turn, impulse=1, text="", public=public)


def arrival(*units: str) -> Arrival:
    return Arrival(key="r1", kind="reinforcement", nation="", name="", units=list(units), entry=["0101"])


def mine(state: State, key: str, hex_id: str, level: int = -2, strength: int | None = None) -> None:
    field = minefields.Minefield(side="coalition", hex=hex_id, strength=3)
    field.level, field.known_strength = level, strength
    state.mines.fields[key] = field


def test_a_sound_world_has_no_defect():
    assert invariants.defects(notation.world(WORLD)) == []


def test_reorganisations_may_close_a_circle_until_shadowing_is_continued():
    state = notation.world(WORLD)
    state.task_forces["A1"].shadowing = "C1"
    state.impulse = 0
    assert invariants.defects(state) == []


NOTATION = {one.__name__: one for one in (Away, Fraction, IdLevel, TowGroup, arrival, line, mine)}


@cases("case, change, said")
def test_what_is_impossible_is_named(change: str, said: list[str]):
    state = notation.world(WORLD)
    evaluated(change, NOTATION)(state)
    assert list(invariants.defects(state)) == said


# --- minefields -------------------------------------------------------------------------------------------------------
SCENARIO = """
title = "Mines"
turns = 4
victory_points = 1
minefield_hexes = ["0101"]
[map]
columns = 9
rows = 8
[[side]]
key = "alliance"
name = "Alliance"
emblem = "A"
[[side]]
key = "coalition"
name = "Coalition"
emblem = "C"
[[settled]]
hex = "0405"
side = "alliance"
name = "Amber"
[[task_force]]
id = "A1"
side = "alliance"
hex = "0405"
[[task_force]]
id = "C1"
side = "coalition"
hex = "0607"
[[unit]]
id = "layer"
name = "Layer"
class_id = "ML"
task_force = "A1"
mines = 250
[[unit]]
id = "hawk"
name = "Hawk"
class_id = "ML"
task_force = "C1"
"""
SHIPS = """
[[class]]
class_id = "ML"
name = "Minelayer"
empire = "Testers"
msc_table = "Tester minelayer"
source = "invented"
move_cost = "1/2"
warp = 15
cargo = 20
is_minelayer = true
mine_capacity = 200
[[class]]
class_id = "HAVEN"
name = "Outpost"
empire = "Testers"
msc_table = "Tester outpost"
source = "invented"
unit_kind = "base"
move_cost = "0"
awr = 6
"""


def _read(more: str) -> State:
    return RULEBOOK.set_up(RULEBOOK.read_scenario({"scenario.toml": SCENARIO + more, "ships.toml": SHIPS}))


@pytest.mark.rule("pq17", "12.1.3", "12.1.4", "12.1.5")
def test_a_scenario_gives_minefields_and_mines_aboard() -> None:
    fields = '[[minefield]]\nside = "alliance"\nhex = "0405"\nstrength = 4\n'
    state = _read(fields + '[[minefield]]\nside = "coalition"\nhex = "0101"\nstrength = 2\n')
    assert {key: one.strength for key, one in state.mines.fields.items()} == {"alliance 0405": 4, "coalition 0101": 2}
    layer = state.units["layer"]
    # 200 in the racks, 50 in cargo at four a box: 13 of its 20 boxes, where supply would be
    assert (layer.stores[Goods.LARGE_MINES], layer.cargo_goods[Goods.LARGE_MINES], layer.supply) == (200, 50, 7)
    assert invariants.defects(state) == []


@cases("class_id, more", "")
def test_a_base_may_have_a_minefield_about_it_and_a_ship_alone_may_not(class_id: str, more: str) -> None:
    text = f'[[task_force]]\nid = "A9"\nside = "alliance"\nhex = "0202"\n{more}'
    text += f'[[unit]]\nid = "haven"\nname = "Haven"\nclass_id = "{class_id}"\ntask_force = "A9"\n'
    text += '[[minefield]]\nside = "alliance"\nhex = "0202"\nstrength = 4\n'
    if more:
        assert list(_read(text).mines.fields) == ["alliance 0202"]
    else:
        with pytest.raises(Refused, match=r"12\.1\.9"):
            _read(text)


@cases("case, more, mines, said")
def test_a_scenario_with_a_minefield_that_cannot_be_is_refused(more: str, mines: int, said: list[str]) -> None:
    """``mines`` are aboard the minelayer."""
    text = SCENARIO.replace("mines = 250", f"mines = {mines}") + more
    assert SCENARIOS.refused({"scenario.toml": text, "ships.toml": SHIPS}) == said


@pytest.mark.parametrize("strength", [1, 99])
def test_the_weakest_and_the_strongest_minefield_are_read(strength: int) -> None:
    state = _read(f'[[minefield]]\nside = "alliance"\nhex = "0405"\nstrength = {strength}\n')
    assert state.mines.fields["alliance 0405"].strength == strength


def test_minefields_that_are_printed_are_public_and_what_became_of_them_is_not() -> None:
    state = _read('[[minefield]]\nside = "alliance"\nhex = "0405"\nstrength = 4\n')
    before = side_board(state, "coalition", Knowledge())
    (counter,) = [one for one in before.counters if one.form == "minefield"]
    assert (counter.hex, counter.details) == ("0405", ("Operational minefield", "Strength 4 at the start"))
    assert [one for one in public_board(state).counters if one.form == "minefield"] == [counter]
    for strength in (2, 7):
        repair.field_of(state, "alliance", "0405").strength = strength
        assert side_board(state, "coalition", Knowledge()) == before
    del state.mines.fields["alliance 0405"]
    assert side_board(state, "coalition", Knowledge()) == before


def test_who_comes_to_a_printed_minefield_and_finds_none_is_told_and_sees_it_no_more() -> None:
    state = _read('[[minefield]]\nside = "alliance"\nhex = "0405"\nstrength = 4\n')
    del state.mines.fields["alliance 0405"]
    state.set_hex(state.task_forces["C1"], "0405")
    at = notation.table(state)
    announce_detections(at)
    assert "There is no enemy minefield in 0405 any more." in notation.told(at, "coalition")
    board = side_board(state, "coalition", at.knowledge("coalition"))
    assert [one for one in board.counters if one.form == "minefield"] == []
    count = len(at.shared.reports)
    announce_detections(at)
    assert len(at.shared.reports) == count


def test_a_minefield_that_is_gone_stays_on_the_enemys_map_until_he_comes_back() -> None:
    at = repair.at_mines("mines 0405 coalition 1\nA1 0405 CA")
    announce_detections(at)
    at.state.set_hex(at.state.task_forces["A1"], "0406")
    repair.field_of(at.state, "coalition", "0405").attacked = True
    wear_minefields(at)
    assert "E1" in at.knowledge("alliance").contacts
    assert invariants.defects(at.state) == []
    at.state.set_hex(at.state.task_forces["A1"], "0405")
    announce_detections(at)
    assert notation.told(at, "alliance")[-1] == "Minefield E1 in 0405 is no more."
    assert "E1" not in at.knowledge("alliance").contacts


SCENARIOS = Scenarios("pq17", RULEBOOK.read_scenario, usual=INTRO.name, changed=INTRO.name)
FILES = SCENARIOS.files()


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
    found = {tf.id: tf.id_level for tf in state.all_task_forces("coalition")}
    assert found == {"C1": IdLevel.N, "C8": IdLevel.N, "C9": IdLevel.ID3}
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
    grid = reading.SheetSize(columns=22, rows=17).grid()
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
    files = SCENARIOS.with_change("scenario.toml", "[11, 59, 78, 100]", "[1, 59, 78, 100]")
    settings = RULEBOOK.set_up(RULEBOOK.read_scenario(files)).settings
    assert [settings.conditions_of(rolled) for rolled in (1, 2)] == [1, 2]


@cases("case, file, old, new, said")
def test_defects_are_refused_with_what_would_be_right(file: str, old: str, new: str, said: str) -> None:
    assert SCENARIOS.told_of(file, old, new) == said


@cases("case, left_out, added, said")
def test_files_too_few_and_too_many_are_refused(left_out: str, added: str, said: list[str]) -> None:
    files = {name: text for name, text in FILES.items() if name != left_out}
    assert SCENARIOS.refused(files | ({added: ""} if added else {})) == said


def test_all_defects_of_all_files_are_told_at_once() -> None:
    files = SCENARIOS.with_change("scenario.toml", 'hex = "0403"', 'hex = "4403"') | {"notes.txt": ""}
    files["ships.toml"] = files["ships.toml"].replace("warp = 30", "wrap = 30", 1)
    said = " ".join(SCENARIOS.refused(files))
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
