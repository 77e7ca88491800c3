"""How far routes lead in a turn, and extended jumps (13.1.5, 13.1.6)."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import Speeds, slowest
from rules_engine.rulebooks.jump_lanes.ch1_movement.journeys import (
    ahead,
    jump_turns,
    next_stretch,
    pass_legs,
    timetable,
)
from rules_engine.rulebooks.jump_lanes.ch1_movement.transits import begin_jump, pay
from rules_engine.rulebooks.jump_lanes.records.orders import GroupOrders, RouteLegOrder
from tests.rulebooks.jump_lanes.frontier import frontier, ship


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


@pytest.mark.rule("jump_lanes", "13.1.6")
@pytest.mark.parametrize(
    ("cost", "rating", "turns"), [(2, 1, 2), (3, 2, 2), (4, 3, 2), (8, 3, 3), (8, 1, 8), (4, 2, 2)]
)
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
    assert both.reached == ()
    assert both.legs == 1


@pytest.mark.rule("jump_lanes", "13.1.5")
def test_each_propulsion_has_its_own_rating_in_a_turn():
    state, way = frontier(system_maps=True), legs("L9:sol", "L2:barnard")
    stretch = next_stretch(state, Speeds(engines=1, ftl=1), way)
    assert [one.place for one in stretch.reached] == ["sol", "barnard"]
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
    state = frontier()
    due = timetable(state, Speeds(ftl=1), legs("L2:barnard", "L2:sol", "L1:wolf", "L4:ross"), (), 3)
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
