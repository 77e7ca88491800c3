"""The charts of cargo requirements and of Towing ratings."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.jump_lanes.tables.loads import points_requirement, towing_cost, unit_requirement


@pytest.mark.rule("jump_lanes", "13.3.2.2")
@pytest.mark.parametrize(
    ("kind", "siz", "takes"),
    [
        ("flight", 1, 1),
        ("flight", 3, 3),
        ("satellite", 2, 2),
        ("starship", 1, 10),
        ("starship", 4, 40),
        ("starbase", 2, 30),
    ],
)
def test_space_units_as_cargo(kind: str, siz: int, takes: int):
    assert unit_requirement(kind, siz) == takes


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
@pytest.mark.parametrize(
    ("kind", "siz", "takes"), [("troop", 3, 3), ("aircraft", 2, 2), ("seacraft", 2, 10), ("installation", 3, 30)]
)
def test_ground_units_as_cargo(kind: str, siz: int, takes: int):
    assert unit_requirement(kind, siz) == takes


@pytest.mark.rule("jump_lanes", "13.3.2.3-officers")
def test_an_officer_takes_one_and_ten_experience_points_take_one():
    assert unit_requirement("officer", 0) == 1
    assert points_requirement(0, 1) == Fraction(1, 10)
    assert points_requirement(0, 10) == 1
    assert points_requirement(0, 25) == Fraction(5, 2)


@pytest.mark.rule("jump_lanes", "13.3.2.1")
def test_a_census_point_takes_ten():
    assert points_requirement(1, 0) == 10
    assert points_requirement(3, 5) == Fraction(61, 2)


@pytest.mark.rule("jump_lanes", "13.3.2")
def test_facilities_are_no_cargo():
    assert unit_requirement("facility", 1) is None


@pytest.mark.rule("jump_lanes", "13.4.1")
@pytest.mark.parametrize(
    ("kind", "siz", "takes"),
    [("flight", 2, 2), ("satellite", 3, 3), ("starship", 2, 4), ("starship", 5, 10), ("starbase", 2, 8)],
)
def test_towing_ratings_by_kind(kind: str, siz: int, takes: int):
    assert towing_cost(kind, siz) == takes


@pytest.mark.rule("jump_lanes", "13.4.1")
@pytest.mark.parametrize("kind", ["facility", "troop", "aircraft", "seacraft", "installation", "officer"])
def test_what_the_chart_does_not_name_is_not_towed(kind: str):
    assert towing_cost(kind, 1) is None
