"""Moons: what troops and ground bases may be on beside planets. A gas giant is nobody's. 1.1.2.4, 4.2.4.8, CU-N110"""

from collections.abc import Iterable, Mapping

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.combat.terrain import GIANT, giant_moon_key, moon_key
from rules_engine.rulebooks.cutler.records.parts.planets import Planet
from rules_engine.rulebooks.cutler.records.setup import StarSystem


@rule("1.1.2.4", "1.1.2.4.2", "1.1.2.4.3")
def moons_of(planet: Planet, system: StarSystem) -> dict[str, Planet]:
    """The moons of a planet and of the gas giant beside it, by key: whoever has the planet has them to begin with.
    1.1.2.4, 1.1.2.4.2, 1.1.2.4.3, CU-N110"""
    named = [(moon_key(n), f"moon {n} of {planet.name}") for n in range(1, len(system.moons) + 1)]
    about = range(1, len(system.giant_moons) + 1 if system.gas_giant else 1)
    named += [(giant_moon_key(n), f"gas giant moon {n} of {planet.name}") for n in about]
    return {
        body_key(feature, planet.hex): Planet(
            key=body_key(feature, planet.hex),
            name=name,
            kind="moon",
            hex=planet.hex,
            race=planet.race,
            owner=planet.race,
            discovered=planet.discovered,
            feature=feature,
        )
        for feature, name in named
    }


def moons_of_all(planets: Iterable[Planet], systems: Mapping[HexId, StarSystem]) -> dict[str, Planet]:
    """The moons of all these planets, by key."""
    return {
        key: moon
        for planet in planets
        if planet.hex in systems
        for key, moon in moons_of(planet, systems[planet.hex]).items()
    }


def body_key(feature: str, hex_id: HexId) -> str:
    """The key of a moon, or of another feature of a hex that somebody may name: ``giantmoon2_0404``."""
    return f"{feature}_{hex_id}"


def is_gas_giant(key: str, systems: Mapping[HexId, StarSystem]) -> bool:
    """Whether a gas giant is meant: ``giant_0404``."""
    word, _, hex_id = key.partition("_")
    return word == GIANT and hex_id in systems and systems[hex_id].gas_giant > 0


def is_held(moon: Planet) -> bool:
    """Whether its holder has troops on it; ground bases are units of theirs. CU-N110"""
    return bool(moon.boarding_parties or moon.crew_units or moon.gcv)


def held_by(moons: Mapping[str, Planet], race: Side) -> list[Planet]:
    """The moons on which a race has troops, by key."""
    return [moons[key] for key in sorted(moons) if moons[key].owner == race and is_held(moons[key])]
