"""The map of lanes as somebody may see it, built from what is known alone: nothing beyond has a place on it. JL-R42"""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.charts import (
    GALAXY,
    Chart,
    ChartLane,
    ChartPlanet,
    ChartSystem,
    GalaxyLane,
    LaneKind,
    LaneLine,
    Region,
    Uncharted,
)
from rules_engine.rulebooks.jump_lanes.charts import known_places, knows_lane, unexplored_at
from rules_engine.rulebooks.jump_lanes.records.places import CHARTED, JumpLane, LaneClass, LaneId, PlaceId, system_of
from rules_engine.rulebooks.jump_lanes.records.state import LanesState

LINES: dict[LaneClass, LaneLine] = {"major": "double", "normal": "single", "minor": "dashed", "restricted": "dotted"}
BETWEEN = "~"
"""Between the two places that a lane joins, in its id on a map."""


class ShownMap(NamedTuple):
    """A map, and the ids on it of lanes that are on it."""

    chart: Chart
    lanes: dict[LaneId, HexId]


@rule("13.5")
def side_map(state: LanesState, empire: Side) -> ShownMap:
    """What an empire knows: systems, lanes that are explored, and the near ends of those that are not. 13.5, JL-R42"""
    known = state.empires[empire]
    lanes = [one for one in state.lanes.values() if knows_lane(state, known, one)]
    loose = [
        Uncharted(id=one.mark(place), at=place, note=_note(one, empire))
        for place in known_places(state, known)
        for one in unexplored_at(state, known, place)
    ]
    return _map(state, known_places(state, known), lanes, loose)


@rule("13.5.2")
def public_map(state: LanesState) -> ShownMap:
    """What anybody may know: lanes that are charted from the beginning, as far as every empire knows them, and those
    that were surveyed in play, which are surveyed for all; and where they lead. 13.5.2, JL-R41"""
    lanes = [
        one
        for one in state.lanes.values()
        if one.explored and one.type != "intergalactic" and (one.surveyed_by or _is_charted(state, one))
    ]
    return _map(state, [place for one in lanes for end in (one.a, one.b) for place in (end, system_of(end))], lanes)


def _is_charted(state: LanesState, lane: JumpLane) -> bool:
    """Whether a lane is known to all; one that a referee's correction has made navigable may not be."""
    return lane.type in CHARTED and all(knows_lane(state, empire, lane) for empire in state.empires.values())


def whole_map(state: LanesState) -> ShownMap:
    """Everything, each unexplored lane at both its ends."""
    lanes = [one for one in state.lanes.values() if one.explored]
    loose = [
        Uncharted(id=one.mark(end), at=end, note=one.difficulty)
        for one in state.lanes.values()
        if not one.explored
        for end in (one.a, one.b)
        if end not in state.galaxies
    ]
    return _map(state, [*state.systems, *state.planets], lanes, loose)


def _note(lane: JumpLane, empire: Side) -> str:
    bonus = lane.bonus.get(empire, 0)
    return f"{lane.difficulty}, +{bonus} gained" if bonus else lane.difficulty


def _map(
    state: LanesState, places: Iterable[PlaceId], lanes: Iterable[JumpLane], loose: Iterable[Uncharted] = ()
) -> ShownMap:
    known = {*places}
    systems = [one for key, one in state.systems.items() if key in known]
    regions = tuple(_regions(state, [one.id for one in systems]))
    planets = [
        (key, planet) for one in systems for key in one.planets for planet in (state.planets[key],) if key in known
    ]
    drawn: dict[LaneId, ChartLane | GalaxyLane] = {}
    taken: set[HexId] = set()
    for one in lanes:
        name = _lane_id(one)
        if one.lane_class is None or name in taken:
            continue
        if one.type == "intergalactic":
            ends = [state.galaxies[end].name for end in (one.a, one.b)]
            if all(any(end == region.name for region in regions) for end in ends):
                taken.add(name)
                drawn[one.id] = GalaxyLane(id=name, a=ends[0], b=ends[1], kind=one.lane_class)
        elif one.a in known and one.b in known:
            taken.add(name)
            crosses = "sector" if one.type == "sector" else ""
            drawn[one.id] = ChartLane(id=name, a=one.a, b=one.b, kind=one.lane_class, crosses=crosses)
    chart = Chart(
        systems=tuple(ChartSystem(id=one.id, name=one.name, x=one.x, y=one.y) for one in systems),
        planets=tuple(
            ChartPlanet(id=key, system=key.partition("/")[0], name=one.name, x=one.x, y=one.y) for key, one in planets
        ),
        lanes=tuple(one for one in drawn.values() if isinstance(one, ChartLane)),
        uncharted=tuple(one for one in loose if one.at in known),
        regions=regions,
        kinds=tuple(_kinds(state)),
        between=tuple(one for one in drawn.values() if isinstance(one, GalaxyLane)),
    )
    return ShownMap(chart, {key: one.id for key, one in drawn.items()})


def _lane_id(lane: JumpLane) -> HexId:
    """What a lane is called on maps: by its ends, since the engine's own ids would tell how many lanes there are."""
    ends = f"{lane.a}{BETWEEN}{lane.b}"
    return ends if lane.type in ("interplanetary", "interstellar") else f"{ends}{BETWEEN}{lane.type}"


def _kinds(state: LanesState) -> Iterable[LaneKind]:
    for lane_class, line in LINES.items():
        yield LaneKind(key=lane_class, line=line, said=f"{lane_class}, cost {_number(state.costs.of(lane_class))}")


def _number(value: Fraction) -> str:
    whole, rest = divmod(value, 1)
    half = {Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}.get(rest)
    return f"{whole or ''}{half}" if half else str(value)


def _regions(state: LanesState, systems: list[str]) -> Iterable[Region]:
    """Sectors and galaxies of these systems, where there are several."""
    sectors: dict[str, list[str]] = {}
    galaxies: dict[str, list[str]] = {}
    for key in systems:
        if sector := state.sector_of(key):
            sectors.setdefault(sector, []).append(key)
        if galaxy := state.galaxy_of(key):
            galaxies.setdefault(galaxy, []).append(key)
    for key, some in sectors.items():
        yield Region(level="sector", name=state.sectors[key].name, systems=tuple(some))
    for key, some in galaxies.items():
        yield Region(level=GALAXY, name=state.galaxies[key].name, systems=tuple(some))
