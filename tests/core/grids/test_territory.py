"""Whose space a hex is, around the places that are known."""

from rules_engine.core.grids.hexes import Grid
from rules_engine.core.grids.territory import Held, territory_around

GRID = Grid(columns=9, rows=9)


def test_space_reaches_as_far_as_its_place_does():
    found = territory_around(GRID, [Held("0505", "red", 2)])
    assert sorted(found) == list(GRID.within("0505", 2))
    assert {*found.values()} == {"red"}


def test_the_nearer_place_has_the_hex_and_equally_near_ones_leave_it_to_nobody():
    found = territory_around(GRID, [Held("0305", "red", 2), Held("0705", "blue", 2), Held("0405", "red", 0)])
    assert found["0305"] == found["0405"] == "red"
    assert found["0705"] == "blue"
    assert GRID.distance("0305", "0505") == GRID.distance("0705", "0505") == 2
    assert "0505" not in found


def test_the_order_of_the_places_does_not_matter():
    places = [Held("0305", "red", 2), Held("0505", "blue", 1), Held("0705", "red", 2), Held("0504", "green", 1)]
    assert territory_around(GRID, places) == territory_around(GRID, reversed(places))


def test_two_of_one_owner_do_not_dispute_a_hex():
    found = territory_around(GRID, [Held("0305", "red", 2), Held("0705", "red", 2)])
    assert found["0505"] == "red"
