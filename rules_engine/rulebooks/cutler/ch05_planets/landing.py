"""Chapter 5.3 and 4.2.4.8: ships land troops after combat, on planets of others and on their own."""

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.records.planetary import can_land, in_words, is_free_to_act, room_for
from rules_engine.rulebooks.cutler.records.state import CutlerTurn, Fleet, Planet, Unit


@rule("5.3", "4.2.4.8")
def land_troops(turn: CutlerTurn) -> None:
    """Land the troops of every fleet that stands where it was plotted to land them; the order is then carried out.

    5.3, 4.2.4.8, CU-N32
    """
    state = turn.state
    for race in state.races():
        for fleet in state.fleets_of(race):
            planet = state.planets.get(fleet.land)
            ships = [unit for unit in state.members(fleet) if is_free_to_act(unit)]
            if planet is not None and ships and ships[0].hex == planet.hex:
                _land(turn, fleet, ships, planet)


def _land(turn: CutlerTurn, fleet: Fleet, ships: list[Unit], planet: Planet) -> None:
    state, race = turn.state, fleet.race
    wanted = sum(unit.boarding_parties for unit in ships)
    if fleet.parties is not None:
        wanted = min(wanted, fleet.parties)
    landed = min(wanted, room_for(planet, race)) if can_land(ships) else 0
    fleet.land, fleet.parties = "", None
    _unload(ships, landed)
    if planet.owner == race:
        planet.boarding_parties += landed
    elif landed:
        planet.landed[race] = planet.landed.get(race, 0) + landed
        text = f"{state.name_of(race)} troops land on {planet.name} ({planet.hex})."
        turn.tell([planet.owner], text, kind="planet", why=because("5.3"))
        state.empires[planet.owner].alerts.append(f"{planet.name} is attacked")
    why = because("4.2.4.8, CU-N32", {"wanted": wanted, "shuttles": "yes" if can_land(ships) else "none"})
    text = f"{fleet.key} lands {in_words(landed)} on {planet.name} ({planet.hex})."
    turn.tell([race], text, kind="planet", why=why)


def _unload(ships: list[Unit], parties: int) -> None:
    """Take so many boarding parties from the ships, from those with the most of them first."""
    for unit in sorted(ships, key=lambda one: (-one.boarding_parties, one.id)):
        taken = min(parties, unit.boarding_parties)
        unit.boarding_parties -= taken
        parties -= taken
