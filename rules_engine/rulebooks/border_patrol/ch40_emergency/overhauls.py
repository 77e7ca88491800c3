"""Chapter V8.45: overhauls, by which a unit may use Emergency Movement anew."""

from typing import Literal

from rules_engine.core.basics.base import HexId, Owner
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.records.units import Unit

PlaceKind = Literal["SB", "MB", "BS", "BATS", "FRD", "system", "other"]


class OverhaulPlace(Record):
    """A base or a star system where engines might be overhauled. ``original_of`` is the Team that a system belonged to
    from the first, ``held_last_turn_by`` who held it in the turn before; ``busy`` is that it builds, refits or repairs
    already in this turn."""

    id: str
    name: str
    kind: PlaceKind
    hex: HexId
    team: Owner = ""
    original_of: Owner = ""
    held_last_turn_by: Owner = ""
    bombarded: bool = False
    busy: bool = False


@rule("V8.45")
def judge_overhaul(unit: Unit, place: OverhaulPlace, path: str = "") -> list[Refusal]:
    """Refusals of an overhaul of a unit's engines in a turn: it takes an own base, or an own original system that was
    held last turn and not bombarded, in the unit's hex and free for it. V8.45, BP-R37"""
    refusals: list[Refusal] = []

    def refuse(text: str, legal: str) -> None:
        refusals.append(illegal(text, "V8.45, BP-R37", path, legal=legal))

    if place.hex != unit.hex:
        refuse(f"{unit.name} is not at {place.name}", "a place in its hex")
    if place.kind == "other":
        refuse(f"{place.name} overhauls no engines", "a SB, MB, BS, BATS or FRD, or an own star system")
    elif place.kind == "system":
        if place.original_of != unit.team or place.held_last_turn_by != unit.team:
            refuse(f"{place.name} was not its Team's from the first and last turn", "an original system held last turn")
        if place.bombarded:
            refuse(f"{place.name} was bombarded", "a system that was not")
    elif place.team != unit.team:
        refuse(f"{place.name} belongs to others", "an own base")
    if place.busy and not refusals:  # of others' places nothing is told
        refuse(f"{place.name} has other work in this turn", "one work a turn")
    if unit.towed_by or unit.towing:
        refuse(f"{unit.name} tows or is in tow", "a whole turn without moving")
    return refusals


@rule("V8.45")
def begin_overhaul(unit: Unit, place: OverhaulPlace) -> None:
    """Begin a judged overhaul: neither the unit nor the place does anything else in this turn. V8.45"""
    unit.overhaul_at, place.busy = place.id, True


@rule("V8.45")
def break_off(unit: Unit) -> None:
    """Note that the place of a unit's overhaul was attacked while the unit was there: it will not be finished, wherever
    the unit is at the end. V8.45, BP-R62"""
    unit.overhaul_broken = bool(unit.overhaul_at)


@rule("V8.45", "V8.47")
def finish_overhaul(unit: Unit) -> bool:
    """End a turn's overhaul and say whether it is done: the whole allotment is there again, and no failed attempt bars
    it. It is not if it was broken off, nor of a unit that had none. V8.45, V8.47, BP-R37, BP-R62"""
    if not unit.overhaul_at:
        return False
    broken = unit.overhaul_broken
    unit.overhaul_at, unit.overhaul_broken = "", False
    if broken:
        return False
    unit.emergency_used, unit.emergency_barred = 0, False
    unit.overhauls += 1
    return True
