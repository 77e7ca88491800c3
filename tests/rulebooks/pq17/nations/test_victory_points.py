"""Chapter 2 and Table 5: points by hand."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.pq17.nations import victory_points as ch02
from rules_engine.rulebooks.pq17.nations.homes import is_undamaged
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import CLASSES, ship_class, table, told, world

F = Fraction
WHY = because("PQ-17 T5")


@pytest.mark.rule("pq17", "T5.note1")
@cases("exact, rounded", "")
def test_lines_round_to_half_a_point_with_ties_away_from_zero(exact: str, rounded: str) -> None:
    assert ch02.to_half(F(exact)) == F(rounded)


@pytest.mark.rule("pq17", "T5.1", "T5.2", "T5.3", "T5.6")
@cases("event, points", "")
def test_a_cruiser_of_120_points(event: ch02.ShipEvent, points: str) -> None:
    state = world("A1 0405 CA")
    assert ch02.ship_points(state, state.units["A1.CA"], event) == F(points)


@pytest.mark.rule("pq17", "T5.6")
def test_capturing_a_crippled_ship_is_twice_what_its_destruction_would_be() -> None:
    state = world("A1 0405 CA")
    assert ch02.ship_points(state, state.units["A1.CA"], "captured", was_crippled=True) == 2


@pytest.mark.rule("pq17", "T5.note1", "T5.1")
def test_each_unit_is_rounded_on_its_own() -> None:
    """A value of 75 is 1.25 points, rounded 1.5; half of it 0.625, rounded 0.5."""
    state = world("A1 0405 SC")
    scout = state.units["A1.SC"]
    assert ch02.ship_points(state, scout, "destroyed") == F(3, 2)
    assert ch02.ship_points(state, scout, "crippled") == F(1, 2)


@pytest.mark.rule("pq17", "T5.note3", "T5.note4")
@cases("destroyed, captured, before, after, event")
def test_what_counts_is_the_state_at_the_start_of_the_battle(
    destroyed: bool, captured: bool, before: bool, after: bool, event: str | None
) -> None:
    found = ch02.ship_event(destroyed=destroyed, captured=captured, crippled_before=before, crippled_after=after)
    assert found == event


@pytest.mark.rule("pq17", "2.1", "T5.note2")
def test_alliance_losses_count_down_and_coalition_losses_up() -> None:
    state = world("A1 0405 CA\nC1 0405 DD")
    at = table(state)
    ch02.score_ship(at, state.units["C1.DD"], "destroyed", owner="coalition", text="A destroyer is lost.", why=WHY)
    assert state.total() == F(3, 2)  # 80 / 60 = 1.33
    ch02.score_ship(at, state.units["A1.CA"], "destroyed", owner="alliance", text="A cruiser is lost.", why=WHY)
    assert state.total() == F(-1, 2)
    assert len(told(at, "alliance")) == len(told(at, "coalition")) == 2


@pytest.mark.rule("pq17", "T5.4", "T5.note5")
def test_a_raid_takes_a_point() -> None:
    state = world("A1 0405 CA")
    ch02.score_raid(table(state), text="Amberline was raided.", why=WHY)
    assert state.total() == -1


@pytest.mark.rule("pq17", "SOP.3.a", "SOP.3.b")
@pytest.mark.unseen("pq17", reports=("victory",))
def test_a_secret_line_is_the_enemys_only_when_the_period_ends() -> None:
    state = world("A1 0405 CA\nC1 0405 DD")
    at = table(state)
    ch02.score(at, "T5.5", F(-2), WHY, text="Command points.", seen_by=["alliance"])
    assert (ch02.total_for(state, "alliance"), ch02.total_for(state, "coalition")) == (-2, 0)
    assert told(at, "coalition") == []
    ch02.close_period(at)
    assert ch02.total_for(state, "coalition") == -2
    assert any("Command points" in text for text in told(at, "coalition"))


@pytest.mark.rule("pq17", "T5.note1")
def test_a_line_that_rounds_to_nothing_is_not_entered() -> None:
    state = world("A1 0405 CA", classes=CLASSES | {"TINY": ship_class("TINY", "1/10", bpv_economic=12)})
    at = table(state)
    assert ch02.score(at, "T5.1", F(12, 60), WHY, text="A shuttle.") == 0
    assert (state.ledger, told(at, "alliance")) == ([], [])


@pytest.mark.rule("pq17", "T5.victory", "T5.note6", "2.1", "2.2", "1.2.1")
@pytest.mark.parametrize(("points", "winner"), [("1", "alliance"), ("1/2", "coalition")])
def test_the_alliance_wins_at_its_threshold(points: str, winner: str) -> None:
    state = world("A1 0405 CA\nC1 0405 DD", turns=8, victory_points=F(1))
    ch02.score(table(state), "T5.1", F(points), WHY, text="All of it.")
    state.turn = 7
    assert ch02.ending(state) is None
    state.turn = 8
    ending = ch02.ending(state)
    assert ending.winners == (winner,)


@pytest.mark.rule("pq17", "C.schedule.note4")
@pytest.mark.parametrize(
    ("change", "whole"),
    [
        ({}, True),
        ({"crippled": True}, False),
        ({"warp": 29}, False),
        ({"tractors": 0}, False),
        ({"damcon_track": [2, 0]}, False),
        ({"sensor_track": [1]}, False),
        ({"fuel": Fraction(0)}, True),
    ],
)
def test_undamaged_is_who_lacks_no_box(change: dict[str, Any], whole: bool) -> None:
    state = world("A1 0405 CA")
    unit = state.units["A1.CA"]
    for name, value in change.items():
        setattr(unit, name, value)
    assert is_undamaged(state, unit) is whole


@pytest.mark.rule("pq17", "C.schedule.note4")
def test_undamaged_is_not_who_lacks_boxes_that_are_only_counted_as_damage() -> None:
    state = world("A1 0405 CA")
    unit = state.units["A1.CA"]
    unit.repairs = unit.repairs.with_values(damage={"phaser-1": 1})
    assert not is_undamaged(state, unit)
    unit.repairs = unit.repairs.with_values(damage={"phaser-1": 0})
    assert is_undamaged(state, unit)
