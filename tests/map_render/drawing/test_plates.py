"""Plates, contacts and pins: sizes that hold on phones, and what each says without words."""

from collections.abc import Iterable

import pytest
from PIL import Image

from map_render.drawing.contacts import ContactLook, contact, reach_of
from map_render.drawing.palette import PLATE, index, side_ink
from map_render.drawing.plates import PlateLook, bar_height, pin, plate, plate_width
from map_render.drawing.shapes import FOE_SHAPES
from map_render.drawing.sprites import Sprite

HIGH = 84


def body(sprite: Sprite, *numbers: int) -> tuple[int, int, int, int]:
    """The box around the pixels of these numbers, as seen from the anchor."""
    image = Image.new("L", sprite.image.size, 0)
    found = dict.fromkeys(numbers, 255)
    image.putdata([found.get(number, 0) for number in sprite.image.tobytes()])
    left, top, right, bottom = image.getbbox() or (0, 0, 0, 0)
    return left + sprite.dx, top + sprite.dy, right + sprite.dx, bottom + sprite.dy


def count(sprite: Sprite, numbers: Iterable[int]) -> int:
    wanted = set(numbers)
    return sum(number in wanted for number in sprite.image.tobytes())


@pytest.mark.parametrize("code", ["A1", "A12", "E27", "WWW9"])
@pytest.mark.parametrize("ships", ["", "1", "12"])
@pytest.mark.parametrize("high", [40, 84, 220])
def test_a_plate_is_as_high_and_as_wide_as_is_said(code: str, ships: str, high: int) -> None:
    look = PlateLook(code, ships, "side0", high)
    left, top, right, bottom = body(plate(look), index("side0"))
    assert bottom - top == high
    assert right - left == plate_width(look)
    assert abs(left + right) <= 1
    assert abs(top + bottom) <= 1


def test_a_code_is_written_in_letters_of_nine_pixels_at_four_hundred() -> None:
    sprite = plate(PlateLook("A34", "", "side0", HIGH))
    column = [sprite.image.getpixel((sprite.image.width // 2, y)) for y in range(sprite.image.height)]
    assert PLATE in column
    letters = body(sprite, PLATE)
    assert letters[3] - letters[1] >= 40  # capitals of a type of 57


def test_a_bar_is_as_long_as_what_is_left_and_a_whole_force_has_none() -> None:
    whole, bare = (plate(PlateLook("A3", "2", "side0", HIGH, left)) for left in (100, None))
    assert whole.image.tobytes() == bare.image.tobytes()
    for left in (0, 25, 80):
        look = PlateLook("A3", "2", "side0", HIGH, left)
        sprite = plate(look)
        low = HIGH // 2 + bar_height(HIGH) - 2 - sprite.dy
        row = [sprite.image.getpixel((x, low)) for x in range(sprite.image.width)]
        assert abs(row.count(index("side0")) - plate_width(look) * left / 100) <= 1


def test_a_docked_force_has_an_anchor_and_a_hollow_one_no_ground() -> None:
    plain, docked = (plate(PlateLook("A3", "2", "side0", HIGH, docked=port)) for port in (False, True))
    assert docked.dy < plain.dy
    hollow = plate(PlateLook("A3", "", "side0", HIGH, hollow=True))
    full = plate(PlateLook("A3", "", "side0", HIGH))
    assert count(hollow, [index("side0")]) < count(full, [index("side0")]) / 2
    assert count(hollow, [PLATE]) == 0


@pytest.mark.parametrize("shape", FOE_SHAPES)
def test_a_contact_is_filled_from_below_as_far_as_it_is_known(shape: str) -> None:
    inks = [
        count(contact(ContactLook(shape, "side1", 50, "K", grade)), [index("side1")])  # type: ignore[arg-type]
        for grade in range(5)
    ]
    assert inks[0] == inks[1] < inks[2] < inks[3] < inks[4]
    half = contact(ContactLook(shape, "side1", 50, "", 3))  # type: ignore[arg-type]
    middle = half.image.height // 2
    upper = half.image.crop((0, 0, half.image.width, middle - 8)).tobytes().count(index("side1"))
    lower = half.image.crop((0, middle + 8, half.image.width, 2 * middle)).tobytes().count(index("side1"))
    assert lower > 1.5 * upper


def test_a_diamond_is_fifteen_to_eighteen_pixels_at_four_hundred() -> None:
    left, top, right, bottom = body(contact(ContactLook("diamond", "side1", 50, "", 4)), index("side1"))
    assert 92 <= right - left <= 108
    assert 92 <= bottom - top <= 108


@pytest.mark.parametrize("shape", FOE_SHAPES)
def test_what_is_new_has_an_outline_of_its_own_shape(shape: str) -> None:
    old, new = (contact(ContactLook(shape, "side1", 50, "K", 2, new=new)) for new in (False, True))  # type: ignore[arg-type]
    assert count(old, [index("news")]) == 0
    assert count(new, [index("news")]) > 200
    half = new.image.width // 2
    left, top, right, bottom = new.mask.getbbox() or (0, 0, 0, 0)
    assert max(half - left, half - top, right - half, bottom - half) <= reach_of(
        ContactLook(shape, "side1", 50, new=True)  # type: ignore[arg-type]
    ) + (20 if shape == "triangle" else 8)


def test_what_was_not_seen_this_turn_is_dashed_and_paler() -> None:
    seen = contact(ContactLook("diamond", "side1", 50, "?", 0))
    old = contact(ContactLook("diamond", "side1", 50, "?", 0, old=True, fade=10))
    assert count(old, [index("side1")]) == 0
    assert count(old, [index("side1", 10)]) < count(seen, [index("side1")]) * 0.85


def test_no_two_shapes_of_foes_are_alike() -> None:
    looks = [contact(ContactLook(shape, "side1", 50, "", 4)).image.tobytes() for shape in FOE_SHAPES]
    for place, one in enumerate(looks):
        for other in looks[place + 1 :]:
            assert sum(a != b for a, b in zip(one, other, strict=True)) > 800
    assert len({side_ink(seat) for seat in range(7)}) == 7


def test_pins_are_fifteen_pixels_across_at_four_hundred() -> None:
    left, top, right, bottom = body(pin(1, 44), index("news"))
    assert 87 <= right - left <= 89
    assert 87 <= bottom - top <= 89
    assert len({pin(number, 44).image.tobytes() for number in (1, 2, 3)}) == 3
