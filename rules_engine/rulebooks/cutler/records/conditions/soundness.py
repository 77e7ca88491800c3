"""What must never be true of officers, cloaks and tows."""

from collections import Counter

from rules_engine.rulebooks.cutler.records.accessories.catalogue import LEGENDS
from rules_engine.rulebooks.cutler.records.accessories.legends import transports
from rules_engine.rulebooks.cutler.records.conditions.cloaks import can_cloak
from rules_engine.rulebooks.cutler.records.conditions.docking import can_dock, in_own_flight
from rules_engine.rulebooks.cutler.records.conditions.towing import tow_capacity, towables
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fleet, Unit
from rules_engine.rulebooks.cutler.records.tables import CLOAKED_SPEED


def condition_defects(state: CutlerState) -> list[str]:
    """Everything impossible in what befalls ships; empty when all is well."""
    twice = [unit for unit in state.units.values() if len(set(unit.officers)) < len(unit.officers)]
    return [
        *(f"unit {unit.id} has an officer twice" for unit in twice),
        *_passenger_defects(state),
        *_cloak_defects(state),
        *_tow_defects(state),
        *_dock_defects(state),
    ]


def _passenger_defects(state: CutlerState) -> list[str]:
    """Who is transported where nobody can be, or is no officer and no pilot; and officers of a prize. 4.2.4.8"""
    found: list[str] = []
    for unit in state.units.values():
        if unit.passengers and not transports(unit):
            found.append(f"unit {unit.id} transports somebody and cannot")
        if any(lot.item.kind not in LEGENDS for lot in unit.passengers.values()):
            found.append(f"unit {unit.id} transports what is no person")
        if unit.officers and unit.captured_from:
            found.append(f"unit {unit.id} is a prize and has officers")
    return found


def _crew(state: CutlerState, fleet: Fleet) -> list[Unit]:
    """A fleet's ships that exist."""
    units = [state.units[key] for key in fleet.units if key in state.units]
    return [unit for unit in units if not unit.destroyed and unit.race == fleet.race]


def _cloak_defects(state: CutlerState) -> list[str]:
    """Who is under cloak without one, or hidden and found without being under cloak. 2.4.1.2, 2.6.2.1"""
    found: list[str] = []
    for unit in state.alive():
        if unit.cloaked and not can_cloak(unit):
            found.append(f"unit {unit.id} is under a cloak that it has not")
        if (unit.engaged or unit.found_by) and not unit.cloaked:
            found.append(f"unit {unit.id} is found or shows itself, and is not under cloak")
        if unit.was_cloaked and unit.hexes_moved > CLOAKED_SPEED:
            found.append(f"unit {unit.id} moved more hexes than a cloaked one can")
    return found + [
        f"fleet {name} would go under cloak, and cannot, or does more than it can there"
        for name, fleet in state.fleets.items()
        if fleet.cloak
        if fleet.scans or fleet.raze or fleet.land or not all(map(can_cloak, in_own_flight(_crew(state, fleet))))
    ]


def _tow_defects(state: CutlerState) -> list[str]:
    """Tows that nobody could have. Fleets are put in order when all hexes have been fought over. 2.4.1.5"""
    if state.fights:
        return []
    found: list[str] = []
    held = Counter(key for unit in state.alive() for key in unit.towing)
    for fleet in state.fleets.values():
        here = [unit.id for unit in _crew(state, fleet)]
        for unit in _crew(state, fleet):
            here += [base.id for base in towables(state, fleet.race, unit.hex)]
            if len(unit.towing) > tow_capacity(unit) or any(key not in here or key == unit.id for key in unit.towing):
                found.append(f"unit {unit.id} tows what it cannot")
            if unit.towing and (held[unit.id] or any(held[key] > 1 for key in unit.towing)):
                found.append(f"unit {unit.id} tows, and is towed or shares its tow")
    return found


def _dock_defects(state: CutlerState) -> list[str]:
    """Docked PFs that are none, on what has no such dock for them, or apart from their host. 2.4.1.7, 2.6.1"""
    found: list[str] = []
    held = Counter(unit.docked_at for unit in state.alive() if unit.docked_at)
    fleet_of = {key: name for name, fleet in state.fleets.items() for key in fleet.units}
    for unit in state.alive():
        if not unit.docked_at:
            continue
        host = state.units.get(unit.docked_at)
        if host is None or not can_dock(unit) or host.race != unit.race or held[host.id] > host.record.pf_room:
            found.append(f"unit {unit.id} is docked where it cannot be")
        elif not state.fights and (host.destroyed or host.hex != unit.hex or unit.retreat_hex != host.retreat_hex):
            found.append(f"unit {unit.id} is docked on what is elsewhere, or no more")
        elif not state.fights and fleet_of.get(unit.id) != fleet_of.get(host.id, fleet_of.get(unit.id)):
            found.append(f"unit {unit.id} is docked on a ship of another fleet")
        if unit.cloaked or unit.towing:
            found.append(f"unit {unit.id} is docked, and tows or is under cloak")
    return found
