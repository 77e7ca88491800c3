"""Lookups: nations' homes, where their ships enter and leave the map, and which ships may not move.

PQ-17 C.oob, C.schedule.note3, C.oob.klingon.restriction.
"""

from collections.abc import Iterable, Sequence

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.pq17.nations.conditions_in_force import restrictions_lifted
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.progress import Permit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import TURNS_A_PERIOD
from rules_engine.rulebooks.pq17.tables.order_of_battle import Nation, spread
from rules_engine.rulebooks.pq17.tables.ship_classes import Category
from rules_engine.rulebooks.pq17.tables.unit_types import unit_type

FEDERATION = "federation"
KZINTI = "kzinti"
KLINGON = "klingon"
"""Keys of nations that the rules on victory and command points name."""

COUNTED_BOXES = ("warp", "awr", "impulse", "battery", "special_sensors", "cargo", "repair", "tractors")
"""Boxes that a unit counts itself; destroyed boxes of all other kinds are kept in its repair record."""


@rule("1.2.2")
def period_of(turn: int) -> int:
    """The operational period of a turn, from 1; 0 before the first. PQ-17 1.2.2."""
    return (turn + TURNS_A_PERIOD - 1) // TURNS_A_PERIOD


@rule("1.2.2")
def first_turn_of(period: int) -> int:
    """The first turn of a period. PQ-17 1.2.2."""
    return (period - 1) * TURNS_A_PERIOD + 1


def is_campaign(state: State) -> bool:
    """Whether the scenario is a campaign with nations of its own."""
    return bool(state.settings.campaign.nation)


# --- nations ----------------------------------------------------------------------------------------------------------


def nation_of(state: State, unit: Unit) -> Nation | None:
    """A unit's nation: the one it was bought for, else its builder, else (for a prize) its side's first nation."""
    campaign = state.settings.campaign
    found = campaign.nations.get(unit.nation) or campaign.builders.get(state.classes[unit.class_id].empire)
    return found if found is not None and found.side == unit.side else campaign.leaders.get(unit.side)


def commander_of(state: State, unit: Unit) -> str:
    """The nation whose command points a unit uses; empty without a campaign. PQ-17 rulings GEN-8, CP-1."""
    nation = nation_of(state, unit)
    return "" if nation is None else nation.commander


def under_command(state: State, nation: str, unit_ids: Iterable[str]) -> list[Unit]:
    """Those of some units that use a nation's command points. PQ-17 rulings GEN-8, CP-1."""
    units = map(state.units.__getitem__, unit_ids)
    return [unit for unit in units if (own := nation_of(state, unit)) is not None and own.commander == nation]


def bases_of(state: State, nation: str) -> list[TaskForce]:
    """The base clusters of a nation, by command. PQ-17 ruling CP-1."""
    bases = (tf for tf in state.forces.all if tf.base is not None)
    return [tf for tf in bases if under_command(state, nation, tf.units)]


def settled_of(state: State, nation: str) -> list[HexId]:
    """The settled hexes of a nation; a hex without a named nation belongs to the first nation of its side."""
    campaign = state.settings.campaign
    found: list[HexId] = []
    for hex_id in sorted(state.settled):
        settled = state.settled[hex_id]
        own = next((one for one in campaign.nation if settled.empire and settled.empire in one.empires), None)
        owner = own or next(iter(campaign.nations_of(settled.side)), None)
        if owner is not None and owner.commander == nation:
            found.append(hex_id)
    return found


@rule("C.cp.kzinti")
def range_from_home(state: State, nation: str, hex_id: HexId) -> int:
    """Distance from the nearest base or settled hex of a nation; 0 where it has none. PQ-17 C.cp.kzinti, CP-8."""
    homes = [*settled_of(state, nation), *(tf.hex for tf in bases_of(state, nation))]
    return min((state.grid.distance(home, hex_id) for home in homes), default=0)


@rule("T8")
def category_of(state: State, unit: Unit) -> Category:
    """A unit's category. PQ-17 T8."""
    return state.class_of(unit).category


def is_warship(state: State, unit: Unit) -> bool:
    """Whether it counts as a warship: no base, tug, auxiliary or civilian. PQ-17 ruling SCN-4."""
    return unit_type(state.class_of(unit)) == "warship"


# --- the map's edges --------------------------------------------------------------------------------------------------


@rule("C.schedule.note3")
def entry_of(state: State, nation: str) -> list[HexId]:
    """The edge hexes where a nation's reinforcements enter and its transfers leave. PQ-17 C.schedule.note3."""
    return list(spread(state.settings.campaign.nation_of(nation).entry))


def way_to(grid: Grid, start: HexId, goal: HexId) -> list[HexId]:
    """A shortest path without its first hex; of several, the one with the lowest hex numbers."""
    way: list[HexId] = []
    here = start
    while here != goal:
        here = min(grid.neighbours(here), key=lambda one: (grid.distance(one, goal), one))
        way.append(here)
    return way


def nearest_to(grid: Grid, hexes: Sequence[HexId], goal: HexId) -> HexId:
    """The hex nearest to ``goal``; of several, the first."""
    return min(hexes, key=lambda one: grid.distance(one, goal))


@rule("5.3", "C.schedule.note3", "C.schedule.note4", "C.cargo-supply-benefit")
def exit_refusal(state: State, tf: TaskForce, here: HexId, path: str = "") -> Refusal | None:
    """Why a task force may not leave the map from ``here``, or None. All its units need a permit to leave from there,
    except loads, which go with their carriers.

    PQ-17 5.3, C.schedule.note3, C.schedule.note4, C.cargo-supply-benefit."""
    for unit in state.separate_units(tf):
        permit = state.progress.permits.get(unit.id)
        if permit is None:
            problem = f"{unit.name} has no leave to quit the map"
            return illegal(problem, "PQ-17 C.schedule.note3", path, legal="transfers, convoys and their like")
        if here not in permit.hexes:
            problem = f"{unit.name} does not leave the map from {here}"
            legal = ", ".join(permit.hexes)
            near = (nearest_to(state.grid, permit.hexes, here),)
            return illegal(problem, "PQ-17 C.schedule.note3", path, legal=legal, nearest=near)
        if problem := _unfit(state, unit, permit):
            return problem.model_copy(update={"path": path})
    return None


def _unfit(state: State, unit: Unit, permit: Permit) -> Refusal | None:
    if permit.kind == "transfer":
        transfer = state.settings.schedule.transfer_of(permit.key)
        if transfer is not None and transfer.operation and not is_fit(state, unit):
            problem = f"{unit.name} is damaged or short of fuel for operation {transfer.operation}"
            return illegal(problem, "PQ-17 C.schedule.note4", legal="undamaged, with half of its fuel or more")
    if permit.kind == "cargo" and _left_in(state, unit) == period_of(state.turn):
        problem = f"{unit.name} has left the map once this period"
        return illegal(problem, "PQ-17 C.cargo-supply-benefit", legal="once on and once off a period")
    return None


def _left_in(state: State, unit: Unit) -> int:
    return max((period_of(one.turn) for one in state.progress.departures if one.unit == unit.id), default=0)


@rule("C.schedule.note4")
def is_fit(state: State, unit: Unit) -> bool:
    """Whether a unit is undamaged and has at least half of its engine fuel. PQ-17 C.schedule.note4, ruling SCN-15."""
    return is_undamaged(state, unit) and unit.fuel * 2 >= unit.power_boxes


def is_undamaged(state: State, unit: Unit) -> bool:
    """Whether no box of its record sheet is destroyed. PQ-17 ruling SCN-15."""
    kind = state.class_of(unit)
    if unit.crippled or any(unit.repairs.damage.values()):
        return False
    if (tuple(unit.sensor_track), tuple(unit.damcon_track)) != (kind.sensor_track, kind.damcon_track):
        return False
    return all(getattr(unit, name) >= getattr(kind, name) for name in COUNTED_BOXES)


# --- who may not move -------------------------------------------------------------------------------------------------


@rule("C.oob.klingon.restriction")
def is_bound(state: State, tf: TaskForce) -> bool:
    """Whether a task force may not leave its hex yet, because a ship of it is bound to the base there.

    PQ-17 C.oob.klingon.restriction, ruling SCN-4."""
    if state.progress.released:
        return False
    here = {base.base.key for base in state.task_forces_in(tf.hex, tf.side) if base.base is not None}
    for area in state.settings.campaign.area if here else ():
        units = state.units_of(tf) if area.bound and here.intersection(area.bases) else ()
        if any(area.tag in unit.tags for unit in units):
            return not restrictions_lifted(state)
    return False


def bases_named(state: State, keys: Sequence[str]) -> list[TaskForce]:
    """The scenario's own bases of these keys that still stand, whoever holds them."""
    return [tf for tf in state.all_task_forces() if tf.base is not None and tf.base.key and tf.base.key in keys]
