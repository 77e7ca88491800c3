"""Galaxies on a map of lanes: a line around each, its name on it, and groups in the lanes between them."""

import pytest

from map_render import describe, render_crop, render_side
from map_render.drawing.scene import scene_of
from map_render.drawing.theme import DEFAULT
from map_render.lanes.crop import LaneSubject, is_wide
from map_render.lanes.placing.plan import LanePlan
from rules_engine.core.knowledge.views import SideView
from tests.map_render.lanes.galaxies import LANE, two_galaxies
from tests.map_render.lanes.test_picture import SMALL, with_chart
from tests.map_render.lanes.test_placement import planned


def boxes(plan: LanePlan) -> list[tuple[str, object]]:
    return [(one.name, one.box) for one in plan.frames]


def test_each_galaxy_has_its_systems_within_its_line_and_no_others() -> None:
    plan = planned(two_galaxies())
    (spiral, veil) = plan.frames
    assert (spiral.name, veil.name) == ("The Spiral", "The Veil")
    assert not spiral.box.meets(veil.box)
    for key, (x, y) in plan.frame.spots.items():
        if not key.startswith(LANE):
            left, top, right, bottom = (spiral if key.startswith("s") else veil).box
            assert left < x < right, key
            assert top < y < bottom, key
    assert spiral.box.within(plan.frame.field)
    assert veil.box.within(plan.frame.field)


def test_the_name_of_a_galaxy_stands_on_its_line() -> None:
    plan = planned(two_galaxies())
    named = {one.words: one.box for one in plan.words}
    for one in plan.frames:
        box = named[one.name.upper()]
        assert one.box.left < box.left < box.right < one.box.right
        assert any(box.top <= y <= box.bottom for y in (one.box.top, one.box.bottom))


@pytest.mark.parametrize("end", ["v2", "sector Near Veil"])
def test_a_group_between_galaxies_is_in_the_lane_from_one_line_to_the_other(end: str) -> None:
    plan = planned(two_galaxies(end=end))
    (spiral, veil) = plan.frames
    (line,) = (one for one in plan.graph.lines if one.id == LANE)
    assert line.crosses == "galaxy"
    (x, y), (to_x, to_y) = plan.frame.spots[line.a], plan.frame.spots[line.b]
    assert (x, y, to_y) == (to_x, spiral.box.bottom, veil.box.top)
    (way,) = plan.ways
    assert way.ring[0] == x
    assert spiral.box.bottom < way.ring[1] < veil.box.top
    assert way.heads is not None
    assert way.heads[1][1] > way.ring[1] > way.heads[0][1]


def test_a_group_on_its_way_back_heads_the_other_way() -> None:
    view = two_galaxies(end="s0")
    (told,) = view.board.transits
    back = view.model_copy(
        update={"board": view.board.model_copy(update={"transits": (told.with_values(start="v1"),)})}
    )
    (way,) = planned(back).ways
    assert way.heads is not None
    assert way.heads[1][1] < way.ring[1] < way.heads[0][1]


@pytest.mark.parametrize(
    ("veil", "axis"), [((20, 40), "down"), ((20, -40), "up"), ((80, 8), "right"), ((-80, 8), "left")]
)
def test_galaxies_that_lie_near_each_other_are_kept_apart(veil: tuple[int, int], axis: str) -> None:
    (spiral, other) = planned(two_galaxies(veil=veil)).frames
    match axis:
        case "down":
            assert spiral.box.bottom < other.box.top
        case "up":
            assert other.box.bottom < spiral.box.top
        case "right":
            assert spiral.box.right < other.box.left
        case _:
            assert other.box.right < spiral.box.left


def test_galaxies_whose_systems_lie_among_each_other_have_no_lines() -> None:
    plan = planned(two_galaxies(veil=(10, 8)))
    assert plan.frames == ()
    assert len(plan.ways) == 1


def test_one_galaxy_alone_has_no_line() -> None:
    view = two_galaxies()
    chart = view.board.chart
    assert chart is not None
    assert planned(with_chart(view, chart.around({f"s{n}" for n in range(6)}))).frames == ()


def test_a_crop_of_a_group_between_galaxies_shows_both() -> None:
    view = two_galaxies()
    subject = LaneSubject(scene_of(view), (LANE,), DEFAULT)
    assert subject.systems == {*(f"s{n}" for n in range(6)), "v0", "v1", "v2"}
    assert not is_wide(subject)
    assert render_crop(view, area=(LANE,), theme=SMALL).png


def test_the_words_tell_the_lane_between_galaxies_and_who_is_in_it() -> None:
    view: SideView = two_galaxies()
    told = describe(view)
    assert "The Spiral–The Veil: normal, cost 1, from any system of one to any of the other" in told
    assert "T6 from System s4 to sector Near Veil, arrives T4" in told
    assert "T6 at The Spiral–The Veil lane" in render_side(view, theme=SMALL).alt
