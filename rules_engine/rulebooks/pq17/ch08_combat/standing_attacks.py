"""What standing orders decide when attacks are declared. PQ-17 8.4.2, 8.6.2, 12.6.3."""

from collections.abc import Mapping
from fractions import Fraction

from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.core.standing.answers import Decision, Decisions
from rules_engine.rulebooks.pq17.ch06_reconnaissance.declarations import Targets
from rules_engine.rulebooks.pq17.ch06_reconnaissance.standing_searches import is_contact, keeps, spare_after
from rules_engine.rulebooks.pq17.ch10_supply.fuel import moving_cost
from rules_engine.rulebooks.pq17.contacts.identification import uses_warp
from rules_engine.rulebooks.pq17.contacts.minefields import is_minefield, minesweepers
from rules_engine.rulebooks.pq17.contacts.settled_hexes import is_settled
from rules_engine.rulebooks.pq17.orders.standing_precedence import orders_of, whose
from rules_engine.rulebooks.pq17.orders.standing_words import attack_clause
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.standing_orders import AttackOrder, StandingClauses
from rules_engine.rulebooks.pq17.records.state import State, tf_order

KNOWN_COST = IdLevel.ID1
"""From this level on movement costs under warp are known. PQ-17 6.2.4."""
TYPES = IdLevel.ID3
"""From this level on every unit's movement cost is known. PQ-17 6.2.6."""


@rule("8.4.2")
def attack_decisions(state: State, able: Mapping[str, Targets]) -> Decisions:
    """The decision for each task force on the sheet: which of the enemies it may attack now. PQ-17 8.4.2."""
    forces = {tf_id: state.task_forces[tf_id] for tf_id in able}
    return {tf_id: _attack(state, tf, able[tf_id], orders_of(state, tf)) for tf_id, tf in forces.items()}


def _attack(state: State, tf: TaskForce, open_ones: Targets, orders: StandingClauses) -> Decision | None:
    order = orders.attack
    known = {track: enemy for track, enemy in open_ones.items() if is_contact(enemy) or enemy.base is not None}
    if order is None or (order.what == "ask" and known):
        return None
    if not known or order.what == "ask":
        return _attack_others(state, tf, orders, open_ones)
    clause, owner = attack_clause(order), whose(state, tf, "attack")
    barred: list[str] = []
    for track, enemy in sorted(known.items(), key=lambda item: (-item[1].id_level, tf_order(item[0]))):
        problem = "it never attacks" if order.what == "never" else _why_not(state, tf, enemy, order)
        if not problem:
            return Decision({"target": track}, f"{tf.label} attacks {track}.", clause, owner)
        barred.append(f"{track} ({problem})")
    said = f"{tf.label} does not attack {', '.join(barred)}."
    other = _attack_others(state, tf, orders, open_ones)
    if other is None or other.said:
        return other
    return Decision({"target": None}, said, clause, owner, once=True)


def _attack_others(state: State, tf: TaskForce, orders: StandingClauses, known: Targets) -> Decision | None:
    """A settled hex to raid (8.6.2), or else a minefield to sweep (12.6.3), as its orders say."""
    prize = next((track for track, enemy in known.items() if is_settled(enemy)), None)
    if prize is not None and orders.raid != "never":
        if orders.raid != "raid":
            return None
        return Decision({"target": prize}, f"{tf.label} raids {prize}.", "raid", whose(state, tf, "raid"))
    mines = next((track for track, enemy in known.items() if is_minefield(enemy)), None)
    can_do_it_well = bool(minesweepers(state, tf))
    if mines is not None and (can_do_it_well or state.doctrine[tf.side].ask_every_impulse):
        if orders.sweep == "ask" or not can_do_it_well:
            return None
        if orders.sweep == "sweep":
            return Decision({"target": mines}, f"{tf.label} sweeps {mines}.", "sweep", whose(state, tf, "sweep"))
    return Decision({"target": None})


def _why_not(state: State, tf: TaskForce, enemy: TaskForce, order: AttackOrder) -> str:
    """Why the orders forbid an attack, judged by what the owner knows; empty if they do not."""
    if enemy.id_level < order.level:
        return f"held at {enemy.id_level.label}"
    if not order.bases and _beside_base(state, tf, enemy):
        return "a base is there"
    if order.ratio is not None:
        theirs = shown_cost(state, enemy)
        ours = sum((moving_cost(state, unit) for unit in state.separate_units(tf)), Fraction(0))
        if theirs is None:
            return "its movement cost is not known"
        if theirs > order.ratio * ours:
            return f"movement cost {show_fraction(theirs)} against our {show_fraction(ours)}"
    if not keeps(state, tf, "combat", order.keep):
        return f"{show_fraction(spare_after(state, tf, 'combat'))} fuel would be left in a ship"
    return ""


@rule("6.2.2")
def _beside_base(state: State, tf: TaskForce, enemy: TaskForce) -> bool:
    """Whether the enemy is a base, which shows from U on (6.2.2), or a base known to us is in the hex."""
    return enemy.is_base or any(
        one.id_level > IdLevel.N or (one.base is not None and one.base.known)
        for one in state.bases_in(tf.hex, enemy.side)
    )


def shown_cost(state: State, enemy: TaskForce) -> Fraction | None:
    """A contact's movement cost as its level shows it by 6.2.4 to 6.2.6; None if part of it is not."""
    units = state.separate_units(enemy)
    if enemy.id_level < KNOWN_COST:
        return None
    if enemy.id_level < TYPES and not all(uses_warp(state, enemy, unit) for unit in units):
        return None
    return sum((moving_cost(state, unit) for unit in units), Fraction(0))
