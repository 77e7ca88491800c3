"""Carrying out a judged sheet: who moves together, standing orders, and what empires grant each other."""

from collections.abc import Mapping

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.jump_lanes.ch2_encounters.opposing import has_passage
from rules_engine.rulebooks.jump_lanes.plotting.judging import arrange
from rules_engine.rulebooks.jump_lanes.records.orders import LaneSheet, Stance
from rules_engine.rulebooks.jump_lanes.records.state import LanesTurn

RULE = "13.2, JL-R19"


def carry_out_sheets(turn: LanesTurn, sheets: Mapping[Side, LaneSheet]) -> None:
    """Carry out what all empires ordered; what they grant each other changes at one time."""
    for empire, sheet in sheets.items():
        arrange(turn.state, empire, sheet)
    for group in (*turn.state.fleets.values(), *turn.state.squadrons.values()):
        group.orders.fresh = False
    _change_stances(turn, sheets)


@rule("13.2")
def _change_stances(turn: LanesTurn, sheets: Mapping[Side, LaneSheet]) -> None:
    """Change what empires grant each other, and tell: treaties and wars everybody, a grant that is not returned the
    two. 13.2, JL-R19, JL-N08"""
    state = turn.state
    pairs = [(one, other) for one in state.empires for other in state.empires if one < other]
    before = {pair: has_passage(state, *pair) for pair in pairs}
    changed: list[tuple[Side, Side, Stance]] = []
    for empire, sheet in sheets.items():
        for other in state.others(empire):
            stance = sheet.of(other).stance
            if stance is not None and stance != state.stance(empire, other):
                state.empires[empire].stances[other] = stance
                changed.append((empire, other, stance))
    why = because(RULE)
    for empire, other, stance in changed:
        names = turn.name_of(empire), turn.name_of(other)
        if stance == "war":
            turn.tell_all(f"{names[0]} is at war with {names[1]}.", kind="treaty", why=why)
        elif stance == "passage" and not has_passage(state, empire, other):
            turn.tell([empire, other], f"{names[0]} grants {names[1]} passage.", kind="treaty", why=why)
        elif stance == "none" and not before[min(empire, other), max(empire, other)]:
            turn.tell([empire, other], f"{names[0]} grants {names[1]} nothing.", kind="treaty", why=why)
    for pair in pairs:
        now = has_passage(state, *pair)
        if now != before[pair]:
            names = f"{turn.name_of(pair[0])} and {turn.name_of(pair[1])}"
            text = f"{names} {'have' if now else 'no longer have'} a treaty of passage."
            turn.tell_all(text, kind="treaty", why=why)
