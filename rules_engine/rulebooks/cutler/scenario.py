"""Reading a scenario: three files, all defects at once, and the state before the first turn.

``scenario.toml`` holds the map, the races and their planets; ``units.toml`` their ships and bases; ``ships.toml`` (or
``ships.csv``) the classes, over which a referee may lay files of their own. Unknown keys are errors. Invented figures
say so by ``source = "invented"``.
"""

from collections.abc import Mapping

from rules_engine.core.basics.base import HexId, Json, Side, SideLabel
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.catalogues.layers import CATALOGUE_FILES, read_layers
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.scenarios.files import parsed, refusal_of, strange_files, wrong_keys
from rules_engine.rulebooks.cutler.ch01_setup.scenario_files import (
    leaves_setup_open,
    read_open,
    seat_labels,
    set_up_open,
)
from rules_engine.rulebooks.cutler.ch04_economics.permits import refit_defects
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD
from rules_engine.rulebooks.cutler.records.accessories.entries import catalogue_defects, loaded, loading_defects
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.combat.terrain import APART, GIANT, PLANET
from rules_engine.rulebooks.cutler.records.conditions.docking import dock, dock_entry_defects
from rules_engine.rulebooks.cutler.records.conditions.officers import has_navigator
from rules_engine.rulebooks.cutler.records.ground import with_more
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_base_limit, ground_classes, stand_on
from rules_engine.rulebooks.cutler.records.parts.moons import body_key, moons_of_all
from rules_engine.rulebooks.cutler.records.parts.troops import squad_defects
from rules_engine.rulebooks.cutler.records.scenario_entries import (
    STAND_INS,
    PlanetEntry,
    ScenarioFile,
    UnitEntry,
    UnitsFile,
    as_table,
    off_map,
)
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.shipping.convoys import disguise_defects, sails_in_convoys
from rules_engine.rulebooks.cutler.records.state import CutlerState, Empire, Planet, Unit, new_unit
from rules_engine.rulebooks.cutler.records.tables import (
    BOARDING_PARTY_LIMIT,
    NO_BASES,
    UnitKind,
)

SCENARIO = "scenario.toml"
UNITS = "units.toml"
FILES = (SCENARIO, UNITS, *CATALOGUE_FILES)
_OF_UNITS = frozenset({"units", "accessories"})
_NOT_A_CLASS: frozenset[UnitKind] = frozenset({"fighters"})
"""What is only ever part of something else."""


def read_scenario(files: Mapping[str, str]) -> dict[str, Json]:
    """All files as one plain document.

    Raises:
        Refused: with every defect of every file.
    """
    refusals = strange_files(files, FILES)
    if leaves_setup_open(files):
        return read_open(files, refusals)
    scenario = parsed(files, SCENARIO, ScenarioFile, refusals, STAND_INS)
    units = parsed(files, UNITS, UnitsFile, refusals, {"units": {}})
    wrong = wrong_keys(refusals, SCENARIO) | wrong_keys(refusals, UNITS)
    classes, defects = read_layers(UnitClass, files)
    refusals += defects
    is_map_whole = not wrong & {"map", "races", "planets", "systems"}
    if scenario is not None:
        if is_map_whole:
            refusals += _map_defects(scenario) + _planet_defects(scenario) + _system_defects(scenario)
        refusals += catalogue_defects(scenario.accessories, f"{SCENARIO}.accessories")
    if scenario is not None and units is not None and is_map_whole and not defects and not wrong & _OF_UNITS:
        refusals += _unit_defects(scenario, units, classes)
    refusals += [] if defects else refit_defects(classes) + disguise_defects(classes)
    if refusals or scenario is None or units is None:
        raise refusal_of(files, refusals)
    return {
        "scenario": scenario.model_dump(mode="json"),
        "units": units.model_dump(mode="json")["units"],
        "classes": {key: kind.model_dump(mode="json") for key, kind in classes.items()},
    }


def _grid(scenario: ScenarioFile) -> Grid:
    """Convention G-3: CCRR from the top left, even columns half a hex down."""
    return Grid(columns=scenario.map.columns, rows=scenario.map.rows)


def _unknown_race(scenario: ScenarioFile, race: Side, path: str) -> list[Refusal]:
    if race in scenario.races:
        return []
    return [malformed(f"no race {race!r}", path, nearest=nearest(race, scenario.races))]


def _map_defects(scenario: ScenarioFile) -> list[Refusal]:
    grid = _grid(scenario)
    at = "scenario.toml.map"
    refusals: list[Refusal] = []
    for hex_id in scenario.map.terrain:
        refusals += off_map(grid, hex_id, f"{at}.terrain")
    for hex_id in scenario.map.unsurveyed:
        refusals += off_map(grid, hex_id, f"{at}.unsurveyed")
    refusals += _survey_defects(scenario)
    held: dict[HexId, Side] = {}
    for race, entry in scenario.races.items():
        path = f"scenario.toml.races.{race}.territory"
        for hex_id in entry.territory:
            refusals += off_map(grid, hex_id, path)
            if held.setdefault(hex_id, race) != race:
                refusals.append(illegal(f"{hex_id} belongs to {held[hex_id]} already", "1.1.2", path))
    if not 2 <= len(scenario.races) <= 7:
        refusals.append(illegal("a campaign has two to seven races", "1.1.1", "scenario.toml.races"))
    emblems = [entry.emblem for entry in scenario.races.values()]
    if len(set(emblems)) < len(emblems):
        refusals.append(malformed("two races share an emblem", "scenario.toml.races"))
    return refusals


@rule("9.2", "9.3")
def _survey_defects(scenario: ScenarioFile) -> list[Refusal]:
    """What is in an unsurveyed hex nobody knows yet: neither terrain, in which there would be fights, nor a planet, and
    it is nobody's. 9.2, 9.3, CU-N28"""
    path = "scenario.toml.map.unsurveyed"
    held = {hex_id for entry in scenario.races.values() for hex_id in entry.territory}
    planets = {planet.hex for planet in scenario.planets.values()}
    known = (("has terrain", {*scenario.map.terrain}), ("has a planet", planets), ("belongs to a race", held))
    return [
        illegal(f"{hex_id} {what}, so it is surveyed", "9.2, 9.3, CU-N28", path)
        for hex_id in scenario.map.unsurveyed
        for what, hexes in known
        if hex_id in hexes
    ]


def _planet_defects(scenario: ScenarioFile) -> list[Refusal]:
    grid = _grid(scenario)
    refusals: list[Refusal] = []
    seen: dict[HexId, str] = {}
    for key, planet in scenario.planets.items():
        path = f"scenario.toml.planets.{key}"
        off = off_map(grid, planet.hex, f"{path}.hex")
        refusals += off + _unknown_race(scenario, planet.race, f"{path}.race")
        if planet.hex in seen:
            refusals.append(illegal(f"{seen[planet.hex]} is in {planet.hex} too", "1.1.2.3, CU-R04", f"{path}.hex"))
        seen.setdefault(planet.hex, key)
        home = scenario.races.get(planet.race)
        if home is not None and planet.hex not in home.territory:
            refusals.append(illegal("a home planet lies in its own empire", "1.1.2.3, CU-R04", f"{path}.hex"))
        limit = BOARDING_PARTY_LIMIT[planet.kind]
        for what in ("boarding_parties", "crew_units"):
            if getattr(planet, what) > limit:
                text = f"a {planet.kind} planet holds at most {limit}"
                refusals.append(illegal(text, "4.2.4.8", f"{path}.{what}", legal=f"0 to {limit}"))
        if squad_defects(planet.squads, planet.boarding_parties):
            text = "squads are some of its boarding parties"
            refusals.append(illegal(text, "5.3.3", f"{path}.squads", legal=f"{planet.boarding_parties} at most"))
        if planet.gcv > planet.boarding_parties // 10:
            text = "one ground combat vehicle for every ten boarding parties at most"
            refusals.append(
                illegal(text, "4.2.4.8, CU-R101", f"{path}.gcv", legal=f"0 to {planet.boarding_parties // 10}")
            )
        refusals += _ground_base_defects(planet, path)
        for other_key, other in scenario.planets.items():
            near = not off and other.hex in grid and grid.distance(planet.hex, other.hex) == 1
            if near and other.race == planet.race and other_key > key:
                refusals.append(illegal(f"{other_key} of the same race is next to it", "CU-R04", f"{path}.hex"))
    for race in scenario.races:
        capitals = [p for p in scenario.planets.values() if p.race == race and p.kind == "capital"]
        if len(capitals) != 1:
            text = f"{race} has {len(capitals)} capitals instead of one"
            refusals.append(illegal(text, "1.1.2.3", "scenario.toml.planets"))
    return refusals


@rule("4.4.9")
def _ground_base_defects(planet: PlanetEntry, path: str) -> list[Refusal]:
    """More ground bases than a planet has room for. 4.4.9, CU-R94"""
    limit = ground_base_limit(planet.kind)
    if planet.ground_bases <= limit:
        return []
    text = f"a {planet.kind} planet has room for {limit} ground bases"
    return [illegal(text, "4.4.9, CU-R94", f"{path}.ground_bases", legal=f"0 to {limit}")]


@rule("4.2.4.8")
def _complement_defects(unit: UnitEntry, kind: UnitClass, path: str) -> list[Refusal]:
    """More boarding parties than a quarter beyond the class's complement. 4.2.4.8"""
    limit = 5 * kind.boarding_parties // 4
    parties = kind.boarding_parties if unit.boarding_parties is None else unit.boarding_parties
    if squad_defects(unit.squads, parties):
        text = "squads are some of its boarding parties"
        return [illegal(text, "4.2.4.8", f"{path}.squads", legal=f"{parties} at most")]
    if unit.boarding_parties is None or unit.boarding_parties <= limit:
        return []
    text = f"{unit.name} has room for {limit} boarding parties, a quarter more than its complement"
    return [illegal(text, "4.2.4.8", f"{path}.boarding_parties", legal=f"0 to {limit}")]


def _officer_defects(unit: UnitEntry, path: str) -> list[Refusal]:
    """An officer who is named twice."""
    if len(set(unit.officers)) == len(unit.officers):
        return []
    return [malformed(f"{unit.name} has an officer twice", f"{path}.officers", legal="one of each kind")]


@rule("2.7")
def _port_defects(
    scenario: ScenarioFile, units: UnitsFile, classes: Mapping[str, UnitClass], unit: UnitEntry, path: str
) -> list[Refusal]:
    """Freighters begin where convoys begin. 2.7"""
    if not sails_in_convoys(classes[unit.type]):
        return []
    at_bases = {
        one.hex
        for one in units.units.values()
        if one.race == unit.race and one.type in classes and classes[one.type].kind == "base"
    }
    if unit.hex in at_bases | {planet.hex for planet in scenario.planets.values() if planet.race == unit.race}:
        return []
    return [illegal("a freighter begins at a planet or a base of its race", "2.7", f"{path}.hex")]


def _unit_defects(scenario: ScenarioFile, units: UnitsFile, classes: Mapping[str, UnitClass]) -> list[Refusal]:
    grid = _grid(scenario)
    refusals: list[Refusal] = []
    names: dict[tuple[Side, str], str] = {}
    fleets: dict[tuple[Side, str], HexId] = {}
    for key, unit in units.units.items():
        path = f"units.toml.units.{key}"
        refusals += off_map(grid, unit.hex, f"{path}.hex") + _unknown_race(scenario, unit.race, f"{path}.race")
        if names.setdefault((unit.race, unit.name.casefold()), key) != key:
            refusals.append(malformed(f"{unit.race} has another {unit.name!r}", f"{path}.name"))
        kind = classes.get(unit.type)
        if kind is None:
            refusals.append(malformed(f"no class {unit.type!r}", f"{path}.type", nearest=nearest(unit.type, classes)))
            continue
        refusals += _complement_defects(unit, kind, path) + _officer_defects(unit, path)
        unit_as_loaded = _unit(key, unit, kind)
        refusals += loading_defects(unit_as_loaded, STANDARD | scenario.accessories, (unit.holds, unit.stowed), path)
        mobile = kind.top_speed > 0 and not sails_in_convoys(kind)
        refusals += _port_defects(scenario, units, classes, unit, path)
        if kind.kind in _NOT_A_CLASS:
            refusals.append(illegal("fighters belong to what carries them", "2.9", f"{path}.type"))
        if kind.kind == "ground_base":
            text, legal = "ground bases are given with their planet", "a planet's ground_bases"
            refusals.append(illegal(text, "4.4.9", f"{path}.type", legal=legal))
        if mobile != bool(unit.fleet):
            text = "a unit that moves needs a fleet"
            text = text if mobile else "a unit that never moves, or sails in convoys, has no fleet"
            refusals.append(malformed(text, f"{path}.fleet"))
        if unit.fleet and fleets.setdefault((unit.race, unit.fleet), unit.hex) != unit.hex:
            refusals.append(malformed(f"{unit.fleet} begins in two hexes", f"{path}.hex"))
        if unit.orbit and (kind.kind != "base" or unit.orbit not in _orbits(scenario, unit.hex)):
            legal = ", ".join(_orbits(scenario, unit.hex)) if kind.kind == "base" else "no orbit"
            text = "there is nothing of the kind to orbit"
            refusals.append(illegal(text, "3.5, CU-R64", f"{path}.orbit", legal=legal))
        refusals += dock_entry_defects(units.units, classes, key, f"{path}.docked_on")
        if kind.kind == "base" and scenario.map.terrain.get(unit.hex) in NO_BASES:
            refusals.append(illegal("no base can stand in this terrain", "1.1.2.5.2, CU-R09", f"{path}.hex"))
        if kind.kind == "police" and unit.hex not in {p.hex for p in scenario.planets.values() if p.race == unit.race}:
            refusals.append(illegal("a police ship belongs to a planet of its race", "2.8", f"{path}.hex"))
    return refusals


@rule("1.1.2.4", "3.5")
def _orbits(scenario: ScenarioFile, hex_id: HexId) -> list[str]:
    """What a base in a hex may orbit, or that it is apart. 1.1.2.4, 3.5, CU-R64"""
    if hex_id not in {planet.hex for planet in scenario.planets.values()}:
        return [APART]
    system = scenario.systems.get(hex_id, StarSystem())
    moons = [f"moon{number}" for number in range(1, len(system.moons) + 1)]
    moons += [f"giantmoon{number}" for number in range(1, len(system.giant_moons) + 1)]
    return [PLANET, *([GIANT] if system.gas_giant else []), *moons, APART]


def _system_defects(scenario: ScenarioFile) -> list[Refusal]:
    """Systems are in planets' hexes, and no planet has the key of a moon. 1.1.2.4"""
    planets = {planet.hex for planet in scenario.planets.values()}
    moons = {
        body_key(orbit, hex_id)
        for hex_id in scenario.systems
        for orbit in _orbits(scenario, hex_id)
        if orbit not in (PLANET, APART)
    }
    return [
        malformed("this is the key of a moon or a gas giant", f"scenario.toml.planets.{key}", legal="another key")
        for key in scenario.planets
        if key in moons
    ] + [
        illegal("there is no planet", "1.1.2.4", f"scenario.toml.systems.{hex_id}", legal=", ".join(sorted(planets)))
        for hex_id in scenario.systems
        if hex_id not in planets
    ]


def sides_of(document: Mapping[str, Json]) -> tuple[SideLabel, ...]:
    """The races of a validated scenario, or its seats."""
    if "open" in document:
        return seat_labels(document)
    return _labels(ScenarioFile.model_validate(document["scenario"]))


def _labels(scenario: ScenarioFile) -> tuple[SideLabel, ...]:
    return tuple(SideLabel(key=key, name=race.name, emblem=race.emblem) for key, race in scenario.races.items())


def set_up(document: Mapping[str, Json]) -> CutlerState:
    """The state before the first turn."""
    if "open" in document:
        return set_up_open(document)
    scenario = ScenarioFile.model_validate(document["scenario"])
    classes = {key: UnitClass.model_validate(kind) for key, kind in as_table(document["classes"]).items()}
    units = {key: UnitEntry.model_validate(entry) for key, entry in as_table(document["units"]).items()}
    planets = {
        key: Planet(
            key=key,
            owner=planet.race,
            **planet.model_dump(exclude={"ground_bases"}),
        )
        for key, planet in scenario.planets.items()
    }
    state = CutlerState(
        title=scenario.title,
        turns=scenario.victory.turn,
        tie_break=scenario.victory.tie_break,
        sides=_labels(scenario),
        grid=_grid(scenario),
        terrain=scenario.map.terrain,
        unsurveyed=sorted(scenario.map.unsurveyed),
        territory={hex_id: race for race, entry in scenario.races.items() for hex_id in entry.territory},
        empires={
            race: Empire(race=race, reserve=entry.reserve, base_pool=entry.base_pool)
            for race, entry in scenario.races.items()
        },
        planets=planets,
        units={
            key: loaded(
                _unit(key, entry, classes[entry.type]), STANDARD | scenario.accessories, entry.holds, entry.stowed
            )
            for key, entry in units.items()
        },
        accessories=STANDARD | scenario.accessories,
        systems=scenario.systems,
        moons=moons_of_all(planets.values(), scenario.systems),
        gas_giants=scenario.gas_giants,
        classes=classes,
        repair_points=scenario.repair_points,
        ground_base_cost=scenario.ground_base_cost,
        navigators=has_navigator(units.values()),
        invented=scenario.source == "invented",
    )
    fleets: dict[tuple[Side, str], list[str]] = {}
    for key, entry in units.items():
        if entry.fleet:
            fleets.setdefault((entry.race, entry.fleet), []).append(key)
    for (race, _), members in fleets.items():
        state.new_fleet(race, sorted(members))
    for key, entry in units.items():
        if entry.docked_on:
            dock(state.units[key], state.units[entry.docked_on])
    for key, planet in state.planets.items():
        kind = next(iter(ground_classes(state, planet.race).values()))
        stand_on(state, planet, with_more({}, scenario.planets[key].ground_bases), kind)
    return state


def _unit(key: str, entry: UnitEntry, kind: UnitClass) -> Unit:
    unit = new_unit(key, entry.race, entry.name, kind, entry.hex)
    unit.crew_quality, unit.officers, unit.orbit = entry.crew_quality, entry.officers, entry.orbit
    unit.squads = dict(entry.squads)
    if entry.boarding_parties is not None:
        unit.boarding_parties = entry.boarding_parties
    return unit
