"""Drafts: task forces as a planning sheet would make them.

Judging, reading back, the map and carrying out all use the same drafts, so that they cannot differ.
PQ-17 SOP.2.a.i to SOP.2.a.iii.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import pools, spare_ids, successor
from rules_engine.rulebooks.pq17.ch05_movement.postures import (
    force_posture,
    posture_refusals,
    settle_speed,
    speed_refusals,
    tow_refusals,
)
from rules_engine.rulebooks.pq17.ch05_movement.ship_figures import figure_refusals, give_figures, is_changed
from rules_engine.rulebooks.pq17.ch05_movement.speeds import practical_speed
from rules_engine.rulebooks.pq17.orders.order_sheets import PlanLine, posture_of, read_name, read_tows
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.plotting.errands import ErrandMoves, errand_orders, parted
from rules_engine.rulebooks.pq17.plotting.force_drafts import ForceDraft, standing_orders_text
from rules_engine.rulebooks.pq17.plotting.routes import read_route, stored_route
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.progress import ErrandStage
from rules_engine.rulebooks.pq17.records.standing_orders import NO_ORDERS
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed

NO_LINE = PlanLine()
UNSAID: Mapping[str, PlanLine] = {}
"""No line at all: what comes of it is what a sheet is filled in with."""
MOST_WORDINGS = 8
"""For how many wordings of its orders the drafts of a task force are kept."""

ForceDrafts = tuple[list[ForceDraft], list[Refusal]]
Lines = Mapping[str, PlanLine]


@dataclass(frozen=True)
class UnitPool:
    """Task forces whose units may be regrouped, and the ids of those that they could form."""

    forces: tuple[TaskForce, ...]
    fresh: tuple[str, ...]

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The keys of all lines that say something of it."""
        return (*(key for tf in self.forces for key in (tf.id, *tf.units)), *self.fresh)


class SideDrafts:
    """A side's task forces as its sheets would make them.

    A draft hangs on the state, on its ships with the figures entered for them, and on its own line; it is made once for
    each of these. What a pool makes hangs on the lines of its own units and task forces. The state does not change
    while a sheet is filled in; whoever changes it calls :meth:`forget`.
    """

    def __init__(self, state: State, side: Side) -> None:
        self.state = state
        self.side = side
        self.forget()

    def forget(self) -> None:
        """The state was changed: everything is to be drafted anew."""
        self._pools: list[UnitPool] | None = None
        self._drafts: dict[str, dict[Hashable, ForceDraft]] = {}
        self._latest: dict[str, tuple[list[PlanLine | None], ForceDrafts]] = {}
        self._filled_in: Lines = {}
        self._unsaid: list[ForceDraft] | None = None

    @property
    def unsaid(self) -> list[ForceDraft]:
        """What comes of no line at all."""
        if self._unsaid is None:
            self._unsaid = self.of(UNSAID)[0]
        return self._unsaid

    def fill_in(self, lines: Lines) -> None:
        """The sheet shows these ``lines``, written from the drafts without any. Where a line says all of its draft, and
        nothing that reading would judge anew, it makes that draft; a pool of such lines makes all of its drafts."""
        self._filled_in = lines
        for pool in self.pools:
            made = self.of_pool(pool, UNSAID)
            in_full = [draft for draft in made[0] if _says_all(lines[draft.force.id], draft.force)]
            for draft in in_full:
                self._drafts[draft.force.id][*draft.force.units, *vars(lines[draft.force.id]).values()] = draft
            if len(in_full) == len(made[0]):
                self._latest[pool.forces[0].id] = [*map(lines.get, pool.lines)], made

    @property
    def pools(self) -> list[UnitPool]:
        """All pools of the side."""
        if self._pools is None:
            spares = spare_ids(self.state, self.side)
            self._pools = [UnitPool(tuple(pool), spares[pool[0].id]) for pool in pools(self.state, self.side)]
        return self._pools

    def of(self, lines: Lines) -> ForceDrafts:
        """What a sheet of these lines would make of all task forces, and all refusals."""
        drafts: list[ForceDraft] = []
        refusals: list[Refusal] = []
        for pool in self.pools:
            made, wrong = self.of_pool(pool, lines)
            drafts += made
            refusals += wrong
            refusals += [refusal for draft in made for refusal in draft.refusals]
        return drafts, refusals

    def of_pool(self, pool: UnitPool, lines: Lines) -> ForceDrafts:
        """The drafts of a pool, and what is illegal about its groups; made anew once a line of it changes."""
        said = [*map(lines.get, pool.lines)]
        known = self._latest.get(pool.forces[0].id)
        if known is None or known[0] != said:
            known = self._latest[pool.forces[0].id] = said, self._regrouped(pool, lines)
        return known[1]

    @rule("1.6.5.1", "1.6.5.2")
    def _regrouped(self, pool: UnitPool, lines: Lines) -> ForceDrafts:
        entered = self.entered(pool.forces, lines)
        state, wrong = with_figures(self.state, entered)
        groups, misplaced = _groups(state, pool, lines)
        holder = {unit_id: tf.id for tf in pool.forces for unit_id in tf.units}
        old = {tf.id: tf for tf in pool.forces}
        drafts: list[ForceDraft] = []
        for new, units in groups.items():
            line = lines.get(new, NO_LINE)
            figures = [(one, entered[one].practical_speed, entered[one].unpowered) for one in units if one in entered]
            wording = (*units, *figures, *vars(line).values())
            known = self._drafts.setdefault(new, {})
            draft = known.get(wording)
            if draft is None:
                given = {holder[unit_id] for unit_id in units}
                force = successor(new, units, old, [tf_id for tf_id in old if tf_id in given])
                orders = errand_orders(state, force)
                faults = _shape(state, force, line, orders)
                draft = ForceDraft(self.state, force, tuple(faults), _followed(force, orders))
                if len(known) >= MOST_WORDINGS:
                    known.clear()
                known[wording] = draft
            drafts.append(draft)
        return drafts, [*wrong, *misplaced]

    def entered(self, forces: Sequence[TaskForce], lines: Lines) -> Lines:
        """The lines that enter other figures for ships and bases than those in force, by unit."""
        shown = self._filled_in
        units = [one for tf in forces for one in tf.units if one in lines and lines[one] is not shown.get(one)]
        said = [one for one in units if lines[one].figures != shown.get(one, NO_LINE).figures]
        return {one: lines[one] for one in said if is_changed(self.state, self.state.units[one], lines[one])}

    def changed(self, lines: Lines) -> Lines:
        """The lines that were sent, and do not just stand as they were filled in."""
        return {key: line for key, line in lines.items() if line is not self._filled_in.get(key)}

    def enter_figures(self, lines: Lines) -> None:
        """Put the figures of a sheet into force, for all ships and bases of the side. Rulings SPD-2, PST-5, BAS-6."""
        state = self.state
        entered = self.entered(state.all_task_forces(self.side), lines)
        for unit_id, line in entered.items():
            give_figures(state, state.units[unit_id], line, practical_speed(state, state.units[unit_id]))
        if entered:
            self.forget()


def _says_all(line: PlanLine, force: TaskForce) -> bool:
    """Whether a line that was written from a draft says all of it, and nothing that reading would judge anew."""
    judged_anew = force.loop or force.tows or force.shadowing or read_name(force.name, "")[0] != force.name
    return line.speed is force.speed and not judged_anew


@rule("1.6.5.1", "1.6.5.2")
def _groups(state: State, pool: UnitPool, lines: Lines) -> tuple[dict[str, list[str]], list[Refusal]]:
    """The units that each task force of a pool would have, and what is illegal about that. PQ-17 1.6.5.1, 1.6.5.2."""
    allowed = dict.fromkeys((*(tf.id for tf in pool.forces), *pool.fresh))
    own_ways = parted(state, pool.forces, pool.fresh)
    groups: dict[str, list[str]] = {tf_id: [] for tf_id in allowed}
    refusals: list[Refusal] = []
    for tf in pool.forces:
        for unit_id in tf.units:
            wanted = _wanted(lines, own_ways, tf, unit_id)
            unit = state.units[unit_id]
            if unit.carried_by and wanted == tf.id and state.is_load(tf, unit):  # pods go with their tug
                wanted = _wanted(lines, own_ways, tf, unit.carried_by)
            if wanted not in allowed:
                refusals.append(_wrong_group(state, tf, wanted, f"{unit_id}.task_force", list(allowed)))
                wanted = tf.id
            groups[wanted].append(unit_id)
    refusals += _keep_modules_aboard(state, pool.forces, lines, groups)
    return {new: sorted(units) for new, units in groups.items() if units}, refusals


@rule("1.6.5.1", "1.6.7.1")
def _wrong_group(state: State, tf: TaskForce, wanted: str, path: str, allowed: Sequence[str]) -> Refusal:
    """Why a ship of ``tf`` cannot be of the task force ``wanted``. PQ-17 1.6.5.1, 1.6.7.1, ruling TF-9."""
    legal = ", ".join(allowed)
    other = state.task_forces.get(wanted)
    if other is None or other.side != tf.side:  # of the other side's task forces nothing is told
        problem = f"there is no task force “{wanted}” of yours in {tf.hex}, and none is formed under that name"
        near = nearest(wanted, allowed)
        return illegal(problem, "PQ-17 1.6.5.1", path, legal=legal, nearest=near)
    if other.is_base:
        problem = f"{other.label} is a base, which no ship joins; ships enter its port with a route"
        return illegal(problem, "PQ-17 1.6.7.1", path, legal=legal)
    if other.hex != tf.hex:
        problem = f"{other.label} is in {other.hex}, and this ship in {tf.hex}"
        return illegal(problem, "PQ-17 1.6.5.1", path, legal=legal)
    where, here = (_berth(state, one) for one in (other, tf))
    problem = f"{other.label} is {where}, and this ship {here}"
    return illegal(problem, "PQ-17 1.6.5.1", path, legal=legal)


def _berth(state: State, tf: TaskForce) -> str:
    port = state.task_forces.get(tf.in_port)
    return f"in port at {port.label}" if port is not None else "not in port"


def with_figures(state: State, entered: Lines) -> tuple[State, list[Refusal]]:
    """The state with the figures that are entered for units, and what is illegal about them. Rulings SPD-2, PST-5."""
    if not entered:
        return state, []
    changed = {unit_id: state.units[unit_id].changed() for unit_id in entered}
    trial = state.with_units({**state.units, **changed})
    wrong: list[Refusal] = []
    for unit_id, line in entered.items():
        wrong += figure_refusals(state, state.units[unit_id], line, unit_id)
        give_figures(trial, changed[unit_id], line, practical_speed(state, changed[unit_id]))
    return trial, wrong


def base_units(state: State, side: Side) -> list[tuple[TaskForce, Unit]]:
    """A side's bases, each with its cluster."""
    return [(tf, unit) for tf in state.all_task_forces(side) if tf.is_base for unit in state.units_of(tf)]


@rule("1.8.12.5")
def _keep_modules_aboard(
    state: State, pool: Sequence[TaskForce], lines: Lines, groups: dict[str, list[str]]
) -> list[Refusal]:
    """Have the modules in a ship's cargo go where it goes, and refuse lines that send them elsewhere. PQ-17 1.8.12.5.

    ``groups`` are the units of each new task force; they are changed."""
    goes_to = {unit_id: new for new, units in groups.items() for unit_id in units}
    refusals: list[Refusal] = []
    for tf in pool:
        for unit in state.units_of(tf):
            if unit.carried_by not in goes_to or state.class_of(unit).unit_kind != "module":
                continue
            here, there = goes_to[unit.id], goes_to[unit.carried_by]
            if here == there:
                continue
            said = lines.get(unit.id, NO_LINE).task_force
            if said not in (None, tf.id):
                problem = f"{unit.name} is cargo of {state.units[unit.carried_by].name} and goes where that goes"
                refusals.append(illegal(problem, "PQ-17 1.8.12.5", f"{unit.id}.task_force", legal=there))
            groups[here].remove(unit.id)
            groups[there].append(unit.id)
    return refusals


def _wanted(lines: Mapping[str, PlanLine], own_ways: Mapping[str, str], tf: TaskForce, unit_id: str) -> str:
    return lines.get(unit_id, NO_LINE).task_force or own_ways.get(unit_id, tf.id)


def _followed(force: TaskForce, orders: ErrandMoves | None) -> ErrandStage | None:
    """The stage of its errand, if the draft follows the errand's orders; else None."""
    if orders is None or force.loop:
        return None
    same = (force.posture, force.speed, force.route) == (orders.posture, orders.speed, orders.steps)
    return orders.stage if same else None


@rule("1.6.9")
def _shape(state: State, force: TaskForce, line: PlanLine, orders: ErrandMoves | None) -> list[Refusal]:
    """Give a draft its towing, posture, speed, route and orders, in that order, and judge them. What the line leaves
    out comes from the errand, or stays. PQ-17 1.6.9, TF-11."""
    path = force.id
    refusals = _rename(force, line)
    if line.tow is not None:
        force.tows, wrong = read_tows(line.tow, f"{path}.tow")
        wrong += tow_refusals(state, force, f"{path}.tow")
        if wrong:
            force.tows = []
        refusals += wrong
    if line.shadow is False:
        force.shadowing = ""
    if line.posture is not None:
        force.posture = posture_of(line.posture)
        refusals += posture_refusals(state, force, f"{path}.posture")
    elif orders is not None:
        force.posture = orders.posture
    else:
        force_posture(state, force)
    if line.speed is None and orders is not None:
        speed = settle_speed(state, force, orders.speed)
    elif line.speed is None:
        goes = force.route or force.loop or force.shadowing
        speed = settle_speed(state, force, force.plotted if goes else Speed.STATION)
    else:
        speed = line.speed
        refusals += speed_refusals(state, force, speed, f"{path}.speed")
    force.plotted = force.speed = speed
    if line.route is not None:
        route = read_route(state, force, line.route, speed, f"{path}.route")
        refusals += route.refusals
    elif orders is not None:
        route = read_route(state, force, " ".join(orders.steps), speed, path)
    else:
        route = stored_route(state, force, speed)
    force.route, force.loop = route.steps, route.loop
    if line.doctrine is not None:
        refusals += _give_orders(force, line.doctrine, f"{path}.doctrine")
    return refusals


@rule("1.6.4.1")
def _rename(force: TaskForce, line: PlanLine) -> list[Refusal]:
    """Give a draft the name that its owner likes. PQ-17 1.6.4.1."""
    if line.name is None:
        return []
    force.name, refusals = read_name(line.name, f"{force.id}.name")
    return refusals


def _give_orders(force: TaskForce, text: str, path: str) -> list[Refusal]:
    """Set standing orders. New ones also replace those for the present contact; unchanged ones do nothing."""
    if text == standing_orders_text(force):
        return []
    orders, refusals = read_orders(text, path)
    if refusals or orders == read_orders(standing_orders_text(force), path)[0]:
        return refusals
    force.doctrine = None if orders == NO_ORDERS else orders
    force.meeting, force.met = None, []
    return []
