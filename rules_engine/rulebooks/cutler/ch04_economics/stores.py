"""Chapter 4.1: where CPV lie. Cargo boxes alone keep them; they change boxes only within a hex."""

from collections.abc import Mapping, Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit


@rule("4.1.5")
def holders(state: CutlerState, race: Side, hex_id: HexId) -> list[Unit]:
    """A race's units in a hex that have cargo boxes, those that never move first: only these keep CPV. 4.1.5"""
    units = [unit for unit in state.units_in(hex_id, race) if unit.cargo_boxes]
    return sorted(units, key=lambda unit: (unit.is_mobile and not unit.is_station, unit.id))


def carriers(state: CutlerState, race: Side) -> dict[str, Unit]:
    """A race's units that move, but bases, and have cargo boxes, by the keys of their lines."""
    units = [unit for unit in state.alive(race) if unit.is_mobile and not unit.is_station and unit.cargo_boxes]
    return {f"L{number}": unit for number, unit in enumerate(units, 1)}


@rule("4.1.6.1", "4.1.7")
def shared_out(units: Sequence[Unit], total: int, fixed: Mapping[str, int]) -> dict[str, int]:
    """How ``total`` CPV lie in the cargo boxes of these units, by unit: as ``fixed`` says, the others as they were as
    far as that is possible. More goes to the first with room, less is taken from the first.

    4.1.6.1, 4.1.7, CU-N42
    """
    loads = {unit.id: fixed.get(unit.id, unit.cargo_cpv) for unit in units}
    more = total - sum(loads.values())
    for unit in units:
        if unit.id not in fixed:
            change = min(more, unit.cargo_boxes - loads[unit.id]) if more > 0 else max(more, -loads[unit.id])
            loads[unit.id] += change
            more -= change
    return loads


@rule("4.1.6.1", "4.1.7")
def unload(turn: CutlerTurn) -> None:
    """Empty ships that have the order to into the bases they have come upon, as far as there is room: on arrival, and
    after combat. Freighters under way are not there yet. 4.1.6.1, 4.1.7, CU-N42"""
    state = turn.state
    under_way = {key for convoy in state.convoys.values() for key in convoy.units}
    able = [unit for unit in state.alive() if unit.unload and unit.is_mobile and unit.cargo_cpv]
    for ship in [unit for unit in able if unit.id not in under_way]:
        moved = 0
        for base in [unit for unit in holders(state, ship.race, ship.hex) if unit.kind == "base"]:
            part = min(ship.cargo_cpv, base.cargo_boxes - base.cargo_cpv)
            base.cargo_cpv += part
            ship.cargo_cpv -= part
            moved += part
        if moved:
            text = f"{ship.name} unloads {moved} CPV in {ship.hex}; {ship.cargo_cpv} left aboard."
            turn.tell([ship.race], text, kind="economy", why=because("4.1.6.1, 4.1.7"))


@rule("4.1.6.2")
def empty_repair_boxes(turn: CutlerTurn) -> None:
    """What lies unspent in repair boxes at the end of the turn is lost. 4.1.6.2"""
    state = turn.state
    for race in state.races():
        left = [unit for unit in state.alive(race) if unit.repair_cpv]
        if left:
            places = ", ".join(f"{unit.repair_cpv} CPV in {unit.hex}" for unit in left)
            turn.tell([race], f"Unused in repair boxes, and lost: {places}.", kind="economy", why=because("4.1.6.2"))
    for unit in state.units.values():
        unit.repair_cpv = 0
