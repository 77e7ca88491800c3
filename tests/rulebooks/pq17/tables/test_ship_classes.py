"""What is read off the record of a class."""

import pytest

from tests.rulebooks.pq17.worlds.notation import ship_class


@pytest.mark.rule("pq17", "1.6.3.1")
@pytest.mark.parametrize(
    ("move_cost", "boxes", "wps", "speed"),
    [
        ("1", 29, None, 29),
        ("1", 31, None, 30),  # ruling SPD-2: never above 30
        ("2/3", 15, None, 22),  # 22 1/2, rounded down
        ("1", 30, 21, 21),
        ("1", 20, 21, 20),
        ("0", 12, None, 0),  # a base
    ],
)
def test_practical_speed_is_warp_over_movement_cost(move_cost: str, boxes: int, wps: int | None, speed: int):
    assert ship_class("X", move_cost, wps=wps).practical_speed(boxes) == speed
