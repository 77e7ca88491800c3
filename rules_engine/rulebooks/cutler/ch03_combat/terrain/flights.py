"""Fighters that fight apart from the ship or base that carries them. 3.5.8"""

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.parts.craft import FLIGHT, squadron, take_off
from rules_engine.rulebooks.cutler.records.state import Fight, Unit


@rule("3.5.8")
def launch(here: Fight, carrier: Unit, count: int, place: str) -> Unit:
    """Put so many of a carrier's fighters at a place of their own, as a unit of this hex's fights, with booster packs
    as far as there are some. 3.5.8, CU-R75"""
    number = sum(key.startswith(carrier.id + FLIGHT) for key in here.ground.carriers)
    key = f"{carrier.id}{FLIGHT}{number + 1}"
    name = f"{carrier.name}'s fighters" + (f" {number + 1}" if number else "")
    flight = here.flights[key] = squadron(key, carrier.race, name, carrier.hex, take_off(carrier, count))
    here.ground.carriers[key] = carrier.id
    here.ground.places[key] = place
    return flight
