"""Captains who know what they want: they hunt, run, race and gather well enough that duels come to their ends.

For each ship and piece a few dozen plots are foreseen, and the one is taken whose vector at the end is nearest to the
vector that would bring it where it wants to be.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rules_engine.core.basics.base import Json
from rules_engine.core.grids.space import STEPS, Lattice, lattice_of
from rules_engine.rulebooks.vector.campaign.deeds import course_of
from rules_engine.rulebooks.vector.ch4_turning.turns import turn_from
from rules_engine.rulebooks.vector.records.plots import PlotEvent, UnitPlot
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.records.vectors import Vector
from rules_engine.rulebooks.vector.tables.figures import TURN_INTERVALS
from rules_engine.rulebooks.vector.tracker.foreseen import foresee

TURNS = ("", "R", "L", "RR", "LL", "RRR")
THRUSTS = (0, 1, 2, 3, 4, 5, 6, 8, 10)
GAIN = 0.8
"""How much of the way to its goal a ship wants to make in a turn."""
FASTEST = 14
"""How fast a ship wants to be that must come to a stop or a bend."""
FACING = 0.1


class Goal(NamedTuple):
    """The hex that a ship wants to come to, as it lies at the piece's end, the vector that it should have there, and
    how fast it may be under way."""

    at: Lattice
    vector: Lattice = Lattice(0, 0)
    fastest: int = FASTEST


def sheet_of(state: VectorState, side: str) -> dict[str, Json]:
    """A captain's sheet for the piece ahead."""
    return {ship.id: {"plot": best_plot(state, ship)} for ship in state.flying(side)}


def best_plot(state: VectorState, ship: VectorShip) -> str:
    """The words of the plot that serves a ship best."""
    goal = goal_of(state, ship)
    battle, best = state.battle, (float("inf"), "")
    for plot, words in candidates(state, ship):
        seen = foresee(battle, ship.id, plot, battle.piece_end)
        if seen.defects:
            continue
        spot, vector = lattice_of(seen.hex), Vector(says=seen.vector).lattice
        best = min(best, (_cost(goal, spot, vector, STEPS[seen.facing]), words))
    return best[1]


def candidates(state: VectorState, ship: VectorShip) -> Iterator[tuple[UnitPlot, str]]:
    """Plots to choose from: turns as soon as they may be, then one acceleration."""
    battle = state.battle
    first = battle.impulse + 1
    ready = max(first, turn_from(ship) - battle.clock_of(0))
    interval = TURN_INTERVALS[ship.figures.turn_mode]
    for turns in TURNS:
        impulses = [ready + number * interval for number in range(len(turns))]
        last = impulses[-1] if impulses else first
        if last > battle.piece_end:
            continue
        for thrust in THRUSTS:
            events = [
                PlotEvent(action="turn", impulse=impulse, hand="right" if hand == "R" else "left")
                for impulse, hand in zip(impulses, turns, strict=True)
            ]
            words = [f"turn {one.hand} on {one.impulse}" for one in events]
            if thrust:
                events.append(PlotEvent(action="accelerate", impulse=last, amount=thrust))
                words.append(f"accelerate {thrust} on {last}")
            yield UnitPlot(events=tuple(events)), "; ".join(words)


def _cost(goal: Goal, spot: Lattice, vector: Lattice, bow: Lattice) -> float:
    """How far a vector is from the one that is wanted, and a little for a bow that points elsewhere."""
    gap = goal.at.plus(spot, -1)
    wanted = goal.vector.plus(_clamped(gap, goal.fastest))
    missing = wanted.plus(vector, -1)
    helps = missing.length - missing.plus(bow, -1).length
    return missing.length - FACING * helps


def _clamped(gap: Lattice, most: int) -> Lattice:
    """Part of the way, and no more than so many hexes of it."""
    share = min(GAIN, most / gap.length) if gap.length else 0
    return Lattice(round(gap.c * share), round(gap.d * share))


def goal_of(state: VectorState, ship: VectorShip) -> Goal:
    """Where a ship wants to be at the end of the piece ahead."""
    captain = state.captains[ship.side]
    match captain.aim:
        case "courier" if state.edge is not None:
            here = lattice_of(ship.at)
            return Goal(here.plus(STEPS["C"], 99), fastest=40)
        case "hunter":
            prey = [one for other in state.with_aim("courier") for one in state.flying(other.id)]
            return _match(state, ship, prey)
        case "squadron":
            fleet = state.flying(ship.side)
            return _match(state, ship, [one for one in fleet[-1:] if one.id != ship.id])
        case _:
            course = course_of(state)
            passed = captain.passed.get(ship.id, 0)
            if passed < len(course):
                return Goal(lattice_of(course[passed]))
            line = next(one for one in state.battle.terrain if one.kind == "line")
            return Goal(min((lattice_of(one) for one in line.hexes), key=lambda one: _far(one, ship)))


def _match(state: VectorState, ship: VectorShip, others: list[VectorShip]) -> Goal:
    """To be where the nearest of these will be, with its vector; without any, to be at rest."""
    if not others:
        return Goal(lattice_of(ship.at))
    other = min(others, key=lambda one: (_far(lattice_of(one.at), ship), one.id))
    ahead = foresee(state.battle, other.id, UnitPlot(), state.battle.piece_end)
    return Goal(lattice_of(ahead.hex), other.vector.lattice)


def _far(spot: Lattice, ship: VectorShip) -> int:
    return spot.plus(lattice_of(ship.at), -1).length
