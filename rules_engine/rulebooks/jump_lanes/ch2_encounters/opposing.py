"""Who opposes whom: empires at war, and those without a treaty of passage. 13.2"""

from collections.abc import Iterable

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.records.state import LanesState


def has_passage(state: LanesState, empire: Side, other: Side) -> bool:
    """Whether two empires have a treaty of passage: each grants it to the other. JL-R19"""
    return state.stance(empire, other) == state.stance(other, empire) == "passage"


@rule("13.2")
def opposes(state: LanesState, empire: Side, other: Side) -> bool:
    """Whether groups of two empires are opposing ones. 13.2, JL-R19"""
    return empire != other and not has_passage(state, empire, other)


@rule("13.2")
def opposed_among(state: LanesState, empires: Iterable[Side]) -> list[Side]:
    """Those of several empires that oppose at least one of the others. 13.2"""
    present = list(dict.fromkeys(empires))
    return [one for one in present if any(opposes(state, one, other) for other in present)]


def agreements(state: LanesState, empire: Side) -> list[str]:
    """What an empire grants others and is granted by them, in lines; wars and treaties are public, and offers are told
    to the two."""
    said: list[str] = []
    for other in state.others(empire):
        name = state.empires[other].name
        mine, theirs = state.stance(empire, other), state.stance(other, empire)
        if has_passage(state, empire, other):
            said.append(f"{name}: a treaty of passage.")
        elif "war" in (mine, theirs):
            said.append(f"{name}: war.")
        elif mine == "passage":
            said.append(f"{name}: you grant passage, which is not returned.")
        elif theirs == "passage":
            said.append(f"{name}: grants you passage, which you do not return.")
    return said
