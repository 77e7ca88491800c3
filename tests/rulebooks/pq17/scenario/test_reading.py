"""Scenario files: the introductory one, and everything that can be wrong with another."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.ch12_mines.removal import wear_minefields
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TowGroup
from rules_engine.rulebooks.pq17.records.progress import Arrival, Away
from rules_engine.rulebooks.pq17.records.state import State, VpLine
from rules_engine.rulebooks.pq17.scenario import invariants, reading
from rules_engine.rulebooks.pq17.shown.boards import public_board, side_board
from rules_engine.rulebooks.pq17.tables.supply import Goods
from tests.expected.kept import cases
from tests.rulebooks.pq17.playing.officers import INTRO, intro
from tests.rulebooks.pq17.playing.scripted import scenario
from tests.rulebooks.pq17.worlds import notation, repair

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


BROKEN: list[tuple[str, Callable[[State], object], str]] = [
    ("a unit in two places", lambda s: s.task_forces["A2"].units.append("A1.CA"), "A1.CA is in 2 task forces"),
    ("a unit nowhere", lambda s: s.task_forces["A1"].units.remove("A1.CA"), "A1.CA is in 0 task forces"),
    (
        "a unit off the map and on it",
        lambda s: s.progress.away.update({"A1.CA": Away(state="left")}),
        "A1.CA is in 1 task forces instead of 0",
    ),
    ("a unit that arrives and does not wait", lambda s: s.progress.arrivals.append(arrival("A1.CA")), "does not wait"),
    (
        "a unit that waits twice",
        lambda s: s.progress.arrivals.extend([arrival("A1.CA"), arrival("A1.CA")]),
        "waits in 2 places",
    ),
    ("an empty task force", lambda s: s.task_forces["A2"].units.clear(), "A2 has no units"),
    ("off the map", lambda s: setattr(s.task_forces["A2"], "hex", "9999"), "A2 is off the map"),
    ("too much fuel", lambda s: setattr(s.units["A1.CA"], "fuel", Fraction(35)), "35 fuel in 34 boxes"),
    ("too much cargo", lambda s: setattr(s.units["A1.CA"], "supply", 1), "carries more than its cargo boxes hold"),
    ("no such port", lambda s: setattr(s.task_forces["A2"], "in_port", "A9"), "in a port that is not there"),
    ("a stranger aboard", lambda s: setattr(s.units["A1.CA"], "side", "coalition"), "of the other side"),
    ("ships with bases", lambda s: s.task_forces["A1"].units.append("A9.BATS"), "A1 mixes ships and bases"),
    ("a known base unknown", lambda s: setattr(s.task_forces["A9"], "id_level", IdLevel.U), "known at U only"),
    ("shadows its own", lambda s: setattr(s.task_forces["C2"], "shadowing", "C1"), "shadows what is no enemy"),
    ("shadows from port", lambda s: setattr(s.task_forces["A3"], "shadowing", "C1"), "or in port"),
    ("shadows what it cannot see", lambda s: setattr(s.task_forces["A1"], "shadowing", "C2"), "does not hold"),
    ("shadows in a circle", lambda s: setattr(s.task_forces["A1"], "shadowing", "C1"), "in a circle"),
    ("carried from elsewhere", lambda s: setattr(s.units["A1.DD"], "carried_by", "A2.DD"), "carried by A2.DD, which"),
    (
        "tows what it does not have",
        lambda s: s.task_forces["A1"].tows.append(TowGroup(tower="A1.CA", towed=["A2.DD"])),
        "A1 tows ships that it does not have",
    ),
    (
        "two enemies under one number",
        lambda s: s.tracks["coalition"].current.update(A2=s.tracks["coalition"].current["A1"]),
        "holds 2 enemies as E1",
    ),
    ("a number not given out", lambda s: s.tracks["coalition"].current.update(A1="E9"), "has given out"),
    ("holds its own", lambda s: s.tracks["alliance"].current.update(A2="E1"), "alliance holds its own A2"),
    ("holds what is gone", lambda s: s.tracks["alliance"].current.update(C7="E1"), "C7, which is no more"),
    ("holds what it does not see", lambda s: s.tracks["alliance"].current.update(C2="E1"), "C2, which is Unid"),
    ("sees without a number", lambda s: s.tracks["coalition"].current.pop("A1"), "no number for A1, which is at ID1"),
    (
        "scored yesterday after today",
        lambda s: (setattr(s, "turn", 3), s.ledger.extend((line("1", 3), line("1", 2)))),
        "line 2 of the ledger is of turn 2",
    ),
    ("a quarter point", lambda s: s.ledger.append(line("1/4")), "line 1 of the ledger is 1/4 points"),
    ("nothing scored", lambda s: s.ledger.append(line("0")), "line 1 of the ledger is 0 points"),
    ("scored tomorrow", lambda s: s.ledger.append(line("1", 2)), "line 1 of the ledger is of turn 2"),
    ("seen by nobody", lambda s: s.ledger.append(line("1", public=False)), "line 1 of the ledger is seen by nobody"),
]


def test_a_sound_world_has_no_defect():
    assert invariants.defects(notation.world(WORLD)) == []


def test_reorganisations_may_close_a_circle_until_shadowing_is_continued():
    state = notation.world(WORLD)
    state.task_forces["A1"].shadowing = "C1"
    state.impulse = 0
    assert invariants.defects(state) == []


@pytest.mark.parametrize(
    ("change", "said"), [(change, said) for _, change, said in BROKEN], ids=[one[0] for one in BROKEN]
)
def test_what_is_impossible_is_named(change: Callable[[State], object], said: str):
    state = notation.world(WORLD)
    change(state)
    assert any(said in defect for defect in invariants.defects(state)), invariants.defects(state)


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


@cases("more, words", "")
def test_a_scenario_with_a_minefield_that_cannot_be_is_refused(more: str, words: str) -> None:
    with pytest.raises(Refused) as refused:
        _read(more)
    assert words in str(refused.value)


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
        (FILES | {"scenrio.toml": ""}, "is not part of a scenario"),
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
