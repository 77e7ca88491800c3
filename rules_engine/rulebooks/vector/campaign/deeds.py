"""What is reached at the end of each impulse: who is caught, away, past a buoy, over the line, gathered.

Judged while a piece of a turn is flown. Nobody is told before the piece is over.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from rules_engine.core.basics.base import Frozen, HexId
from rules_engine.core.grids.space import column_row, hexes_between, lattice_of
from rules_engine.rulebooks.vector.campaign.matching import are_matched, gathered_about
from rules_engine.rulebooks.vector.records.aims import EDGE
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.tracker.leaving import put_out


class Deed(Frozen):
    """Something that was reached: by which unit, ``other`` being who caught it, on which impulse of the turn, and the
    ``number`` of the buoy."""

    what: Literal["caught", "away", "passed", "crossed", "gathered"]
    unit: str
    impulse: int
    other: str = ""
    number: int = 0


class Watcher:
    """Judges each impulse of a piece of a turn as it ends, and keeps what was reached in it."""

    def __init__(self, state: VectorState) -> None:
        self._state = state
        self._seen = {one.id: len(one.trail) for one in state.battle.present()}
        self.deeds: list[Deed] = []

    def __call__(self, battle: Tactical) -> None:
        """Judge the impulse that was flown last."""
        entered: dict[str, Sequence[HexId]] = {}
        for one in battle.present():
            entered[one.id] = one.trail[self._seen.get(one.id, len(one.trail)) :]
            self._seen[one.id] = len(one.trail)
        self.deeds += judge_impulse(self._state, entered)


def judge_impulse(state: VectorState, entered: Mapping[str, Sequence[HexId]]) -> list[Deed]:
    """What is reached at the end of an impulse, and carry it out; ``entered`` are the hexes that each unit entered in
    it. Who is beyond the edge is away before anybody is caught. VM-N21"""
    steps: Sequence[Callable[[VectorState, Mapping[str, Sequence[HexId]]], Iterator[Deed]]] = (
        _pass_buoys,
        _leave,
        _catch,
        _cross,
        _gather,
    )
    return [deed for step in steps for deed in step(state, entered)]


def _pass_buoys(state: VectorState, entered: Mapping[str, Sequence[HexId]]) -> Iterator[Deed]:
    """Buoys are passed in their order, by whoever comes near enough to the next. VM-N22"""
    course = course_of(state)
    for captain in state.captains.values():
        if captain.aim not in ("courier", "racer"):
            continue
        for ship in state.flying(captain.id):
            for place in entered.get(ship.id, ()):
                number = captain.passed.get(ship.id, 0)
                while number < len(course) and hexes_between(place, course[number]) <= state.rules.pass_range:
                    number += 1
                    captain.passed[ship.id] = number
                    yield Deed(what="passed", unit=ship.id, impulse=state.battle.impulse, number=number)


def _leave(state: VectorState, _: Mapping[str, Sequence[HexId]]) -> Iterator[Deed]:
    """Couriers beyond the edge are away, and those that have passed all buoys. VM-N21, VM-N22"""
    course = course_of(state)
    for captain in state.with_aim("courier"):
        for ship in state.flying(captain.id):
            behind = state.edge is not None and state.edge.is_behind(column_row(lattice_of(ship.at))[0])
            if behind or (course and captain.passed.get(ship.id, 0) == len(course)):
                put_out(state.battle, [ship.id], "left the map")
                captain.away.append(ship.id)
                yield Deed(what="away", unit=ship.id, impulse=state.battle.impulse)


def _catch(state: VectorState, _: Mapping[str, Sequence[HexId]]) -> Iterator[Deed]:
    """A courier that a hunter matches is caught, in the turns in which that counts. VM-N20"""
    if not catching_counts(state, state.battle.turn):
        return
    hunters = [ship for captain in state.with_aim("hunter") for ship in state.flying(captain.id)]
    for captain in state.with_aim("courier"):
        for ship in state.flying(captain.id):
            by = [one for one in hunters if are_matched(ship, one, state.rules)]
            if not by:
                continue
            put_out(state.battle, [ship.id], "caught")
            for hunter in state.with_aim("hunter"):
                if any(one.side == hunter.id for one in by):
                    hunter.caught.append(ship.id)
            names = " and ".join(one.id for one in by)
            yield Deed(what="caught", unit=ship.id, impulse=state.battle.impulse, other=names)


def _cross(state: VectorState, entered: Mapping[str, Sequence[HexId]]) -> Iterator[Deed]:
    """A racer is home that enters the line after all buoys. VM-N23"""
    line = {place for one in state.battle.terrain if one.kind == "line" and one.id != EDGE for place in one.hexes}
    for captain in state.with_aim("racer"):
        for ship in state.flying(captain.id):
            is_through = captain.passed.get(ship.id, 0) == state.buoys
            if not captain.done_on and is_through and line.intersection(entered.get(ship.id, ())):
                captain.done_on = state.battle.clock
                yield Deed(what="crossed", unit=ship.id, impulse=state.battle.impulse)


def _gather(state: VectorState, _: Mapping[str, Sequence[HexId]]) -> Iterator[Deed]:
    """A squadron has gathered whose ships all match one of them. VM-N24"""
    for captain in state.with_aim("squadron"):
        ships = state.flying(captain.id)
        about = gathered_about(ships, state.rules)
        if about and not captain.done_on and not yet_to_come(state, captain.id):
            captain.done_on = state.battle.clock
            yield Deed(what="gathered", unit=about[0].id, impulse=state.battle.impulse)


def course_of(state: VectorState) -> list[HexId]:
    """The hexes of the buoys, in their order."""
    buoys = sorted((one for one in state.battle.terrain if one.kind == "buoy"), key=lambda one: one.number)
    return [one.hexes[0] for one in buoys]


def catching_counts(state: VectorState, turn: int) -> bool:
    """Whether couriers can be caught in a turn. VM-N20"""
    return not state.rules.match_before or turn < state.rules.match_before


def yet_to_come(state: VectorState, side: str) -> list[VectorShip]:
    """A captain's ships that arrive later."""
    return [one for one in state.fleet(side) if not one.out and one.waits_for > state.battle.turn]
