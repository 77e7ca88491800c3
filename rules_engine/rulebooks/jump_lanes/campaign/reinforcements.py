"""Squadrons that come by the scenario's schedule. JL-N43"""

from collections.abc import Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.jump_lanes.charts import visit
from rules_engine.rulebooks.jump_lanes.records.places import PlaceId
from rules_engine.rulebooks.jump_lanes.records.state import LaneReinforcement, LanesState, LanesTurn, names_of
from rules_engine.rulebooks.jump_lanes.records.units import Squadron


def bring_reinforcements(turn: LanesTurn) -> None:
    """Let come what is due, at its place if that is still its empire's, else at its home or another colony; what has
    none waits. JL-N43"""
    state = turn.state
    waiting: list[LaneReinforcement] = []
    for one in state.reinforcements:
        places = places_of_arrival(state, one.empire, one.at) if one.turn <= state.turn else []
        place = _drawn(turn, one, places)
        if not place:
            waiting.append(one)
            continue
        squadron = _arrive(state, one, place)
        text = f"{squadron.name} ({squadron.id}) arrives at {state.place_name(place)}: {names_of(one.units)}."
        turn.tell([one.empire], text, kind="reinforcements", why=because("JL-N43"))
    state.reinforcements = waiting


def places_of_arrival(state: LanesState, empire: Side, wanted: PlaceId) -> list[PlaceId]:
    """Where reinforcements of an empire may come: the place that is wanted, or its home, where those are its own
    colonies and not in rebellion, else any such colony. JL-N43"""
    own = sorted(one.at for one in state.colonies.values() if one.owner == empire and not one.rebellion)
    home = state.empires[empire].home
    return next(([place] for place in (wanted, home) if place in own), own)


def _drawn(turn: LanesTurn, one: LaneReinforcement, places: Sequence[PlaceId]) -> PlaceId:
    """One of several places; "" of none."""
    if len(places) < 2:
        return places[0] if places else ""
    key = f"reinforcements/{one.empire}/{one.name}"
    drawn = turn.roll(f"where {one.name} arrives", faces=len(places), key=key, seen_by=[one.empire])
    return places[drawn.total - 1]


def _arrive(state: LanesState, one: LaneReinforcement, place: PlaceId) -> Squadron:
    empire = state.empires[one.empire]
    empire.squadrons_made += 1
    key = f"{empire.emblem}{empire.squadrons_made}"
    squadron = state.squadrons[key] = Squadron(id=key, empire=one.empire, name=one.name, at=place)
    for unit in one.units:
        carrier = unit.based_on
        state.put(unit, squadron=key)
        unit.based_on = carrier
    visit(state, empire, place)
    return squadron
