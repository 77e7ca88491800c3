"""Chapter 4.4.2 where ships are plotted: what would be lost if a builder leaves its site."""

from collections.abc import Iterable

from rules_engine.core.basics.base import Side
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit


def site_warnings(state: CutlerState, race: Side, leaving: Iterable[Unit]) -> list[str]:
    """Bases and upgrades that nobody would go on building if these ships left. 4.4.2, 4.4.4, CU-R91"""
    gone = {unit.id for unit in leaving}
    said: list[str] = []
    for site in (state.sites[key] for key in sorted(state.sites)):
        left = [unit for unit in state.units_in(site.hex, race) if unit.builds_bases and unit.id not in gone]
        if site.race == race and site.builder in gone and not left:
            name = state.units[site.builder].name
            lost = f"{site.title} and {site.set_aside} CPV set aside for it are lost"
            said.append(f"{name} leaves {site.hex}: {lost}, unless another builder is there then (4.4.2).")
    return said
