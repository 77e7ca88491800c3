"""The tables that a side can look up."""

from fractions import Fraction

import pytest

from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.pq17.nations.victory_points import score
from rules_engine.rulebooks.pq17.shown.boards import side_board
from rules_engine.rulebooks.pq17.shown.tables_of_side import period_of, side_tables
from tests.rulebooks.pq17.worlds.notation import CLASSES, table, world


@pytest.mark.parametrize(("source", "said"), [("invented", "CA, invented"), ("our own book", "CA")])
def test_the_stores_mark_figures_that_are_made_up(source: str, said: str) -> None:
    classes = CLASSES | {"CA": CLASSES["CA"].model_copy(update={"source": source})}
    state = world("A1 0405 CA\nC1 0707 CA", classes=classes)
    (stores,) = [one for one in side_tables(state, "alliance", Knowledge()) if one.key == "stores"]
    assert [row[:4] for row in stores.rows] == [("A1.CA", said, "A1", "0405")]


@pytest.mark.rule("pq17", "1.2.2")
@pytest.mark.parametrize(("turn", "period"), [(0, 1), (1, 1), (30, 1), (31, 2), (60, 2), (61, 3)])
def test_a_period_has_thirty_turns_and_what_is_before_the_first_belongs_to_it(turn: int, period: int) -> None:
    assert period_of(turn) == period


@pytest.mark.rule("pq17", "T5.note2")
def test_the_board_shows_the_last_twenty_lines_of_points() -> None:
    """Of 22; 1 to 22 points are 253 in all."""
    state = world("A1 0403 CA")
    at = table(state)
    for n in range(1, 23):
        score(at.at(str(n)), "T5.1", Fraction(n), because("PQ-17 T5"), text=f"Ship {n} destroyed.")
    panel = side_board(state, "alliance", Knowledge()).panel("Victory points")
    total, *rows = panel.rows
    assert total.startswith("Alliance total +253")
    assert [row.rpartition("Ship ")[2] for row in rows] == [f"{n} destroyed." for n in range(3, 23)]
