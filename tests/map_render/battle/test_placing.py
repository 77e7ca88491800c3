"""Where a battle's forces start: whatever is drawn there lies within, and nothing on anything else."""

import random
from collections.abc import Iterator
from itertools import combinations
from math import hypot

import pytest

from map_render.battle.page import EDGE, WIDTH
from map_render.battle.placing import (
    HIGH,
    PIN,
    Box,
    ShipPlace,
    distance_box,
    feature_box,
    label_box,
    pin_point,
    set_out,
)
from map_render.battle.signs import looks_of
from rules_engine.core.knowledge.battle_scene import BattleScene
from tests.map_render.battle.scenes import by_chance, duel

TOUCH = 3
"""Pixels by which rings and chips may meet: their own casing parts them."""


def overlap(one: Box, other: Box) -> bool:
    return (
        min(one[2], other[2]) - max(one[0], other[0]) > TOUCH and min(one[3], other[3]) - max(one[1], other[1]) > TOUCH
    )


def ship_box(place: ShipPlace) -> Box:
    """The room of a ship's ring."""
    return place.x - place.r, place.y - place.r, place.x + place.r, place.y + place.r


def drawn(scene: BattleScene) -> list[tuple[str, Box]]:
    """All that the drawing of a start has on it, each with its room."""
    assert scene.start is not None
    found: list[tuple[str, Box]] = []
    for number, place in enumerate(set_out(scene.start, looks_of(scene), 0)):
        found.append((f"ship {number}", ship_box(place)))
        if (box := label_box(place)) is not None:
            found.append((f"chip {number} {place.code}", box))
    if scene.start.distance:
        left, top, right, low = distance_box(scene.start)
        found.append(("distance", (left, top + HIGH / 2, right, low + HIGH / 2)))
    if (box := feature_box(scene.start, 0)) is not None:
        found.append(("feature", box))
    return found


def some_scenes(tenth: int) -> Iterator[BattleScene]:
    """A tenth of some five hundred scenes."""
    for seed in range(tenth * 50, tenth * 50 + 50):
        yield by_chance(random.Random(seed))


@pytest.mark.parametrize("tenth", range(10))
def test_nothing_covers_anything_and_all_is_within(tenth: int) -> None:
    for scene in some_scenes(tenth):
        found = drawn(scene)
        covered = [(one[0], other[0]) for one, other in combinations(found, 2) if overlap(one[1], other[1])]
        outside = [name for name, box in found if box[0] < EDGE or box[1] < 0 or box[2] > WIDTH - EDGE or box[3] > HIGH]
        assert (covered, outside) == ([], []), scene.start


@pytest.mark.parametrize("tenth", range(10))
def test_pins_cover_no_other_ship_and_no_code(tenth: int) -> None:
    for scene in some_scenes(tenth):
        assert scene.start is not None
        places = set_out(scene.start, looks_of(scene), 0)
        for place in (one for one in places if one.step):
            x, y = pin_point(place)
            near = [one for one in places if one is not place and hypot(one.x - x, one.y - y) < one.r + PIN - TOUCH]
            chips = [box for one in places if (box := label_box(one)) is not None and apart(box, x, y) < PIN - TOUCH]
            assert (near, chips) == ([], []), scene.start
            assert min(x - EDGE, y, WIDTH - EDGE - x) >= PIN - TOUCH


def apart(box: Box, x: float, y: float) -> float:
    """How far a point is from a box."""
    return hypot(max(box[0] - x, 0, x - box[2]), max(box[1] - y, 0, y - box[3]))


def test_each_force_stands_on_its_side_of_the_distance() -> None:
    scene = duel()
    assert scene.start is not None
    places = {place.code: place for place in set_out(scene.start, looks_of(scene), 0)}
    left, _, right, _ = distance_box(scene.start)
    assert all(places[code].x < left for code in ("DF1", "DF2", "DF3"))
    assert all(places[code].x > right for code in ("AT1", "AT2"))
    assert {code: place.step for code, place in places.items() if place.step} == {"DF2": 1, "DF1": 2, "AT1": 3}


def test_ships_that_find_no_place_are_counted() -> None:
    scene = duel()
    assert scene.start is not None
    near = scene.start.stations[1].model_copy(update={"codes": tuple(f"DF{n}" for n in range(3, 12))})
    start = scene.start.model_copy(update={"stations": (scene.start.stations[0], near)})
    places = set_out(start, looks_of(scene), 0)
    assert len([place for place in places if place.code]) + sum(place.more for place in places) == 10
