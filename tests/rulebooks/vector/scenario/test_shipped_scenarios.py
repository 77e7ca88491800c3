"""The scenarios that come with the bot: what they begin with."""

import pytest

from rules_engine.core.grids.space import hexes_between
from rules_engine.core.protocol.seats import SeatRange
from rules_engine.rulebooks.vector.records.aims import EDGE
from rules_engine.rulebooks.vector.scenario.ground import disc, row_of_hexes
from rules_engine.rulebooks.vector.scenario.opening import set_up
from rules_engine.rulebooks.vector.scenario.reading import read_scenario, seats, sides_of, with_seats
from tests.rulebooks.scenario_defects import FOLDER
from tests.rulebooks.vector.scenarios import NAMES, files, opened


def test_no_scenario_is_left_out():
    assert sorted(one.name for one in (FOLDER / "vector").iterdir()) == sorted(NAMES)


@pytest.mark.parametrize(
    ("name", "least", "most", "ships"),
    [("ambush", 2, 6, 13), ("courier", 2, 4, 4), ("race", 2, 6, 6), ("rendezvous", 2, 4, 16)],
)
def test_how_many_may_play(name: str, least: int, most: int, ships: int):
    document = read_scenario(files(name))
    assert seats(document) == SeatRange(least=least, most=most)
    assert len(opened(name).battle.units) == ships
    fewest = with_seats(document, least)
    assert len(sides_of(fewest)) == least
    state = opened(name, least)
    assert list(state.captains) == state.battle.sides == [one.key for one in sides_of(fewest)]
    assert {one.side for one in state.battle.units.values()} == {*state.captains}, "ships of others are not there"


@pytest.mark.parametrize("name", NAMES)
def test_the_first_line_says_what_it_is_in_a_hundred_letters(name: str):
    first = files(name)["scenario.toml"].splitlines()[0]
    assert first.startswith("# ")
    assert len(first) <= 100


@pytest.mark.parametrize("name", NAMES)
def test_all_figures_are_invented_and_say_so(name: str):
    assert {"scenario", "rules", "ships", "terrain"} <= {*opened(name).invented}


def test_the_far_edge_is_drawn_as_a_column():
    edge = next(one for one in opened("courier").battle.terrain if one.id == EDGE)
    assert (edge.kind, edge.hexes[0], edge.hexes[-1], len(edge.hexes)) == ("line", "150.5", "150.45", 41)


def test_in_a_chase_the_hunters_are_no_enemies_of_each_other():
    battle = opened("courier").battle
    assert battle.friends("revenue", "coast")
    assert not battle.friends("revenue", "courier")
    assert opened("race").battle.allies == []


def test_a_row_of_hexes_joins_its_ends():
    assert row_of_hexes("0410", "0413") == ("0410", "0411", "0412", "0413")
    assert row_of_hexes("0410", "0410") == ("0410",)


def test_a_disc_holds_each_hex_once():
    found = disc("0410", 2)
    assert (found[0], len(found), len({*found})) == ("0410", 19, 19)
    assert all(hexes_between("0410", one) <= 2 for one in found)


def test_late_ships_are_there_later():
    late = {key: one.waits_for for key, one in opened("ambush").battle.units.items() if one.waits_for}
    assert late == {"R2": 2, "W2": 3}


def test_hunters_are_a_force_where_there_are_several():
    assert opened("courier", 2).battle.allies == []
    assert opened("courier").battle.allies == [["revenue", "coast", "consul"]]


def test_figures_that_have_a_source_are_not_called_invented():
    texts = files("courier")
    sourced = {name: text.replace('source = "invented"', 'source = "A book, 3"') for name, text in texts.items()}
    assert set_up(read_scenario(sourced)).invented == ("ships", "terrain")
    assert opened("courier").invented[:4] == ("scenario", "rules", "ships", "terrain")
    assert opened("courier").invented[4:] == ("class COURIER", "class CRUISER", "class CUTTER")
