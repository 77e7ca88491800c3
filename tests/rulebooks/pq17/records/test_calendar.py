"""Moments, levels and ids as they are written and sorted."""

import pytest

from rules_engine.rulebooks.pq17.records.calendar import moment
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.roster import natural_order
from tests.rulebooks.pq17.worlds.notation import world


@pytest.mark.rule("pq17", "1.2.5", "1.2.6")
def test_the_halves_of_the_impulses_are_steps_one_to_six_and_planning_is_step_none() -> None:
    found = [("", 0), *((half, impulse) for impulse in (1, 2, 3) for half in ("A", "B"))]
    state = world("A1 0405 CA")
    steps: list[tuple[int, int]] = []
    for state.half, state.impulse in found:
        for state.turn in (0, 1, 2):
            now = moment(state)
            steps.append((now.turn, now.step))
    assert steps == [(turn, step) for step in range(7) for turn in (1, 1, 2)]


@pytest.mark.rule("pq17", "6.2.1", "6.2.2")
def test_levels_are_called_as_the_book_calls_them_and_drawn_from_id0_on() -> None:
    labels = ["Unidentified", "U", "ID0", "ID1", "ID2", "ID3", "ID4"]
    assert [(one.label, one.grade) for one in IdLevel] == list(zip(labels, (0, 0, 1, 2, 3, 4, 5), strict=True))


def test_ids_are_sorted_as_people_count() -> None:
    assert sorted(["A10", "A2", "A", "A1", "A0x"], key=natural_order) == ["A", "A1", "A2", "A10", "A0x"]
    assert natural_order("A") == ("A", 0)
