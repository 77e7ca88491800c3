"""Tables 3 and 7, line by line."""

import pytest

from rules_engine.rulebooks.pq17.ch08_combat.battle_tables import (
    SurpriseFacts,
    detection_range,
    is_surprised,
    sees_as_military,
    speed_cap,
    surprise_modifiers,
    true_distance,
)
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import CLASSES, ship_class


@pytest.mark.rule("pq17", "T3a", "8.5.5.3.12")
def test_detection_ranges() -> None:
    assert detection_range(military=True, scout=True) == 75
    assert detection_range(military=True, scout=False) == 50
    assert detection_range(military=False, scout=True) == 35
    assert detection_range(military=False, scout=False) == 35


@pytest.mark.rule("pq17", "T3a", "T8")
def test_fast_patrol_ships_and_shuttles_see_as_far_as_civilians() -> None:
    # Table 8: a PF has a movement cost of at most 1/5; a base or module without one is none
    assert not sees_as_military(ship_class("PF", "1/5"))
    assert not sees_as_military(ship_class("ADM", "1/10", unit_kind="shuttle"))
    assert not sees_as_military(CLASSES["FT"])
    assert sees_as_military(ship_class("FF", "1/4"))
    assert sees_as_military(CLASSES["BATS"])
    assert sees_as_military(ship_class("PAM", "0", unit_kind="module"))


@pytest.mark.rule("pq17", "T3c", "8.5.5.3.10", "8.5.5.3.11")
def test_doubled_ranges_halve_the_distance_on_the_map_rounded_up() -> None:
    assert [true_distance(reach, doubled=True) for reach in (75, 50, 35)] == [38, 25, 18]
    assert [true_distance(reach, doubled=False) for reach in (75, 50, 35)] == [75, 50, 35]


@pytest.mark.rule("pq17", "T3b", "8.5.5.3.9")
def test_only_the_original_defender_is_slowed() -> None:
    speeds = [Speed(text) for text in ("3", "2", "1", "warp crawl", "impulse crawl", "0")]
    assert [speed_cap(speed, original_defender=True) for speed in speeds] == [None, None, 9, 1, 1, 0]
    assert [speed_cap(speed, original_defender=False) for speed in speeds] == [None] * 6


def facts(**changes: object) -> SurpriseFacts:
    base: dict[str, object] = {
        "condition": 2,
        "attacker_level": -1,
        "attacker_warp_on": False,
        "attacker_cloaked": False,
        "both_passive": False,
        "defender_scout_active": False,
    }
    return SurpriseFacts.model_validate(base | changes)


@pytest.mark.rule("pq17", "T7", "8.5.3.1")
@cases("changes, total")
def test_each_line_of_table_7(changes: dict[str, object], total: int) -> None:
    assert sum(value for _, value in surprise_modifiers(facts(**changes))) == total


@pytest.mark.rule("pq17", "T7", "8.5.3.2", "8.5.3.3")
def test_seven_or_more_surprises() -> None:
    assert not is_surprised(5, facts())  # 5 + 1 = 6
    assert is_surprised(6, facts())  # 6 + 1 = 7
    assert not is_surprised(10, facts(attacker_level=0, attacker_warp_on=True))  # 10 - 7 = 3
    assert is_surprised(1, facts(condition=4, attacker_cloaked=True, both_passive=True))  # 1 + 7 = 8
