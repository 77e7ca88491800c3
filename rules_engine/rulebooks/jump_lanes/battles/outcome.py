"""What a battle changes: losses, damage, tows, who withdrew whither, and what is known of others now."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import verb
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.jump_lanes.battles.account import unit_of
from rules_engine.rulebooks.jump_lanes.battles.fighting import Settled
from rules_engine.rulebooks.jump_lanes.battles.losses import lose_after
from rules_engine.rulebooks.jump_lanes.battles.results import line_text
from rules_engine.rulebooks.jump_lanes.battles.suffering import suffer
from rules_engine.rulebooks.jump_lanes.battles.tows import tows_changed
from rules_engine.rulebooks.jump_lanes.ch1_movement.costs import lane_cost
from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import equipment_for, lacking, slowest
from rules_engine.rulebooks.jump_lanes.ch1_movement.journeys import end_route
from rules_engine.rulebooks.jump_lanes.ch1_movement.transits import turn_back
from rules_engine.rulebooks.jump_lanes.ch2_encounters.opposing import opposes
from rules_engine.rulebooks.jump_lanes.charts import knows_lane, visit
from rules_engine.rulebooks.jump_lanes.records.battles import Battle
from rules_engine.rulebooks.jump_lanes.records.places import PlaceId
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn, names_of
from rules_engine.rulebooks.jump_lanes.records.units import SPACE_KINDS, Squadron, Unit


class Withdrawing(NamedTuple):
    """A squadron that withdraws, and the others of its battle: where it was fought, as a context's place."""

    turn: LanesTurn
    squadron: str
    others: Sequence[Side]


@rule("13.3.3-loss")
def carry_out_account(turn: LanesTurn, battle: Battle, settled: Settled) -> tuple[list[Unit], list[Withdrawing]]:
    """Carry out the agreed account of a battle, and lose the cargo that does not fit any more; the units that were
    destroyed, and who withdraws when all accounts are carried out. 13.3.3-loss"""
    state, result = turn.state, settled.result
    lines = [line_text(state, battle, code, result.root[code]) for code in battle.lines]
    where = f"{'in' if battle.in_lane else 'at'} {battle.name}"
    said = f"The battle {where} is over. {'; '.join(lines)}."
    turn.tell(battle.sides, said, kind="battle", why=because("G-6", {settled.how: ""}))
    fought = [unit_of(state, battle, code) for code in battle.lines]
    squadrons = [one for one in dict.fromkeys(unit.squadron for unit in fought) if one]
    owners = {key: (state.squadrons[key].empire, state.squadrons[key].name) for key in squadrons}
    fates = {key: result.root[code] for code, key in battle.lines.items()}
    lost, let_go = suffer(state, fates, tows_changed(state, battle, result))
    # By the squadrons of now: what was taken in tow goes along, and a base that was let go stays.
    gone = {state.units[key].squadron for key, line in fates.items() if line.fate == "withdrew" and key in state.units}
    for key in squadrons:
        empire, name = owners[key]
        told = [let_go[key]] if key in let_go else []
        if key in state.squadrons and (cargo := lose_after(state, state.squadrons[key], settled.losses)):
            told.append(f"cargo lost: {cargo}")
        if told:
            turn.tell([empire], f"{name}: {'; '.join(told)}.", kind="loss", why=because("13.3.3, 13.4.1"))
    left = sorted(gone & state.squadrons.keys())
    return lost, [Withdrawing(turn, key, [one for one in battle.sides if one != owners[key][0]]) for key in left]


@rule("13.2")
def withdraw_all(withdrawing: Iterable[Withdrawing]) -> None:
    """Let squadrons leave that withdrew, from all battles at once: each goes by how all stood when the battles were
    over. Of squadrons that oppose each other and would go to one place, one that is drawn has it; the others go by how
    all stand then. 13.2, JL-N14"""
    left = list(withdrawing)
    while left:
        goals = [(one, _goal(one)) for one in left]
        held = [(one, goal) for one, goal in goals if any(_in_the_way(one, goal, two, where) for two, where in goals)]
        first: list[Withdrawing] = []
        for place in dict.fromkeys(goal for _, goal in held):
            rivals = [one for one, goal in held if goal == place]
            key = f"withdraw/{place}/{len(left)}"
            drawn = rivals[0].turn.roll("who withdraws there", faces=len(rivals), key=key, seen_by=[]).total - 1
            first.append(rivals[drawn])
        for one, goal in goals:
            if one in first or (one, goal) not in held:
                withdraw(one, goal)
        left = [one for one, _ in held if one not in first]


def _in_the_way(one: Withdrawing, goal: PlaceId | None, other: Withdrawing, where: PlaceId | None) -> bool:
    """Whether two squadrons that oppose each other would withdraw to one place."""
    state = one.turn.state
    mine, theirs = state.squadrons[one.squadron], state.squadrons[other.squadron]
    return goal is not None and goal == where and opposes(state, mine.empire, theirs.empire)


def _goal(one: Withdrawing) -> PlaceId | None:
    """Where a squadron withdraws to, of equally near places one that is drawn; None where there is none, or it goes
    back into the lane of its jump. JL-R45, JL-N14"""
    squadron = one.turn.state.squadrons[one.squadron]
    found = refuges(one.turn.state, squadron) if squadron.jumped is None else []
    if len(found) < 2:
        return found[0] if found else None
    key = f"refuge/{squadron.id}"
    return found[one.turn.roll("where it withdraws to", faces=len(found), key=key, seen_by=[squadron.empire]).total - 1]


@rule("13.1.6", "13.2")
def withdraw(leaving: Withdrawing, goal: PlaceId | None) -> None:
    """Let a squadron that withdrew leave: back to where it came from in this turn or, where others stand there or it
    did not move, to the nearest place without them that it can reach in a turn; else it stays, and the others of the
    battle see that. One that came out of an extended jump is back in the lane. 13.1.6, 13.2, JL-R45, JL-N14"""
    turn, others = leaving.turn, leaving.others
    state, squadron = turn.state, turn.state.squadrons[leaving.squadron]
    here = squadron.at
    jump = squadron.jumped if squadron.jumped is not None and able_to_return(state, squadron) else None
    why = because("JL-N14" if squadron.jumped is None else "JL-R45")
    if goal is None and jump is None:
        text = f"{squadron.name} withdrew and finds no way out of {state.place_name(here)}."
        turn.tell([squadron.empire], text, kind="movement", why=why)
        units = state.members(squadron.id)
        text = f"{names_of(units)} {verb(len(units), 'finds', 'find')} no way out of {state.place_name(here)}."
        turn.tell(others, text, kind="movement", why=why)
        return
    fleet = state.fleets.get(squadron.fleet)
    over = "; its route is over" if (squadron.orders if fleet is None else fleet.orders).legs else ""
    squadron.fleet = ""
    end_route(squadron.orders)
    if jump is not None:
        squadron.at, squadron.jumped = "", None
        squadron.transit = turn_back(state, jump, here, slowest(state.members(squadron.id)))
        last = state.turn + squadron.transit.turns_left
        text = f"{squadron.name} withdrew into the lane to {state.place_name(jump.origin)}, and arrives in turn {last}"
    else:
        assert goal is not None, "it has no way out, and stays"
        squadron.at = goal
        visit(state, state.empires[squadron.empire], goal)
        text = f"{squadron.name} withdrew to {state.place_name(goal)}"
    turn.tell([squadron.empire], f"{text}{over}.", kind="movement", why=why)


@rule("13.1.5", "13.2")
def able_to_return(state: LanesState, squadron: Squadron) -> bool:
    """Whether a squadron has the propulsion for the lanes by which it came in this turn: what it had in tow may have
    none. 13.1.5, 13.2, JL-R05"""
    members = state.members(squadron.id)
    return not any(lacking(members, state.lanes[key].type) for key in squadron.came_by)


def refuges(state: LanesState, squadron: Squadron) -> list[PlaceId]:
    """Where a squadron may go that withdraws: back, or to one of the places that are nearest. JL-N14"""
    empire, here = state.empires[squadron.empire], squadron.at
    back = squadron.came_from if squadron.came_from != here and able_to_return(state, squadron) else ""
    if back and not held_by_others(state, empire.id, back):
        return [back]
    members = state.members(squadron.id)
    speeds = slowest(members)
    found: list[tuple[tuple[bool, Fraction], PlaceId]] = []
    for lane in state.lanes_at(here):
        cost = lane_cost(state, lane)
        if cost is None or not knows_lane(state, empire, lane) or lacking(members, lane.type):
            continue
        there = lane.other(here)
        if cost <= speeds.of(equipment_for(lane.type)) and not held_by_others(state, empire.id, there):
            found.append(((not _is_own(state, empire.id, there), cost), there))
    best = min((how for how, _ in found), default=None)
    return sorted({there for how, there in found if how == best})


def held_by_others(state: LanesState, empire: Side, place: PlaceId) -> bool:
    """Whether opposing space units are at a place."""
    return any(opposes(state, empire, unit.empire) for unit in space_units_at(state, place))


def space_units_at(state: LanesState, place: PlaceId) -> Sequence[Unit]:
    """The space combat units at a place, in squadrons and by themselves, without cargo."""
    units = [unit for one in state.squadrons_at(place) for unit in state.members(one.id)]
    return [unit for unit in (*units, *state.standing(place)) if unit.kind in SPACE_KINDS]


def _is_own(state: LanesState, empire: Side, place: PlaceId) -> bool:
    return any(one.owner == empire for one in state.colonies_at(place))
