"""Fighters and their warp booster packs among what is carried: how many, and those that fly. 2.9, 4.2.4.3, 4.2.4.7"""

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.accessories.catalogue import PILOTS, WBP, Lot, Lots


def fighters_in(lots: Lots) -> int:
    """The fighters of all types in these."""
    return sum(lot.count for lot in lots.values() if lot.item.kind == "fighter")


def boosters_in(lots: Lots) -> int:
    """The sets of warp booster packs in these."""
    return lots[WBP].count if WBP in lots else 0


@rule("4.2.4.8")
def flown(lots: Lots, fighters: int, boosters: int) -> Lots:
    """So many of these fighters, those with poor pilots first and legendary aces last, type after type, and so many
    sets of booster packs, as far as there are. 4.2.4.8, CU-N121"""
    part: Lots = {}
    for key in sorted(lots, key=lambda one: (PILOTS.index(lots[one].item.pilot), one)):
        lot = lots[key]
        left = fighters - fighters_in(part) if lot.item.kind == "fighter" else boosters if key == WBP else 0
        if (count := min(left, lot.count)) > 0:
            part[key] = Lot(item=lot.item, count=count)
    return part


@rule("2.9.6.2", "4.2.4.8")
def aces_in(lots: Lots) -> int:
    """How many of these fighters have a legendary ace. 2.9.6.2, 4.2.4.8"""
    return sum(lot.count for lot in lots.values() if lot.item.kind == "fighter" and lot.item.pilot == "ace")


def without(lots: Lots, part: Lots) -> Lots:
    """These without a part of them."""
    left = {key: (lot, lot.count - (part[key].count if key in part else 0)) for key, lot in lots.items()}
    return {key: Lot(item=lot.item, count=count) for key, (lot, count) in left.items() if count > 0}


def together(lots: Lots, more: Lots) -> Lots:
    """These and more."""
    found = dict(lots)
    for key, lot in more.items():
        found[key] = Lot(item=lot.item, count=lot.count + (found[key].count if key in found else 0))
    return found
