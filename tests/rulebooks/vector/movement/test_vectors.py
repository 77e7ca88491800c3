"""Vectors: one canonical form, however many directions go in. CJD1.11 to CJD1.131"""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rules_engine.core.grids.space import STEPS, WAYS, Lattice
from rules_engine.rulebooks.vector.records.vectors import Vector
from tests.rulebooks.vector.skies import fly, plot, sky, vector

elements = st.lists(st.tuples(st.integers(0, 40), st.sampled_from(WAYS)), max_size=6)


@pytest.mark.rule("vector", "CJD1.11", "CJD1.13")
@pytest.mark.parametrize(
    ("given_as", "says", "speed"),
    [
        ("19D", "19D", 19),
        ("3A+9B", "3A+9B", 12),
        ("9B+3A", "3A+9B", 12),
        ("2A+3F", "3F+2A", 5),
        ("0", "0", 0),
        ("8B+12C", "8B+12C", 20),
        # two elements 120 degrees apart, as the text prints it, are no vector of speed 20
        ("8B+12D", "8C+4D", 12),
    ],
)
def test_a_vector_is_hexes_in_one_direction_or_two(given_as: str, says: str, speed: int):
    assert (vector(given_as).says, vector(given_as).speed) == (says, speed)


@pytest.mark.rule("vector", "CJD1.111")
@pytest.mark.parametrize(
    ("given_as", "says"),
    [("8E+5F", "8E+5F"), ("4A+2D", "2A"), ("9A+6C", "3A+6B"), ("5A+5C+5E", "0"), ("7B+7E", "0"), ("4F+4B", "4A")],
)
def test_opposites_cancel_and_120_degrees_fold_into_the_middle(given_as: str, says: str):
    assert vector(given_as).says == says


@pytest.mark.rule("vector", "CJD1.111")
@given(elements)
def test_the_order_of_reduction_does_not_matter(parts: list[tuple[int, str]]):
    orders = itertools.islice(itertools.permutations(parts), 24)
    assert len({Vector(says="+".join(f"{n}{way}" for n, way in order) or "0").says for order in orders}) == 1


@pytest.mark.rule("vector", "CJD1.111")
@given(elements)
def test_a_vector_leads_where_its_parts_lead_in_at_most_two_neighbouring_directions(parts: list[tuple[int, str]]):
    made = Vector(says="+".join(f"{n}{way}" for n, way in parts) or "0")
    total = Lattice(0, 0)
    for hexes, way in parts:
        total = total.plus(STEPS[way], hexes)  # type: ignore[index]
    assert made.lattice == total
    assert len(made.elements) <= 2
    assert all(hexes > 0 for hexes in made.elements.values())
    numbers = [WAYS.index(way) for way in made.elements]
    assert len(numbers) < 2 or (numbers[1] - numbers[0]) % 6 == 1
    assert sum(made.elements.values()) == total.length


@pytest.mark.parametrize("text", ["3G", "A", "3A+", "-3A", "999999A", "3a", ""])
def test_what_is_no_vector_is_refused(text: str):
    with pytest.raises(ValidationError):
        vector(text)


@pytest.mark.rule("vector", "CJD1.12")
def test_a_ship_flies_backwards_and_accelerates_the_way_it_faces():
    battle = sky("H1 h 2020 D 4A")
    fly(battle, {"H1": plot("accelerate 3 on 1")}, 1)
    assert (battle.units["H1"].facing, battle.units["H1"].vector.says) == ("D", "1A")
    fly(battle, {}, 32)
    assert battle.units["H1"].at == "2019"


@pytest.mark.rule("vector", "CJD1.131")
def test_neither_speed_nor_the_sheet_has_an_end():
    battle = sky("H1 h 9999.-9990 A 9999A")
    assert vector("9999A").plus("A", 16).says == "10015A"
    fly(battle, {"H1": plot("accelerate 16 on 1")})
    assert (battle.units["H1"].at, battle.units["H1"].vector.speed) == ("9999.-20005", 10015)
