"""What standing orders decide in the reconnaissance step. PQ-17 6.3, 7.2.1."""

from fractions import Fraction

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Form
from rules_engine.rulebooks.pq17.ch06_reconnaissance.declarations import (
    may_declare_shadowing,
    probes_of,
    targets_of,
)
from rules_engine.rulebooks.pq17.ch10_supply.fuel import due
from rules_engine.rulebooks.pq17.contacts.identification import LEAST_LEVEL
from rules_engine.rulebooks.pq17.contacts.minefields import is_minefield
from rules_engine.rulebooks.pq17.contacts.settled_hexes import is_settled
from rules_engine.rulebooks.pq17.orders.standing_answers import Decision, Decisions
from rules_engine.rulebooks.pq17.orders.standing_precedence import orders_of, side_orders, whose
from rules_engine.rulebooks.pq17.orders.standing_words import search_clause, shadow_clause, single_clause
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.standing_orders import SearchOrder, StandingClauses
from rules_engine.rulebooks.pq17.records.state import State, tf_order
from rules_engine.rulebooks.pq17.tables.operations import FuelUse


def contacts_of(state: State, tf: TaskForce) -> dict[str, TaskForce]:
    """The enemy forces in a task force's hex, by its owner's numbers, except minefields, settled hexes and known
    bases."""
    return {track: enemy for track, enemy in targets_of(state, tf).items() if is_contact(enemy)}


def is_contact(enemy: TaskForce) -> bool:
    """Whether an enemy force counts as a contact for standing orders: no minefield, settled hex or known base."""
    is_open = enemy.base is not None and enemy.base.known
    return not (is_open or is_minefield(enemy) or is_settled(enemy))


@rule("8.6.2.1")
def prizes_of(state: State, tf: TaskForce) -> dict[str, TaskForce]:
    """The enemy settled hex that a task force could raid, by its name. PQ-17 8.6.2.1."""
    return {track: enemy for track, enemy in targets_of(state, tf).items() if is_settled(enemy)}


def spare_after(state: State, tf: TaskForce, use: FuelUse) -> Fraction:
    """The least fuel that a ship would have left after paying for ``use``."""
    return min(unit.fuel - due(state, unit, use) for unit in state.separate_units(tf))


def keeps(state: State, tf: TaskForce, use: FuelUse, keep: Fraction | None) -> bool:
    """Whether every ship would have more than ``keep`` fuel left after ``use``."""
    return keep is None or spare_after(state, tf, use) > keep


@rule("6.3.2", "6.3.4.11", "7.2.1")
def search_decisions(state: State, side: Side, form: Form) -> Decisions:
    """The target that each task force on the sheet searches, with probes and shadowing. PQ-17 6.3.2, 6.3.4.11, 7.2.1.

    Bases and settled hexes search as their sheet proposes, unless the side wants to be asked at every step.
    """
    asks = side_orders(state, side)
    found: dict[str, Decision | None] = {}
    for line in form.lines:
        tf = state.task_forces.get(line.key)
        if tf is None or tf.is_base:
            by_itself = asks.asks == "contact" or (asks.search is not None and asks.search.what != "ask")
            found[line.key] = Decision({}) if by_itself or tf is None else None
        else:
            found[line.key] = _search(state, tf, orders_of(state, tf))
    return found


def _search(state: State, tf: TaskForce, orders: StandingClauses) -> Decision | None:
    order = orders.search
    contacts = contacts_of(state, tf)
    if order is None or (order.what == "ask" and (contacts or orders.asks == "steps")):
        return None
    if not contacts:
        return _search_prize(state, tf, orders)
    clause, owner = search_clause(order), whose(state, tf, "search")
    shadow = _may_shadow(state, tf, orders)
    track = _quarry(state, tf, order, shadow=shadow) if order.what == "search" else None
    nobody: dict[str, Json] = {"target": None}
    if order.what == "search" and track is not None and not keeps(state, tf, "reconnaissance", order.keep):
        left = show_fraction(spare_after(state, tf, "reconnaissance"))
        said = f"{tf.label} does not search {track}: {left} fuel would be left in a ship."
        return Decision(nobody, said, clause, owner, once=True)
    if track is None:
        said = f"{tf.label} searches nobody in {tf.hex} ({', '.join(contacts)})."
        return Decision(nobody, said, clause, owner, once=True)
    values: dict[str, Json] = {"target": track}
    parts = [clause]
    probes = min(orders.probes or 0, probes_of(state, tf))
    if probes:
        values["probes"] = probes
        parts.append(f"probes {orders.probes}")
    if shadow and orders.shadow is not None:
        values["shadow"] = True
        parts.append(shadow_clause(orders.shadow))
    spending = f", {counted(probes, 'probe')} if it succeeds" if probes else ""
    also = f"{spending}{', to shadow it' if shadow else ''}"
    return Decision(values, f"{tf.label} searches {track}{also}.", "; ".join(parts), owner)


@rule("8.6.2.1", "8.4.2")
def _search_prize(state: State, tf: TaskForce, orders: StandingClauses) -> Decision | None:
    """The decision to search a settled hex to be raided, which must first be held at ID0. PQ-17 8.6.2.1, 8.4.2."""
    prize = next(((track, one) for track, one in prizes_of(state, tf).items() if one.id_level < LEAST_LEVEL), None)
    if prize is None or orders.raid == "never":
        return Decision({"target": None})
    if orders.raid != "raid":
        return None
    said = f"{tf.label} searches {prize[0]}, to raid it."
    return Decision({"target": prize[0]}, said, single_clause("raid", "raid"), whose(state, tf, "raid"))


def _may_shadow(state: State, tf: TaskForce, orders: StandingClauses) -> bool:
    order = orders.shadow
    willing = order is not None and order.what == "shadow" and may_declare_shadowing(state, tf)
    return willing and order is not None and keeps(state, tf, "reconnaissance", order.keep)


def _quarry(state: State, tf: TaskForce, order: SearchOrder, *, shadow: bool) -> str | None:
    """The least known contact of which a search could tell more, or that is to be shadowed."""
    found = [
        (int(enemy.id_level), tf_order(track), track)
        for track, enemy in contacts_of(state, tf).items()
        if enemy.id_level < order.below or (shadow and not enemy.is_base)
    ]
    return min(found)[2] if found else None
