"""Invariants: what must never be true of a campaign's state."""

from collections import Counter

from rules_engine.rulebooks.cutler.ch02_movement.convoys.soundness import convoy_defects
from rules_engine.rulebooks.cutler.ch02_movement.coordination import coordination_defects
from rules_engine.rulebooks.cutler.ch02_sorties.returning import sortie_defects
from rules_engine.rulebooks.cutler.ch04_accessories.minefields import minefield_defects
from rules_engine.rulebooks.cutler.ch04_accessories.soundness import load_defects_of_all
from rules_engine.rulebooks.cutler.ch04_economics.soundness import economy_defects
from rules_engine.rulebooks.cutler.records.combat.soundness import work_defects
from rules_engine.rulebooks.cutler.records.combat.terrain import APPROACH
from rules_engine.rulebooks.cutler.records.conditions.soundness import condition_defects
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_on
from rules_engine.rulebooks.cutler.records.parts.moons import moons_of
from rules_engine.rulebooks.cutler.records.parts.planets import Planet
from rules_engine.rulebooks.cutler.records.parts.surface_shuttles import boxes_for_shuttles
from rules_engine.rulebooks.cutler.records.parts.troops import squad_defects
from rules_engine.rulebooks.cutler.records.planetary import base_rate, most_parties, vehicles_for
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.tables import BOARDING_PARTY_LIMIT, GROUND_BASES_A_HEXSIDE, RESERVE_CAP
from rules_engine.rulebooks.cutler.standing.patrols import standing_defects


def defects(state: CutlerState) -> list[str]:
    """Everything impossible in this state; empty when all is well."""
    return [
        *_unit_defects(state),
        *_fleet_defects(state),
        *condition_defects(state),
        *_scan_defects(state),
        *convoy_defects(state),
        *_survey_defects(state),
        *_money_defects(state),
        *economy_defects(state),
        *load_defects_of_all(state),
        *minefield_defects(state),
        *_planet_defects(state),
        *_defects_of_who_is_out(state),
        *_presence_defects(state),
        *coordination_defects(state),
        *sortie_defects(state),
        *work_defects(state),
        *standing_defects(state),
    ]


def _unit_defects(state: CutlerState) -> list[str]:
    found: list[str] = []
    for unit in state.units.values():
        if unit.hex not in state.grid:
            found.append(f"unit {unit.id} is off the map")
        if unit.race not in state.races():
            found.append(f"unit {unit.id} belongs to nobody")
        if not 0 <= unit.warp_ok <= unit.record.warp or not 0 <= unit.impulse_ok <= unit.record.impulse:
            found.append(f"unit {unit.id} has more or fewer engine boxes than it can have")
        if unit.life_support != "full" and not unit.is_derelict:
            found.append(f"unit {unit.id} is no derelict and lacks life support")
        if unit.held_turn > state.turn:
            found.append(f"unit {unit.id} is held in a turn to come")
        if not 0 <= unit.maintained <= state.turn or unit.missed < 0:
            found.append(f"unit {unit.id} was maintained in a turn to come, or missed less than nothing")
        if unit.penalties_doubled and unit.crew_quality != "poor":
            found.append(f"unit {unit.id} has doubled penalties without a poor crew")
        if not 0 <= unit.boarding_parties <= most_parties(unit):
            found.append(f"unit {unit.id} has more or fewer boarding parties than it can have")
        if squad_defects(unit.squads, unit.boarding_parties):
            found.append(f"unit {unit.id} has more or fewer squads than boarding parties")
        if unit.retreat_hex and unit.hex in state.grid and unit.retreat_hex not in state.grid.neighbours(unit.hex):
            found.append(f"unit {unit.id} would retreat to a hex that is not next to it")
    return found + [
        f"planet {planet.key} is nowhere or nobody's"
        for planet in state.planets.values()
        if planet.owner not in state.races() or planet.hex not in state.grid
    ]


def _fleet_defects(state: CutlerState) -> list[str]:
    """Fleets are put in order when all hexes have been fought over, so until then they may hold what is lost."""
    found: list[str] = []
    held = Counter(key for fleet in state.fleets.values() for key in fleet.units)
    for name, fleet in state.fleets.items():
        if not fleet.units:
            found.append(f"fleet {name} is empty")
        strangers = (
            []
            if state.fights
            else [key for key in fleet.units if key not in state.units or state.units[key].race != fleet.race]
        )
        found += [f"fleet {name} holds {key}, which is not of its race" for key in strangers]
        members = [state.units[key] for key in fleet.units if key in state.units]
        if len({unit.hex for unit in members}) > 1:
            found.append(f"fleet {name} is in two hexes")
        if any(unit.destroyed for unit in members) and not state.fights:
            found.append(f"fleet {name} holds a destroyed unit")
        if any(hex_id not in state.grid for hex_id in (*fleet.course, *fleet.scans)):
            found.append(f"fleet {name} is sent off the map")
    found += [f"unit {key} is in {count} fleets" for key, count in held.items() if count > 1]
    found += [
        f"unit {unit.id} moves but is in no fleet" for unit in state.alive() if unit.in_fleets and unit.id not in held
    ]
    return found


def _planet_defects(state: CutlerState) -> list[str]:
    """What planets hold and have lost, and whose they are. 4.2.4.8, 5.2.3.2, 5.3"""
    found = _moon_defects(state) + _ground_base_defects(state)
    for key, planet in state.bodies().items():
        limit, most = BOARDING_PARTY_LIMIT[planet.kind], GROUND_BASES_A_HEXSIDE[planet.kind]
        if not 0 <= planet.razed <= base_rate(planet):
            found.append(f"planet {key} is razed by more or less than it can be")
        if any(not 0 <= held <= limit for held in (planet.boarding_parties, planet.crew_units)):
            found.append(f"planet {key} has more or fewer troops than it can have")
        if not 0 <= planet.gcv <= vehicles_for(planet.boarding_parties):
            found.append(f"planet {key} has more or fewer ground combat vehicles than it can have")
        found += _ground_troop_defects(planet)
        if any(count > most for count in ground_on(state, planet).values()):
            found.append(f"planet {key} has more or fewer ground bases than it can have")
        # What has lost its box in a battle is lost when all hexes have been fought over.
        if planet.shuttles < 0 or (planet.shuttles > boxes_for_shuttles(state, planet) and not state.fights):
            found.append(f"planet {key} has more or fewer shuttles than it has boxes for")
        if planet.owner in planet.landed or any(not 0 < troops <= limit for troops in planet.landed.values()):
            found.append(f"planet {key} is attacked by nobody, by too many, or by its holder")
        if planet.captured_turn is not None and planet.owner == planet.race:
            found.append(f"planet {key} is captured and in its first race's hands")
    found += [f"a revolt on {key}, which is not captured" for key in state.revolts if not _is_captured(state, key)]
    return found + [
        f"fleet {name} is sent to a planet that is none"
        for name, fleet in state.fleets.items()
        if (fleet.raze and fleet.raze not in state.planets) or (fleet.land and fleet.land not in state.bodies())
    ]


def _ground_base_defects(state: CutlerState) -> list[str]:
    """Ground bases stand on a hexside of a planet or a moon of their race, and nothing else does. 4.4.9"""
    bodies = {(body.hex, body.feature): body for body in state.bodies().values()}
    found = [f"unit {unit.id} faces as a ground base does" for unit in state.alive() if _faces_wrongly(unit)]
    for unit in (one for one in state.alive() if one.kind == "ground_base"):
        body = bodies.get((unit.hex, unit.orbit))
        if body is None or body.owner != unit.race:
            found.append(f"ground base {unit.id} stands on nothing of its race")
    return found


def _faces_wrongly(unit: Unit) -> bool:
    return bool(unit.facing) != (unit.kind == "ground_base")


def _moon_defects(state: CutlerState) -> list[str]:
    """Moons are bodies of systems. 1.1.2.4"""
    planets = {planet.hex: planet for planet in state.planets.values()}
    found = [f"{key} is a planet and a moon" for key in state.moons if key in state.planets]
    for key, moon in state.moons.items():
        system = state.systems.get(moon.hex)
        planet = planets.get(moon.hex)
        if system is None or planet is None or key not in moons_of(planet, system):
            found.append(f"there is no moon {key}")
        if moon.owner not in state.races() or moon.kind != "moon":
            found.append(f"the moon {key} is nobody's, or none")
    return found


def _ground_troop_defects(planet: Planet) -> list[str]:
    """Squads that are no boarding parties, and what is with troops that are not there. 4.2.4.8, 5.3.3"""
    found: list[str] = []
    if squad_defects(planet.squads, planet.boarding_parties):
        found.append(f"planet {planet.key} has more or fewer squads than boarding parties")
    for race, beside in planet.landed_with.items():
        troops = planet.landed.get(race, 0)
        if squad_defects(beside.squads, troops) or not 0 <= beside.gcv <= vehicles_for(troops):
            found.append(f"planet {planet.key} is attacked by squads or vehicles that cannot be there")
    return found


def _is_captured(state: CutlerState, key: str) -> bool:
    return key in state.planets and state.planets[key].captured_turn is not None


def _scan_defects(state: CutlerState) -> list[str]:
    """Scans of units that never move. A unit that was lost or captured keeps its orders until the next sheet."""
    return [
        f"{race} would scan {hex_id}, which is not on the map"
        for race, empire in state.empires.items()
        for scans in empire.station_scans.values()
        for hex_id in scans
        if hex_id not in state.grid
    ] + [
        f"{race} has scans by {key}, which does not exist"
        for race, empire in state.empires.items()
        for key in empire.station_scans
        if key not in state.units
    ]


def _survey_defects(state: CutlerState) -> list[str]:
    """What is in unsurveyed space is not known yet."""
    known = {*state.terrain, *(planet.hex for planet in state.planets.values()), *state.last_through}
    found = [f"{hex_id} is unsurveyed, and something is known of it" for hex_id in state.unsurveyed if hex_id in known]
    found += [f"{hex_id} is unsurveyed and not on the map" for hex_id in state.unsurveyed if hex_id not in state.grid]
    return found + [
        f"{hex_id} was passed through last by nobody"
        for hex_id, race in state.last_through.items()
        if race not in state.races() or hex_id not in state.grid
    ]


def _presence_defects(state: CutlerState) -> list[str]:
    """Since when races are where, and who is at which feature of a hex that is fought over. 3.5.4, 3.5.4.2"""
    now = (state.turn, state.impulse)
    found = [
        f"{race} is in {hex_id} since a time to come, or is nobody there"
        for hex_id, present in state.presence.items()
        for race, since in present.items()
        if race not in state.races() or hex_id not in state.grid or (since.turn, since.impulse) > now
    ]
    for hex_id, fight in state.fights.items():
        places = {APPROACH, *(feature.key for feature in fight.ground.features)}
        known = {*state.units, *fight.flights}
        found += [
            f"{key} is at a place of {hex_id} that there is not, or is nobody"
            for key, place in fight.ground.places.items()
            if key not in known or place not in places
        ]
    return found


def _defects_of_who_is_out(state: CutlerState) -> list[str]:
    """Who has something left is in play."""
    strangers = [f"{race} is out of play and no race" for race in state.out if race not in state.races()]
    return strangers + [
        f"{race} is out of play and has units or planets" for race in state.out if not state.has_nothing(race)
    ]


def _money_defects(state: CutlerState) -> list[str]:
    found: list[str] = []
    for race, empire in state.empires.items():
        if not 0 <= empire.reserve <= RESERVE_CAP:
            found.append(f"the reserve of {race} is outside 0 to {RESERVE_CAP}")
        if empire.base_pool < 0 or empire.counter_pool < 0:
            found.append(f"{race} has less than nothing")
    return found
