"""What lasts through a turn and may end in several ways: reactions, cloaks and tows; and who stays when others go."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.allowances import allowance
from tests.expected.kept import cases
from tests.rulebooks.border_patrol.plays import after, play, refused, where_and_rule, world

LINES = "blue B1 0505 CA\nred R1 0508 CA"


@cases("case, proves, lines, orders, holds", "")
def test_what_lasts_ends_where_it_should(lines: str, orders: Any, holds: dict[str, Any]):
    assert after(lines, orders, holds) == holds


@pytest.mark.rule("border_patrol", "V8.69", "V8.60", "V8.61", "V8.68")
def test_unit_that_caught_others_at_its_station_reacts_no_more_when_it_leaves_by_orders():
    """Red is caught in 0505 in phase 5. Blue may enter what phases 7 and 8 give, and none of the three it holds."""
    blue = {"B1": {"react": "any", "orders": "return ask; within 0"}}
    answers = {"moving on_blue": {"B1": {"route": "0504 0503"}}}
    red = {"R1": {"route": "0507 0506 0505"}}
    game = play(world(LINES), blue, red, battle={"RU1": {"fate": "destroyed"}}, **answers)
    (ask,) = game.asked("blue", "moving on")
    assert ask.text == "It is in 0505, and may enter 2 hexes more in this turn."
    unit = game.state.units["B1-CA"]
    assert (game.hexes(), unit.reacting, unit.accrued, unit.target, unit.carried) == ({"B1": "0503"}, False, 0, "", 0)


@pytest.mark.rule("border_patrol", "V8.61", "V8.68")
@pytest.mark.parametrize(("waits", "hides"), [("blue", "red"), ("red", "blue")])
def test_who_waits_is_not_pinned_by_those_that_go_under_cloak_in_whichever_order_teams_stand(waits: str, hides: str):
    names = {"blue": "B1", "red": "R1"}
    lines = f"{waits} {names[waits]} 0505 CA\n{hides} {names[hides]} 0505 CA[cloak_cost=10]+CA[cloak_cost=10]"
    sheets = {waits: {names[waits]: {"react": "must"}}, hides: {names[hides]: {"cloak": "all turn"}}}
    game = play(world(lines), sheets["blue"], sheets["red"])
    assert game.texts(waits, "reaction") == []
    assert game.state.units[f"{names[waits]}-CA"].carried == 2


# --- cloaks -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("border_patrol", "T8.730")
def test_no_ion_storm_is_the_ground_when_a_reaction_turned_units_up():
    lines = "blue B1 0505 CA\nred R1 0508 CA[cloak_cost=10]"
    red = {"R1": {"cloak": "all turn", "route": "0507 0506 0505"}}
    game = play(world(lines), {"B1": {"react": "any"}}, red)
    setup = game.asked("red", "battle")[0].setup
    assert setup is not None
    assert setup.panels[0].rows == ("open space",)
    assert game.state.units["R1-CA"].turned_up == "caught"


@pytest.mark.rule("border_patrol", "V8.52", "V8.56")
def test_rearguard_of_a_cloaked_stack_stays_under_cloak_in_the_next_turn_too():
    """Half of Red's strength must stay, rounded up: the destroyer does."""
    state = world("blue B1 0505 CA[cloak_cost=6]+DD[cloak_cost=3]\nred R1 0505 CA")
    words = "break out; stop; within 1; return; fight convoys; let go"
    sheet = {"B1": {"cloak": "all turn", "route": "0506", "orders": words}, "B1-ships": {"rearguard": ["B1-DD"]}}
    assert play(state, sheet).hexes() == {"B1": "0506", "B2": "0505", "R1": "0505"}
    assert state.units["B1-DD"].cloaked
    left, gone = state.stacks["B2"].orders, state.stacks["B1"].orders
    for word in ("onward", "held", "let_go", "within", "after", "convoys", "company"):
        assert getattr(left, word) == getattr(gone, word)
    play(state)
    assert state.units["B1-DD"].cloaked


@pytest.mark.rule("border_patrol", "V8.51", "V8.86")
def test_cloaked_tug_goes_as_its_pods_let_it():
    """(30 - 6) / (1 + 0.25) / 6 = 3.2, and 24 / 6 = 4 without pods."""
    state = world("blue B1 0505 TUG[cloak_cost=6 pods=Cargo]\nblue B2 0606 TUG[cloak_cost=6]")
    play(state, {key: {"cloak": "all turn"} for key in ("B1", "B2")})
    assert [allowance(state.units[key]) for key in ("B1-TUG", "B2-TUG")] == [3, 4]
    far = {"B1": {"cloak": "all turn", "route": "0506 0507 0508 0509"}}
    assert where_and_rule(refused(state, far)) == [("B1.route", "V8.12")]


# --- who stays --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("border_patrol", "V8.15", "V8.21")
def test_all_stay_when_they_keep_together_and_the_slowest_sets_the_column():
    """15 boxes at a cost of 1 are 2 hexes."""
    stranded = world("blue B1 0505 CA+DD[warp_ok=0]+DD[warp_dropped=yes]\nred R1 1105 CA")
    sheet = {"B1": {"route": "0506", "orders": "keep together"}}
    assert where_and_rule(refused(stranded, sheet)) == [("B1.route", "V8.12")]
    slow = world("blue B1 0505 CA+CA[warp_ok=15]")
    assert where_and_rule(refused(slow, {"B1": {"route": "0506 0507 0508"}})) == [("B1.route", "V8.12")]


@pytest.mark.rule("border_patrol", "V8.15")
@cases("sheet, rule")
def test_a_way_of_their_own_is_refused_when_nobody_parts_or_their_points_do_not_reach(sheet: Any, rule: str):
    state = world("blue B1 0505 CA+DD+FF[warp_ok=0]")
    assert where_and_rule(refused(state, {"B1-ships": sheet})) == [("B1-ships.part_route", rule)]


# --- overhauls, posts, ways -------------------------------------------------------------------------------------------
@pytest.mark.rule("border_patrol", "T8.730")
def test_own_posts_note_no_own_units():
    state = world("blue B1 0505 CA[cloak_cost=6]\nblue post 0506\nred R1 1101 CA")
    assert play(state, {"B1": {"cloak": "all turn", "route": "0506"}}).told("red", "contact") == []


@pytest.mark.rule("border_patrol", "V8.11")
def test_route_that_begins_where_the_stack_stands_is_read_without_that_hex():
    state = world("blue B1 0505 CA\nalien probe 0808 follows 0808 0807 allowance=8")
    assert state.habits["probe"].route == ["0807"]
    game = play(state, {"B1": {"route": "0505 0506"}})
    assert (game.hexes(), game.moves("red")[0]) == ({"B1": "0506"}, "Phase 1: Probe 0808 → 0807.")
    assert where_and_rule(refused(state, {"B1": {"route": "0505 0506 0506"}})) == [("B1.route", "V8.11")]


@pytest.mark.rule("border_patrol", "V8.48")
def test_account_is_refused_when_it_says_more_of_a_figure_than_the_unit_ever_had():
    (ask,) = play(world("blue B1 0505 CA\nred R1 0506 CA"), {"B1": {"route": "0506"}}).asked("blue", "battle")
    result = {code: {"fate": "damaged"} for code in ("BU1", "RU1")}
    for figure, most in (("tractors", 3), ("special", 0), ("warp", 30), ("dcr", 4)):
        for said, count in ((most, 0), (most + 1, 1), (51, 1)):
            account = ask.model.model_validate({**result, "BU1": {"fate": "damaged", figure: said}})
            assert len(list(ask.check(account))) == count, (figure, said)


@pytest.mark.rule("border_patrol", "T8.730")
def test_way_of_hidden_units_is_told_when_they_disengage_out_of_a_storm():
    """Found in phase 3 (2 - 6 + 3 is less than 3), and shown by a storm (1); others are in that hex."""
    lines = "blue B1 0505 CA\nred R1 0508 CA[cloak_cost=6]\nblue B2 0507 CA"
    red = {"R1": {"cloak": "all turn", "route": "0507"}}
    game = play(world(lines), None, red, dice={"/found": [1, 1], "/what": [1]}, battle={"RU1": {"fate": "disengaged"}})
    setup = game.asked("red", "battle")[0].setup
    assert setup is not None
    assert setup.panels[0].rows == ("ion storm",)
    assert game.hexes()["R1"] == "0508"
    assert game.texts("blue", "movement")[-1] == "R1-CA disengaged under cloak to the south."
    assert not game.state.units["R1-CA"].turned_up
