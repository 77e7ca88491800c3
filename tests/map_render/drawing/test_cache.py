"""Pictures are kept, and all that are kept have one bound."""

from collections.abc import Callable, Iterator
from itertools import count

import pytest
from PIL import Image

from map_render.drawing import cache
from map_render.drawing.cache import bytes_kept, kept, weight_of
from map_render.drawing.sprites import Sprite

MEBIBYTE = 1024 * 1024


@pytest.fixture(autouse=True)
def made_here() -> Iterator[None]:
    """Caches that a test makes are not looked after later."""
    before, accounts = len(cache.KEPT), len(cache._accounts)
    yield
    del cache.KEPT[before:], cache._accounts[accounts:]


def pictures(most: int, size: int = 1024) -> tuple[Callable[[int], Image.Image], list[int]]:
    """A function whose pictures are kept, each a megabyte, and what it was really called with."""
    drawn: list[int] = []

    @kept(most)
    def draw(number: int) -> Image.Image:
        drawn.append(number)
        return Image.new("L", (size, size))

    return draw, drawn


def test_weight_counts_every_picture_of_a_result_and_nothing_else() -> None:
    grey, colour = Image.new("L", (10, 20)), Image.new("RGB", (10, 10))
    assert weight_of(grey) == 200
    assert weight_of((colour, (grey, "words"), None)) == 500
    assert weight_of(Sprite(grey, grey, 1, 2)) == 400
    assert weight_of("words") == weight_of(None) == weight_of(7) == 0


def test_picture_is_drawn_once_while_it_is_kept() -> None:
    draw, drawn = pictures(4)
    assert draw(1) is draw(1)
    assert drawn == [1]


def test_pictures_have_one_bound_when_many_caches_hold_few_each() -> None:
    before = bytes_kept()
    most = before
    caches = [pictures(32)[0] for _ in range(20)]
    for number in range(32):
        for draw in caches:
            draw(number)
        most = max(most, bytes_kept())
    assert 20 * 32 * MEBIBYTE > 2 * cache.MOST_BYTES
    assert most <= cache.MOST_BYTES + cache.LOOKED_AFTER + 20 * MEBIBYTE


def test_largest_cache_is_emptied_first_and_small_ones_keep_what_they_have() -> None:
    small, drawn_small = pictures(8, size=64)
    large, drawn_large = pictures(1_000)
    small(1)
    for number in range(cache.MOST_BYTES // MEBIBYTE + 16):
        large(number)
    small(1)
    large(0)
    assert drawn_small == [1]
    assert drawn_large.count(0) == 2


def test_cache_that_drops_by_count_is_not_taken_for_larger_than_it_is() -> None:
    other, drawn = pictures(8)
    other(1)
    few, _ = pictures(2)
    for number in range(4 * cache.MOST_BYTES // MEBIBYTE):
        few(number)
    other(1)
    assert drawn == [1], "two megabytes are kept of what was made, and not all of it"


def test_counting_begins_again_when_a_cache_is_emptied_from_outside() -> None:
    draw, _ = pictures(64)
    numbers = count()
    for _ in range(8):
        draw(next(numbers))
    cache.KEPT[-1].cache_clear()
    draw(next(numbers))
    assert cache._accounts[-1].held() == MEBIBYTE
