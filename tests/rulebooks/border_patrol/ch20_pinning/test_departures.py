"""Leaving a hex in which others are (V8.20). Blue leaves; a hex is written as it stands: blue's units and red's."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.ch20_pinning.departures import (
    command_margin,
    is_held,
    is_pinned,
    judge_departure,
    may_be_let_go,
    way_to_leave,
)
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import end_cloak
from rules_engine.rulebooks.border_patrol.records.units import Unit
from tests.rulebooks.border_patrol.fleet import rules, ship, ships


def blue(*classes: str, **given: Any) -> list[Unit]:
    return ships(*classes, **given)


def red(*classes: str, **given: Any) -> list[Unit]:
    return ships(*classes, team="red", **given)


def way(own: list[Unit], others: list[Unit], going: int, **options: bool) -> str | None:
    """By what the first ``going`` of blue's units may leave."""
    return way_to_leave("blue", [*own, *others], own[:going], **options)


@pytest.mark.rule("border_patrol", "V8.21")
def test_units_leave_freely_whom_nobody_holds():
    assert way(blue("CA", "DD"), [], 2) == "free"
    assert way(blue("CA"), red("CA", sublight=True), 1) == "free"
    assert way(blue("CA"), red("CA", orion="leased"), 1) == "free"
    assert way(blue("CA"), red("CA", orion="independent"), 1) == "free"
    assert way(blue("CA"), red("BATS"), 1) == "free"
    assert way(blue("CA"), red("CA"), 1) is None
    assert not is_held("blue", blue("CA"))


@pytest.mark.rule("border_patrol", "V8.23")
def test_as_many_must_stay_as_there_are_others():
    assert way(blue("CA", "CA", "DD"), red("FF", "FF"), 1) == "left behind"
    assert way(blue("CA", "CA", "DD"), red("FF", "FF"), 2) is None


@pytest.mark.rule("border_patrol", "V8.23")
def test_crippled_units_on_either_side_count_half_of_those_that_stay():
    crippled = ship("DD", id="c", crippled=True)
    assert way([*blue("CA", "CA"), crippled], red("FF"), 2) is None  # a half is none
    assert way([*blue("CA"), crippled], red("FF", crippled=True), 1) == "left behind"
    leased = ship("DD", id="o", orion="leased")
    assert way([*blue("CA"), leased], red("FF"), 1) == "left behind"
    for_itself = ship("DD", id="o", orion="normal")
    assert way([*blue("CA"), for_itself], red("FF"), 1) is None


@pytest.mark.rule("border_patrol", "V8.24")
def test_a_team_is_pinned_by_more_than_it_has():
    assert is_pinned("blue", [*blue("CA"), *red("FF", "FF")])
    assert not is_pinned("blue", [*blue("CA"), *red("FF")])
    assert not is_pinned("blue", [*blue("CA"), *red("FF", "FF", sublight=True)])


@pytest.mark.rule("border_patrol", "V8.24")
def test_the_lead_of_the_best_rating_is_how_many_leave():
    """Blue's cruiser has 8, red's destroyers 4."""
    here = [*blue("CA", "DD"), *red("DD", "DD", "DD")]
    assert command_margin("blue", here) == 4
    assert command_margin("red", here) == 0
    assert way(blue("CA", "DD"), red("DD", "DD", "DD"), 1) == "command"
    close = blue("CA", "DD", "DD", command_rating=5)
    assert way(close, red("DD", "DD", "DD", "DD"), 1) == "command"  # a lead of one
    assert way(close, red("DD", "DD", "DD", "DD"), 2) is None
    assert way(blue("CA", "DD"), red("CA", "CA", "CA"), 1) is None  # ratings are level


@pytest.mark.rule("border_patrol", "V8.24")
def test_the_best_rating_must_be_among_them_and_one_must_stay():
    assert way(blue("DD", "CA"), red("DD", "DD", "DD"), 1) is None
    assert way(blue("CA", "DD"), red("DD", "DD", "DD"), 2) is None
    assert way(blue("CA"), red("DD", "DD"), 1) is None
    assert way(blue("CA", "DD"), red("DD", "DD", "DD"), 1, command_used=True) is None


@pytest.mark.rule("border_patrol", "V8.24")
def test_equal_numbers_may_not_use_it_unless_that_is_agreed():
    own, others = blue("CA", "DD"), red("DD", "DD")
    assert way(own, others, 1) is None
    assert way(own, others, 1, equal_may=True) == "command"
    assert way(blue("CA"), red("BATS"), 1, equal_may=True) == "free"


@pytest.mark.rule("border_patrol", "V8.25")
def test_others_may_let_all_go_but_monsters_and_aliens_never():
    own = blue("CA", "DD")
    assert way(own, red("DD", "DD", "DD"), 2, consent=True) == "consent"
    assert way(own, [ship("MONSTER"), *red("DD", "DD")], 2, consent=True) is None
    assert way(own, ships("DD", "DD", kind="alien ship", team="red"), 2, consent=True) is None
    assert may_be_let_go("blue", [*own, *red("DD")])
    assert not may_be_let_go("blue", own)


@pytest.mark.rule("border_patrol", "V8.52")
def test_cloaked_forces_leave_half_behind_and_never_by_command():
    hidden = blue("CA", "CA", "DD", cloaked=True)
    assert way(hidden, red("DD", "DD", "DD"), 1) == "left behind"  # two stay against three
    assert way(hidden, red("DD", "DD", "DD"), 2) is None
    assert way(hidden, red("DD", "DD", "DD", "DD", "DD"), 1) is None  # three would have to stay
    assert way(blue("CA", "DD", "DD"), red("DD", "DD", "DD", "DD", "DD"), 1) == "command"
    half = blue("CA", "CA", "DD", "DD", cloaked=True)
    assert way(half, red("DD", "DD", "DD"), 2) == "left behind"
    end_cloak(half[0])  # all who leave must be, and who stays need not
    assert way(half, red("DD", "DD", "DD"), 2) is None
    assert way(half[1:] + half[:1], red("DD", "DD", "DD"), 2) == "left behind"


@pytest.mark.rule("border_patrol", "V8.26")
def test_units_that_reacted_hold_others_as_any():
    assert way(blue("CA"), red("CA", reacting=True, reacted_into="0505"), 1) is None


@pytest.mark.rule("border_patrol", "V8.35")
def test_nobody_is_towed_out_of_a_pin():
    """The towed destroyer counts among those that leave by command, and it leaves no strength behind either way."""
    tower, towed = ship("CA", id="t", command_rating=5, towing=["d"]), ship("DD", id="d", towed_by="t")
    here = [tower, towed, *blue("FF"), *red("DD", "DD", "DD")]
    (torn,) = judge_departure("blue", here, [tower], "plot")
    assert str(torn) == (
        "plot: Dd is in tow by Ca, and is not among those that leave (V8.35, BP-R22). Legal: both, or neither."
    )
    assert rules(judge_departure("blue", here, [tower, towed], "plot")) == ["V8.23"]  # two, with a lead of one
    tower.command_rating = 6
    assert judge_departure("blue", here, [tower, towed]) == []


@pytest.mark.rule("border_patrol", "V8.24")
def test_a_refusal_says_what_would_be_right():
    own = blue("CA", "DD", "DD")
    (one,) = judge_departure("blue", [*own, *red("DD", "DD", "DD", "DD")], own, "plot")
    assert one.problem == "3 units would leave, and a strength of 0 stays against others there"
    assert one.legal == (
        "as much strength stays as the others have; or, of a pinned Team, at most the lead of its highest Command "
        "Rating leave, whoever has that among them, once a phase, and one stays"
    )
    hidden = blue("CA", "DD", cloaked=True)
    (one,) = judge_departure("blue", [*hidden, *red("CA", "CA")], hidden, "plot")
    assert one.legal == "at least half as much strength stays as the others have"


def test_a_refusal_tells_nothing_of_the_others():
    """Two worlds that differ in them alone."""
    own = blue("CA", "DD")
    worlds = [red("FF", "FF", "FF"), red("DN", "DN", "CA", "CA", "CA", name="Secret", hex="0505")]
    assert len({str(judge_departure("blue", [*own, *others], own, "plot")) for others in worlds}) == 1


@pytest.mark.rule("border_patrol", "V8.24", "V8.23")
class TestWhoCountsForTheCommandRating:
    """Three frigates, of a rating of 3, pin a cruiser, of 8, and what else is there of Blue's."""

    HOLD = ("FF", "FF", "FF")

    def test_a_base_of_the_others_lends_no_rating(self):
        base = ship("BATS", id="base", team="red", command_rating=10)
        assert command_margin("blue", [*blue("CA", "DD"), *red(*self.HOLD), base]) == 5
        assert way(blue("CA", "DD"), [*red(*self.HOLD), base], 1) == "command"

    @pytest.mark.parametrize(
        "stays", [{"ship_class": "BATS"}, {"warp_ok": 0}, {"warp_dropped": True}, {"kind": "fighter"}]
    )
    def test_a_base_a_ship_without_engines_and_a_fighter_are_not_the_one_that_stays(self, stays: dict[str, Any]):
        own = [*blue("CA"), ship(stays.pop("ship_class", "DD"), id="stays", **stays)]
        assert way(own, red(*self.HOLD), 1) is None
        assert way([*own, ship("DD", id="sound")], red(*self.HOLD), 1) == "command"

    def test_a_rating_without_engines_need_not_leave(self):
        own = [*blue("CA", "DD"), ship("DN", id="dn", command_rating=10, warp_ok=0)]
        assert command_margin("blue", [*own, *red(*self.HOLD)]) == 5
        assert way(own, red(*self.HOLD), 1) == "command"

    def test_fighters_aboard_are_not_counted_among_those_that_leave(self):
        lead = red("FF", "FF", "FF", command_rating=7)
        own = [*blue("CA"), ship("DD", id="f", kind="fighter"), ship("DD", id="sound")]
        assert way(own, lead, 2) == "command"
        assert way([*blue("CA", "DD"), ship("DD", id="sound")], lead, 2) is None

    @pytest.mark.rule("border_patrol", "V8.35")
    def test_a_ship_without_engines_does_not_leave_in_tow_either(self):
        tower, towed = ship("CA", id="tower", towing=["towed"]), ship("DD", id="towed", warp_ok=0, towed_by="tower")
        assert way([tower, towed, ship("DD", id="sound")], red(*self.HOLD), 2) is None
        sound = ship("DD", id="towed", towed_by="tower")
        assert way([tower, sound, ship("DD", id="sound")], red(*self.HOLD), 2) == "command"
