"""Towing factors, unexpected encounters and Command Ratings, row by row."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.border_patrol.tables.encounters import ROWS, adjustment, encounter_result
from rules_engine.rulebooks.border_patrol.tables.ranks import default_command_rating
from rules_engine.rulebooks.border_patrol.tables.towing import pod_factor, relative_size, unit_factor


@pytest.mark.rule("border_patrol", "T8.850")
def test_the_factors_of_pods_are_the_printed_decimals():
    assert [pod_factor(weight) for weight in range(5)] == [
        None,
        Fraction(25, 100),
        Fraction(33, 100),
        Fraction(50, 100),
        None,
    ]


@pytest.mark.rule("border_patrol", "T8.850")
def test_the_factors_of_units_are_the_printed_decimals():
    assert unit_factor(["smaller"]) == Fraction(33, 100)
    assert unit_factor(["smaller", "smaller"]) == Fraction(50, 100)
    assert unit_factor(["same"]) == Fraction(50, 100)
    assert unit_factor(["same", "same"]) == Fraction(67, 100)
    assert unit_factor(["larger"]) == Fraction(75, 100)


@pytest.mark.rule("border_patrol", "T8.850")
def test_one_of_each_size_is_ruled_and_what_may_not_be_towed_has_no_factor():
    assert unit_factor(["same", "smaller"]) == unit_factor(["smaller", "same"]) == Fraction(67, 100)
    assert unit_factor(["larger", "smaller"]) is None
    assert unit_factor(["smaller"] * 3) is None
    assert unit_factor([]) is None


@pytest.mark.rule("border_patrol", "V8.39")
def test_a_larger_size_class_is_a_lower_number():
    assert [relative_size(3, towed) for towed in (2, 3, 4)] == ["larger", "same", "smaller"]


@pytest.mark.rule("border_patrol", "T8.720")
def test_the_adjustments_of_the_first_roll():
    """Outstanding crews' figure is blank in print, and ruled."""
    assert adjustment("poor") == -3
    assert adjustment("out of supply") == -4
    assert adjustment("own province") == 1
    assert adjustment("outstanding") == 3


@pytest.mark.rule("border_patrol", "T8.730")
def test_the_results_of_the_second_roll():
    storm, post = "ion storm", "listening post"
    assert [encounter_result(total) for total in range(-2, 7)] == [
        *("none", "none", "none"),
        *(storm, storm, post, post, post, "convoy"),
    ]
    with pytest.raises(ValueError, match="6 at most"):
        encounter_result(7)


@pytest.mark.rule("border_patrol", "T8.730")
def test_what_each_result_makes_known():
    known = {kind: (row.direction, row.upturned, row.to_everybody, row.terrain) for kind, row in ROWS.items()}
    assert known == {
        "ion storm": (True, True, True, "ion storm"),
        "listening post": (True, False, False, ""),
        "convoy": (False, False, False, ""),
    }


def test_command_ratings_of_classes():
    given = {"DN": 10, "SCS": 10, "BC": 9, "CC": 9, "CA": 8, "cl": 6, "CW": 6, "DD": 4, "tug": 4, "FF": 3, "SC": 2}
    assert {name: default_command_rating(name) for name in given} == given
