"""Defects of ``scenario.toml``: the graph of systems and lanes, and the figures."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.scenarios.names import doubled, unknown
from rules_engine.rulebooks.jump_lanes.records.places import WITHIN, is_planet, system_of
from rules_engine.rulebooks.jump_lanes.scenario.entries import SCENARIO, LaneEntry, ScenarioFile

TYPE_RULES = {
    "interplanetary": "13.1.1",
    "interstellar": "13.1.2",
    "sector": "13.1.3",
    "intergalactic": "13.1.4",
}


def map_defects(file: ScenarioFile) -> Iterator[Refusal]:
    """Every defect of the map and of figures, each with its path."""
    yield from _part_defects(file)
    yield from _system_defects(file)
    for index, lane in enumerate(file.lane):
        yield from _lane_defects(file, lane, f"{SCENARIO}.lane.{index}")
    yield from _doubled_lanes(file)
    yield from _unreached(file)
    yield from _figure_defects(file)


def places_of(file: ScenarioFile) -> list[str]:
    """The ids of all systems, and of all planets after their system."""
    return [
        place
        for system in file.system
        for place in (system.key, *(f"{system.key}{WITHIN}{world.key}" for world in system.planet))
    ]


def _part_defects(file: ScenarioFile) -> Iterator[Refusal]:
    galaxies = [one.key for one in file.galaxy]
    used = {one.sector for one in file.system}
    for what, entries in (("galaxy", file.galaxy), ("sector", file.sector)):
        yield from doubled((one.key for one in entries), f"{SCENARIO}.{what}")
        yield from doubled((one.name.casefold() for one in entries), f"{SCENARIO}.{what}.name")
    yield from doubled((one.key for one in file.system), f"{SCENARIO}.system")
    kinds = (galaxies, [one.key for one in file.sector], [one.key for one in file.system])
    yield from doubled((key for kind in kinds for key in dict.fromkeys(kind)), SCENARIO)
    for index, one in enumerate(file.sector):
        path = f"{SCENARIO}.sector.{index}"
        yield from unknown(one.galaxy, galaxies, "galaxy", f"{path}.galaxy")
        if galaxies and one.galaxy is None:
            yield malformed("is missing", f"{path}.galaxy", legal=f"one of {', '.join(galaxies)}")
        if one.key not in used:
            yield malformed(f"{one.name} has no system", path, legal="a system that names it")


def _system_defects(file: ScenarioFile) -> Iterator[Refusal]:
    sectors = [one.key for one in file.sector]
    named: list[str] = []
    for index, one in enumerate(file.system):
        path = f"{SCENARIO}.system.{index}"
        named += [one.name.casefold(), *(world.name.casefold() for world in one.planet)]
        yield from unknown(one.sector, sectors, "sector", f"{path}.sector")
        if sectors and one.sector is None:
            yield malformed("is missing", f"{path}.sector", legal="the sector in which it is")
        yield from doubled((world.key for world in one.planet), f"{path}.planet")
        if one.planet and not file.rules.system_maps:
            text = "planets are places of system maps, which this scenario does not use"
            yield illegal(text, "13.1.1, JL-R06", f"{path}.planet", legal="rules.system_maps = true, or no planets")
    yield from doubled(named, f"{SCENARIO}.system.name")
    keys = {one.key: one.name.casefold() for one in file.system}
    for index, one in enumerate(file.system):
        other = next((key for key, name in keys.items() if key != one.key and name == one.key), None)
        if other is not None:
            text = f"{one.key} is also the name of {other}, and orders may mean either"
            yield malformed(text, f"{SCENARIO}.system.{index}.key", legal="another key or name")


@rule("13.1.1", "13.1.2", "13.1.3", "13.1.4")
def _lane_defects(file: ScenarioFile, lane: LaneEntry, path: str) -> Iterator[Refusal]:
    """A lane to nowhere, between ends that are not for its type, without class or difficulty, or with both. 13.1.1,
    13.1.2, 13.1.3, 13.1.4"""
    if lane.a == lane.b:
        yield malformed(f"leads from {lane.a} to itself", path, legal="two different ends")
    between_galaxies = lane.type == "intergalactic"
    ends = [one.key for one in file.galaxy] if between_galaxies else places_of(file)
    what = "galaxy" if between_galaxies else "place"
    yield from unknown(lane.a, ends, what, f"{path}.a")
    yield from unknown(lane.b, ends, what, f"{path}.b")
    if lane.a in ends and lane.b in ends and (legal := _misfit(file, lane)):
        text = f"{lane.a} and {lane.b} are not the ends of an {lane.type} lane"
        yield illegal(text.replace("an sector", "a sector"), TYPE_RULES[lane.type], f"{path}.type", legal=legal)
    if (lane.lane_class is None) == (lane.difficulty is None):
        text = "a lane has a class, or is unexplored and has a difficulty"
        legal = 'lane_class = "normal", or difficulty = "easy"'
        yield illegal(text, "13.5", path, legal=legal)


def _misfit(file: ScenarioFile, lane: LaneEntry) -> str:
    """What would be right for a lane's ends, if they do not fit its type; else ""."""
    within = system_of(lane.a) == system_of(lane.b)
    outside = not (is_planet(lane.a) or is_planet(lane.b))
    sectors = {one.key: one.sector for one in file.system}
    galaxies = {one.key: one.galaxy for one in file.sector}
    sector_a, sector_b = (sectors.get(system_of(end)) for end in (lane.a, lane.b))
    match lane.type:
        case "interplanetary":
            return "" if within else "places of one system"
        case "interstellar":
            return "" if outside and not within and sector_a == sector_b else "two systems of one sector"
        case "sector":
            near = sector_a != sector_b and galaxies.get(sector_a or "") == galaxies.get(sector_b or "")
            return "" if outside and near else "systems of two sectors of one galaxy"
        case "intergalactic":
            return ""


def _doubled_lanes(file: ScenarioFile) -> Iterable[Refusal]:
    pairs = [" to ".join(sorted((one.a, one.b))) + f", {one.type}" for one in file.lane]
    return doubled(pairs, f"{SCENARIO}.lane")


def _unreached(file: ScenarioFile) -> Iterator[Refusal]:
    """That no lanes, explored or not, join a place to the first empire's home: nobody could ever come there."""
    if not file.empire or file.empire[0].home not in places_of(file):
        return
    reached = _reached(file, file.empire[0].home)
    numbers = {one.key: number for number, one in enumerate(file.system)}
    for place in places_of(file):
        if place not in reached:
            path = f"{SCENARIO}.system.{numbers[system_of(place)]}"
            text = f"no lanes lead to {place} from {file.empire[0].home}"
            yield malformed(text, path, legal="a lane to it, explored or not")


def _reached(file: ScenarioFile, start: str) -> set[str]:
    galaxies = {one.key: one.galaxy for one in file.sector}
    joined: Mapping[str, list[str]] = defaultdict(list)
    for lane in file.lane:
        joined[lane.a].append(lane.b)
        joined[lane.b].append(lane.a)
    for system in file.system:
        galaxy = galaxies.get(system.sector or "")
        if galaxy:  # every system of a galaxy is where its lanes to others begin and end
            joined[system.key].append(galaxy)
    for lane in (one for one in file.lane if one.type == "intergalactic"):
        for galaxy in (lane.a, lane.b):
            joined[galaxy] += [one.key for one in file.system if galaxies.get(one.sector or "") == galaxy]
    reached, ahead = {start}, [start]
    while ahead:
        near = [one for one in joined[ahead.pop()] if one not in reached]
        reached.update(near)
        ahead += near
    return reached


def _figure_defects(file: ScenarioFile) -> Iterator[Refusal]:
    costs = file.costs
    if not costs.major <= costs.normal <= costs.minor <= costs.restricted:
        legal = "major, normal, minor and restricted in rising order"
        yield malformed("a better class costs more", f"{SCENARIO}.costs", legal=legal)
    table = file.classes
    if not table.major <= table.normal <= table.minor:
        legal = "the highest rolls of major, normal and minor in rising order"
        yield malformed("the table goes back", f"{SCENARIO}.classes", legal=legal)
    chances = file.chances
    if not chances.easy >= chances.moderate >= chances.hard >= chances.extreme:
        legal = "easy, moderate, hard and extreme in falling order"
        yield malformed("what is more difficult has a better chance", f"{SCENARIO}.chances", legal=legal)
    scores = [value for name, value in file.scoring.model_dump().items() if name not in ("total", "source")]
    if not any(scores):
        yield malformed("nothing scores a point", f"{SCENARIO}.scoring", legal="a figure above 0")
