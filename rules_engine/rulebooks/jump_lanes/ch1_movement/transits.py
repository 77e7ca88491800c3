"""Extended jumps under way: points paid each turn, and where and when they end. 13.1.4, 13.1.6"""

from fractions import Fraction

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.ch1_movement.costs import lane_cost
from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import Speeds, equipment_for
from rules_engine.rulebooks.jump_lanes.ch1_movement.journeys import DRAWN, jump_turns
from rules_engine.rulebooks.jump_lanes.records.orders import RouteLegOrder
from rules_engine.rulebooks.jump_lanes.records.places import PlaceId
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn
from rules_engine.rulebooks.jump_lanes.records.units import JumpTransit

DRIFT = 1
"""Points that a group without any propulsion left makes in a lane each turn. JL-N03"""


def begin_jump(state: LanesState, origin: PlaceId, leg: RouteLegOrder) -> JumpTransit:
    """An extended jump that a group begins; nothing is paid yet."""
    cost = lane_cost(state, state.lanes[leg.lane])
    assert cost is not None, "an order to cross an unexplored lane was taken"
    return JumpTransit(lane=leg.lane, origin=origin, goal=leg.to, cost=cost)


@rule("13.1.6")
def points_a_turn(state: LanesState, transit: JumpTransit, speeds: Speeds) -> int:
    """What a group pays of its jump in a turn: the rating of its slowest unit now. 13.1.6, JL-R11"""
    return speeds.of(equipment_for(state.lanes[transit.lane].type)) or DRIFT


@rule("13.1.6")
def pay(state: LanesState, transit: JumpTransit, speeds: Speeds) -> Fraction:
    """Pay for a turn of an extended jump: which part of the turn it takes until the jump is over, above 1 if it goes
    on. 13.1.6, JL-R11, JL-R12"""
    points = points_a_turn(state, transit, speeds)
    left = transit.cost - transit.paid
    transit.paid = min(transit.cost, transit.paid + points)
    transit.turns_left = jump_turns(transit.cost - transit.paid, points)
    return left / points


@rule("13.1.6", "13.2")
def turn_back(state: LanesState, jump: JumpTransit, here: PlaceId, speeds: Speeds) -> JumpTransit:
    """The jump of a squadron that withdraws from where another led it: back in the lane, as far along it as when the
    turn began, towards the place that was left. 13.1.6, 13.2, JL-R45"""
    back = JumpTransit(lane=jump.lane, origin=here, goal=jump.origin, cost=jump.cost, paid=jump.cost - jump.paid)
    back.turns_left = jump_turns(jump.paid, points_a_turn(state, back, speeds))
    return back


@rule("13.1.4")
def place_of_arrival(turn: LanesTurn, goal: str, key: str) -> PlaceId:
    """Where a jump ends: the system that was named or, where a sector was, one of its systems, drawn with equal chances
    among those that are explored and those that are not. 13.1.4, JL-R07"""
    if not goal.startswith(DRAWN):
        return goal
    systems = [one for _, one in sorted(turn.state.systems.items()) if one.sector == goal.removeprefix(DRAWN)]
    if len(systems) == 1:
        return systems[0].id
    roll = turn.roll("system of arrival", faces=len(systems), key=f"arrival/{key}", seen_by=[])
    return systems[roll.total - 1].id
