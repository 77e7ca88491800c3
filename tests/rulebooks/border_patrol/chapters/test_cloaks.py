"""Cloaked movement (V8.50), unexpected encounters of cloaked units (V8.70), and who learns of them."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.allowances import allowance
from rules_engine.rulebooks.border_patrol.ch50_cloaks import cloaks
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import turn_up
from rules_engine.rulebooks.border_patrol.ch70_encounters.encounters import (
    Province,
    adjusted_roll,
    encounter_kind,
    is_found,
    made_known,
    must_roll,
)
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import Unit
from tests.expected.kept import Kept, cases
from tests.rulebooks.border_patrol.fleet import rules, ship, ships
from tests.rulebooks.border_patrol.plays import Played, after, is_turned_up, play, world


@cases("boxes, cost, expected")
def test_the_cloaks_cost_comes_off_the_boxes(boxes: int, cost: int, expected: int):
    assert cloaks.cloaked_allowance(ship(boxes=boxes, cloak_cost=cost)) == expected


@pytest.mark.rule("border_patrol", "V8.51")
def test_it_counts_all_turn_long_and_out_of_supply_doubles_the_cost():
    unit = ship(cloak_cost=6, cloaks=True)
    assert not unit.cloaked
    assert allowance(unit) == 4
    assert allowance(ship(cloak_cost=6)) == 5
    assert cloaks.cloaked_allowance(ship(cloak_cost=6, in_supply=False)) == 2
    assert cloaks.cloaked_allowance(ship(cloak_cost=6), emergency=True) == 6  # 24 / 3.5
    assert cloaks.cloaked_allowance(ship(cloak_cost=6, sublight=True)) == 0


@pytest.mark.rule("border_patrol", "V8.57", "V8.53")
def test_no_cloak_without_a_device_crippled_or_with_a_tow():
    assert cloaks.judge_cloak(ship(cloak_cost=6)) == []
    assert rules(cloaks.judge_cloak(ship(), "plot")) == ["V8.51"]
    assert rules(cloaks.judge_cloak(ship(cloak_cost=6, crippled=True), "plot")) == ["V8.57"]
    assert rules(cloaks.judge_cloak(ship(cloak_cost=6, towing=["x"]), "plot")) == ["V8.53"]


@pytest.mark.rule("border_patrol", "V8.58")
def test_one_that_cannot_cloak_shows_all_who_move_with_it():
    hidden, plain = ship(cloak_cost=6), ship("DD", name="Plain")
    assert cloaks.judge_cloaked_stack([hidden, hidden]) == []
    (one,) = cloaks.judge_cloaked_stack([hidden, plain], "plot")
    assert rules([one]) == ["V8.58"]
    assert one.problem == "Plain has no cloaking device: nobody who moves with it is hidden"


@pytest.mark.rule("border_patrol", "V8.52")
def test_half_must_stay_rounded_up_when_all_who_leave_are_cloaked():
    assert [cloaks.left_behind_at_least(enemy, cloaked=True) for enemy in range(6)] == [0, 1, 1, 2, 2, 3]
    assert [cloaks.left_behind_at_least(enemy, cloaked=False) for enemy in range(6)] == [0, 1, 2, 3, 4, 5]
    assert cloaks.all_cloaked([ship(cloaked=True), ship(cloaked=True)])
    assert not cloaks.all_cloaked([ship(cloaked=True), ship()])
    assert not cloaks.all_cloaked([])


def test_what_is_refused_is_said_in_words_with_what_would_be_right(kept: Kept):
    bad = ship(name="Talon", crippled=True, towing=["x"])
    assert [str(one) for one in cloaks.judge_cloak(bad)] == kept()
    assert str(cloaks.judge_cloaked_stack([bad])[1]) == (
        "Talon is crippled, and cannot move cloaked: nobody who moves with it is hidden (V8.58, V8.57). "
        "Legal: leave it behind."
    )


# --- encounters ------------------------------------------------------------------------------------------------------
NOWHERE = Province()
OWN, OTHERS, OWN_DISRUPTED = Province("blue"), Province("red"), Province("blue", disrupted=True)


def cloaked(*classes: str, **given: Any) -> list[Unit]:
    return ships(*(classes or ("CA",)), cloaked=True, **given)


@pytest.mark.rule("border_patrol", "V8.71")
def test_a_cloaked_stack_rolls_in_each_phase_in_which_it_moves():
    assert must_roll(cloaked(), moved=True)
    assert not must_roll(cloaked(), moved=False)
    assert not must_roll([ship()], moved=True)


@pytest.mark.rule("border_patrol", "V8.72")
def test_the_roll_less_six_and_the_largest_units_class():
    assert adjusted_roll(cloaked("CA"), 7, NOWHERE) == 4
    assert adjusted_roll(cloaked("CA", "DD"), 7, NOWHERE) == 4  # 3 is the larger
    assert adjusted_roll(cloaked("DD", "DN"), 7, NOWHERE) == 3


@pytest.mark.rule("border_patrol", "V8.72")
def test_it_is_found_where_that_is_less_than_the_smallest_units_class():
    assert is_found(cloaked("CA"), 5, NOWHERE)  # 2 is less than 3
    assert not is_found(cloaked("CA"), 6, NOWHERE)
    assert is_found(cloaked("CA", "DD"), 6, NOWHERE)  # 3 is less than 4
    assert not is_found(cloaked("CA", "DD"), 7, NOWHERE)
    assert is_found(cloaked("DN", "DD"), 7, NOWHERE)


@pytest.mark.rule("border_patrol", "V8.72", "T8.720")
def test_crews_all_outstanding_help_and_one_poor_hinders():
    assert adjusted_roll(cloaked("CA", crew_quality="outstanding"), 6, NOWHERE) == 6
    assert adjusted_roll([*cloaked("CA", crew_quality="outstanding"), *cloaked("CA")], 6, NOWHERE) == 3
    poor = [*cloaked("CA", crew_quality="poor"), *cloaked("CA", crew_quality="outstanding")]
    assert adjusted_roll(poor, 6, NOWHERE) == 0


@pytest.mark.rule("border_patrol", "V8.72", "T8.720")
@pytest.mark.parametrize(("rating", "more"), [(0, 0), (1, 1), (3, 1), (4, 2), (8, 2), (9, 3)])
def test_the_helmsman_of_the_highest_bpv_adds_the_root_of_his_rating_rounded_down(rating: int, more: int):
    led = [*cloaked("CA", bpv=150, helmsman=rating), *cloaked("CA", bpv=100, helmsman=12)]
    assert adjusted_roll(led, 6, NOWHERE) == 3 + more


@pytest.mark.rule("border_patrol", "V8.72", "T8.720")
def test_supply_and_the_own_undisrupted_province():
    assert adjusted_roll(cloaked("CA", in_supply=False), 6, NOWHERE) == -1
    assert adjusted_roll([*cloaked("CA"), *cloaked("CA", in_supply=False)], 6, NOWHERE) == -1
    assert [adjusted_roll(cloaked("CA"), 6, one) for one in (OWN, OTHERS, OWN_DISRUPTED)] == [4, 3, 3]
    assert adjusted_roll(cloaked("CA", team=""), 6, NOWHERE) == 3


@pytest.mark.rule("border_patrol", "V8.72")
def test_all_that_applies_is_added():
    stack = cloaked("DN", crew_quality="poor", in_supply=False, helmsman=4)
    assert adjusted_roll(stack, 12, OWN) == 12 - 6 + 2 - 3 - 4 + 2 + 1


@pytest.mark.rule("border_patrol", "V8.73")
def test_three_less_in_an_own_province_disrupted_or_not_and_convoys_in_the_others_alone():
    storm, post = "ion storm", "listening post"
    for own in (OWN, OWN_DISRUPTED):
        assert [encounter_kind("blue", roll, own) for roll in range(1, 7)] == ["none"] * 3 + [storm, storm, post]
    assert [encounter_kind("blue", roll, OTHERS) for roll in range(1, 7)] == [storm] * 2 + [post] * 3 + ["convoy"]
    assert [encounter_kind("blue", roll, NOWHERE) for roll in range(1, 7)] == [storm] * 2 + [post] * 3 + ["none"]


@pytest.mark.rule("border_patrol", "V8.73", "T8.730")
def test_what_becomes_known():
    stack = cloaked("DD", "CA")
    assert made_known(stack, "none") is None
    found = {kind: made_known(stack, kind) for kind in ("ion storm", "listening post", "convoy")}
    assert {(one.number, one.size_classes, one.hex) for one in found.values()} == {(2, (3, 4), "0505")}
    assert [one.direction for one in found.values()] == [True, True, False]
    assert [one.upturned for one in found.values()] == [True, False, False]
    assert [one.to_everybody for one in found.values()] == [True, False, False]
    assert [one.terrain for one in found.values()] == ["ion storm", "", ""]


# --- encounters in play ----------------------------------------------------------------------------------------------
LINES = "blue B1 0505 CA[cloak_cost=10]+DD[cloak_cost=5]\nred R1 1105 CA\nprovince rim red 0506 0507 0508"
HIDDEN = {"B1": {"cloak": "all turn", "route": "0506"}}
"""Two units, Size Classes 3 and 4: they are found by 2d6 - 6 + 3 below 4, which is 6 and less. They move in phase 4."""


def found(what: int, state: BorderState | None = None, **more: object) -> Played:
    return play(state or world(LINES), HIDDEN, None, dice={"/found": [1, 1], "/what": [what]}, **more)


@pytest.mark.rule("border_patrol", "V8.71", "V8.56")
def test_nothing_is_seen_of_them_where_they_come_upon_nothing():
    game = play(world(LINES), HIDDEN)
    assert (game.hexes()["B1"], game.texts("red", "movement")) == ("0506", [])
    assert game.moves("blue") == ["Phase 4: Under cloak: B1 0505 → 0506."]
    assert "0506" not in game.seen_by("red").replace('"hex":"0506","terrain', "")
    rolls = [roll for roll in game.table.shared.rolls if "/found" in roll.label]
    assert [(roll.label, roll.seen_by) for roll in rolls] == [("T1/P4/encounter/B1/found", frozenset())]


@pytest.mark.rule("border_patrol", "V8.71")
def test_who_does_not_move_or_is_in_the_open_does_not_roll():
    for sheet in ({"B1": {"cloak": "all turn"}}, {"B1": {"route": "0506"}}):
        assert not [roll for roll in play(world(LINES), sheet).table.shared.rolls if "/found" in roll.label]


@pytest.mark.rule("border_patrol", "V8.73", "T8.730")
def test_an_ion_storm_turns_them_up_for_everybody_until_they_leave(kept: Kept):
    game = found(1)
    (told,) = game.told("red", "encounter")
    assert told.is_public()
    assert told.text == "An ion storm in 0506 shows units of the Blue Team: 2 cloaked, Size Class 3, 4."
    assert game.texts("red", "contact") == ["They are E1 to you."]
    purposes = {roll.label.rpartition("/")[2]: roll.purpose for roll in game.table.shared.rolls}
    assert (purposes["found"], purposes["what"]) == ("unexpected encounter", "what is encountered")
    assert is_turned_up(game.state, "B1")
    assert game.table.knowledge("red").contacts["E1"].latest.headline == "2 cloaked, Size Class 3, 4"
    assert game.table.knowledge("red").contacts["E1"].live
    assert play(game.state, {"B1": {"route": "0507"}}).texts("red", "contact") == kept()
    assert not is_turned_up(game.state, "B1")


@pytest.mark.rule("border_patrol", "V8.73", "T8.730")
def test_who_shows_itself_is_followed_no_longer():
    state = found(1).state
    assert play(state, {"B1": {"cloak": "no"}}).texts("red", "contact") == ["E1 is lost from sight."]
    assert state.teams["red"].tracks.current == {}


@cases("case, proves, lines, orders, holds", "")
def test_what_comes_of_encounters(lines: str, orders: Any, holds: dict[str, Any]):
    assert after(lines, orders, holds) == holds


@pytest.mark.rule("border_patrol", "V8.73", "T8.730")
def test_a_listening_post_turns_nobody_up():
    game = found(4)
    assert not is_turned_up(game.state, "B1")
    contact = game.table.knowledge("red").contacts["E1"]
    assert (contact.live, contact.latest.hex) == (False, "0506")


@pytest.mark.rule("border_patrol", "V8.73", "T8.730")
def test_a_battle_where_a_storm_showed_them_is_fought_in_it():
    state = found(2).state
    state.stacks["R1"].hex = state.units["R1-CA"].hex = "0507"
    (battle,) = play(state, None, {"R1": {"route": "0506"}}).asked("red", "battle")
    assert battle.setup is not None
    assert battle.setup.panels[0].rows == ("ion storm",)


@pytest.mark.rule("border_patrol", "V8.73", "T8.730")
def test_who_joins_a_stack_that_was_turned_up_is_seen_with_it():
    for one, other in (("B1", "B2"), ("B2", "B1")):
        state = world("blue B1 0506 CA[cloak_cost=10]\nblue B2 0506 CA[cloak_cost=10]\nred R1 1105 CA")
        play(state, {key: {"cloak": "all turn"} for key in ("B1", "B2")})
        turn_up(state.members(state.stacks["B1"]), "storm")
        play(state, {one: {"join": other}})
        assert list(state.stacks) == [other, "R1"]
        assert is_turned_up(state, other)


@pytest.mark.rule("border_patrol", "V8.73", "T8.730")
def test_what_stays_of_a_stack_that_was_turned_up_is_seen_still():
    state = found(1, world(LINES)).state
    play(state, {"B1": {"detach": ["B1-DD"], "route": "0507"}})
    assert (is_turned_up(state, "B1"), is_turned_up(state, "B2")) == (False, True)


# --- convoys met -----------------------------------------------------------------------------------------------------
CONVOY_LINES = """
blue B1 0505 CA[cloak_cost=10]+DD[cloak_cost=5]
red R1 1105 CA
red sails FT FT
province rim red 0506 0507 0508
"""


def met(orders: str = "fight convoys", lines: str = CONVOY_LINES, **more: Any) -> Played:
    """Blue goes under cloak to 0506 in phase 4, and comes upon a convoy there."""
    sheet = {"B1": {"cloak": "all turn", "route": "0506", "orders": orders}}
    return play(world(lines), sheet, None, dice={"/found": [1, 1], "/what": [6]}, **more)


CAUGHT = {"RU1": {"fate": "destroyed"}, "RU2": {"fate": "captured"}}


@pytest.mark.rule("border_patrol", "T8.730")
class TestFought:
    def test_it_is_a_battle_hex_with_the_convoys_ships_in_it(self):
        game = met()
        (ask,) = game.asked("blue", "battle")
        assert [line.label for line in ask.form.lines] == [
            "BU1: B1-CA (Blue Team)", "BU2: B1-DD (Blue Team)", "RU1: Freighter 1 (Red Team)",
            "RU2: Freighter 2 (Red Team)",
        ]  # fmt: skip
        assert game.texts("blue", "encounter") == ["B1 came upon a convoy in 0506, and fights it."]
        assert game.texts("red", "encounter") == ["A convoy in 0506 is set upon by E1: 2 cloaked, Size Class 3, 4."]

    def test_what_is_left_of_it_sails_on_and_the_stack_is_hidden_again(self):
        game = met(battle={"RU1": {"fate": "destroyed"}})
        assert not [key for key in game.state.units if key.startswith("r2")]
        assert game.state.convoys == {}
        assert not is_turned_up(game.state, "B1")

    @pytest.mark.parametrize("account", [CAUGHT, {"BU1": {"fate": "destroyed"}, "BU2": {"fate": "destroyed"}}])
    def test_it_is_gone_when_all_of_it_is_gone_and_as_well_if_it_beats_them(self, account: dict[str, Any]):
        assert met(battle=account).state.convoys == {}


@pytest.mark.rule("border_patrol", "T8.730")
class TestLetRun:
    def test_its_captain_is_asked_and_silence_lets_it_run(self):
        game = met("convoys ask")
        (ask,) = game.asked("blue", "convoy")
        assert (ask.title, ask.rule, ask.default_says) == ("A convoy before B1", "T8.730", "Let it run.")
        assert ask.text == "B1 came upon it in 0506. It runs, and reports you; who fights it shows itself."
        assert [(one.label, one.values) for one in ask.asks_for.offers] == [("Fight it", {"B1": {"answer": "fight"}})]
        assert game.asked("blue", "battle") == []

    def test_supply_is_as_it_was_whatever_becomes_of_it(self):
        assert all(unit.in_supply for unit in met(battle=CAUGHT).state.units.values() if unit.team == "red")
