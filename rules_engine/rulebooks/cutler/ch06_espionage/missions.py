"""Chapter 6: what each mission of 6.4.1 finds when it succeeds. Told to the spy alone."""

from rules_engine.core.basics.counted import counted, with_article
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import Fact, MapNote, because
from rules_engine.rulebooks.cutler.ch02_movement.convoys.police import next_step
from rules_engine.rulebooks.cutler.ch04_accessories.minefields import detected
from rules_engine.rulebooks.cutler.ch06_espionage.findings import heading_of
from rules_engine.rulebooks.cutler.records import ground, tacintel
from rules_engine.rulebooks.cutler.records.accessories.holds import aboard
from rules_engine.rulebooks.cutler.records.conditions.docking import docked_on, in_own_flight
from rules_engine.rulebooks.cutler.records.conditions.officers import officers_in_words
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_on, ground_units, kinds_in_words, parties_in
from rules_engine.rulebooks.cutler.records.parts.troops import squads_in_words
from rules_engine.rulebooks.cutler.records.planetary import in_words, say_with
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Mission, Planet, Unit
from rules_engine.rulebooks.cutler.records.tables import MISSION_RULES, MissionKind, UnitKind

PLANNED: frozenset[UnitKind] = frozenset({"ship", "monitor"})
"""Kinds among which a random ship is drawn. CU-R112a"""


@rule("6.4.1")
def report_success(turn: CutlerTurn, mission: Mission, topic: str) -> None:
    """Tell the spy what it found, and keep it in its file. 6.4.1"""
    finders = {
        "minefield": _minefield,
        "construction": _construction,
        "movement": _movement,
        "ship": _ship,
        "base": _bases,
        "location": _location,
        "insurrection": _insurrection,
        "resources": _resources,
        "planet": _planet,
    }
    found = finders[mission.kind](turn, mission)
    text = f"{heading_of(turn.state, mission)}: {found}"
    facts: list[Fact] = [MapNote(topic=topic, text=f"Turn {turn.state.turn}: {text}")]
    if mission.kind == "location":
        units = in_own_flight(turn.state.units_in(mission.target, mission.against))
        facts += tacintel.sightings(turn.state, mission.spy, mission.against, mission.target, units)
    turn.tell([mission.spy], text, kind="intelligence", why=because(_rule(mission.kind)), facts=facts)


def _rule(kind: MissionKind) -> str:
    return MISSION_RULES[kind]


@rule("6.4.1.1")
def _minefield(turn: CutlerTurn, mission: Mission) -> str:
    """What is found of their minefields in the hex. 6.4.1.1, CU-R110"""
    return detected(turn.state, mission.spy, mission.against, mission.target)


@rule("6.4.1.2")
def _construction(turn: CutlerTurn, mission: Mission) -> str:
    """What the bases in the hex built this turn, and for how many points; not whether it was finished.
    6.4.1.2, CU-R113"""
    state, here = turn.state, mission.target
    bases = [unit for unit in state.units_in(here, mission.against) if unit.kind == "base"]
    if not bases:
        return f"no base of theirs in {here}."
    keys = {base.id for base in bases}
    items = [f"{one.cpv} CPV on {one.item}" for one in state.spent if one.base in keys]
    who = "the base" if len(bases) == 1 else "their bases"
    return f"{who} in {here} built {'; '.join(items) if items else 'nothing'} this turn."


@rule("6.4.1.3")
def _movement(turn: CutlerTurn, mission: Mission) -> str:
    """The impulse-1 plots that were lodged for the hex, by hull; cloaked ships are not seen. 6.4.1.3, CU-N75"""
    state = turn.state
    lodged = state.empires[mission.against].lodged
    plots: dict[str, list[Unit]] = {}
    for unit in in_own_flight(state.units_in(mission.target, mission.against)):
        if (unit.is_mobile or next_step(state, unit)) and not unit.cloaked:
            # No convoy has a move in impulse 1, but a police ship on its way to its post has.
            forced = unit.retreat_hex if unit.in_fleets else next_step(state, unit)
            plots.setdefault(forced or lodged.get(unit.id, ""), []).append(unit)
    if not plots:
        return f"no ships of theirs in {mission.target}."
    said = [
        f"{', '.join(sorted(tacintel.hull_family(unit) for unit in units))} {f'go to {goal}' if goal else 'stay'}"
        for goal, units in sorted(plots.items())
    ]
    return f"in impulse 1, {'; '.join(said)}."


@rule("6.4.1.4")
def _ship(turn: CutlerTurn, mission: Mission) -> str:
    """One ship's record: a named one, or a random one of a hex that is not cloaked. 6.4.1.4, CU-N75, CU-R112a"""
    state = turn.state
    if mission.aimed == "unit":
        ships = [unit for unit in state.alive(mission.against) if unit.id == mission.target]
    else:
        there = state.units_in(mission.target, mission.against)
        ships = [unit for unit in there if unit.kind in PLANNED and not unit.cloaked]
    if not ships:
        return "no such ship in service." if mission.aimed == "unit" else f"no ship of theirs in {mission.target}."
    # The die's faces would tell how many units are there, so nobody may see it before the campaign is over.
    pick = turn.roll("random ship", faces=len(ships), seen_by=[]).total if len(ships) > 1 else 1
    unit = ships[pick - 1]
    state.empires[mission.spy].known_ships[unit.id] = unit.race
    parts = [
        f"{unit.name}, {unit.record.name} ({tacintel.hull_family(unit)}, size class {unit.record.size_class})",
        f"BPV {unit.record.bpv_economic}/{unit.record.bpv_combat}",
        f"warp {unit.warp_ok} of {unit.record.warp}",
        f"impulse {unit.impulse_ok} of {unit.record.impulse}",
        f"crew {unit.crew}",
    ]
    parts += [officers_in_words(unit)] if unit.officers else []
    parts += [f"special sensors {unit.special_sensors_ok}"] if unit.special_sensors_ok else []
    parts += [f"cargo boxes {unit.record.cargo}"] if unit.record.cargo else []
    parts += [in_words(unit.boarding_parties) + squads_in_words(unit.squads)] if unit.boarding_parties else []
    parts += aboard(unit)
    docked = docked_on(state, [unit])
    parts += [f"{counted(len(docked), 'PF')} docked on it"] if docked else []
    parts += ["all figures invented"] if unit.record.invented else []
    return "; ".join(parts) + "."


@rule("6.4.1.5")
def _bases(turn: CutlerTurn, mission: Mission) -> str:
    """The Base Pool, and where which bases are being built or upgraded: those with a builder. 6.4.1.5, CU-N61"""
    state = turn.state
    pool = state.empires[mission.against].base_pool
    sites = [state.sites[key] for key in sorted(state.sites)]
    built = [
        f"{f'an upgrade to {site.into.name}' if site.upgrades else with_article(site.into.name)} in {site.hex}"
        for site in sites
        if site.race == mission.against and site.builder
    ]
    says = f"being built: {', '.join(built)}" if built else "no base is being built or refit"
    return f"{pool} CPV in the Base Pool; {says}."


@rule("6.4.1.6")
def _location(turn: CutlerTurn, mission: Mission) -> str:
    """S1-S5 of all units of that race in the hex, which also become contacts. Cloaked ones that stay may be fought
    in impulse 1 by the spy's ships. 6.4.1.6, CU-R109, CU-R111"""
    state = turn.state
    units = in_own_flight(state.units_in(mission.target, mission.against))
    if not units:
        return f"no unit of theirs in {mission.target}."
    for unit in units:
        if unit.cloaked and mission.spy not in unit.found_by:
            unit.found_by = [*unit.found_by, mission.spy]
    return f"{tacintel.in_words(state.name_of(mission.against), units)}."


@rule("6.4.1.7")
def _insurrection(turn: CutlerTurn, mission: Mission) -> str:
    """D6 more rebels on a captured planet. 6.4.1.7"""
    state = turn.state
    planet = state.planets[mission.target]
    if planet.captured_turn is None:
        return f"{planet.name} is in the hands of its own people; nobody rises."
    die = turn.roll("insurrection", faces=6, seen_by=[mission.spy])
    state.rebels[planet.key] = state.rebels.get(planet.key, 0) + die.total
    return f"{counted(die.total, 'more rebel')} will rise on {planet.name}."


@rule("6.4.1.9")
def _resources(turn: CutlerTurn, mission: Mission) -> str:
    """CPV in the boxes of all units of that race in the hex that are not cloaked. 6.4.1.9, CU-N75"""
    units = turn.state.units_in(mission.target, mission.against)
    stored = sum(unit.cargo_cpv + unit.repair_cpv for unit in units if not unit.cloaked)
    return f"{stored} CPV in cargo and repair boxes."


@rule("6.4.1.10")
def _planet(turn: CutlerTurn, mission: Mission) -> str:
    """What stands on a planet or a moon, and on which hexsides its ground bases. 6.4.1.10, CU-N110"""
    planet = turn.state.bodies()[mission.target]
    parties = f"{in_words(planet.boarding_parties)}{squads_in_words(planet.squads)}"
    people = f"{parties}, {counted(planet.crew_units, 'crew unit')}, {counted(planet.gcv, 'ground vehicle')}"
    landed = "".join(
        f", {in_words(planet.landed[race])}{say_with(planet, race)} of the {turn.state.name_of(race)}"
        for race in turn.state.races()
        if race in planet.landed
    )
    shuttles = (
        f"{counted(planet.shuttles, 'shuttle')} in their boxes" if planet.shuttles else "no other units on the surface"
    )
    on_ground = f"no ships and {shuttles}"
    return f"{people}{landed}; {_ground_bases(turn.state, planet)}, {on_ground}."


@rule("6.4.1.10", "4.2.4.8")
def _ground_bases(state: CutlerState, planet: Planet) -> str:
    """The ground bases, on which hexsides, of which classes if there are several, and the people in them. 6.4.1.10,
    4.2.4.8"""
    units = ground_units(state, planet)
    said = ground.in_words(ground_on(state, planet))
    if len({unit.record.class_id for unit in units}) > 1:
        said += f": {kinds_in_words(units)}"
    parties, crews = parties_in(units), sum(unit.crew_units for unit in units)
    return said + (f" with {in_words(parties)} and {counted(crews, 'crew unit')}" if parties or crews else "")
