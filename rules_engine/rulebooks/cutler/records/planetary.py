"""Chapter 5: what ships can do to planets, what planets hold, and the book's numbers for both."""

from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.accessories.holds import most_people, shuttles_aboard
from rules_engine.rulebooks.cutler.records.combat.terrain import PLANET
from rules_engine.rulebooks.cutler.records.conditions.cloaks import open_races
from rules_engine.rulebooks.cutler.records.parts.troops import Landed, remaining, squads_in_words
from rules_engine.rulebooks.cutler.records.state import CutlerState, Planet, Unit
from rules_engine.rulebooks.cutler.records.tables import (
    BOARDING_PARTY_LIMIT,
    CPV_RATE,
    BaseType,
    BodyKind,
    UnitKind,
)

RAZERS: frozenset[UnitKind] = frozenset({"ship", "monitor", "auxiliary"})
"""Kinds that have a razing potential; PFs, freighters and bases have none. CU-R96"""

SHIPS: frozenset[UnitKind] = frozenset({*RAZERS, "police"})
"""Kinds whose presence at an impulse's end calls a planet to revolt, or keeps it from that. 5.3.5, CU-N36"""

REBEL_DICE: dict[BodyKind, int] = {"capital": 4, "major": 2, "minor": 1, "moon": 0}
"""D6 of rebels on a captured planet each turn; none on moons. 5.3.2"""

GARRISON: dict[BodyKind, int] = {"capital": 50, "major": 30, "minor": 20, "moon": 0}
"""Boarding parties without which a captured planet is in major revolt. 5.3.3"""

SALVAGED_FROM: dict[BaseType, int] = {"SB": 1, "BATS": 4, "BS": 6, "FRD": 7}
"""The lowest size class that each type of base can build, and so salvage. 4.2.1.2, CU-R83"""


def number(value: int | Fraction) -> str:
    """A number of CPV as people read it: ``12``, ``2.5``, ``0.9375``."""
    return f"{float(value):g}"


def in_words(parties: int) -> str:
    """``1 boarding party``, ``12 boarding parties``."""
    return counted(parties, "boarding party")


# --- ships -----------------------------------------------------------------------------------------------------------


@rule("5.2.1", "5.2.1.1", "5.1.2")
def razing_potential(unit: Unit) -> int:
    """CPV of a planet's output that a ship takes in an impulse: 6 less its size class, with what its class adds or
    takes, and never less than nothing. A prize has none, for its weapons are barred.

    5.2.1, 5.2.1.1, 5.1.2, CU-R96, CU-R126, CU-N31
    """
    kind = unit.record
    if kind.kind not in RAZERS or unit.captured_from:
        return 0
    points = 6 - kind.size_class + unit.fighters // 6
    points -= kind.is_scout
    # One for all of these, which stand on one row of the table.
    points -= "minesweeper" in kind.marks or kind.is_pf_tender or kind.is_tug_or_ltt
    points += kind.hull_type == "BCH"
    points += "mauler" in kind.marks
    points += "battle_pod" in kind.marks
    return max(0, points)


@rule("5.2.4")
def is_free_to_act(unit: Unit, feature: str = PLANET) -> bool:
    """Whether a ship may raze a planet, and land troops on that feature, after combat: it neither disengaged nor
    escaped, unless it escaped there, and is not cloaked. 5.2.4, CU-R98, CU-N73"""
    left = unit.disengaged_from or unit.escaped_from or unit.retreat_hex or unit.escaped_to not in ("", feature)
    return not (unit.destroyed or unit.cloaked or left)


@rule("4.2.4.8")
def can_land(units: list[Unit]) -> bool:
    """Whether ships have a shuttle or a working transporter among them to land troops with. 4.2.4.8, CU-N32"""
    return any(shuttles_aboard(unit) or transporters_ok(unit) for unit in units)


@rule("4.2.4.8")
def transporters_ok(unit: Unit) -> int:
    """The transporters of a ship that work: those of its class, unless it has no engine left to power them.
    4.2.4.8, CU-N124"""
    return unit.record.transporters if unit.warp_ok or unit.impulse_ok else 0


@rule("4.2.4.8")
def most_parties(unit: Unit) -> int:
    """The most boarding parties that a unit may carry: a quarter more than its complement. 4.2.4.8"""
    return most_people(unit.record.boarding_parties)


# --- planets ---------------------------------------------------------------------------------------------------------


@rule("4.1.4", "4.1.4.1")
def base_rate(planet: Planet) -> int | Fraction:
    """CPV a turn of the planet, unrazed and in its first owner's hands. 4.1.4, 4.1.4.1"""
    rate = CPV_RATE[planet.kind]
    return Fraction(rate * 3, 4) if planet.discovered else rate


@rule("4.2.4.8")
def room_for(planet: Planet, race: Side) -> int:
    """Boarding parties of a race for which there is room on a planet or a moon. 4.2.4.8"""
    there = planet.boarding_parties if planet.owner == race else planet.landed.get(race, 0)
    return max(0, BOARDING_PARTY_LIMIT[planet.kind] - there)


@rule("5.3.3")
def garrison(planet: Planet) -> int:
    """What a planet's garrison counts: boarding parties, heavy weapons squads, ground combat vehicles and shuttles for
    one each, commandos for nothing. 5.3.3, CU-R101"""
    return planet.boarding_parties - planet.squads.get("commando", 0) + planet.gcv + planet.shuttles


@rule("4.2.4.8")
def crew_room(planet: Planet) -> int:
    """Crew units for which there is room on a planet. 4.2.4.8"""
    return max(0, BOARDING_PARTY_LIMIT[planet.kind] - planet.crew_units)


@rule("4.2.4.8")
def vehicles_for(parties: int) -> int:
    """The most ground combat vehicles that so many boarding parties may have. 4.2.4.8"""
    return parties // 10


@rule("4.2.4.8", "5.3")
def lose_garrison(planet: Planet, lost: int) -> None:
    """Take so many of its holder's boarding parties, ordinary ones first, and the vehicles that are then in excess.
    4.2.4.8, 5.3, CU-N35, CU-N126"""
    planet.squads = remaining(planet.squads, planet.boarding_parties, lost)
    planet.boarding_parties -= lost
    planet.gcv = min(planet.gcv, vehicles_for(planet.boarding_parties))


def say_with(planet: Planet, race: Side) -> str:
    """What a race's troops that fight for a planet have with them, in words."""
    beside = planet.landed_with.get(race, Landed())
    return squads_in_words(beside.squads) + (f" with {beside.gcv} GCV" if beside.gcv else "")


def witnesses(state: CutlerState, planet: Planet) -> list[list[Side]]:
    """Who learns of a planet's razing: its owner, and every race with a unit in its hex; apart from them, and each from
    the others, who is hidden there. CU-R97a, CU-N73"""
    there, shown = state.races_in(planet.hex), open_races(state, planet.hex)
    known = [race for race in state.races() if race == planet.owner or race in shown]
    return [known, *([race] for race in there if race not in known)]
