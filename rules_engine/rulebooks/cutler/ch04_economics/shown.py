"""Chapter 4 on its owner's board: what it stores."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.ch04_economics.plan import places_of
from rules_engine.rulebooks.cutler.records.state import CutlerState


@rule("4.1.5")
def store_rows(state: CutlerState, race: Side) -> list[str]:
    """What lies in the boxes of each hex, for its owner. 4.1.5"""
    return [
        f"Stores in {place.hex}: {place.stored} CPV in {place.boxes} cargo boxes"
        for place in places_of(state, race).values()
        if place.boxes
    ]
