"""The purchase sheet: a line for each pool of points, for ships without cost, for each base convoy and each base.

Before the first turn its default is the scenario's ready-made order of battle; later, plain hulls of every category.
What is bought joins the state's units; deployment or an arrival puts it on the map.
PQ-17 C.purchase, C.oob, SOP.3.d.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pydantic import RootModel

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.protocol.asks import Ask, Remembered
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.new_units import new_units, short_class
from rules_engine.rulebooks.pq17.ch01_forces.purchase_offers import example_of, offered, prices
from rules_engine.rulebooks.pq17.ch01_forces.purchase_prices import (
    PointPool,
    catalogue_of,
    force_refusals,
    plain_purchase,
    pool_refusals,
    pools_of,
    total_price,
    variant_refusals,
)
from rules_engine.rulebooks.pq17.ch01_forces.purchase_words import Item, read_items, said_twice, write_items
from rules_engine.rulebooks.pq17.orders.order_sheets import misplaced
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.order_of_battle import BaseEntry, BuyLine, Convoy, Mandatory

NO_LINE = BuyLine()


class PurchaseSheet(RootModel[dict[str, BuyLine]]):
    """What a side buys."""


@dataclass(frozen=True)
class Offer:
    """What a side is asked to buy: pools, ships without cost that leave a choice, convoys, and bases to fit out."""

    side: Side
    pools: tuple[PointPool, ...]
    mandatory: tuple[tuple[str, Mandatory], ...] = ()
    """All mandatory ships, by line key."""
    convoys: tuple[Convoy, ...] = ()
    bases: tuple[BaseEntry, ...] = ()

    @property
    def choices_without_cost(self) -> list[tuple[str, Mandatory]]:
        """The mandatory ships that may be of several classes, by line key."""
        return [(key, one) for key, one in self.mandatory if len(one.classes) > 1]


@dataclass(frozen=True)
class Bought:
    """A purchase sheet as it was read: items by line, fittings by base, and all defects."""

    items: dict[str, list[Item]] = field(default_factory=dict[str, list[Item]])
    modules: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    refusals: list[Refusal] = field(default_factory=list[Refusal])


def opening_offer(state: State, side: Side) -> Offer:
    """What a side buys before the first turn. PQ-17 C.oob."""
    campaign = state.settings.campaign
    mine = {nation.key for nation in campaign.nations_of(side)}
    return Offer(
        side=side,
        pools=tuple(pools_of(state, side)),
        mandatory=tuple(
            (f"{one.force}-free-{number}", one)
            for number, one in enumerate(campaign.mandatory, start=1)
            if campaign.force_of(one.force).nation in mine
        ),
        convoys=tuple(one for one in campaign.convoy if one.nation in mine),
        bases=tuple(one for one in campaign.base if one.nation in mine and one.choose),
    )


@rule("C.purchase.4", "SOP.3.d")
def period_offer(state: State, side: Side, *, convoys: bool = True) -> Offer:
    """What a side may buy at the end of a period: with all points it holds, and the next period's convoys.

    PQ-17 C.purchase.4, SOP.3.d."""
    mine = {nation.key for nation in state.settings.campaign.nations_of(side)}
    found = tuple(one for one in state.settings.campaign.convoy if one.nation in mine) if convoys else ()
    return Offer(side=side, pools=tuple(pools_of(state, side)), convoys=found)


# --- asking -----------------------------------------------------------------------------------------------------------


@rule("SOP.3.d")
def purchase_ask(
    turn: TurnContext[State], offer: Offer, *, title: str, text: str, ready: Mapping[str, BuyLine] | None = None
) -> Ask[PurchaseSheet]:
    """The purchase of one side; ``ready`` gives the lines filled in; the others propose plain hulls.

    PQ-17 C.purchase, SOP.3.d."""
    state = turn.state
    filled_in = _filled_in(state, offer, ready or {})
    form: Remembered[Offer, Form] = Remembered(lambda offer: purchase_form(state, offer, filled_in))
    bought: Remembered[PurchaseSheet, Bought] = Remembered(lambda sheet: understand(state, offer, sheet))
    return Ask(
        kind="purchase",
        parties=(offer.side,),
        title=title,
        text=text,
        model=PurchaseSheet,
        form=lambda: form(offer),
        leaves_choice=bool(filled_in),
        rule="PQ-17 C.purchase",
        default=PurchaseSheet({key: BuyLine(**line.model_dump(exclude_none=True)) for key, line in filled_in.items()}),
        default_says="The order of battle stands as it is filled in; points left over are kept.",
        check=lambda sheet: [*misplaced(form(offer), sheet.root), *bought(sheet).refusals],
        idle=lambda sheet: [
            defect for key, line in sheet.root.items() for defect in said_twice(line.buy or "", f"{key}.buy")
        ],
        read_back=lambda sheet: say_purchase(state, offer, bought(sheet)),
        warn=lambda sheet: _warnings(offer, bought(sheet)),
        forgets=(bought.forget, form.forget),
    )


def purchase_form(state: State, offer: Offer, filled_in: Mapping[str, BuyLine]) -> Form:
    """A line for each pool and for everything else that leaves a choice."""
    campaign = state.settings.campaign
    lines: list[Line] = []
    for pool in offer.pools:
        label = f"{pool.force.name}: {show_fraction(pool.points)} {pool.category} points"
        fields = (_buy_field(filled_in[pool.key].buy, example_of(state, pool)),)
        lines.append(Line(key=pool.key, label=label, fields=fields, note=prices(state, pool)))
    for key, one in offer.choices_without_cost:
        default = filled_in[key].buy
        name = campaign.force_of(one.force).name
        label = f"{name}: {one.count} {short_class(one.classes[0])} of any kind, without cost"
        note = ", ".join(short_class(class_id) for class_id in one.classes)
        lines.append(Line(key=key, label=label, fields=(_buy_field(default, default),), note=note))
    for convoy in offer.convoys:
        default = filled_in[convoy.key].buy
        boxes = ", ".join(f"{one} {state.classes[one].cargo}" for one in convoy.classes)
        label = f"{convoy.name}: {convoy.boxes} cargo boxes, without cost"
        lines.append(Line(key=convoy.key, label=label, fields=(_buy_field(default, default),), note=f"Boxes: {boxes}"))
    lines += [_base_line(entry, filled_in[entry.key].modules) for entry in offer.bases]
    return Form(lines=tuple(lines))


def _filled_in(state: State, offer: Offer, ready: Mapping[str, BuyLine]) -> dict[str, BuyLine]:
    """The lines as the sheet is filled in: the ready-made ones if they are legal together with the figures in use."""
    usual = _usual_lines(state, offer)
    given = {key: line for key, line in ready.items() if key in usual and (line.buy or line.modules)}
    for _ in range(2):
        if not given:
            break
        lines = usual | given
        wrong = {one.path.partition(".")[0] for one in understand(state, offer, PurchaseSheet(lines)).refusals}
        if not wrong:
            return lines
        given = {key: line for key, line in given.items() if key not in wrong}
    return usual


def _usual_lines(state: State, offer: Offer) -> dict[str, BuyLine]:
    """The lines where nothing is ready-made: plain hulls, free ships of the first kind, full convoys, modules of the
    first kind."""
    lines = {pool.key: BuyLine(buy=write_items(plain_purchase(state, pool)) or None) for pool in offer.pools}
    for key, one in offer.choices_without_cost:
        lines[key] = BuyLine(buy=f"{one.count} {short_class(one.classes[0])}")
    for convoy in offer.convoys:
        lines[convoy.key] = BuyLine(buy=write_items(fill_convoy(state, convoy)) or None)
    for entry in offer.bases:
        lines[entry.key] = BuyLine(modules=f"{entry.choose} {short_class(entry.choices[0])}")
    return lines


def _buy_field(value: str | None, example: str | None) -> Field:
    text = f"For example {example}" if example else ""
    return Field(key="buy", label="Buy", kind="text", most=600, value=value, optional=True, help=text)


def _base_line(entry: BaseEntry, default: str | None) -> Line:
    choices = ", ".join(short_class(one) for one in entry.choices)
    one, other = (short_class(entry.choices[0]), short_class(entry.choices[-1]))
    several = entry.choose > 1 and one != other
    help_text = f"For example 1 {one}, {entry.choose - 1} {other}" if several else f"For example {entry.choose} {one}"
    modules = Field(key="modules", label="Modules", kind="text", most=200, value=default, optional=True, help=help_text)
    label = f"{entry.name}: {entry.choose} modules of your choice"
    return Line(key=entry.key, label=label, fields=(modules,), note=choices)


# --- judging ----------------------------------------------------------------------------------------------------------


def understand(state: State, offer: Offer, sheet: PurchaseSheet) -> Bought:
    """The sheet's items, and every defect of it. PQ-17 C.purchase, C.variants, C.oob."""
    result = Bought()
    for pool in offer.pools:
        _read_pool(state, pool, sheet.root.get(pool.key, NO_LINE).buy or "", result)
    for key, one in offer.mandatory:
        _read_mandatory(state, key, one, sheet.root.get(key, NO_LINE).buy, result)
    for convoy in offer.convoys:
        _read_convoy(state, convoy, sheet.root.get(convoy.key, NO_LINE).buy, result)
    for entry in offer.bases:
        _read_modules(state, entry, sheet.root.get(entry.key, NO_LINE).modules, result)
    result.refusals.extend(_variants(state, offer, result))
    return result


def _read_pool(state: State, pool: PointPool, text: str, result: Bought) -> None:
    campaign, path = state.settings.campaign, f"{pool.key}.buy"
    catalogue = catalogue_of(state, campaign.nation_of(pool.force.nation))
    items, wrong = read_items(text, catalogue, path, lambda: offered(state, pool))
    result.items[pool.key] = items
    result.refusals.extend(wrong)
    result.refusals.extend(pool_refusals(campaign, pool, items, path))
    result.refusals.extend(force_refusals(state, pool.force, items, path))


@rule("C.oob.federation.mandatory-ships", "C.oob.klingon.mandatory-ships")
def _read_mandatory(state: State, key: str, one: Mandatory, text: str | None, result: Bought) -> None:
    """Ships that come without cost: which of their kinds, and no more or fewer than there are.

    PQ-17 C.oob.federation.mandatory-ships, C.oob.klingon.mandatory-ships."""
    path = f"{key}.buy"
    classes = [state.classes[class_id] for class_id in one.classes]
    usual = [Item(one.count, classes[0])]
    if not text:
        result.items[key] = usual
        return
    items, wrong = read_items(text, classes, path)
    count = sum(item.count for item in items)
    if count != one.count and not wrong:
        problem, legal = f"{count} ships where there are {one.count}", f"{one.count} of {', '.join(one.classes)}"
        result.refusals.append(illegal(problem, "PQ-17 C.oob mandatory ships", path, legal=legal))
    result.items[key] = items
    result.refusals.extend(wrong)
    result.refusals.extend(_no_extras(items, path))


def _no_extras(items: Iterable[Item], path: str) -> Iterable[Refusal]:
    """Refusals of extras on free units: there are no points to pay for them."""
    if any(item.refits or item.drones or item.options for item in items):
        yield illegal("there are no points for refits, drones or options here", "PQ-17 C.purchase.3", path)


def fill_convoy(state: State, convoy: Convoy) -> list[Item]:
    """The fewest ships whose cargo boxes equal the convoy's, or come nearest below. PQ-17 ruling SUP-9."""
    best: dict[int, list[int]] = {0: []}
    sizes = [state.classes[class_id].cargo for class_id in convoy.classes]
    for total in range(1, convoy.boxes + 1):
        options = [[*best[total - size], index] for index, size in enumerate(sizes) if total - size in best]
        if options:
            best[total] = min(options, key=lambda ships: (len(ships), ships))
    ships = best[max(best)]
    return [
        Item(ships.count(index), state.classes[class_id])
        for index, class_id in enumerate(convoy.classes)
        if ships.count(index)
    ]


@rule("C.oob.federation.base-convoy", "C.oob.kzinti.base-convoy", "C.oob.klingon.base-convoy")
def _read_convoy(state: State, convoy: Convoy, text: str | None, result: Bought) -> None:
    """A base convoy: any mix of its classes with exactly its cargo boxes.

    PQ-17 C.oob.federation.base-convoy, C.oob.kzinti.base-convoy, C.oob.klingon.base-convoy."""
    path = f"{convoy.key}.buy"
    usual = fill_convoy(state, convoy)
    if not text:
        result.items[convoy.key] = usual
        return
    items, wrong = read_items(text, [state.classes[class_id] for class_id in convoy.classes], path)
    boxes = sum(item.count * item.kind.cargo for item in items)
    wanted = sum(item.count * item.kind.cargo for item in usual)
    if boxes != wanted and not wrong:
        problem, near = f"{boxes} cargo boxes where the convoy has {wanted}", (write_items(usual),)
        rule = f"PQ-17 C.oob.{convoy.nation}.base-convoy"
        result.refusals.append(illegal(problem, rule, path, legal=f"{wanted} boxes", nearest=near))
    result.items[convoy.key] = items
    result.refusals.extend(wrong)
    result.refusals.extend(_no_extras(items, path))


@rule("C.oob.federation.bases", "C.oob.kzinti.bases")
def _read_modules(state: State, entry: BaseEntry, text: str | None, result: Bought) -> None:
    """The pods and modules of a base that its owner chooses, no more than it has room for.

    PQ-17 C.oob.federation.bases, C.oob.kzinti.bases."""
    path = f"{entry.key}.modules"
    if text is None:
        result.modules[entry.key] = {entry.choices[0]: entry.choose}
        return
    items, wrong = read_items(text, [state.classes[one] for one in entry.choices], path)
    count = sum(item.count for item in items)
    if count > entry.choose:
        problem = f"{count} modules where {entry.name} has room for {entry.choose}"
        rule = f"PQ-17 C.oob.{entry.nation}.bases"
        result.refusals.append(illegal(problem, rule, path, legal=f"at most {entry.choose}"))
    chosen: dict[str, int] = {}
    for item in items:
        chosen[item.kind.class_id] = chosen.get(item.kind.class_id, 0) + item.count
    result.modules[entry.key] = chosen
    result.refusals.extend(wrong)
    result.refusals.extend(_no_extras(items, path))


@rule("C.variants.command", "C.variants.specialized")
def _variants(state: State, offer: Offer, bought: Bought) -> Iterable[Refusal]:
    """Refusals of variants, by nation, over everything on the sheet.

    PQ-17 C.variants.command, C.variants.specialized.
    """
    campaign = state.settings.campaign
    of_line = {pool.key: pool.force.nation for pool in offer.pools}
    of_line |= {key: campaign.force_of(one.force).nation for key, one in offer.mandatory}
    for nation in campaign.nations_of(offer.side):
        lines = {key: bought.items.get(key, []) for key, owner in of_line.items() if owner == nation.key}
        kinds = {key: [item.kind for item in items for _ in range(item.count)] for key, items in lines.items()}
        yield from variant_refusals(state, nation, kinds)


# --- reading back -----------------------------------------------------------------------------------------------------


def say_purchase(state: State, offer: Offer, bought: Bought) -> list[str]:
    """Every line in words, with the points spent and left."""
    campaign = state.settings.campaign
    said: list[str] = []
    for pool in offer.pools:
        items = bought.items.get(pool.key, [])
        spent = total_price(campaign, items)
        left = f"{show_fraction(spent)} spent, {show_fraction(pool.points - spent)} left"
        said.append(f"{pool.force.name}, {pool.category}: {_list(items) or 'nothing'} ({left}).")
    for key, one in offer.mandatory:
        name = campaign.force_of(one.force).name
        said.append(f"{name}, without cost: {_list(bought.items.get(key, []))}.")
    for convoy in offer.convoys:
        items = bought.items.get(convoy.key, [])
        boxes = sum(item.count * item.kind.cargo for item in items)
        said.append(f"{convoy.name}: {_list(items)} ({boxes} cargo boxes).")
    for entry in offer.bases:
        chosen = bought.modules.get(entry.key, {})
        said.append(f"Modules of {entry.name}: {_say_modules(chosen)}.")
    return said


def _say_modules(chosen: dict[str, int]) -> str:
    """Modules by their purpose; pods say that they are pods: ``2 power, 1 cargo pod``."""
    words = ((count, short_class(one).lower().removesuffix("-module")) for one, count in chosen.items())
    return ", ".join(f"{count} {word.replace('-pod', ' pod')}" for count, word in words) or "none"


def _list(items: Sequence[Item]) -> str:
    return write_items(items)


def _warnings(offer: Offer, bought: Bought) -> list[str]:
    said: list[str] = []
    for entry in offer.bases:
        room = entry.choose - sum(bought.modules.get(entry.key, {}).values())
        if room > 0:
            said.append(f"{entry.name} has room for {counted(room, 'more module')} without cost.")
    said += [
        f"Nothing is bought with the {pool.category} points of {pool.force.name}; they are kept."
        for pool in offer.pools
        if not bought.items.get(pool.key)
    ]
    return said


# --- carrying out -----------------------------------------------------------------------------------------------------


@rule("C.purchase.3", "C.purchase.4")
def carry_out_purchase(state: State, offer: Offer, sheet: PurchaseSheet) -> dict[str, list[Unit]]:
    """Pay, and make the units: by force or convoy, in the order of the sheet. They are in no task force yet.

    Modules of bases are for the caller. PQ-17 C.purchase.3, C.purchase.4."""
    campaign = state.settings.campaign
    bought = understand(state, offer, sheet)
    made: dict[str, list[Unit]] = {}
    for key, one in offer.mandatory:
        force = campaign.force_of(one.force)
        made.setdefault(force.key, []).extend(_make(state, force.nation, bought.items[key]))
    for pool in offer.pools:
        items = bought.items[pool.key]
        pools = state.pools[offer.side][pool.force.key]
        pools[pool.category] = max(Fraction(0), pools[pool.category] - total_price(campaign, items))
        made.setdefault(pool.force.key, []).extend(_make(state, pool.force.nation, items))
    for convoy in offer.convoys:
        made[convoy.key] = _make(state, convoy.nation, bought.items[convoy.key])
    return made


def _make(state: State, nation: str, items: Iterable[Item]) -> list[Unit]:
    made: list[Unit] = []
    for item in items:
        extras = (("drones", item.drones), ("options", item.options))
        options = ", ".join(f"{what} {show_fraction(points)}" for what, points in extras if points)
        made += new_units(state, nation, item.kind.class_id, item.count, refits=item.refits, options=options)
    return made


def modules_of(state: State, offer: Offer, sheet: PurchaseSheet) -> dict[str, dict[str, int]]:
    """Each base's fittings, fixed and chosen. PQ-17 C.oob, ruling SCN-34."""
    chosen = understand(state, offer, sheet).modules
    return {entry.key: dict(Counter(entry.fittings) + Counter(chosen[entry.key])) for entry in offer.bases}
