"""New colonies: a starbase makes a place its empire's, so that census can land there. JL-N41"""

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.jump_lanes.campaign.scoring import bases_of
from rules_engine.rulebooks.jump_lanes.charts import knows_place
from rules_engine.rulebooks.jump_lanes.records.places import Colony, PlaceId, is_planet, system_of
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn


@rule("13.3.2.1", "13.3.2.2")
def found_colonies(turn: LanesTurn) -> None:
    """Give each place at which starbases of one empire alone stand, and which nobody owns, to that empire; who knows
    the system is told. 13.3.2.1, 13.3.2.2, JL-N41"""
    state = turn.state
    claims: dict[PlaceId, list[str]] = {}
    for empire in state.empires:
        for place in bases_of(state, empire):
            claims.setdefault(place, []).append(empire)
    for place in sorted(claims):
        owned = any(colony.owner for colony in state.colonies_at(place))
        if len(claims[place]) > 1 or owned or not may_be_settled(state, place):
            continue
        (empire,) = claims[place]
        _settle(state, empire, place)
        knowing = [one.id for one in state.empires.values() if knows_place(one, place)]
        text = f"{turn.name_of(empire)} has founded a colony at {state.place_name(place)}."
        turn.tell(knowing, text, kind="colony", why=because("JL-N41"))


def may_be_settled(state: LanesState, place: PlaceId) -> bool:
    """Whether colonies may be at a place: not in the outskirts of a system with planets."""
    return is_planet(place) or not state.systems[system_of(place)].planets


def _settle(state: LanesState, empire: str, place: PlaceId) -> None:
    """Give a place to an empire: what is left there of others' census is its own now."""
    left = state.colonies_at(place)
    if left:
        left[0].owner, left[0].rebellion = empire, False
    else:
        state.colonies[place] = Colony(id=place, name=state.place_name(place), at=place, owner=empire)
