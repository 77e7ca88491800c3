"""Places of the map: provinces, star systems, ion storms and listening posts."""

from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import HexId, Owner, Side
from rules_engine.core.basics.record import Record
from rules_engine.rulebooks.border_patrol.records.settings import Reach

Terrain = Literal["asteroids", "dust", "nebula", "black hole", "pulsar", "planet"]
"""What may be in a hex beside space."""
Heading = Annotated[int, Field(ge=0, le=5)]
"""A direction, clockwise from north."""


class MapProvince(Record):
    """Hexes that are owned together. ``owner`` is empty of an unclaimed one. BP-R53"""

    id: str
    name: str
    hexes: tuple[HexId, ...]
    owner: Owner = ""
    disrupted: bool = False


class HeldSystem(Record):
    """A star system. ``original`` is who owned it first, ``held`` whether its owner held it in the last turn. V8.45"""

    id: str
    name: str
    hex: HexId
    owner: Owner = ""
    original: Owner = ""
    held: bool = True
    bombarded: bool = False


class IonStorm(Record):
    """An ion storm on the map, which drifts so many hexes a turn."""

    id: str
    hex: HexId
    heading: Heading = 0
    drift: Reach = 0


class ListeningPost(Record):
    """A forward listening post, which only its Team knows of. T8.730"""

    id: str
    team: Side
    hex: HexId
