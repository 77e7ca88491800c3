"""What must never be true of convoys."""

from collections import Counter
from itertools import pairwise

from rules_engine.rulebooks.cutler.records.convoys import PlottedConvoy, sails_in_convoys
from rules_engine.rulebooks.cutler.records.state import CutlerState


def convoy_defects(state: CutlerState) -> list[str]:
    """Everything impossible in them; empty when all is well. While hexes are fought over, they may hold what is
    lost."""
    held = Counter(key for convoy in state.convoys.values() for key in convoy.units)
    found = [f"unit {key} is in {count} convoys" for key, count in held.items() if count > 1]
    found += [
        f"unit {key} sails in convoys and is in fleet {name}"
        for name, fleet in state.fleets.items()
        for key in fleet.units
        if key in state.units and sails_in_convoys(state.units[key].record)
    ]
    for name, convoy in state.convoys.items():
        if name != f"{convoy.race}/{convoy.key}" or not convoy.units:
            found.append(f"convoy {name} is empty, or kept under another's name")
        found += _defects_of(state, name, convoy)
    return found


def _defects_of(state: CutlerState, name: str, convoy: PlottedConvoy) -> list[str]:
    found: list[str] = []
    for key in convoy.units:
        unit = state.units.get(key)
        if unit is None:
            found.append(f"convoy {name} holds {key}, which does not exist")
        elif not sails_in_convoys(unit.record) and (convoy.kind != "police" or unit.kind != "police"):
            found.append(f"convoy {name} holds {key}, which sails in no convoy")
        elif not state.fights and (unit.destroyed or unit.race != convoy.race):
            found.append(f"convoy {name} holds {key}, which is lost or not of its race")
    if len({state.units[key].hex for key in convoy.units if key in state.units}) > 1:
        found.append(f"convoy {name} is in two hexes")
    on_map = all(hex_id in state.grid for hex_id in (convoy.at, convoy.embarked, *convoy.course))
    if not on_map or any(one not in state.grid.neighbours(other) for one, other in pairwise(convoy.course)):
        found.append(f"convoy {name} has a course that cannot be sailed")
    return found
