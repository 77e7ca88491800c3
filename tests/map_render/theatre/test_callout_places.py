"""Callouts: which places are free, and where their leaders end and what they cross."""

from math import hypot
from random import Random

import pytest

from map_render import DEFAULT
from map_render.drawing.scene import scene_of
from map_render.theatre.placing.free_places import FreePlaces
from map_render.theatre.placing.plan import TheatrePlan, plan_theatre
from map_render.theatre.placing.room import PLACE, Bits, Rect, crosses
from tests.map_render import looks
from tests.map_render.theatre.positions import position


@pytest.fixture(scope="module", name="plans")
def some_plans() -> list[TheatrePlan]:
    return [plan_theatre(scene_of(position(seed)), DEFAULT) for seed in range(160)]


def crossing(plans: list[TheatrePlan]) -> tuple[int, int]:
    """How many leaders of callouts cross the sign of a place, and how many there are."""
    found = all_of_them = 0
    for plan in plans:
        signs = [taken.box for taken in plan.room.all if taken.kind == PLACE]
        found += sum(any(crosses(one.start, one.end, box) for box in signs) for one in plan.callouts)
        all_of_them += len(plan.callouts)
    return found, all_of_them


def test_on_the_maps_that_are_judged_no_callouts_leader_crosses_the_sign_of_a_place() -> None:
    found, all_of_them = crossing([plan_theatre(scene_of(view()), DEFAULT) for view in looks.THEATRES.values()])
    assert all_of_them > 5
    assert not found


def test_hardly_a_callouts_leader_crosses_the_sign_of_a_place_where_everything_is_crowded(
    plans: list[TheatrePlan],
) -> None:
    found, all_of_them = crossing(plans)
    assert all_of_them > 100
    assert found <= 0.08 * all_of_them


def test_a_callouts_leader_ends_at_its_hex_or_at_a_counter_of_which_it_tells(plans: list[TheatrePlan]) -> None:
    elsewhere = 0
    for plan in (*plans, plan_theatre(scene_of(looks.alliance()), DEFAULT)):
        for one in plan.callouts:
            x, y = plan.frame.centres[one.callout.hex]
            told = {one.callout.hex, *(piece.hex for row in one.callout.rows for piece in row.counters)}
            bodies = [
                (placed.hex, body.box) for placed in plan.standing if placed.hex in told for body in placed.bodies
            ]
            dot = Rect(*one.end, *one.end).grown(plan.frame.px(40))
            ends = {name for name, box in bodies if dot.meets(box)}
            at_hex = hypot(one.end[0] - x, one.end[1] - y) <= 1.25 * plan.frame.size or one.callout.hex in ends
            assert at_hex or ends, one.callout
            elsewhere += not at_hex
    assert elsewhere


@pytest.mark.parametrize("seed", range(12))
def test_a_place_is_free_where_no_cell_that_the_box_touches_is_taken(seed: int) -> None:
    chance = Random(seed)
    bits = Bits(8)
    for _ in range(30):
        left, top = chance.randint(-20, 600), chance.randint(-20, 400)
        bits.take(Rect(left, top, left + chance.randint(0, 90), top + chance.randint(0, 60)))
    wide, high = chance.randint(1, 200), chance.randint(1, 150)
    lefts = [(float(n), chance.randint(0, 700)) for n in range(40)]
    tops = [(float(n), chance.randint(0, 500)) for n in range(40)]
    free = FreePlaces(bits, (wide, high), lefts, tops)

    def is_free(left: int, top: int) -> bool:
        return not bits.count(Rect(left, top, left + wide, top + high))

    found = 0
    for at in (*range(0, 60, 7), *range(200, 640, 23)):
        in_row, in_column = free.in_row(at), free.in_column(at)
        assert in_row == [(cost, left) for cost, left in lefts if is_free(left, at)]
        assert in_column == [(cost, top) for cost, top in tops if is_free(at, top)]
        found += len(in_row) + len(in_column)
    assert found
