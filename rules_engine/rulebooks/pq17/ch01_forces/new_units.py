"""Making units: undamaged and full, named from their nation's list, and put on the map.

Ids and names depend only on what their own side has, so that they tell nothing of the other side.
"""

import re
from collections.abc import Container, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import count

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import free_ids
from rules_engine.rulebooks.pq17.ch10_supply.fuel import carried_pods, fill, is_pod
from rules_engine.rulebooks.pq17.ch11_repair.refits import give_refit
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.order_of_battle import Nation
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass

ID_LENGTH = 24


@rule("11.2.7", "11.3.8")
def new_unit(unit_class: ShipClass, *, unit_id: str, name: str, side: Side, nation: str = "") -> Unit:
    """An undamaged unit of a class, without fuel and supply, with all its self-repairs and repair points.

    PQ-17 11.2.7, 11.3.8."""
    return Unit(
        id=unit_id,
        name=name,
        class_id=unit_class.class_id,
        side=side,
        nation=nation,
        source=unit_class.source,
        warp=unit_class.warp,
        awr=unit_class.awr,
        impulse=unit_class.impulse,
        battery=unit_class.battery,
        special_sensors=unit_class.special_sensors,
        cargo=unit_class.cargo,
        orion_cargo=unit_class.orion_cargo,
        repair=unit_class.repair,
        tractors=unit_class.tractors,
        sensor_track=list(unit_class.sensor_track),
        damcon_track=list(unit_class.damcon_track),
        self_repairs_left=sum(unit_class.damcon_track),
        rp_repair=unit_class.repair,
        rp_damcon=sum(unit_class.damcon_track),
        probes=unit_class.probes,
    )


@rule("9.4", "C.cargo-supply-benefit")
def file_unit(state: State, unit: Unit) -> Unit:
    """Fill a new unit with its initial stores, and file it; it is in no task force yet.

    PQ-17 9.4, C.cargo-supply-benefit."""
    fill(state, unit)
    state.units[unit.id] = unit
    return unit


@rule("C.purchase.3")
def new_units(
    state: State,
    nation: str,
    class_id: str,
    count: int = 1,
    *,
    refits: Sequence[str] = (),
    options: str = "",
    tags: Iterable[str] = (),
) -> list[Unit]:
    """New units of a class for a nation: undamaged, refitted, full, named, filed, and in no task force yet.

    PQ-17 C.purchase.3."""
    owner = state.settings.campaign.nation_of(nation)
    kind = state.classes[class_id]
    own = [unit for unit in state.units.values() if owner.side in {unit.side, unit.captured_from}]
    names, ids = {unit.name for unit in own}, {unit.id for unit in own}
    made: list[Unit] = []
    for _ in range(count):
        name = _name_for(owner, kind, names)
        unit = new_unit(kind, unit_id=_id_for(owner, name, ids), name=name, side=owner.side, nation=nation)
        names.add(unit.name)
        ids.add(unit.id)
        unit.options, unit.tags = options, list(tags)
        for refit in refits:
            give_refit(state, unit, refit)
        made.append(file_unit(state, unit))
    return made


@cache
def short_class(class_id: str) -> str:
    """A class without the mark of its builder: ``CA`` for ``FED-CA``, but ``F-L`` for ``F-L``."""
    return re.sub(r"^[A-Z]{3}-", "", class_id)


def _name_for(owner: Nation, kind: ShipClass, taken: Container[str]) -> str:
    """A name: for warships from their nation's list; for others, or once it is used up, class and number."""
    if kind.is_warship:
        for name in owner.ship_names:
            if name not in taken:
                return name
    short = short_class(kind.class_id)
    return next(name for name in (f"{short} {number}" for number in count(1)) if name not in taken)


def _id_for(owner: Nation, name: str, taken: Container[str]) -> str:
    """Its name in lower case, with its side in front if the name alone could equal an id of the other side."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
    if name not in owner.ship_names:
        plain = f"{owner.side[:1]}-{plain}"
    plain = plain[:ID_LENGTH].rstrip("-")
    found = (plain if n == 1 else f"{plain[: ID_LENGTH - 4]}-{n}" for n in count(1))
    return next(one for one in found if one not in taken)


def free_id(state: State, side: Side) -> str:
    """The lowest unused designation of a task force of that side."""
    return next(free_ids(state, side))


@rule("1.6.1", "5.2.3.5")
def place_units(
    state: State,
    side: Side,
    units: Sequence[Unit],
    hex_id: HexId,
    *,
    in_port: str = "",
    name: str = "",
    tf_id: str = "",
) -> TaskForce:
    """A new task force of these units in a hex, in port with the base cluster ``in_port`` if that is given.

    PQ-17 1.6.1, 5.2.3.5."""
    force = TaskForce(
        id=tf_id or free_id(state, side),
        side=side,
        hex=hex_id,
        name=name,
        units=sorted(unit.id for unit in units),
        in_port=in_port,
    )
    state.put_force(force)
    couple(state, force)
    return force


@rule("10.3.7.2.2")
def couple(state: State, tf: TaskForce) -> None:
    """Have the tugs of a task force carry its loose pods, as far as they have slots for them. PQ-17 10.3.7.2.2."""
    units = state.units_of(tf)
    loose = [unit for unit in units if is_pod(state, unit) and unit.carried_by not in tf.units]
    for pod in loose:
        pod.carried_by = ""
    for tug in units if loose else ():
        free = state.class_of(tug).pod_slots - len(carried_pods(state, tug))
        for pod in loose[: max(0, free)]:
            pod.carried_by = tug.id
        loose = loose[max(0, free) :]


@rule("C.purchase.3")
def economic_value(kind: ShipClass, refits: Iterable[str] = ()) -> Fraction:
    """Economic value of a class with some of its refits. PQ-17 C.purchase.3."""
    fitted = set(refits)
    return kind.bpv_economic + sum((one.bpv for one in kind.refits if one.name in fitted), Fraction(0))
