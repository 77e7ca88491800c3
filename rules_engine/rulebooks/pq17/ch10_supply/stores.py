"""What a unit carries, and where: cargo boxes, engines, repair boxes, DAMCON tracks and the consumables' own places.

Amounts are counted in the goods' own units (drones in spaces); only fuel may be a fraction. Consumables' own places
(racks, bays) are those of the undamaged record sheet, since the campaign keeps no count of their boxes; cargo, power,
repair and DAMCON boxes count undestroyed. PQ-17 9.1, 9.2, 10.2.2, 10.3.3, 11.2.3 to 11.2.5, rulings FUE-1, SUP-6.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from rules_engine.core.basics.counted import singular
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass
from rules_engine.rulebooks.pq17.tables.supply import PER_POINT, Goods, boxes_for

# --- the consumables' own places --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StowagePlace:
    """A place on the record sheet shared by some consumables. ``sizes``: the spaces that one of each takes."""

    label: str
    sizes: Mapping[Goods, int]
    spaces: Callable[[ShipClass], int]
    standard: Goods | None
    """What it is full of at the start; None if that is bought separately."""


PLACES: tuple[StowagePlace, ...] = (
    StowagePlace(
        "drone storage",
        {Goods.DRONES: 1, Goods.LIMITED_DRONES: 1, Goods.RESTRICTED_DRONES: 1},
        lambda kind: kind.drone_storage,
        Goods.DRONES,
    ),
    StowagePlace("crew", {Goods.CREW: 1}, lambda kind: kind.crew_units, Goods.CREW),
    StowagePlace("boarding parties", {Goods.BOARDERS: 1}, lambda kind: kind.boarding_parties, Goods.BOARDERS),
    StowagePlace("deck crews", {Goods.DECK_CREWS: 1}, lambda kind: kind.deck_crews, Goods.DECK_CREWS),
    StowagePlace("PPT racks", {Goods.PPTS: 1}, lambda kind: kind.ppts, Goods.PPTS),
    StowagePlace(
        "shuttle bays",
        {Goods.SHUTTLES: 1, Goods.DOUBLE_SHUTTLES: 2},
        lambda kind: kind.shuttles + kind.fighters,
        Goods.SHUTTLES,
    ),
    StowagePlace("probe launchers", {Goods.PROBES: 1}, lambda kind: kind.probes, Goods.PROBES),
    StowagePlace("mine racks", {Goods.LARGE_MINES: 2, Goods.SMALL_MINES: 1}, lambda kind: 2 * kind.mine_capacity, None),
    StowagePlace("transporter bombs", {Goods.T_BOMBS: 1}, lambda kind: kind.tbombs, Goods.T_BOMBS),
    StowagePlace("UIMs", {Goods.UIMS: 1}, lambda kind: kind.uims, Goods.UIMS),
    StowagePlace("drogues", {Goods.DROGUES: 1}, lambda kind: kind.drogues, Goods.DROGUES),
    StowagePlace("fighter pods", {Goods.FIGHTER_PODS: 1}, lambda kind: kind.fighter_pods, Goods.FIGHTER_PODS),
    StowagePlace("warp boosters", {Goods.WARP_BOOSTERS: 1}, lambda kind: kind.warp_boosters, Goods.WARP_BOOSTERS),
)
"""Where each consumable has its usual place. PQ-17 10.3.3.5, 12.1.5."""

PLACE_OF: dict[Goods, StowagePlace] = {goods: place for place in PLACES for goods in place.sizes}


def in_place(unit: Unit, goods: Goods) -> int:
    """How many of a consumable are in their own place."""
    return unit.probes if goods is Goods.PROBES else unit.stores.get(goods, 0)


def set_in_place(unit: Unit, goods: Goods, count: int) -> None:
    """Set how many of a consumable are in their own place."""
    if goods is Goods.PROBES:
        unit.probes = count
    elif count != unit.stores.get(goods, 0):
        unit.stores = _with(unit.stores, goods, count)


def _with(counts: Mapping[Goods, int], goods: Goods, count: int) -> dict[Goods, int]:
    """Counts with one changed, in the order of :class:`Goods` and without zeros, so that equal holdings compare
    equal."""
    changed = {**counts, goods: count}
    return {one: changed[one] for one in Goods if changed.get(one)}


def spaces_left(kind: ShipClass, unit: Unit, place: StowagePlace) -> int:
    """Free spaces of a place."""
    spaces = place.spaces(kind)
    if not spaces:
        return 0
    return max(0, spaces - sum(size * in_place(unit, goods) for goods, size in place.sizes.items()))


# --- cargo ------------------------------------------------------------------------------------------------------------


@rule("10.2.2.1")
def cargo_boxes(unit: Unit) -> int:
    """How many boxes' worth its undestroyed cargo boxes hold; two Orion ones count as one. PQ-17 10.2.2.1; SUP-6."""
    return unit.cargo + unit.orion_cargo // 2


@rule("9.2", "10.2.2", "10.3.3.4", "11.2.3")
def cargo_used(unit: Unit) -> int:
    """Boxes in use: whole boxes, one kind of goods to a box. PQ-17 9.2, 10.2.2, 10.3.3.4, 11.2.3."""
    return (
        unit.supply
        + unit.module_boxes
        + unit.rp_cargo
        + boxes_for(Goods.FUEL, unit.fuel_cargo)
        + sum(boxes_for(goods, count) for goods, count in unit.cargo_goods.items())
    )


@rule("10.3.3.1")
def cargo_free(unit: Unit) -> int:
    """Empty cargo boxes, each for a supply point or what one becomes. PQ-17 10.3.3.1."""
    return max(0, cargo_boxes(unit) - cargo_used(unit))


def in_cargo(unit: Unit, goods: Goods) -> Fraction:
    """How much of one kind is in cargo boxes."""
    match goods:
        case Goods.SUPPLY:
            return Fraction(unit.supply)
        case Goods.FUEL:
            return unit.fuel_cargo
        case Goods.REPAIR:
            return Fraction(unit.rp_cargo)
        case _:
            return Fraction(unit.cargo_goods.get(goods, 0))


def _set_in_cargo(unit: Unit, goods: Goods, amount: Fraction) -> None:
    match goods:
        case Goods.SUPPLY:
            unit.supply = int(amount)
        case Goods.FUEL:
            unit.fuel_cargo = amount
        case Goods.REPAIR:
            unit.rp_cargo = int(amount)
        case _:
            unit.cargo_goods = _with(unit.cargo_goods, goods, int(amount))


@rule("10.3.3.4")
def cargo_room(unit: Unit, goods: Goods) -> Fraction:
    """How much more of one kind its cargo boxes take; a box partly full of the same goods is filled up. 10.3.3.4."""
    held = in_cargo(unit, goods)
    boxes = boxes_for(goods, held) + cargo_free(unit)
    return max(Fraction(0), int(boxes * PER_POINT[goods]) - held)


# --- engines, repair boxes, DAMCON ------------------------------------------------------------------------------------


@rule("11.2.5.1")
def damcon_room(unit: Unit) -> int:
    """Repair points that its DAMCON track still takes: the sum of its undestroyed boxes. PQ-17 11.2.5.1."""
    return max(0, sum(unit.damcon_track) - unit.rp_damcon)


@rule("10.3.3.2", "10.3.3.3", "10.3.3.5", "11.2.4.1", "11.2.4.2", "11.2.5.2")
def own_room(kind: ShipClass, unit: Unit, goods: Goods) -> Fraction | int:
    """How much more of one kind fits where it belongs, cargo apart; supply as such belongs nowhere else.

    PQ-17 10.3.3.2, 10.3.3.3, 10.3.3.5, 11.2.4.1, 11.2.4.2, 11.2.5.2."""
    match goods:
        case Goods.SUPPLY:
            return 0
        case Goods.FUEL:
            return max(Fraction(0), unit.power_boxes - unit.fuel)
        case Goods.REPAIR:
            return max(0, unit.repair - unit.rp_repair) + damcon_room(unit)
        case _:
            place = PLACE_OF[goods]
            return spaces_left(kind, unit, place) // place.sizes[goods]


def room(kind: ShipClass, unit: Unit, goods: Goods) -> Fraction:
    """How much more of one kind the unit can store at all: where it belongs, and in cargo."""
    return own_room(kind, unit, goods) + cargo_room(unit, goods)


@rule("10.3.1", "11.2.4.4", "11.2.5.4")
def held(unit: Unit, goods: Goods) -> Fraction:
    """How much it could give away: all except what is in its DAMCON track. PQ-17 10.3.1, 11.2.4.4, 11.2.5.4."""
    own = Fraction(in_place(unit, goods))
    if goods is Goods.FUEL:
        own = unit.fuel
    elif goods is Goods.REPAIR:
        own = Fraction(unit.rp_repair)
    return own + in_cargo(unit, goods)


def take(unit: Unit, goods: Goods, amount: Fraction) -> None:
    """Take goods from a unit, from its cargo first.

    Raises:
        ValueError: when it does not have that much to give; nothing is then taken.
    """
    if amount > held(unit, goods):
        raise ValueError(f"{unit.id} has no {amount} {goods} to give")
    from_cargo = min(amount, in_cargo(unit, goods))
    _set_in_cargo(unit, goods, in_cargo(unit, goods) - from_cargo)
    rest = amount - from_cargo
    if goods is Goods.FUEL:
        unit.fuel -= rest
    elif goods is Goods.REPAIR:
        unit.rp_repair -= int(rest)
    elif goods.is_specific:
        set_in_place(unit, goods, in_place(unit, goods) - int(rest))


@rule("10.3.3", "11.2.4", "11.2.5")
def put(kind: ShipClass, unit: Unit, goods: Goods, amount: Fraction) -> Fraction:
    """Store goods in their own place, and the rest in empty cargo boxes; returns what found no room and is
    lost. Repair points go into repair boxes first, then into the DAMCON track. PQ-17 10.3.3, 11.2.4, 11.2.5."""
    own = min(amount, own_room(kind, unit, goods))
    if goods is Goods.FUEL:
        unit.fuel += own
    elif goods is Goods.REPAIR:
        boxes = min(int(own), max(0, unit.repair - unit.rp_repair))
        unit.rp_repair += boxes
        unit.rp_damcon += int(own) - boxes
    elif goods.is_specific:
        own = Fraction(int(own))
        set_in_place(unit, goods, in_place(unit, goods) + int(own))
    rest = amount - own
    stowed = min(rest, cargo_room(unit, goods))
    _set_in_cargo(unit, goods, in_cargo(unit, goods) + stowed)
    return rest - stowed


@rule("11.2.4.4")
def stow_damcon(unit: Unit, amount: Fraction) -> Fraction:
    """Move repair points of its own cargo and repair boxes into the DAMCON track; returns how many. 11.2.4.4."""
    moved = min(amount, Fraction(damcon_room(unit)), held(unit, Goods.REPAIR))
    take(unit, Goods.REPAIR, moved)
    unit.rp_damcon += int(moved)
    return moved


# --- losing and filling -----------------------------------------------------------------------------------------------

ENGINE_FUEL = "engine fuel"
LOST_FIRST: tuple[Goods, ...] = (Goods.FUEL, Goods.REPAIR, *(one for one in Goods if one.is_specific), Goods.SUPPLY)
"""The order in which cargo is lost when its boxes are destroyed: what supply could replace goes first (own ruling)."""


@rule("9.1", "9.2", "9.8", "10.2.2.2", "11.2.4.5", "11.2.5.5", "11.4.5.5")
def lose_excess(unit: Unit) -> dict[str, Fraction]:
    """After damage, lose at once what the undestroyed boxes no longer hold; returns what was lost, in words. Repair
    brings none of it back. PQ-17 9.1, 9.2, 9.8, 10.2.2.2, 11.2.4.5, 11.2.5.5, 11.4.5.5, rulings FUE-1, FUE-3,
    REP-10."""
    lost: dict[str, Fraction] = {}
    for words, field, most in (
        (ENGINE_FUEL, "fuel", unit.power_boxes),
        ("repair points in repair boxes", "rp_repair", unit.repair),
        ("repair points in the DAMCON track", "rp_damcon", sum(unit.damcon_track)),
    ):
        over = Fraction(getattr(unit, field)) - most
        if over > 0:
            setattr(unit, field, most)
            lost[words] = over
    for goods in LOST_FIRST:
        over = cargo_used(unit) - cargo_boxes(unit)
        amount = in_cargo(unit, goods)
        if over <= 0 or not amount:
            continue
        boxes = max(0, boxes_for(goods, amount) - over)
        kept = min(amount, Fraction(int(boxes * PER_POINT[goods])))
        _set_in_cargo(unit, goods, kept)
        lost[f"{goods.value} in cargo"] = amount - kept
    unit.module_boxes = min(unit.module_boxes, cargo_boxes(unit))
    return lost


@rule("9.4", "11.2.7", "10.2.7.1", "C.oob.federation.resupply", "C.oob.kzinti.resupply", "C.oob.klingon.resupply")
def fill(kind: ShipClass, unit: Unit) -> None:
    """Fill a new unit: engines full, repair and DAMCON boxes full of repair points, standard consumables aboard, all
    other cargo boxes full of supply, which it may then bring to others.

    PQ-17 9.4, 10.2.7.1, 11.2.7, C.oob.federation.resupply, C.oob.kzinti.resupply, C.oob.klingon.resupply, ruling FUE-4.
    """
    unit.fuel = Fraction(unit.power_boxes)
    unit.rp_repair, unit.rp_damcon = unit.repair, sum(unit.damcon_track)
    for place in PLACES:
        if place.standard is Goods.DRONES:
            _load_drones(kind, unit)
        elif place.standard is not None:
            set_in_place(unit, place.standard, place.spaces(kind) // place.sizes[place.standard])
    unit.supply += cargo_free(unit)


def _load_drones(kind: ShipClass, unit: Unit) -> None:
    """Each ship carries as many limited and restricted drones as its own storage allows, the rest general ones."""
    storage = kind.drone_storage
    limited, restricted = int(kind.drone_share("limited") * storage), int(kind.drone_share("restricted") * storage)
    set_in_place(unit, Goods.LIMITED_DRONES, limited)
    set_in_place(unit, Goods.RESTRICTED_DRONES, restricted)
    set_in_place(unit, Goods.DRONES, storage - limited - restricted)


def say_goods(amounts: Iterable[tuple[Goods, Fraction]]) -> str:
    """``20 supply, 1 probe``; "nothing" for none."""
    said = [
        f"{show_fraction(amount)} {singular(goods.value) if amount == 1 else goods.value}"
        for goods, amount in amounts
        if amount
    ]
    return ", ".join(said) or "nothing"


SPECIFIC = tuple(goods for goods in Goods if goods.is_specific)
"""The consumables."""


def holdings(unit: Unit) -> list[tuple[Goods, Fraction]]:
    """All consumables aboard, in any place, in the order of :class:`Goods`."""
    places = {*unit.stores, *unit.cargo_goods, *([Goods.PROBES] if unit.probes else [])}
    counted = ((goods, consumables(unit, goods)) for goods in SPECIFIC if goods in places) if places else ()
    return [(goods, Fraction(count)) for goods, count in counted if count]


def consumables(unit: Unit, goods: Goods) -> int:
    """How many of one consumable are aboard, in any place."""
    return in_place(unit, goods) + unit.cargo_goods.get(goods, 0)


def defects(kind: ShipClass, unit: Unit) -> Iterable[str]:
    """Defects: stores that exceed the boxes for them."""
    if cargo_used(unit) > cargo_boxes(unit):
        yield f"{unit.id} carries more than its cargo boxes hold"
    if unit.rp_repair > unit.repair:
        yield f"{unit.id} has {unit.rp_repair} repair points in {unit.repair} repair boxes"
    if unit.rp_damcon > sum(unit.damcon_track):
        yield f"{unit.id} has more repair points in its DAMCON track than that holds"
    for place in PLACES:
        used = sum(size * in_place(unit, goods) for goods, size in place.sizes.items())
        if used > place.spaces(kind):
            yield f"{unit.id} has {used} spaces' worth in {place.spaces(kind)} spaces of its {place.label}"
    for goods in (Goods.SUPPLY, Goods.FUEL, Goods.REPAIR):
        if goods in unit.stores or goods in unit.cargo_goods:
            yield f"{unit.id} keeps {goods.value} among its consumables"


SUICIDE_TAG = "suicide "
"""A suicide freighter's tag, followed by its loaded boxes: the strength of its explosion."""


@rule("C.suicide-freighter")
def loaded_boxes(unit: Unit) -> int:
    """Cargo boxes full of explosives; 0 for a freighter in its usual configuration. PQ-17 C.suicide-freighter."""
    return next((int(tag.removeprefix(SUICIDE_TAG)) for tag in unit.tags if tag.startswith(SUICIDE_TAG)), 0)
