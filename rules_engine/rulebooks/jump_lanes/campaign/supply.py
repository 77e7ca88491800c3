"""Supply, which the text leaves to a section that we do not have: how units come into it again. JL-N39"""

from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.lanes import Lane
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import place_of
from rules_engine.rulebooks.jump_lanes.records.places import PlaceId
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn, names_of


@rule("13.5.2-peril")
def restore_supply(turn: LanesTurn) -> None:
    """Bring units that were out of supply into it again that are near an own colony, or stand beside an own starbase;
    none in a lane. 13.5.2-peril, JL-N39, JL-R13"""
    state = turn.state
    for empire in state.empires:
        own = [unit for _, unit in sorted(state.units.items()) if unit.empire == empire and unit.out_of_supply]
        again = [unit for unit in own if (place := place_of(state, unit)) and is_supplied(state, empire, place)]
        for unit in again:
            unit.out_of_supply = False
        if again:
            turn.tell([empire], f"In supply again: {names_of(again)}.", kind="supply", why=because("JL-N39"))


def is_supplied(state: LanesState, empire: Side, place: PlaceId) -> bool:
    """Whether a place is so many explored lanes from an own colony as the scenario says, or has an own starbase."""
    bases = (unit for unit in state.standing(place) if unit.kind == "starbase" and unit.empire == empire)
    if any(not unit.crippled for unit in bases):
        return True

    def one_lane(lane: Lane) -> Fraction | None:
        return Fraction(1) if state.lanes[lane.kind].explored else None

    near = state.chart.within(place, state.rules.supply_reach, cost=one_lane)
    return any(colony.at in near for colony in state.colonies.values() if colony.owner == empire)
