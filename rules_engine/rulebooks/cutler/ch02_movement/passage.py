"""Chapter 9.7: which race was the last to move through a surveyed hex of neutral space. All of it follows from moves
that everybody sees."""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.state import CutlerState


@rule("9.7")
def note_passages(state: CutlerState, entered: set[HexId]) -> None:
    """Who moved into these hexes and has them to itself is the last that moved through them. 9.7, CU-N27"""
    counters = state.counters()
    for hex_id in sorted(entered):
        there = [race for race, at in counters if at == hex_id]
        if len(there) == 1 and _is_neutral(state, hex_id):
            state.last_through[hex_id] = there[0]


def _is_neutral(state: CutlerState, hex_id: HexId) -> bool:
    return hex_id not in state.territory and hex_id not in state.unsurveyed


@rule("9.7")
def owner_by_passage(state: CutlerState, hex_id: HexId) -> Side | None:
    """The race that counts as the hex's owner where that makes a defender; None if nobody moved through yet. 9.7,
    CU-R124"""
    return state.last_through.get(hex_id) if _is_neutral(state, hex_id) else None
