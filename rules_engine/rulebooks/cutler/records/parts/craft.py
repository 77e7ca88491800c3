"""Fighters outside their carriers: squadrons that fight as units of their own while a hex is fought over. Aboard, they
and their booster packs are among what their carrier holds. 2.9, 3.3.2, 3.5.8"""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.accessories.catalogue import Lots
from rules_engine.rulebooks.cutler.records.accessories.flown import (
    boosters_in,
    fighters_in,
    flown,
    together,
    without,
)
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
FLIGHT = "-fighters"
"""What follows it, before a number, in the key of fighters that are allocated apart from it."""


def squadron(key: str, race: Side, name: str, hex_id: HexId, holds: Lots, *, origin: HexId = "") -> Unit:
    """Fighters and booster packs outside a carrier; of a sortie ``origin`` is the hex from which they came."""
    return Unit(
        id=key,
        race=race,
        name=name,
        record=FIGHTERS,
        warp_ok=0,
        impulse_ok=0,
        holds=holds,
        hex=hex_id,
        entered_from=origin,
    )


@rule("2.9.5")
def with_boosters(carrier: Unit) -> int:
    """How many of the fighters aboard have a set of warp booster packs. 2.9.5"""
    return min(carrier.fighters, carrier.booster_sets)


@rule("3.3.2", "3.7.5")
def all_have_boosters(squad: Unit) -> bool:
    """Whether fighters outside their carrier each have booster packs. 3.3.2, 3.7.5, CU-R53"""
    return 0 < squad.fighters <= squad.booster_sets


@rule("3.3.2", "3.7.5")
def ready_fighters(carriers: list[Unit]) -> list[Unit]:
    """The fighters with boosters aboard each of these, as the squadron that each would send. 3.3.2, 3.7.5, CU-R53"""
    return [
        squadron(
            unit.id + ABOARD,
            unit.race,
            f"Fighters of {unit.name}",
            unit.hex,
            flown(unit.holds, with_boosters(unit), with_boosters(unit)),
        )
        for unit in carriers
        if unit.kind != "fighters" and with_boosters(unit)
    ]


def take_off(carrier: Unit, fighters: int) -> Lots:
    """So many fighters leave their carrier, each with a set of booster packs as long as there are some; what leaves."""
    gone = flown(carrier.holds, fighters, fighters)
    carrier.holds = without(carrier.holds, gone)
    return gone


@rule("2.9.6.1", "4.2.4.3")
def free_boxes(unit: Unit) -> int:
    """The fighter boxes of a unit that are empty; no fighter lands in a shuttle box. 2.9.6.1, 4.2.4.3, CU-N93"""
    return max(0, unit.record.fighters - unit.fighters)


@rule("2.9.6.1")
def land(carriers: list[Unit], lots: Lots) -> Lots:
    """Put fighters into the free boxes of these units, in the order of their ids, those with boosters first; what finds
    no box. 2.9.6.1"""
    for unit in sorted(carriers, key=lambda one: one.id):
        landing = min(fighters_in(lots), free_boxes(unit))
        part = flown(lots, landing, min(landing, boosters_in(lots)))
        unit.holds = together(unit.holds, part)
        lots = without(lots, part)
    return lots


@rule("3.3.2", "3.5.8")
def recover(state: CutlerState, hex_id: HexId, fight: Fight) -> None:
    """Take fighters that fought apart back aboard their own carriers, where these are still there. 3.3.2, 3.5.8"""
    for key in sorted(fight.ground.carriers):
        craft, carrier = fight.flights[key], state.units[fight.ground.carriers[key]]
        if not craft.destroyed and not carrier.destroyed and (carrier.race, carrier.hex) == (craft.race, hex_id):
            craft.holds = land([carrier], craft.holds)
        if craft.destroyed or not craft.fighters:
            del fight.flights[key], fight.ground.carriers[key]


@rule("3.3.2", "3.5.8")
def take_back(state: CutlerState, hex_id: HexId, fight: Fight) -> dict[Side, Lots]:
    """Fighters that fought apart land again, on their carrier or another unit of their race in the hex; those of each
    race that find no box. 3.3.2, 3.5.8, CU-N93, CU-N98"""
    lost: dict[Side, Lots] = {}
    recover(state, hex_id, fight)
    for key in sorted(fight.ground.carriers):
        craft = fight.flights[key]
        left = land(state.units_in(hex_id, craft.race), craft.holds)
        if fighters_in(left):
            lost[craft.race] = together(lost.get(craft.race, {}), left)
    return lost
