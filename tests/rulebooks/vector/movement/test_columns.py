"""On which impulses a speed moves. CJD1.13, CJD1.131"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.rulebooks.vector.ch1_movement.columns import next_step, steps_on
from tests.expected.kept import cases


@pytest.mark.rule("vector", "CJD1.13")
@cases("speed, impulses")
def test_a_speed_moves_on_its_impulses(speed: int, impulses: list[int]):
    assert [one for one in range(1, 33) if steps_on(speed, one)] == impulses
    assert max(steps_on(speed, one) for one in range(1, 33)) <= 1


@pytest.mark.rule("vector", "CJD1.131")
def test_above_32_some_impulses_move_two_hexes():
    assert [one for one in range(1, 33) if steps_on(36, one) == 2] == [8, 16, 24, 32]
    assert all(steps_on(64, one) == 2 for one in range(1, 33))
    assert [steps_on(100, one) for one in (1, 8, 32)] == [3, 4, 4]


@given(st.integers(0, 300))
def test_a_turn_moves_the_whole_speed(speed: int):
    assert sum(steps_on(speed, one) for one in range(1, 33)) == speed


@pytest.mark.parametrize(
    ("speed", "clock", "moves"), [(0, 5, 0), (4, 1, 8), (4, 8, 8), (4, 9, 16), (1, 32, 32), (1, 33, 64), (4, 33, 40)]
)
def test_the_next_hex(speed: int, clock: int, moves: int):
    assert next_step(speed, clock) == moves
