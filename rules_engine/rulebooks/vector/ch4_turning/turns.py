"""Turns of 60 degrees. CJD1.41, CJD1.42"""

from collections.abc import Iterable
from typing import NamedTuple

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.space import WAYS, Way, opposite, turned, ways_towards
from rules_engine.rulebooks.vector.ch2_energy.paying import Bill, Price, bill_for, pay
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.ships import FlightFigures, VectorShip
from rules_engine.rulebooks.vector.tables.figures import FREE_TURNS_FROM, TURN_INTERVALS, TURN_POINTS


@rule("CJD1.4", "CJD1.41", "CJD1.411")
def turn_price(figures: FlightFigures) -> Price:
    """What a turn costs: 1 point of warp movement or of impulse power, nothing in size classes 6 and 7; a launched PF
    an element of half its rated speed. CJD1.41, CJD1.411, VM-R26"""
    free = figures.size_class >= FREE_TURNS_FROM
    return Price(0 if free else TURN_POINTS, 0 if free else 1, "turn", "CJD1.41")


@rule("CJD1.42-rate-of-turn")
def turn_interval(figures: FlightFigures) -> int:
    """Impulses from one turn to the next, by the turn mode. CJD1.42-rate-of-turn"""
    return TURN_INTERVALS[figures.turn_mode]


@rule("CJD1.42-rate-of-turn")
def turn_from(ship: VectorShip) -> int:
    """The first impulse, counted from the battle's beginning, on which a unit may turn: its last turn and the interval
    of its turn mode. CJD1.42-rate-of-turn, VM-R19"""
    return ship.turned_on + turn_interval(ship.figures) if ship.turned_on else 0


@rule("CJD1.41", "CJD1.42-rate-of-turn", "CJD1.431")
def turn_objection(ship: VectorShip, clock: int, *, by_impulse: bool = False) -> Objection | None:
    """Why a unit may not turn on an impulse: it tumbles, its interval runs, or it cannot pay. At speed zero it may as
    at any other. CJD1.41, CJD1.42-rate-of-turn, CJD1.44, VM-R35"""
    if ship.tumbling:
        return Objection("it tumbles", "CJD1.431", "a turn", ship.tumbles_until)
    if clock < turn_from(ship):
        mode = ship.figures.turn_mode
        problem = f"turn mode {mode} turns once in {turn_interval(ship.figures)} impulses"
        return Objection(problem, "CJD1.42-rate-of-turn", "a turn", turn_from(ship))
    billed = bill_for(ship, 1, turn_price(ship.figures), by_impulse=by_impulse)
    return billed if isinstance(billed, Objection) else None


@rule("CJD1.41", "CJD1.42-no-effect-on-movement", "CJD1.42-rate-of-turn", "CJD1.44")
def turn(ship: VectorShip, clock: int, sixths: int, *, by_impulse: bool = False) -> None:
    """Turn a unit by a sixth to the right (1) or left (-1): its facing alone, its movement goes on as it was. CJD1.41,
    CJD1.42-no-effect-on-movement, CJD1.44

    Raises:
        ValueError: where ``turn_objection`` has one of cost.
    """
    bill = bill_for(ship, 1, turn_price(ship.figures), by_impulse=by_impulse)
    if not isinstance(bill, Bill):
        raise ValueError(bill.problem)
    pay(ship, bill)
    ship.facing = turned(ship.facing, sixths)
    ship.turned_on = clock


def sixths_to(ship: VectorShip, targets: Iterable[HexId], *, away: bool) -> int:
    """To which side a turn brings a hex nearer to a unit's bow, or to its stern: 1 right, -1 left, 0 if no turn
    does. Of several hexes the one is meant for which the least turning is left; where those lie to both sides, that to
    the right. VM-N46"""
    found = [_turning(ship, target, away=away) for target in targets]
    return min(found, key=lambda one: (one.sixths_left, -one.side)).side if found else 0


class _Turning(NamedTuple):
    """How many sixths a unit has left to turn, and to which side."""

    sixths_left: int
    side: int


def _turning(ship: VectorShip, target: HexId, *, away: bool) -> _Turning:
    ways: list[Way] = [opposite(way) if away else way for way in ways_towards(ship.at, target)]
    off = (WAYS.index(ways[0]) - WAYS.index(ship.facing)) % len(WAYS) if ways else 0
    if off in (0, 1, 2):
        return _Turning(off, min(off, 1))
    if off in (4, 5):
        return _Turning(len(WAYS) - off, -1)
    # right behind: to the side where more of it lies
    return _Turning(off, 1 if len(ways) == 1 or ways[1] == turned(ways[0], -1) else -1)
