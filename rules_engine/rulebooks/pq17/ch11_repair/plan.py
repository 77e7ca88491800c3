"""Chapter 11 on the logistics sheet: which repair boxes work on what, and in which order.

PQ-17 SOP.2.a.iv.3, 11.4.9, 11.5, ruling SOP-5.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from pydantic import Field as Bounded

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, text_field
from rules_engine.rulebooks.pq17.ch10_supply.docking import can_join, is_patrol_ship, join, yards
from rules_engine.rulebooks.pq17.ch11_repair.berths import Workshop, is_tender, may_work_on, position, workshop
from rules_engine.rulebooks.pq17.ch11_repair.boxes import (
    SELF_REPAIR,
    all_destroyed,
    blocked_by,
    box_name,
    count_boxes,
    destroyed,
    operational_cost,
    read_boxes,
    restore,
    say_boxes,
    write_boxes,
)
from rules_engine.rulebooks.pq17.ch11_repair.operational import forecast, in_runs, say_work, stock_of, wanted_points
from rules_engine.rulebooks.pq17.ch11_repair.refits import (
    REFITTERS,
    can_refit,
    points_at_stake,
    refit_cost,
    refits_open,
)
from rules_engine.rulebooks.pq17.ch11_repair.routine import in_turn, needs_work, repairers, self_repairs_lost, serves
from rules_engine.rulebooks.pq17.ch11_repair.self_repair import known_types, most_self_repairs
from rules_engine.rulebooks.pq17.records.damage import RepairOrder
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.logistics import LogisticsPlan
from rules_engine.rulebooks.pq17.records.state import State

REPAIR = "repair-"
"""Prefix of the keys of repair lines, before the unit to be repaired."""
MOST_TEXT = 300


class RepairLine(Frozen):
    """A unit's line about repairs."""

    by: str | None = None
    boxes: Annotated[str, Bounded(max_length=MOST_TEXT)] | None = None
    most: Annotated[int, Bounded(ge=0)] | None = None
    refit: str | None = None
    uncripple: bool | None = None


NO_LINE = RepairLine()

# --- the lines --------------------------------------------------------------------------------------------------------


@rule("SOP.2.a.iv.3", "11.4.9", "11.4.1")
def repair_lines(state: State, side: Side, proposal: LogisticsPlan) -> list[Line]:
    """A line for each unit that repair boxes in its yard could work on: those with an order first, in the order in
    which the boxes are shared out. PQ-17 SOP.2.a.iv.3, 11.4.1, 11.4.9."""
    orders = {order.unit: order for order in proposal.repairs}
    lines: list[Line] = []
    for yard in yards(state, side):
        hosts_here = repairers(state, yard)
        for unit in (state.units[one] for one in yard.units) if hosts_here else ():
            hosts = [host for host in hosts_here if serves(state, host, unit)]
            refits = refits_open(state, unit) if any(can_refit(state, host) for host in hosts) else []
            if hosts and (needs_work(state, unit) or refits):
                lines.append(_line(state, unit, hosts, orders.get(unit.id), [one.name for one in refits]))
    turns = {f"{REPAIR}{unit_id}": turn for turn, unit_id in enumerate(orders)}
    return sorted(lines, key=lambda line: turns.get(line.key, len(turns)))


def _line(state: State, unit: Unit, hosts: Sequence[Unit], order: RepairOrder | None, refits: Sequence[str]) -> Line:
    by = tuple(Choice(value=one.id, label=f"{one.name} ({state.class_of(one).label})") for one in hosts)
    boxes = in_runs(order.boxes) if order else []
    fields = [
        Field(key="by", label="Repaired by", kind="one", choices=by, value=order.by if order else None, optional=True),
        text_field(
            "boxes",
            "Boxes, in this order",
            MOST_TEXT,
            _short(boxes) or None,
            "For example warp 3, damcon, hull 2; self-repair 2 restores self-repairs",
        ),
    ]
    cranes = [workshop(state, host).cranes for host in hosts]
    if any(len(one) != 1 or one[0].shared for one in cranes):
        value = order.most if order else None
        fields.append(
            Field(key="most", label="CDR points, at most", kind="number", least=0, most=999, value=value, optional=True)
        )
    if refits:
        choices = tuple(Choice(value=one, label=one) for one in refits)
        value = order.refit or None if order else None
        fields.append(
            Field(key="refit", label="Refit instead", kind="one", choices=choices, value=value, optional=True)
        )
    if unit.crippled:
        fields.append(Field(key="uncripple", label="No longer crippled once repaired", kind="flag", value=False))
    return Line(
        key=REPAIR + unit.id, label=f"Repairs of {unit.name}", fields=tuple(fields), note=damage_text(state, unit)
    )


def _short(boxes: Sequence[tuple[str, int]]) -> str:
    """A list of boxes, cut to the length of a field."""
    taken = list(boxes)
    while len(write_boxes(taken)) > MOST_TEXT:
        taken.pop()
    return write_boxes(taken)


def damage_text(state: State, unit: Unit) -> str:
    """A unit's damage and its self-repair capacity, for its owner."""
    lost = say_boxes(all_destroyed(state, unit).items())
    said = [f"destroyed: {lost}" if lost else "undamaged"]
    most = most_self_repairs(unit)
    if most or unit.self_repairs_left:
        said.append(f"self-repairs {unit.self_repairs_left} of {most}")
    held, refit = unit.repairs.in_hand, unit.repairs.refit
    if held is not None:
        said.append(f"{box_name(held.box)} begun, {held.points} of {operational_cost(state, held.box)} CDR points")
    if refit is not None:
        said.append(f"inactive for its refit {refit.name}, {counted(refit.points, 'CDR point')} done")
    return "; ".join(said)


# --- reading and judging ----------------------------------------------------------------------------------------------


def read_repairs(
    state: State, form: Form, lines: Mapping[str, RepairLine], plan: LogisticsPlan
) -> tuple[list[RepairOrder], list[Refusal]]:
    """The orders that a sheet gives; what a line leaves out keeps the value filled in. Undocked ships are docked as
    needed.

    :func:`repair_refusals` judges them once all docking is known."""
    orders: list[RepairOrder] = []
    wrong: list[Refusal] = []
    groups = list(plan.groups)
    for line in form.lines:
        if not line.key.startswith(REPAIR):
            continue
        filled = RepairLine.model_validate({field.key: field.value for field in line.fields})
        given = lines.get(line.key, NO_LINE)
        merged = filled.model_copy(update={key: getattr(given, key) for key in given.model_fields_set & _FIELDS})
        unit_id = line.key.removeprefix(REPAIR)
        boxes, unread = read_boxes(merged.boxes or "", f"{line.key}.boxes", _types(state, state.units[unit_id]))
        wrong += unread
        hosts = next((field.choices for field in line.fields if field.key == "by"), ())
        if not (boxes or merged.refit):
            continue
        by = merged.by or (hosts[0].value if len(hosts) == 1 else "")
        if by not in [one.value for one in hosts]:
            legal = ", ".join(one.value for one in hosts)
            near = nearest(by, [one.value for one in hosts])
            wrong.append(malformed("say which repair boxes work on it", f"{line.key}.by", legal=legal, nearest=near))
            continue
        orders.append(
            RepairOrder(
                unit=unit_id,
                by=by,
                boxes=[] if merged.refit else [box for box, count in boxes for _ in range(count)],
                most=merged.most,
                refit=merged.refit or "",
                uncripple=bool(merged.uncripple),
            )
        )
        for host, ship in ((by, unit_id), (unit_id, by)):
            if not may_work_on(state, state.units[by], state.units[unit_id], groups) and can_join(
                state, groups, host, ship
            ):
                join(groups, host, ship)
    plan.groups = groups
    return in_turn(orders), wrong


_FIELDS = set(RepairLine.model_fields)


def _types(state: State, unit: Unit) -> list[str]:
    return [*known_types(state, unit), SELF_REPAIR]


@rule("11.4.9.2")
def repair_refusals(state: State, plan: LogisticsPlan) -> list[Refusal]:
    """Everything illegal about a plan's repairs: docking, room at the repair boxes, boxes, refits. PQ-17 11.4.9.2."""
    wrong: list[Refusal] = []
    shops: dict[str, Workshop] = {}
    for order in plan.repairs:
        host, unit, path = state.units[order.by], state.units[order.unit], f"{REPAIR}{order.unit}"
        if not may_work_on(state, host, unit, plan.groups):
            wrong.append(_not_together(state, host, unit, f"{path}.by"))
            continue
        wrong += _refit_refusals(state, host, unit, order, path) if order.refit else []
        wrong += _box_refusals(state, unit, order.boxes, f"{path}.boxes")
        shop = shops.setdefault(host.id, workshop(state, host))
        place = position(state, plan.groups, unit)
        if not shop.offer(unit.id, place):
            busy = workshop(state, host).offer(unit.id, place)  # what it could give if it worked on nothing else
            problem = "works on others already" if busy else "has no repair boxes at that docking position"
            wrong.append(illegal(f"{host.name} {problem}", _room_rule(state, host), f"{path}.by", legal="another"))
        shop.give(unit.id, place, wanted_points(state, unit, order))
    return wrong


def _not_together(state: State, host: Unit, unit: Unit, path: str) -> Refusal:
    if is_tender(state, host) and not is_patrol_ship(state, unit):
        problem = f"{host.name} is a tender, which repairs nothing but fast patrol ships docked with it"
        return illegal(problem, "PQ-17 11.4.9.2.6", path, legal="another")
    problem = f"{unit.name} is not docked with {host.name}"
    return illegal(problem, "PQ-17 11.4.9.2.7", path, legal="both in one docked group, for supply and repair alike")


def _room_rule(state: State, host: Unit) -> str:
    kind = state.class_of(host)
    if kind.is_base:
        return "PQ-17 11.4.9.2.4" if kind.base_type == "FRD" else "PQ-17 11.4.9.2.1"
    if is_tender(state, host):
        return "PQ-17 11.4.9.2.6"
    return "PQ-17 11.4.9.2.5" if kind.is_tug else "PQ-17 11.4.9.2.3"


@rule("11.5.2", "11.5.3")
def _refit_refusals(state: State, host: Unit, unit: Unit, order: RepairOrder, path: str) -> Iterable[Refusal]:
    """A refit by a unit that cannot refit, or one that is not open to the ship. PQ-17 11.5.2, 11.5.3."""
    if not can_refit(state, host):
        legal = ", ".join(REFITTERS)
        yield illegal(f"{host.name} cannot refit", "PQ-17 11.5.2", f"{path}.by", legal=legal)
    known = [one.name for one in refits_open(state, unit)]
    if order.refit not in known:
        legal = ", ".join(known) or "no refit this year"
        near = nearest(order.refit, known)
        yield illegal("that refit is not open to it", "PQ-17 11.5.3", f"{path}.refit", legal=legal, nearest=near)


@rule("11.2.6", "11.3.6", "11.4.9.3.3", "11.4.9.3.4")
def _box_refusals(state: State, unit: Unit, boxes: Sequence[str], path: str) -> Iterable[Refusal]:
    """Boxes that are not destroyed, or that may not be repaired yet when their turn comes.

    PQ-17 11.2.6, 11.3.6, 11.4.9.3.3, 11.4.9.3.4."""
    twin = unit.copied()
    for box, count in in_runs(boxes):
        first = blocked_by(state, twin, box)
        if first:
            rule = "PQ-17 11.4.9.3.4" if box == "het" else "PQ-17 11.4.9.3.3"
            yield illegal(f"{box_name(box)} waits until all {box_name(first)} is repaired", rule, path, legal=first)
            continue
        left = self_repairs_lost(twin) if box == SELF_REPAIR else destroyed(state, twin, box)
        if count > left:
            rule = "PQ-17 11.3.6" if box == SELF_REPAIR else "PQ-17 11.2.6"
            yield illegal(f"it lacks {count_boxes(left, box)}", rule, path, legal=f"at most {left}")
        for _ in range(min(count, left)):
            if box == SELF_REPAIR:
                twin.self_repairs_left += 1
            else:
                restore(state, twin, box)


# --- reading back -----------------------------------------------------------------------------------------------------


def say_repairs(state: State, plan: LogisticsPlan) -> list[str]:
    """The outcome of this turn's work without interruption, in words."""
    said: list[str] = []
    shops: dict[str, Workshop] = {}
    for order in plan.repairs:
        host, unit = state.units[order.by], state.units[order.unit]
        shop = shops.setdefault(host.id, workshop(state, host))
        place = position(state, plan.groups, unit)
        points = shop.give(unit.id, place, wanted_points(state, unit, order))
        whom = "itself" if host.id == unit.id else unit.name
        cap = "" if order.most is None else f", at most {order.most} by your order"
        well = f" {unit.name} is then no longer crippled." if order.uncripple else ""
        if order.refit:
            said.append(
                f"{host.name} works {counted(points, 'CDR point')} into {whom}'s refit {order.refit}{cap}.{well}"
            )
            continue
        done = forecast(state, unit, order, points, stock_of(state, host))
        said.append(
            f"{host.name} repairs {whom} with {counted(points, 'CDR point')}{cap}: {say_work(state, done)}.{well}"
        )
    return said


@rule("11.4.9.6")
def _left_off(state: State, unit: Unit, order: RepairOrder | None) -> Iterable[str]:
    """What an order, or none, leaves unfinished, so that its points are lost. PQ-17 11.4.9.6, ruling REP-3."""
    held, begun = unit.repairs.in_hand, unit.repairs.refit
    if held is not None and held.turn == state.turn - 1 and (order is None or order.boxes[:1] != [held.box]):
        yield f"{unit.name} loses {counted(held.points, 'CDR point')} in {box_name(held.box)} unless it comes first."
    lost = points_at_stake(state, unit)
    if begun is not None and lost and (order is None or order.refit != begun.name):
        yield f"{unit.name} loses {counted(lost, 'CDR point')} in its refit {begun.name} unless that goes on."


def idle_repairs(form: Form, lines: Mapping[str, RepairLine]) -> Iterable[str]:
    """Warnings of lines that name neither boxes nor a refit, and so order no work."""
    for line in form.lines:
        given = lines.get(line.key, NO_LINE)
        said = given.by or given.boxes or given.most is not None or given.uncripple
        if line.key.startswith(REPAIR) and said:
            filled = RepairLine.model_validate({field.key: field.value for field in line.fields})
            merged = filled.model_copy(update={key: getattr(given, key) for key in given.model_fields_set & _FIELDS})
            if merged.refit and given.boxes:
                yield f"{line.label}: it is refitted, so the boxes named in {line.key} do nothing."
            elif not (merged.boxes or merged.refit):
                yield f"{line.label}: neither boxes nor a refit are named, so what stands in {line.key} does nothing."


def repair_warnings(state: State, plan: LogisticsPlan) -> list[str]:
    """Points that will be lost, for want of repair points or because unfinished work is not continued; and what a
    refit means."""
    orders = {order.unit: order for order in plan.repairs}
    said = [
        text
        for unit_id in dict.fromkeys([*orders, *plan.units])
        for text in _left_off(state, state.units[unit_id], orders.get(unit_id))
    ]
    for order in plan.repairs:
        unit, host = state.units[order.unit], state.units[order.by]
        if order.boxes and any(box != SELF_REPAIR for box in order.boxes) and not stock_of(state, host).count():
            said.append(f"{host.name} has no repair points and no supply for this work: no box can be restored.")
        if order.refit and unit.repairs.refit is None:
            said += [
                f"{unit.name} is inactive until its refit is done: {refit_cost(refit)} CDR points in all."
                for refit in refits_open(state, unit)
                if refit.name == order.refit
            ]
    return said
