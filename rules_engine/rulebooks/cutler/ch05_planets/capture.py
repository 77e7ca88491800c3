"""Chapter 5.3: a planet changes hands, by troops or by a rising."""

from collections.abc import Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_units, parties_in, pass_to
from rules_engine.rulebooks.cutler.records.parts.troops import Landed, squads_in_words
from rules_engine.rulebooks.cutler.records.planetary import GARRISON, base_rate, in_words, number, vehicles_for
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Planet


@rule("5.3", "2.10")
def fighting_for(state: CutlerState, planet: Planet) -> list[Side]:
    """The races that fight for a planet of another with troops there, in the scenario's order: none that is one force
    with its holder and took it together with that. 5.3, 2.10, CU-R127"""
    allies = state.coordination.force_of(planet.owner)
    return [
        race for race in state.races() if planet.landed.get(race) and not (race in planet.guests and race in allies)
    ]


@rule("5.3", "2.10")
def landed_forces(state: CutlerState, planet: Planet) -> list[tuple[Side, ...]]:
    """The same by coordinated forces, each of which fights as one; who fights its own partner is by itself. 5.3, 2.10,
    CU-R127"""
    forces: dict[Side, list[Side]] = {}
    for race in fighting_for(state, planet):
        force = state.coordination.force_of(race)
        forces.setdefault(race if planet.owner in force else force[0], []).append(race)
    return [tuple(force) for force in forces.values()]


@rule("5.3", "2.10")
def captor_among(planet: Planet, force: Sequence[Side]) -> Side:
    """Which race of a force gets the planet: who landed most boarding parties of those that have some left; if equal,
    who is named first in their agreement. 5.3, 2.10, CU-R127"""
    return max(force, key=lambda race: max(planet.landed[race], planet.put_ashore.get(race, 0)))


@rule("5.3", "4.2.4.8")
def holds_out(state: CutlerState, planet: Planet) -> bool:
    """Whether a planet's holder has boarding parties left there, on its surface or in ground bases. 5.3, 4.2.4.8,
    CU-N143"""
    return planet.boarding_parties > 0 or parties_in(ground_units(state, planet)) > 0


@rule("5.3")
def capture_planets(turn: CutlerTurn) -> None:
    """Each planet whose holder has no boarding party left is captured by the one race or coordinated force that has
    some, and so is each moon. 5.3, CU-N34, CU-N110, CU-R127"""
    state = turn.state
    for planet in state.bodies_in_order():
        forces = landed_forces(state, planet)
        if not holds_out(state, planet) and len(forces) == 1:
            _capture(turn, planet, captor_among(planet, forces[0]))


def _capture(turn: CutlerTurn, planet: Planet, captor: Side) -> None:
    """Tell everybody, for planets and their holders are public; and the captor what it has got. 5.3, 1.1.2.3"""
    state = turn.state
    loser = planet.owner
    hand_over(state, planet, captor)
    does = "frees" if planet.captured_turn is None else "captures"
    text = f"The {state.name_of(captor)} {does} {planet.name} ({planet.hex}) from the {state.name_of(loser)}."
    turn.tell_all(text, kind="planet", why=because("5.3, CU-R99"))
    text = f"You hold {planet.name} with {in_words(planet.boarding_parties)}{squads_in_words(planet.squads)}"
    text += f"; razed are {number(planet.razed)} CPV." if base_rate(planet) else "."
    if planet.captured_turn is not None and GARRISON[planet.kind]:
        text += f" A garrison of {GARRISON[planet.kind]} keeps it from a major revolt."
    turn.tell([captor], text, kind="planet", why=because("5.3.3, CU-R97a"))
    for race in (captor, loser):
        state.empires[race].alerts.append(f"{planet.name} changed hands")


@rule("5.3", "5.3.1")
def hand_over(state: CutlerState, planet: Planet, owner: Side) -> None:
    """Give a planet to its new holder, with the holder's troops there; those who live there count no more. It is
    captured in this turn, or in the hands of its first race again. Whoever landed with it as one force keeps its own
    people there. 5.3, 5.3.1, CU-R79, CU-N34, CU-R127"""
    planet.held_before, planet.owner, planet.changed_turn = planet.owner, owner, state.turn
    planet.captured_turn = None if owner == planet.race else state.turn
    planet.boarding_parties = planet.landed.pop(owner, 0)
    beside = planet.landed_with.pop(owner, Landed())
    planet.squads, planet.gcv = beside.squads, min(beside.gcv, vehicles_for(planet.boarding_parties))
    planet.crew_units = planet.shuttles = 0
    planet.put_ashore.pop(owner, None)
    partners = state.coordination.force_of(owner)
    planet.guests = [race for race in state.races() if race in planet.landed and race in partners]
    pass_to(state, planet, owner)
    if planet.key in state.revolts:
        state.revolts.remove(planet.key)
    for fleet in state.fleets_of(owner):
        if fleet.raze == planet.key:
            fleet.raze = ""
