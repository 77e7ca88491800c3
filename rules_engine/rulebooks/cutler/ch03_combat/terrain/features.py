"""The terrain features of a hex: points and locations. 3.5, 3.5.1, 3.5.2"""

from collections.abc import Sequence

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.combat.terrain import (
    APART,
    ASTEROIDS,
    BASE,
    GIANT,
    PLANET,
    SUN,
    TerrainFeature,
    giant_moon_key,
    moon_key,
)
from rules_engine.rulebooks.cutler.records.conditions.towing import is_deployed
from rules_engine.rulebooks.cutler.records.open_space import TERRAIN_WORDS
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.tables import Terrain

FILLS_ITS_HEX: frozenset[Terrain] = frozenset({"nebula", "dust", "heat"})
"""Terrain hexes: battles there are fought as in open space, with the terrain everywhere. 3.5.10, CU-R09, CU-R68"""
LOCATIONS: frozenset[Terrain] = frozenset({"asteroids"})
"""Terrain of more than 1000 hexes of a tactical map; what is neither this nor fills its hex is a point. 3.5.2"""


@rule("3.5")
def bases_in(state: CutlerState, hex_id: HexId) -> list[Unit]:
    """The bases in a hex that are features, or at one, ground bases among them: none that is on its way. 3.5,
    CU-N114, CU-N140, CU-N144"""
    return [unit for unit in state.units_in(hex_id) if unit.is_station and is_deployed(state, unit)]


@rule("3.5", "3.5.1", "3.5.2")
def features_of(state: CutlerState, hex_id: HexId, bases: Sequence[Unit]) -> list[TerrainFeature]:
    """The terrain features of a hex as things are, the planet first, and these bases; none in open space and in a
    terrain hex without bases. Every planet's hex has a sun. 3.5, 3.5.1, 3.5.2, CU-R64, CU-N96"""
    planet = next((one for one in state.planets.values() if one.hex == hex_id), None)
    found: list[TerrainFeature] = []
    if planet is not None:
        system = state.systems.get(hex_id, StarSystem())
        found += _bodies(planet.name, system)
    terrain = state.terrain.get(hex_id)
    if terrain is not None and terrain not in FILLS_ITS_HEX:
        kind = "location" if terrain in LOCATIONS else "point"
        found.append(TerrainFeature(key=terrain, name=f"the {TERRAIN_WORDS[terrain].split(' ', 1)[1]}", kind=kind))
    bodies = [one.key for one in found]
    alone = [unit for unit in bases if _orbits(unit, bodies) == APART]
    found += [
        TerrainFeature(key=f"{BASE}{number}", name=f"the base {number} of the {state.name_of(unit.race)}", kind="point")
        for number, unit in enumerate(alone, 1)
    ]
    if planet is not None:
        found.append(TerrainFeature(key=SUN, name="the sun", kind="location"))
        if state.systems.get(hex_id, StarSystem()).asteroid_field:
            found.append(TerrainFeature(key=ASTEROIDS, name="the asteroid field", kind="location"))
    return found


def _bodies(planet: str, system: StarSystem) -> list[TerrainFeature]:
    """The planet, its moons, its gas giant and the giant's moons."""
    found = [TerrainFeature(key=PLANET, name=f"the planet {planet}", kind="point")]
    found += [_moon(moon_key(n), f"moon {n} of {planet}", "the planet", far) for n, far in enumerate(system.moons, 1)]
    if system.gas_giant:
        says = f"The gas giant is of size {system.gas_giant}" + (", with rings." if system.rings else ".")
        found.append(TerrainFeature(key=GIANT, name="the gas giant", kind="point", says=says))
        moons = enumerate(system.giant_moons, 1)
        found += [_moon(giant_moon_key(n), f"moon {n} of the gas giant", "the gas giant", far) for n, far in moons]
    return found


def _moon(key: str, name: str, body: str, far: int) -> TerrainFeature:
    return TerrainFeature(key=key, name=name, kind="point", says=f"The moon is {far} hexes from {body}.")


def _orbits(base: Unit, bodies: list[str]) -> str:
    """The body that a base orbits, or ``apart``: the planet, if nothing else is said of it. CU-R64"""
    if base.orbit in bodies:
        return base.orbit
    return PLANET if PLANET in bodies and not base.orbit else APART


@rule("3.5")
def features_of_bases(features: list[TerrainFeature], bases: Sequence[Unit]) -> dict[str, str]:
    """The feature of each of these bases, by its id: the body that it orbits, or itself. 3.5, CU-R64, CU-R67"""
    bodies = [one.key for one in features if not one.key.startswith(BASE)]
    alone = [unit.id for unit in bases if _orbits(unit, bodies) == APART]
    return {
        unit.id: f"{BASE}{alone.index(unit.id) + 1}" if unit.id in alone else _orbits(unit, bodies) for unit in bases
    }
