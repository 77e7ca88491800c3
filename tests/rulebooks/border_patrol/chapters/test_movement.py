"""Costs, allowances and moves by phase (V8.10, V8.90), and leaving a hex in which others are (V8.20)."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.ch10_movement import phases
from rules_engine.rulebooks.border_patrol.ch10_movement.figures import hull_allowance, strategic_cost, whole_hexes
from rules_engine.rulebooks.border_patrol.ch20_pinning import departures
from rules_engine.rulebooks.border_patrol.ch20_pinning.strength import (
    holds_others,
    standing_of,
    strength,
    travels_by_itself,
)
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import end_cloak
from rules_engine.rulebooks.border_patrol.records.units import Unit
from rules_engine.rulebooks.border_patrol.tables.movement import PHASES
from tests.expected.kept import cases
from tests.rulebooks.border_patrol.fleet import rules, ship, ships


@pytest.mark.rule("border_patrol", "V8.13")
def test_the_strategic_cost_is_6_and_12_out_of_supply_and_3_and_a_half_in_an_emergency():
    assert strategic_cost(ship(), emergency=False) == 6
    assert strategic_cost(ship(in_supply=False), emergency=False) == 12
    assert strategic_cost(ship(), emergency=True) == Fraction(7, 2)
    # Emergency Movement needs supply, so the two never meet.
    assert strategic_cost(ship(in_supply=False), emergency=True) == 12


@cases("boxes, cost, expected")
def test_allowances_are_worked_out_exactly_rounded_down_once_and_12_at_most(boxes: int, cost: str, expected: int):
    assert hull_allowance(ship(boxes=boxes, movement_cost=cost)) == expected


@pytest.mark.rule("border_patrol", "V8.12")
def test_nothing_is_rounded_on_the_way():
    """7 / (2/3) = 10.5, and 10.5 / 3.5 is 3; rounded in between it would be 2."""
    assert hull_allowance(ship(boxes=7, movement_cost="2/3"), emergency=True) == 3


@pytest.mark.rule("border_patrol", "V8.12")
def test_only_working_boxes_count_and_supply_halves():
    assert hull_allowance(ship(warp_ok=17)) == 2
    assert hull_allowance(ship(in_supply=False)) == 2
    assert hull_allowance(ship(in_supply=False, warp_ok=11)) == 0


@pytest.mark.rule("border_patrol", "V8.14")
def test_without_warp_there_is_no_allowance():
    assert hull_allowance(ship(sublight=True)) == 0
    assert hull_allowance(ship(warp_dropped=True)) == 0
    assert hull_allowance(ship(warp_ok=0)) == 0
    assert hull_allowance(ship("BATS")) == 0


def test_no_cost_and_no_boxes_move_nothing():
    assert whole_hexes(30, Fraction(0), Fraction(6)) == 0
    assert whole_hexes(-3, Fraction(1), Fraction(6)) == 0


# --- phases ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("border_patrol", "V8.15", "V8.92")
def test_the_faster_unit_moves_in_more_phases_and_the_fastest_twice_in_one():
    assert phases.phases_of(5) == (2, 4, 5, 7, 8)  # the destroyers of the printed example
    assert phases.phases_of(1) == (8,)
    assert phases.phases_of(0) == ()
    assert phases.phases_of(8) == PHASES
    assert [phases.entitled(12, phase) for phase in PHASES] == [2, 1, 2, 1, 2, 1, 2, 1]
    assert [sum(phases.entitled(allowance, phase) for phase in PHASES) for allowance in range(13)] == list(range(13))


@pytest.mark.rule("border_patrol", "V8.94")
def test_what_is_not_used_in_its_phase_is_lost():
    unit = ship()
    for phase in PHASES:
        phases.begin_phase(unit, phase, 12)
        if phase < 5:
            assert phases.points_left(unit, phase) == phases.entitled(12, phase)
    assert phases.points_left(unit, 8) == 1
    phases.take_hexes(unit, 8, 1)
    assert phases.points_left(unit, 8) == 0


@pytest.mark.rule("border_patrol", "V8.94")
def test_no_more_hexes_than_the_phase_gives():
    unit = ship()
    phases.begin_phase(unit, 5, 12)
    assert phases.judge_hexes(unit, 5, 2) == []
    phases.take_hexes(unit, 5, 1)
    assert (phases.judge_hexes(unit, 5, 1), rules(phases.judge_hexes(unit, 5, 2, "plot"))) == ([], ["V8.93"])
    phases.begin_phase(unit, 6, 5)
    (refused,) = phases.judge_hexes(unit, 6, 1, "plot")
    assert refused.problem == "Ca would enter 1 hex in phase 6"
    assert refused.legal == "0 there; an allowance of 5 moves in the phases 2, 4, 5, 7, 8"
    (refused,) = phases.judge_hexes(unit, 7, 1, "plot")  # a phase that has not begun
    assert (refused.rule, refused.legal) == ("V8.93, V8.94", "none: it does not move")


@pytest.mark.rule("border_patrol", "V8.12", "V8.93")
def test_damage_in_mid_turn_takes_points_from_the_next_phase_on():
    """A cruiser at 9 falls to 4 in phase 3: it keeps its points of phases 1 to 3, and has the later ones of column 4,
    though it had three of four by then."""
    unit = ship(boxes=54)
    for phase in PHASES:
        phases.begin_phase(unit, phase, 9 if phase <= 3 else 4)
    assert [phases.points_left(unit, phase) for phase in PHASES] == [1, 1, 1, 0, 1, 0, 1, 1]
    assert phases.entitled_in_turn(unit.allowed_in) == 6


@pytest.mark.rule("border_patrol", "V8.15")
def test_a_turn_begins_with_nothing_moved():
    unit = ship()
    phases.begin_phase(unit, 8, 5)
    phases.take_hexes(unit, 8, 1)
    phases.begin_turn(unit)
    assert phases.points_left(unit, 8) == 0
    phases.begin_phase(unit, 8, 5)
    assert phases.points_left(unit, 8) == 1


# --- departures ------------------------------------------------------------------------------------------------------
def blue(*classes: str, **given: Any) -> list[Unit]:
    return ships(*classes, **given)


def red(*classes: str, **given: Any) -> list[Unit]:
    return ships(*classes, team="red", **given)


def way(own: list[Unit], others: list[Unit], going: int, **options: bool) -> str | None:
    """By what the first ``going`` of blue's units may leave."""
    return departures.way_to_leave("blue", [*own, *others], own[:going], **options)


@pytest.mark.rule("border_patrol", "V8.21")
def test_units_leave_freely_whom_nobody_holds():
    assert way(blue("CA", "DD"), [], 2) == "free"
    assert way(blue("CA"), red("CA", sublight=True), 1) == "free"
    assert way(blue("CA"), red("CA", orion="leased"), 1) == "free"
    assert way(blue("CA"), red("CA", orion="independent"), 1) == "free"
    assert way(blue("CA"), red("BATS"), 1) == "free"
    assert way(blue("CA"), red("CA"), 1) is None
    assert not departures.is_held("blue", blue("CA"))


@cases("case, proves, own, others, going, options, by", made="own, others")
def test_by_what_units_leave(own: list[Unit], others: list[Unit], going: int, options: dict[str, bool], by: str | None):
    assert way(own, others, going, **options) == by


@pytest.mark.rule("border_patrol", "V8.24")
def test_a_team_is_pinned_by_more_than_it_has():
    assert departures.is_pinned("blue", [*blue("CA"), *red("FF", "FF")])
    assert not departures.is_pinned("blue", [*blue("CA"), *red("FF")])
    assert not departures.is_pinned("blue", [*blue("CA"), *red("FF", "FF", sublight=True)])


@pytest.mark.rule("border_patrol", "V8.24")
def test_the_lead_of_the_best_rating_is_how_many_leave():
    """Blue's cruiser has 8, red's destroyers 4."""
    here = [*blue("CA", "DD"), *red("DD", "DD", "DD")]
    assert (departures.command_margin("blue", here), departures.command_margin("red", here)) == (4, 0)
    assert way(blue("CA", "DD"), red("DD", "DD", "DD"), 1) == "command"
    close = blue("CA", "DD", "DD", command_rating=5)
    assert way(close, red("DD", "DD", "DD", "DD"), 1) == "command"  # a lead of one
    assert way(close, red("DD", "DD", "DD", "DD"), 2) is None
    assert way(blue("CA", "DD"), red("CA", "CA", "CA"), 1) is None  # ratings are level


@pytest.mark.rule("border_patrol", "V8.24", "V8.12")
@pytest.mark.parametrize(("boxes", "by"), [(6, "command"), (5, None)])
def test_who_goes_by_command_moves_one_hex_at_least(boxes: int, by: str | None):
    """Six boxes at a cost of 1 are one hex a turn, five are none."""
    assert way(blue("CA", "DD", warp_ok=boxes), red("DD", "DD", "DD"), 1) == by


@pytest.mark.rule("border_patrol", "V8.25")
def test_others_may_let_all_go_but_monsters_and_aliens_never():
    own = blue("CA", "DD")
    assert way(own, red("DD", "DD", "DD"), 2, consent=True) == "consent"
    assert way(own, [ship("MONSTER"), *red("DD", "DD")], 2, consent=True) is None
    assert way(own, ships("DD", "DD", kind="alien ship", team="red"), 2, consent=True) is None
    assert departures.may_be_let_go("blue", [*own, *red("DD")])
    assert not departures.may_be_let_go("blue", own)


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


@pytest.mark.rule("border_patrol", "V8.35")
def test_nobody_is_towed_out_of_a_pin():
    """The towed destroyer counts among those that leave by command, and it leaves no strength behind either way."""
    tower, towed = ship("CA", id="t", command_rating=5, towing=["d"]), ship("DD", id="d", towed_by="t")
    here = [tower, towed, *blue("FF"), *red("DD", "DD", "DD")]
    (torn,) = departures.judge_departure("blue", here, [tower], "plot")
    assert str(torn) == (
        "plot: Dd is in tow by Ca, and is not among those that leave (V8.35, BP-R22). Legal: both, or neither."
    )
    assert rules(departures.judge_departure("blue", here, [tower, towed], "plot")) == [
        "V8.23"
    ]  # two, with a lead of one
    tower.command_rating = 6
    assert departures.judge_departure("blue", here, [tower, towed]) == []


@pytest.mark.rule("border_patrol", "V8.24")
def test_a_refusal_says_what_would_be_right():
    own = blue("CA", "DD", "DD")
    (one,) = departures.judge_departure("blue", [*own, *red("DD", "DD", "DD", "DD")], own, "plot")
    assert one.problem == "3 units would leave, and a strength of 0 stays against others there"
    assert one.legal == (
        "as much strength stays as the others have; or, of a pinned Team, at most the lead of its highest Command "
        "Rating leave, whoever has that among them, once a phase, and one stays"
    )
    hidden = blue("CA", "DD", cloaked=True)
    (one,) = departures.judge_departure("blue", [*hidden, *red("CA", "CA")], hidden, "plot")
    assert one.legal == "at least half as much strength stays as the others have"


def test_a_refusal_tells_nothing_of_the_others():
    """Two worlds that differ in them alone."""
    own = blue("CA", "DD")
    worlds = [red("FF", "FF", "FF"), red("DN", "DN", "CA", "CA", "CA", name="Secret", hex="0505")]
    assert len({str(departures.judge_departure("blue", [*own, *others], own, "plot")) for others in worlds}) == 1


@pytest.mark.rule("border_patrol", "V8.24", "V8.23")
class TestWhoCountsForTheCommandRating:
    """Three frigates, of a rating of 3, pin a cruiser, of 8, and what else is there of Blue's."""

    HOLD = ("FF", "FF", "FF")

    def test_a_base_of_the_others_lends_no_rating(self):
        base = ship("BATS", id="base", team="red", command_rating=10)
        assert departures.command_margin("blue", [*blue("CA", "DD"), *red(*self.HOLD), base]) == 5
        assert way(blue("CA", "DD"), [*red(*self.HOLD), base], 1) == "command"

    @cases("stays")
    def test_a_base_a_ship_without_engines_and_a_fighter_are_not_the_one_that_stays(self, stays: dict[str, Any]):
        own = [*blue("CA"), ship(stays.pop("ship_class", "DD"), id="stays", **stays)]
        assert way(own, red(*self.HOLD), 1) is None
        assert way([*own, ship("DD", id="sound")], red(*self.HOLD), 1) == "command"

    def test_a_rating_without_engines_need_not_leave(self):
        own = [*blue("CA", "DD"), ship("DN", id="dn", command_rating=10, warp_ok=0)]
        assert departures.command_margin("blue", [*own, *red(*self.HOLD)]) == 5
        assert way(own, red(*self.HOLD), 1) == "command"

    def test_fighters_aboard_are_not_counted_among_those_that_leave(self):
        lead = red("FF", "FF", "FF", command_rating=7)
        assert way([*blue("CA"), ship("DD", id="f", kind="fighter"), ship("DD", id="sound")], lead, 2) == "command"
        assert way([*blue("CA", "DD"), ship("DD", id="sound")], lead, 2) is None

    @pytest.mark.rule("border_patrol", "V8.35")
    def test_a_ship_without_engines_does_not_leave_in_tow_either(self):
        tower, towed = ship("CA", id="tower", towing=["towed"]), ship("DD", id="towed", warp_ok=0, towed_by="tower")
        assert way([tower, towed, ship("DD", id="sound")], red(*self.HOLD), 2) is None
        sound = ship("DD", id="towed", towed_by="tower")
        assert way([tower, sound, ship("DD", id="sound")], red(*self.HOLD), 2) == "command"


# --- strength --------------------------------------------------------------------------------------------------------
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
