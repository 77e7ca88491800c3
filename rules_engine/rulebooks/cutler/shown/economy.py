"""A race's economy at a glance, for its owner alone: income, stores, docking bays, sites, freight (4.1 to 4.4).

Each docking bay and site is told with the first turn in which it can be done: as many CPV as its boxes take in each
economics phase from the next one on (4.2.1, 4.4.3).
"""

from collections.abc import Iterable

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.economy.holdings import Economy, EconomyFigure, EconomyPlace, QueuedWork
from rules_engine.rulebooks.cutler.ch02_movement.convoys.under_way import convoys_of, members
from rules_engine.rulebooks.cutler.ch02_movement.movement import top_speed
from rules_engine.rulebooks.cutler.ch02_movement.stages import stages_of_course
from rules_engine.rulebooks.cutler.ch04_economics.building.bases import builders_of, sites_of
from rules_engine.rulebooks.cutler.ch04_economics.docks import docks_of
from rules_engine.rulebooks.cutler.ch04_economics.income import income_of
from rules_engine.rulebooks.cutler.ch04_economics.plan import Place, places_of
from rules_engine.rulebooks.cutler.ch04_economics.repairs import damage
from rules_engine.rulebooks.cutler.ch04_economics.standing.budget import budget_said
from rules_engine.rulebooks.cutler.ch07_maintenance.words import maintenance_warnings
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.records.tables import RESERVE_CAP


@rule("4.1.4", "4.1.5", "4.1.6", "4.4.1", "6.3")
def economy(state: CutlerState, race: Side, *, is_ahead: bool) -> Economy:
    """All that a race owns in CPV; ``is_ahead``: this turn's economics phase is still to come.
    4.1.4, 4.1.5, 4.1.6, 4.4.1, 6.3"""
    if state.setup is not None:
        return Economy()
    turn = state.turn + (not is_ahead)
    places, empire = places_of(state, race), state.empires[race]
    queue: dict[HexId, list[QueuedWork]] = {}
    for hex_id, work in (*_docks(state, race, turn), *_sites(state, race, turn), *_freight(state, race)):
        queue.setdefault(hex_id, []).append(work)
    made = {hex_id: _made(state, race, hex_id, turn) for hex_id in places}
    stored, boxes = (sum(getattr(place, name) for place in places.values()) for name in ("stored", "boxes"))
    figures = (
        EconomyFigure(name=f"Income in turn {turn}", value=f"{sum(made.values())} CPV"),
        EconomyFigure(name="Intelligence Reserve", value=f"{empire.reserve} of {RESERVE_CAP} IP"),
        EconomyFigure(name="Base Pool", value=f"{empire.base_pool} CPV"),
        EconomyFigure(name="Stores", value=f"{stored} CPV in {boxes} cargo boxes"),
    )
    if said := budget_said(state, race):
        figures += (EconomyFigure(name="Standing budget", value=said),)
    return Economy(
        figures=figures,
        places=tuple(
            EconomyPlace(
                hex=hex_id,
                name=_name(state, race, hex_id),
                figures=_figures(places[hex_id], made[hex_id]) if hex_id in places else (),
                queue=tuple(queue.get(hex_id, ())),
            )
            for hex_id in sorted({*places, *queue})
        ),
        losses=(*_unspent(state, race), *maintenance_warnings(state, race)),
    )


def _made(state: CutlerState, race: Side, hex_id: HexId, turn: int) -> int:
    """The CPV that its planets of a hex make in that turn, if they stay as they are."""
    return sum(income_of(planet, turn) for planet in state.planets_of(race) if planet.hex == hex_id)


def _name(state: CutlerState, race: Side, hex_id: HexId) -> str:
    """What a race calls a hex by: its planets and bases there."""
    planets = [planet.name for planet in state.planets_of(race) if planet.hex == hex_id]
    return ", ".join([*planets, *(unit.name for unit in state.units_in(hex_id, race) if unit.kind == "base")])


def _figures(place: Place, made: int) -> tuple[EconomyFigure, ...]:
    told = [("Makes", str(made))] if made or place.made else []
    told += [("Stores", f"{place.stored} of {place.boxes}")] if place.boxes else []
    told += [("Repair boxes", str(place.repair_boxes))] if place.repair_boxes else []
    return tuple(EconomyFigure(name=name, value=value) for name, value in told)


@rule("4.2.1", "4.2.1.3", "4.3.1")
def _docks(state: CutlerState, race: Side, turn: int) -> Iterable[tuple[HexId, QueuedWork]]:
    """Its docking bays, with the first turn in which each can be done. 4.2.1, 4.2.1.3, 4.3.1"""
    for dock in docks_of(state, race).values():
        if dock.work is None:
            yield dock.base.hex, QueuedWork(key=dock.key, what=dock.title, done=f"free, {dock.boxes} repair boxes")
            continue
        work = dock.work
        ship = state.units.get(work.ship)
        rests = ship is not None and bool(damage(ship))
        done = f"{work.paid} of {work.cost} CPV" + (", rests for damage (4.3.1)" if rests else "")
        ready = None if rests else _first(turn, work.cost - work.paid, dock.boxes)
        yield dock.base.hex, QueuedWork(key=dock.key, what=work.title, done=done, ready=ready)


@rule("4.4.2", "4.4.3")
def _sites(state: CutlerState, race: Side, turn: int) -> Iterable[tuple[HexId, QueuedWork]]:
    """Bases that are built at their sites, by the builder that is there now. 4.4.2, 4.4.3, CU-R90"""
    builders = builders_of(state, race)
    for site in sites_of(state, race):
        builder = builders.get(site.key)
        done = f"{site.cost - site.set_aside} of {site.cost} CPV, " + (
            f"{builder.name} builds" if builder else "no tug or large freighter is there (4.4.2)"
        )
        ready = _first(turn, site.set_aside, builder.whole_cargo_boxes) if builder else None
        yield site.hex, QueuedWork(key=site.key, what=site.title, done=done, ready=ready)


@rule("4.2.1", "4.4.3")
def _first(turn: int, left: int, a_turn: int) -> int | None:
    """The first turn in which ``left`` CPV can have gone through so many boxes. 4.2.1, 4.4.3"""
    return turn + max(1, -(-left // a_turn)) - 1 if a_turn else None


@rule("2.7", "4.1.6.1")
def _freight(state: CutlerState, race: Side) -> Iterable[tuple[HexId, QueuedWork]]:
    """CPV on their way in convoys, at the place where they arrive. 2.7, 4.1.6.1"""
    for convoy in convoys_of(state, race):
        units = members(state, convoy)
        cpv = sum(unit.cargo_cpv for unit in units)
        if not (cpv and convoy.course):
            continue
        stages = stages_of_course(state, units[0], min(map(top_speed, units)), len(convoy.course))
        ready = state.turn + len(stages) - 1 if stages else None
        stays = "" if any(unit.unload for unit in units) else ", stays aboard"
        yield convoy.course[-1], QueuedWork(key=convoy.key, what=f"{cpv} CPV by convoy{stays}", ready=ready)


@rule("4.1.6.2")
def _unspent(state: CutlerState, race: Side) -> list[str]:
    """What lies unspent in repair boxes, and is lost with the turn. 4.1.6.2"""
    return [
        f"{unit.repair_cpv} CPV lie unspent in repair boxes in {unit.hex} and are lost with this turn (4.1.6.2)."
        for unit in state.alive(race)
        if unit.repair_cpv
    ]
