"""What must never be true of what is recorded between the battles of an impulse. 3.5.6, 3.9"""

from rules_engine.rulebooks.cutler.records.state import CutlerState

KINDS = frozenset({"warp", "impulse", "cargo"})


def work_defects(state: CutlerState) -> list[str]:
    """Everything impossible in it: units that are none, and repairs of no boxes or for less than nothing."""
    named = {*state.fought_at, *state.work.last, *state.work.repairs}
    found = [f"{key} has fought in this impulse and is no unit" for key in sorted(named) if key not in state.units]
    for key, due in state.work.repairs.items():
        if due.points < 0 or not KINDS.issuperset(due.boxes) or any(count < 1 for count in due.boxes.values()):
            found.append(f"{key} has repairs due that cannot be")
    return found
