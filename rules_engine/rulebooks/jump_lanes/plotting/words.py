"""A sheet in words: what is read back with the turns of arrival, what may be regretted, and the ways on the map."""

from collections.abc import Iterable, Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.views import Course
from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import Speeds, slowest
from rules_engine.rulebooks.jump_lanes.ch1_movement.journeys import DRAWN, Due, ahead, next_stretch, timetable
from rules_engine.rulebooks.jump_lanes.ch5_exploration.checks import chance_of
from rules_engine.rulebooks.jump_lanes.ch5_exploration.forces import (
    ExplorationForce,
    end_at,
    exploration_forces,
    of_force,
    order_text,
)
from rules_engine.rulebooks.jump_lanes.plotting.cargo_words import ACTIONS, say_cargo
from rules_engine.rulebooks.jump_lanes.plotting.groups import ALONE
from rules_engine.rulebooks.jump_lanes.plotting.judging import group_orders, judge_sheet, stops_of
from rules_engine.rulebooks.jump_lanes.plotting.routes import goal_name, say_stopped
from rules_engine.rulebooks.jump_lanes.records.orders import (
    CargoOrder,
    GroupOrders,
    LaneSheet,
    RouteLegOrder,
)
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, names_of
from rules_engine.rulebooks.jump_lanes.records.units import Squadron, Unit

_STANCES = {"none": "nothing is granted", "passage": "passage is granted", "war": "war"}


def read_back(state: LanesState, empire: Side, sheet: LaneSheet) -> list[str]:
    """What each group does by a sheet, a sentence each."""
    tried = judge_sheet(state, empire, sheet).state
    said = [*_regrouping(state, empire, sheet)]
    for group in tried.groups_of(empire):
        squadrons = tried.group(group)
        if group in tried.fleets:
            names = ", ".join(one.name for one in squadrons)
            said.append(f"{group}: {'; '.join(_moves(tried, group))} ({names})")
            said += [f"{one.id}: {'; '.join(does)}" for one in squadrons if (does := [*_works(state, tried, one)])]
        else:
            said += [f"{one.id}: {'; '.join([*_moves(tried, group), *_works(state, tried, one)])}" for one in squadrons]
    for other in state.others(empire):
        stance = sheet.of(other).stance
        if stance is not None and stance != state.stance(empire, other):
            said.append(f"{other}: {_STANCES[stance]} from this turn on")
    return said or ["You command no group."]


def _regrouping(state: LanesState, empire: Side, sheet: LaneSheet) -> Iterable[str]:
    """Which squadrons part, join others or move with others from now on."""
    for squadron in state.squadrons_of(empire):
        line = sheet.of(squadron.id)
        if line.detach:
            leaving = [state.units[key] for key in line.detach if key in state.units]
            as_what = "leaves as a squadron of its own" if len(leaving) == 1 else "leave as a squadron of their own"
            yield f"{squadron.id}: {names_of(leaving)} {as_what}"
        if line.join:
            yield f"{squadron.id}: becomes a part of {_group_name(state, line.join)}"
        if line.fleet:
            alone = "moves in no fleet any more"
            yield f"{squadron.id}: {alone if line.fleet == ALONE else f'moves with {_group_name(state, line.fleet)}'}"


def _group_name(state: LanesState, key: str) -> str:
    """What a squadron or fleet is called, with its id."""
    group = state.squadrons.get(key) or state.fleets.get(key)
    return key if group is None or group.name == key else f"{group.name} ({key})"


def _speeds(state: LanesState, group: str) -> Speeds:
    return slowest(unit for one in state.group(group) for unit in state.members(one.id))


def _moves(state: LanesState, group: str) -> Iterable[str]:
    """How a group moves, with the turn of each arrival."""
    squadrons, orders = state.group(group), group_orders(state, group)
    transit = squadrons[0].transit
    if transit is not None:
        arrives = state.turn + max(0, transit.turns_left - 1)
        yield f"in transit to {goal_name(state, transit.goal)}, arrives in turn {arrives}"
        if due := [*_arrivals(state, group, arrives + 1)]:
            yield f"then goes {_route_with_turns(state, due)}"
        return
    here = state.place_name(squadrons[0].at)
    legs = ahead(orders)
    if any(one.orders.explore for one in squadrons):
        if legs:
            yield "its route waits"
        return
    if not legs:
        yield f"stays at {here}"
        return
    due = [*_arrivals(state, group)]
    if not due:
        yield f"stays at {here}, for it cannot begin its route"
        return
    yield f"goes {here} > {_route_with_turns(state, due)}"
    if orders.again_from is not None:
        yield "again and again"
    first = next_stretch(state, _speeds(state, group), legs, stops_of(state, group))
    if first.jump is not None:
        yield f"an extended jump of {counted(first.turns, 'turn')}"


def _route_with_turns(state: LanesState, due: Iterable[Due]) -> str:
    return " > ".join(f"{goal_name(state, one.leg.to)} (turn {one.turn})" for one in due)


def _arrivals(state: LanesState, group: str, turn: int = 0) -> Iterable[Due]:
    """The legs of a group's route, or of a whole round of it, each with the turn in which it is done, if it sets out
    now or in that ``turn``."""
    legs = _one_round(group_orders(state, group))
    return timetable(state, _speeds(state, group), legs, stops_of(state, group), turn or state.turn)


def _one_round(orders: GroupOrders) -> Sequence[RouteLegOrder]:
    """The legs up to the end of the route, or of the first whole round."""
    legs = ahead(orders)
    if orders.again_from is None or orders.gone <= orders.again_from:
        return legs[: len(orders.legs) - orders.gone]
    return legs[: len(orders.legs) - orders.again_from]


def _works(before: LanesState, state: LanesState, squadron: Squadron) -> Iterable[str]:
    """What a squadron does beside moving; ``before`` is how all was before the sheet."""
    if squadron.transit is not None:
        return
    orders = squadron.orders
    for action, verb in ACTIONS.items():
        some = [f"{say_cargo(state, one)}{_when(state, squadron, one)}" for one in orders.cargo if one.action == action]
        if some:
            yield f"{verb} {', '.join(some)}"
    members = state.members(squadron.id)
    if towed := [one for one in members if one.towed]:
        tugs = [one for one in members if one.tows]
        yield f"{names_of(tugs)} {'tows' if len(tugs) == 1 else 'tow'} {names_of(towed)}"
    if left := [state.units[one.id] for one in _in_tow(before, squadron.id) if state.units[one.id].at]:
        yield f"leaves {names_of(left)} at {state.place_name(squadron.at)}"
    if orders.explore:
        yield _explores(state, squadron)
    if orders.invade:
        yield "invades where it comes to"


def _in_tow(state: LanesState, squadron: str) -> Iterable[Unit]:
    """What a squadron has in tow."""
    return (one for one in (state.members(squadron) if squadron in state.squadrons else ()) if one.towed)


def _when(state: LanesState, squadron: Squadron, order: CargoOrder) -> str:
    """When an order for cargo is carried out, if not at once: in the turn after the squadron has come there."""
    if order.again:
        return " each time"
    turn = cargo_turn(state, squadron, order)
    if turn is None:
        return ", once it is there"
    return "" if turn == state.turn else f" (turn {turn})"


def cargo_turn(state: LanesState, squadron: Squadron, order: CargoOrder) -> int | None:
    """The turn in which an order for cargo is carried out; None if the squadron's route does not lead there. Cargo
    comes before movement, so of a place on the way it is the turn after."""
    if order.at == squadron.at:
        return state.turn
    group = squadron.fleet or squadron.id
    return next((one.turn + 1 for one in _arrivals(state, group) if one.leg.to == order.at), None)


def _explores(state: LanesState, squadron: Squadron) -> str:
    """What a squadron explores, with all that explore it together, and their chance. 13.5.1"""
    lane = state.lanes[squadron.orders.explore]
    alone = ExplorationForce(squadron.empire, end_at(state, squadron.at, lane), lane.id, (squadron.id,))
    force = next((one for one in exploration_forces(state) if squadron.id in one.squadrons), alone)
    text = order_text(state, lane, of_force(state, force))
    return f"{text}: chance {chance_of(state, force)} of 100"


def warnings(state: LanesState, empire: Side, sheet: LaneSheet) -> list[str]:
    """What an empire would probably regret of a sheet, from what it knows itself."""
    tried = judge_sheet(state, empire, sheet).state
    said = [*_stopped(tried, empire), *_too_late(tried, empire)]
    for group in tried.groups_of(empire):
        squadrons, orders = tried.group(group), group_orders(tried, group)
        if squadrons[0].transit is not None or not orders.legs or any(one.orders.explore for one in squadrons):
            continue
        stretch = next_stretch(tried, _speeds(tried, group), ahead(orders), stops_of(tried, group))
        if stretch.jump is not None:
            last = tried.turn + stretch.turns - 1
            said.append(f"{group}: no orders and no way back to the end of turn {last} (13.1.6)")
        elif not stretch.reached:
            said.append(f"{group}: cannot begin its route (13.1.5)")
    return said


def _stopped(state: LanesState, empire: Side) -> Iterable[str]:
    """Groups that others stopped, and where their routes go on if nothing is said. 13.2, JL-R44"""
    for group in state.groups_of(empire):
        orders = group_orders(state, group)
        explores = any(one.orders.explore for one in state.group(group))
        if orders.stopped_at and not explores:
            yield f"{group}: {say_stopped(state, orders)}"


def _too_late(state: LanesState, empire: Side) -> Iterable[str]:
    """Orders for cargo that come after the last turn. JL-R02"""
    for squadron in state.squadrons_of(empire):
        for order in squadron.orders.cargo if squadron.at else ():
            turn = cargo_turn(state, squadron, order)
            if turn is not None and turn > state.turns and not order.again:
                what = say_cargo(state, order)
                yield f"{squadron.id}: {ACTIONS[order.action]} {what} in turn {turn}, after the last (13.3.3)"


def courses(state: LanesState, empire: Side, sheet: LaneSheet) -> list[Course]:
    """The ways of a sheet on the map."""
    tried = judge_sheet(state, empire, sheet).state
    found: list[Course] = []
    for group in tried.groups_of(empire):
        here, orders = tried.group(group)[0].at, group_orders(tried, group)
        places = [one.to for one in _one_round(orders) if not one.to.startswith(DRAWN)]
        if here and places:
            found.append(Course(counter=group, kind="plotted", hexes=(here, *places)))
    return found
