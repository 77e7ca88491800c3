"""Chapter 11.4.9 and 11.4.10: Operational Repairs in the Tactical Logistics Step.

The effect of a turn's work on one unit is worked out by one function: on the unit itself when the step is carried
out, and on a copy to show a player what to expect.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch10_supply.docking import carried, is_ready
from rules_engine.rulebooks.pq17.ch11_repair.berths import Workshop, may_work_on, position, workshop
from rules_engine.rulebooks.pq17.ch11_repair.boxes import (
    SELF_REPAIR,
    blocked_by,
    box_name,
    destroyed,
    operational_cost,
    restore,
    say_boxes,
)
from rules_engine.rulebooks.pq17.ch11_repair.refits import ends_refit, refit_left, work_on_refit
from rules_engine.rulebooks.pq17.records.damage import BoxInHand, RepairOrder
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup, LogisticsPlan
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.supply import INTERRUPTED

# --- repair points for the work ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stock:
    """The repairing unit and the pods it carries, whose repair points and supply the work uses."""

    units: tuple[Unit, ...]

    def count(self) -> int:
        """How many boxes it could still restore."""
        return sum(unit.rp_repair + unit.rp_cargo + unit.supply for unit in self.units)

    @rule("11.2.4.3", "11.2.6", "11.4.9.7", "11.4.9.8", "11.2.1")
    def take(self) -> bool:
        """Use one repair point: from repair boxes first, then from cargo, then a supply point converted for it. What
        lies in DAMCON tracks is kept for self-repair.

        PQ-17 11.2.1, 11.2.4.3, 11.2.6, 11.4.9.7, 11.4.9.8, ruling REP-5."""
        for attribute in ("rp_repair", "rp_cargo", "supply"):
            for unit in self.units:
                held = int(getattr(unit, attribute))
                if held:
                    setattr(unit, attribute, held - 1)
                    return True
        return False


@rule("11.4.9.8")
def stock_of(state: State, host: Unit) -> Stock:
    """Where the repair points for a unit's work come from. PQ-17 11.4.9.8, ruling REP-5."""
    return Stock((host, *carried(state, host)))


# --- one unit's repairs -----------------------------------------------------------------------------------------------


@dataclass
class Work:
    """The outcome of a turn's work on one unit."""

    points: int
    """CDR points given to it this turn, after any interruption."""
    carried: int
    """Points carried over from the last turn."""
    restored: list[str] = field(default_factory=list[str])
    wasted: int = 0
    """CDR points lost for want of a repair point (11.4.9.7)."""
    begun: str = ""
    begun_points: int = 0
    lost: int = 0
    """Points lost because the work was interrupted or not continued."""


@rule("11.3.6", "11.4.9.3.3", "11.4.9.3.4")
def may_repair(state: State, unit: Unit, box: str) -> bool:
    """Whether a box of the type could be restored now. PQ-17 11.3.6, 11.4.9.3.3, 11.4.9.3.4, ruling REP-11."""
    if box == SELF_REPAIR:
        return unit.self_repairs_left < sum(unit.damcon_track)
    return destroyed(state, unit, box) > 0 and not blocked_by(state, unit, box)


@rule("11.4.9.6")
def carried_points(state: State, unit: Unit, boxes: Sequence[str]) -> int:
    """Points of the last turn that still count if ``boxes`` are repaired now. PQ-17 11.4.9.6, ruling REP-3."""
    held = unit.repairs.in_hand
    if held is None or not boxes or held.box != boxes[0] or held.turn != state.turn - 1:
        return 0
    return held.points


@rule("11.4.9.3")
def cost_of_boxes(state: State, boxes: Iterable[str]) -> int:
    """CDR points that a list of boxes costs. PQ-17 11.4.9.3."""
    return sum(operational_cost(state, box) for box in boxes)


@rule("11.3.4", "11.3.5", "11.4.9.4", "11.4.9.5", "11.4.9.6", "11.4.9.7", "11.4.10")
def work_on(state: State, unit: Unit, boxes: Sequence[str], points: int, stock: Stock, *, interrupted: bool) -> Work:
    """Put ``points`` into a unit's boxes, one after the other, each finished before the next is begun.

    A finished box uses one repair point, and without one its points are lost; restored self-repair needs none.
    Unfinished work is kept for the next turn, unless it was interrupted. PQ-17 11.3.4, 11.3.5, 11.4.9.4, 11.4.9.5,
    11.4.9.6, 11.4.9.7, 11.4.10, rulings REP-3, REP-4, REP-5.
    """
    done = Work(points, carried=0 if interrupted else carried_points(state, unit, boxes))
    if unit.repairs.in_hand is not None:
        done.lost = unit.repairs.in_hand.points - done.carried
        unit.repairs = unit.repairs.with_values(in_hand=None)
    fund, over = points, done.carried
    for box in boxes:
        brought, over = over, 0
        if not may_repair(state, unit, box):
            continue
        cost = operational_cost(state, box) - brought
        if fund < cost:
            _leave(done, box, fund, brought, interrupted=interrupted)
            break
        fund -= cost
        if box == SELF_REPAIR:
            unit.self_repairs_left += 1
        elif stock.take():
            restore(state, unit, box)
        else:
            done.wasted += cost + brought
            continue
        done.restored.append(box)
    if done.begun:
        begun = BoxInHand(box=done.begun, points=done.begun_points, turn=state.turn)
        unit.repairs = unit.repairs.with_values(in_hand=begun)
    return done


@rule("11.4.9.6")
def _leave(done: Work, box: str, fund: int, brought: int, *, interrupted: bool) -> None:
    """Leave a box unfinished; if no point was put into it this turn, earlier work on it is lost. PQ-17 11.4.9.6."""
    if interrupted or not fund:
        done.lost += fund + brought
    else:
        done.begun, done.begun_points = box, fund + brought


# --- who may ----------------------------------------------------------------------------------------------------------


@rule("11.4.9.1", "5.2.3.4")
def is_eligible(state: State, host: Unit, unit: Unit, groups: Sequence[DockedGroup]) -> bool:
    """Whether ``host`` may repair ``unit`` this turn: docked together, both in Logistics posture, in port and keeping
    station or underway at no more than Impulse Crawl. A base needs no posture to repair itself.

    PQ-17 11.4.9.1, 5.2.3.4, ruling PQ-111.
    """
    return may_work_on(state, host, unit, groups) and is_in_place(state, host) and is_in_place(state, unit)


@rule("11.4.9.1")
def is_in_place(state: State, unit: Unit) -> bool:
    """Whether a unit is where repairs can be done: a base, or in a task force ready for logistics. PQ-17 11.4.9.1."""
    tf = state.tf_of(unit.id)
    return tf is not None and (tf.is_base or is_ready(tf))


@rule("11.4.9.1", "10.3.8.1")
def are_together(state: State, host: Unit, unit: Unit, plan: LogisticsPlan) -> bool:
    """Whether the two are still together as in the turn's plan. PQ-17 11.4.9.1, 10.3.8.1."""
    first, second = state.tf_of(host.id), state.tf_of(unit.id)
    if first is None or second is None or host.side != unit.side:
        return False
    port = plan.in_port.get(unit.id, plan.in_port.get(host.id, ""))
    if not port:
        return first.id == second.id
    return _port(first) == _port(second) == port


def _port(tf: TaskForce) -> str:
    return tf.id if tf.is_base else tf.in_port


# --- the step ---------------------------------------------------------------------------------------------------------


@rule("SOP.2.c.i", "11.3.1", "11.4.9", "11.4.10")
def carry_out_repairs(turn: TurnContext[State], side: Side) -> None:
    """One side's Operational Repairs, in the order of its plan. PQ-17 SOP.2.c.i, 11.3.1, 11.4.9, 11.4.10.

    Only the owner is told.
    """
    state = turn.state
    plan = state.logistics.get(side) or LogisticsPlan()
    shops: dict[str, Workshop] = {}
    for order in plan.repairs:
        host, unit = state.units.get(order.by), state.units.get(order.unit)
        if host is None or unit is None or unit.side != side:
            continue
        if not (is_eligible(state, host, unit, plan.groups) and are_together(state, host, unit, plan)):
            itself = host.id == unit.id
            repairer, whom = ("it", "itself") if itself else (host.name, "it")
            text = f"{unit.name} is no longer where {repairer} could repair {whom}."
            turn.tell([side], text, kind="logistics", why=because("PQ-17 11.4.9.1"))
            continue
        if host.id not in shops:
            shops[host.id] = workshop(state, host)
        impulse = plan.impulse_of(host.id, unit.id)
        job = RepairJob(order, host, unit, impulse, position(state, plan.groups, unit))
        _carry_out(turn, job, shops[host.id])
    for unit_id in sorted(state.units):
        unit = state.units[unit_id]
        if unit.side == side:
            _let_go(turn, unit)


@dataclass(frozen=True)
class RepairJob:
    """An order of the plan, with the units concerned."""

    order: RepairOrder
    host: Unit
    unit: Unit
    impulse: int
    """When the work was interrupted; 0 if it was not."""
    berth: int | None

    @property
    def whom(self) -> str:
        """The unit repaired, as its owner reads it."""
        return "itself" if self.host.id == self.unit.id else self.unit.name


def _carry_out(turn: TurnContext[State], job: RepairJob, shop: Workshop) -> None:
    state, order, unit = turn.state, job.order, job.unit
    given = shop.give(unit.id, job.berth, wanted_points(state, unit, order))
    points = int(given * INTERRUPTED[job.impulse]) if job.impulse else given
    inputs: dict[str, object] = {"repair boxes give": given}
    if job.impulse:
        inputs["interrupted on impulse"] = f"{job.impulse}, leaves {points}"
    if order.refit:
        text = work_on_refit(state, unit, order.refit, points, interrupted=bool(job.impulse))
        why = because("PQ-17 11.5", inputs)
        turn.tell([unit.side], f"{job.host.name} refits {job.whom}: {text}", kind="logistics", why=why)
        return
    done = work_on(state, unit, order.boxes, points, stock_of(state, job.host), interrupted=bool(job.impulse))
    _settle_crippled(unit, order, done)
    for box in done.restored:
        order.boxes.remove(box)
    if done.carried:
        inputs["brought over"] = done.carried
    why = because("PQ-17 11.4.10" if job.impulse else "PQ-17 11.4.9", inputs)
    text = f"{job.host.name} repairs {job.whom}: {say_work(state, done)}."
    turn.tell([unit.side], text, kind="logistics", why=why)


@rule("11.4.9.2.2", "11.4.9.4")
def wanted_points(state: State, unit: Unit, order: RepairOrder) -> int:
    """The CDR points that an order could use, up to the most its owner allows. PQ-17 11.4.9.2.2, 11.4.9.4."""
    if order.refit:
        need = refit_left(state, unit, order.refit)
    else:
        need = cost_of_boxes(state, order.boxes) - carried_points(state, unit, order.boxes)
    return need if order.most is None else min(need, order.most)


def _settle_crippled(unit: Unit, order: RepairOrder, done: Work) -> None:
    if order.uncripple and any(box != SELF_REPAIR for box in done.restored):
        unit.crippled = False


@rule("11.4.9.6")
def _let_go(turn: TurnContext[State], unit: Unit) -> None:
    """Drop unfinished work that was not continued this turn, and tell its owner. PQ-17 11.4.9.6, ruling REP-3."""
    state = turn.state
    held = unit.repairs.in_hand
    if held is not None and held.turn < state.turn:
        unit.repairs = unit.repairs.with_values(in_hand=None)
        text = f"{unit.name} loses {counted(held.points, 'CDR point')} in {box_name(held.box)}: the work did not go on."
        turn.tell([unit.side], text, kind="logistics", why=because("PQ-17 11.4.9.6", {"last worked on": held.turn}))
    refit = unit.repairs.refit
    lost = ends_refit(state, unit)
    if refit is not None and lost:
        text = f"{unit.name} loses {counted(lost, 'CDR point')} in its refit {refit.name}: the work did not go on."
        turn.tell([unit.side], text, kind="logistics", why=because("PQ-17 11.4.9.6", {"last worked on": refit.turn}))


# --- saying -----------------------------------------------------------------------------------------------------------


def say_work(state: State, done: Work) -> str:
    """The outcome of a turn's work in words."""
    said: list[str] = []
    if done.restored:
        said.append(f"{say_boxes(in_runs(done.restored))} restored")
    if done.begun:
        cost = operational_cost(state, done.begun)
        said.append(f"{box_name(done.begun)} begun, {done.begun_points} of {cost} CDR points")
    if done.wasted:
        said.append(f"{counted(done.wasted, 'CDR point')} lost for want of a repair point")
    if done.lost:
        said.append(f"{counted(done.lost, 'CDR point')} lost")
    return "; ".join(said) or "nothing could be done"


def in_runs(boxes: Iterable[str]) -> list[tuple[str, int]]:
    """Consecutive equal boxes combined into types with counts, in their order."""
    return [(box, len(list(run))) for box, run in groupby(boxes)]


def forecast(state: State, unit: Unit, order: RepairOrder, points: int, stock: Stock) -> Work:
    """The outcome of the work without interruption; changes nothing."""
    twin = unit.copied()
    helpers = tuple(twin if one.id == unit.id else one.copied() for one in stock.units)
    return work_on(state, twin, order.boxes, points, Stock(helpers), interrupted=False)
