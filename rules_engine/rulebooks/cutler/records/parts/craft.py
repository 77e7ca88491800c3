"""Fighters outside their carriers: squadrons that fight as units of their own while a hex is fought over. 2.9, 3.3.2"""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight, Unit

FIGHTERS = UnitClass.model_validate(
    {
        "class_id": "fighters",
        "name": "Fighters",
        "empire": "any",
        "source": "2.9",
        "hull_type": "other",
        "kind": "fighters",
        "size_class": 6,
        "move_cost": 0,
    }
)
ABOARD = "/fighters"
"""What follows a carrier's id in the key of the fighters aboard it."""


def squadron(key: str, race: Side, name: str, hex_id: HexId, fighters: int, *, origin: HexId = "") -> Unit:
    """Fighters with a set of warp booster packs each; of a sortie ``origin`` is the hex from which they came."""
    return Unit(
        id=key,
        race=race,
        name=name,
        record=FIGHTERS,
        warp_ok=0,
        impulse_ok=0,
        fighters=fighters,
        booster_sets=fighters,
        hex=hex_id,
        entered_from=origin,
    )


@rule("2.9.5")
def with_boosters(carrier: Unit) -> int:
    """How many of the fighters aboard have a set of warp booster packs. 2.9.5"""
    return min(carrier.fighters, carrier.booster_sets)


@rule("3.3.2", "3.7.5")
def ready_fighters(carriers: list[Unit]) -> list[Unit]:
    """The fighters with boosters aboard each of these, as the squadron that each would send. 3.3.2, 3.7.5, CU-R53"""
    return [
        squadron(unit.id + ABOARD, unit.race, f"Fighters of {unit.name}", unit.hex, with_boosters(unit))
        for unit in carriers
        if unit.kind != "fighters" and with_boosters(unit)
    ]


def take_off(carrier: Unit, fighters: int) -> None:
    """So many fighters leave their carrier, each with a set of booster packs."""
    carrier.fighters -= fighters
    carrier.booster_sets -= fighters


@rule("2.9.6.1", "4.2.4.3")
def free_boxes(unit: Unit) -> int:
    """The fighter boxes of a unit that are empty; no fighter lands in a shuttle box. 2.9.6.1, 4.2.4.3, CU-N93"""
    return max(0, unit.record.fighters - unit.fighters)


@rule("2.9.6.1")
def land(carriers: list[Unit], fighters: int, boosters: int) -> tuple[int, int]:
    """Put fighters into the free boxes of these units, in the order of their ids, those with boosters first; how many
    find no box, and how many of those have boosters. 2.9.6.1"""
    for unit in sorted(carriers, key=lambda one: one.id):
        landing = min(fighters, free_boxes(unit))
        packs = min(landing, boosters)
        unit.fighters += landing
        unit.booster_sets += packs
        fighters, boosters = fighters - landing, boosters - packs
    return fighters, boosters


@rule("3.3.2")
def take_back(state: CutlerState, hex_id: HexId, fight: Fight) -> dict[Side, int]:
    """Fighters that were sent after escaping ships land again, on their carrier or another unit of their race in the
    hex; how many of each race find no box. 3.3.2, CU-N93"""
    lost: dict[Side, int] = {}
    for key in sorted(fight.craft):
        craft = fight.craft[key]
        if craft.entered_from or craft.destroyed:
            continue
        friends = state.units_in(hex_id, craft.race)
        own = [unit for unit in friends if unit.id == key.removesuffix(ABOARD)]
        left, _ = land(friends, *land(own, craft.fighters, craft.booster_sets))
        if left:
            lost[craft.race] = lost.get(craft.race, 0) + left
    return lost
