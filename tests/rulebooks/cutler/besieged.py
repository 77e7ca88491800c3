"""A scenario in which each empire's fleets stand over the next one's planets, which few troops hold."""

from typing import Any

from rules_engine.core.basics.base import Json
from rules_engine.rulebooks.cutler import RULEBOOK
from tests.rulebooks.cutler.scenario_files import intro_files

HOMES = {"ash": "0403", "birch": "0604", "cedar": "0406"}
COLONIES = {"ash": "0506", "birch": "0405", "cedar": "0603"}


def besieged(*, turns: int = 4, troops: int = 6, colony: int = 0) -> dict[str, Json]:
    """Three empires with a capital, held by ``troops`` boarding parties, and a minor planet, held by ``colony``."""
    scenario = [
        f'title = "Besieged"\nsource = "invented"\n[victory]\nturn = {turns}',
        "[map]\ncolumns = 11\nrows = 9\nunsurveyed = []",
    ]
    units: list[str] = []
    races = list(HOMES)
    for number, race in enumerate(races):
        home, colony_hex = HOMES[race], COLONIES[race]
        enemy = races[(number + 1) % len(races)]
        scenario.append(
            f'[races.{race}]\nname = "{race.title()}"\nemblem = "{race[0].upper()}"\nreserve = 60\n'
            f'territory = ["{home}", "{colony_hex}"]\n'
            f'[planets.{race}_home]\nname = "{race.title()} Home"\nkind = "capital"\nhex = "{home}"\nrace = "{race}"\n'
            f"boarding_parties = {troops}\n"
            f"[systems.{home}]\ngas_giant = 2\nmoons = [4]\nasteroid_field = true\n"
            f'[planets.{race}_rock]\nname = "{race.title()} Rock"\nkind = "minor"\nhex = "{colony_hex}"\n'
            f'race = "{race}"\nboarding_parties = {colony}'
        )
        units.append(f'[units.{race}_base]\nrace = "{race}"\nname = "{race} Base"\ntype = "starbase"\nhex = "{home}"')
        units += [
            f'[units.{race}_{fleet}{ship}]\nrace = "{race}"\nname = "{race} {fleet}-{ship}"\ntype = "{kind}"\n'
            f'hex = "{place}"\nfleet = "{fleet}"'
            for fleet, place in enumerate((home, HOMES[enemy], COLONIES[enemy]))
            for ship, kind in enumerate(("heavy_cruiser", "heavy_cruiser", "heavy_cruiser", "war_cruiser", "frigate"))
        ]
    files = {
        "scenario.toml": "\n".join(scenario),
        "units.toml": "\n".join(units),
        "ships.toml": intro_files()["ships.toml"],
    }
    document: dict[str, Any] = RULEBOOK.read_scenario(files)
    return document
