"""Chapter 5.1: how fast ships and task forces can go, and at what speeds they go on."""

from fractions import Fraction
from operator import attrgetter
from typing import NamedTuple

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch10_supply.fuel import can_move, can_sustain, carried_pods, group_of, moving_cost
from rules_engine.rulebooks.pq17.ch11_repair.refits import is_inactive
from rules_engine.rulebooks.pq17.contacts.shadow_chains import crawl_turns, current_speed
from rules_engine.rulebooks.pq17.records.forces import TaskForce, TowGroup, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import FUEL_PER_HEX, Speed, fastest_under_warp
from rules_engine.rulebooks.pq17.tables.ship_classes import FASTEST

ALL_SPEEDS: tuple[Speed, ...] = tuple(Speed)
"""All speeds, slowest first."""
FASTEST_IN_PORT = Speed.CRUISE
"""PQ-17 5.5.4, 5.5.5."""
_LEVEL = attrgetter("level")

# --- what ships can do ------------------------------------------------------------------------------------------------


def practical_speed(state: State, unit: Unit, *, cloaked: bool = False) -> int:
    """A ship's warp practical speed: what its warp boxes give, or the owner's figure if that is lower.

    PQ-17 rulings SPD-2, PQ-183."""
    reached = speed_by_boxes(state, unit)
    if unit.practical_speed is not None:
        reached = min(reached, unit.practical_speed)
    return min(reached, state.class_of(unit).wps_cloaked) if cloaked else reached


def speed_by_boxes(state: State, unit: Unit) -> int:
    """The practical speed that a ship's warp boxes give if they do nothing else: divided by its movement cost, a tug's
    with its pods; 0 for bases. PQ-17 ruling SPD-2."""
    unit_class = state.classes[unit.class_id]
    if unit_class.is_base:
        return 0
    if unit_class.pod_slots and carried_pods(state, unit):
        return min(FASTEST, int(unit.warp / moving_cost(state, unit)))
    return unit_class.practical_speed(unit.warp)


@rule("5.4.5", "5.4.7.3.2")
def towed_speed(state: State, tow: TowGroup, *, fuel_matters: bool = True) -> int:
    """The practical speed of a tractored group: its active warp boxes divided by the sum of its movement costs.

    PQ-17 5.4.5, 5.4.7.3.2, ruling TOW-2."""
    members = [state.units[unit_id] for unit_id in sorted((tow.tower, *tow.towed))]
    boxes = sum(tow.active_warp(one) for one in members if one.fuel > 0 or not fuel_matters)
    mass = sum((moving_cost(state, one) for one in members), Fraction(0))
    return min(FASTEST, int(boxes / mass)) if mass else 0


@rule("T1", "5.4.6")
def can_use_impulse(state: State, tf: TaskForce, unit: Unit) -> bool:
    """Whether a unit can go at Impulse Crawl, by itself or towed by a unit that can. PQ-17 T1, 5.4.6, ruling TOW-5."""
    tow = group_of(tf, unit) if tf.tows else None
    if tow is None:
        return unit.impulse >= 1 and not state.classes[unit.class_id].is_base
    movers = [state.units[one] for one in (tow.tower, *tow.towed)]
    return any(one.impulse >= 1 and not state.class_of(one).is_base for one in movers)


def _under_warp(state: State, tf: TaskForce, unit: Unit, *, fuel_matters: bool = True) -> Speed:
    """A unit's highest speed by warp alone; none without warp on, or without any fuel where fuel matters (SPD-4)."""
    if not tf.posture.warp:
        return Speed.STATION
    tow = group_of(tf, unit) if tf.tows else None
    if tow is not None:
        return fastest_under_warp(towed_speed(state, tow, fuel_matters=fuel_matters))
    if fuel_matters and not unit.fuel:
        return Speed.STATION
    return fastest_under_warp(practical_speed(state, unit, cloaked=tf.posture.cloak))


@rule("5.1.5", "5.2.3.1", "5.2.3.2", "5.4.5")
def unit_max_speed(state: State, tf: TaskForce, unit: Unit) -> Speed:
    """The highest speed of one unit under its task force's posture. PQ-17 5.1.5, 5.2.3.1, 5.2.3.2, 5.4.5."""
    return _faster(_under_warp(state, tf, unit), can_use_impulse(state, tf, unit))


def _faster(by_warp: Speed, on_impulse: bool) -> Speed:
    """The speed of a unit without warp is that of its impulse boxes."""
    return Speed.IMPULSE_CRAWL if by_warp is Speed.STATION and on_impulse else by_warp


class Reach(NamedTuple):
    """How a task force can move under its posture."""

    fastest: Speed = Speed.STATION
    on_impulse: bool = False
    """Whether all its ships can go on impulse power."""
    warp_crawl: bool = False
    """Whether one can go by warp, and every other at least on impulse power."""

    def allows(self, speed: Speed) -> bool:
        """Whether a speed is among those that it can go at."""
        if speed is Speed.IMPULSE_CRAWL and not self.on_impulse:
            return False
        if speed is Speed.WARP_CRAWL and not self.warp_crawl:
            return False
        return speed.level <= self.fastest.level


AT_REST = Reach()


def _reach(state: State, tf: TaskForce, *, fuel_matters: bool) -> Reach:
    """How a task force can move under its posture, whether in port or not; not at all while a refit holds it."""
    units = [] if tf.is_base or _is_held_by_refit(state, tf) else state.separate_units(tf)
    if not units:
        return AT_REST
    impulse = [can_use_impulse(state, tf, unit) for unit in units]
    on_impulse = all(impulse)
    if tf.posture.logistics:
        return Reach(Speed.IMPULSE_CRAWL, on_impulse) if on_impulse and not tf.in_port else AT_REST
    warp = [_under_warp(state, tf, unit, fuel_matters=fuel_matters) for unit in units]
    slowest = min(map(_faster, warp, impulse), key=_LEVEL)
    if slowest.is_crawl:
        slowest = Speed.IMPULSE_CRAWL if on_impulse else Speed.WARP_CRAWL
    by_warp = warp.count(Speed.STATION) < len(warp)
    return Reach(slowest, on_impulse, by_warp and slowest is not Speed.STATION)


@rule("11.5.4")
def _is_held_by_refit(state: State, tf: TaskForce) -> bool:
    """Whether a task force has a ship that is inactive and not towed by another. PQ-17 11.5.4."""
    inactive = [unit_id for unit_id in tf.units if is_inactive(state.units[unit_id])]
    return bool(inactive) and any(all(unit_id not in tow.towed for tow in tf.tows) for unit_id in inactive)


@rule("1.6.3.1", "5.1.2", "5.2.3.4")
def fastest(state: State, tf: TaskForce, *, fuel_matters: bool = True) -> Speed:
    """The highest speed of a task force under its posture, whether in port or not: the speed of its slowest unit. A
    speed is chosen with some fuel in every ship; one that was chosen does not end with the last of it.

    PQ-17 1.6.3.1, 5.1.2, 5.2.3.4, rulings SPD-3, SPD-4, PST-6."""
    return _reach(state, tf, fuel_matters=fuel_matters).fastest


@rule("1.6.3.1", "11.5.4")
def slowest_units(state: State, tf: TaskForce) -> list[Unit]:
    """The units that a task force under way can go no faster than. PQ-17 1.6.3.1, 11.5.4."""
    if _is_held_by_refit(state, tf):
        return [unit for unit in state.units_of(tf) if is_inactive(unit)]
    levels = {unit.id: unit_max_speed(state, tf, unit).level for unit in state.separate_units(tf)}
    return [state.units[unit_id] for unit_id, level in levels.items() if level == min(levels.values())]


@rule("5.2.3.5", "5.5.7", "6.3.4.3.1", "6.3.4.3.2", "5.5.8", "6.3.4.3.3", "7.2.3")
def max_speed(state: State, tf: TaskForce) -> Speed:
    """The maximum operational speed as searches and shadowing count it: in port, the speed plotted there; a base 0.

    Fuel does not matter, the posture does. PQ-17 5.2.3.5, 5.5.7, 6.3.4.3.1, 6.3.4.3.2, 7.2.3, rulings SPD-3, SPD-4,
    PRT-3, own ruling PQ-190."""
    return tf.speed if tf.in_port else fastest(state, tf, fuel_matters=False)


@rule("5.1.1", "5.1.5", "5.5.4", "5.5.5", "5.5.6")
def speeds(state: State, tf: TaskForce, *, fuel_matters: bool = True) -> list[Speed]:
    """Every speed that may be plotted under the present posture, slowest first; of fuel only whether a ship has any
    matters, and that only where ``fuel_matters``: not for a speed that is kept. Station Keeping is always allowed; in
    port at most speed 2. PQ-17 5.1.1, 5.1.5, 5.5.4, 5.5.5, 5.5.6, rulings SPD-1, SPD-8, PRT-1."""
    reach = _reach(state, tf, fuel_matters=fuel_matters)
    return [speed for speed in ALL_SPEEDS if _allows(tf, reach, speed)]


@rule("5.1.6")
def can_keep_speed(state: State, tf: TaskForce) -> bool:
    """Whether its ships can still go at a task force's speed, fuel apart. PQ-17 5.1.6."""
    least = tf.speed.level
    if tf.speed.is_crawl or tf.in_port or tf.posture.logistics or _is_held_by_refit(state, tf):
        return _allows(tf, _reach(state, tf, fuel_matters=False), tf.speed)
    return all(_under_warp(state, tf, one, fuel_matters=False).level >= least for one in state.separate_units(tf))


def _allows(tf: TaskForce, reach: Reach, speed: Speed) -> bool:
    return reach.allows(speed) and (not tf.in_port or speed.level <= FASTEST_IN_PORT.level)


# --- fuel for a speed -------------------------------------------------------------------------------------------------


@rule("5.1.4", "7.4.3.3", "5.4.7.3.1")
def affordable(state: State, tf: TaskForce, *, from_impulse: int = 1) -> list[Speed]:
    """The speeds that may be plotted and that every ship has fuel for to the end of the turn, slowest first.

    PQ-17 5.1.4, 5.4.7.3.1, 7.4.3.3, ruling SPD-5."""
    return [speed for speed in speeds(state, tf) if is_affordable(state, tf, speed, from_impulse=from_impulse)]


@rule("5.1.4", "7.4.3.3", "5.4.7.3")
def is_affordable(state: State, tf: TaskForce, speed: Speed, *, from_impulse: int = 1) -> bool:
    """Whether every ship has fuel for ``speed`` to the end of the turn. PQ-17 5.1.4, 7.4.3.3, ruling SPD-5."""
    crawled = _crawl_if(state, tf, speed)
    return can_sustain(state, tf, speed, crawl_turns=crawled, from_impulse=from_impulse)


def _crawl_if(state: State, tf: TaskForce, speed: Speed) -> int:
    """The crawl counter this turn would have at ``speed``: a turn counts only if it was crawled from its start."""
    if not speed.is_crawl:
        return 0
    if state.impulse:
        return crawl_turns(state, tf) if current_speed(state, tf).is_crawl else 0
    return crawl_turns(state, tf) + 1


@rule("5.4.7.3.1", "9.5")
def lower_speeds(state: State, tf: TaskForce) -> list[Speed]:
    """When fuel runs short: the lower speeds at which one more hex can be paid for, fastest first.

    PQ-17 5.4.7.3.1, 9.5, ruling SPD-6."""
    per_hex = FUEL_PER_HEX[tf.speed]
    lower = [speed for speed in speeds(state, tf) if FUEL_PER_HEX[speed] < per_hex and can_move(state, tf, speed)]
    return sorted(lower, key=lambda speed: (-speed.level, FUEL_PER_HEX[speed]))


# --- present speeds ---------------------------------------------------------------------------------------------------


def count_crawls(state: State) -> None:
    """At the start of operations: add a turn for those that plotted a crawl, reset all others. Ruling SPD-7."""
    for tf in state.all_task_forces():
        crawls = current_speed(state, tf).is_crawl
        for unit_id in tf.units:
            unit = state.units[unit_id]
            unit.crawl_turns = unit.crawl_turns + 1 if crawls else 0


@rule("5.1.6")
def set_speed(state: State, tf: TaskForce, speed: Speed) -> None:
    """Set the present speed; a change within a turn resets the count of crawling.

    PQ-17 5.1.6, rulings SPD-7, SPD-9."""
    if speed.level != tf.speed.level:
        for unit in state.units_of(tf):
            unit.crawl_turns = 0
    tf.speed = speed


@rule("8.5.6.5.1", "8.5.6.6.1", "8.5.7.2.5")
def take_new_speeds(state: State) -> None:
    """At an impulse's start: put speeds chosen after combat into effect. PQ-17 8.5.6.5.1, 8.5.6.6.1, 8.5.7.2.5."""
    for tf in state.all_task_forces():
        if tf.next_speed is not None:
            set_speed(state, tf, tf.next_speed)
            tf.next_speed = None
