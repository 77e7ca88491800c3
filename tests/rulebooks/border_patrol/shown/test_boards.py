"""What boards, tables and the briefing show, to whom."""

import json

import pytest

from rules_engine.core.knowledge.views import Board, Knowledge
from rules_engine.rulebooks.border_patrol import RULEBOOK
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from tests.expected.kept import Kept
from tests.rulebooks.border_patrol.plays import play, world

LINES = """
blue B1 0505 CA+DD
blue base 0202 BATS
red R1 0808 CA+CA
red R2 0808 DD
red R3 0909 CA[cloak_cost=10]
red base 1111 BATS
monster dragon 0606 stays driven_off_by=999
alien probe 0707 stays driven_off_by=999
province home blue 0201 0202 0203 0301 0302
storm gale 0404
"""


def board(state: BorderState, side: str = "blue") -> Board:
    return RULEBOOK.side_board(state, side, Knowledge())


def counters(shown: Board, owner: str) -> dict[str, tuple[str, str, int | None]]:
    return {one.id: (one.hex, one.form, one.ships) for one in shown.counters if one.owner == owner}


@pytest.fixture(scope="module")
def state() -> BorderState:
    return play(world(LINES), None, {"R3": {"cloak": "all turn"}}).state


def test_own_stacks_with_all_that_is_in_them(state: BorderState, kept: Kept):
    shown = board(state)
    assert counters(shown, "blue") == {"B1": ("0505", "force", 2), "blue-0202": ("0202", "base", None)}
    panel = shown.panel("Stacks")
    assert panel is not None
    assert panel.rows == kept()


@pytest.mark.rule("border_patrol", "V8.56")
def test_of_others_one_counter_for_a_hex_and_nothing_of_cloaked_ones(state: BorderState):
    for shown in (board(state), RULEBOOK.public_board(state)):
        assert counters(shown, "red") == {"R-0808": ("0808", "force", None), "R-base-1111": ("1111", "base", None)}
    everything = RULEBOOK.omniscient_board(state)
    assert set(counters(everything, "red")) == {"R1", "R2", "R3", "red-1111"}


def test_monsters_and_aliens_are_outsiders_that_all_see(state: BorderState):
    shown = board(state)
    assert [one.key for one in shown.outsiders] == ["monsters", "aliens"]
    assert set(counters(shown, "monsters")) == {"dragon"}
    assert set(counters(shown, "aliens")) == {"probe"}


def test_the_map_is_public(state: BorderState):
    notes = {note.hex: note for note in board(state).hexes}
    assert notes["0404"].terrain == "ion storm"
    assert (notes["0101"].name, notes["0101"].owner, notes["0101"].marks) == ("Sol", "blue", ("planet",))
    assert (notes["0202"].name, notes["0301"].territory) == ("Home", "blue"), "in the middle of the province"
    assert board(state).hexes == board(state, "red").hexes == RULEBOOK.public_board(state).hexes


def test_the_referee_reads_what_is_invented():
    state = world("blue B1 0505 CA")
    state.invented = ("map", "province home")
    for shown in (RULEBOOK.omniscient_board(state), RULEBOOK.public_board(state)):
        assert shown.panel("Invented figures").rows == ("map, province home",)


def test_listening_posts_are_their_teams_alone():
    from rules_engine.rulebooks.border_patrol.records.places import ListeningPost

    state = world("blue B1 0505 CA")
    state.posts["ear"] = ListeningPost(id="ear", team="blue", hex="0606")
    assert board(state).panel("Listening posts, Blue Team") is not None
    assert board(state, "red").panel("Listening posts, Blue Team") is None
    assert "0606" not in RULEBOOK.public_board(state).model_dump_json()


def test_scores_are_everybodys_and_points_to_spend_ones_own(state: BorderState):
    state.teams["red"].treasury = 77
    for shown in (board(state), RULEBOOK.public_board(state)):
        assert "77" not in [figure.value for figure in shown.header.figures]
        assert {one.owner for one in shown.header.tallies} == {"blue", "red"}
    assert [figure.value for figure in board(state, "red").header.figures] == ["77"]


def test_ways_are_ones_own():
    game = play(world("blue B1 0505 CA\nred R1 0507 CA"), {"B1": {"route": "0506 0507 0508"}})
    courses = [(one.kind, one.hexes) for one in board(game.state).courses]
    assert courses == [("moved", ("0505", "0506", "0507"))], "the rest of its way is over with the turn"
    fought = [(one["kind"], one["hexes"]) for one in json.loads(game.looks["blue"][-1])["courses"]]
    assert fought == [("moved", ["0505", "0506", "0507"]), ("plotted", ["0507", "0508"])]
    assert [one for one in board(game.state, "red").courses if one.counter == "B1"] == []


def test_the_table_and_the_briefing(state: BorderState):
    (table,) = RULEBOOK.side_tables(state, "blue", Knowledge())
    assert table.rows[0] == ("B1", "0505", "B1-CA", "CA", "5", "2 4 5 7 8", "30 of 30", "8", "4", "yes", "")
    told = RULEBOOK.briefing(state, "blue")
    assert told.length == "3 turns of eight movement phases"
    assert told.forces == ("B1 at 0505: B1-CA, B1-DD",)
    assert told.victory[0] == (
        "A turn: 1 for each province held, 2 for a convoy in, 3 for one caught, 4 for a monster, 5 for an enemy "
        "crippled, 6 for one destroyed"
    )
    assert told.victory[1].startswith("A province is held")
    assert told.terms == (("CA", "heavy cruiser"), ("DD", "destroyer"))


def test_income_by_place():
    state = world("province home blue 0201 0202\nblue B1 0505 CA")
    found = RULEBOOK.economy(state, "blue", Knowledge(), is_ahead=True)
    assert [(place.hex, place.name) for place in found.places] == [("0101", "Sol"), ("0201", "Home")]
