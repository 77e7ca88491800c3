"""Buying forces: what a unit costs, which points may pay for it, and the limits on a whole purchase.

A purchase is judged line by line (a force's points of one category), and then by nation for the hull variants that a
fleet may hold. PQ-17 C.purchase.1 to C.purchase.4, C.year-in-service, C.variants, C.base-restrictions.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch01_forces.new_units import economic_value, short_class
from rules_engine.rulebooks.pq17.ch01_forces.purchase_words import Item
from rules_engine.rulebooks.pq17.nations.homes import nation_of
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.order_of_battle import (
    POOL_ORDER,
    Nation,
    OrderOfBattle,
    OrderOfBattleForce,
    PoolCategory,
)
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass
from rules_engine.rulebooks.pq17.tables.unit_types import LARGE_BASES, payers, unit_type

EVERYBODY = "General"
"""The empire of classes that everybody may have."""

VARIANT_SHARE = 3
"""One hull in this many may be a command variant, and one a specialized variant. PQ-17 C.variants."""


@dataclass(frozen=True)
class PointPool:
    """A force's points of one category. A line of the purchase sheet."""

    force: OrderOfBattleForce
    category: PoolCategory
    points: Fraction

    @property
    def key(self) -> str:
        """The line's key: ``federation-CA``."""
        return f"{self.force.key}-{self.category}"


def pools_of(state: State, side: Side) -> list[PointPool]:
    """A side's pools that hold points, in the scenario's order. PQ-17 ruling SCN-11."""
    return [
        PointPool(force, category, state.pools[side][force.key][category])
        for force in state.settings.campaign.force
        if force.key in state.pools.get(side, {})
        for category in POOL_ORDER
        if state.pools[side][force.key].get(category)
    ]


@rule("C.purchase.4", "C.schedule.note1")
def add_points(state: State, side: Side, force: str, points: Mapping[str, Fraction]) -> None:
    """Add points to a force's pools; those already there are kept. PQ-17 C.purchase.4, C.schedule.note1."""
    pools = state.pools.setdefault(side, {}).setdefault(force, {})
    for category, amount in points.items():
        pools[category] = pools.get(category, Fraction(0)) + amount


# --- prices -----------------------------------------------------------------------------------------------------------


@rule("C.purchase.3a")
def drone_cost(campaign: OrderOfBattle, kind: ShipClass, loadout: Fraction) -> Fraction:
    """What a ship's drones cost: its chosen loadout, or the year's general speed for every rack space if that is more.

    PQ-17 C.purchase.3a."""
    return max(loadout, campaign.drone_upgrade * rack_spaces(kind))


def rack_spaces(kind: ShipClass) -> int:
    """Drone spaces in its racks, reloads and other storage left out. PQ-17 C.purchase.3a.ii."""
    spaces = kind.drone_spaces
    return max(0, spaces.general + spaces.limited + spaces.restricted - kind.reload_spaces)


@rule("C.purchase.3")
def price(campaign: OrderOfBattle, item: Item) -> Fraction:
    """What one unit of an item costs: economic value, refits, drones and options. PQ-17 C.purchase.3."""
    return economic_value(item.kind, item.refits) + drone_cost(campaign, item.kind, item.drones) + item.options


def total_price(campaign: OrderOfBattle, items: Iterable[Item]) -> Fraction:
    """What items cost together."""
    return sum((item.count * price(campaign, item) for item in items), Fraction(0))


# --- what may be bought -----------------------------------------------------------------------------------------------


def catalogue_of(state: State, nation: Nation) -> list[ShipClass]:
    """The classes a nation may buy, in the catalogue's order: its own and those that everybody has."""
    mine = (*nation.empires, EVERYBODY)
    return [kind for class_id, kind in state.classes.items() if kind.empire in mine and "@" not in class_id]


@rule("C.year-in-service", "C.year-in-service.minelayers", "C.year-duration")
def last_year(campaign: OrderOfBattle, kind: ShipClass) -> int:
    """The last year in service that may be bought, for a class.

    PQ-17 C.year-duration, C.year-in-service, C.year-in-service.minelayers.
    """
    return campaign.minelayer_year if _lays_or_sweeps(kind) else campaign.year


def _lays_or_sweeps(kind: ShipClass) -> bool:
    return kind.is_minelayer or kind.is_minesweeper or kind.special_kind == "minesweeper"


@rule("C.year-in-service", "C.year-in-service.minelayers")
def in_service(campaign: OrderOfBattle, kind: ShipClass) -> bool:
    """Whether a class may be bought this year. PQ-17 C.year-in-service, C.year-in-service.minelayers."""
    return kind.year_in_service <= last_year(campaign, kind)


@rule("C.purchase.2", "C.year-in-service", "C.year-in-service.minelayers", "C.base-restrictions", "1.8.12.2")
def item_refusals(campaign: OrderOfBattle, pool: PointPool, item: Item, path: str) -> Iterable[Refusal]:
    """Why these points may not buy an item.

    PQ-17 C.purchase.1, C.purchase.2, C.year-in-service, C.year-in-service.minelayers, C.base-restrictions, 1.8.12.2."""
    kind, name = item.kind, short_class(item.kind.class_id)
    if kind.base_type in LARGE_BASES:
        legal = "the pods of a mobile base or another small base"
        yield illegal(f"{name} is too large to be bought", "PQ-17 C.base-restrictions", path, legal=legal)
    elif kind.is_base and kind.core_pods:
        problem = f"{name} is carried where it is to stand as pods, and built there"
        legal = f"its pods, {kind.core_pods} for one"
        yield illegal(problem, "PQ-17 C.base-restrictions", path, legal=legal)
    elif kind.is_base:
        problem = f"{name} is not built around pods, so it could never be put in place"
        yield illegal(problem, "PQ-17 1.8.12.2", path, legal="the pods of a mobile base")
    allowed = payers(kind)
    if pool.category not in allowed:
        rule = _paying_rule(pool, kind)
        yield illegal(f"{pool.category} points do not buy {name}", rule, path, legal=f"{', '.join(allowed)} points")
    if not in_service(campaign, kind):
        problem = f"{name} enters service in Y{kind.year_in_service}"
        rule = "PQ-17 C.year-in-service" + (".minelayers" if _lays_or_sweeps(kind) else "")
        yield illegal(problem, rule, path, legal=f"Y{last_year(campaign, kind)} or earlier")
    for refit in kind.refits:
        if refit.name in item.refits and refit.year > campaign.year:
            problem = f"{refit.name} is not to be had before Y{refit.year}"
            yield illegal(problem, "PQ-17 C.year-in-service", path, legal=f"Y{campaign.year} or earlier")


def _paying_rule(pool: PointPool, kind: ShipClass) -> str:
    if pool.category == "CIV":
        return "PQ-17 C.purchase.2"
    letter = {"warship": "e", "tug": "a", "pod": "c", "auxiliary": "f"}.get(unit_type(kind), "g")
    return f"PQ-17 C.purchase.1{letter}"


def pool_refusals(campaign: OrderOfBattle, pool: PointPool, items: Sequence[Item], path: str) -> Iterable[Refusal]:
    """Everything wrong with one line: each item, the sum, and the force's own limits. PQ-17 C.purchase, C.oob."""
    for item in items:
        yield from item_refusals(campaign, pool, item, path)
    spent = total_price(campaign, items)
    if spent > pool.points:
        problem = f"this costs {show_fraction(spent)}, {show_fraction(spent - pool.points)} too much"
        yield illegal(problem, "PQ-17 C.purchase.3", path, legal=f"{show_fraction(pool.points)} points or less")


@rule("C.oob.kzinti.orion-mercenaries", "C.oob.klingon.lyran-force")
def force_refusals(state: State, force: OrderOfBattleForce, items: Sequence[Item], path: str) -> Iterable[Refusal]:
    """Refusals of hulls beyond the most that a force may have of a category; what it has already stays its own.

    PQ-17 C.oob.kzinti.orion-mercenaries, C.oob.klingon.lyran-force."""
    for category, most in force.most.items():
        bought = sum(item.count for item in items if item.kind.category == category)
        if bought:
            own = (unit for unit in state.units.values() if unit.nation == force.nation)
            count = bought + sum(state.class_of(unit).category == category for unit in own)
            if count > most:
                problem = f"{count} {category} for the {force.name}"
                yield illegal(problem, f"PQ-17 C.oob {force.name}", path, legal=f"at most {most} {category}")


# --- variants ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hulls:
    """Warship hulls of one nation and category: their total, and how many are variants of each kind."""

    all: int = 0
    command: int = 0
    specialized: int = 0

    @property
    def most(self) -> int:
        """How many of a kind of variant there may be: a third, fractions rounded up. PQ-17 C.variants."""
        return -(-self.all // VARIANT_SHARE)


@rule("C.variants.command", "C.variants.specialized")
def count_hulls(kinds: Iterable[ShipClass]) -> dict[str, Hulls]:
    """Warship hulls by category. PQ-17 C.variants.command, C.variants.specialized, ruling SCN-10."""
    found: dict[str, Hulls] = {}
    for kind in kinds:
        if unit_type(kind) == "warship":
            old = found.get(kind.category, Hulls())
            found[kind.category] = Hulls(
                old.all + 1, old.command + kind.is_command, old.specialized + bool(kind.special_kind)
            )
    return found


def hulls_present(state: State, nation: str) -> list[ShipClass]:
    """The classes of a nation's units that are present in the campaign: on the map or waiting to come on.

    PQ-17 C.variants, own ruling PQ-140."""
    gone = {key for key, away in state.progress.away.items() if away.state != "waiting"}
    found: list[ShipClass] = []
    for key, unit in sorted(state.units.items()):
        owner = nation_of(state, unit)
        if unit.fate == "in play" and key not in gone and owner is not None and owner.key == nation:
            found.append(state.class_of(unit))
    return found


@rule("C.variants.command", "C.variants.specialized")
def variant_refusals(state: State, nation: Nation, bought: Mapping[str, Sequence[ShipClass]]) -> Iterable[Refusal]:
    """Variants beyond a third of a nation's hulls of a category, once all that is ``bought`` on its lines has joined.
    Each is refused at the first line that buys such a variant.

    A fleet that is over the limit already (by losses) may buy other hulls. PQ-17 C.variants.command,
    C.variants.specialized, rulings GEN-4, SCN-10."""
    present, joining = hulls_present(state, nation.key), [kind for kinds in bought.values() for kind in kinds]
    after = count_hulls([*present, *joining])
    by_line = {line: count_hulls(kinds) for line, kinds in bought.items()}
    for category in sorted(count_hulls(joining)):
        hulls = after[category]
        new = {line: counted[category] for line, counted in by_line.items() if category in counted}
        for word in ("command", "specialized"):
            many = getattr(hulls, word)
            lines = [line for line, counted in new.items() if getattr(counted, word)]
            if lines and many > hulls.most:
                problem = f"{many} {word} variants among {hulls.all} {nation.name} {category} hulls"
                legal = f"at most {hulls.most}: a third, rounded up"
                yield illegal(problem, f"PQ-17 C.variants.{word}", lines[0], legal=legal)


# --- buying as a sensible player would --------------------------------------------------------------------------------


@rule("C.purchase.4")
def plain_purchase(state: State, pool: PointPool) -> list[Item]:
    """As many plain hulls of the pool's category as its points buy; for a convoy, the freighters with most cargo for
    their price. Points for which there is no such hull are kept. PQ-17 C.purchase.4."""
    campaign = state.settings.campaign
    nation = campaign.nation_of(pool.force.nation)
    plain = [
        Item(1, kind)
        for kind in catalogue_of(state, nation)
        if in_service(campaign, kind) and pool.category in payers(kind) and _is_plain(kind, pool.category)
    ]
    if pool.category == "CIV":
        plain.sort(key=lambda item: (-(item.kind.cargo / price(campaign, item)), -item.kind.cargo))
    if not plain:
        return []
    first = plain[0]
    count = int(pool.points / price(campaign, first))
    return [Item(count, first.kind)] if count else []


def _is_plain(kind: ShipClass, category: str) -> bool:
    if category == "CIV":
        return True  # its points pay for civilians with cargo alone
    if kind.category != category or unit_type(kind) not in ("warship", "tug", "pod"):
        return False
    return not (kind.is_command or kind.special_kind or kind.hull_group == "local defence")
