"""The book's tables and numbers, typed once more from its text; invented ones and those of rulings are typed here so
that nobody changes them by accident."""

from fractions import Fraction
from importlib import import_module
from typing import Any

from rules_engine.rulebooks.cutler.ch02_movement.navigators import OUTCOMES
from rules_engine.rulebooks.cutler.ch03_combat.steering import SHIFTS
from rules_engine.rulebooks.cutler.records.parts import craft
from tests.expected.kept import Kept, cases


def value_in(module: str, name: str) -> Any:
    """Give a figure of the rulebook as tables of cases have it: fractions and ranges in words."""
    value = getattr(import_module(f"rules_engine.rulebooks.cutler.{module}"), name)
    is_written_out = isinstance(value, range) or (isinstance(value, Fraction) and value.denominator > 1)
    return str(value) if is_written_out else value


@cases("module, name, typed")
def test_a_table_is_as_the_book_or_a_ruling_has_it(module: str, name: str, typed: Any) -> None:
    assert value_in(module, name) == typed


@cases("module, name, typed")
def test_an_invented_figure_is_not_changed_by_accident(module: str, name: str, typed: Any) -> None:
    """None of them stands in the book: whoever means to change one changes it here, too."""
    assert value_in(module, name) == typed


def test_the_figures_of_fighters_that_fly_alone() -> None:
    """Shuttles and fighters are of size class 6, and what they cost to move is nobody's to pay. 2.9"""
    assert (craft.FIGHTERS.size_class, craft.FIGHTERS.move_cost, craft.FIGHTERS.kind) == (6, 0, "fighters")


def test_what_a_navigator_makes_of_each_die(kept: Kept) -> None:
    """2.4.1.10: 1 and 2 lost, 3 and 4 delayed, 5 out; by how much he turns directions: 3.6.1.1.1."""
    assert kept() == OUTCOMES
    assert SHIFTS == {-1: "One lower", 0: "As rolled", 1: "One higher"}
