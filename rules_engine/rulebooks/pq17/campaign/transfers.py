"""Transfers off the map: which ships go, from where, which are missing, and which come back.

PQ-17 C.schedule, C.schedule.note2 to C.schedule.note8, C.vp.14, rulings SCN-12 to SCN-16, SCN-34c.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.campaign.departures import allow_exit
from rules_engine.rulebooks.pq17.ch10_supply.fuel import fill
from rules_engine.rulebooks.pq17.ch11_repair.boxes import full_boxes
from rules_engine.rulebooks.pq17.nations.homes import (
    COUNTED_BOXES,
    category_of,
    entry_of,
    is_bound,
    is_fit,
    is_warship,
    nation_of,
    nearest_to,
    period_of,
)
from rules_engine.rulebooks.pq17.nations.ship_values import value_of
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.progress import Departure, Direct, Errand, Permit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.schedule import HULLS, HullTransfer, fits
from rules_engine.rulebooks.pq17.tables.ship_classes import Category


@dataclass(frozen=True)
class TransferCall:
    """One line of the transfers: a number of hulls of one category."""

    transfer: HullTransfer
    category: Category
    count: int

    @property
    def key(self) -> str:
        """The line's key on the period's sheet: ``harpoon-DD``."""
        return f"{self.transfer.key}-{self.category}"

    @property
    def label(self) -> str:
        """The text its owner reads: ``HARPOON: 5 DD``."""
        hulls = f"{self.count} {self.category}"
        return f"{self.transfer.operation}: {hulls}" if self.transfer.operation else hulls


def calls(state: State, side: Side, period: int) -> list[TransferCall]:
    """The hulls that a side must send off the map in a period, the largest first. PQ-17 C.schedule."""
    nations = [nation.key for nation in state.settings.campaign.nations_of(side)]
    found = state.settings.schedule.transfers_of(period, nations)
    return [
        TransferCall(one, category, one.hulls[category]) for one in found for category in HULLS if category in one.hulls
    ]


@rule("C.schedule.note2", "C.schedule.note4", "C.schedule.note7")
def candidates(state: State, call: TransferCall) -> list[Unit]:
    """The ships on the map that could go: of the nation, of the category or larger, the most suitable first.

    Exact hulls come before larger ones, for a named operation undamaged ships before others, then the cheapest and
    nearest. PQ-17 C.schedule.note2, C.schedule.note4, C.schedule.note7."""
    exits = entry_of(state, call.transfer.nation)

    def order(placed: tuple[Unit, TaskForce]) -> tuple[object, ...]:
        unit, tf = placed
        away = min(state.grid.distance(tf.hex, one) for one in exits)
        unsound = bool(call.transfer.operation) and not is_fit(state, unit)
        bound = is_bound(state, tf)
        rank = HULLS.index(call.category) - HULLS.index(category_of(state, unit))
        held = unit.id in state.progress.patrol
        return (
            bound,
            unsound,
            rank,
            held,
            bool(state.class_of(unit).special_kind),
            value_of(state, unit),
            away,
            unit.id,
        )

    on_map = ((unit, state.tf_of(unit.id)) for unit in _of_nation(state, call.transfer.nation, call.category))
    return [unit for unit, _ in sorted(((unit, tf) for unit, tf in on_map if tf is not None), key=order)]


def _of_nation(state: State, nation_key: str, category: Category) -> Iterable[Unit]:
    for unit in state.units.values():
        if unit.fate != "in play" or not is_warship(state, unit) or not fits(category_of(state, unit), category):
            continue
        nation = nation_of(state, unit)
        if nation is not None and nation.key == nation_key:
            yield unit


@rule("C.schedule.note2")
def usual_ships(state: State, side: Side, period: int) -> dict[str, list[str]]:
    """For each call the most suitable ships, none of them twice. PQ-17 C.schedule.note2."""
    taken: set[str] = set()
    chosen: dict[str, list[str]] = {}
    for call in calls(state, side, period):
        picked = [unit.id for unit in candidates(state, call) if unit.id not in taken][: call.count]
        taken.update(picked)
        chosen[call.key] = picked
    return chosen


@rule("C.schedule.note3", "C.cp.reinforcements")
def assign(state: State, call: TransferCall, units: Iterable[str], goal: HexId = "") -> None:
    """Assign ships to a transfer: they may leave the map, and go straight to the edge without command points.

    PQ-17 C.schedule.note3, C.cp.reinforcements, ruling CP-12."""
    exits = entry_of(state, call.transfer.nation)
    for unit_id in units:
        tf = state.tf_of(unit_id)
        here = tf.hex if tf is not None else exits[0]
        allow_exit(state, unit_id, Permit(kind="transfer", hexes=list(exits), key=call.transfer.key))
        to = goal if goal in exits else nearest_to(state.grid, exits, here)
        state.progress.direct[unit_id] = Direct(hex=to, kind="transfer")
        state.progress.errands[unit_id] = Errand(leave=to)


def forget_assignments(state: State) -> None:
    """At a period's start, cancel permits for the last period's transfers."""
    progress = state.progress
    for unit_id in [one for one, permit in progress.permits.items() if permit.kind == "transfer"]:
        del progress.permits[unit_id]
        progress.errands.pop(unit_id, None)
    for unit_id in [one for one, direct in progress.direct.items() if direct.kind == "transfer"]:
        del progress.direct[unit_id]


# --- at the period's end ----------------------------------------------------------------------------------------------


@rule("C.schedule.note2", "C.schedule.note4", "C.vp.note9")
def missing(state: State, period: int) -> list[tuple[HullTransfer, Category]]:
    """Every hull that a transfer of the period called for and that did not leave as required, one entry each.

    Each departure counts for the call it suits best, the largest calls first. PQ-17 C.schedule.note2, C.schedule.note4,
    C.vp.note9, rulings SCN-15, SCN-16."""
    found: list[tuple[HullTransfer, Category]] = []
    for transfer in state.settings.schedule.transfer:
        if transfer.period != period:
            continue
        left = [one for one in state.progress.departures if _counts(one, transfer, period)]
        for category in HULLS:
            for _ in range(transfer.hulls.get(category, 0)):
                suited = [one for one in left if fits(_category(state, one), category)]
                if suited:
                    left.remove(max(suited, key=lambda one: HULLS.index(_category(state, one))))
                else:
                    found.append((transfer, category))
    return found


def _counts(one: Departure, transfer: HullTransfer, period: int) -> bool:
    if one.kind != "transfer" or one.key != transfer.key or period_of(one.turn) != period:
        return False
    return one.fit or not transfer.operation


def _category(state: State, one: Departure) -> Category:
    return category_of(state, state.units[one.unit])


def cheapest_left(state: State, transfer: HullTransfer, category: Category) -> Unit | None:
    """The cheapest ship of that category and nation that still exists and has not gone. PQ-17 ruling SCN-14."""
    gone = {key for key, away in state.progress.away.items() if away.state != "waiting"}
    left = [
        unit
        for unit in _of_nation(state, transfer.nation, category)
        if unit.id not in gone and category_of(state, unit) == category
    ]
    return min(left, key=lambda unit: (value_of(state, unit), unit.id), default=None)


# --- coming back ------------------------------------------------------------------------------------------------------


@rule("C.schedule.note7", "C.schedule.note8")
def bring_back(state: State, period: int) -> dict[str, list[Unit]]:
    """The ships that come back with this period's reinforcements, by nation: those that left, or larger ones that
    left in their place, repaired and full. A ship that never left does not come back.

    PQ-17 C.schedule.note7, C.schedule.note8, rulings SCN-13, SCN-34c."""
    back: dict[str, list[Unit]] = {}
    for returning in state.settings.schedule.returns_of(period):
        transfer = state.settings.schedule.transfer_of(returning.transfer)
        if transfer is None:
            continue
        for category in HULLS:
            units = _left_for(state, transfer, category)[: returning.hulls.get(category, 0)]
            for unit in units:
                _make_whole(state, unit)
            back.setdefault(transfer.nation, []).extend(units)
    return {nation: units for nation, units in back.items() if units}


def _left_for(state: State, transfer: HullTransfer, category: Category) -> Sequence[Unit]:
    """The ships that left for a transfer and are still away: exact hulls, then larger ones, most valuable first."""
    progress = state.progress
    away = [
        state.units[one.unit]
        for one in progress.departures
        if _counts(one, transfer, transfer.period) and one.unit not in progress.returned
    ]
    fitting = [unit for unit in away if fits(category_of(state, unit), category)]
    return sorted(fitting, key=lambda unit: (-HULLS.index(category_of(state, unit)), -value_of(state, unit), unit.id))


def _make_whole(state: State, unit: Unit) -> None:
    """Repair a unit and fill its stores. PQ-17 ruling SCN-34c."""
    kind = state.class_of(unit)
    for name in COUNTED_BOXES:
        setattr(unit, name, full_boxes(state, unit, name))
    unit.sensor_track, unit.damcon_track = list(kind.sensor_track), list(kind.damcon_track)
    unit.crippled = False
    unit.repairs = unit.repairs.with_values(damage={}, in_hand=None)
    unit.practical_speed = None
    unit.can_power_fire_control = unit.can_power_sensors = True
    fill(state, unit)
    state.progress.returned.append(unit.id)
    state.progress.away.pop(unit.id, None)
