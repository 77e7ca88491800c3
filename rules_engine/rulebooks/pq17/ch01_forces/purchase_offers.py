"""What a pool of points may buy: the classes to choose from, with their prices, and an example. PQ-17 C.purchase."""

from rules_engine.core.basics.counted import counted
from rules_engine.rulebooks.pq17.ch01_forces.new_units import short_class
from rules_engine.rulebooks.pq17.ch01_forces.purchase_prices import (
    PointPool,
    catalogue_of,
    force_refusals,
    payers,
    plain_purchase,
    pool_refusals,
    price,
)
from rules_engine.rulebooks.pq17.ch01_forces.purchase_words import Item, write_items
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass

SHOWN_CLASSES = 10
"""The most classes that the note of a line names; a refusal lists more."""


def example_of(state: State, pool: PointPool) -> str:
    """A small purchase that the pool allows: plain hulls, one of them with a refit if any is open to it."""
    plain = next(iter(plain_purchase(state, pool)), None)
    if plain is None:
        return ""
    kind = plain.kind
    refitted = [[Item(2, kind), Item(1, kind, refits=(refit.name,))] for refit in kind.refits]
    for items in [*refitted, [Item(2, kind)], [Item(1, kind)]]:
        wrong = [
            *pool_refusals(state.settings.campaign, pool, items, ""),
            *force_refusals(state, pool.force, items, ""),
        ]
        if not wrong:
            return write_items(items)
    return ""


def prices(state: State, pool: PointPool) -> str:
    """The classes that a pool is for, with their prices, and what else it may buy."""
    campaign = state.settings.campaign
    found = offered(state, pool)
    mine = [kind for kind in found if _is_meant(pool, kind)] or found
    shown = [f"{short_class(kind.class_id)} {price(campaign, Item(1, kind))}" for kind in mine[:SHOWN_CLASSES]]
    more = [f"{counted(len(mine) - len(shown), 'class')} more"] * (len(mine) > len(shown))
    if any(kind.is_warship and kind not in mine for kind in found):
        more.append("smaller hulls too")
    elif len(found) > len(mine):
        more.append("freighters, pods and modules too")
    return "; ".join([", ".join(shown), *more] if shown else more)


def offered(state: State, pool: PointPool) -> list[ShipClass]:
    """All classes of which the pool may buy one, those that it is meant for first."""
    campaign = state.settings.campaign
    catalogue = catalogue_of(state, campaign.nation_of(pool.force.nation))
    found = [
        kind
        for kind in catalogue
        if pool.category in payers(kind)  # most are no matter for these points, and need no refusals
        and not any(pool_refusals(campaign, pool, [Item(1, kind)], ""))
        and not any(force_refusals(state, pool.force, [Item(1, kind)], ""))
    ]
    return sorted(found, key=lambda kind: (not _is_meant(pool, kind), payers(kind)[0] != pool.category))


def _is_meant(pool: PointPool, kind: ShipClass) -> bool:
    """Whether the points are called after such a class: frigates of the frigates' points, any warship of a battle
    force's, any freighter of a convoy's."""
    if pool.category == "CIV":
        return payers(kind)[0] == "CIV"
    if pool.category == "BB":
        return kind.is_warship
    return kind.is_warship and payers(kind)[0] == pool.category
