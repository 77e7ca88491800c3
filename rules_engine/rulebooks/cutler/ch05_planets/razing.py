"""Chapter 5.2: razing planets after combat, and how they recover."""

from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import MapNote, because
from rules_engine.core.protocol.accounts import in_a_row
from rules_engine.rulebooks.cutler.records.conditions.towing import under_way
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_bases_in
from rules_engine.rulebooks.cutler.records.planetary import (
    base_rate,
    is_free_to_act,
    number,
    razing_potential,
    witnesses,
)
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Planet, Unit

FILE = "Intelligence file"
"""Where those who learn of a planet's razing find it again."""


@rule("5.2", "5.2.2", "5.2.4", "2.4.1.5")
def razers_of(state: CutlerState, planet: Planet, race: Side) -> list[Unit]:
    """A race's ships that raze the planet in this impulse: those of its fleets that were plotted to and stand in its
    hex, if they neither disengaged nor escaped, and are not towed. A ship is in one fleet, so it razes one
    planet at most.

    5.2, 5.2.2, 5.2.4, 2.4.1.5, CU-R21, CU-R98
    """
    return [
        unit
        for fleet in state.fleets_of(race)
        if fleet.raze == planet.key and planet.owner != race
        for unit in under_way(state.members(fleet))
        if unit.hex == planet.hex and is_free_to_act(unit) and razing_potential(unit)
    ]


@rule("5.2", "5.2.2", "5.2.3", "5.2.3.1", "5.2.3.2")
def raze_planets(turn: CutlerTurn) -> None:
    """Raze every planet that ships were plotted to raze: each point of their potential takes one CPV of its output, and
    nothing else. A ground base that is intact in the hex, on a moon too, keeps others than its own race from that.

    5.2, 5.2.2, 5.2.3, 5.2.3.1, 5.2.3.2, CU-R97, CU-N112
    """
    state = turn.state
    for key in sorted(state.planets):
        planet = state.planets[key]
        forces = {race: ships for race in state.races() if (ships := razers_of(state, planet, race))}
        hindered = [race for race in forces if ground_bases_in(state, planet.hex, but=race)]
        unaware = [race for race in hindered if planet.spared.get(race) != state.turn]
        if unaware:
            text = f"{planet.name} is not razed: a ground base in its hex is intact."  # how many is its holder's secret
            turn.tell(unaware, text, kind="planet", why=because("5.2.3, CU-R98"))
            planet.spared |= dict.fromkeys(unaware, state.turn)
        forces = {race: ships for race, ships in forces.items() if race not in hindered}
        if not forces:
            continue
        points, before = sum(razing_potential(unit) for ships in forces.values() for unit in ships), planet.razed
        planet.razed = min(planet.razed + points, Fraction(base_rate(planet)))
        if planet.razed != before:  # of a planet that has nothing left to lose all have been told
            _tell_of_razing(turn, planet, list(forces), points)


def _tell_of_razing(turn: CutlerTurn, planet: Planet, razers: list[Side], points: int) -> None:
    """Tell its owner and all who have a unit there what it has lost in all. Its owner is asked for plots because of it
    once a turn. CU-R97a, CU-N03, CU-N146"""
    state = turn.state
    by = in_a_row([state.name_of(race) for race in razers])
    text = f"{planet.name} ({planet.hex}) is razed by the {by}: {points} points, {number(planet.razed)} CPV in all."
    noted = MapNote(topic=FILE, text=f"Turn {state.turn}, impulse {state.impulse}: {text}")
    why = because("5.2.3.2, CU-R97", {"points": points, "of": number(base_rate(planet))})
    for audience in witnesses(state, planet):
        turn.tell(audience, text, kind="planet", why=why, facts=[noted])
    if planet.owner not in razers and planet.news_turn != state.turn:
        planet.news_turn = state.turn
        state.empires[planet.owner].alerts.append(f"{planet.name} is razed")


@rule("5.2.5", "5.3.1")
def recover_from_razing(turn: CutlerTurn) -> None:
    """Give each razed planet a tenth of its original output back, after the turn's income; a captured one half of that.

    5.2.5, 5.3.1, CU-R97
    """
    state = turn.state
    for key in sorted(state.planets):
        planet = state.planets[key]
        if not planet.razed:
            continue
        share = base_rate(planet) / Fraction(10 if planet.captured_turn is None else 20)
        planet.razed = max(Fraction(0), planet.razed - share)
        text = f"{planet.name} ({planet.hex}) recovers {number(share)} CPV: {number(planet.razed)} CPV razed in all."
        for audience in witnesses(state, planet):
            turn.tell(audience, text, kind="planet", why=because("5.2.5, CU-R97"))
