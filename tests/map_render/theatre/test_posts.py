"""Signposts of parts of a map: what lies just beyond is pointed at, and nothing that is shown is covered."""

from math import atan2, cos, pi
from random import Random

import pytest

from map_render import DEFAULT
from map_render.drawing.palette import index
from map_render.drawing.scene import scene_of
from map_render.theatre.picture import paint_plan
from map_render.theatre.placing.plan import TheatrePlan, plan_theatre
from map_render.theatre.placing.posts import MOST
from map_render.theatre.placing.room import CALLOUT, COUNTER, LINE, NAME, PLACE
from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.views import SideView
from tests.expected.kept import Kept
from tests.map_render import looks
from tests.map_render.boards import with_parts
from tests.map_render.looks.pieces import contact
from tests.map_render.theatre.positions import position

WEST = ("0805", "1717")


def planned(view: SideView, area: tuple[HexId, ...]) -> TheatrePlan:
    return plan_theatre(scene_of(view), DEFAULT, (), area)


@pytest.fixture(scope="module", name="parts")
def some_parts() -> list[tuple[SideView, TheatrePlan]]:
    """Parts between two hexes of random positions, around where something stands."""
    found: list[tuple[SideView, TheatrePlan]] = []
    for seed in range(2000, 2040):
        view, chance = position(seed), Random(seed)
        here = chance.choice(view.board.counters).hex
        near = view.board.grid.within(here, 5)
        found.append((view, planned(view, (here, chance.choice(near)))))
    return found


def test_the_whole_map_has_none() -> None:
    assert planned(looks.alliance(), ()).posts == ()


def test_other_numbered_places_come_first_with_their_pins_and_how_far_they_are() -> None:
    plan = planned(looks.alliance(), WEST)
    assert [(post.to.number, post.words) for post in plan.posts] == [
        (3, "New Bergen · 1"),
        (2, "Morath · 3"),
        (0, "A34 · 1"),
    ]
    west = plan.posts[0].points
    assert west[0] < 0 < west[1], "south-west"


def test_contacts_come_before_own_forces_and_these_before_places(kept: Kept) -> None:
    view = looks.alliance()
    quiet = with_parts(view, news=(), courses=())
    posts = planned(quiet, ("0313", "1009")).posts
    assert [post.words for post in posts] == kept()
    assert [post.to.ink for post in posts] == ["side1", "side1", "text", "side1"]


@pytest.mark.parametrize(("at", "words"), [("1610", ["E1 · 8"]), ("1710", [])])
def test_contacts_that_are_far_away_are_left_to_the_whole_map(at: HexId, words: list[str]) -> None:
    alone = with_parts(looks.alliance(), counters=(contact("E1", at, "c", 4),), news=(), courses=(), hexes=())
    assert [post.words for post in planned(alone, ("0510", "0710")).posts] == words


def test_each_points_to_what_is_not_shown_and_says_how_far_it_is(parts: list[tuple[SideView, TheatrePlan]]) -> None:
    seen = 0
    for view, plan in parts:
        assert len(plan.posts) <= MOST
        for post in plan.posts:
            seen += 1
            assert post.to.hex not in plan.frame.centres
            distances = [view.board.grid.distance(post.to.hex, one) for one in plan.frame.centres]
            assert post.to.far <= min(distances) + 1
            assert post.words.endswith(f" · {post.to.far}")
            left, top, right, bottom = plan.frame.sheet
            x, y = plan.frame.everywhere[post.to.hex]
            true = atan2(y - (top + bottom) // 2, x - (left + right) // 2)
            assert cos(true - atan2(post.points[1], post.points[0])) > cos(pi / 16)
    assert seen > 60


def test_they_lie_at_the_rim_on_nothing_else(parts: list[tuple[SideView, TheatrePlan]]) -> None:
    for _, plan in parts:
        left, top, right, bottom = plan.frame.sheet
        for post in plan.posts:
            box = post.box
            assert box.within(plan.frame.sheet)
            edge = min(box.left - left, box.top - top, right - box.right, bottom - box.bottom)
            assert edge <= plan.frame.px(40)
            for taken in plan.room.all:
                if taken.of != f"post {post.to.hex}" and taken.kind & (COUNTER | NAME | LINE | PLACE | CALLOUT):
                    assert not taken.box.meets(box), (post, taken)


def test_a_signpost_is_drawn_with_its_arrow_in_the_ink_of_what_it_points_to() -> None:
    plan = planned(looks.alliance(), WEST)
    picture = paint_plan(plan, DEFAULT)
    for post in plan.posts:
        arrow = picture.crop((post.box.left, post.box.top, post.box.left + plan.frame.px(80), post.box.bottom))
        assert index(post.to.ink) in set(arrow.tobytes())
