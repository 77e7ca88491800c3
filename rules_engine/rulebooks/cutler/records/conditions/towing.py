"""Towing: who may tow, and whom a fleet's towers have in tow. A tow is within one fleet. 2.4.1.5, CU-R21, CU-N76"""

from collections.abc import Iterable, Sequence

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.tables import TOWERS

TUG_TOWS = 2
"""Units that a tug tows; any other tower tows one. CU-R21"""


@rule("2.4.1.5")
def tow_capacity(unit: Unit) -> int:
    """How many units it may tow: one with a tractor, a tug two with two; none without engines. 2.4.1.5, CU-R21"""
    if unit.kind not in TOWERS or not (unit.warp_ok or unit.impulse_ok):
        return 0
    is_tug = unit.record.hull_type == "TUG" or not {"tug", "ltt"}.isdisjoint(unit.record.marks)
    return min(unit.record.tractors, TUG_TOWS if is_tug else 1)


@rule("2.4.1.5")
def towed_among(units: Iterable[Unit]) -> list[str]:
    """The units, by id, that some of these have in tow. 2.4.1.5"""
    return sorted(key for unit in units for key in unit.towing)


def under_way(units: Sequence[Unit]) -> list[Unit]:
    """Those of a fleet's units that move by themselves: none that is towed."""
    towed = towed_among(units)
    return [unit for unit in units if unit.id not in towed]


@rule("2.4.1.5")
def leaders(state: CutlerState, keys: Iterable[str]) -> dict[str, Unit]:
    """By whom each of these units is led: its tower, or itself. 2.4.1.5, CU-R21"""
    units = [state.units[key] for key in keys]
    return {unit.id: unit for unit in units} | {key: unit for unit in units for key in unit.towing}


@rule("2.4.1.5")
def allot_tows(units: Sequence[Unit], tow: Iterable[str]) -> dict[str, list[str]]:
    """Which unit tows which of them, by id: tugs first. Who is left over is in nobody's tow. 2.4.1.5, CU-R21"""
    left = sorted(tow)
    towers = [unit for unit in units if unit.id not in left and tow_capacity(unit)]
    allotted: dict[str, list[str]] = {}
    for tower in sorted(towers, key=lambda unit: (-tow_capacity(unit), unit.id)):
        taken, left = left[: tow_capacity(tower)], left[tow_capacity(tower) :]
        if taken:
            allotted[tower.id] = taken
    return allotted


@rule("2.4.1.5")
def end_tows(state: CutlerState) -> None:
    """Let go what is no longer with its tower, what it has no tractors for since a refit, and all that a tower had
    which is lost, captured, disengaged or without engines. 2.4.1.5, CU-R21, CU-N76"""
    fleet_of = {key: name for name, fleet in state.fleets.items() for key in fleet.units}
    for unit in state.units.values():
        if unit.towing:
            holds = tow_capacity(unit) and not (unit.destroyed or unit.retreat_hex)
            towed = [state.units[key] for key in unit.towing if holds]
            kept = [
                one.id
                for one in towed
                if not (one.destroyed or one.retreat_hex)
                and (one.race, one.hex, fleet_of.get(one.id)) == (unit.race, unit.hex, fleet_of.get(unit.id))
            ]
            unit.towing = kept[: tow_capacity(unit)]


def let_go(state: CutlerState, ships: Iterable[str]) -> None:
    """Ships that run or pursue tow nobody, and are in nobody's tow; fighters apart from their carrier never are.
    CU-N76"""
    gone = {ship for ship in ships if ship in state.units}
    for ship in sorted(gone):
        state.units[ship].towing = []
        for unit in state.units_in(state.units[ship].hex, state.units[ship].race):
            if gone.intersection(unit.towing):
                unit.towing = [key for key in unit.towing if key not in gone]
