"""Convoys under way, and how monsters and alien ships behave."""

from dataclasses import field
from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Count, HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.rulebooks.border_patrol.records.settings import Allowance, Reach, Turn
from rules_engine.rulebooks.border_patrol.records.units import Unit

Habit = Literal["stays", "roams", "hunts", "follows"]
"""How a monster or an alien ship moves: not at all, to any hex beside it, towards the nearest eligible unit within its
``senses``, or along its route. V8.55"""
ConvoyFate = Literal["waiting", "under way", "in", "caught"]


class BorderConvoy(Record):
    """A convoy: a stack that goes along a route, from the turn in which it sets out. ``route`` begins with
    the hex from which it sets out, ``gone`` is how many hexes of it are behind it."""

    id: str
    team: Side
    stack: str
    sets_out: Turn
    route: list[HexId] = field(default_factory=list[HexId])
    gone: Count = 0
    fate: ConvoyFate = "waiting"


class SupplyConvoy(Record):
    """The ships of a Team's supply convoys, which are on no map until cloaked units come upon one. T8.730"""

    team: Side
    ships: list[Unit] = field(default_factory=list[Unit])


class Habits(Record):
    """How a monster or an alien ship moves, by the unit's id, and how many BPV drive it off, unless it is fought
    ``by_hand``. ``route`` are the hexes that it enters; ``gone`` is how many of them are behind it, ``quarry`` the unit
    that it hunts, ``lost`` those that went under cloak before it."""

    unit: str
    habit: Habit = "stays"
    allowance: Allowance = 0
    senses: Reach = 0
    route: list[HexId] = field(default_factory=list[HexId])
    driven_off_by: Count = 0
    gone: Count = 0
    quarry: str = ""
    by_hand: Annotated[bool, Field(exclude_if=lambda fought: not fought)] = False
    lost: list[str] = field(default_factory=list[str])
