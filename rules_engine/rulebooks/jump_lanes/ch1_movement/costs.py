"""What lanes cost. 13.1, 13.1.3"""

from fractions import Fraction

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.records.places import JumpLane
from rules_engine.rulebooks.jump_lanes.records.state import LanesState

SECTOR_FACTOR = 2


@rule("13.1", "13.1.3", "13.5")
def lane_cost(state: LanesState, lane: JumpLane) -> Fraction | None:
    """What a lane costs by its class, a sector lane twice that; None of an unexplored lane, which nobody can cross.
    13.1, 13.1.3, 13.5, JL-R03, JL-R04"""
    if lane.lane_class is None:
        return None
    cost = state.costs.of(lane.lane_class)
    return cost * SECTOR_FACTOR if lane.type == "sector" else cost
