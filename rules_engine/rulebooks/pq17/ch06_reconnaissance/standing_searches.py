"""What standing orders decide in the reconnaissance step. PQ-17 6.3, 7.2.1."""

from collections.abc import Sequence
from fractions import Fraction

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.core.standing.answers import Decision
from rules_engine.core.standing.words import single_clause
from rules_engine.rulebooks.pq17.ch06_reconnaissance.declarations import (
    Searcher,
    Targets,
    may_declare_shadowing,
    probes_of,
    targets_of,
)
from rules_engine.rulebooks.pq17.ch10_supply.fuel import due
from rules_engine.rulebooks.pq17.contacts.identification import LEAST_LEVEL
from rules_engine.rulebooks.pq17.contacts.minefields import FieldForce
from rules_engine.rulebooks.pq17.contacts.settled_hexes import SettledForce, is_settled
from rules_engine.rulebooks.pq17.orders.standing_precedence import orders_of, side_orders, whose
from rules_engine.rulebooks.pq17.orders.standing_words import search_clause, shadow_clause
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.standing_orders import SearchOrder, StandingClauses
from rules_engine.rulebooks.pq17.records.state import State, tf_order
from rules_engine.rulebooks.pq17.tables.operations import FuelUse


def contacts_of(state: State, tf: TaskForce) -> Targets:
    """The enemy forces in a task force's hex, by its owner's numbers, except minefields, settled hexes and known
    bases."""
    return contacts_among(targets_of(state, tf))


def contacts_among(targets: Targets) -> Targets:
    """Those of a task force's targets that are contacts."""
    return {track: enemy for track, enemy in targets.items() if is_contact(enemy)}


def is_contact(enemy: TaskForce) -> bool:
    """Whether an enemy force counts as a contact for standing orders: no minefield, settled hex or known base."""
    return not isinstance(enemy, (FieldForce, SettledForce)) and (enemy.base is None or not enemy.base.known)


@rule("8.6.2.1")
def prizes_among(targets: Targets) -> Targets:
    """Of a task force's targets, the enemy settled hex that it could raid, by its name. PQ-17 8.6.2.1."""
    return {track: enemy for track, enemy in targets.items() if is_settled(enemy)}


def spare_after(state: State, tf: TaskForce, use: FuelUse) -> Fraction:
    """The least fuel that a ship would have left after paying for ``use``."""
    return min(unit.fuel - due(state, unit, use) for unit in state.separate_units(tf))


def keeps(state: State, tf: TaskForce, use: FuelUse, keep: Fraction | None) -> bool:
    """Whether every ship would have more than ``keep`` fuel left after ``use``."""
    return keep is None or spare_after(state, tf, use) > keep


@rule("6.3.2", "6.3.4.11", "7.2.1")
def search_decisions(state: State, side: Side, able: Sequence[Searcher]) -> dict[str, Decision | None]:
    """The target that each task force on the sheet searches, with probes and shadowing. PQ-17 6.3.2, 6.3.4.11, 7.2.1.

    Bases and settled hexes search as their sheet proposes, unless the side wants to be asked at every step.
    """
    asks = side_orders(state, side)
    by_itself = asks.asks == "contact" or (asks.search is not None and asks.search.what != "ask")
    found: dict[str, Decision | None] = {}
    for one in able:
        if one.tf is None or one.tf.is_base:
            found[one.key] = Decision({}) if by_itself or one.tf is None else None
        else:
            found[one.key] = _search(state, one.tf, one.targets, orders_of(state, one.tf))
    return found


def _search(state: State, tf: TaskForce, targets: Targets, orders: StandingClauses) -> Decision | None:
    order = orders.search
    contacts = contacts_among(targets)
    if order is None or (order.what == "ask" and (contacts or orders.asks == "steps")):
        return None
    if not contacts:
        return _search_prize(state, tf, prizes_among(targets), orders)
    clause, owner = search_clause(order), whose(state, tf, "search")
    shadow = _may_shadow(state, tf, orders)
    track = _quarry(contacts, order, shadow=shadow) if order.what == "search" else None
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
def _search_prize(state: State, tf: TaskForce, prizes: Targets, orders: StandingClauses) -> Decision | None:
    """The decision to search a settled hex to be raided, which must first be held at ID0. PQ-17 8.6.2.1, 8.4.2."""
    prize = next((track for track, one in prizes.items() if one.id_level < LEAST_LEVEL), None)
    if prize is None or orders.raid == "never":
        return Decision({"target": None})
    if orders.raid != "raid":
        return None
    said = f"{tf.label} searches {prize}, to raid it."
    return Decision({"target": prize}, said, single_clause("raid", "raid"), whose(state, tf, "raid"))


def _may_shadow(state: State, tf: TaskForce, orders: StandingClauses) -> bool:
    order = orders.shadow
    willing = order is not None and order.what == "shadow" and may_declare_shadowing(state, tf)
    return willing and order is not None and keeps(state, tf, "reconnaissance", order.keep)


def _quarry(contacts: Targets, order: SearchOrder, *, shadow: bool) -> str | None:
    """The least known contact of which a search could tell more, or that is to be shadowed."""
    found = [
        (int(enemy.id_level), tf_order(track), track)
        for track, enemy in contacts.items()
        if enemy.id_level < order.below or (shadow and not enemy.is_base)
    ]
    return min(found)[2] if found else None
