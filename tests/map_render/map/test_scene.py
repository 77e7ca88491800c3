"""Scenes: how far a counter is identified, from its level and that level's name."""

import pytest

from map_render.map.scene import grade_of


@pytest.mark.parametrize(
    ("level", "name", "grade"),
    [
        (None, "", None),
        (-1, "U", 0),
        (-2, "Unidentified", 0),
        (0, "ID0", 1),
        (1, "ID1", 2),
        (3, "ID3", 4),
        (0, "strength unknown", 0),
        (3, "", 3),
        (-1, "", 0),
    ],
)
def test_a_number_in_a_levels_name_counts_before_the_level_itself(
    level: int | None, name: str, grade: int | None
) -> None:
    assert grade_of(level, name) == grade
