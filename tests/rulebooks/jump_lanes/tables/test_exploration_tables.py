"""How checks come out, the classes that surveys find, and the peril table."""

import pytest

from rules_engine.rulebooks.jump_lanes.records.settings import LaneClassTable, SurveyChances
from rules_engine.rulebooks.jump_lanes.tables.exploration import (
    CLASS_FACES,
    PERIL_FACES,
    Outcome,
    check_outcome,
    peril,
    success_chance,
    surveyed_class,
)


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_the_printed_example_ten_and_sixteen_are_twenty_six():
    assert success_chance(SurveyChances().of("easy"), 16, 0) == 26


@pytest.mark.rule("jump_lanes", "13.5.2")
@pytest.mark.parametrize(
    ("base", "science", "bonus", "chance"),
    [(5, 4, 0, 9), (0, 4, 20, 24), (-10, 4, 0, 1), (10, 100, 0, 99), (0, 1, 0, 1)],
)
def test_a_chance_is_held_between_one_and_ninety_nine(base: int, science: int, bonus: int, chance: int):
    assert success_chance(base, science, bonus) == chance


@pytest.mark.rule("jump_lanes", "13.5.2")
@pytest.mark.parametrize(
    ("chance", "rolled", "outcome"),
    [
        (27, 1, "major success"),
        (27, 13, "major success"),
        (27, 14, "minor success"),
        (27, 27, "minor success"),
        (27, 28, "minor failure"),
        (27, 90, "minor failure"),
        (27, 91, "major failure"),
        (27, 100, "major failure"),
        (95, 95, "minor success"),
        (95, 96, "major failure"),
        (1, 1, "minor success"),
    ],
)
def test_how_a_check_comes_out(chance: int, rolled: int, outcome: Outcome):
    assert check_outcome(chance, rolled) == outcome


@pytest.mark.rule("jump_lanes", "13.5.2-peril")
def test_the_peril_table():
    results = [peril(rolled) for rolled in range(1, PERIL_FACES + 1)]
    assert results == [
        *["out of supply"] * 5,
        "sacrifice",
        "systems failure",
        "unit abandoned",
        "accidental jump",
        "force lost",
    ]
    for rolled in (0, 11):
        with pytest.raises(ValueError, match="1 to 10"):
            peril(rolled)


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_a_d10_gives_a_surveyed_lane_its_class():
    table = LaneClassTable(major=2, normal=5, minor=8)
    classes = [surveyed_class(rolled, table) for rolled in range(1, CLASS_FACES + 1)]
    assert classes == [*["major"] * 2, *["normal"] * 3, *["minor"] * 3, *["restricted"] * 2]
