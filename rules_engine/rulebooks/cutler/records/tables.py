"""The book's numbers, and the numbers that rulings supply where the book has none."""

from typing import Literal

PlanetKind = Literal["capital", "major", "minor"]
BodyKind = Literal["capital", "major", "minor", "moon"]
"""What troops may hold, and ground bases stand on: planets and their moons, and no gas giant. 4.2.4.8, 4.4.9"""
UnitKind = Literal[
    "ship",
    "monitor",
    "pf",
    "interceptor",
    "auxiliary",
    "freighter",
    "q_ship",
    "police",
    "base",
    "ground_base",
    "fighters",
]
"""``fighters`` are those apart from their carrier in a battle; no class is of that kind."""
BaseType = Literal["SB", "BATS", "BS", "FRD", "BLM", "SAMS"]
"""Starbase, battle station, base station, fleet repair dock, bases of both smaller kinds."""
HullFamily = Literal["SCS", "DN", "BCH", "BC", "CC", "CA", "CVA", "CL", "CW", "DD", "DW", "TUG", "FF", "other"]
Mark = Literal[
    "scout", "minesweeper", "pft", "ltt", "mauler", "battle_pod", "survey", "carrier", "tug", "express", "special"
]
"""What a class is that no other field tells; a ``pft`` is a ship that carries PFs and looks after them, ``express`` is
Federal Express. Most tugs, and all BCH, are known by their hull. 2.4.1.8, 4.2.2, 5.2.1.1, 7.2, 8.3.3, 9.1"""
Terrain = Literal["asteroids", "dust", "heat", "nebula", "black_hole", "neutron_star", "white_dwarf", "pulsar"]

IMPULSES = 6

CPV_RATE: dict[BodyKind, int] = {"capital": 100, "major": 50, "minor": 25, "moon": 0}
"""CPV a turn of an undisturbed home planet; moons make none. 4.1.4"""

PLANETS_OF_A_RACE: dict[PlanetKind, int] = {"capital": 1, "major": 2, "minor": 4}
"""How many planets of each kind a race begins with. 1.1.2.3"""

RESERVE_CAP = 300
"""The most IP an Intelligence Reserve can hold. 6.3"""

LEAST_MISSION, MOST_MISSION = 10, 300
"""IP of one mission. 6.4"""

TOP_SPEED: dict[UnitKind, int] = {
    "ship": 6,
    "pf": 6,
    "interceptor": 6,
    "auxiliary": 3,
    "freighter": 3,
    "q_ship": 3,
    "monitor": 2,
    "police": 0,
    "base": 0,
    "ground_base": 0,
    "fighters": 6,
}
"""Hexes a turn of an undamaged unit; police ships keep to their planet's hex. 2.4, 2.4.1.1, 2.4.1.4, 2.8"""

STATIONED: frozenset[UnitKind] = frozenset({"base", "ground_base"})
"""Kinds of bases: they are at a terrain feature, or are one, and neither come to a battle nor leave it. 3.5"""

TOWING_SPEED = 3
"""Hexes a turn of a ship that tows at most. 2.4.1.5"""

TOWED_BASES: frozenset[BaseType] = frozenset({"BLM", "FRD"})
"""Bases that are built as ships and towed to their site. 4.4.1"""

OWN_POWER = 1
"""Hexes a turn of an FRD under its own power: those of a ship without warp engines. 4.4.1, 2.4.1.3, CU-N144"""

TOWERS: frozenset[UnitKind] = frozenset({"ship", "monitor", "auxiliary", "pf", "interceptor"})
"""Kinds that may tow; freighters and Q-ships may not. CU-R21"""

EXPRESS_STEPS = 2
"""Hexes that a Federal Express ship may move in an impulse. 2.4.1.8"""

CLOAKED_SPEED = 4
"""Hexes a turn of a cloaked unit at most. 2.4.1.2"""
PACKS_A_FIGHTER = 3
"""Sets of warp booster packs, and of electronic ones, that come with a fighter. 4.2.4.7"""

SORTIE_SPEED = 5
"""The speed of fighters that sortie, where they pursue those who escape from them. 3.3.7.5, CU-R58"""

PF_HEXES_A_TURN = 2
"""The most hexes a PF moves in a turn. 2.4.1.7"""

PFS: frozenset[UnitKind] = frozenset({"pf", "interceptor"})
"""Kinds that dock on tenders. 2.4.1.7, 2.6.1"""

DOCKS_OF_A_TENDER = 6
"""Docks for PFs of a PF tender whose record gives no number; no other class has any. 3.3.7, 3.8, CU-N171"""

CAMPAIGN_UNITS: frozenset[UnitKind] = frozenset({"ship", "monitor", "pf", "interceptor", "auxiliary"})
"""Kinds that are shown by a counter. 2.6.1, CU-R34"""

STACKED: frozenset[UnitKind] = frozenset({"ship", "monitor", "auxiliary"})
"""Kinds that count against the stacking limit; police beyond the first of a hex is added by the rule itself. CU-R30"""

COMMAND_RATING: dict[HullFamily, int] = {
    "SCS": 10,
    "DN": 10,
    "BCH": 9,
    "BC": 9,
    "CC": 9,
    "CA": 8,
    "CVA": 8,
    "CL": 6,
    "CW": 6,
    "DD": 4,
    "DW": 4,
    "TUG": 4,
    "FF": 3,
    "other": 2,
}
"""Command ratings where a record gives none; a monitor has 3. CU-R29"""

NO_BASES: frozenset[Terrain] = frozenset({"black_hole", "neutron_star", "white_dwarf", "heat", "dust", "pulsar"})
"""Terrain in which no base may be. CU-R09"""

BOARDING_PARTY_LIMIT: dict[BodyKind, int] = {"capital": 600, "major": 300, "minor": 150, "moon": 50}
"""The most boarding parties, and as many crew units, that a planet or a moon may hold. 4.2.4.8"""

GROUND_BASES_A_HEXSIDE: dict[BodyKind, int] = {"capital": 4, "major": 3, "minor": 2, "moon": 1}
"""The most ground bases on a hexside of a planet or a moon. 4.4.9"""

ESCAPE_LIMIT = 3
"""An escape roll succeeds at this or less. 3.3.7.1"""

CLOAKED_ESCAPE = -3
"""What it adds to the escape die that all who escape are cloaked. 3.3.7.1"""

ESCAPE_TERRAIN: dict[str, int] = {"asteroids": -2, "nebula": -3, "dust": -1}
"""What terrain adds to the escape die. 3.3.7.1"""

MINEFIELD, CONSTRUCTION, MOVEMENT, SHIP_PLANS, BASE_PLANS = "minefield", "construction", "movement", "ship", "base"
LOCATION, INSURRECTION, RESOURCES, PLANET_CHECK = "location", "insurrection", "resources", "planet"

MissionKind = Literal[
    "minefield", "construction", "movement", "ship", "base", "location", "insurrection", "resources", "planet"
]

MISSION_NAMES: dict[MissionKind, str] = {
    "minefield": "Minefield Detection",
    "construction": "Construction Plans",
    "movement": "Movement Plot",
    "ship": "Ship Plans",
    "base": "Base Plans",
    "location": "Location Detection",
    "insurrection": "Insurrection",
    "resources": "Resource Check",
    "planet": "Planet Check",
}
"""Nine missions; the tenth of 6.4.1, Counter Intelligence, is the pool that is set aside against the others."""

MISSION_NEEDS: dict[MissionKind, str] = {
    "minefield": "Target: a hex. Is there a minefield?",
    "construction": "Target: a hex with a base. What it built this turn",
    "movement": "Target: a hex. Where its ships go in impulse 1",
    "ship": "Target: a hex (a random ship there), or a ship whose name you know. Its record",
    "base": "No target: leave it blank. The Base Pool, and bases being built",
    "location": "Target: a hex. Number, sizes and hulls of all their units there",
    "insurrection": "Target: a planet that they captured. D6 more rebels",
    "resources": "Target: a hex. CPV stored in cargo and repair boxes",
    "planet": "Target: a planet that they hold. Its troops, ground bases and ships",
}
"""What each mission is aimed at, and what it finds; at most 100 characters, as a menu shows them. 6.4.1"""

MISSION_RULES: dict[MissionKind, str] = {
    "minefield": "6.4.1.1",
    "construction": "6.4.1.2",
    "movement": "6.4.1.3",
    "ship": "6.4.1.4",
    "base": "6.4.1.5",
    "location": "6.4.1.6",
    "insurrection": "6.4.1.7",
    "resources": "6.4.1.9",
    "planet": "6.4.1.10",
}

AIMED_AT_PLANETS: frozenset[MissionKind] = frozenset({"insurrection", "planet"})
AIMED_AT_NOTHING: frozenset[MissionKind] = frozenset({"base"})

INSURRECTIONS_A_PLANET = 5
"""The most insurrection missions against one planet. 6.4.1.7"""
