"""What lasts through a turn and may end in several ways: reactions, cloaks and tows; and who stays when others go."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.allowances import allowance
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from tests.rulebooks.border_patrol.plays import Played, play, refused, where_and_rule, world

LINES = "blue B1 0505 CA\nred R1 0508 CA"
"""Both go 5 hexes, in phases 2, 4, 5, 7 and 8. Red comes to 0506, beside 0505, in phase 4; Blue reacts by that phase's
point, and holds the one of phase 2 still."""
COMES = {"R1": {"route": "0507 0506"}}
WAITS: dict[str, Any] = {"react": "any", "orders": "return"}
LEFT = {"RU1": {"fate": "destroyed"}}


def reaction_of(state: BorderState, unit: str) -> tuple[bool, int, str, int]:
    """Whether a unit reacts, what it holds, whom it is after, and what it carries into the next turn."""
    found = state.units[unit]
    return found.reacting, found.accrued, found.target, found.carried


OVER = (False, 0, "", 0)


@pytest.mark.rule("border_patrol", "V8.60", "V8.61", "V8.68")
class TestReactionsThatEndEarly:
    @pytest.mark.parametrize("lost", [{"dropped": True}, {"warp": 0}])
    def test_ship_without_engines_moves_by_no_held_point_when_it_would_return(self, lost: dict[str, Any]):
        account = {"BU1": {"fate": "damaged", **lost}, **LEFT}
        game = play(world(LINES), {"B1": WAITS}, COMES, battle=account)
        assert (game.hexes(), sum(game.state.units["B1-CA"].moved_in.values())) == ({"B1": "0506"}, 1)
        assert reaction_of(game.state, "B1-CA") == OVER

    def test_ship_with_engines_returns_in_phase_five(self):
        game = play(world(LINES), {"B1": WAITS}, COMES, battle=LEFT)
        assert (game.hexes(), game.state.units["B1-CA"].moved_in[5]) == ({"B1": "0505"}, 1)

    @pytest.mark.rule("border_patrol", "V8.66")
    def test_waiting_unit_carries_nothing_when_it_disengaged_out_of_its_station(self):
        """Red comes to 0505 itself, in phase 5."""
        to_it = {"R1": {"route": "0507 0506 0505"}}
        for fate, carried in (("disengaged", 0), ("intact", 2)):
            game = play(world(LINES), {"B1": {"react": "must"}}, to_it, battle={"BU1": {"fate": fate}})
            assert (game.hexes()["B1"] == "0505") == (fate == "intact")
            assert reaction_of(game.state, "B1-CA") == (False, 0, "", carried)

    @pytest.mark.rule("border_patrol", "V8.25")
    def test_unit_holds_nothing_when_the_others_let_it_leave(self):
        """It caught Red in phase 4, and asks to leave in phase 5, by that phase's own point."""
        blue = {"B1": {"react": "any", "orders": "return; withdraw"}}
        game = play(world(LINES), blue, {"R1": {**COMES["R1"], "orders": "let go"}})
        assert game.hexes()["B1"] == "0505"
        assert "B1 leaves 0506: the others let it go." in game.texts("blue", "held")
        assert reaction_of(game.state, "B1-CA") == OVER

    @pytest.mark.rule("border_patrol", "V8.69")
    def test_unit_that_caught_others_at_its_station_reacts_no_more_when_it_leaves_by_orders(self):
        """Red is caught in 0505 in phase 5. Blue may enter what phases 7 and 8 give, and none of the three it holds."""
        blue = {"B1": {"react": "any", "orders": "return ask; within 0"}}
        answers = {"moving on_blue": {"B1": {"route": "0504 0503"}}}
        game = play(world(LINES), blue, {"R1": {"route": "0507 0506 0505"}}, battle=LEFT, **answers)
        (ask,) = game.asked("blue", "moving on")
        assert ask.text == "It is in 0505, and may enter 2 hexes more in this turn."
        assert (game.hexes(), reaction_of(game.state, "B1-CA")) == ({"B1": "0503"}, OVER)

    @pytest.mark.rule("border_patrol", "V8.26")
    def test_unit_reacts_again_to_who_leaves_its_station_when_it_never_left_it(self):
        """Red comes to 0505 in phase 5, is let go in phase 7, and is caught again in 0506."""
        red = {"R1": {"route": "0507 0506 0505 0506", "orders": "withdraw"}}
        answers = [{"B1": {"answer": answer}} for answer in ("stay", "react", "react")]
        game = play(world(LINES), {"B1": {"react": "ask", "orders": "let go"}}, red, reaction_blue=answers)
        caught = [text for text in game.texts("blue", "reaction") if "intercepts" in text]
        assert [text.split()[-1] for text in caught] == ["0505.", "0506."]
        assert game.hexes() == {"B1": "0506", "R1": "0506"}


@pytest.mark.rule("border_patrol", "V8.61", "V8.68")
@pytest.mark.parametrize(("waits", "hides"), [("blue", "red"), ("red", "blue")])
def test_who_waits_is_not_pinned_by_those_that_go_under_cloak_in_whichever_order_teams_stand(waits: str, hides: str):
    names = {"blue": "B1", "red": "R1"}
    lines = f"{waits} {names[waits]} 0505 CA\n{hides} {names[hides]} 0505 CA[cloak_cost=10]+CA[cloak_cost=10]"
    sheets = {waits: {names[waits]: {"react": "must"}}, hides: {names[hides]: {"cloak": "all turn"}}}
    game = play(world(lines), sheets["blue"], sheets["red"])
    assert game.texts(waits, "reaction") == []
    assert game.state.units[f"{names[waits]}-CA"].carried == 2


@pytest.mark.rule("border_patrol", "V8.55", "V8.62", "V8.63")
def test_who_reacts_to_a_monster_spends_both_hexes_of_the_phase():
    """With a base it sees two hexes far. The monster comes to 0507 in phase 8, after both Teams; Blue goes by the
    phase's own point and one of the four that it holds."""
    lines = "blue B1 0505 CA\nblue base 0505 BATS\nmonster dragon 0508 follows 0507 allowance=1"
    game = play(world(lines), {"B1": {"react": "must"}})
    assert (game.hexes(), game.state.units["B1-CA"].moved_in[8]) == ({"B1": "0507"}, 2)
    assert game.texts("blue", "reaction")[-1] == "B1 intercepts the Dragon in 0507."


@pytest.mark.rule("border_patrol", "V8.64", "V8.68")
def test_crippled_unit_stays_when_the_rest_of_its_stack_reacts():
    """The destroyer is crippled in phase 4. Others come to 0507 in phase 7: the cruiser alone goes there."""
    lines = "blue B1 0505 CA+DD\nred R1 0508 CA\nred R2 0410 CA"
    red = {**COMES, "R2": {"route": "0409 0509 0508 P7 0507"}}
    account = [{"BU2": {"fate": "damaged", "crippled": True}, **LEFT}, {}]
    game = play(world(lines), {"B1": {"react": "any"}}, red, battle=account)
    assert (game.hexes(), game.state.stacks["B2"].units) == ({"B1": "0507", "B2": "0506", "R2": "0507"}, ["B1-DD"])
    assert (reaction_of(game.state, "B1-DD"), game.texts("blue", "held")) == (OVER, ["B1-DD stays in 0506 as B2."])
    assert sum("intercepts" in text for text in game.texts("blue", "reaction")) == 2


@pytest.mark.rule("border_patrol", "V8.54", "V8.68")
def test_unit_with_damaged_sensors_that_fails_its_roll_is_left_where_the_others_react():
    lines = "blue B1 0505 CA+DD[sensors_damaged=yes]\nred R1 0508 CA"
    game = play(world(lines), {"B1": {"react": "any"}}, COMES, dice={"sensors": [3, 3]})
    assert game.texts("blue", "reaction")[0] == "B1-DD does not lie in wait: B1-DD has damaged sensors or scanners."
    assert game.hexes() == {"B1": "0506", "B2": "0505", "R1": "0506"}


@pytest.mark.rule("border_patrol", "V8.54")
def test_company_of_special_sensors_lets_a_hidden_target_go_when_they_react_no_more():
    """Red comes to 0507 under cloak in phase 3, two hexes from the base: the scout must react, and the cruiser goes
    along to 0506, where others fight them. The scout is crippled there; in phase 4 the cruiser senses nobody."""
    lines = (
        "blue B1 0505 CA+DD[special_sensors_ok=2]\nblue base 0505 BATS\nred R1 0508 CA[cloak_cost=6]\nred R2 0506 CA"
    )
    red = {"R1": {"cloak": "all turn", "route": "0507"}}
    account = {"BU2": {"fate": "damaged", "crippled": True}, **LEFT}
    game = play(world(lines), {"B1": {"react": "must"}}, red, battle=account)
    assert game.texts("blue", "reaction") == ["B1 at 0505 must react to the Red Team in 0507."]
    assert (game.hexes(), sum(game.state.units["B1-CA"].moved_in.values())) == ({"B1": "0506", "R1": "0507"}, 1)


# --- cloaks -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("border_patrol", "V8.50", "V8.63")
def test_cloak_until_it_reacts_ends_when_the_reaction_begins_in_its_own_hex():
    """Its zone is its hex alone, so it reacts there; its allowance is that of a cloaked one all turn."""
    lines = "blue B1 0505 CA[cloak_cost=10]\nred R1 0508 FF"
    red = {"R1": {"route": "P3 0507 P5 0506 P6 0505"}}
    game = play(world(lines), {"B1": {"react": "any", "cloak": "until it reacts"}}, red)
    assert game.texts("blue", "reaction")[0] == "B1 at 0505 reacts to the Red Team in 0505."
    unit = game.state.units["B1-CA"]
    assert (unit.cloaked, unit.turned_up) == (False, "")
    assert unit.allowed_in[8] == 3, "20 boxes of 30"
    assert len(game.asked("blue", "battle")) == 1


@pytest.mark.rule("border_patrol", "T8.730")
def test_no_ion_storm_is_the_ground_when_a_reaction_turned_units_up():
    lines = "blue B1 0505 CA\nred R1 0508 CA[cloak_cost=10]"
    red = {"R1": {"cloak": "all turn", "route": "0507 0506 0505"}}
    game = play(world(lines), {"B1": {"react": "any"}}, red)
    setup = game.asked("red", "battle")[0].setup
    assert setup is not None
    assert setup.panels[0].rows == ("open space",)
    assert game.state.units["R1-CA"].turned_up == "caught"


@pytest.mark.rule("border_patrol", "T8.730")
def test_way_of_hidden_units_is_told_when_a_storm_showed_them_and_not_when_they_were_caught():
    lines = "blue B1 0505 CA\nred R1 0508 CA[cloak_cost=6]"
    red = {"R1": {"cloak": "all turn", "route": "0507 0506 0505 0504", "orders": "withdraw"}}
    game = play(world(lines), {"B1": {"react": "any", "orders": "let go"}}, red)
    assert game.hexes() == {"B1": "0505", "R1": "0504"}
    assert not [text for text in game.texts("blue", "contact") if "leave" in text]


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


@pytest.mark.rule("border_patrol", "V8.55")
def test_monster_forgets_each_unit_that_hid_from_it_and_not_only_the_last():
    """It is after the nearer one, then after the other; both hide, and show themselves again, and it stays."""
    lines = (
        "monster dragon 0505 hunts allowance=1 senses=9\nblue B1 0510 CA[cloak_cost=10]\nblue B2 0511 CA[cloak_cost=10]"
    )
    state = world(lines)
    play(state)
    assert (state.units["dragon"].hex, state.habits["dragon"].quarry) == ("0506", "B1-CA")
    play(state, {"B1": {"cloak": "all turn"}})
    assert (state.units["dragon"].hex, state.habits["dragon"].quarry) == ("0507", "B2-CA")
    play(state, {"B2": {"cloak": "all turn"}})
    assert state.habits["dragon"].lost == ["B1-CA", "B2-CA"]
    play(state, {"B1": {"cloak": "no"}, "B2": {"cloak": "no"}})
    assert (state.units["dragon"].hex, state.habits["dragon"].quarry) == ("0507", "")


@pytest.mark.rule("border_patrol", "V8.55")
def test_monster_forgets_who_went_under_cloak_though_it_shows_itself_before_the_monster_moves():
    """The monster moves in phase 8. Blue hides at the turn's beginning, and reacts in phase 6."""
    lines = (
        "monster dragon 0505 hunts allowance=1 senses=9\nblue B1 0508 CA[cloak_cost=10]\nred R1 0511 FF\nred R2 1201 CA"
    )
    state = world(lines)
    play(state)
    assert state.habits["dragon"].quarry == "B1-CA"
    play(state, {"B1": {"cloak": "until it reacts", "react": "any"}}, {"R1": {"route": "P3 0510 P5 0509 P6 0508"}})
    assert not state.units["B1-CA"].cloaked
    assert state.habits["dragon"].lost == ["B1-CA"]


# --- who stays --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("border_patrol", "V8.15", "V8.21")
class TestThoseThatCannotFollow:
    LINES = "blue B1 0505 CA+DD[warp_ok=0]+DD[warp_dropped=yes]\nred R1 1105 CA"

    def test_they_stay_behind_as_a_stack_of_their_own_when_the_rest_goes(self):
        game = play(world(self.LINES), {"B1": {"route": "0506 0507"}})
        assert game.hexes() == {"B1": "0507", "B2": "0505", "R1": "1105"}
        assert game.state.stacks["B2"].units == ["B1-DD", "B1-DD2"]
        assert game.texts("blue", "held") == ["B1-DD, B1-DD2 stay in 0505 as B2."]

    def test_all_stay_when_they_keep_together(self):
        sheet = {"B1": {"route": "0506", "orders": "keep together"}}
        assert where_and_rule(refused(world(self.LINES), sheet)) == [("B1.route", "V8.12")]

    def test_slow_unit_sets_the_column_and_goes_along(self):
        """15 boxes at a cost of 1 are 2 hexes."""
        state = world("blue B1 0505 CA+CA[warp_ok=15]")
        assert where_and_rule(refused(state, {"B1": {"route": "0506 0507 0508"}})) == [("B1.route", "V8.12")]
        assert play(state, {"B1": {"route": "0506 0507"}}).hexes() == {"B1": "0507"}

    def test_whoever_is_in_tow_goes_along(self):
        game = play(world("blue B1 0505 CA[towing=B1-DD]+DD[warp_ok=0]"), {"B1": {"route": "0506"}})
        assert game.hexes() == {"B1": "0506"}

    def test_convoy_stays_with_its_last_cargo(self):
        lines = "blue B1 0505 FT[warp_ok=0]+CA\nconvoy blue B1 0505 0506"
        assert play(world(lines)).hexes() == {"B1": "0505"}
        lines = "blue B1 0505 FT[warp_ok=0]+FT\nconvoy blue B1 0505 0506"
        assert play(world(lines)).hexes() == {"B1": "0506", "B2": "0505"}


@pytest.mark.rule("border_patrol", "V8.15")
class TestPartsWithAWayOfTheirOwn:
    LINES = "blue B1 0505 CA+DD+FF[warp_ok=0]"

    def test_both_go_in_the_same_turn(self):
        sheet = {"B1": {"route": "0506"}, "B1-ships": {"detach": ["B1-DD"], "part_route": "0504 0503"}}
        assert play(world(self.LINES), sheet).hexes() == {"B1": "0506", "B2": "0503", "B3": "0505"}

    def test_they_take_what_they_tow(self):
        state = world("blue B1 0505 CA+DD[towing=B1-FF]+FF[warp_ok=0]")
        sheet = {"B1-ships": {"detach": ["B1-DD", "B1-FF"], "part_route": "0504"}}
        assert play(state, sheet).hexes() == {"B1": "0505", "B2": "0504"}
        assert (state.units["B1-DD"].towing, state.units["B1-FF"].towed_by) == (["B1-FF"], "B1-DD")

    def test_way_is_refused_when_nobody_parts_or_their_points_do_not_reach(self):
        state = world(self.LINES)
        assert where_and_rule(refused(state, {"B1-ships": {"part_route": "0504"}})) == [
            ("B1-ships.part_route", "BP-R59")
        ]
        far = {"detach": ["B1-DD"], "part_route": "0504 0503 0502 0501 0401 0301"}
        assert where_and_rule(refused(state, {"B1-ships": far})) == [("B1-ships.part_route", "V8.12")]
        assert where_and_rule(refused(state, {"B1-ships": {"detach": ["B1-FF"], "part_route": "0504"}})) == [
            ("B1-ships.part_route", "V8.12")
        ]


# --- overhauls, posts, ways -------------------------------------------------------------------------------------------
@pytest.mark.rule("border_patrol", "V8.45")
@pytest.mark.parametrize("fate", ["intact", "disengaged"])
def test_overhaul_ends_unfinished_when_its_base_was_attacked_wherever_the_ship_is(fate: str):
    lines = "blue B1 0505 CA[emergency_used=2]\nblue base 0505 BATS\nred R1 0506 CA"
    game = play(
        world(lines), {"B1": {"overhaul": ["B1-CA"]}}, {"R1": {"route": "0505"}}, battle={"BU2": {"fate": fate}}
    )
    assert (game.hexes()["B1"] == "0505") == (fate == "intact")
    unit = game.state.units["B1-CA"]
    assert (unit.emergency_used, unit.overhauls, unit.overhaul_at, unit.overhaul_broken) == (2, 0, "", False)
    assert "The overhaul of B1-CA is broken off." in game.texts("blue", "engines")


def heard(lines: str, sheet: dict[str, Any]) -> Played:
    return play(world(f"blue B1 0101 CA\nblue post 0505\n{lines}"), None, sheet)


@pytest.mark.rule("border_patrol", "T8.730")
class TestListeningPosts:
    HIDDEN = "red R1 0508 CA[cloak_cost=6]"

    def test_a_cloaked_stack_is_noted_in_the_six_hexes_around_as_team_and_hex(self):
        game = heard(self.HIDDEN, {"R1": {"cloak": "all turn", "route": "0507 0506"}})
        (report,) = game.told("blue", "contact")
        assert report.text == ("The listening post in 0505 notes E1: units of the Red Team, under cloak, came to 0506.")
        assert [text for text in game.texts("red") if "listening" in text] == []
        assert not game.state.units["R1-CA"].turned_up

    def test_farther_off_and_in_the_open_nothing_is_told(self):
        assert heard(self.HIDDEN, {"R1": {"cloak": "all turn", "route": "0507"}}).told("blue", "contact") == []
        assert heard(self.HIDDEN, {"R1": {"route": "0507 0506"}}).told("blue", "contact") == []

    def test_own_posts_note_no_own_units(self):
        state = world("blue B1 0505 CA[cloak_cost=6]\nblue post 0506\nred R1 1101 CA")
        assert play(state, {"B1": {"cloak": "all turn", "route": "0506"}}).told("red", "contact") == []


@pytest.mark.rule("border_patrol", "V8.11")
def test_route_that_begins_where_the_stack_stands_is_read_without_that_hex():
    state = world("blue B1 0505 CA\nalien probe 0808 follows 0808 0807 allowance=8")
    assert state.habits["probe"].route == ["0807"]
    game = play(state, {"B1": {"route": "0505 0506"}})
    assert (game.hexes(), game.moves("red")[0]) == ({"B1": "0506"}, "Phase 1: Probe 0808 → 0807.")
    assert where_and_rule(refused(state, {"B1": {"route": "0505 0506 0506"}})) == [("B1.route", "V8.11")]


@pytest.mark.rule("border_patrol", "V8.62")
def test_nobody_reacts_to_a_stranger_that_stands_where_it_stood():
    """It stands beside Blue, and goes away from it."""
    game = play(world("blue B1 0708 CA\nalien probe 0808 follows 0808 0809 allowance=1"), {"B1": {"react": "must"}})
    assert game.texts("blue", "reaction") == []


@pytest.mark.rule("border_patrol", "V8.48")
def test_account_is_refused_when_it_says_more_of_a_figure_than_the_unit_ever_had():
    (ask,) = play(world("blue B1 0505 CA\nred R1 0506 CA"), {"B1": {"route": "0506"}}).asked("blue", "battle")
    result = {code: {"fate": "damaged"} for code in ("BU1", "RU1")}
    for figure, most in (("tractors", 3), ("special", 0), ("warp", 30), ("dcr", 4)):
        for said, count in ((most, 0), (most + 1, 1), (51, 1)):
            account = ask.model.model_validate({**result, "BU1": {"fate": "damaged", figure: said}})
            assert len(list(ask.check(account))) == count, (figure, said)


@pytest.mark.rule("border_patrol", "V8.25")
@pytest.mark.parametrize("answer", ["refuse", "let go"])
def test_others_are_asked_once_whether_a_team_may_leave_however_many_stacks_would(answer: str):
    lines = "blue B1 0505 CA\nblue B2 0505 CA\nred R1 0505 CA+CA"
    blue = {key: {"route": "0506", "orders": "withdraw"} for key in ("B1", "B2")}
    sheets = {"R1": {"orders": "let go ask"}}
    game = play(world(lines), blue, sheets, withdrawal_red={"R1": {"answer": answer}})
    assert len(game.asked("red", "withdrawal")) == 1
    where = "0506" if answer == "let go" else "0505"
    assert game.hexes() == {"B1": where, "B2": where, "R1": "0505"}


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
