"""New colonies: a starbase makes a place its empire's, so that census can land there. JL-N41"""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.jump_lanes.campaign.scoring import bases_of
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import may_be_settled, place_of
from rules_engine.rulebooks.jump_lanes.records.places import Colony, PlaceId, system_of
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn


@rule("13.3.2.1", "13.3.2.2")
def found_colonies(turn: LanesTurn) -> None:
    """Give each place at which starbases of one empire alone stand, and which nobody owns, to that empire; who has
    units in the system is told. 13.3.2.1, 13.3.2.2, JL-N41"""
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
        text = f"{turn.name_of(empire)} has founded a colony at {state.place_name(place)}."
        turn.tell(_witnesses(state, place), text, kind="colony", why=because("JL-N41"))


def _witnesses(state: LanesState, place: PlaceId) -> list[Side]:
    """The empires that have units in the system of a place, and see what is built there. JL-R42"""
    system = system_of(place)
    units = (unit for unit in state.units.values() if system_of(place_of(state, unit)) == system)
    present = {unit.empire for unit in units}
    return [empire for empire in state.empires if empire in present]


def _settle(state: LanesState, empire: str, place: PlaceId) -> None:
    """Give a place to an empire: what is left there of others' census is its own now."""
    left = state.colonies_at(place)
    if left:
        left[0].owner, left[0].rebellion = empire, False
    else:
        state.colonies[place] = Colony(id=place, name=state.place_name(place), at=place, owner=empire)
