"""Cloaked stacks that come upon something: exactly those learn of it whom the table names."""

import pytest

from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import turn_up
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from tests.expected.kept import Kept
from tests.rulebooks.border_patrol.plays import Played, is_turned_up, play, world

LINES = "blue B1 0505 CA[cloak_cost=10]+DD[cloak_cost=5]\nred R1 1105 CA\nprovince rim red 0506 0507 0508"
HIDDEN = {"B1": {"cloak": "all turn", "route": "0506"}}
"""Two units, Size Classes 3 and 4: they are found by 2d6 - 6 + 3 below 4, which is 6 and less. They move in phase 4."""


def found(what: int, state: BorderState | None = None, **more: object) -> Played:
    return play(state or world(LINES), HIDDEN, None, dice={"/found": [1, 1], "/what": [what]}, **more)


@pytest.mark.rule("border_patrol", "V8.71", "V8.56")
def test_nothing_is_seen_of_them_where_they_come_upon_nothing():
    game = play(world(LINES), HIDDEN)
    assert game.hexes()["B1"] == "0506"
    assert game.texts("red", "movement") == []
    assert game.moves("blue") == ["Phase 4: Under cloak: B1 0505 → 0506."]
    assert "0506" not in game.seen_by("red").replace('"hex":"0506","terrain', "")
    rolls = [roll for roll in game.table.shared.rolls if "/found" in roll.label]
    assert [(roll.label, roll.seen_by) for roll in rolls] == [("T1/P4/encounter/B1/found", frozenset())]


@pytest.mark.rule("border_patrol", "V8.71")
def test_who_does_not_move_or_is_in_the_open_does_not_roll():
    for sheet in ({"B1": {"cloak": "all turn"}}, {"B1": {"route": "0506"}}):
        game = play(world(LINES), sheet)
        assert not [roll for roll in game.table.shared.rolls if "/found" in roll.label]


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
    later = play(game.state, {"B1": {"route": "0507"}})
    assert later.texts("red", "contact") == kept()
    assert not is_turned_up(game.state, "B1")


@pytest.mark.rule("border_patrol", "V8.73", "T8.730")
def test_who_shows_itself_is_followed_no_longer():
    state = found(1).state
    assert play(state, {"B1": {"cloak": "no"}}).texts("red", "contact") == ["E1 is lost from sight."]
    assert state.teams["red"].tracks.current == {}


@pytest.mark.rule("border_patrol", "V8.73", "T8.730")
def test_a_listening_post_tells_the_opposing_team_alone_and_the_way_they_go(kept: Kept):
    game = found(4)
    assert game.texts("red", "encounter") == kept()
    assert game.texts("blue", "encounter") == []
    assert not is_turned_up(game.state, "B1")
    contact = game.table.knowledge("red").contacts["E1"]
    assert (contact.live, contact.latest.hex) == (False, "0506")


@pytest.mark.rule("border_patrol", "T8.730")
def test_a_convoy_tells_no_way_and_they_know_of_it():
    game = found(6)
    assert game.texts("red", "encounter") == ["A convoy, which runs, reports E1 in 0506: 2 cloaked, Size Class 3, 4."]
    assert game.texts("blue", "encounter") == ["B1 came upon a convoy in 0506. It runs, and reports you."]


@pytest.mark.rule("border_patrol", "V8.73")
def test_no_convoy_outside_an_enemy_province_and_three_less_in_an_own():
    nobody = world(LINES.replace("rim red", "rim nobody"))
    assert found(6, nobody).texts("red", "encounter") == []
    own = world(LINES.replace("rim red", "rim blue"))
    assert found(3, own).texts("red", "encounter") == []
    own = world(LINES.replace("rim red", "rim blue"))
    assert "ion storm" in found(4, own).texts("red", "encounter")[0].lower()


@pytest.mark.rule("border_patrol", "V8.73", "T8.730")
def test_a_battle_where_a_storm_showed_them_is_fought_in_it():
    state = found(2).state
    state.stacks["R1"].hex = state.units["R1-CA"].hex = "0507"
    game = play(state, None, {"R1": {"route": "0506"}})
    (battle,) = game.asked("red", "battle")
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
