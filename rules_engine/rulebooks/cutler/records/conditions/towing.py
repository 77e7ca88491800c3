"""Towing: who may tow, and whom a fleet's towers have in tow: others of the fleet, and bases on the way to their site.
2.4.1.5, 4.4.1, CU-R21, CU-N76, CU-N114"""

from collections.abc import Iterable, Mapping, Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.shipping.convoys import sails_in_convoys
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.tables import TOWED_BASES, TOWERS

TUG_TOWS = 2
"""Units that a tug tows; any other tower tows one. CU-R21"""


@rule("2.4.1.5")
def tow_capacity(unit: Unit) -> int:
    """How many units it may tow: one with a tractor, a tug two with two; none without engines, or docked. 2.4.1.5,
    CU-R21"""
    if unit.kind not in TOWERS or unit.docked_at or not (unit.warp_ok or unit.impulse_ok):
        return 0
    return min(unit.record.tractors, TUG_TOWS if unit.record.is_tug_or_ltt else 1)


@rule("4.4.1", "2.4.1.5", "2.4.1.6")
def is_towed_alone(unit: Unit) -> bool:
    """Whether it may be in tow although it is in no fleet: a BLM, or an FRD without engines, and a freighter or
    Q-ship without engines. 4.4.1, 2.4.1.5, 2.4.1.6, CU-N114, CU-N144"""
    wreck = sails_in_convoys(unit.record) and not (unit.warp_ok or unit.impulse_ok)
    return wreck or (unit.record.base_type in TOWED_BASES and not unit.is_mobile)


@rule("4.4.1", "2.4.1.5")
def towables(state: CutlerState, race: Side, hex_id: HexId) -> list[Unit]:
    """A race's units in a hex that are in no fleet and may be towed; none that is in a convoy. 4.4.1, 2.4.1.5,
    CU-N114"""
    sailing = {key for convoy in state.convoys.values() for key in convoy.units}
    here = state.units_in(hex_id, race)
    return [unit for unit in here if is_towed_alone(unit) and unit.id not in sailing]


@rule("3.5", "4.4.1")
def is_in_tow(state: CutlerState, base: Unit) -> bool:
    """Whether a base is in tow, so that it is not deployed. 3.5, 4.4.1, CU-N114"""
    if base.record.base_type not in TOWED_BASES:
        return False
    return any(base.id in unit.towing for unit in state.units_in(base.hex, base.race))


@rule("3.5", "4.4.1")
def is_deployed(state: CutlerState, base: Unit) -> bool:
    """Whether a base stands where it is: it is not in tow, and did not move under its own power in this impulse. 3.5,
    4.4.1, CU-N114, CU-N144"""
    return not is_in_tow(state, base) and not (base.is_mobile and base.entered_at == state.moment())


@rule("2.4.1.5")
def towed_among(units: Iterable[Unit]) -> list[str]:
    """The units, by id, that some of these have in tow. 2.4.1.5"""
    return sorted(key for unit in units for key in unit.towing)


def under_way(units: Sequence[Unit]) -> list[Unit]:
    """Those of a fleet's units that move by themselves: none that is towed, or docked."""
    towed = towed_among(units)
    return [unit for unit in units if unit.id not in towed and not unit.docked_at]


@rule("2.4.1.5")
def leaders(state: CutlerState, keys: Iterable[str]) -> dict[str, Unit]:
    """By whom each of these units is led: its tower, or itself. 2.4.1.5, CU-R21"""
    units = [state.units[key] for key in keys]
    return {unit.id: unit for unit in units} | {key: unit for unit in units for key in unit.towing}


@rule("2.4.1.5", "4.4.1")
def with_their_towers(state: CutlerState, moves: Mapping[str, HexId]) -> dict[str, HexId]:
    """The moves of what is in no fleet and whose towers make these. 2.4.1.5, 4.4.1, CU-N114"""
    return {
        towed: goal
        for key, goal in moves.items()
        for towed in state.units[key].towing
        if is_towed_alone(state.units[towed])
    }


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
    which is lost, captured, disengaged or without engines. Bases are in no fleet. 2.4.1.5, CU-R21, CU-N76, CU-N114"""
    fleet_of = {key: name for name, fleet in state.fleets.items() for key in fleet.units}
    for unit in state.units.values():
        if unit.towing:
            holds = tow_capacity(unit) and not (unit.destroyed or unit.retreat_hex)
            towed = [state.units[key] for key in unit.towing if holds]
            kept = [
                one.id
                for one in towed
                if not (one.destroyed or one.retreat_hex)
                and (one.race, one.hex) == (unit.race, unit.hex)
                and (is_towed_alone(one) or fleet_of.get(one.id) == fleet_of.get(unit.id))
            ]
            unit.end_tow(keeps=kept[: tow_capacity(unit)])


def let_go(state: CutlerState, ships: Iterable[str]) -> None:
    """Ships that run or pursue tow nobody, and are in nobody's tow; fighters apart from their carrier never are.
    CU-N76"""
    gone = {ship for ship in ships if ship in state.units}
    for ship in sorted(gone):
        state.units[ship].end_tow()
        for unit in state.units_in(state.units[ship].hex, state.units[ship].race):
            if gone.intersection(unit.towing):
                unit.end_tow(keeps=[key for key in unit.towing if key not in gone])
