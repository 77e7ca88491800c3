"""How far routes lead, what propulsion lanes ask for, and where groups meet that move in the same turn (13.1, 13.2)."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.jump_lanes.ch1_movement.costs import lane_cost
from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import (
    Speeds,
    equipment_for,
    lacking,
    rating_of,
    slowest,
    strained,
)
from rules_engine.rulebooks.jump_lanes.ch1_movement.journeys import (
    Reached,
    ahead,
    jump_turns,
    next_stretch,
    pass_legs,
    timetable,
)
from rules_engine.rulebooks.jump_lanes.ch1_movement.transits import begin_jump, pay
from rules_engine.rulebooks.jump_lanes.ch2_encounters.meetings import (
    Journey,
    LaneMeeting,
    in_their_order,
    lane_meetings,
    stop_journeys,
)
from rules_engine.rulebooks.jump_lanes.ch2_encounters.opposing import agreements, opposed_among, opposes
from rules_engine.rulebooks.jump_lanes.records.orders import GroupOrders, RouteLegOrder, Stance
from rules_engine.rulebooks.jump_lanes.records.places import LaneClass, LaneType
from rules_engine.rulebooks.jump_lanes.records.settings import LaneCosts
from tests.expected.kept import Kept, cases
from tests.rulebooks.jump_lanes.frontier import ARGO, CENTAURI, TERRAN, frontier, ship


@cases("proves, lane_type, equipment")
def test_each_type_of_lane_asks_for_its_own_propulsion(lane_type: LaneType, equipment: str):
    assert equipment_for(lane_type) == equipment
    able, unable = ship("able", engines=0, ftl=0), ship("unable", engines=3, ftl=3, intergalactic=3)
    setattr(able, equipment, 1)
    setattr(unable, equipment, 0)
    assert lacking([able, unable], lane_type) == [unable]


@pytest.mark.rule("jump_lanes", "13.1", "13.1.3", "13.5")
def test_lanes_cost_by_their_class_sector_lanes_twice_and_unexplored_ones_cannot_be_crossed():
    state = frontier()
    costs = {key: lane_cost(state, state.lanes[key]) for key in ("L1", "L2", "L4", "L5", "L6", "L8")}
    assert costs == {"L1": 2, "L2": 1, "L4": Fraction(1, 2), "L5": 2, "L6": None, "L8": 2}
    doubled: dict[LaneClass, int] = {"major": 1, "normal": 2, "minor": 4, "restricted": 8}
    for lane_class, cost in doubled.items():
        state.lanes["L5"].lane_class = lane_class
        assert lane_cost(state, state.lanes["L5"]) == cost


@pytest.mark.rule("jump_lanes", "13.1")
def test_the_costs_of_classes_are_those_of_the_scenario():
    state = frontier()
    state.costs = LaneCosts(minor=Fraction(5))
    assert lane_cost(state, state.lanes["L1"]) == 5


@pytest.mark.rule("jump_lanes", "13.1.5")
def test_a_group_is_as_fast_as_its_slowest_member():
    hermes, achilles = ship("Hermes", ftl=1, engines=4), ship("Achilles", ftl=2, engines=3, intergalactic=2)
    assert slowest([hermes, achilles]) == Speeds(3, 1, 0)
    assert slowest([achilles]) == Speeds(3, 2, 2)
    assert slowest([]) == Speeds(0, 0, 0)


@pytest.mark.rule("jump_lanes", "13.1.5")
def test_based_flights_and_units_in_tow_slow_nobody_down():
    carrier, flight = ship("carrier", ftl=3), ship("flight", kind="flight", ftl=0, based_on="carrier")
    base = ship("base", kind="starbase", ftl=0, engines=0, towed=True)
    assert slowest([carrier, flight, base]).ftl == 3
    assert lacking([carrier, flight, base], "interstellar") == []
    base.towed = False
    assert slowest([carrier, flight, base]).ftl == 0
    assert lacking([carrier, flight, base], "interstellar") == [base]
    flight.based_on = ""
    assert lacking([carrier, flight], "interstellar") == [flight]


@pytest.mark.rule("jump_lanes", "13.4.1")
@pytest.mark.parametrize(("rating", "halved"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_a_tug_that_tows_has_half_its_propulsion_rounded_up(rating: int, halved: int):
    assert strained(rating) == halved
    tug = ship("tug", engines=rating, ftl=rating, intergalactic=rating, towing=4)
    assert rating_of(tug, "engines") == rating_of(tug, "ftl") == rating_of(tug, "intergalactic") == rating
    tug.tows = True
    assert rating_of(tug, "engines") == rating_of(tug, "ftl") == rating_of(tug, "intergalactic") == halved


# --- journeys --------------------------------------------------------------------------------------------------------
def legs(*steps: str) -> list[RouteLegOrder]:
    """Legs as ``L1:wolf``."""
    return [RouteLegOrder(lane=one.partition(":")[0], to=one.partition(":")[2]) for one in steps]


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_hermes_takes_two_turns_from_sol_to_wolf_359_and_so_does_its_escort():
    """The two printed examples: FTL 1 over a Minor lane of cost 2, alone and with an Achilles of FTL 2."""
    state, hermes, achilles = frontier(), ship("Hermes", ftl=1), ship("Achilles", ftl=2)
    for group in ([hermes], [hermes, achilles]):
        stretch = next_stretch(state, slowest(group), legs("L1:wolf"))
        assert (stretch.reached, stretch.jump, stretch.turns) == ((), legs("L1:wolf")[0], 2)
    alone = next_stretch(state, slowest([achilles]), legs("L1:wolf"))
    assert [one.place for one in alone.reached] == ["wolf"]
    assert alone.jump is None


@cases("cost, rating, turns")
def test_the_turns_of_an_extended_jump_are_rounded_up(cost: int, rating: int, turns: int):
    assert jump_turns(Fraction(cost), rating) == turns


@pytest.mark.rule("jump_lanes", "13.1.5")
def test_several_lanes_are_crossed_in_a_turn_as_far_as_the_rating_pays_for_them():
    state, way = frontier(), legs("L2:barnard", "L3:ross", "L4:wolf", "L1:sol")
    assert [one.place for one in next_stretch(state, Speeds(ftl=1), way).reached] == ["barnard"]
    assert [one.place for one in next_stretch(state, Speeds(ftl=2), way).reached] == ["barnard", "ross"]
    three = next_stretch(state, Speeds(ftl=3), way)
    assert [one.place for one in three.reached] == ["barnard", "ross", "wolf"]
    assert [one.time for one in three.reached] == [Fraction(1, 3), Fraction(2, 3), Fraction(5, 6)]
    assert three.spent == (("ftl", Fraction(5, 2)),)


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_an_extended_jump_leaves_no_other_movement_in_its_turn():
    state = frontier()
    first = next_stretch(state, Speeds(ftl=1), legs("L2:barnard", "L2:sol", "L1:wolf"))
    assert [one.place for one in first.reached] == ["barnard"]
    assert first.jump is None
    # What is left of the rating does not begin a jump, and a jump begins nothing else.
    both = next_stretch(state, Speeds(ftl=1), legs("L1:wolf", "L4:ross"))
    assert (both.reached, both.legs) == ((), 1)


@pytest.mark.rule("jump_lanes", "13.1.5")
def test_each_propulsion_has_its_own_rating_in_a_turn():
    state, way = frontier(system_maps=True), legs("L9:sol", "L2:barnard")
    assert [one.place for one in next_stretch(state, Speeds(engines=1, ftl=1), way).reached] == ["sol", "barnard"]
    assert [one.place for one in next_stretch(state, Speeds(engines=0, ftl=1), way).reached] == []


def test_a_route_pauses_where_there_is_something_to_do_and_a_trade_run_begins_again():
    state, speeds = frontier(), Speeds(ftl=4)
    orders = GroupOrders(legs=legs("L2:barnard", "L3:ross", "L3:barnard", "L2:sol"), again_from=0)
    stretch = next_stretch(state, speeds, ahead(orders), {"ross", "sol"})
    assert [one.place for one in stretch.reached] == ["barnard", "ross"]
    pass_legs(orders, 2)
    assert [one.to for one in ahead(orders)] == ["barnard", "sol", "barnard", "ross", "barnard", "sol"]
    pass_legs(orders, 2)
    assert orders.gone == 0
    once = GroupOrders(legs=legs("L2:barnard"))
    pass_legs(once, 1)
    assert once.legs == []


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_a_timetable_counts_the_turn_of_the_order_as_the_first():
    due = timetable(frontier(), Speeds(ftl=1), legs("L2:barnard", "L2:sol", "L1:wolf", "L4:ross"), (), 3)
    assert [(one.leg.to, one.turn) for one in due] == [("barnard", 3), ("sol", 4), ("wolf", 6), ("ross", 7)]


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_a_jump_is_paid_turn_by_turn_and_its_last_turn_says_when_it_ends():
    state = frontier()
    transit = begin_jump(state, "sol", legs("L5:perseus")[0])
    state.lanes["L5"].lane_class = "restricted"
    transit = begin_jump(state, "sol", legs("L5:perseus")[0])
    assert transit.cost == 8
    assert pay(state, transit, Speeds(ftl=3)) > 1
    assert (transit.paid, transit.turns_left) == (3, 2)
    assert pay(state, transit, Speeds(ftl=3)) > 1
    assert (transit.paid, transit.turns_left) == (6, 1)
    assert pay(state, transit, Speeds(ftl=3)) == Fraction(2, 3)
    assert (transit.paid, transit.turns_left) == (8, 0)


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_who_is_slower_in_mid_jump_needs_longer_and_who_has_no_engine_left_drifts():
    state = frontier()
    transit = begin_jump(state, "sol", legs("L1:wolf")[0])
    transit.cost = Fraction(8)
    pay(state, transit, Speeds(ftl=4))
    assert transit.turns_left == 1
    pay(state, transit, Speeds(ftl=1))
    assert (transit.paid, transit.turns_left) == (5, 3)
    pay(state, transit, Speeds(ftl=0))
    assert (transit.paid, transit.turns_left) == (6, 2)


# --- meetings --------------------------------------------------------------------------------------------------------
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
    assert settle(one, mover("other", CENTAURI, 4, ("y", "c", 1), ("x", "d", 2))) == [("y", ["x", "y"]), ("y", ["y"])]


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
    assert settle(guard, mover("comes", TERRAN, 4, ("x", "a", 1), ("y", "b", 1))) == [("x", []), ("x", ["x"])]


@pytest.mark.rule("jump_lanes", "13.2")
def test_who_is_stopped_earlier_does_not_come_to_a_later_meeting():
    guard = Journey("guard", CENTAURI, "x")
    comes = mover("comes", TERRAN, 4, ("x", "a", 1), ("y", "b", 1))
    assert settle(guard, comes, Journey("waits", CENTAURI, "y")) == [("x", []), ("x", ["x"]), ("", [])]


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
    assert lane_meetings([one, mover("beside", CENTAURI, 1, ("y", "a", 1), start="x")], foes, lambda *_: True) == []


@pytest.mark.rule("jump_lanes", "13.1.6")
@pytest.mark.parametrize(("first", "then"), [("a", "z"), ("z", "a")])
def test_group_meets_others_in_the_lane_that_it_enters_first_whatever_the_lanes_are_called(first: str, then: str):
    """JL-N09: it crosses two lanes, in each of which others are in transit; two more meet in a third."""
    crosses = mover("crosses", TERRAN, 4, ("x", first, 1), ("y", then, 1))
    others = [Journey(f"in {lane}", CENTAURI, lane=lane) for lane in (first, then, "m")]
    journeys = [crosses, *others, mover("elsewhere", TERRAN, 4, ("w", "m", 1))]
    met = in_their_order(lane_meetings(journeys, foes), journeys, lambda _: 0)
    assert [one.lane for one in met if one.lane != "m"] == [first, then]
    assert LaneMeeting("m", (3, 4)) in met


@pytest.mark.rule("jump_lanes", "13.1.6")
@pytest.mark.parametrize(("pick", "lanes"), [(0, ["a", "b"]), (1, ["b", "a"])])
def test_where_two_groups_meet_others_in_turn_in_each_others_lanes_one_lane_is_drawn(pick: int, lanes: list[str]):
    """One crosses a, then b; the other b, then a: each would first fight where the other comes last."""
    one = mover("one", TERRAN, 4, ("x", "a", 1), ("y", "b", 1))
    two = mover("two", TERRAN, 4, ("x", "b", 1), ("w", "a", 1))
    journeys = [one, two, Journey("in a", CENTAURI, lane="a"), Journey("in b", CENTAURI, lane="b")]
    asked: list[int] = []

    def draw(count: int) -> int:
        asked.append(count)
        return pick

    assert [found.lane for found in in_their_order(lane_meetings(journeys, foes), journeys, draw)] == lanes
    assert asked == [2]


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
    assert lane_meetings([first, Journey("second", CENTAURI, lane="a")], foes) == []
    through = mover("through", CENTAURI, 4, ("x", "a", 2))
    assert lane_meetings([first, through], foes) == [LaneMeeting("a", (0, 1))]
    jumps = Journey("jumps", CENTAURI, "x", lane="a", begins=True)
    assert lane_meetings([first, jumps], foes) == [LaneMeeting("a", (0, 1))]
    at_once = Journey("at once", TERRAN, "y", lane="a", begins=True)
    assert lane_meetings([at_once, jumps], foes) == [LaneMeeting("a", (0, 1))]
    assert lane_meetings([first, mover("elsewhere", CENTAURI, 4, ("x", "b", 2))], foes) == []
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
