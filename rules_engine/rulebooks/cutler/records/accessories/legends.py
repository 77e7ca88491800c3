"""Chapter 4.2.4.8: legendary officers and aces aboard: those who serve, and those who are only transported."""

from collections.abc import Mapping, Sequence

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.accessories.catalogue import ACE, Accessory, Boxes, Lot, Lots
from rules_engine.rulebooks.cutler.records.accessories.flown import aces_in, together
from rules_engine.rulebooks.cutler.records.accessories.holds import Reason, put
from rules_engine.rulebooks.cutler.records.conditions.officers import Officer
from rules_engine.rulebooks.cutler.records.state import Unit

NO_HULL = frozenset({"pf", "fighters", "ground_base"})
"""Kinds of units in which nobody is transported: they are no ships, nor bases in space. CU-N122"""


@rule("4.2.4.8")
def transports(unit: Unit) -> bool:
    """Whether officers and pilots can be transported in its hull boxes. 4.2.4.8, CU-N122"""
    return unit.kind not in NO_HULL


@rule("4.2.4.8")
def legends_there(unit: Unit, key: str, item: Accessory, boxes: Boxes) -> int:
    """How many of these it has aboard: at their service, or transported. 4.2.4.8"""
    if boxes == "hull":
        return unit.passengers[key].count if key in unit.passengers else 0
    return aces_in(unit.holds) if item.kind == "pilot" else int(item.officer in unit.officers)


@rule("4.2.4.8")
def board(unit: Unit, key: str, item: Accessory, count: int, *, boxes: Boxes, items: Mapping[str, Accessory]) -> None:
    """Put so many aboard, or take them off where the number is negative. Who is transported has no effect; an officer
    serves, and an ace flies a fighter that had an ordinary pilot, or leaves it to one. 4.2.4.8, CU-N122"""
    if boxes == "hull":
        put(unit.passengers, key, item, count)
    elif item.officer is not None:
        others: tuple[Officer, ...] = tuple(one for one in unit.officers if one != item.officer)
        unit.officers = (*others, item.officer) if count > 0 else others
    elif count > 0:
        _man(unit.holds, items, count)
    else:
        _leave(unit.holds, items, -count)


@rule("4.2.4.8")
def why_not_serving(unit: Unit, item: Accessory, count: int, items: Mapping[str, Accessory]) -> Reason | None:
    """Why so many officers or aces cannot serve on a unit: it is a prize, has one of the kind, or no fighters for them.
    4.2.4.8, CU-N122"""
    if item.officer is None:
        room = sum(unit.holds[key].count for key in _ordinary(unit.holds, items))
        text = f"{unit.name} has {room} fighters with ordinary pilots, for which there are aces"
        return (text, "4.2.4.8, CU-N122", f"at most {room}, or its hull boxes") if count > room else None
    if unit.kind in NO_HULL:
        return f"{unit.name} has no room for officers", "4.2.4.8, CU-N122", "a ship or a base"
    if unit.captured_from:
        return f"{unit.name} is a prize", "4.2.4.8, CU-N72", "its hull boxes"
    if item.officer in unit.officers or count > 1:
        return f"{unit.name} has room for one of them", "4.2.4.8, CU-N122", "its hull boxes"
    return None


@rule("4.2.4.8")
def disembark(unit: Unit, others: Sequence[Unit], items: Mapping[str, Accessory]) -> None:
    """Take officers and aces off a unit that is melted down or scrapped, into the hull boxes of one of the others;
    bases come first. Where there is none, they are lost with it. 4.2.4.8, CU-N127"""
    able = [one for one in others if one is not unit and transports(one)]
    haven = min(able, key=lambda one: (not one.is_station, one.id), default=None)
    if haven is None:
        return
    officers = [key for key, item in items.items() if item.officer in unit.officers]
    for key in officers:
        put(haven.passengers, key, items[key], 1)
    for lots in (unit.passengers, without_fighters(unit.holds, items)):
        haven.passengers = together(haven.passengers, lots)
    unit.officers, unit.passengers = (), Lots()


def with_ace(items: Mapping[str, Accessory], key: str) -> str:
    """The fighter of that key with an ace, by its key; "" where there is none."""
    found = [one for one, item in items.items() if item.pilot == "ace" and item.flies == key]
    return min(found, default="")


def _ordinary(lots: Lots, items: Mapping[str, Accessory]) -> list[str]:
    """The fighters that an ace may take over: those with ordinary pilots of which the catalogue has one with an ace."""
    fighters = [key for key, lot in lots.items() if lot.item.kind == "fighter" and lot.item.pilot == "normal"]
    return sorted(key for key in fighters if with_ace(items, key))


def _man(lots: Lots, items: Mapping[str, Accessory], aces: int) -> None:
    """Give aces the fighters of ordinary pilots."""
    for key in _ordinary(lots, items):
        part, better = min(aces, lots[key].count), with_ace(items, key)
        aces -= part
        put(lots, key, lots[key].item, -part)
        put(lots, better, items[better], part)


def _leave(lots: Lots, items: Mapping[str, Accessory], aces: int) -> None:
    """Take aces off their fighters, which get ordinary pilots."""
    flying = sorted(key for key, lot in lots.items() if lot.item.kind == "fighter" and lot.item.pilot == "ace")
    for key in flying:
        part, plain = min(aces, lots[key].count), lots[key].item.flies
        aces -= part
        put(lots, key, lots[key].item, -part)
        if plain in items:
            put(lots, plain, items[plain], part)


@rule("2.9.6.2", "4.2.4.8")
def without_fighters(lots: Lots, items: Mapping[str, Accessory]) -> Lots:
    """The aces of fighters that are lost, who survive. 2.9.6.2, 4.2.4.8"""
    aces = aces_in(lots)
    return {ACE: Lot(item=items[ACE], count=aces)} if aces and ACE in items else {}
