"""The ship record: what books that speak of the same ships have in common of a class.

Each book adds what it alone asks of a ship. Box counts are those of the undamaged record sheet.
"""

from fractions import Fraction
from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.rational import Rational
from rules_engine.core.catalogues.catalogue import UnitClassBase

Boxes = Annotated[int, Field(ge=0)]
"""A number of boxes on the record sheet."""


def _nothing(value: object) -> bool:
    return value in (None, "")


class ShipRecord(UnitClassBase):
    """A class of ship or base. Movement costs and both basic point values (BPV) are exact.

    ``command_rating`` is how many more ships it can lead; None where the book goes by its hull. ``turn_mode`` is a
    letter of the tactical game.
    """

    size_class: Annotated[int, Field(ge=1, le=7)] = 4
    move_cost: Annotated[Rational, Field(ge=0)]
    turn_mode: Annotated[str, Field(max_length=2, exclude_if=_nothing, examples=["B"])] = ""
    command_rating: Annotated[int | None, Field(ge=0, le=10, exclude_if=_nothing)] = None

    bpv_economic: Annotated[Rational, Field(ge=0)] = Fraction(0)
    bpv_combat: Annotated[Rational, Field(ge=0)] = Fraction(0)

    warp: Boxes = 0
    impulse: Boxes = 0
    cloak: bool = False
    special_sensors: Boxes = 0
    tractors: Boxes = 0

    cargo: Boxes = 0
    repair: Boxes = 0
    damcon_track: tuple[int, ...] = ()
    shuttles: Boxes = 0
    fighters: Boxes = 0
    crew_units: Boxes = 0
    boarding_parties: Boxes = 0
