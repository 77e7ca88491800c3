"""Chapter 4.2.4: the lines of a turn's sheet on which accessories are bought and moved."""

from rules_engine.core.basics.base import Side
from rules_engine.core.forms.forms import Choice, Field, Line, number_field
from rules_engine.rulebooks.cutler.ch04_accessories.orders import LINES, MOST_AT_ONCE, makes, places_of_units
from rules_engine.rulebooks.cutler.records.accessories.catalogue import ACE, LEGENDS, Accessory
from rules_engine.rulebooks.cutler.records.accessories.flown import aces_in
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit


def accessory_lines(state: CutlerState, race: Side) -> list[Line]:
    """The lines on which accessories are bought and moved, if a race has a base that makes any."""
    units = state.alive(race)
    bases = [unit for unit in units if unit.kind == "base"]
    sold = {
        key: item
        for key, item in state.accessories.items()
        if item.price is not None and item.empire in ("any", race) and any(makes(base, item) for base in bases)
        if item.kind not in LEGENDS
    }
    yards = {base.hex for base in bases if any(makes(base, item) for item in sold.values())}
    legends = {unit.hex: unit for unit in units if _legends(state, unit)}
    places = {
        key: found
        for key, found in places_of_units(state, race).items()
        if found[0].hex in legends or (found[1] != "hull" and (found[0].hex in yards or _has_any(found[0])))
    }
    if not places or not (sold or legends):
        return []
    aboard = {key: lot.item for unit in units for key, lot in (unit.holds | unit.stowed).items()}
    aboard |= {key: item for unit in units for key, item in _legends(state, unit).items()}
    items = tuple(Choice(key, item.name, _price(item)) for key, item in sorted((aboard | sold).items()))
    boxes = tuple(
        Choice(value, f"{_IN[boxes]}{unit.title}, {unit.hex}"[:80]) for value, (unit, boxes) in places.items()
    )
    fields = (
        Field("item", "Accessory", "one", items, optional=True),
        number_field("count", "How many", range(1, MOST_AT_ONCE + 1), None, "blank: one", optional=True),
        Field("to", "Into", "one", boxes, optional=True),
        Field("origin", "From", "one", boxes, optional=True, help="blank: bought at a base in that hex"),
        number_field("turned_in", "Factory drones turned in", range(MOST_AT_ONCE + 1), None, "credited", optional=True),
    )
    note = "Bought through repair boxes that docks leave free, or moved within a hex"
    return [
        Line(f"A{n}", f"Accessory order {n}", fields, note, "Accessories", "accessories") for n in range(1, LINES + 1)
    ]


_IN = {"own": "", "cargo": "Cargo boxes of ", "hull": "Hull boxes of "}


def _legends(state: CutlerState, unit: Unit) -> dict[str, Accessory]:
    """The officers and aces aboard, by their keys in the catalogue."""
    found = {key: lot.item for key, lot in unit.passengers.items()}
    found |= {key: item for key, item in state.accessories.items() if item.officer in unit.officers}
    return found | ({ACE: state.accessories[ACE]} if aces_in(unit.holds) and ACE in state.accessories else {})


def _has_any(unit: Unit) -> bool:
    return bool(unit.holds or unit.stowed)


def _price(item: Accessory) -> str:
    if item.price is None or item.kind in LEGENDS:
        return "not sold by itself"
    each = "a CPV worth" if item.kind == "mines" else "each"
    invented = ", invented" if item.source == "invented" else ""
    return f"{float(item.price):g} CPV {each}, {item.a_box} in a cargo box{invented}"
