"""The set-up, in secret and at once, and when a duel is over, and who has won. VM-N25, VM-N26"""

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.vector.campaign.setting_up import SetUpSheet, set_up_ask
from rules_engine.rulebooks.vector.campaign.victory import ending, is_decided, say_clock
from rules_engine.rulebooks.vector.records.aims import DuelRules
from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.records.tactical import TacticalTerrain
from rules_engine.rulebooks.vector.scenario.ground import disc
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.duels import duel
from tests.rulebooks.vector.scenarios import opened


def refusals(state: VectorState, side: str, sheet: Json) -> list[str]:
    try:
        set_up_ask(state, side).answer_from(sheet)
    except Refused as refused:
        return [str(one) for one in refused.refusals]
    return []


@cases("sheet")
def test_what_fits_the_zone_is_legal(sheet: Json):
    assert refusals(opened(), "courier", sheet) == []


@cases("sheet, path, said")
def test_what_does_not_is_refused(sheet: Json, path: str, said: str):
    found = refusals(opened(), "courier", sheet)
    assert len(found) == 1
    assert found[0].startswith(path)
    assert said in found[0]


def test_all_that_is_wrong_is_told_at_once():
    assert len(refusals(opened(), "courier", {"C1": {"at": "0628", "vector": "9C"}, "H1": {}})) == 3


def test_nobody_is_set_up_in_a_planet():
    state = opened("ambush")
    planet = next(one for one in state.battle.terrain if one.kind == "planet")
    zone = state.captains["raiders"].zone
    assert zone is not None
    state.captains["raiders"].zone = zone.with_values(at=planet.hexes[0], within=3)
    assert "is in a planet" in refusals(state, "raiders", {"R1": {"at": planet.hexes[3]}})[0]
    offered = {choice.value for field in set_up_ask(state, "raiders").form.lines[0].fields for choice in field.choices}
    assert not offered & {*planet.hexes}


def test_a_small_zone_is_offered_as_a_menu_without_what_is_illegal():
    field = set_up_ask(opened(), "courier").form.lines[0].fields[0]
    assert (field.kind, len(field.choices), field.value) == ("one", 19, "0625")
    for choice in field.choices:
        assert refusals(opened(), "courier", {"C1": {"at": choice.value}}) == []


def test_a_large_zone_is_typed():
    state = opened()
    zone = state.captains["courier"].zone
    assert zone is not None
    state.captains["courier"].zone = zone.with_values(within=3)
    assert set_up_ask(state, "courier").form.lines[0].fields[0].kind == "text"


def test_a_zone_without_a_middle_lies_about_each_ship():
    state = opened("rendezvous")
    assert refusals(state, "north", {"N1": {"at": "0806"}, "N2": {"at": "1410"}}) == []
    assert "0807 is 3 hexes from 0804" in refusals(state, "north", {"N1": {"at": "0807"}})[0]


def test_a_set_up_is_read_back(kept: Kept):
    ask = set_up_ask(opened(), "courier")
    assert list(ask.read_back(ask.answer_from({"C1": {"at": "0626", "facing": "A", "vector": "2C+2D"}}))) == kept("#1")
    assert list(ask.read_back(ask.answer_from({"C1": {"vector": "3A+3D"}}))) == kept("#2")


def test_a_captain_is_told_what_a_set_up_is(kept: Kept):
    ask = set_up_ask(opened(), "courier")
    assert ask.title == "Set-up"
    assert ask.text == (
        "Place your ships within 2 hexes of 0625, at speed 8 or less. All captains do so at once; nobody sees yours "
        "before all are in."
    )
    assert ask.question is not None
    assert ask.question.situation == (
        "Hex, facing and vector of each ship, within 2 hexes of 0625, at speed 8 or less."
    )
    assert (ask.question.others, ask.question.noun, ask.question.lines) == ("begin where they stand", "ship", ("C1",))
    assert ask.default_says == "The ships begin where the scenario has them."
    line = ask.form.lines[0]
    assert (line.label, line.note) == ("Quicksilver", "C1, within 2 hexes of 0625, at speed 8 or less")
    assert [(one.label, one.help, one.most) for one in line.fields] == kept()


def test_a_zone_that_lies_about_each_ship_is_said_so(kept: Kept):
    ask = set_up_ask(opened("rendezvous"), "north")
    assert "Place each of your ships within 2 hexes of where it stands now, at speed 6 or less" in ask.text
    assert [one.note for one in ask.form.lines][:2] == kept()


def test_refusals_of_a_set_up_in_words(kept: Kept):
    state = opened("ambush")
    planet = next(one for one in state.battle.terrain if one.kind == "planet")
    zone = state.captains["raiders"].zone
    assert zone is not None
    state.captains["raiders"].zone = zone.with_values(at=planet.hexes[0], within=1)
    assert refusals(state, "raiders", {"R1": {"at": planet.hexes[0]}}) == kept("#1")
    assert refusals(opened(), "courier", {"C1": {"vector": "fast"}}) == kept("#2")
    # twelve characters are looked at as a hex, and forty as a vector; more are not
    assert "is no hex" in refusals(opened(), "courier", {"C1": {"at": "x" * 12}})[0]
    assert "the text is too long" in refusals(opened(), "courier", {"C1": {"at": "x" * 13}})[0]
    assert "is no vector" in refusals(opened(), "courier", {"C1": {"vector": "x" * 40}})[0]
    assert "the text is too long" in refusals(opened(), "courier", {"C1": {"vector": "x" * 41}})[0]


def test_a_zone_of_more_than_a_menus_hexes_is_typed_in_so_many_letters():
    state = opened()
    zone = state.captains["courier"].zone
    assert zone is not None
    # 19 hexes within 2; of 37 within 3, a planet that leaves 25 makes a menu, one that leaves 26 does not
    state.captains["courier"].zone = zone.with_values(within=3)
    around = disc("0625", 3)
    for taken, kind in ((12, "one"), (11, "text")):
        state.battle.terrain = [TacticalTerrain(id="rock", kind="planet", hexes=around[-taken:])]
        assert set_up_ask(state, "courier").form.lines[0].fields[0].kind == kind
    field = set_up_ask(state, "courier").form.lines[0].fields[0]
    assert (field.most, field.value, field.help) == (12, "0625", "column and row, as 0412")


def test_who_arrives_later_says_when():
    said = set_up_ask(opened("ambush"), "raiders").read_back(SetUpSheet({}))
    assert said[1] == "R2 Leer arrives on turn 2 in 2923, facing E, at rest."
    assert said[0].startswith("R1 Grin begins in 2922, facing E")


# --- victory ---------------------------------------------------------------------------------------------------------
def winners(state: VectorState) -> tuple[str, ...] | None:
    found = ending(state)
    return None if found is None else found.winners


class TestChase:
    """A courier and its hunters."""

    def test_it_goes_on_while_both_have_ships(self):
        assert winners(duel("C1 courier 0410 8C | H1 hunter 2020 0", turn=5)) is None
        assert winners(duel("C1 courier 0410 8C from:7 | H1 hunter 2020 0", turn=5)) is None
        assert winners(duel("C1 courier 0410 8C | H1 hunter 2020 0 from:7", turn=5)) is None

    def test_nothing_is_decided_before_the_first_turn_and_before_the_set_up_is_revealed(self):
        state = duel("C1 courier 0410 8C out:caught | H1 hunter 2020 0", turn=0)
        assert winners(state) is None
        state.revealed = False
        assert not is_decided(state)

    def test_a_courier_that_is_caught_has_lost(self):
        state = duel("C1 courier 0410 8C out:caught | H1 hunter 2020 0 | P1 hunter 2021 0")
        state.captains["p"].caught.append("C1")
        assert winners(state) == ("p",)
        found = ending(state)
        assert found is not None
        assert found.text == "Captain P caught the courier. Captain P has won."
        assert found.scores == {"c": "0 ships away", "h": "0 ships caught", "p": "1 ship caught"}

    def test_a_courier_that_is_destroyed_has_lost_to_all_hunters(self):
        found = ending(duel("C1 courier 0410 8C out:destroyed | H1 hunter 2020 0 | P1 hunter 2021 0"))
        assert found is not None
        assert found.winners == ("h", "p")
        assert found.text == "The courier was destroyed. Captain H and Captain P have won."

    def test_a_courier_that_is_away_has_won(self):
        found = ending(duel("C1 courier 0410 8C out:left | H1 hunter 2020 0"))
        assert found is not None
        assert (found.winners, found.text) == (("c",), "Captain C got away. Captain C has won.")

    @pytest.mark.parametrize(("second", "won"), [("out:left", ("c",)), ("out:caught", ("h",))])
    def test_half_of_a_couriers_ships_are_enough(self, second: str, won: tuple[str, ...]):
        state = duel(f"C1 courier 0410 8C out:caught | C2 courier 0410 8C {second} | H1 hunter 2020 0")
        state.captains["h"].caught.append("C1")
        assert winners(state) == won

    def test_one_of_three_is_not_enough(self):
        ships = "C1 courier 0410 8C out:caught | C2 courier 0410 8C out:caught | C3 courier 0410 8C out:left"
        assert winners(duel(f"{ships} | H1 hunter 2020 0")) == ("h",)

    def test_of_two_couriers_each_wins_or_loses_by_itself(self):
        state = duel("C1 courier 0410 8C out:caught | D1 courier 0410 8C out:left | H1 hunter 2020 0")
        assert winners(state) == ("d",)

    def test_only_the_winners_count_as_away(self):
        """D has saved one of three ships, which is too few; C was not caught, and is still there."""
        ships = "D1 courier 0410 8C out:left | D2 courier 0410 8C out:caught | D3 courier 0410 8C out:caught"
        found = ending(duel(f"C1 courier 0410 8C | {ships} | H1 hunter 2020 0", turn=12))
        assert found is not None
        assert (found.winners, found.text) == (("c",), "Captain C was not caught in time. Captain C has won.")

    def test_who_is_not_caught_by_turn_11_never_is(self):
        assert winners(duel("C1 courier 0410 8C | H1 hunter 2020 0", turn=10, turns=20)) is None
        found = ending(duel("C1 courier 0410 8C | H1 hunter 2020 0", turn=11, turns=20))
        assert found is not None
        assert (found.winners, found.text) == (("c",), "Captain C was not caught in time. Captain C has won.")

    def test_couriers_win_at_the_last_turn(self):
        rules = DuelRules(match_before=0)
        assert winners(duel("C1 courier 0410 8C | H1 hunter 2020 0", turn=11, rules=rules)) is None
        assert winners(duel("C1 courier 0410 8C | H1 hunter 2020 0", turn=12, rules=rules)) == ("c",)

    def test_without_hunters_a_courier_has_won(self):
        assert winners(duel("C1 courier 0410 8C | H1 hunter 2020 0 out:destroyed")) == ("c",)


class TestRace:
    """Racers."""

    def test_it_goes_on_while_two_have_ships(self):
        assert winners(duel("L1 racer 0410 8C | M1 racer 2020 0", turn=3)) is None

    def test_the_first_over_the_line_has_won(self):
        state = duel("L1 racer 0410 8C | M1 racer 2020 0 | N1 racer 2020 0", turn=3)
        assert winners(state) is None
        state.captains["m"].done_on, state.captains["n"].done_on = 70, 71
        assert winners(state) == ("m",)
        found = ending(state)
        assert found is not None
        assert found.text == "Captain M crossed the line first, on turn 3, impulse 6. Captain M has won."
        assert found.scores["m"] == "over the line on turn 3, impulse 6"
        state.captains["n"].done_on = 70
        assert winners(state) == ("m", "n")
        both = ending(state)
        assert both is not None
        assert both.text.endswith("Captain M and Captain N have won.")

    def test_at_the_last_turn_most_buoys_count(self):
        state = duel("L1 racer 0410 8C | L2 racer 0410 8C | M1 racer 2020 0", turn=12, buoys=("0101", "0202", "0303"))
        assert winners(state) == (), "nobody is ahead"
        undecided = ending(state)
        assert undecided is not None
        assert undecided.text == "Nobody crossed the line, and nobody is ahead. Nobody has won."
        state.captains["l"].passed = {"L1": 1, "L2": 2}
        state.captains["m"].passed = {"M1": 1}
        assert winners(state) == ("l",)
        ahead = ending(state)
        assert ahead is not None
        assert ahead.text == "Nobody crossed the line. Captain L passed most buoys: 2. Captain L has won."
        state.captains["m"].passed = {"M1": 2}
        assert winners(state) == ()
        found = ending(state)
        assert found is not None
        assert found.scores["l"] == "2 of 3 buoys"

    def test_who_alone_has_ships_left_has_won(self):
        found = ending(duel("L1 racer 0410 8C | M1 racer 2020 0 out:destroyed"))
        assert found is not None
        assert (found.winners, found.text) == (("l",), "Captain L alone has ships left. Captain L has won.")


class TestRendezvous:
    """Squadrons."""

    def test_the_first_to_gather_has_won(self):
        state = duel("N1 squadron 0410 8C | S1 squadron 2020 0")
        state.captains["s"].done_on = 20
        found = ending(state)
        assert found is not None
        assert found.winners == ("s",)
        assert found.text == "Captain S gathered first, on turn 1, impulse 20. Captain S has won."
        assert found.scores == {"n": "not gathered", "s": "gathered on turn 1, impulse 20"}

    def test_at_the_last_turn_it_is_a_draw(self):
        found = ending(duel("N1 squadron 0410 8C | S1 squadron 2020 0", turn=12))
        assert found is not None
        assert (found.winners, found.text) == ((), "No squadron has gathered. Nobody has won.")


@cases("clock, said")
def test_impulses_are_said_by_their_turn(clock: int, said: str):
    assert say_clock(clock) == said
