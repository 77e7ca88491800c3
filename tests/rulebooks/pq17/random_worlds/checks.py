"""What must hold in a random world besides the rulebook's own invariants, and a count of what happened in it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any
from unittest import mock

from rules_engine.core.basics.base import HexId, Side
from rules_engine.rulebooks.pq17 import sequence
from rules_engine.rulebooks.pq17.ch05_movement.movement import current_speed, has_point
from rules_engine.rulebooks.pq17.ch10_supply.fuel import can_move
from rules_engine.rulebooks.pq17.plotting import impulse_plots
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import FUEL_PER_HEX

SAID: dict[str, str] = {
    "mine attack": " mine attack",
    "mines laid": " laid ",
    "minesweeping": " swept minefield ",
    "pursuit": " pursues E",
    "shadowing begun": " shadows it from now on",
    "shadowing ended": " no longer shadows ",
    "command points expended": " command point",
    "raid": "raid on ",
    "arrival": " came on in ",
}
"""Words of reports that tell that something happened."""
MUST_HAPPEN = (
    *SAID,
    "battle",
    "chain of shadowing",
    "long chain of shadowing",
    "payment to exactly zero",
    "port entered",
    "port left",
    "ship towed on",
    "pod carried on",
    "warp off",
    "end of a period",
)
"""What a sample of some worlds must have seen, or the sweep has gone blind."""


@dataclass
class Watch:
    """Watches a world being played."""

    happened: Counter[str] = field(default_factory=Counter[str])
    problems: list[str] = field(default_factory=list[str])
    paid: set[str] = field(default_factory=set[str])
    """Ships whose task force paid for a movement point in this impulse. A force formed after a battle inherits the plot
    of its sources (ruling CMB-19), so ships that joined these may move without having paid."""
    owners: dict[str, Side] = field(default_factory=dict[str, Side])
    """Whose each ship was then: prizes are of the force that took them and inherit its plot, too (ruling CMB-13)."""

    def over(self) -> AbstractContextManager[Any]:
        """Watch payments and moves while the world is played."""
        stack = ExitStack()
        expend, move = impulse_plots.expend_fuel, sequence.move

        def watched_expend(state: State) -> None:
            movers = [tf for tf in state.all_task_forces() if not tf.is_base and has_point(state, tf)]
            prices = {tf.id: dict(_prices(state, tf)) for tf in movers}
            before = {unit.id: unit.fuel for unit in state.units.values()}
            expend(state)
            self.paid = {unit_id for tf in movers for unit_id in tf.units}
            self.owners = {unit.id: unit.side for unit in state.units.values()}
            self._payments(state, before, prices)

        def watched_move(state: State, side: str, staying: Any = (), behind: Any = ()) -> list[TaskForce]:
            before = {tf.id: tf.hex for tf in state.all_task_forces()}
            ports = {tf.id: tf.in_port for tf in state.all_task_forces()}
            moved = move(state, side, staying, behind)
            self._moves(state, before, ports)
            return moved

        stack.enter_context(mock.patch.object(impulse_plots, "expend_fuel", watched_expend))
        stack.enter_context(mock.patch.object(sequence, "move", watched_move))
        return stack

    # --- payments and moves -------------------------------------------------------------------------------------------

    def _payments(
        self, state: State, before: Mapping[str, Fraction], prices: Mapping[str, Mapping[str, Fraction]]
    ) -> None:
        """Every task force with a movement point has paid for it, ship by ship, and nobody else has."""
        due: Counter[str] = Counter()
        for shares in prices.values():
            due.update(shares)  # pyright: ignore[reportArgumentType]
        for tf in state.all_task_forces():
            units = state.units_of(tf)
            if tf.tows:
                paid = sum((before[unit.id] - unit.fuel for unit in units), Fraction(0))
                wanted = sum((due[unit.id] for unit in units), Fraction(0))
                if paid != wanted:
                    self.problems.append(f"{tf.id} paid {paid} for a movement point instead of {wanted}")
                continue
            for unit in units:
                paid = before[unit.id] - unit.fuel
                if paid != due[unit.id]:
                    self.problems.append(f"{unit.id} of {tf.id} paid {paid} instead of {due[unit.id]}")

    def _moves(self, state: State, before: Mapping[str, HexId], ports: Mapping[str, str]) -> None:
        """Nobody enters a hex without having paid, and none but the nearest."""
        for tf in state.all_task_forces():
            if tf.hex == before[tf.id]:
                if tf.in_port != ports[tf.id]:
                    self.happened["port entered" if tf.in_port else "port left"] += 1
                    self._is_paid(state, tf, f"went in or out of port in {tf.hex}")
                continue
            if not _began_to_shadow(state, tf):
                self._is_paid(state, tf, f"moved from {before[tf.id]} to {tf.hex}")
            if state.grid.distance(tf.hex, before[tf.id]) != 1 or tf.in_port:
                self.problems.append(f"{tf.id} moved from {before[tf.id]} to {tf.hex}, in port of {tf.in_port!r}")
            self.happened["ship towed on"] += bool(tf.tows)
            self.happened["pod carried on"] += any(unit.carried_by for unit in state.units_of(tf))

    def _is_paid(self, state: State, tf: TaskForce, what: str) -> None:
        """Some ship of the force has paid for what it did, unless all are prizes taken since, with what they carry."""
        prizes = all(self.owners.get(unit.id) != unit.side for unit in state.units_of(tf))
        if not prizes and self.paid.isdisjoint(tf.units):
            self.problems.append(f"{tf.id} {what} and has not paid")


def _began_to_shadow(state: State, tf: TaskForce) -> bool:
    """Whether it, or a force that it shadows, began to shadow in this impulse: then it moves along with a target whose
    movement point it did not earn when fuel was expended (7.2.3, 7.3.1, ruling SHD-4)."""
    ahead, seen = tf, list[str]()
    while ahead.shadowing in state.task_forces and ahead.id not in seen:
        if state.has_mark(ahead, "declared_shadowing"):
            return True
        seen.append(ahead.id)
        ahead = state.task_forces[ahead.shadowing]
    return False


def _prices(state: State, tf: TaskForce) -> Iterator[tuple[str, Fraction]]:
    """What each ship owes for one movement point by table 1: its movement cost and its pods', if it has warp boxes.

    Ships that tow each other share their sum, so only it is right for them."""
    a_hex = FUEL_PER_HEX[current_speed(state, tf)]
    towed = {unit_id: tow for tow in tf.tows for unit_id in (tow.tower, *tow.towed)}
    for unit in state.units_of(tf):
        kind = state.class_of(unit)
        carrier = state.units.get(unit.carried_by)
        if carrier is not None and carrier.id in tf.units and kind.unit_kind != "ship":
            continue
        aboard = [one for one in state.units_of(tf) if one.carried_by == unit.id]
        pods = [one for one in aboard if state.class_of(one).unit_kind == "pod"]  # modules are cargo
        mass = sum((state.class_of(one).move_cost for one in (unit, *pods)), Fraction(0))
        tow = towed.get(unit.id)
        if tow is None:
            moves = unit.warp > 0
        else:
            members = (tow.tower, *tow.towed)
            moves = any(state.units[one].warp for one in members if one not in tow.engines_off)
        yield unit.id, a_hex * mass if moves else Fraction(0)


# --- what must hold between the steps ---------------------------------------------------------------------------------


def state_problems(state: State, kinds: set[str]) -> Iterator[str]:
    """What is wrong in a state while asks of these ``kinds`` are open."""
    for tf in state.all_task_forces():
        for unit in state.units_of(tf):
            if unit.fuel < 0 or unit.fate not in ("in play", "captured"):
                yield f"{unit.id} in {tf.id} is {unit.fate} with fuel {unit.fuel}"
        target = state.task_forces.get(tf.shadowing)
        if tf.shadowing and kinds == {"plot"}:
            if target is None or target.hex != tf.hex:
                yield f"{tf.id} shadows {tf.shadowing}, which is not in its hex"
            elif target.shadowing or not can_move(state, target, current_speed(state, target)):
                pass  # plots may still change its speed (ruling PQ-192)
            elif has_point(state, tf) and not can_move(state, tf, current_speed(state, tf)):
                yield f"{tf.id} shadows {tf.shadowing} without fuel for its next hex"
    for key, account in sorted(state.progress.command.items()):
        if min(account.bank, account.spent, account.entries) < 0:
            yield f"{key} has {account}"
    if state.total() != sum((line.amount for line in state.ledger), Fraction(0)):
        yield "the total is not the sum of the lines"
