"""Fighters that fight apart from the ship or base that carries them. 3.5.8"""

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.state import Fight, Unit


def fighters_aboard(here: Fight, carrier: Unit) -> int:
    """The fighters that a unit still carries in this hex's fights."""
    away = sum(here.flights[one].record.fighters for one, its in here.ground.carriers.items() if its == carrier.id)
    lost = here.ground.fighters_lost.get(carrier.id, 0)
    return max(0, carrier.record.fighters - lost - away)


@rule("3.5.8")
def launch(here: Fight, carrier: Unit, count: int, place: str) -> Unit:
    """Put so many of a carrier's fighters at a place of their own, as a unit of this hex's fights. 3.5.8, CU-R75"""
    number = sum(its == carrier.id for its in here.ground.carriers.values())
    key = f"{carrier.id}-fighters{number + 1}"
    record = carrier.record.model_copy(
        update={
            "class_id": "fighters",
            "name": "fighters",
            "kind": "fighters",
            "base_type": None,
            "hull_type": "other",
            "size_class": 6,
            "command_rating": 0,
            "warp": 1,
            "impulse": 0,
            "special_sensors": 0,
            "cargo": 0,
            "repair": 0,
            "docking_bays": (),
            "boarding_parties": 0,
            "fighters": count,
            "marks": (),
            "refits": {},
        }
    )
    name = f"{carrier.name}'s fighters" + (f" {number + 1}" if number else "")
    flight = Unit(id=key, race=carrier.race, name=name, record=record, warp_ok=1, impulse_ok=0, hex=carrier.hex)
    here.flights[key] = flight
    here.ground.carriers[key] = carrier.id
    here.ground.places[key] = place
    return flight


def lose_fighters(here: Fight, flight: Unit, lost: int) -> None:
    """Take so many fighters from a flight; it is no more when none are left."""
    carrier = here.ground.carriers[flight.id]
    here.ground.fighters_lost[carrier] = here.ground.fighters_lost.get(carrier, 0) + lost
    left = flight.record.fighters - lost
    flight.record = flight.record.model_copy(update={"fighters": left})
    flight.destroyed = left <= 0


def recover_all(here: Fight) -> None:
    """Take all fighters back aboard before another encounter in the hex."""
    here.flights, here.ground.carriers = {}, {}
