"""Shuttles that stay on a planet or a moon, in the boxes of ground bases, where they count for the garrison. 4.2.4.8,
5.3.3, CU-N115"""

from collections.abc import Iterable

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.accessories.holds import held, put, shuttles_aboard
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_units
from rules_engine.rulebooks.cutler.records.state import CutlerState, Planet, Unit


@rule("4.2.4.8")
def boxes_for_shuttles(state: CutlerState, body: Planet) -> int:
    """Shuttle boxes of the ground bases there. 4.2.4.8, CU-N115"""
    return sum(unit.record.shuttles for unit in ground_units(state, body))


@rule("4.2.4.8")
def keep_in_boxes(state: CutlerState, body: Planet) -> None:
    """Lose shuttles that have no box any more. 4.2.4.8, CU-N115"""
    body.shuttles = min(body.shuttles, boxes_for_shuttles(state, body))


@rule("4.2.4.2.1")
def spare_shuttles(unit: Unit) -> int:
    """The ordinary shuttles that a ship can leave, for it keeps one of all that it has. 4.2.4.2.1, CU-N70"""
    return max(0, min(held(unit, "shuttle"), shuttles_aboard(unit) - 1))


@rule("4.2.4.8", "4.2.4.2.1")
def take_spare_shuttles(ships: Iterable[Unit], count: int) -> int:
    """Take so many shuttles off the ships, as far as they have some to spare, from those with most of them first; how
    many they were. 4.2.4.8, 4.2.4.2.1"""
    taken = 0
    for unit in sorted(ships, key=lambda one: (-spare_shuttles(one), one.id)):
        most = min(spare_shuttles(unit), count - taken)
        for key in sorted(key for key, lot in unit.holds.items() if lot.item.kind == "shuttle"):
            number = min(most, unit.holds[key].count)
            put(unit.holds, key, unit.holds[key].item, -number)
            most -= number
            taken += number
    return taken
