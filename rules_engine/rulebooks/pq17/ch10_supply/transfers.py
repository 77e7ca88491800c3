"""Chapter 10.3: which transfers may be plotted, what interrupts them, and what they do at the end of the turn.

Goods leave their sources before anything is stored, so that goods given away make room for goods received.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch10_supply.docking import carrier_of, is_pair, is_patrol_ship
from rules_engine.rulebooks.pq17.ch10_supply.drones import conversion_excess, inventory, nation_of, nations
from rules_engine.rulebooks.pq17.ch10_supply.stores import held, own_room, put, room, say_goods, stow_damcon, take
from rules_engine.rulebooks.pq17.nations.unloading import is_handed_over, unloading_refusal
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup, GoodsDelivery, GoodsTransfer, LogisticsPlan
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.supply import DRONE_KINDS, PAIR_LIMIT, Goods, becomes, moved, worth

Units = Mapping[str, Unit]
"""Units by id: the campaign's own, or copies on which a plan is tried."""

BY_DEFAULT: tuple[Goods, ...] = (
    Goods.SUPPLY,
    Goods.FUEL,
    Goods.REPAIR,
    Goods.PROBES,
    Goods.DRONES,
    Goods.SHUTTLES,
    Goods.CREW,
    Goods.BOARDERS,
    Goods.DECK_CREWS,
    Goods.PPTS,
    Goods.T_BOMBS,
    Goods.UIMS,
    Goods.DROGUES,
    Goods.FIGHTER_PODS,
    Goods.WARP_BOOSTERS,
)
"""What supply is converted into when its owner orders nothing: it stays supply where there is a cargo box for it, else
it becomes engine fuel, then anything else the unit lacks. PQ-17 10.3.5, ruling SUP-12."""


# --- who reaches whom -------------------------------------------------------------------------------------------------


@rule("10.3.7.2.2")
def berth(state: State, unit_id: str) -> str:
    """The id of the unit whose docking position a unit shares: a pod's tug, else the unit itself. PQ-17 10.3.7.2.2."""
    unit = state.units[unit_id]
    carrier = carrier_of(state, unit)
    return carrier if carrier and not is_patrol_ship(state, unit) else unit_id


@rule("10.3.10.1")
def is_internal(state: State, one: GoodsTransfer | GoodsDelivery) -> bool:
    """Whether goods stay aboard one ship, its pods included. PQ-17 10.3.10.1."""
    return berth(state, one.source) == berth(state, one.target)


@rule("10.3.7.3")
def group_for(state: State, plan: LogisticsPlan, one: GoodsTransfer) -> DockedGroup | None:
    """The docked group within which a transfer is made. PQ-17 10.3.7.3."""
    ends = {berth(state, one.source), berth(state, one.target)}
    return next((group for group in plan.groups if ends <= set(group.members())), None)


# --- judging ----------------------------------------------------------------------------------------------------------


def transfer_refusals(state: State, side: Side, plan: LogisticsPlan) -> list[Refusal]:
    """Everything illegal about a plan's transfers; the path of each is its source. Rulings SUP-1, SUP-5, REP-6."""
    found = [wrong for one in plan.transfers for wrong in _line(state, plan, one)]
    found += _sources(state, plan)
    found += [wrong for group in plan.groups for wrong in _rate(state, plan, group)]
    if found:
        return found
    return [*_drones(state, side, plan), *_losses(state, side, plan)]


@rule("10.2.4", "10.3.7.3", "10.3.7.4", "10.3.10.1", "11.2.2")
def _line(state: State, plan: LogisticsPlan, one: GoodsTransfer) -> Iterable[Refusal]:
    """One line: within a docked group, in whole numbers, and only supply becomes something else.

    PQ-17 10.2.4, 10.3.7.3, 10.3.7.4, 10.3.10.1, 11.2.2."""
    source, target = state.units[one.source], state.units[one.target]
    path = f"{one.source}.give"
    if not is_internal(state, one) and group_for(state, plan, one) is None:
        problem = f"{source.name} and {target.name} are not docked in one group"
        yield illegal(problem, "PQ-17 10.3.7.3", path, legal="units of one docked group")
    if one.goods is not Goods.FUEL and one.amount.denominator != 1:
        problem = f"{say_goods([(one.goods, one.amount)])} is no whole number"
        yield illegal(problem, "PQ-17 10.3.7.4", path, legal=str(max(1, int(one.amount))))
    if one.into is not None and one.goods is not Goods.SUPPLY and one.into is not one.goods:
        problem = f"{one.goods.value} cannot be turned into {one.into.value}"
        yield illegal(problem, "PQ-17 10.2.4", path, legal="only supply can be turned into something")
    if one.source != one.target and one.goods is Goods.SUPPLY:
        wrong = unloading_refusal(state, source, target, path)
        if wrong is not None:
            yield wrong
    if one.source == one.target and one.goods is Goods.SUPPLY and one.into in (None, Goods.SUPPLY):
        yield illegal("say what it becomes", "PQ-17 10.3.10.1", path, legal=f"self {one.amount} supply as fuel")
    if one.source == one.target and one.goods.is_specific:
        yield illegal(f"its {one.goods.value} are aboard already", "PQ-17 10.3.10.1", path, legal="left out")


@rule("11.2.5.4", "10.3.7.4")
def _sources(state: State, plan: LogisticsPlan) -> Iterable[Refusal]:
    """A unit gives no more than it has now; its DAMCON track gives nothing. PQ-17 11.2.5.4, 10.3.7.4."""
    given: dict[tuple[str, Goods], Fraction] = {}
    for one in plan.transfers:
        given[one.source, one.goods] = given.get((one.source, one.goods), Fraction(0)) + one.amount
    for (unit_id, goods), amount in given.items():
        unit = state.units[unit_id]
        has = held(unit, goods)
        if amount > has:
            locked = goods is Goods.REPAIR and unit.rp_damcon
            rule = "PQ-17 11.2.5.4" if locked else "PQ-17 10.3.7.4"
            note = " that may leave it" if locked else ""
            most = say_goods([(goods, has)]) if has else f"no {goods.value}"
            legal = f"at most {most}" if has else most
            yield illegal(f"{unit.name} has {most}{note}", rule, f"{unit_id}.give", legal=legal)


@rule("T4", "10.3.9.2", "10.3.8.2")
def _rate(state: State, plan: LogisticsPlan, group: DockedGroup) -> Iterable[Refusal]:
    """Table 4's limit of a docked pair underway, both ways together; in port there is none.

    PQ-17 T4, 10.3.8.2, 10.3.9.2, rulings SUP-1, SUP-14b."""
    if group.host in plan.in_port or not is_pair(state, group):
        return
    for ship in group.docked:
        total = pair_worth(state, plan, group, ship)
        if total > PAIR_LIMIT:
            problem = f"{total} supply points' worth between {group.host} and {ship}"
            yield illegal(problem, "PQ-17 T4", f"{ship}.give", legal=f"at most {PAIR_LIMIT} a turn, both ways together")


@rule("T4")
def pair_worth(state: State, plan: LogisticsPlan, group: DockedGroup, ship: str) -> Fraction:
    """The supply points that a plan moves to and from one docked ship. PQ-17 T4, ruling SUP-1."""
    lines = (one for one in plan.transfers if not is_internal(state, one))
    return sum(
        (
            worth(one.goods, one.amount)
            for one in lines
            if ship in (berth(state, one.source), berth(state, one.target)) and group_for(state, plan, one) is group
        ),
        Fraction(0),
    )


@rule("10.2.6.6", "10.2.6.8", "10.2.6.9")
def _drones(state: State, side: Side, plan: LogisticsPlan) -> Iterable[Refusal]:
    """Conversions must leave each nation's drones within its percentages. PQ-17 10.2.6.6, 10.2.6.8, 10.2.6.9."""
    for nation, made in drones_made(state, plan.transfers).items():
        before = inventory(state, nation, nations(state, side)[nation])
        for goods in conversion_excess(before, made):
            problem = f"{nation} would have more {goods.value} than its share of all drones"
            path = next(
                one.source
                for one in plan.transfers
                if one.into is goods and nation_of(state, state.units[one.target]) == nation
            )
            yield illegal(problem, "PQ-17 10.2.6.6", f"{path}.give", legal="drones (general availability)")


def drones_made(state: State, lines: Iterable[GoodsTransfer | GoodsDelivery]) -> dict[str, dict[Goods, Fraction]]:
    """Drone spaces that supply is turned into, by nation."""
    found: defaultdict[str, defaultdict[Goods, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for one in lines:
        if one.goods is Goods.SUPPLY and one.into is not None and one.into in DRONE_KINDS:
            found[nation_of(state, state.units[one.target])][one.into] += becomes(one.into, one.amount)
    return {nation: dict(made) for nation, made in found.items()}


@rule("10.3.3")
def _losses(state: State, side: Side, plan: LogisticsPlan) -> Iterable[Refusal]:
    """Losses for want of room must be shown and agreed to. PQ-17 10.3.3, ruling SUP-5."""
    if plan.may_lose:
        return
    for one in foreseen(state, side, plan):
        target = state.units[one.target]
        if one.lost and not is_used_up(state, one):
            lost = say_goods([(Goods.SUPPLY, one.lost)])
            problem = f"{target.name} has no room for all of that: what is worth {lost} would be lost"
            legal = "less, or agree to the loss on the side's line"
            yield illegal(problem, "PQ-17 10.3.3", f"{one.source}.give", legal=legal)


@rule("C.vp.7")
def is_used_up(state: State, one: GoodsDelivery) -> bool:
    """Whether goods without room are used at once instead of lost: supply for the Kzintis.

    PQ-17 C.vp.7, ruling SUP-10."""
    given = one.goods is Goods.SUPPLY and one.into is None and one.source != one.target
    return given and is_handed_over(state, state.units[one.source], state.units[one.target])


def foreseen(state: State, side: Side, plan: LogisticsPlan) -> list[GoodsDelivery]:
    """What the plan would do without interruptions, tried on copies."""
    involved = {unit for one in plan.transfers for unit in (one.source, one.target)}
    units = {unit_id: state.units[unit_id].copied() for unit_id in sorted(involved)}
    lines = collect(state, side, units, LogisticsPlan(transfers=plan.transfers))
    store(state, units, lines)
    return lines


# --- interruptions ----------------------------------------------------------------------------------------------------


@rule("10.3.8.3", "10.3.9.3", "T4")
def note_interruptions(state: State) -> None:
    """At an impulse's end, note whose logistics were interrupted. Combat interrupts; underway, so do reconnaissance and
    becoming a shadower; being searched or shadowed does not. PQ-17 10.3.8.3, 10.3.9.3, T4, ruling SUP-3."""
    for plan in state.logistics.values():
        for unit_id in planned_units(plan):
            tf = state.tf_of(unit_id)
            if tf is not None and unit_id not in plan.interrupted and is_interrupted(state, plan, unit_id, tf):
                plan.interrupted = {**plan.interrupted, unit_id: state.impulse}


def planned_units(plan: LogisticsPlan) -> list[str]:
    """Every unit that a plan names, once."""
    named = [unit for group in plan.groups for unit in group.members()]
    named += [unit for one in plan.transfers for unit in (one.source, one.target)]
    named += [unit for order in plan.repairs for unit in (order.unit, order.by)]
    return list(dict.fromkeys(named))


def is_interrupted(state: State, plan: LogisticsPlan, unit_id: str, tf: TaskForce) -> bool:
    """Whether the actions of a unit's task force in this impulse interrupt the unit's logistics. PQ-17 ruling SUP-3."""
    if state.has_mark(tf, "attempted_attack") or state.has_mark(tf, "was_attacked"):
        return True
    if unit_id in plan.in_port:
        return False
    return state.has_mark(tf, "searched") or state.has_mark(tf, "declared_shadowing") or bool(tf.shadowing)


# --- carrying out -----------------------------------------------------------------------------------------------------


@rule("10.3.8.3", "10.3.9.3", "10.3.10.1", "T4")
def collect(state: State, side: Side, units: Units, plan: LogisticsPlan) -> list[GoodsDelivery]:
    """Take all plotted goods from their sources, reduced by interruptions; nothing is stored yet. Lines of units that
    no longer exist are dropped. Internal lines are never interrupted. PQ-17 10.3.8.3, 10.3.9.3, 10.3.10.1, T4, ruling
    SUP-2."""
    lines: list[GoodsDelivery] = []
    for one in plan.transfers:
        source, target = units[one.source], units[one.target]
        line = GoodsDelivery(source=one.source, target=one.target, goods=one.goods, into=one.into, plotted=one.amount)
        lines.append(line)
        if not (_is_there(state, side, source) and _is_there(state, side, target)):
            continue
        line.impulse = 0 if is_internal(state, one) else plan.impulse_of(one.source, one.target)
        wanted = min(moved(one.amount, line.impulse), held(source, one.goods))
        if one.source == one.target and one.goods is Goods.REPAIR:
            line.amount = stow_damcon(source, wanted)
            line.stored = {Goods.REPAIR: line.amount}
        else:
            line.amount = wanted
            take(source, one.goods, wanted)
    return lines


def _is_there(state: State, side: Side, unit: Unit) -> bool:
    """Whether a unit is still on the map and belongs to that side."""
    tf = state.tf_of(unit.id)
    return tf is not None and tf.side == side


@rule("10.3.3", "10.3.4", "10.3.5", "10.2.5")
def store(state: State, units: Units, lines: Sequence[GoodsDelivery]) -> None:
    """Store what was taken, each line at its target, converted as ordered. PQ-17 10.2.5, 10.3.3, 10.3.4, 10.3.5."""
    for one in lines:
        if one.amount == 0 or one.stored:
            continue
        target = units[one.target]
        kind = state.class_of(target)
        if one.goods is Goods.SUPPLY and one.into is None:
            one.stored, one.lost = absorb(state, target, one.amount)
        else:
            goods = one.into or one.goods
            amount = one.amount if goods is one.goods else becomes(goods, one.amount)
            lost = put(kind, target, goods, Fraction(amount))
            one.stored = {goods: amount - lost}
            one.lost = worth(goods, lost)


@rule("10.3.5")
def absorb(state: State, unit: Unit, points: Fraction) -> tuple[dict[Goods, Fraction], Fraction]:
    """Take in supply without an order: it is kept where a cargo box is empty, else converted into what the unit has
    room for. Returns the goods it became, and the points lost. Points that fit only partly go last. PQ-17 10.3.5,
    SUP-12."""
    kind = state.class_of(unit)
    made: dict[Goods, Fraction] = {}
    left = points
    for goods in BY_DEFAULT:
        if not left:
            break
        fits = room(kind, unit, goods) if goods is Goods.SUPPLY else own_room(kind, unit, goods)
        whole = min(left, Fraction(int(worth(goods, fits))))
        if whole:
            made[goods] = becomes(goods, whole)
            put(kind, unit, goods, made[goods])
            left -= whole
    for goods in BY_DEFAULT[1:] if left else ():
        fits = Fraction(own_room(kind, unit, goods))
        if left and fits:
            put(kind, unit, goods, fits)
            made[goods] = made.get(goods, Fraction(0)) + fits
            left -= 1
    return made, max(Fraction(0), left)


@rule("10.2.6.6", "10.2.6.9", "10.2.6.5.1")
def settle_drones(state: State, side: Side, lines: Sequence[GoodsDelivery]) -> None:
    """The first evaluation, before storing: conversions that would break a nation's percentages become general drones.

    PQ-17 10.2.6.5.1, 10.2.6.6, 10.2.6.9."""
    for nation, made in drones_made(state, lines).items():
        if conversion_excess(inventory(state, nation, nations(state, side)[nation]), made):
            for one in lines:
                if one.into in DRONE_KINDS and nation_of(state, state.units[one.target]) == nation:
                    one.into = Goods.DRONES
