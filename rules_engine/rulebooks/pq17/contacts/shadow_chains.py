"""Who moves with whom: chains of shadowing, their speed, and what is left when a link is cut. PQ-17 7.3, 7.4."""

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.records.forces import STAY, TaskForce
from rules_engine.rulebooks.pq17.records.state import State, tf_order
from rules_engine.rulebooks.pq17.tables.operations import Speed


@rule("7.3.2")
def leader_of(state: State, tf: TaskForce) -> TaskForce:
    """The force that a task force moves with: the end of its chain of shadowing, or itself.

    PQ-17 7.3.2, ruling MOV-9."""
    return chain_of(state, tf)[-1] if tf.shadowing else tf


def chain_of(state: State, tf: TaskForce) -> list[TaskForce]:
    """A task force, the one it shadows, the one that this one shadows, and so on, each once. Ruling MOV-9."""
    chain = [tf]
    while tf.shadowing in state.task_forces and tf.shadowing not in [one.id for one in chain]:
        tf = state.task_forces[tf.shadowing]
        chain.append(tf)
    return chain


def followers_of(state: State, leader: TaskForce) -> list[TaskForce]:
    """All forces that move with ``leader``: its shadowers, and their shadowers in turn. PQ-17 ruling MOV-9."""
    found: list[TaskForce] = []
    after = state.shadowers_of(leader.id)
    while after:
        tf = after.pop()
        if tf is not leader and tf not in found and leader in chain_of(state, tf):
            found.append(tf)
            after += state.shadowers_of(tf.id)
    return sorted(found, key=lambda tf: tf_order(tf.id))


@rule("7.3.1", "7.3.2")
def current_speed(state: State, tf: TaskForce) -> Speed:
    """A task force's present speed; a shadower has its target's. PQ-17 7.3.1, 7.3.2."""
    return leader_of(state, tf).speed


@rule("T1", "T2")
def crawl_turns(state: State, tf: TaskForce) -> int:
    """Consecutive turns at a crawl of the unit that has crawled least. PQ-17 T1, T2, ruling SPD-7."""
    return min(unit.crawl_turns for unit in state.separate_units(tf))


@rule("7.3.1")
def joined_now(state: State, tf: TaskForce) -> bool:
    """Whether a shadower came to its leader in this impulse, itself or with a force that it shadows: then it has not
    paid for the leader's movement point. PQ-17 7.3.1, ruling SHD-4, own ruling PQ-191."""
    return paid_with(state, tf) is not leader_of(state, tf)


@rule("7.3.1", "7.3.2")
def paid_with(state: State, tf: TaskForce) -> TaskForce:
    """The force with whose movement point a task force's fuel was paid in this impulse: the end of its chain, or who
    was its end before it began to shadow in its turn. PQ-17 7.3.1, 7.3.2, rulings MOV-9, SHD-4, own ruling PQ-191."""
    chain = chain_of(state, tf)
    return next((one for one in chain if state.has_mark(one, "declared_shadowing")), chain[-1])


@rule("7.4.3.2", "7.4.1", "7.4.2", "6.4.1")
def let_go(state: State, tf: TaskForce) -> None:
    """End a force's shadowing. It keeps the speed and the count of crawling at which it shadowed.

    If the force with whose point it has paid has that point still to come in this impulse, it expends it in place, and
    so do those that move with it. PQ-17 7.4.1, 7.4.2, 7.4.3.2, 6.4.1, rulings SHD-4, MOV-2.
    """
    leader = leader_of(state, tf)
    if leader is not tf:
        ahead = [one.id for one in chain_of(state, tf)[1:] if one.plot]
        for one in (tf, *followers_of(state, tf)) if ahead else ():
            if not one.plot and paid_with(state, one).id in ahead and not state.has_mark(one, "moved"):
                one.plot = STAY
        tf.speed = leader.speed
        for unit in state.units_of(tf) if leader.units else ():
            unit.crawl_turns = crawl_turns(state, leader)
    state.set_target(tf, "")
