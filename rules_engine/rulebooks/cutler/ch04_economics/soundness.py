"""What must never be true of what a race stores and builds."""

from rules_engine.rulebooks.cutler.records.state import CutlerState


def economy_defects(state: CutlerState) -> list[str]:
    """Everything impossible in it; empty when all is well."""
    return [*_box_defects(state), *_work_defects(state), *_site_defects(state)]


def _box_defects(state: CutlerState) -> list[str]:
    found: list[str] = []
    for unit in state.units.values():
        if not 0 <= unit.cargo_lost <= unit.record.cargo:
            found.append(f"unit {unit.id} lost more or fewer cargo boxes than it has")
        if not 0 <= unit.cargo_cpv <= unit.cargo_boxes:
            found.append(f"unit {unit.id} stores more or less CPV than it can")
        if unit.destroyed and (unit.cargo_cpv or unit.repair_cpv):
            found.append(f"unit {unit.id} is destroyed and still stores CPV")
        if not 0 <= unit.repair_cpv <= unit.record.repair:
            found.append(f"unit {unit.id} has more or fewer CPV in repair boxes than it can")
    return found


def _work_defects(state: CutlerState) -> list[str]:
    """While hexes are fought over, what was lost with a base may still be there."""
    found: list[str] = []
    for key, work in state.works.items():
        base = state.units.get(work.base)
        if base is None or key != work.key or not 1 <= work.bay <= len(base.record.bays):
            found.append(f"work {key} is in no docking bay")
        elif not state.fights and (base.destroyed or base.race != work.race):
            found.append(f"work {key} is in a bay that is not its race's")
        ship = state.units.get(work.ship)
        if work.ship and (ship is None or (ship.destroyed and not state.fights)):
            found.append(f"work {key} is on a ship that is not there")
        if not 0 <= work.paid < work.cost:
            found.append(f"work {key} is paid for, or costs nothing")
    return found


def _site_defects(state: CutlerState) -> list[str]:
    found: list[str] = []
    for key, site in state.sites.items():
        if key != f"{site.race}/{site.key}" or site.race not in state.races() or site.hex not in state.grid:
            found.append(f"site {key} is nowhere or nobody's")
        if not 0 < site.set_aside <= site.cost:
            found.append(f"site {key} is paid for, or has more set aside than it costs")
        if site.upgrades and site.upgrades not in state.units:
            found.append(f"site {key} upgrades no base")
    return found
