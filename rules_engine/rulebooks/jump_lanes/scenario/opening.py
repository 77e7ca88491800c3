"""The state before the first turn, as a scenario without defects makes it."""

from collections import Counter
from collections.abc import Iterable, Mapping

from rules_engine.core.basics.base import Json
from rules_engine.core.scenarios.entries import Marked
from rules_engine.rulebooks.jump_lanes.campaign.scoring import bases_of
from rules_engine.rulebooks.jump_lanes.charts import visit
from rules_engine.rulebooks.jump_lanes.records.places import (
    CHARTED,
    WITHIN,
    Colony,
    Derelict,
    Galaxy,
    JumpLane,
    LanePlanet,
    LaneSystem,
    PlaceId,
    Sector,
    system_of,
)
from rules_engine.rulebooks.jump_lanes.records.state import LaneEmpire, LaneReinforcement, LanesState, by_number
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, LaneFleet, Squadron
from rules_engine.rulebooks.jump_lanes.scenario.entries import FrontierScenario, ScenarioFile
from rules_engine.rulebooks.jump_lanes.scenario.new_units import new_unit


def set_up(document: Mapping[str, Json]) -> LanesState:
    """The state before the first turn: all units in supply and where the scenario puts them."""
    scenario = FrontierScenario.model_validate(document)
    file = scenario.file
    state = LanesState(
        title=file.title,
        turns=file.turns,
        rules=file.rules,
        costs=file.costs,
        classes=file.classes,
        chances=file.chances,
        scoring=file.scoring,
        invented=tuple(_invented(scenario)),
        arrivals_leave=file.unsettled_battles == "arrivals leave",
    )
    _set_map(state, file)
    _set_empires(state, scenario)
    _set_forces(state, scenario)
    _set_knowledge(state)
    state.index()
    return state


def _set_map(state: LanesState, file: ScenarioFile) -> None:
    state.galaxies = {one.key: Galaxy(id=one.key, name=one.name) for one in file.galaxy}
    state.sectors = {one.key: Sector(id=one.key, name=one.name, galaxy=one.galaxy or "") for one in file.sector}
    for one in file.system:
        planets = {f"{one.key}{WITHIN}{world.key}": world for world in one.planet}
        state.systems[one.key] = LaneSystem(
            id=one.key, name=one.name, x=one.x, y=one.y, sector=one.sector or "", planets=list(planets)
        )
        for key, world in planets.items():
            state.planets[key] = LanePlanet(id=key, name=world.name, x=world.x, y=world.y)
    unexplored: Counter[PlaceId] = Counter()
    for number, one in enumerate(file.lane, 1):
        explored = one.lane_class is not None
        if not explored:
            unexplored.update((one.a, one.b))
        state.lanes[f"L{number}"] = JumpLane(
            id=f"L{number}",
            a=one.a,
            b=one.b,
            type=one.type,
            lane_class=one.lane_class,
            explored=explored,
            difficulty=one.difficulty or "easy",
            mark_a=0 if explored else unexplored[one.a],
            mark_b=0 if explored else unexplored[one.b],
        )
    for one in file.derelict:
        state.derelicts[one.key] = Derelict(id=one.key, name=one.name, at=one.at, kind=one.kind, siz=one.siz)


def _set_empires(state: LanesState, scenario: FrontierScenario) -> None:
    """The empires that play, what they grant each other, and their colonies; those of others are nobody's."""
    file = scenario.file
    for one in scenario.empires:
        state.empires[one.key] = LaneEmpire(id=one.key, name=one.name, emblem=one.emblem, home=one.home)
    for one in file.treaty:
        first, second = one.between
        if first in state.empires and second in state.empires:
            state.empires[first].stances[second] = state.empires[second].stances[first] = one.kind
    for one in file.colony:
        owner = one.empire if one.empire in state.empires else None
        state.colonies[one.key] = Colony(
            id=one.key,
            name=one.name,
            at=one.at,
            owner=owner or "",
            census=one.census,
            experience=one.experience,
            rebellion=one.rebellion and owner is not None,
        )


def _set_forces(state: LanesState, scenario: FrontierScenario) -> None:
    forces, classes = scenario.forces, scenario.classes
    for one in forces.fleet:
        if one.empire in state.empires:
            state.fleets[one.id] = LaneFleet(id=one.id, empire=one.empire, name=one.name)
            empire = state.empires[one.empire]
            empire.fleets_made = max(empire.fleets_made, by_number(one.id)[0])
    for one in forces.squadron:
        if one.empire not in state.empires:
            continue
        hold = [HoldLot(kind="census", amount=one.census)] if one.census else []
        state.squadrons[one.id] = Squadron(
            id=one.id, empire=one.empire, name=one.name, at=one.at, fleet=one.fleet or "", hold=hold
        )
        empire = state.empires[one.empire]
        empire.squadrons_made = max(empire.squadrons_made, by_number(one.id)[0])
    for one in forces.unit:
        if one.empire in state.empires:
            unit = new_unit(one, classes[one.class_id], one.empire)
            carrier = unit.based_on
            state.put(unit, squadron=one.squadron or "", aboard=one.aboard or "", at=one.at or "")
            unit.based_on = carrier
    for key, empire in state.empires.items():
        empire.bases = bases_of(state, key)
    for one in forces.reinforcement:
        if one.empire in state.empires:
            units = [new_unit(entry, classes[entry.class_id], one.empire) for entry in one.unit]
            state.reinforcements.append(
                LaneReinforcement(turn=one.turn, empire=one.empire, at=one.at, name=one.name, units=units)
            )
    state.reinforcements.sort(key=lambda one: (one.turn, one.empire, one.name))


def _set_knowledge(state: LanesState) -> None:
    """What is known at the beginning: to all the explored lanes with their ends, and to each empire what is to be seen
    where it has colonies and units. JL-R42"""
    charted = [
        system_of(end)
        for lane in state.lanes.values()
        if lane.explored and lane.type in CHARTED
        for end in (lane.a, lane.b)
    ]
    for empire in state.empires.values():
        empire.places = list(dict.fromkeys(charted))
        for place in dict.fromkeys(_stands_at(state, empire.id)):
            visit(state, empire, place)


def _stands_at(state: LanesState, empire: str) -> Iterable[PlaceId]:
    yield from (one.at for one in state.colonies.values() if one.owner == empire)
    yield from (one.at for one in state.squadrons.values() if one.empire == empire)
    yield from (one.at for one in state.units.values() if one.empire == empire and one.at)


def _invented(scenario: FrontierScenario) -> Iterable[str]:
    """The parts whose figures are made up, in the words of the files. Of the map none is named by itself: the list is
    for all to read, and would tell what lies beyond the charted lanes."""
    file = scenario.file
    figures: dict[str, Marked] = {
        "scenario": file,
        "costs": file.costs,
        "classes": file.classes,
        "chances": file.chances,
        "scoring": file.scoring,
    }
    yield from (name for name, part in figures.items() if part.invented)
    for what, entries in (("systems", file.system), ("lanes", file.lane), ("colonies", file.colony)):
        if any(one.invented for one in entries):
            yield what
    if any(one.invented for one in scenario.forces.reinforcement):
        yield "reinforcements"
    yield from (f"class {key}" for key, kind in sorted(scenario.classes.items()) if kind.invented)
