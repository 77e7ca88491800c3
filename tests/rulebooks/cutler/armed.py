"""Worlds whose ships carry troops, and planets that are held or have been taken."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine.core.basics.base import HexId, Json
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.records.accessories.catalogue import complement
from rules_engine.rulebooks.cutler.records.parts.ground_units import stand_on
from rules_engine.rulebooks.cutler.records.parts.moons import moons_of
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import CutlerState, Moment, Planet, Unit
from tests.rulebooks.cutler.scenario_files import intro_files
from tests.rulebooks.cutler.worlds import kind_of, put_aboard, world

# --- orbits ---------------------------------------------------------------------------------------------------------
SYSTEM = StarSystem(moons=(4, 9), gas_giant=3, giant_moons=(8, 12, 20), rings=True)
"""Two moons of the planet, and a gas giant with three."""


def mooned(state: CutlerState, *hexes: str, system: StarSystem = SYSTEM) -> CutlerState:
    """The world with that system in these planets' hexes."""
    for hex_id in hexes:
        planet = next(one for one in state.planets.values() if one.hex == hex_id)
        state.systems[hex_id] = system
        state.moons |= moons_of(planet, system)
    return state


# --- hydraxx --------------------------------------------------------------------------------------------------------
HEX = "0404"
TEXT = """
turn 3 impulse 1
planet minor 0404 hydran hydraxx
hydran base 0404 Batsf[type=BATS,fighters=12]
hydran police 0404
hydran F1 0404 CC[from=0304]+CA[from=0304]+CW[from=0304]+CW[from=0304,fighters=6]+DD[from=0304]+FF[from=0304]
hydran F2 0404 FF[from=0304]+DW[from=0304,fighters=12]
klingon F1 0404 DN[from=0505]+CC[from=0505]+CA[from=0505]+CA[from=0505]+CW[from=0505]+CW[from=0505]+DD[from=0505]
klingon F2 0404 DW[from=0505]+SC[from=0505]+PF[from=0505]+PF[from=0505]+PF[from=0505]+PF[from=0505]
klingon F3 0404 PF[from=0505]+PF[from=0505]
klingon F4 0404 PFT[from=0505]
"""
PFS = [f"klingon-F2-PF{number or ''}" for number in ("", 2, 3, 4)] + ["klingon-F3-PF", "klingon-F3-PF2"]
BATSF, SAMS, POLICE = "hydran-base-0404", "hydran-sams", "hydran-police-0404"


def hydraxx() -> CutlerState:
    """All who are at Hydraxx 7 after the moves of the impulse. The base has been there since before."""
    state = world(TEXT)
    state.systems = {HEX: StarSystem(gas_giant=3, giant_moons=(8,))}
    sams = state.units[BATSF].copied()
    sams.id, sams.name, sams.orbit = SAMS, "Sams", "giant"
    sams.record = sams.record.model_copy(update={"base_type": "SAMS", "fighters": 0})
    state.units[SAMS] = put_aboard(sams, 0, 0)
    state.presence = {HEX: {"hydran": Moment(turn=1, impulse=0), "klingon": Moment(turn=3, impulse=1)}}
    return state


ALLOCATION: dict[str, dict[str, Any]] = {
    POLICE: {"place": "giant"},
    "hydran-F2-DW": {"place": "giant"},
    "hydran-F1-CW2": {"place": "planet"},
    BATSF: {"fighters": 6, "fighters_to": "approach"},
    **{f"hydran-F1-{ship}": {"place": "approach"} for ship in ("CC", "CA", "CW", "DD", "FF")},
    "hydran-F2-FF": {"place": "approach"},
}
"""Step B of the example."""


# --- crowded --------------------------------------------------------------------------------------------------------
NAMES = ("Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gum")
MIDDLE = ("0403", "0604", "0406", "0607", "0805", "0508", "0703")
EVERYWHERE = (*MIDDLE, *(f"{column:02}{row:02}" for column in (2, 4, 6, 8, 10) for row in (2, 5, 8)))
"""Hexes apart from each other, for those who want more of them."""
SHIPS = ("war_cruiser", "destroyer", "frigate")
FLEETS = 3


def crowded(empires: int, *, turns: int = 2, fleets: int = FLEETS, hexes: int = 0) -> dict[str, Json]:
    """So many empires with three ships in each of their ``fleets``, which stand in so many ``hexes`` that they share
    (usually one for each empire)."""
    places, apart = EVERYWHERE[: hexes or max(empires, 3)], empires // 2 if hexes else 1
    stands = {
        name: [places[(number + fleet * apart) % len(places)] for fleet in range(fleets)]
        for number, name in enumerate(NAMES[:empires])
    }
    document: dict[str, Any] = RULEBOOK.read_scenario(files(stands, turns=turns))
    return document


def files(stands: Mapping[str, Sequence[HexId]], *, turns: int) -> dict[str, str]:
    """The files of a scenario in which each empire has a fleet of three ships in each of these hexes."""
    scenario = [
        f'title = "Crowded"\nsource = "invented"\n[victory]\nturn = {turns}',
        "[map]\ncolumns = 11\nrows = 9\nunsurveyed = []",
    ]
    units: list[str] = []
    for name, capital in zip(stands, ("0101", "0301", "0501", "0701", "0901", "1101", "0109"), strict=False):
        race = name.lower()
        scenario.append(
            f'[races.{race}]\nname = "{name}"\nemblem = "{name[0]}"\nreserve = 40\nterritory = ["{capital}"]\n'
            f'[planets.{race}_home]\nname = "{name} Home"\nkind = "capital"\nhex = "{capital}"\nrace = "{race}"'
        )
        units += [
            f'[units.{race}_{fleet}{ship}]\nrace = "{race}"\nname = "{name} {fleet}-{ship}"\ntype = "{kind}"\n'
            f'hex = "{place}"\nfleet = "{fleet}"'
            for fleet, place in enumerate(stands[name])
            for ship, kind in enumerate(SHIPS)
        ]
    return {
        "scenario.toml": "\n".join(scenario),
        "units.toml": "\n".join(units),
        "ships.toml": intro_files()["ships.toml"],
    }


# --- armed ----------------------------------------------------------------------------------------------------------
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
