"""The bare maps of cards: nobody is hidden, pins and new counters are large, nothing covers anything."""

from functools import cache
from itertools import combinations

import pytest

from map_render import render_card_map
from map_render.crop.card_map import NEW, PIN, USUAL, CardPlan, card_plan
from map_render.crop.placing.room import around, meet, within
from map_render.crop.stands import stands_of
from map_render.drawing.scene import scene_of
from map_render.drawing.theme import DEFAULT
from rules_engine.core.knowledge.views import SideView
from tests.map_render.crop.gap import gap
from tests.map_render.crop.positions import position
from tests.map_render.forgetting import forget_all

EACH = 40
SEEDS = range(1000, 1000 + 5 * EACH, EACH)
SHOWN_AT = 1228 / 307


@cache
def plans(first: int) -> list[tuple[SideView, CardPlan]]:
    """The plans of some positions, with a pin on each numbered place."""
    found: list[tuple[SideView, CardPlan]] = []
    for seed in range(first, first + EACH):
        view = position(seed)
        pins = tuple(news.hexes[0] for news in view.board.news)
        found.append((view, card_plan(scene_of(view), DEFAULT, pins, courses=seed % 2 == 0)))
    return found


def test_what_is_new_is_half_as_large_again_and_at_307_px_it_is_15_and_the_rest_11() -> None:
    assert NEW[0] / SHOWN_AT >= 14.9
    assert USUAL[0] / SHOWN_AT >= 10.9
    assert 2 * PIN / SHOWN_AT >= 14.4
    plan = card_plan(scene_of(gap()), DEFAULT, ("1217", "1001", "1719"), courses=False)
    sizes = {one.sign.code: one.size for one in plan.spotted if one.sign.is_plate}
    assert sizes["A6"] == sizes["A14"] == NEW[0]
    assert sizes["A11"] == sizes["A15"] == NEW[0]  # next to what may be raided
    assert sizes["A12"] == sizes["A9"] == USUAL[0]


@pytest.mark.parametrize("first", SEEDS)
def test_nothing_covers_a_counter(first: int) -> None:
    for _, plan in plans(first):
        counters = [one.box for one in plan.spotted]
        words = [one.box for one in plan.labels]
        for one, other in combinations([*counters, *words], 2):
            assert not meet(one, other)
        for _, x, y in plan.pins:
            assert not any(meet(around(x, y, 2 * PIN, 2 * PIN), box) for box in (*counters, *words))
        for box in (*counters, *words):
            assert within(box, plan.frame.bounds)


@pytest.mark.parametrize("first", SEEDS)
def test_each_owner_in_a_hex_has_a_sign(first: int) -> None:
    for view, plan in plans(first):
        stands = stands_of(scene_of(view), DEFAULT)
        for name, stand in stands.items():
            owners = {sign.look.key for sign in (*stand.plates, *stand.shapes)}
            large = {one.sign.look.key for one in plan.spotted if one.sign.piece.hex == name}
            x, y = plan.frame.centres[name]
            small = {sign.look.key for sign, at_x, at_y in plan.dots if at_y == y and abs(at_x - x) < 120}
            assert owners <= large | small


@pytest.mark.parametrize("first", SEEDS)
def test_every_place_has_its_pin_in_order(first: int) -> None:
    for view, plan in plans(first):
        assert [number for number, _, _ in plan.pins] == list(range(1, len(view.board.news) + 1))


def test_pins_may_stand_elsewhere_than_on_news() -> None:
    view = gap()
    usual, moved, none = (render_card_map(view, pins=pins) for pins in (None, ("0419", "1715"), ()))
    assert len({usual.png, moved.png, none.png}) == 3
    assert render_card_map(view, pins=("1217", "1001", "1719")).png == usual.png


def test_equal_views_give_equal_bytes_with_and_without_what_was_kept() -> None:
    first = render_card_map(gap(), courses=True)
    forget_all()
    assert render_card_map(gap(), courses=True) == first
    assert first.width == 1228
    assert first.height <= 990
    assert len(first.png) < 120_000


def test_courses_are_shown_where_they_are_asked_for() -> None:
    assert render_card_map(gap(), courses=True).png != render_card_map(gap()).png
