"""Where groups meet that move in the same turn (13.1.5, 13.1.6, 13.2)."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.jump_lanes.ch1_movement.journeys import Reached
from rules_engine.rulebooks.jump_lanes.ch2_encounters.meetings import Journey, LaneMeeting, lane_meetings, stop_journeys
from rules_engine.rulebooks.jump_lanes.ch2_encounters.opposing import agreements, opposed_among, opposes
from rules_engine.rulebooks.jump_lanes.records.orders import Stance
from tests.expected.kept import Kept
from tests.rulebooks.jump_lanes.frontier import ARGO, CENTAURI, TERRAN, frontier


def mover(group: str, empire: str, rating: int, *steps: tuple[str, str, int], start: str = "away") -> Journey:
    """A group of a rating that comes to places by lanes at a cost each."""
    spent, reached = 0, list[Reached]()
    for place, lane, cost in steps:
        spent += cost
        reached.append(Reached(place, lane, Fraction(spent, rating)))
    return Journey(group, empire, start, reached)


def foes(one: str, other: str) -> bool:
    return one != other


def settle(*journeys: Journey, pick: int = 0) -> list[tuple[str, list[str]]]:
    """Where each is stopped, and what it reached."""
    stop_journeys(journeys, foes, lambda count: min(pick, count - 1))
    return [(one.met, [step.place for step in one.reached]) for one in journeys]


@pytest.mark.rule("jump_lanes", "13.2", "13.1.5")
def test_the_printed_example_meets_at_minor_1():
    """FTL 4 by Normal 1, Normal 2, Minor 1 and FTL 3 by Normal 3, Minor 1: the only common destination."""
    fast = mover("fast", TERRAN, 4, ("normal1", "a", 1), ("normal2", "b", 1), ("minor1", "c", 2))
    slow = mover("slow", CENTAURI, 3, ("normal3", "d", 1), ("minor1", "e", 2))
    assert settle(fast, slow) == [("minor1", ["normal1", "normal2", "minor1"]), ("minor1", ["normal3", "minor1"])]
    assert fast.destinations["minor1"] == slow.destinations["minor1"] == 1


@pytest.mark.rule("jump_lanes", "13.1.5")
def test_of_several_common_destinations_the_first_in_time_is_where_they_meet():
    # one: x at 1/4, y at 2/4; other: y at 1/4, x at 3/4. The later comes to x at 3/4, to y at 2/4.
    one = mover("one", TERRAN, 4, ("x", "a", 1), ("y", "b", 1))
    other = mover("other", CENTAURI, 4, ("y", "c", 1), ("x", "d", 2))
    assert settle(one, other) == [("y", ["x", "y"]), ("y", ["y"])]


@pytest.mark.rule("jump_lanes", "13.1.5")
def test_of_two_equally_late_ones_the_smaller_sum_counts_then_chance():
    # Both: the later comes at 2/4; the sums are 3/4 for x and 4/4 for y.
    one = mover("one", TERRAN, 4, ("x", "a", 1), ("y", "b", 1))
    other = mover("other", CENTAURI, 4, ("z", "c", 1), ("x", "d", 1), ("y", "e", 0))
    assert settle(one, other)[0][0] == "x"
    # All alike: x at 1/4 and 2/4, y at 2/4 and 1/4.
    for pick, place in ((0, "x"), (1, "y")):
        one = mover("one", TERRAN, 4, ("x", "a", 1), ("y", "b", 1))
        other = mover("other", CENTAURI, 4, ("y", "c", 1), ("x", "d", 1))
        assert [met for met, _ in settle(one, other, pick=pick)] == [place, place]


@pytest.mark.rule("jump_lanes", "13.2")
def test_a_group_that_stands_stops_whoever_comes_and_lets_nobody_by():
    guard = Journey("guard", CENTAURI, "x")
    comes = mover("comes", TERRAN, 4, ("x", "a", 1), ("y", "b", 1))
    assert settle(guard, comes) == [("x", []), ("x", ["x"])]


@pytest.mark.rule("jump_lanes", "13.2")
def test_who_is_stopped_earlier_does_not_come_to_a_later_meeting():
    guard = Journey("guard", CENTAURI, "x")
    comes = mover("comes", TERRAN, 4, ("x", "a", 1), ("y", "b", 1))
    waits = Journey("waits", CENTAURI, "y")
    assert settle(guard, comes, waits) == [("x", []), ("x", ["x"]), ("", [])]


@pytest.mark.rule("jump_lanes", "13.1.5", "13.2")
def test_who_stands_is_there_from_the_beginning_of_the_turn_also_when_it_has_been_met():
    # The guard stands at x; comes and waits both come to y later.
    guard = Journey("guard", CENTAURI, "x")
    comes = mover("comes", TERRAN, 4, ("x", "a", 1), ("y", "b", 1))
    waits = mover("waits", CENTAURI, 4, ("y", "c", 1))
    assert settle(guard, comes, waits) == [("x", []), ("x", ["x"]), ("", ["y"])]
    # Met at x already, it stops whoever comes there at 2/4 before that one comes to y at 3/4.
    guard = Journey("guard", CENTAURI, "x")
    first = mover("first", TERRAN, 4, ("x", "a", 1))
    second = mover("second", TERRAN, 4, ("x", "b", 2), ("y", "d", 1))
    waits = Journey("waits", CENTAURI, "y")
    assert [met for met, _ in settle(guard, first, second, waits)] == ["x", "x", "x", ""]


@pytest.mark.rule("jump_lanes", "13.2")
def test_groups_that_only_change_places_pass_each_other():
    one = mover("one", TERRAN, 1, ("y", "a", 1), start="x")
    other = mover("other", CENTAURI, 1, ("x", "a", 1), start="y")
    assert settle(one, other) == [("", ["y"]), ("", ["x"])]
    assert lane_meetings([one, other], foes) == []
    # A campaign may let chance decide.
    assert lane_meetings([one, other], foes, lambda *_: True) == [LaneMeeting("a", (0, 1))]
    assert lane_meetings([one, other], foes, lambda *_: False) == []
    beside = mover("beside", CENTAURI, 1, ("y", "a", 1), start="x")
    assert lane_meetings([one, beside], foes, lambda *_: True) == []


@pytest.mark.rule("jump_lanes", "13.2")
def test_friends_meet_nobody_and_third_parties_only_their_foes():
    comes = mover("comes", TERRAN, 4, ("x", "a", 1), ("y", "b", 1))
    friend, foe = Journey("friend", CENTAURI, "x"), Journey("foe", ARGO, "y")
    journeys = [comes, friend, foe]
    stop_journeys(journeys, lambda one, other: {one, other} == {TERRAN, ARGO}, lambda _: 0)
    assert [one.met for one in journeys] == ["y", "", "y"]


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_who_enters_a_lane_meets_those_in_transit_there_and_they_do_not_meet_each_other_again():
    first = Journey("first", TERRAN, lane="a")
    second = Journey("second", CENTAURI, lane="a")
    assert lane_meetings([first, second], foes) == []
    through = mover("through", CENTAURI, 4, ("x", "a", 2))
    assert lane_meetings([first, through], foes) == [LaneMeeting("a", (0, 1))]
    jumps = Journey("jumps", CENTAURI, "x", lane="a", begins=True)
    assert lane_meetings([first, jumps], foes) == [LaneMeeting("a", (0, 1))]
    at_once = Journey("at once", TERRAN, "y", lane="a", begins=True)
    assert lane_meetings([at_once, jumps], foes) == [LaneMeeting("a", (0, 1))]
    elsewhere = mover("elsewhere", CENTAURI, 4, ("x", "b", 2))
    assert lane_meetings([first, elsewhere], foes) == []
    assert lane_meetings([first, through], lambda *_: False) == []


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_who_comes_out_of_a_lane_was_in_it_and_is_met_there_and_at_its_end():
    arrives = Journey("arrives", TERRAN, lane="a", reached=[Reached("x", "a", Fraction(1, 2))])
    through = mover("through", CENTAURI, 4, ("y", "a", 2), start="x")
    guard = Journey("guard", CENTAURI, "x")
    assert lane_meetings([arrives, through, guard], foes) == [LaneMeeting("a", (0, 1))]
    assert settle(arrives, guard) == [("x", ["x"]), ("x", [])]
    # Who begins a jump is at neither end.
    jumps = Journey("jumps", TERRAN, "x", lane="a", begins=True)
    assert settle(jumps, Journey("guard", CENTAURI, "x")) == [("", []), ("", [])]


@pytest.mark.rule("jump_lanes", "13.2")
def test_opposing_are_all_that_have_no_treaty_of_passage_which_takes_two():
    state = frontier(empires=3)
    assert opposes(state, TERRAN, CENTAURI)
    assert not opposes(state, TERRAN, TERRAN)
    state.empires[TERRAN].stances[CENTAURI] = "passage"
    assert opposes(state, TERRAN, CENTAURI)
    assert opposes(state, CENTAURI, TERRAN)
    state.empires[CENTAURI].stances[TERRAN] = "passage"
    assert not opposes(state, TERRAN, CENTAURI)
    assert not opposes(state, CENTAURI, TERRAN)
    assert opposed_among(state, [TERRAN, CENTAURI]) == []
    assert opposed_among(state, [TERRAN, CENTAURI, ARGO]) == [TERRAN, CENTAURI, ARGO]
    state.empires[CENTAURI].stances[TERRAN] = "war"
    assert opposes(state, TERRAN, CENTAURI)


def test_what_is_agreed_on_is_said_to_each(kept: Kept):
    state = frontier(empires=3)

    def grants(terran: Stance, centauri: Stance) -> list[list[str]]:
        state.empires[TERRAN].stances[CENTAURI] = terran
        state.empires[CENTAURI].stances[TERRAN] = centauri
        return [agreements(state, TERRAN), agreements(state, CENTAURI)]

    assert grants("none", "none") == [[], []]
    assert grants("passage", "passage") == [["Centauri: a treaty of passage."], ["Terran: a treaty of passage."]]
    assert grants("war", "passage") == [["Centauri: war."], ["Terran: war."]]
    assert grants("passage", "none") == kept()
