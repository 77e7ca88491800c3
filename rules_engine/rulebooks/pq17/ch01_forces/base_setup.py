"""Bases of the campaign set up with their pods and modules. PQ-17 1.8.10, C.oob."""

from collections import Counter
from collections.abc import Mapping

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch01_forces.new_units import file_unit, new_unit
from rules_engine.rulebooks.pq17.records.forces import BaseRecord, IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.progress import CommandAccount
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.fittings import fitted_class
from rules_engine.rulebooks.pq17.tables.order_of_battle import BaseEntry


def set_up_campaign(state: State) -> None:
    """Fill the pools, and set up every base whose place is known."""
    campaign = state.settings.campaign
    for nation in campaign.nation:
        state.pools.setdefault(nation.side, {})
        if not nation.commanded_by:
            state.progress.command[nation.key] = CommandAccount()
    _fill_pools(state)
    for entry in campaign.base:
        if entry.hex is not None:
            put_up(state, entry, entry.hex, usual_fittings(entry))


@rule("C.oob.federation.points", "C.oob.kzinti.points", "C.oob.klingon.points")
def _fill_pools(state: State) -> None:
    """The points that each force begins with, by category.

    PQ-17 C.oob.federation.points, C.oob.kzinti.points, C.oob.klingon.points, ruling SCN-11."""
    campaign = state.settings.campaign
    for force in campaign.force:
        side = campaign.nation_of(force.nation).side
        state.pools[side][force.key] = {str(category): points for category, points in force.points.items()}


def usual_fittings(entry: BaseEntry) -> dict[str, int]:
    """The base's fixed fittings, and for its owner's choice as many as allowed of the first class on offer."""
    fittings = Counter(entry.fittings)
    if entry.choose:
        fittings[next(iter(entry.choices))] += entry.choose
    return dict(fittings)


@rule("1.8.10.1", "1.8.11", "1.8.1", "1.8.10", "C.oob.federation.bases", "C.oob.klingon.bases", "C.oob.kzinti.bases")
def put_up(state: State, entry: BaseEntry, hex_id: str, fittings: Mapping[str, int]) -> TaskForce:
    """Set up a base of the scenario with its pods and modules, fully stocked. An existing one is fitted again.

    PQ-17 1.8.10.1, 1.8.11, C.oob.federation.bases, C.oob.kzinti.bases, C.oob.klingon.bases."""
    nation = state.settings.campaign.nation_of(entry.nation)
    kind = fitted_class(state.classes[entry.class_id], fittings, state.classes, entry.key)
    state.classes[kind.class_id] = kind
    unit = new_unit(kind, unit_id=entry.key, name=entry.name, side=nation.side, nation=nation.key)
    record = BaseRecord(
        name=entry.name,
        known=entry.known,
        conditions=entry.conditions,
        key=entry.key,
        fittings={part: count for part, count in fittings.items() if count},
        mine_packages=entry.mine_packages,
    )
    level = IdLevel.ID3 if entry.known else IdLevel.N
    file_unit(state, unit)
    tf = TaskForce(id=entry.id, side=nation.side, hex=hex_id, units=[unit.id], base=record, id_level=level)
    state.put_force(tf)
    return tf
