"""What must never be true of what units carry."""

from rules_engine.rulebooks.cutler.records.accessories.holds import load_defects
from rules_engine.rulebooks.cutler.records.state import CutlerState


def load_defects_of_all(state: CutlerState) -> list[str]:
    """Everything impossible in it; empty when all is well."""
    found: list[str] = []
    for unit in state.units.values():
        found += [f"unit {unit.id} carries too much: {problem}" for problem, _, _ in load_defects(unit)]
        if unit.cargo_boxes < 0:
            found.append(f"unit {unit.id} has more in its cargo boxes than they can hold")
        if unit.lays is not None and unit.captured_from:
            found.append(f"unit {unit.id} is a prize and is to lay mines")
    return found
