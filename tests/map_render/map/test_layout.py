"""Layouts: maps of any proportion and crops of them are images of a good size."""

import pytest

from map_render import render_side
from rules_engine.core.grids.hexes import Grid, UnknownHex
from rules_engine.core.knowledge.views import SideView
from tests.map_render import boards
from tests.map_render.boards import with_parts


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (1, 20), (20, 1), (2, 3), (40, 30)], ids=str)
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_maps_of_any_proportion(columns: int, rows: int, orientation: str) -> None:
    grid = Grid.model_validate({"columns": columns, "rows": rows, "orientation": orientation})
    found = render_side(SideView(side="alliance", board=boards.board(grid)))
    assert 1600 <= max(found.width, found.height) <= 2400


def test_a_crop_shows_its_hexes_and_leaves_out_the_rest() -> None:
    view = boards.convoy()
    near = render_side(view, crop=("0604", "0403"))
    assert 1600 <= max(near.width, near.height) <= 2400
    assert near.png != render_side(view).png
    far_away = with_parts(view, counters=tuple(one for one in view.board.counters if one.hex != "0307"))
    assert render_side(far_away, crop=("0604", "0403")).png == near.png
    within = with_parts(view, counters=tuple(one for one in view.board.counters if one.id != "TF4"))
    assert render_side(within, crop=("0604", "0403")).png != near.png


def test_a_crop_of_one_hex_is_still_a_map() -> None:
    found = render_side(boards.convoy(), crop=("0604",))
    assert max(found.width, found.height) >= 1600


def test_bad_crops_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one hex"):
        render_side(boards.convoy(), crop=())
    with pytest.raises(UnknownHex):
        render_side(boards.convoy(), crop=("9999",))
