"""The perils of forces whose exploration failed badly (13.5.2, Exploration Peril Table)."""

from collections.abc import Sequence

from rules_engine.core.basics.dice import Roll
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.jump_lanes.casualties import lose_unit, settle
from rules_engine.rulebooks.jump_lanes.ch1_movement.journeys import end_route
from rules_engine.rulebooks.jump_lanes.ch5_exploration.forces import ExplorationForce, of_force
from rules_engine.rulebooks.jump_lanes.charts import visit
from rules_engine.rulebooks.jump_lanes.records.places import Derelict, PlaceId
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn
from rules_engine.rulebooks.jump_lanes.records.units import Unit
from rules_engine.rulebooks.jump_lanes.tables.exploration import PERIL_FACES, SACRIFICE_BONUS, peril

RULE = "13.5.2, JL-R38"


@rule("13.5.2-peril")
def fall_in_peril(turn: LanesTurn, force: ExplorationForce) -> None:
    """Roll on the peril table for a force, carry the result out, and tell its empire alone. 13.5.2-peril"""
    empire = force.empire
    mark = turn.state.lanes[force.lane].mark(force.end)
    roll = turn.roll("peril", faces=PERIL_FACES, key=f"peril/{empire}/{mark}", seen_by=[empire])
    result = peril(roll.total)
    dice = [roll]
    match result:
        case "out of supply":
            text = _out_of_supply(turn.state, force)
        case "sacrifice":
            text = _sacrifice(turn, force, dice)
        case "systems failure":
            text = _systems_failure(turn, force, dice)
        case "unit abandoned":
            text = _abandoned(turn, force, dice)
        case "accidental jump":
            text = _accidental_jump(turn, force)
        case "force lost":
            text = _force_lost(turn.state, force)
    losses = [said for squadron in of_force(turn.state, force) if (said := settle(turn.state, squadron))]
    whole = f"{result[0].upper()}{result[1:]}: {'; '.join([text, *losses])}."
    turn.tell([empire], whole, kind="peril", why=because(RULE, dice=dice))


def members_of(state: LanesState, force: ExplorationForce) -> list[Unit]:
    """The units of a force: those of its squadrons, without their cargo."""
    return [unit for squadron in of_force(state, force) for unit in state.members(squadron.id)]


def _drawn(turn: LanesTurn, force: ExplorationForce, dice: list[Roll]) -> Unit:
    """One unit of a force, each with the same chance. JL-R38"""
    units = members_of(turn.state, force)
    if len(units) == 1:
        return units[0]
    mark = turn.state.lanes[force.lane].mark(force.end)
    key = f"struck/{force.empire}/{mark}"
    roll = turn.roll("which unit", faces=len(units), key=key, seen_by=[force.empire])
    dice.append(roll)
    return units[roll.total - 1]


@rule("13.5.2-peril")
def _out_of_supply(state: LanesState, force: ExplorationForce) -> str:
    """Results 1 to 5: the whole force is Out of Supply. 13.5.2-peril"""
    for unit in members_of(state, force):
        unit.out_of_supply = True
    return "the whole force is out of supply"


@rule("13.5.2-peril")
def _sacrifice(turn: LanesTurn, force: ExplorationForce, dice: list[Roll]) -> str:
    """Result 6: one unit is destroyed, and its empire has a better chance at this lane. 13.5.2-peril, JL-R37"""
    lane = turn.state.lanes[force.lane]
    unit = _drawn(turn, force, dice)
    lose_unit(turn.state, unit)
    lane.bonus[force.empire] = lane.bonus.get(force.empire, 0) + SACRIFICE_BONUS
    return f"{unit.name} is lost, and what it sent gives +{lane.bonus[force.empire]} on later checks of this lane"


@rule("13.5.2-peril")
def _systems_failure(turn: LanesTurn, force: ExplorationForce, dice: list[Roll]) -> str:
    """Result 7: one unit is crippled; one that is crippled already is destroyed. 13.5.2-peril, JL-R39"""
    unit = _drawn(turn, force, dice)
    if unit.crippled:
        lose_unit(turn.state, unit)
        return f"{unit.name}, crippled before, is destroyed"
    unit.crippled = True
    return f"{unit.name} is crippled"


@rule("13.5.2-peril")
def _abandoned(turn: LanesTurn, force: ExplorationForce, dice: list[Roll]) -> str:
    """Result 8: one unit is left behind as a derelict where the force is. 13.5.2-peril"""
    state = turn.state
    unit = _drawn(turn, force, dice)
    at = state.squadrons[unit.squadron].at
    lose_unit(state, unit)
    state.derelicts_made += 1
    key = f"derelict-{state.derelicts_made}"
    state.derelicts[key] = Derelict(id=key, name=unit.name, at=at, kind=unit.kind, siz=unit.siz)
    return f"{unit.name} is abandoned at {state.place_name(at)}, a derelict"


@rule("13.5.2-peril")
def _accidental_jump(turn: LanesTurn, force: ExplorationForce) -> str:
    """Result 9: the force is at the other end of the lane, which stays unexplored. 13.5.2-peril, JL-R40"""
    state, lane = turn.state, turn.state.lanes[force.lane]
    goal = lane.other(force.end)
    if lane.type == "intergalactic":
        goal = _drawn_system(turn, goal, f"arrival/{force.empire}/{lane.mark(force.end)}")
    for squadron in of_force(state, force):
        squadron.at = goal
        end_route(squadron.orders)
    _part_from_fleets(state, force)
    visit(state, state.empires[force.empire], goal)
    return f"the force is at {state.place_name(goal)}, and the lane behind it is unexplored"


def _drawn_system(turn: LanesTurn, galaxy: str, key: str) -> PlaceId:
    systems: Sequence[PlaceId] = [one for one in sorted(turn.state.systems) if turn.state.galaxy_of(one) == galaxy]
    # how many faces it has would tell how many systems there are
    roll = turn.roll("system of arrival", faces=len(systems), key=key, seen_by=[])
    return systems[roll.total - 1]


def _part_from_fleets(state: LanesState, force: ExplorationForce) -> None:
    """Squadrons that jumped are of their fleet no more, unless all of it did."""
    for squadron in of_force(state, force):
        fleet = [one for one in state.squadrons.values() if squadron.fleet and one.fleet == squadron.fleet]
        if any(one.id not in force.squadrons for one in fleet):
            squadron.fleet = ""
        elif squadron.fleet:
            end_route(state.fleets[squadron.fleet].orders)


@rule("13.5.2-peril")
def _force_lost(state: LanesState, force: ExplorationForce) -> str:
    """Result 10: the force is destroyed with all that it carries. 13.5.2-peril"""
    for unit in members_of(state, force):
        state.take_out(unit)
    return "the force has disappeared without a trace"
