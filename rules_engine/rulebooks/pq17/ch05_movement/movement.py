"""Chapter 5.3 to 5.6: movement points, the steps that may be plotted, ports, and the moves themselves."""

from collections.abc import Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch05_movement.may_lay import may_lay
from rules_engine.rulebooks.pq17.ch05_movement.speeds import FASTEST_IN_PORT, set_speed
from rules_engine.rulebooks.pq17.ch10_supply.fuel import pay_move
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
from rules_engine.rulebooks.pq17.records.forces import EXIT, IN_PLACE, LAY, PORT, STAY, TaskForce
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed, moves_on

# --- movement points --------------------------------------------------------------------------------------------------


@rule("5.3.3", "7.3.2")
def has_point(state: State, tf: TaskForce) -> bool:
    """Whether the impulse chart gives a movement point in this impulse to the task force, or to the one it shadows.

    PQ-17 5.3.3, 7.3.2."""
    leader = leader_of(state, tf)
    crawled = crawl_turns(state, leader) if leader.speed.is_crawl else 0
    return leader.base is None and moves_on(leader.speed, state.impulse, crawled)


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


# --- moving -----------------------------------------------------------------------------------------------------------


def forget_ways(state: State) -> None:
    """At the start of operations: remove the courses of the turn before from the maps."""
    for tf in state.all_task_forces():
        tf.flown = []


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
