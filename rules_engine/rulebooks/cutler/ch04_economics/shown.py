"""Chapter 4 on its owner's board: what it stores and builds."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import Panel
from rules_engine.rulebooks.cutler.ch04_economics.building.bases import sites_of
from rules_engine.rulebooks.cutler.ch04_economics.docks import Dock, docks_of, said
from rules_engine.rulebooks.cutler.ch04_economics.plan import places_of
from rules_engine.rulebooks.cutler.records.economy import BaseSite
from rules_engine.rulebooks.cutler.records.state import CutlerState


@rule("4.1.5")
def store_rows(state: CutlerState, race: Side) -> list[str]:
    """What lies in the boxes of each hex, for its owner. 4.1.5"""
    return [
        f"Stores in {place.hex}: {place.stored} CPV in {place.boxes} cargo boxes"
        for place in places_of(state, race).values()
        if place.boxes
    ]


@rule("4.2.1.1", "4.4.2")
def dock_panel(state: CutlerState, race: Side, title: str = "Docks") -> Panel:
    """What is under way in its docking bays and at sites of bases, for their owner. 4.2.1.1, 4.4.2"""
    rows = [_dock_row(dock) for dock in docks_of(state, race).values()]
    rows += [_site_row(state, site) for site in sites_of(state, race)]
    return Panel(title=title, rows=tuple(rows))


def _site_row(state: CutlerState, site: BaseSite) -> str:
    done = f"{site.key} {site.title} in {site.hex}: {site.cost - site.set_aside} of {site.cost} CPV"
    return f"{done}; {state.units[site.builder].name} builds" if site.builder else f"{done}; nobody builds yet"


def _dock_row(dock: Dock) -> str:
    where = f"{dock.key} {dock.title} in {dock.base.hex}, {dock.boxes} repair boxes"
    return f"{where}: {said(dock.work) if dock.work else 'free'}"
