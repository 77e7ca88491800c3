"""Battle hexes: who fights where, and what is remembered of it until it is settled."""

from dataclasses import field
from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.base import HexId, Owner, Side
from rules_engine.core.basics.record import Record


class Battle(Record):
    """A battle hex. ``lines`` are its units by neutral codes, so that no form shows an owner's own ids; ``status`` is
    the Weapon Status of each, by code, ``rolled`` what the die for it showed, in words; ``played_by`` the Team that
    plays a monster. V8.65"""

    hex: HexId
    lines: dict[str, str] = field(default_factory=dict[str, str])
    status: dict[str, int] = field(default_factory=dict[str, int])
    played_by: Annotated[Owner, Field(exclude_if=lambda side: not side)] = ""
    rolled: Annotated[dict[str, str], Field(exclude_if=lambda rolls: not rolls)] = field(default_factory=dict[str, str])


class Tallied(Record):
    """Points that a Team scored, and for what."""

    team: Side
    points: int
    what: str
