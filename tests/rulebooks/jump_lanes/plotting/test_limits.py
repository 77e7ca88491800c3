"""How many places a menu offers, how many names a refusal lists, and how long what was seen stays on the map."""

from fractions import Fraction

import pytest

from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.views import Contact, Glimpse, Knowledge
from rules_engine.rulebooks.jump_lanes.campaign.boundaries import close_turn, open_turn
from rules_engine.rulebooks.jump_lanes.plotting.asking import sheet_ask
from rules_engine.rulebooks.jump_lanes.plotting.names import listed
from rules_engine.rulebooks.jump_lanes.records.places import LaneSystem
from rules_engine.rulebooks.jump_lanes.shown.boards import side_board
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, lane, ship, squadron
from tests.rulebooks.jump_lanes.plays import begin


def test_a_menu_offers_the_23_nearest_places_and_then_the_own():
    """With these a menu of Discord, which has 25 lines, has one left."""
    state = frontier()
    for number in range(30):
        key = f"moon-{number:02}"
        state.systems[key] = LaneSystem(id=key, name=key.title(), x=Fraction(number), y=Fraction(5), sector="orion")
        state.lanes[f"M{number}"] = lane(f"M{number}", "sol", key, "major")
        state.empires[TERRAN].places.append(key)
    state.index()
    squadron(state, "T1", "sol", ship("hermes"))
    line = sheet_ask(state, TERRAN).form.line("T1")
    assert line is not None
    assert [one.value for one in line.fields[0].choices] == [*(f"moon-{number:02}" for number in range(23)), "sol"]


@pytest.mark.parametrize(
    ("count", "says"), [(0, ""), (1, "a"), (6, "a, b, c, d, e, f"), (7, "a, b, c, d, e, f or 1 more")]
)
def test_of_many_names_six_are_listed(count: int, says: str):
    assert listed("abcdefg"[:count]) == says


@pytest.mark.parametrize(("turn", "shown"), [(5, ["E1"]), (6, [])])
def test_who_was_lost_from_sight_is_shown_for_four_turns(turn: int, shown: list[str]):
    state = frontier()
    state.turn = turn
    squadron(state, "T1", "sol", ship("hermes"))
    glimpse = Glimpse(when=When(turn=1), hex="ross", level=1, level_name="seen", headline="2 units")
    gone = Contact(track="E1", owner=CENTAURI, first_seen=When(turn=1), latest=glimpse, live=False)
    knowledge = Knowledge()
    knowledge.contacts["E1"] = gone
    counters = side_board(state, TERRAN, knowledge).counters
    assert [one.id for one in counters if one.owner == CENTAURI] == shown


def test_what_is_told_at_a_turns_end_is_told_at_its_ninetieth_step():
    state = frontier()
    play = begin(state)
    open_turn(play.turn)
    assert (play.turn.shared.now.turn, play.turn.shared.now.step) == (2, 0)
    assert play.turn.shared.now.label == "Turn 2"
    close_turn(play.turn)
    assert (play.turn.shared.now.turn, play.turn.shared.now.step) == (2, 90)
    assert play.turn.shared.now.label == "Turn 2, end"
