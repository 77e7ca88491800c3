"""An unbounded sheet of hexes as a map: which hexes are meant, how far they are, and what is offered of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.core.grids.places import UnknownPlace
from rules_engine.core.grids.space import Lattice, hex_at
from rules_engine.core.grids.unbounded import Space, way_said

SHEET = Space(hexes=("0505", "-3.12", "104.7", "0501"))

HEXES = st.builds(Lattice, st.integers(-150, 150), st.integers(-150, 150)).map(hex_at)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("0412", "0412"),
        ("412", "0412"),
        (" 04-12 ", "0412"),
        ("#0412", "0412"),
        ("hex 0412", "0412"),
        ("4, 12", "0412"),
        ("4.12", "0412"),
        ("-3.12", "-3.12"),
        ("-3, 12", "-3.12"),
        ("104.7", "104.7"),
        ("104:7", "104.7"),
    ],
)
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
    part = SHEET.part(("0505",), Space(hexes=("104.7", "0909")))
    assert part.hexes == ("0505", "104.7")
