"""What a Team's map numbers: others who came openly, from where, and nothing of those under cloak."""

from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.border_patrol import RULEBOOK
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from tests.rulebooks.border_patrol.plays import play, world


def told(state: BorderState, side: str = "blue") -> list[tuple[tuple[str, ...], str, str]]:
    return [(one.hexes, one.fact, one.aside) for one in RULEBOOK.side_board(state, side, Knowledge()).news]


def test_others_who_came_are_numbered_with_the_hex_from_which_they_came_in_the_turn():
    game = play(world("blue B1 0505 CA\nred R1 1008 CA"), None, {"R1": {"route": "1007 1006"}})
    assert told(game.state) == [(("1006",), "1006: Red Team came from 1008", "from 1008")]
    assert told(game.state, "red") == []
    assert RULEBOOK.public_board(game.state).news == ()


def test_it_is_told_until_the_next_turns_moves():
    game = play(world("blue B1 0505 CA\nred R1 1008 CA"), None, {"R1": {"route": "1007"}})
    assert told(play(game.state).state) == []


def test_it_is_no_news_on_their_own_ground():
    state = world("blue B1 0505 CA\nred R1 1008 CA\nprovince home red 1007 1008")
    assert told(play(state, None, {"R1": {"route": "1007"}}).state) == []


def test_nothing_is_told_of_who_came_under_cloak():
    state = world("blue B1 0505 CA\nred R1 1008 CA[cloak_cost=10]\nred R2 1006 CA")
    game = play(state, None, {"R1": {"cloak": "all turn", "route": "1007 1006"}})
    assert game.hexes()["R1"] == "1006"
    assert told(game.state) == []


def test_of_those_who_came_to_an_own_hex_it_is_told_that_they_are_there():
    game = play(world("blue B1 0505 CA\nred R1 0507 CA"), None, {"R1": {"route": "0506 0505"}})
    assert [one[1] for one in told(game.state)] == ["0505: R still with B1"]
