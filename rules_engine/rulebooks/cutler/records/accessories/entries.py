"""Accessories in the files of a scenario: what its units begin with."""

from collections.abc import Mapping

from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.accessories.catalogue import (
    ACE,
    LEGENDS,
    MINES,
    PEOPLE,
    STANDARD,
    WBP,
    Accessory,
    Lot,
)
from rules_engine.rulebooks.cutler.records.accessories.holds import load_defects
from rules_engine.rulebooks.cutler.records.state import Unit


def loaded(unit: Unit, items: Mapping[str, Accessory], holds: Mapping[str, int], stowed: Mapping[str, int]) -> Unit:
    """A new unit with these in its own and in its cargo boxes; what its class comes with stays, unless named anew."""
    for lots, counts in ((unit.holds, holds), (unit.stowed, stowed)):
        for key, count in counts.items():
            lots.pop(key, None)
            if count > 0:
                lots[key] = Lot(item=items[key], count=count)
    return unit


@rule("4.2.4.5", "4.2.4.7", "4.2.4.8")
def catalogue_defects(items: Mapping[str, Accessory], path: str) -> list[Refusal]:
    """Mines, and packs with which fighters fly, of which there is one kind each, under another key or for something
    else; and persons who are not what they should be. 4.2.4.5, 4.2.4.7, 4.2.4.8"""
    refusals: list[Refusal] = []
    for key, item in items.items():
        if (item.kind == "mines") != (key == MINES):
            text = f"mines have the key {MINES!r}, and nothing else has"
            refusals.append(malformed(text, f"{path}.{key}", legal=f"{MINES!r} with kind 'mines'"))
        if key == WBP and item.kind != "pack":
            refusals.append(malformed(f"{WBP!r} is a kind of booster pack", f"{path}.{key}", legal="kind 'pack'"))
    return refusals + _legend_defects(items, path)


@rule("4.2.4.8")
def _legend_defects(items: Mapping[str, Accessory], path: str) -> list[Refusal]:
    """Officers without an office, pilots of whom there is another kind than the ace, and fighters with a pilot that is
    not as usual that do not say what they fly. 4.2.4.8"""
    refusals: list[Refusal] = []
    for key, item in items.items():
        if (item.kind == "pilot") != (key == ACE):
            text = f"an ace has the key {ACE!r}, and nothing else has"
            refusals.append(malformed(text, f"{path}.{key}", legal=f"{ACE!r} with kind 'pilot'"))
        if (item.kind == "officer") != (item.officer is not None):
            text = "an officer, and nothing else, has an office"
            refusals.append(malformed(text, f"{path}.{key}.officer", legal="one of a unit's officers"))
        flown = items.get(item.flies, STANDARD.get(item.flies))
        if (item.pilot != "normal") != (flown is not None and flown.kind == item.kind == "fighter"):
            text = "a fighter whose pilot is not as usual, and nothing else, flies another fighter of the catalogue"
            refusals.append(malformed(text, f"{path}.{key}.flies", legal="the key of a fighter"))
    return refusals


def loading_defects(
    unit: Unit, items: Mapping[str, Accessory], counts: tuple[Mapping[str, int], Mapping[str, int]], path: str
) -> list[Refusal]:
    """What a new unit cannot hold of them."""
    refusals: list[Refusal] = []
    for word, named in zip(("holds", "stowed"), counts, strict=True):
        for key, count in named.items():
            if key not in items:
                refusals.append(malformed(f"no accessory {key!r}", f"{path}.{word}", nearest=nearest(key, items)))
            elif items[key].kind in PEOPLE | LEGENDS:
                text = f"{items[key].name} is in nobody's boxes"
                legal = "boarding_parties and officers of the unit, fighters with aces; its crew is that of its class"
                refusals.append(malformed(text, f"{path}.{word}.{key}", legal=legal))
            elif count < 0:
                refusals.append(malformed("a number below nothing", f"{path}.{word}.{key}", legal="0 and more"))
    if refusals:
        return refusals
    loaded(unit, items, *counts)
    refusals += [illegal(text, law, f"{path}.holds", legal=legal) for text, law, legal in load_defects(unit)]
    if unit.cargo_boxes < 0:
        text = f"{unit.name} has {unit.record.cargo} cargo boxes"
        refusals.append(illegal(text, "4.2.4.1.2", f"{path}.stowed", legal="less"))
    return refusals
