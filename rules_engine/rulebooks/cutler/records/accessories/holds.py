"""Chapter 4.2.4: what units may hold of accessories, and in which boxes."""

from rules_engine.core.basics.counted import counted, with_article
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.accessories.catalogue import (
    ACE,
    PEOPLE,
    PILOTS,
    QUALITIES,
    SHUTTLES,
    STANDARD,
    Accessory,
    AccessoryKind,
    Boxes,
    Lot,
    Lots,
    complement,
    lose_boxes,
)
from rules_engine.rulebooks.cutler.records.accessories.flown import aces_in
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.parts.troops import plus
from rules_engine.rulebooks.cutler.records.state import Unit
from rules_engine.rulebooks.cutler.records.tables import HullFamily

Reason = tuple[str, str, str]
"""A problem, its rule, and what would be legal."""

MRS_HULLS: frozenset[HullFamily] = frozenset({"CC", "BCH", "DN", "SCS", "CVA"})
"""Hulls whose ships may carry an MRS; a B10 counts as a DN, an SSCS as an SCS. 4.2.4.4, CU-N22"""


def put(lots: Lots, key: str, item: Accessory, count: int) -> None:
    """Add so many, or take them away where the number is negative."""
    left = count + (lots[key].count if key in lots else 0)
    lots.pop(key, None)
    if left > 0:
        lots[key] = Lot(item=item, count=left)


@rule("4.2.4.8")
def add(unit: Unit, key: str, item: Accessory, count: int, *, boxes: Boxes) -> None:
    """Put so many into a unit's own or cargo boxes, or take them away. Crews of two qualities that are mixed are as the
    lower one, for good. 4.2.4.8"""
    if item.kind == "party":
        unit.boarding_parties += count
        if item.squad is not None:
            unit.squads = plus(unit.squads, {item.squad: 1}, count)
    elif item.kind == "crew":
        unit.crew_units += count
        if count > 0 and item.quality is not None:
            lowest = max(QUALITIES.index(unit.crew_quality), QUALITIES.index(item.quality))
            unit.crew_quality = QUALITIES[lowest]
    else:
        put(unit.stowed if boxes == "cargo" else unit.holds, key, item, count)


def there(unit: Unit, key: str, item: Accessory, *, boxes: Boxes) -> int:
    """How many it has there."""
    if item.squad is not None:
        return unit.squads.get(item.squad, 0)
    if item.kind in PEOPLE:
        return unit.boarding_parties - sum(unit.squads.values()) if item.kind == "party" else unit.crew_units
    lots = unit.stowed if boxes == "cargo" else unit.holds
    return lots[key].count if key in lots else 0


def most_people(complement_of_class: int) -> int:
    """The most boarding parties, or crew units, that a unit may have: a quarter more than its complement. 4.2.4.8"""
    return 5 * complement_of_class // 4


def held(unit: Unit, *kinds: AccessoryKind) -> int:
    """How many of these kinds it holds in its own boxes."""
    return sum(lot.count for lot in unit.holds.values() if lot.item.kind in kinds)


@rule("4.2.4.2.1")
def shuttles_aboard(unit: Unit) -> int:
    """The shuttles in its boxes; fighters do not count. 4.2.4.2.1"""
    return held(unit, *sorted(SHUTTLES))


@rule("4.2.4.2.1")
def lacks_shuttle(unit: Unit) -> bool:
    """Whether it has lost all shuttles for which it has boxes. 4.2.4.2.1"""
    return most_shuttles(unit.record) > 0 and not shuttles_aboard(unit)


@rule("4.2.4.2.2")
def most_shuttles(record: UnitClass) -> int:
    """The shuttles for which a unit of the class has boxes, those of fighters among them where that is noted.
    4.2.4.2.2"""
    return record.shuttle_room + (record.fighters if "shuttle_in_fighter_box" in record.noted else 0)


@rule("4.2.4.3")
def unarmed_fighters(unit: Unit) -> int:
    """Fighters aboard beyond its reload boxes, which nothing but its class gives: they cannot fire heavy weapons.
    4.2.4.3"""
    boxes = unit.record.reload_boxes
    return max(0, held(unit, "fighter") - (unit.record.fighters if boxes is None else boxes))


@rule("4.2.4.5")
def mines_of_shuttles(unit: Unit) -> int:
    """The CPV worth of mines that its minelaying and multi-role shuttles carry. 4.2.4.5"""
    return sum(lot.item.mines * lot.count for lot in unit.holds.values())


@rule("4.2.4.5")
def mine_room(unit: Unit) -> int:
    """The CPV worth of mines for which it has room: in its mine boxes and on its shuttles. 4.2.4.5"""
    return unit.record.mine_room + mines_of_shuttles(unit)


@rule("4.2.4.5.1", "5.1.2")
def layable(unit: Unit) -> int:
    """The CPV worth of mines that it may lay outside combat: a minesweeper those in its boxes, anybody those on
    minelaying and multi-role shuttles, a prize none. 4.2.4.5.1, 5.1.2"""
    if unit.captured_from:
        return 0
    boxes = unit.record.mine_room if "minesweeper" in unit.record.marks else 0
    return min(held(unit, "mines"), boxes + mines_of_shuttles(unit))


@rule("4.2.4.4")
def most_mrs(record: UnitClass) -> int:
    """How many MRS a unit of the class may carry: bases as many as fit, ships one or none. 4.2.4.4"""
    if record.kind == "base":
        return record.shuttles
    able = record.hull_type in MRS_HULLS or "carrier" in record.marks or "mrs" in record.noted
    return 2 if "two_mrs" in record.noted else int(able)


def load_defects(unit: Unit) -> list[Reason]:
    """What its own boxes may not hold. 4.2.4"""
    reasons = [
        _too_many_mines(unit),
        *_too_many_people(unit),
        *_too_many_drones(unit),
        *_too_many_craft(unit),
        *_not_for_its_class(unit),
    ]
    return [reason for reason in reasons if reason]


@rule("4.2.4.5")
def _too_many_mines(unit: Unit) -> Reason | None:
    """Mines beyond its mine boxes and shuttles. 4.2.4.5"""
    most = mine_room(unit)
    if held(unit, "mines") <= most:
        return None
    return f"{unit.name} has room for {most} CPV of mines", "4.2.4.5", f"at most {most}, or cargo boxes"


@rule("4.2.4.8")
def _too_many_people(unit: Unit) -> list[Reason]:
    """Boarding parties, or crew units, beyond a quarter more than its complement. 4.2.4.8"""
    found: list[Reason] = []
    record = unit.record
    for has, whole, word in (
        (unit.boarding_parties, record.boarding_parties, "boarding parties"),
        (unit.crew_units, record.crew_units, "crew units"),
    ):
        if has > (most := most_people(whole)):
            found.append((f"{unit.name} has room for {most} {word}", "4.2.4.8", f"at most {most}"))
    return found


@rule("4.2.4.1.2", "4.2.4.1.3")
def _too_many_drones(unit: Unit) -> list[Reason]:
    """Drones beyond its racks and reloads, or special ones beyond its race's maximum. What lies inert in cargo boxes
    does not count. 4.2.4.1.2, 4.2.4.1.3"""
    found: list[Reason] = []
    racks, most = unit.record.drones, unit.record.special_drones
    if held(unit, "drone") > racks:
        text = f"{unit.name} has room for {racks} drones in racks and reloads"
        found.append((text, "4.2.4.1.2", f"at most {racks}, or cargo boxes"))
    if sum(lot.count for lot in unit.holds.values() if lot.item.special) > most:
        found.append((f"{unit.name} may have {most} special drones", "4.2.4.1.3", f"at most {most}, or cargo boxes"))
    return found


@rule("4.2.4.2.2", "4.2.4.3")
def _too_many_craft(unit: Unit) -> list[Reason]:
    """Shuttles beyond its boxes for them, and fighters beyond theirs; the boxes of the other kind help out only where
    that is noted. A ground combat vehicle takes the box of a shuttle. 4.2.4.2.2, 4.2.4.3, CU-N125"""
    record, fighters = unit.record, held(unit, "fighter")
    shuttles = shuttles_aboard(unit) + held(unit, "vehicle")
    more, beyond = max(0, shuttles - record.shuttle_room), max(0, fighters - record.fighters)
    spare_fighter = max(0, record.fighters - fighters) if "shuttle_in_fighter_box" in record.noted else 0
    spare_shuttle = max(0, record.shuttles - shuttles) if "fighter_in_shuttle_box" in record.noted else 0
    found: list[Reason] = []
    if more > spare_fighter:
        room = record.shuttle_room + spare_fighter
        text = f"{unit.name} has room for {room} shuttles and vehicles; boxes of fighters and with ready racks are none"
        found.append((text, "4.2.4.2.2", f"at most {room}, or cargo boxes"))
    if beyond > spare_shuttle:
        room = record.fighters + spare_shuttle
        text = f"{unit.name} has room for {room} fighters; shuttle boxes are none"
        found.append((text, "4.2.4.3", f"at most {room}, or cargo boxes"))
    return found


@rule("4.2.4.4", "4.2.4.6")
def _not_for_its_class(unit: Unit) -> list[Reason]:
    """An MRS, or more than one, and a SWAC, on ships that do not carry them. 4.2.4.4, 4.2.4.6"""
    found: list[Reason] = []
    most = most_mrs(unit.record)
    if held(unit, "mrs") > most:
        text = f"{with_article(unit.record.name)} carries {most or 'no'} MRS"
        found.append((text, "4.2.4.4", f"at most {most}, or cargo boxes"))
    if held(unit, "swac") and "swac" not in unit.record.noted:
        text = f"{with_article(unit.record.name)} carries no SWAC"
        found.append((text, "4.2.4.6", "a ship noted for it, or cargo boxes"))
    return found


def aboard(unit: Unit) -> list[str]:
    """What it carries, in words: in its own boxes, then inert in cargo boxes."""
    own = [counted(unit.crew_units, "crew unit")] if unit.crew_units else []
    own += [unit.holds[key].text for key in sorted(unit.holds)]
    own += [f"{unarmed} of the fighters without heavy weapons"] if (unarmed := unarmed_fighters(unit)) else []
    own += [f"{unit.stowed[key].text} in cargo boxes" for key in sorted(unit.stowed)]
    return own + [f"{unit.passengers[key].text} in hull boxes" for key in sorted(unit.passengers)]


@rule("4.2.3", "4.2.4.2", "4.2.4.8")
def refitted(unit: Unit, before: UnitClass) -> None:
    """What a unit holds after it was made into one of another class: shuttles and drones are added for room that is
    new, and what has no room any more is left behind, but aces without fighters stay aboard. 4.2.3, 4.2.4.2, 4.2.4.8,
    CU-N65, CU-N123"""
    fresh = {
        "drone": max(0, unit.record.drones - before.drones),
        "shuttle": max(0, unit.record.shuttle_room - before.shuttle_room),
    }
    for key, lot in complement(unit.record).items():
        put(unit.holds, key, lot.item, fresh[lot.item.kind])
    unit.crew_units = min(unit.crew_units, most_people(unit.record.crew_units))
    unit.lose_parties(max(0, unit.boarding_parties - most_people(unit.record.boarding_parties)))
    aces = aces_in(unit.holds)
    lots, unit.holds = unit.holds, Lots()
    for key in sorted(lots, key=lambda one: (lots[one].item.kind == "mines", -PILOTS.index(lots[one].item.pilot), one)):
        _keep(unit, key, lots[key])
    put(unit.passengers, ACE, STANDARD[ACE], aces - aces_in(unit.holds))
    unit.lays = unit.lays if layable(unit) else None
    lose_boxes(unit.stowed, -unit.cargo_boxes)


def _keep(unit: Unit, key: str, lot: Lot) -> None:
    """Keep as much of a lot as there is room for beside what was kept before."""
    fewest = len(load_defects(unit))
    for count in range(lot.count, 0, -1):
        unit.holds[key] = Lot(item=lot.item, count=count)
        if len(load_defects(unit)) == fewest:
            return
        del unit.holds[key]
