"""Minefields and mines at the start, what of them is public, and how a minefield that is gone leaves the map."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.ch12_mines.removal import wear_minefields
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.shown.boards import public_board, side_board
from rules_engine.rulebooks.pq17.tables.supply import Goods
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.minefields import at_mines, field_of
from tests.rulebooks.pq17.worlds.notation import table, told

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
    assert defects(state) == []


@pytest.mark.rule("pq17", "12.1.9")
@pytest.mark.parametrize(("class_id", "more"), [("HAVEN", '[task_force.base]\nname = "Haven"\n'), ("ML", "")])
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
@pytest.mark.rule("pq17", "12.1.3", "12.1.9")
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
        field_of(state, "alliance", "0405").strength = strength
        assert side_board(state, "coalition", Knowledge()) == before
    del state.mines.fields["alliance 0405"]
    assert side_board(state, "coalition", Knowledge()) == before


def test_who_comes_to_a_printed_minefield_and_finds_none_is_told_and_sees_it_no_more() -> None:
    state = _read('[[minefield]]\nside = "alliance"\nhex = "0405"\nstrength = 4\n')
    del state.mines.fields["alliance 0405"]
    state.set_hex(state.task_forces["C1"], "0405")
    at = table(state)
    announce_detections(at)
    assert "There is no enemy minefield in 0405 any more." in told(at, "coalition")
    board = side_board(state, "coalition", at.knowledge("coalition"))
    assert [one for one in board.counters if one.form == "minefield"] == []
    count = len(at.shared.reports)
    announce_detections(at)
    assert len(at.shared.reports) == count


def test_a_minefield_that_is_gone_stays_on_the_enemys_map_until_he_comes_back() -> None:
    at = at_mines("mines 0405 coalition 1\nA1 0405 CA")
    announce_detections(at)
    at.state.set_hex(at.state.task_forces["A1"], "0406")
    field_of(at.state, "coalition", "0405").attacked = True
    wear_minefields(at)
    assert "E1" in at.knowledge("alliance").contacts
    assert defects(at.state) == []
    at.state.set_hex(at.state.task_forces["A1"], "0405")
    announce_detections(at)
    assert told(at, "alliance")[-1] == "Minefield E1 in 0405 is no more."
    assert "E1" not in at.knowledge("alliance").contacts
