"""Exploration checks, at the beginning of the Movement Phase, and surveys that are then known to all (13.5.2)."""

from typing import NamedTuple

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.jump_lanes.ch5_exploration.forces import (
    ExplorationForce,
    exploration_forces,
    of_force,
    science_of,
)
from rules_engine.rulebooks.jump_lanes.ch5_exploration.perils import fall_in_peril
from rules_engine.rulebooks.jump_lanes.charts import publish
from rules_engine.rulebooks.jump_lanes.records.places import JumpLane, LaneClass
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn
from rules_engine.rulebooks.jump_lanes.tables.exploration import (
    CHECK_FACES,
    CLASS_FACES,
    MINOR_SUCCESS_BONUS,
    Outcome,
    check_outcome,
    success_chance,
    surveyed_class,
)

CHANCE = "chance"


class Explored(NamedTuple):
    """What came of a force's check; ``surveyed`` is the class of the lane whose survey it completed."""

    empire: Side
    outcome: Outcome
    surveyed: LaneClass | None = None


@rule("13.5", "13.5.2")
def explore(turn: LanesTurn) -> list[Explored]:
    """Make the checks of all exploration orders of this turn, one for each force, and end the orders. All are of the
    map as it was before any of them. 13.5, 13.5.2, JL-N40"""
    state = turn.state
    checks = [(force, _inputs(state, force)) for force in exploration_forces(state)]
    for squadron in state.squadrons.values():
        squadron.orders.explore = ""
    found = [_check(turn, force, inputs) for force, inputs in checks]
    for lane in (state.lanes[force.lane] for force, _ in checks):
        if lane.explored:  # maybe another completed the survey before this turn's partial one
            lane.bonus.clear()
    return found


@rule("13.5.2")
def chance_of(state: LanesState, force: ExplorationForce) -> int:
    """A force's chance in percent: of the lane's difficulty, with its Science and its empire's bonus. 13.5.2"""
    lane = state.lanes[force.lane]
    science = science_of(state, of_force(state, force))
    return success_chance(state.chances.of(lane.difficulty), science, lane.bonus.get(force.empire, 0))


def _inputs(state: LanesState, force: ExplorationForce) -> dict[str, int]:
    """What a force's check goes by."""
    lane = state.lanes[force.lane]
    return {
        f"difficulty {lane.difficulty}": state.chances.of(lane.difficulty),
        "+ Science": science_of(state, of_force(state, force)),
        "+ bonus": lane.bonus.get(force.empire, 0),
        CHANCE: chance_of(state, force),
    }


def _check(turn: LanesTurn, force: ExplorationForce, inputs: dict[str, int]) -> Explored:
    state, lane, empire = turn.state, turn.state.lanes[force.lane], force.empire
    mark = lane.mark(force.end)
    roll = turn.roll(f"exploration of {mark}", faces=CHECK_FACES, key=f"check/{empire}/{mark}", seen_by=[empire])
    outcome = check_outcome(inputs[CHANCE], roll.total)
    names = ", ".join(one.name for one in of_force(state, force))
    said = f"{names} explore{'s' if len(force.squadrons) == 1 else ''} {mark}: {outcome}"
    why = because("13.5.2, JL-R36", inputs, dice=[roll])
    match outcome:
        case "major success":
            turn.tell([empire], f"{said}, the survey is complete.", kind="exploration", why=why)
            return Explored(empire, outcome, _complete(turn, lane, empire))
        case "minor success":
            lane.bonus[empire] = lane.bonus.get(empire, 0) + MINOR_SUCCESS_BONUS
            text = f"{said}, a partial survey: +{lane.bonus[empire]} on later checks of this lane."
            turn.tell([empire], text, kind="exploration", why=why)
        case "minor failure":
            turn.tell([empire], f"{said}, no way across was found.", kind="exploration", why=why)
        case "major failure":
            turn.tell([empire], f"{said}, the force is in peril.", kind="exploration", why=why)
            fall_in_peril(turn, force)
    return Explored(empire, outcome)


@rule("13.5", "13.5.2")
def _complete(turn: LanesTurn, lane: JumpLane, empire: Side) -> LaneClass:
    """Complete a survey: the lane's class is rolled, unless another has completed it in this turn, and everybody knows
    it from now on. 13.5, 13.5.2, JL-R41, JL-N40"""
    state = turn.state
    ends = " to ".join(_called(state, end) for end in (lane.a, lane.b))
    if lane.explored and lane.lane_class is not None:
        text = f"{turn.name_of(empire)} has surveyed the lane from {ends}, too."
        turn.tell_all(text, kind="survey", why=because("13.5.2, JL-N40"))
        return lane.lane_class
    roll = turn.roll(f"class of the lane from {ends}", faces=CLASS_FACES, key=f"class/{lane.a}/{lane.b}")
    lane.explored, lane.lane_class = True, surveyed_class(roll.total, state.classes)
    lane.surveyed_by, lane.surveyed_in = empire, state.turn
    publish(state, lane)
    text = f"{turn.name_of(empire)} has surveyed the {lane.type} lane from {ends}: {lane.lane_class}."
    turn.tell_all(text, kind="survey", why=because("13.5.2, JL-R41", dice=[roll]))
    return lane.lane_class


def _called(state: LanesState, end: str) -> str:
    return state.galaxies[end].name if end in state.galaxies else state.place_name(end)
