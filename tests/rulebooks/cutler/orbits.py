"""Worlds with moons and gas giants."""

from rules_engine.rulebooks.cutler.records.parts.moons import moons_of
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import CutlerState

SYSTEM = StarSystem(moons=(4, 9), gas_giant=3, giant_moons=(8, 12, 20), rings=True)
"""Two moons of the planet, and a gas giant with three."""


def mooned(state: CutlerState, *hexes: str, system: StarSystem = SYSTEM) -> CutlerState:
    """The world with that system in these planets' hexes."""
    for hex_id in hexes:
        planet = next(one for one in state.planets.values() if one.hex == hex_id)
        state.systems[hex_id] = system
        state.moons |= moons_of(planet, system)
    return state
