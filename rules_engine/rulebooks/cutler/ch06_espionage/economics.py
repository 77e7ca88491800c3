"""Chapter 4 (and 6.2, 6.3): income and its allocation."""

from fractions import Fraction
from math import floor

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import MapNote, because
from rules_engine.rulebooks.cutler.records.orders import EconomyLine
from rules_engine.rulebooks.cutler.records.planetary import base_rate
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Planet, Unit
from rules_engine.rulebooks.cutler.records.tables import RESERVE_CAP


@rule("4.1.4", "4.1.4.1", "5.3.1")
def income_of(planet: Planet, turn: int) -> int:
    """CPV the planet makes for its holder in this turn's economics phase, rounded down.

    Razing is taken off first, then a captured planet is halved; it makes nothing until it has been held for a whole
    turn. 4.1.4, 4.1.4.1, 5.3.1, CU-R77, CU-R78, CU-R79
    """
    rate = max(0, base_rate(planet) - planet.razed)
    if planet.captured_turn is None:
        return floor(rate)
    return rate // 2 if turn >= planet.captured_turn + 2 else 0


@rule("4.1.3", "4.1.4.2")
def income(state: CutlerState, race: Side) -> int:
    """A race's new CPV this turn. 4.1.3, 4.1.4.2"""
    return sum(income_of(planet, state.turn) for planet in state.planets_of(race))


@rule("12.0")
def cpv_rate(state: CutlerState, race: Side) -> int:
    """The rate that counts for victory: what its planets would make in the next turn. 12.0"""
    return sum(income_of(planet, state.turn + 1) for planet in state.planets_of(race))


@rule("4.1.4", "5.2.3.1")
def public_rate(state: CutlerState, race: Side) -> int:
    """The rate as everybody can work it out: by the planets held, as if none were razed. 4.1.4, 5.2.3.1, CU-R97a"""
    unrazed = (planet.changed(razed=Fraction(0)) for planet in state.planets_of(race))
    return sum(income_of(planet, state.turn + 1) for planet in unrazed)


@rule("4.1.5")
def cargo_room(state: CutlerState, race: Side) -> dict[HexId, int]:
    """New CPV that can be loaded at each hex: a planet loads only cargo boxes of its own hex. 4.1.5, 4.1.6.1"""
    made: dict[HexId, int] = {}
    for planet in state.planets_of(race):
        made[planet.hex] = made.get(planet.hex, 0) + income_of(planet, state.turn)
    free = dict.fromkeys(made, 0)
    for unit in state.alive(race):
        if unit.hex in free:
            free[unit.hex] += _free_boxes(unit)
    return {hex_id: room for hex_id in sorted(made) if (room := min(made[hex_id], free[hex_id])) > 0}


def _free_boxes(unit: Unit) -> int:
    return unit.record.cargo - unit.cargo_cpv


def allocation(state: CutlerState, race: Side, line: EconomyLine) -> tuple[int, int, int, int]:
    """(Intelligence Reserve, Base Pool, cargo, lost) of a turn's income. 4.1.6.1, CU-R80"""
    new = income(state, race)
    pool = max(0, new - line.reserve - line.cargo) if line.pool is None else line.pool
    return line.reserve, pool, line.cargo, new - line.reserve - line.cargo - pool


@rule("6.3")
def judge_allocation(state: CutlerState, race: Side, line: EconomyLine) -> list[Refusal]:
    """Every defect of an allocation. 4.1.6.1, 6.3, CU-R105"""
    new = income(state, race)
    refusals: list[Refusal] = []
    room = RESERVE_CAP - state.empires[race].reserve
    if line.reserve > room:
        text = f"the Intelligence Reserve holds at most {RESERVE_CAP} IP, so {room} more"
        refusals.append(illegal(text, "6.3, CU-R105", "economy.reserve", legal=f"0 to {min(room, new)}"))
    if line.cargo and line.cargo > (boxes := sum(cargo_room(state, race).values())):
        text = f"cargo boxes beside your planets take {boxes} new CPV"
        refusals.append(illegal(text, "4.1.6.1", "economy.cargo", legal=f"0 to {boxes}"))
    spent = line.reserve + line.cargo + (line.pool or 0)
    if spent > new:
        text = f"{spent} CPV are allocated, {new} were made"
        refusals.append(illegal(text, "4.1.6.1", "economy", legal=f"{new} in all"))
    return refusals


@rule("4.1.3", "4.1.4", "4.4.1", "6.2")
def collect_and_allocate(turn: CutlerTurn, race: Side, line: EconomyLine) -> None:
    """Pay the new CPV into the reserve, the pool and cargo boxes; what is put nowhere is lost.

    4.1.3, 4.1.4, 4.1.6.1, 4.4.1, 6.2
    """
    state = turn.state
    empire = state.empires[race]
    reserve, pool, cargo, lost = allocation(state, race, line)
    empire.last_income = income(state, race)
    empire.reserve += reserve
    empire.base_pool += pool
    _load(state, race, cargo)
    text = f"Income {empire.last_income} CPV: {reserve} to the Intelligence Reserve, {pool} to the Base Pool"
    text += f", {cargo} into cargo boxes" if cargo else ""
    text += f"; {lost} lost" if lost else ""
    why = because("4.1.4, 4.1.6.1", {"planets": len(state.planets_of(race)), "reserve now": empire.reserve})
    noted = MapNote(topic="Treasury", text=f"Turn {state.turn}: {text}.")
    turn.tell([race], f"{text}.", kind="economy", why=why, facts=[noted])


def _load(state: CutlerState, race: Side, cargo: int) -> None:
    for hex_id, room in cargo_room(state, race).items():
        here = min(room, cargo)
        cargo -= here
        for unit in state.units_in(hex_id, race):
            loaded = min(here, _free_boxes(unit))
            unit.cargo_cpv += loaded
            here -= loaded
