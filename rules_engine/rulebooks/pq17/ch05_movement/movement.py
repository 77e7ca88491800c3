"""Chapter 5: speeds, postures, ports and the moves themselves."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch05_movement.may_lay import may_lay
from rules_engine.rulebooks.pq17.ch10_supply.fuel import (
    can_move,
    can_sustain,
    carried_pods,
    group_of,
    moving_cost,
    pay_move,
)
from rules_engine.rulebooks.pq17.ch11_repair.refits import is_inactive
from rules_engine.rulebooks.pq17.contacts.minefields import note_transit
from rules_engine.rulebooks.pq17.contacts.shadow_chains import (
    crawl_turns,
    current_speed,
    followers_of,
    joined_now,
    leader_of,
    paid_with,
)
from rules_engine.rulebooks.pq17.nations.homes import exit_refusal, is_bound
from rules_engine.rulebooks.pq17.records.forces import EXIT, IN_PLACE, LAY, PORT, STAY, TaskForce, TowGroup, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import FUEL_PER_HEX, Speed, fastest_under_warp, moves_on
from rules_engine.rulebooks.pq17.tables.ship_classes import FASTEST

ALL_SPEEDS: tuple[Speed, ...] = tuple(Speed)
"""All speeds, slowest first."""
FASTEST_IN_PORT = Speed.CRUISE
"""PQ-17 5.5.4, 5.5.5."""

# --- what ships can do ----------------------------------------------------------------------------------------------


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
    unit_class = state.class_of(unit)
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
    tow = group_of(tf, unit)
    if tow is None:
        return unit.impulse >= 1 and not state.class_of(unit).is_base
    movers = [state.units[one] for one in (tow.tower, *tow.towed)]
    return any(one.impulse >= 1 and not state.class_of(one).is_base for one in movers)


def _under_warp(state: State, tf: TaskForce, unit: Unit, *, fuel_matters: bool = True) -> Speed:
    """A unit's highest speed by warp alone; none without warp on, or without any fuel where fuel matters (SPD-4)."""
    if not tf.posture.warp:
        return Speed.STATION
    tow = group_of(tf, unit)
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
    slowest = min(map(_faster, warp, impulse), key=lambda speed: speed.level)
    if slowest.is_crawl:
        slowest = Speed.IMPULSE_CRAWL if on_impulse else Speed.WARP_CRAWL
    by_warp = [speed is not Speed.STATION for speed in warp]
    return Reach(slowest, on_impulse, any(by_warp) and slowest is not Speed.STATION)


@rule("11.5.4")
def _is_held_by_refit(state: State, tf: TaskForce) -> bool:
    """Whether a task force has a ship that is inactive and not towed by another. PQ-17 11.5.4."""
    inactive = [unit_id for unit_id in tf.units if is_inactive(state.units[unit_id])]
    return any(all(unit_id not in tow.towed for tow in tf.tows) for unit_id in inactive)


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
    return _allows(tf, _reach(state, tf, fuel_matters=False), tf.speed)


def _allows(tf: TaskForce, reach: Reach, speed: Speed) -> bool:
    return reach.allows(speed) and (not tf.in_port or speed.level <= FASTEST_IN_PORT.level)


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


# --- crawling -------------------------------------------------------------------------------------------------------


def count_crawls(state: State) -> None:
    """At the start of operations: add a turn for those that plotted a crawl, reset all others. Ruling SPD-7."""
    for tf in state.all_task_forces():
        crawls = current_speed(state, tf).is_crawl
        for unit_id in tf.units:
            unit = state.units[unit_id]
            unit.crawl_turns = unit.crawl_turns + 1 if crawls else 0


def forget_ways(state: State) -> None:
    """At the start of operations: remove the courses of the turn before from the maps."""
    for tf in state.all_task_forces():
        tf.flown = []


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


# --- movement points ------------------------------------------------------------------------------------------------


@rule("5.3.3", "7.3.2")
def has_point(state: State, tf: TaskForce) -> bool:
    """Whether the impulse chart gives a movement point in this impulse to the task force, or to the one it shadows.

    PQ-17 5.3.3, 7.3.2.
    """
    leader = leader_of(state, tf)
    crawled = crawl_turns(state, leader) if leader.speed.is_crawl else 0
    return not leader.is_base and moves_on(leader.speed, state.impulse, crawled)


@rule("5.4.7.3.1", "9.5")
def lower_speeds(state: State, tf: TaskForce) -> list[Speed]:
    """When fuel runs short: the lower speeds at which one more hex can be paid for, fastest first.

    PQ-17 5.4.7.3.1, 9.5, ruling SPD-6."""
    per_hex = FUEL_PER_HEX[tf.speed]
    lower = [speed for speed in speeds(state, tf) if FUEL_PER_HEX[speed] < per_hex and can_move(state, tf, speed)]
    return sorted(lower, key=lambda speed: (-speed.level, FUEL_PER_HEX[speed]))


@rule("5.3.2", "5.3.4", "12.5.3.1", "12.5.3.2", "C.schedule.note3", "C.oob.klingon.restriction")
def destinations(state: State, tf: TaskForce) -> list[str]:
    """The steps that may be plotted for one movement point, staying first: laying mines, a neighbour, the port here, or
    off the map's edge. A task force in port can only stay or leave port; a bound one cannot leave its hex. PQ-17 5.3.2,
    5.3.4, 5.5.2-5.5.6, 12.5.3.1, 12.5.3.2, C.schedule.note3, C.oob.klingon.restriction."""
    found = [STAY]
    if may_lay(state, tf, tf.speed):
        found.append(LAY)
    if _may_use_port(state, tf):
        found.append(PORT)
    if _may_leave_hex(state, tf):
        found += [*([EXIT] if _may_leave_map(state, tf) else []), *sorted(state.grid.neighbours(tf.hex))]
    return found


@rule("5.3.2", "5.3.4")
def may_take(state: State, tf: TaskForce, step: str) -> bool:
    """Whether a step is one of the :func:`destinations`. PQ-17 5.3.2, 5.3.4."""
    if step in (STAY, LAY, PORT, EXIT):
        return step in destinations(state, tf)
    return step in state.grid.neighbours(tf.hex) and _may_leave_hex(state, tf)


@rule("5.5.2", "5.5.3", "5.5.4")
def _may_use_port(state: State, tf: TaskForce) -> bool:
    """Whether a task force may leave port, or enter one in its hex at its speed. PQ-17 5.5.2 to 5.5.4."""
    slow = tf.speed.level <= FASTEST_IN_PORT.level
    return bool(tf.in_port) or (slow and port_here(state, tf) is not None)


@rule("5.5.2", "C.oob.klingon.restriction")
def _may_leave_hex(state: State, tf: TaskForce) -> bool:
    """Whether a task force is not in port, nor bound to its hex. PQ-17 5.5.2, C.oob.klingon.restriction."""
    return not tf.in_port and not is_bound(state, tf)


@rule("C.schedule.note3")
def _may_leave_map(state: State, tf: TaskForce) -> bool:
    """Whether a task force has leave to quit the map from its hex. PQ-17 C.schedule.note3."""
    permits = state.progress.permits
    return any(unit_id in permits for unit_id in tf.units) and exit_refusal(state, tf, tf.hex) is None


@rule("5.5.1")
def port_here(state: State, tf: TaskForce) -> TaskForce | None:
    """The friendly base cluster that a task force could enter. PQ-17 5.5.1, rulings SET-6, PRT-8."""
    return next(iter(state.bases_in(tf.hex, tf.side)), None)


@rule("5.3.4")
def next_step(state: State, tf: TaskForce) -> str:
    """The stored route's step for this movement point; ``stay`` if the route is used up or no longer legal.

    PQ-17 5.3.4, ruling MOV-8."""
    return tf.route[0] if tf.route and may_take(state, tf, tf.route[0]) else STAY


# --- moving ---------------------------------------------------------------------------------------------------------


@rule("5.3.4", "5.6.1", "5.6.3", "7.3.1", "SOP.2.b.i.7")
def expend_fuel(state: State) -> None:
    """Make every task force with a movement point pay for it now, whether or not it will leave its hex; shadowers pay
    at their target's speed. PQ-17 5.3.4, 5.6.1, 5.6.3, 7.3.1, SOP.2.b.i.7, ruling MOV-1."""
    for tf in state.all_task_forces():
        if not tf.is_base and has_point(state, tf):
            pay_move(state, tf, current_speed(state, tf))


@rule("5.3.5.3", "5.3.5.4")
def must_stay(state: State, tf: TaskForce) -> str:
    """Why a plotted move may not be made, or "": a search, an attack or a declared shadowing came first.

    PQ-17 5.3.5.3, 5.3.5.4, ruling MOV-4."""
    marks = [state.units[unit_id].marks for unit_id in tf.units]
    if any(one.searched or one.attempted_attack for one in marks):
        return "5.3.5.3"
    return "5.3.5.4" if any(one.declared_shadowing for one in marks) else ""


@rule("5.3.5.3", "5.3.5.4")
def why_not_made(state: State, tf: TaskForce) -> str:
    """Why the plotted step is not made, or "": one that leaves the hex if the force must stay; into port or out of it
    only if it has declared shadowing, after which its plot is ignored; and any that a battle since the plot has made
    impossible, by damage or by ships that joined.

    PQ-17 5.3.5.3, 5.3.5.4, rulings MOV-4, SHD-5, own ruling PQ-2."""
    if leaves_hex(tf) and (why := must_stay(state, tf)):
        return why
    if tf.plot == PORT and state.has_mark(tf, "declared_shadowing"):
        return "5.3.5.4"
    return _why_no_more(state, tf)


@rule("5.1.6", "C.oob.klingon.restriction", "C.schedule.note3")
def _why_no_more(state: State, tf: TaskForce) -> str:
    """Why a force can no longer make the step that it or the forces it was made of have plotted, or "": damage has left
    it at a speed without a point, or a ship that joined it may not leave the hex, or the map. PQ-17 5.1.6,
    C.oob.klingon.restriction, C.schedule.note3, ruling CMB-19, own rulings PQ-29, PQ-194."""
    if tf.plot in ("", STAY, LAY):
        return ""
    if not has_point(state, tf):
        return "5.1.6"
    if leaves_hex(tf) and is_bound(state, tf):
        return "C.oob.klingon.restriction"
    refusal = exit_refusal(state, tf, tf.hex) if tf.plot == EXIT else None
    return "" if refusal is None else refusal.rule.removeprefix("PQ-17 ")


@rule("5.3.5.1", "5.3.5.2")
def may_stay(state: State, tf: TaskForce) -> str:
    """Why a task force may stay in spite of its plot, or "": an enemy came in, or it was successfully attacked.

    PQ-17 5.3.5.1, 5.3.5.2, rulings MOV-3, CMB-19."""
    if not leaves_hex(tf) or must_stay(state, tf):
        return ""
    if state.has_mark(tf, "was_attacked"):
        return "5.3.5.2"
    enemies = state.task_forces_in(tf.hex, state.enemy_of(tf.side))
    return "5.3.5.1" if any(state.has_mark(enemy, "entered") for enemy in enemies) else ""


def leaves_hex(tf: TaskForce) -> bool:
    """Whether the plot leads into another hex."""
    return tf.plot not in ("", *IN_PLACE)


@rule("6.4.1", "5.3.1", "5.3.5", "5.6.1", "5.6.3", "7.3.2", "SOP.2.b.ii.1")
def move(
    state: State, side: Side, staying: Sequence[str] = (), left_behind: Sequence[TaskForce] = ()
) -> list[TaskForce]:
    """Make all plotted moves of ``side`` at once; enemy shadowers move along. Returns all forces that expended their
    first point of this impulse (6.4.1 counts impulses). ``staying`` lists forces that use their option to remain;
    ``left_behind`` were shadowers that might not follow, and expend their point in place.

    PQ-17 5.3.1, 5.3.5, 5.6.1, 5.6.3, 7.3.2, rulings MOV-2, MOV-10."""
    movers = plotted_movers(state, side)
    points = [(tf, step_made(state, tf, staying)) for tf in movers]
    for tf, step in points:
        if tf.route and tf.route[0] == step == tf.plot:
            tf.route = tf.route[1:] or list(tf.loop)
    followers = {tf.id: followers_of(state, tf) for tf in movers}
    in_place = {tf.id: tf for tf in (*left_behind, *plotted_shadowers(state, side), *_set_free(state, side))}
    before = {tf.id: tf.hex for tf in state.all_task_forces()}
    moved: dict[str, TaskForce] = {}
    for tf, step in points:
        if step == PORT:
            _change_port(state, tf)
        elif step not in (*IN_PLACE, EXIT):
            _enter_hex(state, tf, step)
        for follower in followers[tf.id]:
            if follower.hex != tf.hex:
                _enter_hex(state, follower, tf.hex)
        tf.plot = EXIT if step == EXIT else ""  # a force that leaves stays in its hex until it is taken off the map
        moved[tf.id] = tf
        moved |= {one.id: one for one in followers[tf.id] if one.hex != before[one.id] or not joined_now(state, one)}
    for one in [one for tf in in_place.values() for one in (tf, *followers_of(state, tf))]:
        if one.id not in moved and (
            one.id in in_place or paid_with(state, one).id in in_place or not joined_now(state, one)
        ):
            one.plot = ""
            moved[one.id] = one
    for tf in moved.values():
        note_transit(state, tf.id, before[tf.id], "" if tf.plot == EXIT else tf.hex)
    fresh = [tf for tf in moved.values() if not state.has_mark(tf, "moved")]
    for tf in fresh:
        state.set_mark(tf, "moved")
    return fresh


@rule("5.3.1")
def plotted_movers(state: State, side: Side) -> list[TaskForce]:
    """The task forces of ``side`` that make a plotted move of their own. PQ-17 5.3.1."""
    return [tf for tf in state.all_task_forces(side) if tf.plot and leader_of(state, tf) is tf]


def plotted_shadowers(state: State, side: Side) -> list[TaskForce]:
    """Forces that began to shadow this impulse before making their plot: their point counts as expended in place."""
    return [tf for tf in state.all_task_forces(side) if tf.plot and leader_of(state, tf) is not tf]


@rule("6.4.1")
def _set_free(state: State, side: Side) -> list[TaskForce]:
    """In the second half: forces of the other side that shadowed one of ``side`` until they fought in this impulse. Its
    point, for which they have paid, they expend in place. PQ-17 6.4.1, ruling MOV-2."""
    return [tf for tf in state.all_task_forces(state.enemy_of(side)) if tf.plot == STAY and state.half == "B"]


@rule("1.2.5", "5.3.5")
def step_made(state: State, tf: TaskForce, staying: Sequence[str]) -> str:
    """The step that comes of a task force's plot: that, or staying where it must or chooses to. PQ-17 5.3.5."""
    bound = why_not_made(state, tf) or (leaves_hex(tf) and tf.id in staying)
    return STAY if bound else tf.plot


def _enter_hex(state: State, tf: TaskForce, hex_id: HexId) -> None:
    tf.flown = [*(tf.flown or [tf.hex]), hex_id]
    state.set_hex(tf, hex_id)
    state.set_mark(tf, "entered")


@rule("1.6.7.3.1", "1.6.7.3.2", "5.5.2", "5.5.3")
def _change_port(state: State, tf: TaskForce) -> None:
    """Enter port, at speed 0 from then on, or leave it. PQ-17 1.6.7.3.1, 1.6.7.3.2, 5.5.2, 5.5.3, ruling PRT-3."""
    if tf.in_port:
        state.set_port(tf, "")
        return
    port = port_here(state, tf)
    if port is not None:
        state.set_port(tf, port.id)
        tf.next_speed = None
        set_speed(state, tf, Speed.STATION)
