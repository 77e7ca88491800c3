"""Chapter 1.6 to 1.8: task forces, how they are organised and reorganised, and what the enemy is told of it."""

from collections.abc import Iterable, Mapping, Sequence

from rules_engine.core.base import Record, Side
from rules_engine.core.reports import Removed, because
from rules_engine.core.table import Table
from rules_engine.rulebooks.pq17.ch06_identification import held_track, report_contact, track_for
from rules_engine.rulebooks.pq17.state import IdLevel, State, TaskForce, tf_order

MOST_TASK_FORCES = 99
"""Ids are an emblem and a number of two digits."""


class Reorganisation(Record):
    """What became of a side's task forces: for each new id, the old ones that gave it units, by id."""

    side: Side
    came_from: dict[str, tuple[str, ...]]

    def heirs_of(self, old: str) -> tuple[str, ...]:
        """The new task forces that hold units of an old one."""
        return tuple(new for new, sources in self.came_from.items() if old in sources)


def pools(state: State, side: Side) -> list[list[TaskForce]]:
    """The sets of task forces whose units may be regrouped among themselves: those in one hex, and in the same port
    or in none. Bases never join ships. PQ-17 1.6.3, 1.6.5.1, 1.6.7.1, ruling TF-9."""
    found: dict[tuple[str, str], list[TaskForce]] = {}
    for tf in state.all_task_forces(side):
        if not tf.is_base:
            found.setdefault((tf.hex, tf.in_port), []).append(tf)
    return [found[key] for key in sorted(found)]


def spare_ids(state: State, side: Side) -> dict[str, tuple[str, ...]]:
    """Unused ids for each pool, by the id of its first task force: enough to give every unit one of its own, and no
    id twice. PQ-17 1.6.4, 1.6.5.2, ruling TF-1."""
    emblem = next(label.emblem for label in state.sides if label.key == side)
    free = (f"{emblem}{n}" for n in range(1, MOST_TASK_FORCES + 1) if f"{emblem}{n}" not in state.task_forces)
    spares: dict[str, tuple[str, ...]] = {}
    for pool in pools(state, side):
        units = sum(len(tf.units) for tf in pool)
        spares[pool[0].id] = tuple(next(free) for _ in range(units - len(pool)))
    return spares


def reorganise(table: Table[State], side: Side, groups: Mapping[str, Iterable[str]], *, rule: str) -> Reorganisation:
    """Regroup units into task forces, and tell the enemy what their identification level warrants.

    ``groups`` gives every new task force's units; it must hold all units of all task forces it touches. New ones
    take over the posture, speed, plot and route of the old one of the same id, else of their first source. A new
    task force has the highest level of its sources; whoever shadowed a source shadows its first heir until assigned
    anew. PQ-17 1.6.5.2 to 1.6.5.5, 1.6.5.7, 1.6.8.1, 1.6.8.2, rulings TF-2, TF-3, TF-10.

    Raises:
        ValueError: when units are missing, doubled, or of several hexes, sides or ports.
    """
    state = table.state
    wanted = {new: sorted(units) for new, units in sorted(groups.items(), key=lambda item: tf_order(item[0])) if units}
    touched = _touched(state, side, wanted)
    came_from = {new: tuple(old.id for old in touched if set(old.units) & set(units)) for new, units in wanted.items()}
    result = Reorganisation(side=side, came_from=came_from)
    old = {tf.id: tf for tf in touched}
    made = [_successor(state, new, units, old, came_from[new]) for new, units in wanted.items()]
    shadowers = {tf.id: state.shadowers_of(tf.id) for tf in touched}
    for tf_id in old:
        del state.task_forces[tf_id]
    for tf in made:
        state.task_forces[tf.id] = tf
    for tf_id, hunters in shadowers.items():
        for hunter in hunters:
            hunter.shadowing = result.heirs_of(tf_id)[0]
    _renumber(table, old, made, came_from, rule)
    return result


def _touched(state: State, side: Side, wanted: Mapping[str, Sequence[str]]) -> list[TaskForce]:
    units = [unit for members in wanted.values() for unit in members]
    touched = [tf for tf in state.all_task_forces(side) if set(tf.units) & set(units)]
    if sorted(units) != sorted(unit for tf in touched for unit in tf.units):
        raise ValueError("a reorganisation must hold each unit of the task forces it touches once")
    for members in wanted.values():
        sources = [tf for tf in touched if set(tf.units) & set(members)]
        if len({(tf.hex, tf.in_port) for tf in sources}) != 1 or any(tf.is_base for tf in sources):
            raise ValueError("only ships of one hex and one port form a task force")
    taken = {tf.id for tf in touched}
    if any(new in state.task_forces and new not in taken for new in wanted):
        raise ValueError("that id belongs to a task force that takes no part")
    return touched


def _successor(
    state: State, new: str, units: Sequence[str], old: Mapping[str, TaskForce], sources: Sequence[str]
) -> TaskForce:
    model = old[new] if new in sources else old[sources[0]]
    made = model.model_copy(deep=True)
    made.id = new
    made.name = old[new].name if new in old else ""
    made.units = list(units)
    made.id_level = max(old[source].id_level for source in sources)
    made.tows = [tow for tow in made.tows if {tow.tower, *tow.towed} <= set(units)]
    return made


def _renumber(
    table: Table[State],
    old: Mapping[str, TaskForce],
    made: Sequence[TaskForce],
    came_from: Mapping[str, tuple[str, ...]],
    rule: str,
) -> None:
    """Hand contact numbers on, and announce what changed at each new level. A task force that merely has another name
    keeps its number without a word: names are private. PQ-17 1.6.4.2, 1.6.5.7, rulings TF-4, TF-10."""
    state = table.state
    if not made:
        return
    viewer = state.enemy_of(made[0].side)
    held = {tf_id: held_track(state, viewer, tf) for tf_id, tf in old.items()}
    book = state.tracks[viewer]
    for tf_id in old:
        book.drop(tf_id)
    heir_of_number: dict[str, str] = {}
    for tf in made:
        sources = [source for source in came_from[tf.id] if held[source] is not None]
        free = [source for source in sources if held[source] not in heir_of_number]
        kept = next((source for source in free if old[source].units == tf.units or source == tf.id), None)
        kept = kept if kept is not None else next(iter(free), None)
        number = held[kept] if kept is not None else None
        if number is not None:
            book.current[tf.id] = number
            heir_of_number[number] = tf.id
    changed = [tf for tf in made if not _is_same(tf, old, came_from)]
    for tf in changed:
        if tf.id_level > IdLevel.N:
            track_for(state, viewer, tf)
    for tf_id, number in sorted(held.items(), key=lambda item: tf_order(item[0])):
        heirs = [held_track(state, viewer, tf) for tf in changed if tf_id in came_from[tf.id]]
        if number is not None and heirs and [*heirs] != [number]:
            _announce(table, viewer, number, [heir for heir in heirs if heir is not None], rule)
    for tf in changed:
        report_contact(table, tf, viewer, because(rule, {"reorganised in": tf.hex}))


def _is_same(tf: TaskForce, old: Mapping[str, TaskForce], came_from: Mapping[str, tuple[str, ...]]) -> bool:
    sources = came_from[tf.id]
    return len(sources) == 1 and sorted(old[sources[0]].units) == sorted(tf.units)


def _announce(table: Table[State], viewer: Side, number: str, heirs: Sequence[str], rule: str) -> None:
    facts = [] if number in heirs else [Removed(track=number, into=heirs[0] if heirs else "")]
    named = " and ".join(heirs) if heirs else "nothing that you hold"
    table.tell(
        [viewer],
        f"Contact {number} has reorganised; it is now {named}.",
        kind="contact",
        why=because(rule),
        facts=facts,
    )


def drop_unit(state: State, unit_id: str) -> None:
    """Take a unit out of its task force; an empty one is no more. PQ-17 1.6.1."""
    tf = state.tf_of(unit_id)
    if tf is None:
        return
    tf.units = [one for one in tf.units if one != unit_id]
    tf.tows = [tow for tow in tf.tows if unit_id not in (tow.tower, *tow.towed)]
    if not tf.units:
        del state.task_forces[tf.id]
        for hunter in state.shadowers_of(tf.id):
            hunter.shadowing = ""
        for docked in state.docked_at(tf):
            docked.in_port = ""
