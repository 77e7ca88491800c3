"""Why something came out as it did, in one line."""

import pytest

from rules_engine.core.basics.dice import Roll
from rules_engine.core.knowledge.reports import because


@pytest.mark.parametrize(
    ("purpose", "said"),
    [("escape from group 1", "escape from group 1: 4+2; 3.3"), ("order, Ash", "order, Ash 4+2; 3.3")],
)
def test_faces_of_dice_stand_apart_from_a_number_before_them(purpose: str, said: str) -> None:
    roll = Roll(label="T1", purpose=purpose, faces=6, low=1, dice=(4, 2), total=6, seen_by=None)
    assert because("3.3", dice=[roll]).text() == said
