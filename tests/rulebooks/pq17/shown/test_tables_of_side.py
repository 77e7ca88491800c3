"""The tables that a side can look up."""

import pytest

from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.pq17.shown.tables_of_side import side_tables
from tests.rulebooks.pq17.worlds.notation import CLASSES, world


@pytest.mark.parametrize(("source", "said"), [("invented", "CA, invented"), ("our own book", "CA")])
def test_the_stores_mark_figures_that_are_made_up(source: str, said: str) -> None:
    classes = CLASSES | {"CA": CLASSES["CA"].model_copy(update={"source": source})}
    state = world("A1 0405 CA\nC1 0707 CA", classes=classes)
    (stores,) = [one for one in side_tables(state, "alliance", Knowledge()) if one.key == "stores"]
    assert [row[:4] for row in stores.rows] == [("A1.CA", said, "A1", "0405")]
