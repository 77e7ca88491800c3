"""Planets and their moons: whose they are, what they hold, and what razing has taken."""

from dataclasses import field
from fractions import Fraction
from typing import Annotated

from pydantic import Field as Bounded

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.record import Record
from rules_engine.rulebooks.cutler.records.combat.terrain import PLANET
from rules_engine.rulebooks.cutler.records.parts.troops import Landed, Squads
from rules_engine.rulebooks.cutler.records.tables import BodyKind


class Planet(Record):
    """A planet or a moon; its place, kind and holder are public. ``captured_turn`` None: in its first race's hands.

    ``razed`` are the CPV of its output that razing has taken, kept exactly; ``news_turn`` is the turn in which its
    holder was last asked for plots for that. Boarding parties, crew units and ground combat vehicles (GCV) are its
    holder's, ``squads`` those of the boarding parties that are of other kinds; ``landed`` are the boarding parties of
    others that fight for it, ``landed_with`` what these have with them, ``put_ashore`` how many of each have landed in
    all. Ground bases are units, with people of their own. ``feature`` is the terrain feature of its hex that it is;
    ``shuttles`` are those in boxes of its ground bases. ``held_before`` is who held it until it last changed hands, and
    ``changed_turn`` the turn of that. ``guests`` are races that landed together with its holder as one force, and whose
    troops there fight nobody while they are that. ``spared`` are races that know that a ground base keeps them from
    razing it, by the turn in which they were told. ``stood_off`` are the troops whose combat there ended by rule: they
    do not fight on while these are the same.
    """

    key: str
    name: str
    kind: BodyKind
    hex: HexId
    race: Side
    owner: Side
    discovered: bool = False
    captured_turn: int | None = None
    held_before: Side = ""
    changed_turn: int = 0
    razed: Rational = Fraction(0)
    news_turn: int = 0
    boarding_parties: int = 0
    crew_units: int = 0
    gcv: int = 0
    squads: Squads = field(default_factory=Squads)
    landed: dict[Side, int] = field(default_factory=dict[Side, int])
    landed_with: dict[Side, Landed] = field(default_factory=dict[Side, Landed])
    put_ashore: dict[Side, int] = field(default_factory=dict[Side, int])
    guests: list[Side] = field(default_factory=list[Side])
    spared: dict[Side, int] = field(default_factory=dict[Side, int])
    feature: str = PLANET
    shuttles: int = 0
    stood_off: Annotated[str, Bounded(exclude_if=lambda troops: not troops)] = ""
