"""Chapter 5.3 and 4.2.4.8: ships land troops after combat, on planets of others and on their own."""

from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.records.accessories.holds import put
from rules_engine.rulebooks.cutler.records.parts.surface_shuttles import boxes_for_shuttles, take_spare_shuttles
from rules_engine.rulebooks.cutler.records.parts.troops import Landed, Squads, drawn, plus, squads_in_words
from rules_engine.rulebooks.cutler.records.planetary import (
    can_land,
    crew_room,
    in_words,
    is_free_to_act,
    room_for,
    vehicles_for,
)
from rules_engine.rulebooks.cutler.records.state import CutlerTurn, Fleet, Planet, Unit
from rules_engine.rulebooks.cutler.standing.precedence import order_of


@rule("5.3", "4.2.4.8")
def land_troops(turn: CutlerTurn) -> None:
    """Land the troops of every fleet that stands where it was plotted to land them, on a planet or a moon; the order is
    then carried out. 5.3, 4.2.4.8, CU-N32, CU-N110
    """
    state = turn.state
    for race in state.races():
        for fleet in state.fleets_of(race):
            planet = state.bodies().get(fleet.land) or _by_standing_orders(turn, fleet)
            if planet is None:
                continue
            ships = [unit for unit in state.members(fleet) if is_free_to_act(unit, planet.feature)]
            if ships and ships[0].hex == planet.hex:
                _land(turn, fleet, ships, planet)


def _by_standing_orders(turn: CutlerTurn, fleet: Fleet) -> Planet | None:
    """The planet of others on which a fleet lands its troops because standing orders say so, of which it is told: one
    where it stands free, of no race of its own force; None while it has another order for planets. 5.3"""
    state = turn.state
    given = order_of(state, fleet.race, fleet, "land")
    if given is None or given.value != "land" or fleet.raze:
        return None
    force = state.coordination.force_of(fleet.race)
    for key in sorted(state.planets):
        planet = state.planets[key]
        ships = [unit for unit in state.members(fleet) if is_free_to_act(unit, planet.feature)]
        here = bool(ships) and ships[0].hex == planet.hex and planet.owner not in force
        if here and can_land(ships) and any(unit.boarding_parties for unit in ships) and room_for(planet, fleet.race):
            why = because("5.3", {given.whose: f"“{given.clause}”"})
            turn.tell([fleet.race], f"{fleet.key} is to land on {planet.name}.", kind="doctrine", why=why)
            return planet
    return None


def _land(turn: CutlerTurn, fleet: Fleet, ships: list[Unit], planet: Planet) -> None:
    state, race = turn.state, fleet.race
    able = can_land(ships)
    _leave_shuttles(turn, fleet, ships, planet)
    crews = _land_crews(fleet, ships, planet) if able else 0
    wanted = sum(unit.boarding_parties for unit in ships)
    if fleet.parties is not None:
        wanted = min(wanted, fleet.parties)
    landed = min(wanted, room_for(planet, race)) if able else 0
    fleet.land, fleet.parties, fleet.crews = "", None, None
    squads = _unload(ships, landed)
    if planet.owner == race:
        planet.squads = plus(planet.squads, squads)
        planet.boarding_parties += landed
        vehicles = _land_vehicles(ships, vehicles_for(planet.boarding_parties) - planet.gcv) if able else 0
        planet.gcv += vehicles
    elif landed or planet.landed.get(race):
        troops = planet.landed[race] = planet.landed.get(race, 0) + landed
        beside = planet.landed_with.get(race, Landed())
        vehicles = _land_vehicles(ships, vehicles_for(troops) - beside.gcv) if able else 0
        planet.landed_with[race] = Landed(squads=plus(beside.squads, squads), gcv=beside.gcv + vehicles)
        planet.put_ashore[race] = planet.put_ashore.get(race, 0) + landed
        # Who lands more on the planet of a partner attacks it, with all that it has there. CU-R127
        planet.guests = [one for one in planet.guests if one != race]
    else:
        vehicles = 0
    if planet.owner != race and landed + vehicles:
        text = f"{state.name_of(race)} troops land on {planet.name} ({planet.hex})."
        turn.tell([planet.owner], text, kind="planet", why=because("5.3"))
        state.empires[planet.owner].alerts.append(f"{planet.name} is attacked")
    if not (wanted or vehicles or crews):
        return  # there are but shuttles to be left
    why = because("4.2.4.8, CU-N32", {"wanted": wanted, "shuttles or transporters": "yes" if able else "none"})
    more = f", {counted(vehicles, 'ground combat vehicle')}" if vehicles else ""
    more += f", {counted(crews, 'crew unit')}" if crews else ""
    text = f"{fleet.key} lands {in_words(landed)}{squads_in_words(squads)}{more} on {planet.name} ({planet.hex})."
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


def _unload(ships: list[Unit], parties: int) -> Squads:
    """Take so many boarding parties from the ships, from those with the most of them first; the squads of other kinds
    among them. 4.2.4.8, 5.3.3, CU-N126"""
    taken: Squads = {}
    for unit in sorted(ships, key=lambda one: (-one.boarding_parties, one.id)):
        part = min(parties, unit.boarding_parties)
        taken = plus(taken, drawn(unit.squads, unit.boarding_parties, part))
        unit.lose_parties(part)
        parties -= part
    return taken


@rule("4.2.4.8")
def _land_vehicles(ships: list[Unit], most: int) -> int:
    """Land the ground combat vehicles aboard, one for every ten boarding parties there at most; how many. 4.2.4.8,
    CU-N125"""
    landed = 0
    for unit in ships:
        for lots in (unit.holds, unit.stowed):
            for key in sorted(key for key, lot in lots.items() if lot.item.kind == "vehicle"):
                part = max(0, min(most - landed, lots[key].count))
                put(lots, key, lots[key].item, -part)
                landed += part
    return landed


@rule("4.2.4.8")
def _land_crews(fleet: Fleet, ships: list[Unit], planet: Planet) -> int:
    """Land crew units on a planet of their race, as far as there is room, from the ships with the most of them first;
    each keeps one. How many. 4.2.4.8, CU-N125"""
    left = total = min(fleet.crews or 0, crew_room(planet)) if planet.owner == fleet.race else 0
    for unit in sorted(ships, key=lambda one: (-one.crew_units, one.id)):
        part = min(left, max(0, unit.crew_units - 1))
        unit.crew_units -= part
        left -= part
    planet.crew_units += total - left
    return total - left
