"""Chapter 4.2.4 in battle: shuttles that are lost, mines that are dropped, and what a side needs to set it up."""

from collections.abc import Mapping
from typing import Protocol

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, number_field
from rules_engine.core.knowledge.views import Panel
from rules_engine.rulebooks.cutler.ch04_accessories.mines_in_battle import battle_charts
from rules_engine.rulebooks.cutler.records.accessories.catalogue import MINES, AccessoryKind
from rules_engine.rulebooks.cutler.records.accessories.holds import (
    aboard,
    held,
    mine_room,
    most_people,
    most_shuttles,
    put,
)
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit

FIRST_LOST: tuple[AccessoryKind, ...] = ("shuttle", "mls", "mrs", "swac")
"""The order in which shuttles are lost. CU-N69"""


class Losses(Protocol):
    """What is reported of one unit."""

    @property
    def shuttles_lost(self) -> int:
        """Shuttles of any kind."""
        ...

    @property
    def crew_lost(self) -> int:
        """Crew units."""
        ...

    @property
    def mines_dropped(self) -> int:
        """CPV worth of mines."""
        ...


@rule("4.2.4.5", "4.2.4.5.1", "4.2.4.2.1", "4.2.4.2.2")
def most_lost(state: CutlerState, record: UnitClass) -> dict[str, int]:
    """The most that a unit of the class could report of each, which tells nothing of what is aboard: any of its
    shuttles might be one that carries mines. 4.2.4.5, 4.2.4.5.1, 4.2.4.2.1, 4.2.4.2.2"""
    shuttles, each = most_shuttles(record), max(item.mines for item in state.accessories.values())
    mines = record.mine_room + each * shuttles
    return {"shuttles_lost": shuttles, "crew_lost": most_people(record.crew_units), "mines_dropped": mines}


LABELS = {
    "shuttles_lost": "Shuttles lost in this battle",
    "crew_lost": "Crew units lost in this battle",
    "mines_dropped": "CPV of mines dropped in this battle",
}


def loss_fields(state: CutlerState, unit: Unit) -> list[Field]:
    """What a battle's form asks of a unit's shuttles and mines."""
    most = most_lost(state, unit.record)
    return [number_field(key, LABELS[key], range(count + 1), 0) for key, count in most.items() if count]


def judge_losses(state: CutlerState, unit: Unit, key: str, line: Losses) -> list[Refusal]:
    """More lost than the class can carry. CU-N69"""
    found = {"shuttles_lost": line.shuttles_lost, "crew_lost": line.crew_lost, "mines_dropped": line.mines_dropped}
    rules = {"shuttles_lost": "4.2.4.2.1, G-6", "crew_lost": "4.2.4.8, G-6", "mines_dropped": "4.2.4.5.1, G-6"}
    refusals: list[Refusal] = []
    for what, most in most_lost(state, unit.record).items():
        if found[what] > most:
            text = f"{unit.name} carries at most {most}, {found[what]} are reported"
            refusals.append(illegal(text, rules[what], f"{key}.{what}", legal=f"0 to {most}"))
    return refusals


@rule("4.2.4.5.1", "4.2.4.2.1", "4.2.4.8")
def lose_accessories(unit: Unit, line: Losses) -> None:
    """Take lost shuttles, crew units and dropped mines off a unit: mines that were dropped in combat make no minefield.

    4.2.4.5.1, 4.2.4.2.1, 4.2.4.8, CU-N69
    """
    unit.crew_units = max(0, unit.crew_units - line.crew_lost)
    left = line.shuttles_lost
    for kind in FIRST_LOST:
        for key in sorted(key for key, lot in unit.holds.items() if lot.item.kind == kind):
            lost = min(left, unit.holds[key].count)
            left -= lost
            put(unit.holds, key, unit.holds[key].item, -lost)
    aboard_now = held(unit, "mines")
    kept = min(aboard_now - min(aboard_now, line.mines_dropped), mine_room(unit))
    if kept < aboard_now:
        put(unit.holds, MINES, unit.holds[MINES].item, kept - aboard_now)


def say_losses(line: Losses) -> str:
    """What is reported, to go on a line: empty where it is nothing."""
    said = f", lost {counted(line.shuttles_lost, 'shuttle')}" if line.shuttles_lost else ""
    said += f", lost {counted(line.crew_lost, 'crew unit')}" if line.crew_lost else ""
    return said + (f", dropped {line.mines_dropped} CPV of mines" if line.mines_dropped else "")


def accessory_panels(
    state: CutlerState, own: Mapping[str, Unit], race: Side, hex_id: HexId, feature: str
) -> list[Panel]:
    """A side's own accessories in a battle, and its mines at the feature where it is fought, if at any: its secret."""
    rows = tuple(f"{key} {unit.name}: {', '.join(carried)}" for key, unit in own.items() if (carried := aboard(unit)))
    panels = [Panel(title="Your accessories", rows=rows)] if rows else []
    return panels + battle_charts(state, race, hex_id, feature)
