"""What empires know of the map: systems, lanes, and which lanes are still unexplored, by the end that is known."""

from collections.abc import Iterable

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.records.places import JumpLane, PlaceId, system_of
from rules_engine.rulebooks.jump_lanes.records.state import LaneEmpire, LanesState


def knows_place(empire: LaneEmpire, place: PlaceId) -> bool:
    """Whether an empire knows a place: with a system it knows its planets. JL-R42"""
    return system_of(place) in empire.places


def knows_lane(state: LanesState, empire: LaneEmpire, lane: JumpLane) -> bool:
    """Whether an empire knows a lane as navigable: it is explored, and both its ends are known. JL-R42"""
    if not lane.explored:
        return False
    return lane.type == "intergalactic" or all(knows_place(empire, end) for end in (lane.a, lane.b))


def known_places(state: LanesState, empire: LaneEmpire) -> list[PlaceId]:
    """The places that an empire knows, in the order in which it learned of them; planets after their system."""
    return [place for system in empire.places for place in (system, *state.systems[system].planets)]


def places_called(state: LanesState, empire: LaneEmpire) -> dict[str, PlaceId]:
    """Names and ids by which an empire's orders may call the places that it knows."""
    named: dict[str, PlaceId] = {}
    for place in known_places(state, empire):
        named.setdefault(state.place_name(place), place)
        named.setdefault(place, place)
    return named


def unexplored_at(state: LanesState, empire: LaneEmpire, place: PlaceId) -> list[JumpLane]:
    """The unexplored lanes of a place that an empire knows of. JL-R42"""
    sights = {*empire.sights}
    return [one for one in state.lanes_at(place) if not one.explored and one.mark(place) in sights]


def visit(state: LanesState, empire: LaneEmpire, place: PlaceId) -> list[PlaceId]:
    """Let an empire see what is to be seen where a unit of it stands: the system, where explored lanes lead, and the
    near ends of unexplored ones; the systems that it did not know before. JL-R42"""
    system = system_of(place)
    ends = [system, *state.systems[system].planets, *filter(None, [state.galaxy_of(system)])]
    found = [system]
    for end in ends:
        for lane in state.lanes_at(end):
            if lane.explored:
                found += [] if lane.type == "intergalactic" else [system_of(lane.other(end))]
            elif (mark := lane.mark(end)) not in empire.sights:
                empire.sights.append(mark)
    return _learn(empire, found)


@rule("13.5.2")
def publish(state: LanesState, lane: JumpLane) -> None:
    """Let all empires know a lane that was surveyed, and where it leads. 13.5.2, JL-R41"""
    for empire in state.empires.values():
        if lane.type != "intergalactic":
            _learn(empire, [system_of(lane.a), system_of(lane.b)])
        for end in (lane.a, lane.b):
            if (mark := lane.mark(end)) in empire.sights:
                empire.sights.remove(mark)


def _learn(empire: LaneEmpire, systems: Iterable[str]) -> list[PlaceId]:
    new = [one for one in dict.fromkeys(systems) if one not in empire.places]
    empire.places += new
    return new
