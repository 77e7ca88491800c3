"""Chapter 10.3.7: which units may be docked to one another for a turn, and how many to whom.

The same groups serve repair (11.4.9.2.7). A *yard* is a set of units among which groups may be formed: a base cluster
and the units in port with it in Logistics posture, or one task force underway in Logistics posture.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed, docking_positions


@dataclass(frozen=True)
class Yard:
    """Units that may be docked to one another. ``key`` is the base cluster or the task force underway."""

    key: str
    units: tuple[str, ...]
    in_port: bool

    @property
    def label(self) -> str:
        """The name players know it by: the id of its task force or base cluster."""
        return f"in port with {self.key}" if self.in_port else self.key


@rule("5.2.3.4", "5.2.3.5", "10.3.8.1", "10.3.9.1")
def is_ready(tf: TaskForce) -> bool:
    """Whether a task force can take part in logistics this turn: in Logistics posture, and either keeping station in
    port, or underway at Station Keeping or Impulse Crawl. PQ-17 5.2.3.4, 5.2.3.5, 10.3.8.1, 10.3.9.1, rulings PST-6,
    SUP-11."""
    if tf.is_base or not tf.posture.logistics:
        return False
    return tf.speed is Speed.STATION or (tf.speed is Speed.IMPULSE_CRAWL and not tf.in_port)


@rule("10.3.8.1", "10.3.9.1", "SOP.2.a.iv.1", "10.3.2")
def yards(state: State, side: Side) -> list[Yard]:
    """All yards of a side, ports first, each in its own order. PQ-17 10.3.2, 10.3.8.1, 10.3.9.1, ruling SUP-14b."""
    ready = [tf for tf in state.all_task_forces(side) if is_ready(tf)]
    found: list[Yard] = []
    for port in dict.fromkeys(tf.in_port for tf in ready if tf.in_port):
        forces = [state.task_forces[port], *(tf for tf in ready if tf.in_port == port)]
        found.append(Yard(port, tuple(unit.id for tf in forces for unit in state.units_of(tf)), in_port=True))
    found += [Yard(tf.id, tuple(sorted(tf.units)), in_port=False) for tf in ready if not tf.in_port]
    return found


# --- positions --------------------------------------------------------------------------------------------------------


@rule("10.3.7.2.2", "10.3.7.2.5")
def carrier_of(state: State, unit: Unit) -> str:
    """The id of the unit that carries this one, if they are still together; else "". PQ-17 10.3.7.2.2, 10.3.7.2.5."""
    if not unit.carried_by:
        return ""
    tf = state.tf_of(unit.id)
    return unit.carried_by if tf is not None and unit.carried_by in tf.units else ""


@rule("10.3.7.2.2")
def carried(state: State, unit: Unit) -> list[Unit]:
    """The pods that a tug carries, or the fast patrol ships on a tender's links, by id. PQ-17 10.3.7.2.2, .5."""
    tf = state.tf_of(unit.id)
    units = () if tf is None else (state.units[unit_id] for unit_id in sorted(tf.units))
    return [one for one in units if one.carried_by == unit.id]


@rule("10.3.7.2.2")
def pods(state: State, unit: Unit) -> list[Unit]:
    """The pods that a tug carries. PQ-17 10.3.7.2.2."""
    return [one for one in carried(state, unit) if state.class_of(one).unit_kind == "pod"]


@rule("T8", "10.3.7.2.5")
def is_patrol_ship(state: State, unit: Unit) -> bool:
    """Whether it is a fast patrol ship. PQ-17 T8, 10.3.7.2.5."""
    return state.class_of(unit).category == "PF"


@rule("10.3.7.2.1", "10.3.7.2.2", "10.3.7.2.3", "10.3.7.2.4", "10.3.7.2.7", "T8", "1.9.3")
def positions(state: State, unit: Unit) -> int:
    """How many ships may dock to a unit in a turn, without regard to the tactical game: for a base by its type, for a
    tug one a pod, for any other ship one. PQ-17 10.3.7.2.1 to 10.3.7.2.4, 10.3.7.2.7, T8, rulings SUP-4, BAS-19."""
    kind = state.class_of(unit)
    if unit.repairs.inactive:
        return 0
    if kind.is_base:
        return docking_positions(kind.base_type)
    return max(1, len(pods(state, unit))) if kind.is_tug else 1


@rule("10.3.7.2.5")
def link_positions(state: State, unit: Unit) -> int:
    """How many fast patrol ships a tender's links hold. PQ-17 10.3.7.2.5."""
    return state.class_of(unit).mech_links


@rule("10.3.7.2", "1.6.7.1")
def can_dock(state: State, unit: Unit) -> bool:
    """Whether a unit takes a docking position of its own: bases do not move, and a carried pod goes with its tug.

    PQ-17 10.3.7.2, 1.6.7.1."""
    return not state.class_of(unit).is_base and not carrier_of(state, unit)


@rule("T4")
def is_pair(state: State, group: DockedGroup) -> bool:
    """Whether a group is ships only, which Table 4 limits underway; a group with a base is no pair. PQ-17 T4."""
    return not state.class_of(state.units[group.host]).is_base


# --- judging ----------------------------------------------------------------------------------------------------------


def group_refusals(state: State, found: Sequence[Yard], groups: Sequence[DockedGroup]) -> list[Refusal]:
    """Everything illegal about a side's docked groups. Rulings SUP-4, SUP-14b, SUP-15.

    In the refusals, a group's path is its host."""
    wrong = [one for group in groups for one in _members(state, found, group)]
    if not wrong:
        wrong = [one for group in groups for one in _places(state, group)]
        wrong += _closed(state, groups)
    return wrong


@rule("10.3.2", "10.3.8.1", "10.3.9.1")
def _members(state: State, found: Sequence[Yard], group: DockedGroup) -> Iterable[Refusal]:
    """Members must be units of one yard. PQ-17 10.3.2, 10.3.8.1, 10.3.9.1."""
    yard = next((one for one in found if group.host in one.units), None)
    if yard is None:
        legal = "a unit of a task force in Logistics posture, or its base"
        near = nearest(group.host, [unit for one in found for unit in one.units])
        yield illegal("it cannot be docked to this turn", "PQ-17 10.3.7", group.host, legal=legal, nearest=near)
        return
    others = [one for one in yard.units if one != group.host and (group.links or can_dock(state, state.units[one]))]
    for unit_id in group.docked:
        if unit_id not in others:
            problem, rule = _why_not_there(yard, group, unit_id)
            near = nearest(unit_id, others)
            yield illegal(problem, rule, group.host, legal=", ".join(others) or "nothing", nearest=near)
    for unit_id, count in Counter(group.docked).items():
        if count > 1:
            yield malformed(f"{unit_id} is named {count} times", group.host, legal="each ship once")


def _why_not_there(yard: Yard, group: DockedGroup, unit_id: str) -> tuple[str, str]:
    """Why something cannot dock in a yard, and the rule."""
    if unit_id == group.host:
        return "nothing docks to itself", "PQ-17 10.3.7.2.1"
    if unit_id in yard.units:
        return f"{unit_id} takes no docking position: it is a base, or another unit carries it", "PQ-17 10.3.7.2"
    if yard.in_port:
        return f"{unit_id} is not {yard.label} in Logistics posture", "PQ-17 10.3.8.1"
    return f"{unit_id} is not in {yard.label}", "PQ-17 10.3.9.1"


@rule("10.3.7.2.1", "10.3.7.2.2", "10.3.7.2.3", "10.3.7.2.4", "10.3.7.2.5")
def _places(state: State, group: DockedGroup) -> Iterable[Refusal]:
    """No more ships than positions; on a tender's links only its own patrol ships.

    PQ-17 10.3.7.2.1, 10.3.7.2.2, 10.3.7.2.3, 10.3.7.2.4, 10.3.7.2.5."""
    host = state.units[group.host]
    if group.links:
        strangers = [one for one in group.docked if state.units[one].carried_by != host.id]
        if strangers:
            problem = f"{', '.join(strangers)} is no patrol ship of its own"
            yield illegal(problem, "PQ-17 10.3.7.2.5", host.id, legal="its own patrol ships")
        return
    most = positions(state, host)
    if len(group.docked) > most:
        kind = state.class_of(host)
        rule = "PQ-17 10.3.7.2.1"
        if kind.is_base:
            rule = "PQ-17 10.3.7.2.3" if kind.base_type in ("SB", "BATS", "BS") else "PQ-17 10.3.7.2.4"
        elif kind.is_tug:
            rule = "PQ-17 10.3.7.2.2"
        problem = f"{counted(len(group.docked), 'ship')} at {counted(most, 'docking position')}"
        yield illegal(problem, rule, host.id, legal=f"at most {most}; say which are docked")


@rule("10.3.7.2.5", "10.3.7.2.6")
def _closed(state: State, groups: Sequence[DockedGroup]) -> Iterable[Refusal]:
    """No unit is in two groups, but for a tender's links. PQ-17 10.3.7.2.5, 10.3.7.2.6."""
    for links in (False, True):
        count = Counter(unit for group in groups if group.links == links for unit in group.members())
        for unit_id in sorted(count):
            if count[unit_id] > 1:
                name = state.units[unit_id].name
                problem = f"{name} is in {count[unit_id]} docked groups"
                yield illegal(problem, "PQ-17 10.3.7.2.6", unit_id, legal="one group a turn")


# --- forming ----------------------------------------------------------------------------------------------------------


@rule("10.3.7.2")
def can_join(state: State, groups: Sequence[DockedGroup], host: str, ship: str) -> bool:
    """Whether a free ship could still dock to ``host``. PQ-17 10.3.7.2, ruling SUP-4."""
    if ship == host or not can_dock(state, state.units[ship]):
        return False
    docked = 0
    for group in groups:
        if group.links:
            continue
        if ship in group.members() or host in group.docked:
            return False
        if group.host == host:
            docked = len(group.docked)
    return docked < positions(state, state.units[host])


def join(groups: list[DockedGroup], host: str, ship: str) -> None:
    """Dock a ship to a host in the next position."""
    group = next((one for one in groups if one.host == host and not one.links), None)
    if group is None:
        groups.append(DockedGroup(host=host, docked=[ship]))
    else:
        group.docked = [*group.docked, ship]


@rule("10.3.7.2.5")
def link_groups(state: State, found: Sequence[Yard]) -> list[DockedGroup]:
    """The groups of tenders with their own fast patrol ships, which are docked without an order. PQ-17 10.3.7.2.5."""
    groups: list[DockedGroup] = []
    for yard in found:
        for unit_id in yard.units:
            unit = state.units[unit_id]
            links = link_positions(state, unit)
            own = [one.id for one in carried(state, unit) if is_patrol_ship(state, one)] if links else []
            own = [one for one in own if one in yard.units][:links]
            if own:
                groups.append(DockedGroup(host=unit_id, docked=own, links=True))
    return groups
