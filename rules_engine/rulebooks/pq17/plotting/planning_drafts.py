"""Drafts: task forces as a planning sheet would make them.

Judging, reading back, the map and carrying out all use the same drafts, so that they cannot differ.
PQ-17 SOP.2.a.i to SOP.2.a.iii.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.protocol.asks import Remembered
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import pools, spare_ids, successor
from rules_engine.rulebooks.pq17.ch05_movement.movement import practical_speed
from rules_engine.rulebooks.pq17.ch05_movement.postures import (
    force_posture,
    posture_refusals,
    settle_speed,
    speed_refusals,
    tow_refusals,
)
from rules_engine.rulebooks.pq17.ch05_movement.ship_figures import figure_refusals, give_figures, is_changed
from rules_engine.rulebooks.pq17.orders.order_sheets import PlanLine, PlanSheet, posture_of, read_name, read_tows
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders, write_orders
from rules_engine.rulebooks.pq17.plotting.errands import ErrandMoves, errand_orders, parted
from rules_engine.rulebooks.pq17.plotting.routes import read_route, stored_route
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.progress import ErrandStage
from rules_engine.rulebooks.pq17.records.standing_orders import NO_ORDERS
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed

NO_LINE = PlanLine()
NOT_THERE = SimpleNamespace()
"""Stands for a line that a sheet lacks, which differs from a line with the values filled in."""


@dataclass(frozen=True)
class ForceDraft:
    """A task force as a sheet would make it. ``force`` is not part of the state."""

    force: TaskForce
    goes_on_shadowing: bool
    errand: ErrandStage | None = None
    """The stage of its errand that it follows; None without an errand or if it is planned otherwise."""


@dataclass(frozen=True)
class UnitPool:
    """Task forces whose units may be regrouped, the ids of those they could form, and the lines about them."""

    forces: tuple[TaskForce, ...]
    fresh: tuple[str, ...]
    lines: tuple[str, ...]


ForceDrafts = tuple[list[ForceDraft], list[Refusal]]
Lines = Mapping[str, PlanLine]
PoolDrafts = Callable[[tuple[UnitPool, Lines]], ForceDrafts]
SpeedDefects = Callable[[tuple[TaskForce, Speed]], list[Refusal]]
"""A function giving the refusals of a speed for a task force."""


def pools_of(state: State, side: Side) -> list[UnitPool]:
    """All pools of a side. They stay valid as long as the state does not change."""
    spares = spare_ids(state, side)
    found: list[UnitPool] = []
    for pool in pools(state, side):
        fresh = spares[pool[0].id]
        lines = (*(unit for tf in pool for unit in tf.units), *(tf.id for tf in pool), *fresh)
        found.append(UnitPool(tuple(pool), fresh, lines))
    return found


def drafts_of(pools: Sequence[UnitPool], sheet: PlanSheet, of_pool: PoolDrafts) -> ForceDrafts:
    """What the sheet would make of all task forces, and all refusals. ``of_pool`` works out each pool's."""
    drafts: list[ForceDraft] = []
    refusals: list[Refusal] = []
    for pool in pools:
        found, wrong = of_pool((pool, {key: sheet.root[key] for key in pool.lines if key in sheet.root}))
        drafts += found
        refusals += wrong
    return drafts, refusals


def pace_of(force: TaskForce, speed: Speed) -> Hashable:
    """Everything about a draft on which the legality of ``speed`` depends: not its name, route or orders. What it takes
    over from an older task force follows from its id and units."""
    towing = tuple((tow.tower, *tow.towed, "off", *tow.engines_off, *tow.boxes_off.items()) for tow in force.tows)
    posture = force.posture
    words = (posture.cloak, posture.warp, posture.active, posture.logistics)
    return force.id, speed, force.shadowing, *words, *force.units, towing


def speed_defects(state: State) -> SpeedDefects:
    """A function giving the refusals of a speed for a draft, each with the path in the sheet."""
    return lambda of: speed_refusals(state, of[0], of[1], f"{of[0].id}.speed")


def remembered_pools(
    state: State, usual: Lines, most: int, defects: SpeedDefects
) -> Remembered[tuple[UnitPool, Lines], ForceDrafts]:
    """:func:`drafts_of_pool` with memory, so that while a sheet is filled in, a changed line works out only its own
    pool.

    Lines that were not changed are the identical ``usual`` ones.
    """

    def said(of: tuple[UnitPool, Lines]) -> Hashable:
        """The pool, and its lines as plain values, which compare far faster than lines."""
        pool, lines = of
        changed = [key for key in pool.lines if lines.get(key) is not usual.get(key)]
        return pool.forces[0].id, *((key, *vars(lines.get(key, NOT_THERE)).values()) for key in changed)

    return Remembered(lambda of: drafts_of_pool(state, of[0].forces, of[0].fresh, of[1], defects), most=most, key=said)


@rule("1.6.5.1", "1.6.5.2")
def drafts_of_pool(
    state: State, pool: Sequence[TaskForce], fresh: Sequence[str], lines: Lines, defects: SpeedDefects
) -> ForceDrafts:
    """The drafts and refusals of one set of task forces whose units may be regrouped. PQ-17 1.6.5.1, 1.6.5.2."""
    state, wrong = with_figures(state, pool, lines)
    if wrong is not None:
        defects = speed_defects(state)
    old = {tf.id: tf for tf in pool}
    allowed = (*old, *fresh)
    groups: dict[str, list[str]] = {}
    own_ways = parted(state, pool, fresh)
    refusals: list[Refusal] = list(wrong or ())
    for tf in pool:
        for unit_id in tf.units:
            wanted = _wanted(lines, own_ways, tf, unit_id)
            unit = state.units[unit_id]
            if wanted == tf.id and state.is_load(tf, unit):  # pods go with their tug
                wanted = _wanted(lines, own_ways, tf, unit.carried_by)
            if wanted not in allowed:
                refusals.append(_wrong_group(state, tf, wanted, f"{unit_id}.task_force", allowed))
                wanted = tf.id
            groups.setdefault(wanted, []).append(unit_id)
    refusals += _keep_modules_aboard(state, pool, lines, groups)
    drafts: list[ForceDraft] = []
    for new in sorted(groups, key=allowed.index):
        sources = [tf.id for tf in pool if set(tf.units) & set(groups[new])]
        force = successor(new, sorted(groups[new]), old, sources)
        orders = errand_orders(state, force)
        faults = _shape(state, force, lines.get(new, NO_LINE), orders, defects)
        drafts.append(ForceDraft(force, bool(force.shadowing), _followed(force, orders)))
        refusals += faults
    return drafts, refusals


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


def with_figures(state: State, pool: Sequence[TaskForce], lines: Lines) -> tuple[State, list[Refusal] | None]:
    """The state with the figures that a sheet enters for the ships of a pool, and what is illegal about them; the state
    itself and None if it enters none. Rulings SPD-2, PST-5."""
    entered = {
        unit_id: line
        for tf in pool
        for unit_id in tf.units
        if (line := lines.get(unit_id)) is not None and is_changed(state, state.units[unit_id], line)
    }
    if not entered:
        return state, None
    changed = {unit_id: state.units[unit_id].changed() for unit_id in entered}
    trial = state.changed(units={**state.units, **changed})
    wrong: list[Refusal] = []
    for unit_id, line in entered.items():
        wrong += figure_refusals(state, state.units[unit_id], line, unit_id)
        give_figures(trial, changed[unit_id], line, practical_speed(state, changed[unit_id]))
    return trial, wrong


def base_units(state: State, side: Side) -> list[tuple[TaskForce, Unit]]:
    """A side's bases, each with its cluster."""
    return [(tf, unit) for tf in state.all_task_forces(side) if tf.is_base for unit in state.units_of(tf)]


def enter_figures(state: State, side: Side, sheet: PlanSheet) -> None:
    """Put the figures of a sheet into force, for all ships and bases of the side. Rulings SPD-2, PST-5, BAS-6."""
    for tf in state.all_task_forces(side):
        for unit in state.units_of(tf):
            line = sheet.root.get(unit.id)
            if line is not None and is_changed(state, unit, line):
                give_figures(state, unit, line, practical_speed(state, unit))


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
            if state.class_of(unit).unit_kind != "module" or unit.carried_by not in goes_to:
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
    for new in [new for new, units in groups.items() if not units]:
        del groups[new]
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
def _shape(
    state: State, force: TaskForce, line: PlanLine, orders: ErrandMoves | None, defects: SpeedDefects
) -> list[Refusal]:
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
    if line.posture is None:
        force.posture = force.posture if orders is None else orders.posture.copied()
        force_posture(state, force)
    else:
        force.posture = posture_of(line.posture)
        refusals += posture_refusals(state, force, f"{path}.posture")
    if line.speed is None and orders is not None:
        speed = settle_speed(state, force, orders.speed)
    elif line.speed is None:
        goes = force.route or force.loop or force.shadowing
        speed = settle_speed(state, force, force.plotted if goes else Speed.STATION)
    else:
        speed = line.speed
        refusals += defects((force, speed))
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


def standing_orders_text(force: TaskForce) -> str:
    """A task force's own standing orders, in players' notation."""
    own = force.doctrine
    if force.meeting is not None:
        own = force.meeting.over(own or NO_ORDERS)
    return write_orders(own)
