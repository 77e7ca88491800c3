"""Chapter 1.6 to 1.8: task forces, how they are organised and reorganised, and what the enemy is told of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import Removed, because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.contacts.detection import as_the_enemy_numbers
from rules_engine.rulebooks.pq17.contacts.identification import report_contact, track_for
from rules_engine.rulebooks.pq17.contacts.shadow_chains import let_go
from rules_engine.rulebooks.pq17.records.forces import PORT, STAY, IdLevel, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.lots import Draw
from rules_engine.rulebooks.pq17.records.state import State, tf_order


class Reorganisation(Frozen):
    """The outcome of regrouping a side's task forces: for each new id, the old ids that gave it units.

    ``numbers`` are the enemy's contact numbers of the old ones, and ``changed`` lists the new ones that are more than
    an old one under another name.
    """

    side: Side
    came_from: dict[str, tuple[str, ...]]
    numbers: dict[str, str]
    changed: tuple[str, ...]

    def heirs_of(self, old: str) -> tuple[str, ...]:
        """The new task forces that hold units of an old one."""
        return tuple(new for new, sources in self.came_from.items() if old in sources)


@rule("1.6.3", "1.6.5.1", "1.6.7.1")
def pools(state: State, side: Side) -> list[list[TaskForce]]:
    """The sets of task forces whose units may be regrouped among themselves: those in one hex and in the same port, or
    in no port. Bases never join ships. PQ-17 1.6.3, 1.6.5.1, 1.6.7.1, ruling TF-9."""
    found: dict[tuple[str, str], list[TaskForce]] = {}
    for tf in state.all_task_forces(side):
        if not tf.is_base:
            found.setdefault((tf.hex, tf.in_port), []).append(tf)
    return [found[key] for key in sorted(found)]


def free_ids(state: State, side: Side) -> Iterator[str]:
    """Unused designations of task forces of that side, the lowest first."""
    emblem = next(label.emblem for label in state.sides if label.key == side)
    return (f"{emblem}{n}" for n in count(1) if f"{emblem}{n}" not in state.task_forces)


@rule("1.6.4", "1.6.5.2", "1.6.5.6")
def spare_ids(state: State, side: Side) -> dict[str, tuple[str, ...]]:
    """Unused ids for each pool, by the id of its first task force: enough to give every unit one of its own, and no
    id twice. PQ-17 1.6.4, 1.6.5.2, ruling TF-1."""
    free = free_ids(state, side)
    spares: dict[str, tuple[str, ...]] = {}
    for pool in pools(state, side):
        units = sum(len(tf.units) for tf in pool)
        spares[pool[0].id] = tuple(next(free) for _ in range(units - len(pool)))
    return spares


@rule("1.6.5.2", "1.6.5.5", "1.6.8.1", "1.6.8.2", "7.3.7", "1.6.5.6")
def reorganise(state: State, side: Side, groups: Mapping[str, Iterable[str]], draw: Draw = list) -> Reorganisation:
    """Regroup units into task forces; :func:`announce` tells the enemy of it once postures are set.

    ``groups`` gives every new task force's units; it must hold all units of all task forces it touches. Those that stay
    as they are take no part. New ones take over the posture, speed, plot and route of the old one of the same id, else
    of their first source. A new task force has the highest level of its sources. Forces that shadowed a source shadow
    the heir of its contact number until assigned again. ``draw`` chooses which part of a split that is: by lot, since
    the enemy sees it.
    PQ-17 1.6.5.2 to 1.6.5.5, 1.6.8.1, 1.6.8.2, 7.3.7, rulings TF-2, TF-3.

    Raises:
        ValueError: when units are missing, doubled, or of several hexes, sides or ports.
    """
    wanted = {new: sorted(units) for new, units in sorted(groups.items(), key=lambda item: tf_order(item[0]))}
    wanted = {new: units for new, units in wanted.items() if units and not _stands(state, new, units)}
    touched = _touched(state, side, wanted)
    holder = {unit: tf.id for tf in touched for unit in tf.units}
    came_from = {new: tuple(sorted({holder[unit] for unit in units}, key=tf_order)) for new, units in wanted.items()}
    old = {tf.id: tf for tf in touched}
    made = [successor(new, units, old, came_from[new]) for new, units in wanted.items()]
    numbers = _hand_on_numbers(state, old, made, came_from, draw)
    same = {tuple(sorted(tf.units)) for tf in touched}
    result = Reorganisation(
        side=side,
        came_from=came_from,
        numbers=numbers,
        changed=tuple(tf.id for tf in made if tuple(tf.units) not in same),
    )
    hunters = {tf.id: state.shadowers_of(tf.id) for tf in touched}
    for tf_id in old:
        state.remove_force(tf_id)
    for tf in made:
        state.put_force(tf)
    book = state.tracks[state.enemy_of(side)]
    for tf_id, shadowers in hunters.items():
        heirs = result.heirs_of(tf_id)
        kept = next((new for new in heirs if tf_id in numbers and book.track_of(new) == numbers[tf_id]), heirs[0])
        for hunter in shadowers:
            state.set_target(hunter, kept)
    return result


def _stands(state: State, tf_id: str, units: Sequence[str]) -> bool:
    """Whether a task force of that id consists of just these units, which are in order."""
    tf = state.task_forces.get(tf_id)
    return tf is not None and tf.units == units


def _touched(state: State, side: Side, wanted: Mapping[str, Sequence[str]]) -> list[TaskForce]:
    units = [unit for members in wanted.values() for unit in members]
    moved = dict.fromkeys(units)
    touched = [tf for tf in state.all_task_forces(side) if any(unit in moved for unit in tf.units)]
    if sorted(units) != sorted(unit for tf in touched for unit in tf.units):
        raise ValueError("a reorganisation must hold each unit of the task forces it touches once")
    holder = {unit: tf for tf in touched for unit in tf.units}
    for members in wanted.values():
        sources = [holder[unit] for unit in members]
        if len({(tf.hex, tf.in_port) for tf in sources}) != 1 or any(tf.is_base for tf in sources):
            raise ValueError("only ships of one hex and one port form a task force")
    taken = {tf.id for tf in touched}
    if any(new in state.task_forces and new not in taken for new in wanted):
        raise ValueError("that id belongs to a task force that takes no part")
    return touched


@rule("1.6.5.3", "1.6.5.4", "1.6.4.1", "SOP.2.a.i.2")
def successor(new: str, units: Sequence[str], old: Mapping[str, TaskForce], sources: Sequence[str]) -> TaskForce:
    """The initial attributes of a new task force of ``units``: those of the old one of its id if that gave it units,
    else of its first source; with the highest level of all sources. If that one has no movement point and another has
    paid for one, this is expended in place. PQ-17 1.6.5.3, 1.6.5.4, rulings TF-2, CMB-19, MOV-2."""
    model = old[new] if new in sources else old[sources[0]]
    heir = model.copied()
    heir.id = new
    heir.name = old[new].name if new in old else ""
    heir.units = list(units)
    heir.id_level = max(old[source].id_level for source in sources)
    heir.plot = model.plot or (STAY if any(old[source].plot for source in sources) else "")
    heir.tows = [tow for tow in heir.tows if {tow.tower, *tow.towed} <= set(units)]
    return heir


@rule("1.6.4.2")
def _hand_on_numbers(
    state: State,
    old: Mapping[str, TaskForce],
    made: Sequence[TaskForce],
    came_from: Mapping[str, tuple[str, ...]],
    draw: Draw,
) -> dict[str, str]:
    """Hand on contact numbers. A force with the same units as an old one keeps its number; each other takes, in turn,
    the lowest number left of its sources'. Returns the numbers as they were. PQ-17 1.6.4.2, ruling TF-4."""
    if not made:
        return {}
    book = state.tracks[state.enemy_of(made[0].side)]
    dropped = {tf_id: book.drop(tf_id) for tf_id in old}
    numbers = {tf_id: number for tf_id, number in dropped.items() if number is not None}
    free = dict(numbers)
    held = {tf.id: [source for source in came_from[tf.id] if source in numbers] for tf in made}
    same = [tf.id for tf in made if any(sorted(old[source].units) == tf.units for source in held[tf.id])]
    for tf_id in [*same, *draw(new for new in held if held[new] and new not in same)]:
        left = [source for source in held[tf_id] if source in free]
        if left:
            book.current[tf_id] = free.pop(min(left, key=lambda one: tf_order(free[one])))
    return numbers


@rule("1.6.8.2")
def number_contacts(turn: TurnContext[State], done: Reorganisation) -> list[TaskForce]:
    """Give each new task force that the enemy holds a contact number, if it has none yet; returns them in the enemy's
    order.

    PQ-17 1.6.8.2, ruling TF-4.
    """
    state = turn.state
    changed = (state.task_forces[tf_id] for tf_id in done.changed if tf_id in state.task_forces)
    held = as_the_enemy_numbers(turn, [tf for tf in changed if tf.id_level > IdLevel.N])
    for tf in held:
        track_for(state, state.enemy_of(done.side), tf)
    return held


@rule("1.6.5.7", "1.6.8.1", "1.6.8.2", "SOP.2.a.v")
def announce(turn: TurnContext[State], done: Reorganisation, *, rule: str) -> None:
    """Tell the enemy what became of the contacts it holds, and report each new task force at its level.

    A new name for the same units is not told, since names are private. PQ-17 1.6.5.7, 1.6.8.1, 1.6.8.2, SOP.2.a.v,
    rulings TF-4, TF-10.
    """
    state = turn.state
    viewer = state.enemy_of(done.side)
    changed = number_contacts(turn, done)
    seen = {tf.id: track_for(state, viewer, tf) for tf in changed}
    for old, number in sorted(done.numbers.items(), key=lambda item: tf_order(item[1])):
        heirs = sorted((seen[new] for new in done.heirs_of(old) if new in seen), key=tf_order)
        if heirs and heirs != [number]:
            facts = [] if number in heirs else [Removed(track=number, into=heirs[0])]
            text = f"Contact {number} has reorganised; its ships are now in {' and '.join(heirs)}."
            turn.tell([viewer], text, kind="contact", why=because(rule), facts=facts)
    for tf in changed:
        report_contact(turn, tf, viewer, because(rule, {"reorganised in": tf.hex}))


@rule("5.5.3", "8.5.6.1", "8.5.6.2")
def come_out_of_port(state: State, tf: TaskForce) -> None:
    """Put a force out of port by other means than its plot: by pursuit, driven out, or because its base was lost. The
    step by which it would have left is behind it: made now it would lead back in. A point paid for it is expended in
    place. PQ-17 5.5.3, 8.5.6.1, 8.5.6.2, ruling MOV-2, own ruling PQ-194."""
    if not tf.in_port:
        return
    state.set_port(tf, "")
    if tf.plot == PORT:
        tf.plot = STAY
    if PORT in tf.route:
        leaving = tf.route.index(PORT)
        tf.route = [*tf.route[:leaving], *tf.route[leaving + 1 :]]


@rule("1.8.12.5", "10.2.2.2")
def lose_modules(turn: TurnContext[State], carrier: Unit) -> None:
    """Modules are lost with the cargo boxes they fill, or with their carrier; its owner is told. Call this before a
    destroyed carrier is dropped. PQ-17 1.8.12.5, 10.2.2.2."""
    state = turn.state
    room = 0 if carrier.fate == "destroyed" else carrier.module_boxes
    kept = 0
    aboard = [one for _, one in sorted(state.units.items()) if one.carried_by == carrier.id]
    for module in [one for one in aboard if state.class_of(one).unit_kind == "module"]:
        size = state.class_of(module).cargo_size
        if size <= room - kept:
            kept += size
            continue
        module.fate, module.carried_by = "destroyed", ""
        drop_unit(state, module.id)
        text, why = f"{module.name} is lost with {carrier.name}'s cargo boxes.", because("PQ-17 1.8.12.5")
        turn.tell([carrier.side], text, kind="supply", why=why)
    carrier.module_boxes = kept


@rule("1.6.1")
def drop_unit(state: State, unit_id: str) -> None:
    """Take a unit out of its task force; an empty task force is removed. PQ-17 1.6.1."""
    tf = state.tf_of(unit_id)
    if tf is None:
        return
    state.set_units(tf, [one for one in tf.units if one != unit_id])
    tf.tows = [tow for tow in tf.tows if unit_id not in (tow.tower, *tow.towed)]
    if not tf.units:
        for hunter in state.shadowers_of(tf.id):
            let_go(state, hunter)
        state.remove_force(tf.id)
        for docked in state.docked_at(tf):
            come_out_of_port(state, docked)
