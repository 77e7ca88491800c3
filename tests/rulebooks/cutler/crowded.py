"""Scenarios in which two to seven empires stand among each other, so that much is fought over from the start."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine.core.basics.base import HexId, Json
from rules_engine.rulebooks.cutler import RULEBOOK
from tests.rulebooks.cutler.worlds import intro_files

NAMES = ("Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gum")
MIDDLE = ("0403", "0604", "0406", "0607", "0805", "0508", "0703")
EVERYWHERE = (*MIDDLE, *(f"{column:02}{row:02}" for column in (2, 4, 6, 8, 10) for row in (2, 5, 8)))
"""Hexes apart from each other, for those who want more of them."""
CAPITALS = ("0101", "0301", "0501", "0701", "0901", "1101", "0109")
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
    for name, capital in zip(stands, CAPITALS, strict=False):
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
