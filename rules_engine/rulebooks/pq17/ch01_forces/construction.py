"""Chapter 1.8.12: bases built of pods, in the Tactical Logistics Step.

A base with its pods and modules is one unit of a class of its own (``fittings``); the parts built into it no longer
count as units.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.new_units import free_id, new_unit
from rules_engine.rulebooks.pq17.ch01_forces.sensors import settle_base_sensors
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import drop_unit
from rules_engine.rulebooks.pq17.ch10_supply.stores import lose_excess
from rules_engine.rulebooks.pq17.ch11_repair.boxes import all_destroyed, destroy
from rules_engine.rulebooks.pq17.contacts.identification import report_contact
from rules_engine.rulebooks.pq17.records.construction import BuildOrder, BuiltBase, BuiltPart
from rules_engine.rulebooks.pq17.records.forces import BaseRecord, IdLevel, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.fittings import fitted_class
from rules_engine.rulebooks.pq17.tables.operations import Speed
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass

TRACTORS = 2
"""Undamaged tractor beams that the building ships need in total. PQ-17 1.8.12.6."""
PROJECTS = ("gearbox", "wunderland")
"""Special conditions whose tugs may use parts anywhere in the hex. PQ-17 C.special.gearbox, ruling SPC-12."""

# --- what could be built ----------------------------------------------------------------------------------------------


@rule("1.8.12.2")
def is_buildable(kind: ShipClass) -> bool:
    """Whether a base is small and built around pods. PQ-17 1.8.12.2, ruling BAS-17."""
    return kind.is_base and bool(kind.core_pods)


@rule("1.8.12.6", "1.8.12.7")
def may_build(state: State, tf: TaskForce) -> str:
    """Why a task force cannot build this turn; empty if it may. PQ-17 1.8.12.6, 1.8.12.7, ruling BAS-15."""
    if tf.is_base or tf.speed is not Speed.STATION or not tf.posture.logistics:
        return "it must keep station in Logistics posture for the whole turn"
    beams = sum(unit.tractors for unit in builders(state, tf))
    if beams < TRACTORS:
        return f"its uncrippled ships have {beams} of the {TRACTORS} tractor beams needed"
    return ""


@rule("1.8.12.6")
def builders(state: State, tf: TaskForce) -> list[Unit]:
    """Its uncrippled ships. PQ-17 1.8.12.6."""
    return [one for one in state.units_of(tf) if not one.crippled and state.class_of(one).unit_kind == "ship"]


@rule("1.8.12.1", "1.8.12.3", "1.8.12.6", "C.special.gearbox")
def parts_at_hand(state: State, tf: TaskForce) -> list[Unit]:
    """Pods and modules that a task force may build with: its own; for the tugs of certain special conditions, all of
    its side in the hex. PQ-17 1.8.12.1, 1.8.12.3, 1.8.12.6, C.special.gearbox, ruling SPC-12."""
    ships = {ship for project in state.special.projects if project.name in PROJECTS for ship in project.ships}
    tugs = [one.id for one in builders(state, tf) if state.class_of(one).is_tug]
    forces = state.task_forces_in(tf.hex, tf.side) if ships & set(tugs) else [tf]
    units = [unit for force in forces if not force.is_base for unit in state.units_of(force)]
    return [unit for unit in units if state.class_of(unit).unit_kind in ("pod", "module")]


@rule("1.8.12.3")
def core_pods(state: State, parts: Iterable[Unit], kind: ShipClass) -> list[Unit]:
    """The core pods for a base among some parts, uncrippled ones first; empty if there are too few. PQ-17 1.8.12.3."""
    fitting = [one for one in parts if state.class_of(one).builds == kind.class_id]
    fitting.sort(key=lambda one: (one.crippled, one.id))
    return fitting[: kind.core_pods] if len(fitting) >= kind.core_pods else []


@rule("1.8.12.2", "1.8.12.3")
def buildable(state: State, tf: TaskForce) -> list[ShipClass]:
    """The bases for which a task force has all core pods. PQ-17 1.8.12.2, 1.8.12.3."""
    parts = parts_at_hand(state, tf)
    wanted = sorted({state.class_of(one).builds for one in parts} & set(state.classes))
    kinds = [state.classes[one] for one in wanted]
    return [kind for kind in kinds if is_buildable(kind) and core_pods(state, parts, kind)]


@rule("1.8.12.4", "1.8.12.8")
def own_bases(state: State, tf: TaskForce) -> list[Unit]:
    """Built and other bases around pods, of the side, in the hex. PQ-17 1.8.12.4, 1.8.12.8."""
    units = [unit for base in state.bases_in(tf.hex, tf.side) for unit in state.units_of(base)]
    return [unit for unit in units if state.class_of(unit).core_pods]


@rule("1.8.12.4")
def free_parts(state: State, tf: TaskForce) -> list[Unit]:
    """Pods and modules that may go into a base besides its core pods. PQ-17 1.8.12.4."""
    return [one for one in parts_at_hand(state, tf) if not state.class_of(one).builds]


@rule("1.8.12.7")
def can_do_something(state: State, tf: TaskForce) -> bool:
    """Whether a task force could build, extend or activate any base this turn. PQ-17 1.8.12.7."""
    if may_build(state, tf):
        return False
    bases = own_bases(state, tf)
    idle = any(one.repairs.inactive for one in bases)
    return bool(buildable(state, tf) or idle or (bases and free_parts(state, tf)))


@rule("1.8.12.5")
def stow_module(state: State, carrier: Unit, module: Unit) -> bool:
    """Put a module into a ship's cargo, where it takes up its size in boxes; False where there is no room.

    PQ-17 1.8.12.5, ruling BAS-18."""
    size = state.class_of(module).cargo_size
    if size > carrier.cargo - carrier.module_boxes - carrier.supply - carrier.rp_cargo:
        return False
    carrier.module_boxes += size
    module.carried_by = carrier.id
    return True


# --- judging ----------------------------------------------------------------------------------------------------------


@rule("1.8.12.2", "1.8.12.3", "1.8.12.4", "1.8.12.5", "1.8.12.6", "1.8.12.7", "1.8.12.8", "1.8.12.9", "1.8.12.10")
def build_refusals(state: State, order: BuildOrder, path: str) -> list[Refusal]:
    """Everything illegal about an order. PQ-17 1.8.12.2 to 1.8.12.10."""
    tf = state.task_forces[order.task_force]
    wrong: list[Refusal] = []
    problem = may_build(state, tf)
    if problem:
        rule = "PQ-17 1.8.12.6" if "tractor" in problem else "PQ-17 1.8.12.7"
        wrong.append(illegal(problem, rule, path, legal="Station Keeping, Logistics, two tractor beams"))
    known = [one.id for one in free_parts(state, tf)]
    strange = [one for one in order.parts if one not in known]
    if strange:
        problem = f"{', '.join(strange)} is no pod or module at hand"
        wrong.append(illegal(problem, "PQ-17 1.8.12.4", f"{path}.parts", legal=", ".join(known) or "none"))
    if order.what == "build":
        wrong += _new_base_refusals(state, tf, order, path)
    else:
        wrong += _old_base_refusals(state, tf, order, path)
    return wrong


def _new_base_refusals(state: State, tf: TaskForce, order: BuildOrder, path: str) -> Iterable[Refusal]:
    kind = state.classes.get(order.subject)
    kinds = [one.class_id for one in buildable(state, tf)]
    if kind is None or not is_buildable(kind):
        yield illegal("no such base is built of pods", "PQ-17 1.8.12.2", path, legal=", ".join(kinds) or "none")
        return
    if order.subject not in kinds:
        problem = f"not all its {kind.core_pods} core pods are at hand"
        yield illegal(problem, "PQ-17 1.8.12.3", path, legal=", ".join(kinds) or "none")
    if kind.module_slots and len(order.parts) > kind.module_slots:
        problem = f"it has {kind.module_slots} places for further pods and modules"
        yield illegal(problem, "PQ-17 1.8.12.4", f"{path}.parts", legal=f"at most {kind.module_slots}")
    if order.near and order.near not in [one.id for one in state.bases_in(tf.hex, tf.side)]:
        yield illegal(
            "that is no base of yours here", "PQ-17 1.8.12.10", f"{path}.near", legal="a base of yours in the hex"
        )
    if order.near and not order.place:
        problem = "say where it lies on a tactical map, within 50 hexes of that base"
        yield illegal(problem, "PQ-17 1.8.12.10", f"{path}.place", legal="for example 12 hexes, direction C")


def _old_base_refusals(state: State, tf: TaskForce, order: BuildOrder, path: str) -> Iterable[Refusal]:
    base = state.units.get(order.subject)
    if base is None or base not in own_bases(state, tf):
        yield illegal("that is no base around pods of yours here", "PQ-17 1.8.12.4", path, legal="a base in the hex")
        return
    if order.what == "activate" and not base.repairs.inactive:
        yield illegal("it works already", "PQ-17 1.8.12.8", path, legal="an inactive base")
    if order.what == "extend" and not order.parts:
        yield illegal("say which pods or modules to add", "PQ-17 1.8.12.4", f"{path}.parts", legal="at least one")


# --- interruptions ----------------------------------------------------------------------------------------------------


@rule("1.8.12.7", "1.8.12.8")
def note_disturbances(state: State) -> None:
    """At an impulse's end: building is interrupted if the building task force conducted reconnaissance or was in a
    battle; being searched or shadowed does not interrupt it. PQ-17 1.8.12.7, 1.8.12.8, ruling BAS-14."""
    for side in sorted(state.logistics):
        for order in state.logistics[side].builds:
            units = [state.units[one] for one in order.units if one in state.units]
            if not order.disturbed and any(_is_disturbed(state, one) for one in units):
                order.disturbed = state.impulse


def _is_disturbed(state: State, unit: Unit) -> bool:
    return unit.marks.searched or unit.marks.was_attacked or unit.repairs.fought == state.turn


# --- carrying out -----------------------------------------------------------------------------------------------------


@rule("1.8.12.6", "1.8.12.7", "1.8.12.8", "1.8.12.9", "1.8.12.10")
def carry_out_construction(turn: TurnContext[State], side: Side) -> None:
    """One side's building at the end of the turn. PQ-17 1.8.12.6 to 1.8.12.10, rulings BAS-13 to BAS-16, TF-7."""
    state = turn.state
    plan = state.logistics.get(side)
    for order in [] if plan is None else plan.builds:
        tf = next(
            (found for one in order.units if (found := state.tf_of(one)) is not None and found.side == side), None
        )
        if tf is None or build_refusals(state, order.changed(task_force=tf.id), ""):
            why = because("PQ-17 1.8.12.7", {"plotted by": order.task_force})
            text = f"{order.task_force} could not build: what it takes is no longer together."
            turn.tell([side], text, kind="logistics", why=why)
            continue
        match order.what:
            case "build":
                _build(turn, tf, order)
            case "extend":
                _extend(turn, tf, order)
            case "activate":
                _activate(turn, tf, order)


def _build(turn: TurnContext[State], tf: TaskForce, order: BuildOrder) -> None:
    state = turn.state
    kind = state.classes[order.subject]
    cores = core_pods(state, parts_at_hand(state, tf), kind)
    extras = [state.units[one] for one in order.parts]
    builder_ids = [one.id for one in builders(state, tf)]
    unit_id = f"{cores[0].id}-base"[:40]
    fitted = _fitted(state, kind, Counter(one.class_id for one in extras), unit_id)
    emblem = next(label.emblem for label in state.sides if label.key == tf.side)
    name = f"{emblem} {kind.label} {tf.hex}"
    base = new_unit(fitted, unit_id=unit_id, name=name, side=tf.side, nation=cores[0].nation)
    base.repairs = base.repairs.with_values(inactive=bool(order.disturbed))
    state.units[unit_id] = base
    built = BuiltBase(side=tf.side, unit=unit_id, hex=tf.hex, turn=state.turn, builders=builder_ids)
    state.built = [*state.built, built]
    built.active_since = 0 if order.disturbed else state.turn
    level = tf.id_level
    _take_in(state, base, built, [*cores, *extras])
    cluster = _put_in_place(state, tf, order, base, level)
    _tell(turn, order, base, f"{name} stands in {cluster.hex}")
    report_contact(turn, cluster, state.enemy_of(tf.side), because("PQ-17 1.8.12.9", {"in": cluster.hex}))


@rule("1.8.12.9", "1.8.12.10", "1.8.1")
def _put_in_place(state: State, tf: TaskForce, order: BuildOrder, base: Unit, level: IdLevel) -> TaskForce:
    """Put the base on the map: as a new unknown base cluster at its builders' level and in the conditions chosen; or
    into an existing cluster, whose conditions and level it shares. PQ-17 1.8.12.9, 1.8.12.10, rulings TF-7, BAS-13,
    BAS-16."""
    cluster = state.task_forces.get(order.near) if order.near else None
    if cluster is not None:
        state.set_units(cluster, sorted([*cluster.units, base.id]))
        cluster.id_level = max(cluster.id_level, level)
        if cluster.base is not None:
            cluster.base.positions = {**cluster.base.positions, base.id: order.place}
        return cluster
    record = BaseRecord(name=base.name, known=False, conditions=order.conditions)
    cluster = TaskForce(id=free_id(state, tf.side), side=tf.side, hex=tf.hex, units=[base.id], base=record)
    cluster.id_level = level
    state.put_force(cluster)
    settle_base_sensors(state, cluster)
    return cluster


@rule("1.8.12.4")
def _extend(turn: TurnContext[State], tf: TaskForce, order: BuildOrder) -> None:
    """Add parts; interrupted, they stay where they were. PQ-17 1.8.12.4, ruling PQ-113."""
    state = turn.state
    base = state.units[order.subject]
    if order.disturbed:
        _tell(turn, order, base, f"{base.name} was not extended")
        return
    cluster = state.tf_of(base.id)
    record = None if cluster is None else cluster.base
    added = [state.units[one] for one in order.parts]
    before, old = state.class_of(base), dict(base.repairs.damage)
    kind = _fitted(state, before, Counter(one.class_id for one in added), f"{base.id}-{state.turn}")
    for box in _COUNTS:
        setattr(base, box, int(getattr(base, box)) + int(getattr(kind, box)) - int(getattr(before, box)))
    base.class_id, base.repairs = kind.class_id, base.repairs.with_values(damage=old)
    built = next((one for one in state.built if one.unit == base.id), None)
    _take_in(state, base, built, added)
    if record is not None and record.fittings:
        record.fittings = dict(Counter(record.fittings) + Counter(one.class_id for one in added))
    base.repairs = base.repairs.with_values(inactive=False)
    _begin_work(state, base)
    _tell(turn, order, base, f"{base.name} has been extended")
    if cluster is not None and cluster.id != tf.id:
        report_contact(turn, cluster, state.enemy_of(tf.side), because("PQ-17 1.8.12.4", {"in": cluster.hex}))


_COUNTS = ("warp", "awr", "impulse", "battery", "special_sensors", "cargo", "repair")


@rule("1.8.12.8")
def _activate(turn: TurnContext[State], tf: TaskForce, order: BuildOrder) -> None:
    """Activate a base that was put in place inactive, by the same procedure. PQ-17 1.8.12.8, ruling BAS-14."""
    base = turn.state.units[order.subject]
    if not order.disturbed:
        base.repairs = base.repairs.with_values(inactive=False)
        _begin_work(turn.state, base)
    _tell(turn, order, base, f"{tf.label} has worked on {base.name}")


def _begin_work(state: State, base: Unit) -> None:
    cluster = state.tf_of(base.id)
    if cluster is not None:
        settle_base_sensors(state, cluster)
    for one in state.built:
        if one.unit == base.id and not one.active_since:
            one.active_since = state.turn


def _fitted(state: State, kind: ShipClass, parts: Counter[str], key: str) -> ShipClass:
    """Make and file the class of a base with those parts. Rulings SCN-34, BAS-17."""
    fitted = fitted_class(kind, parts, state.classes, key)
    state.classes[fitted.class_id] = fitted
    return fitted


def _take_in(state: State, base: Unit, built: BuiltBase | None, parts: Sequence[Unit]) -> None:
    """Build parts into a base: it takes over their damage and stores, and they leave their task forces."""
    for part in parts:
        if built is not None:
            built.parts = [*built.parts, BuiltPart(class_id=part.class_id, crippled=part.crippled)]
        for box, count in all_destroyed(state, part).items():
            destroy(state, base, box, count)
        base.supply += part.supply
        base.rp_cargo += part.rp_cargo
        base.fuel_cargo += part.fuel_cargo
        base.fuel += part.fuel
        _leave_carrier(state, part)
        drop_unit(state, part.id)
        part.fate = "built in"
    lose_excess(base)


def _leave_carrier(state: State, part: Unit) -> None:
    carrier = state.units.get(part.carried_by)
    if carrier is not None and state.class_of(part).unit_kind == "module":
        carrier.module_boxes = max(0, carrier.module_boxes - state.class_of(part).cargo_size)
    part.carried_by = ""


@rule("1.8.12.7", "1.8.12.8")
def _tell(turn: TurnContext[State], order: BuildOrder, base: Unit, what: str) -> None:
    """Tell the owner alone. PQ-17 1.8.12.7, 1.8.12.8."""
    inputs: dict[str, object] = {"built by": order.task_force}
    if order.disturbed:
        inputs["interrupted on impulse"] = order.disturbed
    rule = "PQ-17 1.8.12.8" if order.disturbed else "PQ-17 1.8.12.7"
    ending = "all its systems are inactive until the procedure is repeated" if base.repairs.inactive else "it works"
    turn.tell([base.side], f"{what}; {ending}.", kind="logistics", why=because(rule, inputs))
