"""Spots: whoever stands in a hex, each counter drawn there has a place of its own, large enough for a phone."""

from itertools import combinations, pairwise
from typing import get_args

import pytest
from PIL import Image, ImageChops

from map_render.drawing.shapes import CounterShape, Pen, draw_shape
from map_render.map.spots import MOST_PLATES, CounterSpot, HexLayout, layout_of

SHAPES = [shape for shape in get_args(CounterShape) if shape != "plate"]
MIXED = [(plates, others) for plates in range(3) for others in range(1, 13) if plates + others <= 3 or plates < 2]
SCALE = 32


def shape_at(spot: CounterSpot, shape: CounterShape) -> Image.Image:
    """Coverage of a shape on its spot, in a hex of 32 pixels from centre to corner."""
    picture = Image.new("L", (4 * SCALE, 4 * SCALE), 0)
    half = 2 * SCALE
    # As in `counters`: those that do not stand alone are a little smaller, for the sake of the hex's number.
    pen = Pen(half, spot.r * 0.94 * SCALE)
    draw_shape(pen, shape)
    picture.paste(pen.mask(), (round(spot.x * SCALE), round(spot.y * SCALE)))
    return picture


def pixels_of(mask: Image.Image) -> int:
    return sum(mask.histogram()[128:])


def covered(one: Image.Image, other: Image.Image) -> float:
    """The share of one that lies under the other."""
    return pixels_of(ImageChops.darker(one, other)) / pixels_of(one)


@pytest.mark.parametrize(("plates", "others"), MIXED)
def test_no_counter_covers_another_sides(plates: int, others: int) -> None:
    layout = layout_of(plates, others)
    assert (len(layout.plates), len(layout.others)) == (plates, others)
    bodies = [shape_at(spot, "plate") for spot in layout.plates]
    for shape in SHAPES:
        drawn = [shape_at(spot, shape) for spot in layout.others]
        for one, other in combinations(drawn, 2):
            assert covered(one, other) < 0.04, shape
        for plate in bodies:
            for one in drawn:
                assert covered(one, plate) < 0.06, shape
                assert covered(plate, one) < 0.06, shape


@pytest.mark.parametrize(("plates", "others"), MIXED)
def test_counters_stand_in_their_hex_and_can_be_seen_on_a_phone(plates: int, others: int) -> None:
    """A map 400 pixels wide is a fifth of one of 2,000: a usual hex is 23 pixels in size there. Up to four counters are
    14 pixels high and up to seven 13, as high as a line of text; all sides at once with neutrals and a battle, 10."""
    layout = layout_of(plates, others)
    count = plates + others
    smallest = 0.31 if count <= 5 else 0.3 if count <= 7 else 0.235 if count <= 10 else 0.18
    for spot in (*layout.plates, *layout.others):
        assert spot.r >= smallest
        assert abs(spot.x) + 0.5 * spot.r < 0.93
        assert abs(spot.y) + 0.74 * spot.r < 0.95


@pytest.mark.parametrize(("plates", "others"), MIXED)
def test_ours_stand_at_the_left(plates: int, others: int) -> None:
    layout = layout_of(plates, others)
    for plate in layout.plates:
        assert all(plate.x <= spot.x for spot in layout.others)


def signs_at(layout: HexLayout) -> list[Image.Image]:
    pictures: list[Image.Image] = []
    for x, y in layout.marks:
        pen = Pen(2 * SCALE, 0.1 * SCALE)
        pen.disc(0, 0, 1)
        picture = Image.new("L", (4 * SCALE, 4 * SCALE), 0)
        picture.paste(pen.mask(), (round(x * SCALE), round(y * SCALE)))
        pictures.append(picture)
    return pictures


@pytest.mark.parametrize(("plates", "others"), [(n, m) for n, m in MIXED if n + m <= 10])
def test_the_hexs_sign_and_its_owners_letter_stay_free(plates: int, others: int) -> None:
    layout = layout_of(plates, others)
    assert len(layout.marks) == 2
    for sign in signs_at(layout):
        for spot in layout.plates:
            assert covered(sign, shape_at(spot, "plate")) < 0.2
        for spot in layout.others:
            for shape in SHAPES:
                assert covered(sign, shape_at(spot, shape)) < 0.2, shape


@pytest.mark.parametrize("count", range(1, MOST_PLATES + 1))
def test_plates_leave_each_others_labels_free(count: int) -> None:
    """Each shows at least the upper three quarters of its height, capitals being two thirds of it."""
    spots = layout_of(count, 0).plates
    assert len(spots) == count
    for upper, lower in pairwise(spots):
        assert lower.y - upper.y >= 0.7 * 2 * 0.74 * upper.r * 0.94


@pytest.mark.parametrize("count", [20, 37, 60])
def test_any_number_of_sides_has_spots_of_their_own(count: int) -> None:
    spots = layout_of(1, count - 1)
    places = {(round(spot.x, 3), round(spot.y, 3)) for spot in (*spots.plates, *spots.others)}
    assert len(places) == count
