"""Chapter 5.1 and 5.2: which postures and speeds a task force may plot, and why not."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.misfits import listed
from rules_engine.rulebooks.pq17.ch01_forces.sensors import can_be_active, settle_base_sensors
from rules_engine.rulebooks.pq17.ch05_movement.speeds import (
    FASTEST_IN_PORT,
    affordable,
    fastest,
    is_affordable,
    practical_speed,
    set_speed,
    slowest_units,
    speeds,
    unit_max_speed,
)
from rules_engine.rulebooks.pq17.ch10_supply.fuel import has_fuel, hex_cost_alone, points_left
from rules_engine.rulebooks.pq17.ch11_repair.refits import units_at_work
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import IMPULSES, Speed, fastest_under_warp

MOST_NAMED = 3
"""The most ships that a refusal names."""


@rule("1.6.3.2", "5.2.3.1")
def can_cloak(state: State, tf: TaskForce) -> bool:
    """Whether every ship has a cloaking device and can move under it. PQ-17 1.6.3.2, 5.2.3.1, rulings TF-6, PST-1."""
    classes = [state.class_of(unit) for unit in state.separate_units(tf)]
    return bool(classes) and all(one.cloak and one.wps_cloaked for one in classes)


@rule("5.2.3.2")
def can_warp(state: State, tf: TaskForce) -> bool:
    """Whether Warp On may be declared: one ship that works has a warp or AWR box and fuel.

    PQ-17 5.2.3.2, rulings PST-2, TF-6."""
    return any(unit.power_boxes and unit.fuel for unit in units_at_work(state, tf))


@rule("5.2.3.2", "1.8.9")
def settle_bases(state: State) -> None:
    """In planning: bases have warp on if they have AWR boxes and fuel, else off, for the turn; and active sensors.

    PQ-17 5.2.3.2, 1.8.9, ruling BAS-9, own ruling PQ-190."""
    for tf in state.all_task_forces():
        if tf.is_base:
            tf.posture = tf.posture.with_values(warp=can_warp(state, tf))
            settle_base_sensors(state, tf)


@rule("1.6.3.2", "5.2.1")
def force_posture(state: State, tf: TaskForce) -> None:
    """Reduce a posture to one that may be declared now, with the fuel there is. PQ-17 1.6.3.2, 5.2.1."""
    tf.posture = tf.posture.with_values(warp=tf.posture.warp and can_warp(state, tf))
    _force_by_damage(state, tf)


@rule("1.6.3.2", "5.2.4")
def _force_by_damage(state: State, tf: TaskForce) -> None:
    """Reduce a posture to what the ships are still able to do. Fuel that has run out does not change a posture.

    PQ-17 1.6.3.2, 5.2.4, own ruling PQ-190."""
    posture = tf.posture
    cloak = posture.cloak and can_cloak(state, tf)
    tf.posture = posture.with_values(
        cloak=cloak,
        warp=posture.warp and any(unit.power_boxes for unit in state.separate_units(tf)),
        active=posture.active and can_be_active(state, tf) and not cloak,
        logistics=posture.logistics and not cloak and not tf.shadowing,
    )


@rule("5.2.1", "5.2.3.1", "5.2.3.2", "5.2.3.3", "5.2.3.4", "5.2.3.5", "1.6.3.2")
def posture_refusals(state: State, tf: TaskForce, path: str) -> list[Refusal]:
    """Everything illegal about a posture. PQ-17 5.2.1, 5.2.3.1 to 5.2.3.5, 1.6.3.2, rulings TF-6, PST-6."""
    posture = tf.posture
    found: list[Refusal] = []
    if posture.cloak and not can_cloak(state, tf):
        found.append(illegal("not every ship can cloak", "PQ-17 5.2.3.1", path, legal="no cloak"))
    if posture.cloak and posture.active:
        found.append(illegal("cloaked ships are passive", "PQ-17 5.2.3.1", path, legal="cloak and passive"))
    if posture.cloak and posture.logistics:
        found.append(illegal("cloaked ships cannot be in logistics", "PQ-17 5.2.3.1", path, legal="one of the two"))
    if posture.warp and not can_warp(state, tf):
        problem = f"no {_workers(state, tf)} has power boxes and fuel"
        found.append(illegal(problem, "PQ-17 5.2.3.2", path, legal="warp off"))
    if posture.active and not can_be_active(state, tf):
        problem = f"no {_workers(state, tf)} can power its sensors"
        found.append(illegal(problem, "PQ-17 5.2.3.3", path, legal="passive"))
    if posture.logistics and tf.shadowing:
        found.append(illegal("a shadower cannot be in logistics", "PQ-17 5.2.3.4", path, legal="one of the two"))
    if tf.shadowing and tf.in_port:
        found.append(illegal("nobody shadows from port", "PQ-17 5.5.8", path, legal="no shadowing"))
    return found


def _workers(state: State, tf: TaskForce) -> str:
    """What ships that count for a posture are called: those that work, where not all do."""
    return "ship" if [*units_at_work(state, tf)] == state.separate_units(tf) else "ship that works"


@rule("5.1.1", "5.1.2", "5.1.4", "5.1.5", "5.2.3.2", "5.2.3.4", "5.5.4", "5.5.5")
def speed_refusals(state: State, tf: TaskForce, speed: Speed, path: str, *, from_impulse: int = 1) -> list[Refusal]:
    """What is illegal about a speed under the posture the task force has, and the nearest legal one.

    PQ-17 5.1.1, 5.1.2, 5.1.4, 5.1.5, 5.2.3.2, 5.2.3.4, 5.5.4, 5.5.5."""
    possible = speeds(state, tf)
    if speed not in possible:
        rule, why = why_not(state, tf, speed)
        return [illegal(why, rule, path, legal=_list(possible), nearest=_below(possible, speed))]
    if not is_affordable(state, tf, speed, from_impulse=from_impulse):
        paid = affordable(state, tf, from_impulse=from_impulse)
        problem = "there is not enough fuel for the whole turn"
        return [illegal(problem, "PQ-17 5.1.4", path, legal=_list(paid), nearest=_below(paid, speed))]
    return []


def why_not(state: State, tf: TaskForce, speed: Speed) -> tuple[str, str]:
    """The rule that forbids a speed, ignoring fuel, and the posture or the ships that cause it."""
    if tf.in_port and speed.level > FASTEST_IN_PORT.level:
        return "PQ-17 5.5.5", "from port nothing sprints"
    if tf.posture.logistics:
        if tf.in_port:
            return "PQ-17 5.5.6", "in port, logistics needs Station Keeping"
        return "PQ-17 5.2.3.4", "logistics needs Station Keeping or Impulse Crawl"
    if not tf.posture.warp:
        return "PQ-17 5.2.3.2", "with warp off nothing is faster than Impulse Crawl"
    most = fastest(state, tf)
    if speed.level <= most.level:
        return "PQ-17 5.1.5", f"not every ship can go at {speed.label}"
    slow = [unit.name for unit in slowest_units(state, tf)]
    named = ", ".join(slow) if len(slow) <= MOST_NAMED else f"{', '.join(slow[:MOST_NAMED])} and others"
    cloaked = " under cloak" if tf.posture.cloak else ""
    return "PQ-17 5.1.5", f"no faster than {most.label}{cloaked}: {named}"


def _list(found: Iterable[Speed]) -> str:
    return ", ".join(speed.label for speed in found)


def _below(found: Iterable[Speed], speed: Speed) -> tuple[str, ...]:
    lower = [one for one in found if one.level <= speed.level]
    return (max(lower, key=lambda one: one.level).value,) if lower else ()


@rule("5.4.1", "5.4.3", "5.4.4", "5.4.7.3.2")
def tow_refusals(state: State, tf: TaskForce, path: str) -> list[Refusal]:
    """What is illegal about towing: ships must be of the task force, each in one group, with a tractor for each towed
    ship, and no more warp boxes off than there are.

    PQ-17 5.4.1, 5.4.3, 5.4.4, 5.4.7.3.2, ruling TOW-1."""
    found: list[Refusal] = []
    seen: list[str] = []
    for tow in tf.tows:
        for unit_id in (tow.tower, *tow.towed):
            if unit_id not in tf.units:
                near = nearest(unit_id, tf.units)
                problem = f"“{unit_id}” is no ship of this task force"
                found.append(malformed(problem, path, legal=listed(sorted(tf.units)), nearest=near))
            elif unit_id == tow.tower and unit_id in tow.towed:
                if unit_id not in seen:
                    problem = f"{unit_id} cannot tow itself"
                    found.append(illegal(problem, "PQ-17 5.4.1", path, legal="another ship of the task force"))
            elif unit_id in seen:
                problem = f"{unit_id} is in two towing groups"
                found.append(illegal(problem, "PQ-17 5.4.4", path, legal="each ship in one"))
            elif state.is_load(tf, state.units[unit_id]):
                carrier = state.units[state.units[unit_id].carried_by].name
                problem = f"{state.units[unit_id].name} is carried by {carrier} and cannot be towed by itself"
                found.append(illegal(problem, "PQ-17 5.4.1", path, legal=f"tow {carrier}"))
            seen.append(unit_id)
        for unit_id, off in tow.boxes_off.items():
            if unit_id in tf.units and off > state.units[unit_id].warp:
                ship = state.units[unit_id]
                problem = f"{off} warp boxes of {ship.name} cannot be off"
                found.append(illegal(problem, "PQ-17 5.4.7.3.2", path, legal=f"at most its {ship.warp}"))
        tower = state.units.get(tow.tower)
        if tower is not None and tow.tower in tf.units and tower.tractors < len(tow.towed):
            problem = f"{tower.name} has {counted(tower.tractors, 'tractor')} for {counted(len(tow.towed), 'ship')}"
            found.append(illegal(problem, "PQ-17 5.4.3", path, legal="one tractor for each towed ship"))
    return found


@rule("5.4.1", "5.4.7.3")
def tow_matters(state: State, pool: Sequence[TaskForce]) -> bool:
    """Whether towing could be of use: a ship is slower, or gets less far with its fuel, than another with a tractor, or
    is towed already.

    PQ-17 5.4.1, 5.4.7.3.
    """
    if any(tf.tows for tf in pool):
        return True
    pairs = [(tf, unit) for tf in pool for unit in state.separate_units(tf)]
    if len(pairs) < 2 or not any(unit.tractors for _, unit in pairs):
        return False
    if _differ(unit_max_speed(state, tf, unit).level for tf, unit in pairs):
        return True
    left = [impulse for impulse in IMPULSES if impulse >= state.impulse]
    points = {speed: points_left(speed, left, 0) for speed in (Speed.SPRINT, Speed.CRUISE, Speed.EFFICIENT)}
    return _differ(_speed_alone(state, tf, unit, points) for tf, unit in pairs)


def _differ(values: Iterator[object]) -> bool:
    first = next(values)
    return any(one != first for one in values)


def _speed_alone(state: State, tf: TaskForce, unit: Unit, points: Mapping[Speed, int]) -> Speed:
    """The first of some speeds by warp, each with its movement points, that a unit has boxes and fuel for by itself,
    whatever the posture; Station Keeping for none."""
    most = fastest_under_warp(practical_speed(state, unit, cloaked=tf.posture.cloak))
    for speed, count in points.items():
        if speed.level <= most.level and has_fuel(unit, hex_cost_alone(state, unit, speed), count):
            return speed
    return Speed.STATION


@rule("5.1.2", "5.1.4", "5.1.5")
def settle_speed(state: State, tf: TaskForce, wanted: Speed) -> Speed:
    """The wanted speed if it is legal and paid for, else the fastest below it that is. PQ-17 5.1.2, 5.1.4, 5.1.5."""
    if wanted is Speed.STATION:
        return wanted  # which is always legal, and costs nothing
    possible = speeds(state, tf)
    if wanted in possible and is_affordable(state, tf, wanted):
        return wanted
    lower = sorted((one for one in possible if one.level <= wanted.level), key=lambda one: -one.level)
    return next((speed for speed in lower if is_affordable(state, tf, speed)), Speed.STATION)


@rule("1.6.3", "5.1.6", "1.1.1")
def settle_damage(state: State, tf: TaskForce) -> None:
    """Reduce a damaged force's posture and speed to what its ships can keep, fuel apart (9.5 sees to that).

    PQ-17 1.6.3, 5.1.6."""
    _force_by_damage(state, tf)
    for unit in state.units_of(tf):
        unit.boxes_off = min(unit.boxes_off, unit.power_boxes)
    possible = speeds(state, tf, fuel_matters=False)
    for attribute in ("speed", "next_speed"):
        wanted: Speed | None = getattr(tf, attribute)
        if wanted is None:
            continue
        best = max((one for one in possible if one.level <= wanted.level), key=lambda one: one.level)
        if best.level == wanted.level:
            continue
        if attribute == "speed":
            set_speed(state, tf, best)
        else:
            tf.next_speed = best
