"""Judging a sheet from what its empire knows: every defect, with its rule and what would be legal.

A sheet is tried on a copy of what the empire has. ``arrange`` is the same function that carries it out in earnest.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import RULES, SAID, equipment_for, lacking, slowest
from rules_engine.rulebooks.jump_lanes.ch1_movement.journeys import ahead, next_stretch
from rules_engine.rulebooks.jump_lanes.ch3_cargo.invasion import judge_invasion
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import due, trial, work_cargo
from rules_engine.rulebooks.jump_lanes.ch4_towing.tows import able_tugs, judge_tow, needed_for, set_tow
from rules_engine.rulebooks.jump_lanes.ch5_exploration.forces import end_at, judge_exploration, known_unexplored
from rules_engine.rulebooks.jump_lanes.plotting.cargo_words import what_name
from rules_engine.rulebooks.jump_lanes.plotting.groups import detach, go_with, join, tidy_fleets
from rules_engine.rulebooks.jump_lanes.plotting.names import listed, unit_names
from rules_engine.rulebooks.jump_lanes.plotting.reading import GivenCargo, give_cargo, give_route
from rules_engine.rulebooks.jump_lanes.plotting.routes import write_route
from rules_engine.rulebooks.jump_lanes.records.orders import GroupOrders, LaneSheet
from rules_engine.rulebooks.jump_lanes.records.places import LaneType, system_of
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, names_of
from rules_engine.rulebooks.jump_lanes.records.units import Squadron, Unit
from rules_engine.rulebooks.jump_lanes.sightings import systems_held


@dataclass
class JudgedSheet:
    """A sheet as it was understood, tried on ``state``, with every defect. ``told`` are the squadrons and fleets about
    which it says something, ``formed`` the fleets that it forms, ``cargo`` what it orders for cargo."""

    state: LanesState
    empire: Side
    told: list[str] = field(default_factory=list[str])
    formed: list[str] = field(default_factory=list[str])
    cargo: list[GivenCargo] = field(default_factory=list[GivenCargo])
    refusals: list[Refusal] = field(default_factory=list[Refusal])


def judge_sheet(state: LanesState, empire: Side, sheet: LaneSheet) -> JudgedSheet:
    """Judge an empire's sheet from its own units and what it knows of the map."""
    judged = arrange(copy_of_own(state, empire), empire, sheet)
    tried, refusals = judged.state, judged.refusals
    refusals += _cargo(judged)
    for key in judged.told:
        for squadron in tried.group(key):
            refusals += _explores(judged, squadron)
    for group in tried.groups_of(empire):
        refusals += _goes(state, tried, group, sheet)
    refusals += [one for key in judged.told for one in _invades(tried, key, sheet)]
    return judged


def copy_of_own(state: LanesState, empire: Side) -> LanesState:
    """The state with copies of what an empire's sheet may change."""
    tried = trial(state, empire)
    tried.empires = {**state.empires, empire: state.empires[empire].copied()}
    tried.chart_found, tried.lanes_found = state.chart, state.lanes_found
    return tried


def arrange(state: LanesState, empire: Side, sheet: LaneSheet) -> JudgedSheet:
    """Let squadrons part, join, form fleets and take in tow as a sheet says, and give them their orders."""
    judged = JudgedSheet(state, empire)
    refusals = judged.refusals
    known = [*(one.id for one in state.fleets_of(empire)), *(one.id for one in state.squadrons_of(empire))]
    others = state.others(empire)
    leads = [(one, state.group(one.id)[0]) for one in state.fleets_of(empire)]
    before = {one.id: write_route(state, one.orders, lead.at) for one, lead in leads if lead.at}
    for key in sheet.root:
        if key not in known and key not in others:
            refusals.append(
                malformed("you command no such group", key, legal=listed(known), nearest=nearest(key, known))
            )
    told = [key for key in known if key in sheet.root and not _is_out_of_reach(judged, sheet, key)]
    squadrons = [key for key in told if key in state.squadrons]
    for key in squadrons:
        refusals += detach(state, state.squadrons[key], sheet.of(key).detach or (), f"{key}.detach")
    for key in squadrons:
        refusals += _regroup(judged, sheet, key)
    judged.formed = [one.id for one in state.fleets_of(empire) if one.id not in known]
    for key in told:
        if key in state.squadrons:
            refusals += _tows(state, state.squadrons[key], sheet.of(key).tow, f"{key}.tow")
    tidy_fleets(state)
    for key in told:
        _give_orders(judged, sheet, key)
        line = sheet.of(key)
        if key in before and key not in state.fleets and (line.go or line.route not in (None, before[key])):
            problem = f"{key} has fewer than two squadrons left and is no fleet any more"
            path = f"{key}.{'go' if line.go else 'route'}"
            refusals.append(illegal(problem, "13.1.5", path, legal="the same, said to a squadron"))
    judged.told = [key for key in told if key in state.squadrons or key in state.fleets]
    return judged


@rule("13.1.6")
def _is_out_of_reach(judged: JudgedSheet, sheet: LaneSheet, key: str) -> bool:
    """Whether a group is in transit: no order of any kind reaches it. 13.1.6, JL-R13"""
    state = judged.state
    transit = next((one.transit for one in state.group(key) if one.transit is not None), None)
    if transit is None:
        return False
    said = [name for name, value in sheet.of(key) if value is not None]
    if said:
        name = state.squadrons[key].name if key in state.squadrons else state.fleets[key].name
        legal = f"orders from turn {state.turn + transit.turns_left} on"
        text = f"{name} is in transit and out of communication"
        judged.refusals += [illegal(text, "13.1.6", f"{key}.{said[0]}", legal=legal)]
    return True


def _regroup(judged: JudgedSheet, sheet: LaneSheet, key: str) -> list[Refusal]:
    state, line = judged.state, sheet.of(key)
    squadron = state.squadrons[key]
    if line.join:
        path = f"{key}.join"
        if line.fleet:
            return [malformed(f"{squadron.name} joins another squadron", f"{key}.fleet", legal="one of the two")]
        if sheet.of(line.join).join:
            return [malformed(f"{line.join} joins another itself", path, legal="a squadron that stays one")]
        own = [name for name in ("go", "route", "explore", "tow", "invade") if getattr(line, name)]
        if own:
            text = f"{squadron.name} joins {line.join}, and does what that does"
            return [malformed(text, f"{key}.{own[0]}", legal=f"say it to {line.join}")]
        return join(state, squadron, line.join, path)
    return go_with(state, squadron, line.fleet, f"{key}.fleet") if line.fleet else []


@rule("13.4.1")
def _tows(state: LanesState, squadron: Squadron, keys: Sequence[str] | None, path: str) -> list[Refusal]:
    """Take units in tow by as few tugs as have the rating, the strongest first. 13.4.1, JL-R29"""
    if keys is None or sorted(keys) == sorted(unit.id for unit in state.members(squadron.id) if unit.towed):
        return []
    names = unit_names(state, squadron.empire)
    read = [names.read(key, path) for key in keys]
    if strangers := [one for _, defects in read for one in defects]:
        return strangers
    towed = [state.units[key] for key, _ in read]
    tugs = tugs_for(state, squadron, towed)
    refusals = judge_tow(state, squadron, tugs, towed, path)
    if not refusals:
        set_tow(state, squadron, tugs, towed)
    return refusals


def tugs_for(state: LanesState, squadron: Squadron, towed: Sequence[Unit]) -> list[Unit]:
    """The tugs of a squadron that take units in tow: the strongest, as many as are needed; all, if they are too few."""
    needed = needed_for(towed)
    able = [unit for unit in able_tugs(state, squadron) if unit not in towed]
    chosen: list[Unit] = []
    for tug in sorted(able, key=lambda one: (-one.towing, one.id)):
        if sum(unit.towing for unit in chosen) >= needed:
            break
        chosen.append(tug)
    return chosen


def _give_orders(judged: JudgedSheet, sheet: LaneSheet, key: str) -> None:
    """Give a fleet or squadron its route, its exploration, and what it does with cargo."""
    state, line = judged.state, sheet.of(key)
    if key in state.fleets:
        judged.refusals += give_route(state, state.fleets[key].orders, key, line)
        return
    squadron = state.squadrons.get(key)
    if squadron is None:
        return
    if squadron.fleet in judged.formed and (line.go or line.route):
        judged.refusals += give_route(state, state.fleets[squadron.fleet].orders, key, line)
    elif squadron.fleet and (line.go or line.route):
        field_name = "go" if line.go else "route"
        fleet = state.fleets[squadron.fleet].name
        text = f"{squadron.name} moves with {fleet}"
        legal = f"a route for {squadron.fleet}, or {squadron.name} in no fleet"
        judged.refusals.append(illegal(text, "13.1.5", f"{key}.{field_name}", legal=legal))
    elif not squadron.fleet:
        judged.refusals += give_route(state, squadron.orders, key, line)
    squadron.orders.invade = bool(line.invade)
    squadron.orders.explore = ""
    if line.explore:
        known = known_unexplored(state, judged.empire, squadron.at)
        lanes = {one.mark(end_at(state, squadron.at, one)): one.id for one in known}
        squadron.orders.explore = lanes.get(line.explore, "")
        if not squadron.orders.explore:
            here = state.place_name(squadron.at)
            legal = listed(lanes) or f"nothing, for you know no unexplored lane at {here}"
            text = f"you know no unexplored lane “{line.explore[:40]}” at {here}"
            near = nearest(line.explore, lanes)
            judged.refusals.append(illegal(text, "13.5.1, JL-R34", f"{key}.explore", legal=legal, nearest=near))
    given, refusals = give_cargo(state, squadron, line)
    judged.cargo += given
    judged.refusals += refusals


@rule("13.3.3-embarking")
def _cargo(judged: JudgedSheet) -> list[Refusal]:
    """Try what is done with cargo where squadrons stand, the standing orders too, and refuse what the sheet orders and
    cannot be; what is to be done elsewhere must lie on the way. 13.3.3-embarking, JL-R24"""
    state, refusals = judged.state, list[Refusal]()
    paths = {(one.squadron, one.order): one.path for one in judged.cargo}
    for one in judged.cargo:
        squadron = state.squadrons[one.squadron]
        orders = group_orders(state, state.group_of(squadron))
        if one.order.at != squadron.at and all(leg.to != one.order.at for leg in ahead(orders)):
            text = f"{squadron.name} does not come to {state.place_name(one.order.at)}"
            legal = f"{state.place_name(squadron.at)}, or a place of its route"
            refusals.append(malformed(text, one.path, legal=legal))
        if one.order.action == "unload" and any(_loads_the_same(one, other) for other in judged.cargo):
            what = what_name(state, one.order.with_values(amount=None))
            text = f"{what} would be embarked and disembarked in the same turn"
            refusals.append(illegal(text, "13.3.3", one.path, legal="disembarking from the next turn on"))
            paths.pop((one.squadron, one.order), None)
    wanted = [(key, order) for key in sorted(state.squadrons) for order in due(state.squadrons[key])]
    for done in work_cargo(state, wanted):
        path = paths.get((done.squadron, done.order))
        if path is not None:
            refusals += [one.with_values(path=path) for one in done.refusals]
    return refusals


def _loads_the_same(one: GivenCargo, other: GivenCargo) -> bool:
    same = (one.squadron, one.order.what, one.order.at) == (other.squadron, other.order.what, other.order.at)
    return same and other.order.action == "load"


def group_orders(state: LanesState, group: str) -> GroupOrders:
    """The orders by which a group moves."""
    return state.fleets[group].orders if group in state.fleets else state.squadrons[group].orders


@rule("13.5.1")
def _explores(judged: JudgedSheet, squadron: Squadron) -> list[Refusal]:
    """Refuse exploration by who may not, and by who is sent somewhere in the same sheet. 13.5.1"""
    state = judged.state
    if not squadron.orders.explore or squadron.id not in judged.told:
        return []
    lane = state.lanes[squadron.orders.explore]
    moves = bool(group_orders(state, state.group_of(squadron)).fresh)
    return judge_exploration(state, squadron, lane, f"{squadron.id}.explore", moves=moves)


@rule("13.1.5", "13.1.1", "13.1.2", "13.1.3", "13.1.4")
def _goes(before: LanesState, state: LanesState, group: str, sheet: LaneSheet) -> list[Refusal]:
    """Refuse a route over lanes for which a member has no propulsion, and is neither in tow nor carried; of a route
    that stood ``before`` what the sheet made so, for it orders nothing else. 13.1.1, 13.1.2, 13.1.3, 13.1.4, 13.1.5,
    JL-R05, JL-R09"""
    units = [unit for squadron in state.group(group) for unit in state.members(squadron.id)]
    line = sheet.of(group)
    path = f"{group}.{'go' if line.go else 'route'}"
    refusals: list[Refusal] = []
    orders = group_orders(state, group)
    stood = [] if orders.fresh else [unit for one in before.group(group) for unit in before.members(one.id)]
    types: list[LaneType] = [state.lanes[leg.lane].type for leg in ahead(orders)]
    for lane_type in dict.fromkeys(types):
        known = {unit.id for unit in lacking(stood, lane_type)}
        unable = [unit for unit in lacking(units, lane_type) if unit.id not in known]
        if unable or not units:
            needs = SAID[equipment_for(lane_type)]
            text = f"{names_of(unable)} {'has' if len(unable) == 1 else 'have'} no {needs} for {lane_type} lanes"
            legal = f"units with {needs}, or others in tow or as cargo"
            refusals.append(illegal(text, RULES[lane_type], path, legal=legal))
    return refusals


def _invades(state: LanesState, key: str, sheet: LaneSheet) -> list[Refusal]:
    squadron = state.squadrons.get(key)
    if squadron is None or not sheet.of(key).invade:
        return []
    place = end_of_turn(state, squadron)
    is_seen = system_of(place) in systems_held(state, squadron.empire)
    return judge_invasion(state, squadron, place, f"{key}.invade", is_seen=is_seen)


def end_of_turn(state: LanesState, squadron: Squadron) -> str:
    """Where a squadron's route of this turn ends, if nobody stops it."""
    group = state.group_of(squadron)
    units = [unit for one in state.group(group) for unit in state.members(one.id)]
    stretch = next_stretch(state, slowest(units), ahead(group_orders(state, group)), stops_of(state, group))
    places = [one.place for one in stretch.reached if one.place in state.systems or one.place in state.planets]
    return places[-1] if places else squadron.at


def stops_of(state: LanesState, group: str) -> set[str]:
    """The places where a group pauses, because something is done with cargo there."""
    return {order.at for squadron in state.group(group) for order in squadron.orders.cargo if order.at}
