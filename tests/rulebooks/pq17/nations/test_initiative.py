"""Chapter 4: the initiative."""

import pytest

from rules_engine.rulebooks.pq17.nations.initiative import determine_initiative
from rules_engine.rulebooks.pq17.records.special_conditions import RolledCondition
from tests.rulebooks.pq17.worlds.notation import table, told, world


@pytest.mark.rule("pq17", "4.1.1", "4.1.5", "SOP.2.a.vii")
@pytest.mark.parametrize(
    ("alliance", "coalition", "winner"), [(5, 2, "alliance"), (2, 3, "coalition"), (4, 4, "alliance")]
)
def test_the_high_roll_wins_and_the_alliance_wins_ties(alliance: int, coalition: int, winner: str) -> None:
    state = world("A1 0405 CA\nC1 0607 CA")
    assert determine_initiative(table(state, alliance, coalition), {}) == winner
    assert state.initiative == winner


@pytest.mark.rule("pq17", "4.1.2", "4.1.3")
def test_bids_add_to_the_roll_and_both_sides_pay() -> None:
    """Alliance 3 + 1 = 4, Coalition 2 + 3 = 5: the Coalition wins; the total is -1 + 3 = +2."""
    state = world("A1 0405 CA\nC1 0607 CA")
    at = table(state, 3, 2)
    assert determine_initiative(at, {"alliance": 1, "coalition": 3}) == "coalition"
    assert state.total() == 2
    assert told(at, "alliance") == told(at, "coalition")
    assert "2 + 3 = 5" in told(at, "alliance")[0]


@pytest.mark.rule("pq17", "4.1.4")
def test_a_special_condition_adds_to_the_roll_of_who_has_it() -> None:
    """3 + 0 against 3 + 1 by a starred condition: without the star the Alliance would win the tie."""
    state = world("A1 0405 CA\nC1 0406 CA")
    star = RolledCondition(side="coalition", name="breakout", period=1, star=True)
    assert determine_initiative(table(state, 3, 3), {}) == "alliance"
    state.special.conditions = [star]
    assert determine_initiative(table(state, 3, 3), {}) == "coalition"
