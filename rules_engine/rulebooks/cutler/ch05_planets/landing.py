"""Chapter 5.3 and 4.2.4.8: ships land troops after combat, on planets of others and on their own."""

from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.records.parts.surface_shuttles import boxes_for_shuttles, take_spare_shuttles
from rules_engine.rulebooks.cutler.records.planetary import can_land, in_words, is_free_to_act, room_for
from rules_engine.rulebooks.cutler.records.state import CutlerTurn, Fleet, Planet, Unit


@rule("5.3", "4.2.4.8")
def land_troops(turn: CutlerTurn) -> None:
    """Land the troops of every fleet that stands where it was plotted to land them, on a planet or a moon; the order is
    then carried out. 5.3, 4.2.4.8, CU-N32, CU-N110
    """
    state = turn.state
    for race in state.races():
        for fleet in state.fleets_of(race):
            planet = state.bodies().get(fleet.land)
            if planet is None:
                continue
            ships = [unit for unit in state.members(fleet) if is_free_to_act(unit, planet.feature)]
            if ships and ships[0].hex == planet.hex:
                _land(turn, fleet, ships, planet)


def _land(turn: CutlerTurn, fleet: Fleet, ships: list[Unit], planet: Planet) -> None:
    state, race = turn.state, fleet.race
    _leave_shuttles(turn, fleet, ships, planet)
    wanted = sum(unit.boarding_parties for unit in ships)
    if not wanted:
        fleet.land, fleet.parties = "", None
        return
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


@rule("4.2.4.8", "5.3.3")
def _leave_shuttles(turn: CutlerTurn, fleet: Fleet, ships: list[Unit], body: Planet) -> None:
    """Leave shuttles in boxes of one's own ground bases, as far as there is room. 4.2.4.8, 5.3.3, CU-N115"""
    state, wanted, fleet.shuttles = turn.state, fleet.shuttles, 0
    if not wanted:
        return
    room = boxes_for_shuttles(state, body) - body.shuttles if body.owner == fleet.race else 0
    left = take_spare_shuttles(ships, min(wanted, room))
    body.shuttles += left
    text = f"{fleet.key} leaves {counted(left, 'shuttle')} on {body.name} ({body.hex})."
    why = because("4.2.4.8, CU-N115", {"wanted": wanted, "room": room})
    turn.tell([fleet.race], text, kind="planet", why=why)


def _unload(ships: list[Unit], parties: int) -> None:
    """Take so many boarding parties from the ships, from those with the most of them first."""
    for unit in sorted(ships, key=lambda one: (-one.boarding_parties, one.id)):
        taken = min(parties, unit.boarding_parties)
        unit.boarding_parties -= taken
        parties -= taken
