"""Fighters that fight apart from the ship or base that carries them. 3.5.8"""

from itertools import count as count_from

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.parts.craft import FLIGHT, squadron, take_off
from rules_engine.rulebooks.cutler.records.state import Fight, Unit


@rule("3.5.8")
def launch(here: Fight, carrier: Unit, count: int, place: str) -> Unit:
    """Put so many of a carrier's fighters at a place of their own, as a unit of this hex's fights, with booster packs
    as far as there are some. 3.5.8, CU-R75"""
    number = next(n for n in count_from(1) if f"{carrier.id}{FLIGHT}{n}" not in here.flights)
    key = f"{carrier.id}{FLIGHT}{number}"
    name = f"{carrier.name}'s fighters" + (f" {number}" if number > 1 else "")
    flight = here.flights[key] = squadron(key, carrier.race, name, carrier.hex, take_off(carrier, count))
    here.ground.carriers[key] = carrier.id
    here.ground.places[key] = place
    return flight
