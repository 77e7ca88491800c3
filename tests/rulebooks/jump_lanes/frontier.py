"""A small world of jump lanes, and units to put into it: what tests of this book play with.

Sol, Wolf 359, Barnard, Ross and Vega lie in sector Orion; Perseus, far, in sector Rim; Andromeda has two systems of
its own. Lanes are named by their ends; only Ross to Vega, L6, is unexplored.
"""

from fractions import Fraction

from rules_engine.rulebooks.jump_lanes.records.places import (
    Colony,
    Galaxy,
    JumpLane,
    LaneClass,
    LanePlanet,
    LaneSystem,
    LaneType,
    Sector,
)
from rules_engine.rulebooks.jump_lanes.records.settings import LaneRules
from rules_engine.rulebooks.jump_lanes.records.state import LaneEmpire, LanesState
from rules_engine.rulebooks.jump_lanes.records.units import Squadron, Unit, UnitKind

TERRAN, CENTAURI, ARGO = "terran", "centauri", "argo"
SYSTEMS = {
    "sol": "Sol",
    "wolf": "Wolf 359",
    "barnard": "Barnard",
    "ross": "Ross",
    "vega": "Vega",
    "perseus": "Perseus",
    "mirach": "Mirach",
    "almach": "Almach",
}
SECTORS = {"perseus": "rim", "mirach": "halo", "almach": "halo"}
KNOWN = ["sol", "wolf", "barnard", "ross", "perseus", "mirach"]


def lane(
    key: str, a: str, b: str, lane_class: LaneClass | None = "normal", kind: LaneType = "interstellar"
) -> JumpLane:
    """A lane, explored if it has a class."""
    explored = lane_class is not None
    return JumpLane(id=key, a=a, b=b, type=kind, lane_class=lane_class, explored=explored, mark_a=1, mark_b=1)


def frontier(*, system_maps: bool = False, empires: int = 2) -> LanesState:
    """The world before the first turn, without any unit."""
    state = LanesState(title="The frontier", turns=6, turn=1, rules=LaneRules(system_maps=system_maps, experience=True))
    state.galaxies = {key: Galaxy(id=key, name=key.title()) for key in ("milky", "andromeda")}
    state.sectors = {
        "orion": Sector(id="orion", name="Orion", galaxy="milky"),
        "rim": Sector(id="rim", name="Rim", galaxy="milky"),
        "halo": Sector(id="halo", name="Halo", galaxy="andromeda"),
    }
    for number, (key, name) in enumerate(SYSTEMS.items()):
        sector = SECTORS.get(key, "orion")
        state.systems[key] = LaneSystem(id=key, name=name, x=Fraction(number), y=Fraction(0), sector=sector)
    for made in (
        lane("L1", "sol", "wolf", "minor"),
        lane("L2", "sol", "barnard"),
        lane("L3", "barnard", "ross"),
        lane("L4", "wolf", "ross", "major"),
        lane("L5", "sol", "perseus", "normal", "sector"),
        lane("L6", "ross", "vega", None),
        lane("L7", "mirach", "almach"),
        lane("L8", "milky", "andromeda", "minor", "intergalactic"),
    ):
        state.lanes[made.id] = made
    if system_maps:
        for planet, name, x in (("sol/earth", "Earth", 1), ("sol/mars", "Mars", 2)):
            state.systems["sol"].planets.append(planet)
            state.planets[planet] = LanePlanet(id=planet, name=name, x=Fraction(x), y=Fraction(1))
        state.lanes["L9"] = lane("L9", "sol", "sol/earth", "normal", "interplanetary")
        state.lanes["L10"] = lane("L10", "sol/earth", "sol/mars", "minor", "interplanetary")
    for key, home in ((TERRAN, "sol"), (CENTAURI, "ross"), (ARGO, "perseus"))[:empires]:
        state.empires[key] = LaneEmpire(
            id=key, name=key.title(), emblem=key[0].upper(), home=home, places=[*KNOWN], sights=["ross?1"]
        )
        state.colonies[home] = Colony(id=home, name=SYSTEMS[home], at=home, owner=key, census=9, experience=25)
    state.index()
    return state


def ship(key: str, empire: str = TERRAN, *, kind: UnitKind = "starship", **figures: object) -> Unit:
    """A unit of FTL 1 and Engines 1, unless other ``figures`` are given."""
    values: dict[str, object] = {"id": key, "empire": empire, "name": key, "kind": kind, "ftl": 1, "engines": 1}
    return Unit.from_json(values | figures)


def squadron(state: LanesState, key: str, at: str, *units: Unit, fleet: str = "") -> Squadron:
    """A squadron of these units, at a place."""
    made = Squadron(id=key, empire=units[0].empire, name=f"Squadron {key}", at=at, fleet=fleet)
    state.squadrons[key] = made
    for unit in units:
        state.put(unit, squadron=key)
    return made


def standing(state: LanesState, unit: Unit, at: str) -> Unit:
    """A unit that stands by itself at a place."""
    state.put(unit, at=at)
    return unit
