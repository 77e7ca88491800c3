"""Worlds whose ships carry troops, and planets that are held or have been taken."""

from typing import Any

from rules_engine.rulebooks.cutler.records.accessories.catalogue import complement
from rules_engine.rulebooks.cutler.records.parts.ground_units import stand_on
from rules_engine.rulebooks.cutler.records.state import CutlerState, Planet, Unit
from tests.rulebooks.cutler.worlds import kind_of, put_aboard, world

TURNS = "turn 2 impulse 3\n"
SIEGE = (
    TURNS
    + """
planet capital 0205 hydran throne
planet capital 0902 lyran den
planet capital 0908 klingon hearth
planet minor 0404 klingon cub
hydran F1 0404 CA+DD
lyran F1 0606 CC
klingon F1 0908 CW
"""
)
"""A Hydran force over a minor Klingon planet."""


def armed(text: str = SIEGE, parties: int = 10, shuttles: int = 2, **planets: dict[str, Any]) -> CutlerState:
    """The world, with so many boarding parties and shuttles on each ship, and planets with these values."""
    state = world(text)
    for unit in state.units.values():
        if unit.is_mobile:
            rearmed(unit, boarding_parties=parties, shuttles=shuttles)
            unit.boarding_parties = parties
    for key, values in planets.items():
        valued(state, state.planets[key], **values)
    return state


def valued(state: CutlerState, body: Planet, **values: Any) -> Planet:
    """The planet or moon with these values; ``ground`` are ground bases by hexside, at the scenario's price."""
    for name, value in values.items():
        if name == "ground":
            stand_on(state, body, value, state.ground_base_cost.record)
        else:
            setattr(body, name, value)
    return body


def rearmed(unit: Unit, **figures: Any) -> Unit:
    """The unit as one of a class with other figures."""
    code = unit.id.rsplit("-", maxsplit=1)[-1].rstrip("0123456789") if unit.is_mobile else unit.record.name.lower()
    kept = {"boarding_parties": unit.record.boarding_parties, "shuttles": unit.record.shuttles}
    unit.record = kind_of(code, **{**kept, **figures})
    unit.holds = complement(unit.record)
    return put_aboard(unit, unit.record.fighters, 3 * unit.record.fighters)


def taken(state: CutlerState, key: str, holder: str, turn: int, **values: Any) -> Planet:
    """A planet that was captured by ``holder`` in that turn."""
    planet = state.planets[key]
    planet.owner, planet.captured_turn = holder, turn
    return valued(state, planet, **values)
