"""Chapter 4 on its owner's board: what it stores and builds."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import Panel
from rules_engine.rulebooks.cutler.ch04_economics.docks import Dock, docks_of, said
from rules_engine.rulebooks.cutler.ch04_economics.plan import places_of
from rules_engine.rulebooks.cutler.records.state import CutlerState


@rule("4.1.5")
def store_rows(state: CutlerState, race: Side) -> list[str]:
    """What lies in the boxes of each hex, for its owner. 4.1.5"""
    return [
        f"Stores in {place.hex}: {place.stored} CPV in {place.boxes} cargo boxes"
        for place in places_of(state, race).values()
        if place.boxes
    ]


@rule("4.2.1.1")
def dock_panel(state: CutlerState, race: Side, title: str = "Docks") -> Panel:
    """What is under way in its docking bays, for their owner. 4.2.1.1"""
    return Panel(title=title, rows=tuple(map(_dock_row, docks_of(state, race).values())))


def _dock_row(dock: Dock) -> str:
    where = f"{dock.key} {dock.title} in {dock.base.hex}, {dock.boxes} repair boxes"
    return f"{where}: {said(dock.work) if dock.work else 'free'}"
