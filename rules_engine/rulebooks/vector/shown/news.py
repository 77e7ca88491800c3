"""What matters most for what captains want: how far couriers are from the edge, who nearly matches them, which buoy is
next."""

from collections.abc import Collection, Iterable

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.grids.space import column_row, hexes_between, lattice_of
from rules_engine.core.grids.unbounded import Space
from rules_engine.core.knowledge.glance import MOST_NEWS
from rules_engine.core.knowledge.tactical_scene import TacticalNews
from rules_engine.rulebooks.vector.campaign.deeds import course_of
from rules_engine.rulebooks.vector.campaign.matching import relative_speed
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.records.vectors import Vector
from rules_engine.rulebooks.vector.shown.scenes import approaches

MOST_OF_AIMS = 2
"""Sentences about aims; the third is left for who meets whom."""


def map_news(
    state: VectorState, units: Collection[VectorShip], side: Side | None, *, knows_all: bool = False
) -> tuple[TacticalNews, ...]:
    """What matters most to a captain, or to anybody, of what is to be seen of these units: their aims, then who comes
    close to whom. Each of the sentences is about another place, and none about who is yet to arrive."""
    units = [one for one in units if one.waits_for <= max(1, state.battle.turn)]
    aim = None if side is None else state.captains[side].aim
    own = [one for one in units if one.side == side] if aim in ("racer", "squadron") else units
    steps = (_nearly_matched, _to_the_edge, _next_buoys, _gathering)
    found = sorted((said for step in steps for said in step(state, own)), key=lambda one: (one[0], one[1].codes))
    mine = {one.id for one in units if one.side == side}
    wanted = [
        *(_at_the_other(said, mine) for _, said in found),
        *approaches(state.battle, units, side, knows_all=knows_all),
    ]
    places = {one.id: one.at for one in units}
    chosen: list[TacticalNews] = []
    for said in wanted:
        pins = [places[one.codes[0]] for one in chosen]
        is_about_aims = said in wanted[: len(found)]
        if len(chosen) == MOST_NEWS or (is_about_aims and len(chosen) == MOST_OF_AIMS):
            continue
        if all(hexes_between(pin, places[said.codes[0]]) >= Space.near for pin in pins):
            chosen.append(said)
    return tuple(chosen)


def _at_the_other(said: TacticalNews, mine: Collection[str]) -> TacticalNews:
    """The same, with its number at the other's unit: beside one's own stands what it is to do, and not the sentence."""
    theirs = [one for one in said.codes if one not in mine]
    return said.with_values(codes=(*theirs, *(one for one in said.codes if one in mine))) if theirs else said


def _nearly_matched(state: VectorState, units: Collection[VectorShip]) -> Iterable[tuple[int, TacticalNews]]:
    """How far hunters are from a courier, in hexes and by the thrust that would match its vector."""
    for courier in (one for one in units if state.captains[one.side].aim == "courier"):
        for hunter in (one for one in units if state.captains[one.side].aim == "hunter"):
            hexes, speed = hexes_between(courier.at, hunter.at), relative_speed(courier.vector, hunter.vector)
            off = Vector.of(courier.vector.lattice.plus(hunter.vector.lattice, -1)).says
            said = f"{hunter.id} {counted(hexes, 'hex')} from {courier.id}, {off} off its vector"
            yield hexes + speed, TacticalNews(says=said, codes=(hunter.id, courier.id))


def _to_the_edge(state: VectorState, units: Collection[VectorShip]) -> Iterable[tuple[int, TacticalNews]]:
    if state.edge is None:
        return
    for one in units:
        if state.captains[one.side].aim == "courier":
            columns = abs(state.edge.column - column_row(lattice_of(one.at))[0])
            yield columns, TacticalNews(says=f"{one.id} {counted(columns, 'column')} from the edge", codes=(one.id,))


def _next_buoys(state: VectorState, units: Collection[VectorShip]) -> Iterable[tuple[int, TacticalNews]]:
    course = course_of(state)
    for one in units:
        captain = state.captains[one.side]
        passed = captain.passed.get(one.id, 0)
        if captain.aim == "racer" and passed < len(course):
            hexes = hexes_between(one.at, course[passed])
            said = f"{one.id} {counted(hexes, 'hex')} from buoy {passed + 1}"
            yield hexes, TacticalNews(says=said, codes=(one.id,))


def _gathering(state: VectorState, units: Collection[VectorShip]) -> Iterable[tuple[int, TacticalNews]]:
    """How far the ship of each squadron is that is farthest from its middle."""
    for captain in state.with_aim("squadron"):
        ships = [one for one in units if one.side == captain.id]
        if len(ships) > 1:
            spread = {one.id: max(hexes_between(one.at, other.at) for other in ships) for one in ships}
            centre = min(spread, key=lambda one: (spread[one], one))
            said = f"all of {captain.emblem} within {counted(spread[centre], 'hex')} of {centre}"
            yield spread[centre], TacticalNews(says=said, codes=(centre,))
