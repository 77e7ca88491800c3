"""Friends, others, and what they count for (V8.20)."""

import pytest

from rules_engine.rulebooks.border_patrol.ch20_pinning.strength import (
    holds_others,
    standing_of,
    strength,
    travels_by_itself,
)
from tests.rulebooks.border_patrol.fleet import ship, ships


@pytest.mark.rule("border_patrol", "V8.22")
def test_monsters_aliens_and_other_teams_are_unfriendly():
    assert standing_of(ship(), "blue") == "friendly"
    assert standing_of(ship(), "red") == "unfriendly"
    assert standing_of(ship("MONSTER"), "blue") == "unfriendly"
    assert standing_of(ship(kind="alien ship", team="blue"), "blue") == "unfriendly"


@pytest.mark.rule("border_patrol", "V8.22")
def test_a_leased_orion_is_its_lessees_and_one_for_itself_is_nobodys():
    leased = ship(orion="leased")
    assert (standing_of(leased, "blue"), standing_of(leased, "red")) == ("friendly", "unfriendly")
    assert standing_of(ship(orion="normal"), "blue") == "neither"
    assert standing_of(ship(orion="independent", team=""), "red") == "neither"


@pytest.mark.rule("border_patrol", "V8.23")
def test_crippled_units_count_half_and_the_sum_is_rounded_down():
    assert strength(ships("CA", "DD")) == 2
    assert strength([ship(crippled=True)]) == 0
    assert strength([ship(), ship(crippled=True)]) == 1
    assert strength(ships("CA", "CA", crippled=True)) == 1  # rounded once, for all together
    assert strength(ships("CA", "CA", "CA", crippled=True)) == 1
    assert strength([]) == 0


@pytest.mark.rule("border_patrol", "V8.23")
def test_only_what_travels_by_itself_counts():
    assert strength([ship("BATS"), ship(sublight=True), ship(warp_ok=5), ship(kind="fighter")]) == 0
    assert strength([ship(towed_by="x")]) == 0
    assert strength([ship(towing=["x"]), ship(warp_ok=6)]) == 2
    assert travels_by_itself(ship("MONSTER"))
    assert not travels_by_itself(ship(in_supply=False, warp_ok=11))


@pytest.mark.rule("border_patrol", "V8.26")
def test_who_came_by_reaction_counts_as_all_others():
    assert strength([ship(reacting=True, reacted_into="0505")]) == 1


@pytest.mark.rule("border_patrol", "V8.21")
def test_sublight_units_bases_and_orions_hold_nobody():
    assert holds_others(ship(), "red")
    assert not holds_others(ship(), "blue")
    assert not holds_others(ship(sublight=True), "red")
    assert not holds_others(ship("BATS"), "red")
    assert not any(holds_others(ship(orion=status), "red") for status in ("leased", "independent", "normal"))
    assert holds_others(ship("MONSTER"), "red")
