"""Courses: numbers of hexes lie over them, every kind is explained, and a crop cuts them off."""

import pytest

from map_render import DEFAULT, alt_text, describe, render_side
from map_render.drawing.palette import index
from map_render.map.chart import number_at, number_size
from map_render.map.layout import make_layout
from map_render.map.scene import scene_of
from rules_engine.core.knowledge.views import Course, SideView
from tests.map_render import boards
from tests.map_render.boards import own, view_of, with_parts
from tests.map_render.pictures import legend_of, part_of


def test_a_hexs_number_lies_over_a_course() -> None:
    """Flat tops: a course to the north runs straight through the number of the hex it leaves."""
    view = view_of(courses=(Course(counter="X", kind="plotted", hexes=("0505", "0504", "0503")),))
    layout = make_layout(view.board.grid, None, DEFAULT)
    x, y = number_at(layout, "0504")
    size = number_size(layout)
    box = (x - 2 * size, y, x + 2 * size, y + 2 * size)

    def quiet(one: SideView) -> int:
        part = part_of(scene_of(one)).crop(box).tobytes()
        return sum(index("quiet", 8) <= number <= index("quiet", 12) for number in part)

    assert quiet(view) >= 0.9 * quiet(view_of())


@pytest.mark.parametrize("kind", ["plotted", "moved", "route", "seen"])
def test_every_kind_of_course_is_drawn_explained_and_told(kind: str) -> None:
    course = Course(counter="TF1", kind=kind, hexes=("0505", "0504"))
    view = view_of(own(1), courses=(course,))
    assert render_side(view).png != render_side(view_of(own(1))).png
    assert [kind for kind, _ in legend_of(view)].count("course") == 1
    assert "TF1 0505-0504" in describe(view)
    assert ("TF1 0505-0504" in alt_text(view)) == (kind in ("plotted", "route"))


def test_a_course_that_leaves_the_crop_has_no_arrowhead_in_it() -> None:
    """Cut off by the crop, a course runs on; it must not seem to end there."""
    short = Course(counter="TF1", kind="plotted", hexes=("0604", "0504"))
    long = Course(counter="TF1", kind="plotted", hexes=("0604", "0504", "0404", "0304"))
    crop = ("0604", "0504")
    shorter = with_parts(boards.convoy(), courses=(short,))
    longer = with_parts(boards.convoy(), courses=(long,))
    assert render_side(shorter, crop=crop).png != render_side(longer, crop=crop).png
