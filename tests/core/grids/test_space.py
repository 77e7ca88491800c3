"""The unbounded sheet of hexes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from tests.expected.kept import cases

lattices = st.builds(Lattice, st.integers(-500, 500), st.integers(-500, 500))


@cases("at, around")
def test_the_neighbours_of_a_hex_clockwise_from_the_top(at: str, around: list[str]):
    assert [stepped(at, way) for way in WAYS] == around


@pytest.mark.parametrize(
    ("name", "column", "row"),
    [
        ("0412", 4, 12),
        ("-3.12", -3, 12),
        ("104.7", 104, 7),
        ("0.-1", 0, -1),
        ("9900", 99, 0),
        ("-10020.12345", -10020, 12345),
    ],
)
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


@pytest.mark.parametrize(
    ("one", "other", "hexes", "ways"),
    [
        ("2020", "2020", 0, ()),
        ("2020", "2015", 5, ("A",)),
        ("2020", "2220", 2, ("B", "C")),
        ("2020", "2219", 2, ("B",)),
        ("2020", "2217", 4, ("A", "B")),
        ("2020", "2118", 3, ("A", "B")),
        ("2020", "1819", 2, ("F",)),
        ("2020", "1818", 3, ("F", "A")),
        ("2020", "2023", 3, ("D",)),
    ],
)
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
