"""What is kept of a standing budget, by what it is about: lines of a sheet are numbered anew in each turn, so a docking
bay is kept by its base, a load by its ship, and ground bases by their planet. CU-N150"""

from collections.abc import Mapping
from typing import Any

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Sheet
from rules_engine.rulebooks.cutler.ch04_economics.building.ground_bases import ground_planets
from rules_engine.rulebooks.cutler.ch04_economics.dock_orders import BUILD
from rules_engine.rulebooks.cutler.ch04_economics.docks import docks_of
from rules_engine.rulebooks.cutler.ch04_economics.stores import carriers
from rules_engine.rulebooks.cutler.records.accessories.lines import AccessoryLine
from rules_engine.rulebooks.cutler.records.economy import bay_key
from rules_engine.rulebooks.cutler.records.economy_lines import DockLine, EconomyLine, GroundLine, LoadLine
from rules_engine.rulebooks.cutler.records.lines import PartialLine
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.parts.empires import KeptValue
from rules_engine.rulebooks.cutler.records.state import CutlerState

ECONOMY = "economy"
DOCK, LOAD, GROUND = "D", "L", "G"
"""Before what a kept line is about."""

Names = dict[str, str]
"""The lines of this turn's sheet, by what they are about."""


@rule("4.1.6.1", "4.2.1")
def names_of(state: CutlerState, race: Side) -> Names:
    """What a race's numbered lines are about now. 4.1.6.1, 4.2.1, CU-N150"""
    found = {f"{DOCK} {bay_key(dock.base.id, dock.bay)}": key for key, dock in docks_of(state, race).items()}
    found |= {f"{LOAD} {unit.id}": key for key, unit in carriers(state, race).items()}
    return found | {f"{GROUND} {planet.key}": key for key, planet in ground_planets(state, race).items()}


def lines_of(state: CutlerState, race: Side, sheet: TurnSheet) -> dict[str, dict[str, KeptValue]]:
    """The lines of a sheet that may stand, as they are kept: what they fill in, by what they are about."""
    abouts = {key: about for about, key in names_of(state, race).items()}
    numbered: Mapping[str, PartialLine] = {**sheet.docks, **sheet.loads, **sheet.ground}
    found = {ECONOMY: _filled_in(sheet.economy)}
    found |= {key: _filled_in(line) for key, line in (*sheet.places.items(), *sheet.accessories.items())}
    found |= {abouts[key]: _filled_in(line) for key, line in numbered.items() if key in abouts}
    return {about: line for about, line in found.items() if line or about == ECONOMY}


def _filled_in(line: PartialLine) -> dict[str, KeptValue]:
    """What a line says that can be said again in each turn: no new ship has the name of the last one, a ship that was
    refit or repaired is not again, and what was moved has gone."""
    said: dict[str, KeptValue] = line.model_dump(mode="json", exclude_defaults=True)
    match line:
        case EconomyLine():
            said.pop("stands", None)
        case LoadLine():
            said.pop("unload", None)  # which the ship remembers
        case AccessoryLine() if line.origin:
            said = {}
        case GroundLine() if not (line.build or line.on_moons):
            said = {}  # of what kind, and where, says nothing by itself
        case DockLine():
            if not (line.work or "").startswith(BUILD):
                said.pop("work", None)
                said.pop("people", None)
            said.pop("name", None)
            said.pop("then", None)
        case _:
            pass
    return said


@rule("4.2.1.1", "4.2.1.3")
def sheet_of(state: CutlerState, race: Side, kept: Mapping[str, Mapping[str, KeptValue]]) -> tuple[Sheet, list[str]]:
    """Kept lines as they are put on this turn's sheet, and what those are about that find no place there any more.

    A bay that is taken goes on, with as many CPV as were named at most; what is to be built there next waits, and so
    does the number of a bay in which nothing is built. 4.2.1.1, 4.2.1.3, CU-N150
    """
    names, docks = names_of(state, race), docks_of(state, race)
    found: Sheet = {}
    gone: list[str] = []
    for about, line in kept.items():
        is_numbered = about[:2] in (f"{DOCK} ", f"{LOAD} ", f"{GROUND} ")
        key = names.get(about, "") if is_numbered else about
        if not key:
            gone.append(about)
            continue
        said: dict[str, Any] = dict(line)
        if key in docks:
            work = docks[key].work
            said = {name: value for name, value in said.items() if not work or name == "cpv"}
            most = min(docks[key].boxes, work.cost - work.paid) if work else docks[key].boxes
            cpv = said.get("cpv")
            if isinstance(cpv, int):
                said["cpv"] = min(cpv, most)
            said = said if work or said.get("work") else {}
        if said:
            found[key] = said
    return found, gone


def said_of(state: CutlerState, about: str) -> str:
    """What a kept line is about, for its owner."""
    kind, _, key = about.partition(" ")
    if kind == DOCK and key:
        base, _, bay = key.rpartition("/")
        return f"bay {bay} of {_unit(state, base)}"
    if kind == LOAD and key:
        return f"the load of {_unit(state, key)}"
    if kind == GROUND and key:
        return f"ground bases on {state.planets[key].name}" if key in state.planets else "ground bases"
    return about


def _unit(state: CutlerState, key: str) -> str:
    return state.units[key].name if key in state.units else key
