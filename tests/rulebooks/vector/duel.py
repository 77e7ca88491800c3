"""A duel of two captains, in which a test says what it needs: Hunters H1 and H2, Racers R1, and what H1 carries."""

from fractions import Fraction
from typing import Any

from rules_engine.core.grids.space import Way
from rules_engine.rulebooks.vector.records.ships import FlightFigures, VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical, TacticalOptions, TacticalTerrain
from rules_engine.rulebooks.vector.records.vectors import Vector

HUNTERS, RACERS = "hunters", "racers"

CRUISER = FlightFigures(
    warp=30, impulse=4, total_power=36, reserve=4, turn_mode="C", shields=(30, 24, 22, 20, 22, 24),
    move_cost=Fraction(1),
)  # fmt: skip
DRONE = FlightFigures(size_class=7, form="drone", turn_mode="drone", rated_speed=24, move_cost=Fraction(1, 10))


def ship(code: str, at: str, vector: str = "0", facing: Way = "A", **values: Any) -> VectorShip:
    """A cruiser with the points of a whole turn, unless told otherwise."""
    side = HUNTERS if code.startswith(("H", "D")) else RACERS
    figures = values.pop("figures", CRUISER)
    points = {"warp_left": 30, "impulse_left": 1, "reserve_left": figures.reserve} if figures is CRUISER else {}
    names = {"H1": "Kestrel", "H2": "Falcon", "R1": "Courier"}
    made = {"id": code, "side": side, "name": names.get(code, code), "figures": figures, "at": at, "facing": facing}
    return VectorShip(**{**made, "vector": Vector(says=vector), **points, **values})


def duel(*units: VectorShip, turn: int = 1, impulse: int = 0, **values: Any) -> Tactical:
    """A battle of these units."""
    options = values.pop("options", TacticalOptions())
    there = {one.id: one for one in units}
    return Tactical(options=options, turn=turn, impulse=impulse, sides=[HUNTERS, RACERS], units=there, **values)


def three(**values: Any) -> Tactical:
    """H1 and H2 with a drone aboard H1, and R1 twelve hexes ahead of H1."""
    carried = ship("D1", "1020", figures=DRONE, aboard="H1")
    return duel(ship("H1", "1020", "6A"), ship("H2", "1220", "4A"), carried, ship("R1", "1008", "8A"), **values)


def planet(*hexes: str) -> TacticalTerrain:
    """A planet."""
    return TacticalTerrain(id="P1", kind="planet", name="Rock", hexes=hexes)
