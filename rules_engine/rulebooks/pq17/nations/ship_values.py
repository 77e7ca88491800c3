"""How the campaign scores ships destroyed, crippled and captured: multiples of value, and lines of its table.

PQ-17 C.vp.1 to C.vp.6, C.vp.13.

They replace Table 5's where the scenario says so (2.2, ruling TAB-1).
"""

from fractions import Fraction
from typing import Literal

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.nations.homes import FEDERATION, KLINGON
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import CampaignLine
from rules_engine.rulebooks.pq17.tables.order_of_battle import OrderOfBattle
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass

Loss = Literal["destroyed", "destroyed crippled", "crippled", "captured"]

LARGE, CRUISER = 2, 3
"""Size classes: 2 for dreadnoughts and similar ships, 3 for cruisers."""


@rule("2.2")
def uses_campaign_table(state: State) -> bool:
    """Whether the campaign's own victory table is in force. PQ-17 2.2, ruling TAB-1."""
    return state.settings.campaign.victory_table == "pq17"


@rule("C.vp.1", "C.vp.2", "C.vp.3", "C.vp.4", "C.vp.note1")
def class_line(campaign: OrderOfBattle, kind: ShipClass) -> tuple[CampaignLine, Fraction]:
    """The line for ships of a class in its builder's service, and the multiple of its value that is scored.

    PQ-17 C.vp.1 to C.vp.4, C.vp.note1, ruling SCN-22."""
    size = LARGE if kind.size_class == 1 and campaign.sc1_counts_as_sc2 else kind.size_class
    nation = campaign.nation_of_empire(kind.empire)
    key = "" if nation is None else nation.key
    if key == KLINGON and size == LARGE:
        return "C.vp.1", Fraction(2)
    if key == KLINGON and size == CRUISER:
        return "C.vp.2", Fraction(3, 2)
    if key == FEDERATION and size == LARGE:
        return "C.vp.3", Fraction(3, 2)
    return "C.vp.4", Fraction(1)


@rule("T5.1", "C.purchase.3")
def value_of(state: State, unit: Unit) -> Fraction:
    """A unit's economic value: its class's and its refits', bought with it or given later. PQ-17 T5.1, C.purchase.3,
    own ruling PQ-181."""
    return state.class_of(unit).bpv_economic + _refits_of(state, unit)


@rule("C.raid.note6")
def combat_value_of(state: State, unit: Unit) -> Fraction:
    """A unit's combat value: its class's and its refits'. PQ-17 C.raid.note6, own ruling PQ-181."""
    return state.class_of(unit).bpv_combat + _refits_of(state, unit)


def _refits_of(state: State, unit: Unit) -> Fraction:
    fitted = unit.repairs.refits
    return (
        sum((one.bpv for one in state.class_of(unit).refits if one.name in fitted), Fraction(0))
        if fitted
        else Fraction(0)
    )


def multiple_of(state: State, unit: Unit) -> Fraction:
    """The multiple of a unit's economic value; a prize counts as any other ship of its captor. PQ-17 ruling SCN-24."""
    if not uses_campaign_table(state) or _is_prize(unit):
        return Fraction(1)
    return class_line(state.settings.campaign, state.class_of(unit))[1]


@rule("C.vp.1", "C.vp.2", "C.vp.3", "C.vp.4", "C.vp.5", "C.vp.6", "C.vp.13", "C.vp.note3", "C.vp.note4")
def line_of(state: State, unit: Unit, event: Loss) -> CampaignLine:
    """The line of the campaign's victory table for a loss. PQ-17 C.vp.1 to C.vp.6, C.vp.13, C.vp.note3, C.vp.note4."""
    match event:
        case "destroyed":
            return "C.vp.4" if _is_prize(unit) else class_line(state.settings.campaign, state.class_of(unit))[0]
        case "destroyed crippled":
            return "C.vp.5"
        case "crippled":
            return "C.vp.6"
        case "captured":
            return "C.vp.13"


def _is_prize(unit: Unit) -> bool:
    return bool(unit.captured_from) and unit.captured_from != unit.side
