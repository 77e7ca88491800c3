"""Exploration orders: who explores which lane, and with which Science rating (13.5.1)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.charts import unexplored_at
from rules_engine.rulebooks.jump_lanes.records.places import JumpLane, LaneId, PlaceId
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import GROUND_KINDS, Squadron, Unit


class ExplorationForce(NamedTuple):
    """Squadrons of one empire at one end of a lane that they explore together. ``end`` is the place or, of an
    intergalactic lane, the galaxy, by which the lane is called. JL-N38"""

    empire: Side
    end: str
    lane: LaneId
    squadrons: tuple[str, ...]


def end_at(state: LanesState, place: PlaceId, lane: JumpLane) -> str:
    """The end by which a lane touches a place: the place itself or its galaxy; "" if it does not."""
    here = state.galaxy_of(place) if lane.type == "intergalactic" else place
    return here if here and here in (lane.a, lane.b) else ""


def known_unexplored(state: LanesState, empire: Side, place: PlaceId) -> list[JumpLane]:
    """The unexplored lanes that an empire knows of where it stands, those of the galaxy last."""
    of = state.empires[empire]
    galaxy = state.galaxy_of(place)
    return [*unexplored_at(state, of, place), *(unexplored_at(state, of, galaxy) if galaxy else ())]


@rule("13.5", "13.5.1")
def judge_exploration(
    state: LanesState, squadron: Squadron, lane: JumpLane, path: str, *, moves: bool
) -> list[Refusal]:
    """Refusals of an exploration order: in transit, of a lane that is explored or is not at this place, without
    Science, and by who also moves in this turn. 13.5, 13.5.1, JL-R34"""
    if squadron.transit is not None:
        text = f"{squadron.name} is in transit and out of communication"
        return [illegal(text, "13.1.6", path, legal="orders from the turn after its arrival on")]
    known = known_unexplored(state, squadron.empire, squadron.at)
    marks = [one.mark(end_at(state, squadron.at, one)) for one in known]
    here = state.place_name(squadron.at)
    legal = ", ".join(marks) or f"nothing, for no unexplored lane of {here} is known"
    refusals: list[Refusal] = []
    if lane.explored and end_at(state, squadron.at, lane):
        refusals.append(illegal("that lane is explored already", "13.5.1", path, legal=legal))
    elif lane not in known:
        refusals.append(illegal(f"that lane is not at {here}", "13.5.1", path, legal=legal))
    if not science_of(state, [squadron]):
        text = f"{squadron.name} has no Science rating"
        refusals.append(illegal(text, "13.5", path, legal="a squadron with active, supplied Science-equipped units"))
    if moves:
        text = f"{squadron.name} explores and would also move"
        refusals.append(illegal(text, "13.5.1", path, legal="exploration or movement in a turn"))
    return refusals


@rule("13.5.1")
def science_of(state: LanesState, squadrons: Iterable[Squadron]) -> int:
    """The Science rating of squadrons: of their active units in supply, with the Flights that are based on them, and of
    the ground units that they carry as cargo. 13.5.1, JL-N39"""
    return sum(one.science for squadron in squadrons for one in contributing(state, squadron))


def contributing(state: LanesState, squadron: Squadron) -> list[Unit]:
    """The units whose Science counts."""
    ground = (unit for unit in state.carried(squadron.id) if unit.kind in GROUND_KINDS)
    able = [*state.members(squadron.id), *ground]
    return [unit for unit in able if unit.science and not (unit.crippled or unit.out_of_supply)]


@rule("13.5.1")
def exploration_forces(state: LanesState) -> list[ExplorationForce]:
    """The forces that explore in this turn, empire by empire: squadrons at one end that were ordered to explore the
    same lane are one force. Orders that cannot be carried out any more are left out. 13.5.1, JL-N38"""
    forces: dict[tuple[Side, str, LaneId], list[str]] = {}
    for empire in state.empires:
        for squadron in state.squadrons_of(empire):
            lane = state.lanes.get(squadron.orders.explore)
            if lane is None or lane.explored or not squadron.at:
                continue
            end = end_at(state, squadron.at, lane)
            if end and science_of(state, [squadron]):
                forces.setdefault((empire, end, lane.id), []).append(squadron.id)
    return [ExplorationForce(*key, tuple(squadrons)) for key, squadrons in forces.items()]


def of_force(state: LanesState, force: ExplorationForce) -> list[Squadron]:
    """A force's squadrons that there still are."""
    return [state.squadrons[key] for key in force.squadrons if key in state.squadrons]


@rule("13.5.1")
def order_text(state: LanesState, lane: JumpLane, squadrons: Sequence[Squadron]) -> str:
    """An exploration order as it is read back: the lane, their Science, and which squadrons if several. 13.5.1"""
    names = ", ".join(one.name for one in squadrons)
    mark = lane.mark(end_at(state, squadrons[0].at, lane))
    together = f", {names} together" if len(squadrons) > 1 else ""
    return f"explores {mark} with Science {science_of(state, squadrons)}{together}"
