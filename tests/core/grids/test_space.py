"""The unbounded sheet of hexes, as a map too, and whose space a hex is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.core.grids.hexes import Grid
from rules_engine.core.grids.places import UnknownPlace
from rules_engine.core.grids.space import (
    STEPS,
    WAYS,
    Lattice,
    NoHex,
    Way,
    column_row,
    elements_of,
    hex_at,
    hexes_between,
    lattice_of,
    opposite,
    stepped,
    turned,
    ways_nearest,
    ways_towards,
)
from rules_engine.core.grids.territory import Held, territory_around
from rules_engine.core.grids.unbounded import Space, way_said
from tests.expected.kept import cases

lattices = st.builds(Lattice, st.integers(-500, 500), st.integers(-500, 500))


@cases("at, around")
def test_the_neighbours_of_a_hex_clockwise_from_the_top(at: str, around: list[str]):
    assert [stepped(at, way) for way in WAYS] == around


@cases("name, column, row", "name, column, row")
def test_how_a_hex_is_written(name: str, column: int, row: int):
    assert column_row(lattice_of(name)) == (column, row)
    assert hex_at(lattice_of(name)) == name


@pytest.mark.parametrize("name", ["", "412", "04123", "A412", "4.", ".4", "-3.12.1", "10000000.1", "4 12"])
def test_what_is_no_hex(name: str):
    with pytest.raises(NoHex, match="is no hex"):
        lattice_of(name)


@given(lattices)
def test_every_hex_has_one_name(spot: Lattice):
    assert lattice_of(hex_at(spot)) == spot


@cases("one, other, hexes, ways", "hexes, ways")
def test_how_far_and_where(one: str, other: str, hexes: int, ways: tuple[str, ...]):
    assert (hexes_between(one, other), ways_towards(one, other)) == (hexes, ways)
    assert hexes_between(other, one) == hexes


@given(lattices)
def test_any_way_is_hexes_in_at_most_two_neighbouring_directions(gap: Lattice):
    found = elements_of(gap)
    total = Lattice(0, 0)
    for way, hexes in found:
        assert hexes > 0
        total = total.plus(STEPS[way], hexes)
    assert total == gap
    assert sum(hexes for _, hexes in found) == gap.length
    assert [hexes for _, hexes in found] == sorted((hexes for _, hexes in found), reverse=True)
    if len(found) == 2:
        assert (WAYS.index(found[0][0]) - WAYS.index(found[1][0])) % 6 in (1, 5)


def test_of_two_equal_elements_the_first_clockwise_comes_first():
    assert elements_of(Lattice(1, -2)) == (("A", 1), ("B", 1))
    assert elements_of(Lattice(-1, -1)) == (("F", 1), ("A", 1))


@cases("elements, ways")
def test_a_direction_reaches_half_way_to_its_neighbours(elements: tuple[tuple[Way, int], ...], ways: tuple[Way, ...]):
    gap = Lattice(0, 0)
    for way, hexes in elements:
        gap = gap.plus(STEPS[way], hexes)
    assert ways_nearest("2020", hex_at(lattice_of("2020").plus(gap))) == ways


def test_directions():
    assert [turned("A", sixths) for sixths in (0, 1, 5, -1, 6, -7)] == ["A", "B", "F", "F", "A", "F"]
    assert [opposite(way) for way in WAYS] == ["D", "E", "F", "A", "B", "C"]
    assert stepped("2020", "B", 4) == hex_at(lattice_of("2020").plus(STEPS["B"], 4))


# --- an unbounded sheet of hexes as a map: which hexes are meant, how far they are, and what is offered of it ---------
SHEET = Space(hexes=("0505", "-3.12", "104.7", "0501"))
HEXES = st.builds(Lattice, st.integers(-150, 150), st.integers(-150, 150)).map(hex_at)


@cases("text, place")
def test_a_hex_is_meant_however_it_is_written(text: str, place: str) -> None:
    assert SHEET.parse(text) == place


@pytest.mark.parametrize("text", ["", "H2", "12", "0505 0601", "104 7", "04123", "12345.1", "0412x", "a.b"])
def test_what_is_no_hex_is_refused(text: str) -> None:
    with pytest.raises(UnknownPlace, match="no hex"):
        SHEET.parse(text)


def test_those_that_begin_alike_are_named() -> None:
    with pytest.raises(UnknownPlace, match="nearest: 0501, 0505"):
        SHEET.parse("05x")


def test_every_hex_that_is_written_as_it_is_called_is_a_place_of_it() -> None:
    assert all(one in SHEET for one in ("0000", "9999", "-1.5", "100.3", "3.100"))
    assert not any(one in SHEET for one in ("3.12", "03.12", "412", "A1", "", None, 412))


def test_those_in_which_something_stands_are_offered_in_order() -> None:
    assert SHEET.ids() == ("-3.12", "0501", "0505", "104.7")
    assert SHEET.named_in("H1 left 0909 for 0505, not for 0501") == "0505"
    assert SHEET.named_in("at -3.12 it turned") == "-3.12"
    assert SHEET.named_in("nothing of that kind: 0909") == ""


def test_distances_and_ways_are_said() -> None:
    """Two columns to the right and one row up are two hexes towards B; two rows more up are two towards A besides."""
    assert SHEET.away("0505", "0505") == ""
    assert SHEET.away("0505", "0504") == "1 hex (1A)"
    assert SHEET.away("0505", "0704") == "2 hexes (2B)"
    assert SHEET.away("0505", "0702") == "4 hexes (2A+2B)"
    assert SHEET.away("0505", "0712") == "8 hexes (6D+2C)"
    assert way_said("0505", "0505") == ""


@pytest.mark.parametrize("ask", ["neighbours", "within", "distance", "away"])
def test_what_is_no_hex_has_no_neighbours(ask: str) -> None:
    more = {"neighbours": (), "within": (1,), "distance": ("0101",), "away": ("0101",)}[ask]
    with pytest.raises(UnknownPlace, match=r"'3\.12' is no hex"):
        getattr(SHEET, ask)("3.12", *more)


@given(here=HEXES)
def test_six_hexes_lie_around_each(here: str) -> None:
    around = SHEET.neighbours(here)
    assert len({*around}) == 6
    assert all(SHEET.distance(here, one) == 1 for one in around)
    assert {*SHEET.within(here, 1)} == {here, *around}
    assert len(SHEET.within(here, 3)) == 37


@given(one=HEXES, other=HEXES)
def test_a_distance_is_the_same_both_ways(one: str, other: str) -> None:
    assert SHEET.distance(one, other) == SHEET.distance(other, one)
    assert (other in SHEET.within(one, 2)) == (SHEET.distance(one, other) <= 2)


def test_a_part_tells_of_no_other_hexes() -> None:
    assert SHEET.part(("0505",), Space(hexes=("104.7", "0909"))).hexes == ("0505", "104.7")


# --- whose space a hex is, around the places that are known -----------------------------------------------------------
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
    assert territory_around(GRID, [Held("0305", "red", 2), Held("0705", "red", 2)])["0505"] == "red"
