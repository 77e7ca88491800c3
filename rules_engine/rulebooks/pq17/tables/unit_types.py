"""Table 8: what kinds of units there are, and the category whose points pay for each.

The rules take a unit's type from its printed record, so it is read off the class alone. PQ-17 1.4, T8, C.purchase.1.
"""

from typing import Literal

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.tables.operations import WarshipCategory
from rules_engine.rulebooks.pq17.tables.order_of_battle import PoolCategory
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass

UnitType = Literal["warship", "tug", "pod", "auxiliary", "shuttle", "base", "other", "civilian"]
"""The groups of Table 8; ``civilian`` are all civilian units, of whatever kind."""

BY_SIZE: tuple[WarshipCategory, ...] = ("BB", "DN", "CA", "CL", "DD", "FF", "PF")
"""Warship categories, from the highest movement cost down. PQ-17 T8, ruling SCN-9."""

LOCAL_DEFENCE = "local defence"
"""The hull group of the ships that defend settled hexes. PQ-17 8.6."""
VOWELS = "aeio"
"""The first letters of words with the article "an"; chart names with a U are spoken with a consonant."""

LARGE_BASES = ("SB", "BATS", "BS")
"""Bases that nobody may buy or build. PQ-17 C.base-restrictions."""


@rule("1.4.1", "1.4.3", "T8")
def unit_type(kind: ShipClass) -> UnitType:
    """What a class is by Table 8. PQ-17 1.4.1, 1.4.3, T8."""
    if kind.service == "civilian":
        return "civilian"
    match kind.unit_kind:
        case "base" | "pod" | "shuttle":
            return kind.unit_kind
        case "module" | "minefield carrier":
            return "other"
        case _:
            if kind.is_tug:
                return "tug"
            return "warship" if kind.is_warship else "auxiliary"


@rule("8.5.5.6")
def public_name(kind: ShipClass) -> str:
    """The name by which a loss is announced, with its article: a warship's chart name, a plain word for anything
    else. PQ-17 8.5.5.6, ruling FOG-1."""
    if kind.base_type is not None or kind.unit_kind == "base":
        word = _lowered(kind.msc_table) if kind.service == "military" else "civilian base"
    elif kind.is_freighter:
        word = "freighter"
    elif kind.unit_kind in ("pod", "module", "shuttle"):
        word = kind.unit_kind
    elif kind.service == "civilian":
        word = "civilian ship"
    elif kind.hull_group == LOCAL_DEFENCE:
        word = f"{kind.empire} {LOCAL_DEFENCE} ship".strip()
    else:
        word = kind.msc_table
    return f"{'an' if word[:1].casefold() in VOWELS else 'a'} {word}"


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


@rule("T8", "C.purchase.1b", "C.purchase.1d", "C.purchase.1f", "1.4.2", "1.4.3")
def size_category(kind: ShipClass) -> WarshipCategory:
    """The warship category of a class's movement cost, for any class: tugs without pods, pods as towed.

    PQ-17 T8, C.purchase.1b, C.purchase.1d, C.purchase.1f."""
    listed = kind.table8_category
    return listed if listed in BY_SIZE else kind.category_by_cost


@rule(
    "C.purchase.1a",
    "C.purchase.1b",
    "C.purchase.1c",
    "C.purchase.1d",
    "C.purchase.1e",
    "C.purchase.1f",
    "C.purchase.1g",
    "C.purchase.2",
)
def payers(kind: ShipClass) -> tuple[PoolCategory, ...]:
    """The categories whose points may buy a class, the nearest first.

    PQ-17 C.purchase.1, C.purchase.1a to C.purchase.1g, C.purchase.2, ruling SCN-9."""
    match unit_type(kind):
        case "warship" | "auxiliary":
            return _at_or_above(size_category(kind))
        case "tug":
            return ("TUG", *_at_or_above(size_category(kind)))
        case "pod":
            return ("POD", "TUG", *_at_or_above(size_category(kind)))
        case "civilian" if kind.unit_kind in ("ship", "minefield carrier") and kind.cargo:
            return ("CIV", *_at_or_above("FF"))
        case _:
            return _at_or_above("FF")


def _at_or_above(category: WarshipCategory) -> tuple[WarshipCategory, ...]:
    return tuple(reversed(BY_SIZE[: BY_SIZE.index(category) + 1]))
