"""The lines of a turn's sheet: one for each fleet and squadron that can be reached, and one for each other empire."""

from collections.abc import Iterable
from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.forms.forms import Choice, Field, Form, Line, text_field
from rules_engine.core.grids.lanes import Lane
from rules_engine.rulebooks.jump_lanes.ch1_movement.costs import lane_cost
from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import SAID, equipment_for, slowest
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import (
    held,
    lots_requirement,
    own_colony,
    requirement_of,
    room_of,
)
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import judge_cargo_order
from rules_engine.rulebooks.jump_lanes.ch4_towing.tows import able_tugs, pooled_towing
from rules_engine.rulebooks.jump_lanes.ch5_exploration.checks import chance_of
from rules_engine.rulebooks.jump_lanes.ch5_exploration.forces import (
    ExplorationForce,
    end_at,
    known_unexplored,
    science_of,
)
from rules_engine.rulebooks.jump_lanes.charts import knows_lane
from rules_engine.rulebooks.jump_lanes.plotting.absences import absences, has_holds, lands_troops
from rules_engine.rulebooks.jump_lanes.plotting.cargo_words import write_cargo
from rules_engine.rulebooks.jump_lanes.plotting.groups import ALONE, company
from rules_engine.rulebooks.jump_lanes.plotting.judging import group_orders
from rules_engine.rulebooks.jump_lanes.plotting.routes import say_stopped, write_route
from rules_engine.rulebooks.jump_lanes.records.orders import LONGEST_CARGO, LONGEST_ROUTE, CargoAction, CargoOrder
from rules_engine.rulebooks.jump_lanes.records.places import JumpLane, PlaceId
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import Squadron, Unit
from rules_engine.rulebooks.jump_lanes.tables.loads import towing_cost, unit_requirement

FIRST = 5
"""How many fields are asked at once."""
MOST_GOALS = 23
FARTHEST = 12
"""How far away, in points, a place may be that a menu offers."""
TEXTS: tuple[tuple[CargoAction, str], ...] = (("load", "Loads"), ("unload", "Unloads"), ("jettison", "Throws out"))
"""The fields for cargo in words."""
EXAMPLE = "1 census"
HINT = "what, how many, “at” where; blank leaves it, stop ends it"
STANCES = (Choice("none", "Nothing"), Choice("passage", "Passage"), Choice("war", "War"))


def sheet_form(state: LanesState, empire: Side) -> Form:
    """An empire's sheet for a turn."""
    return Form(
        lines=(
            *(_fleet_line(state, one.id) for one in state.fleets_of(empire) if state.group(one.id)[0].at),
            *(_squadron_line(state, one) for one in state.squadrons_of(empire) if one.at),
            *(_empire_line(state, empire, other) for other in state.others(empire)),
        ),
        why_absent=lambda: absences(state, empire),
    )


def _fleet_line(state: LanesState, key: str) -> Line:
    squadrons = state.group(key)
    names = ", ".join(one.name for one in squadrons)
    stopped = say_stopped(state, state.fleets[key].orders)
    note = f"{key} at {state.place_name(squadrons[0].at)}: {names}{f'; {stopped}' if stopped else ''}"
    return Line(key=key, label=state.fleets[key].name, fields=_movement(state, key), note=note, together=FIRST)


def _squadron_line(state: LanesState, squadron: Squadron) -> Line:
    here = state.place_name(squadron.at)
    fields = [] if squadron.fleet else [*_movement(state, squadron.id)]
    fields += [*_cargo(state, squadron), *_exploration(state, squadron), *_tow(state, squadron)]
    fields += _organisation(state, squadron)
    units = state.members(squadron.id)
    speed = slowest(units)
    rates = ", ".join(f"{SAID[kind]} {speed.of(kind)}" for kind in SAID if speed.of(kind)) or "does not move by itself"
    fleet = f", in {state.fleets[squadron.fleet].name}" if squadron.fleet else ""
    stopped = say_stopped(state, squadron.orders)
    note = f"{squadron.id} at {here}{fleet}: {rates}{f'; {stopped}' if stopped else ''}"
    return Line(key=squadron.id, label=squadron.name, fields=tuple(fields), note=note, together=FIRST)


def _movement(state: LanesState, group: str) -> tuple[Field, ...]:
    here = state.group(group)[0].at
    route = write_route(state, group_orders(state, group), here) or None
    near = _goals(state, group)
    beside = near[0].label
    hint = f"e.g. {beside}; “to” a place farther off, “loop” to go round; blank leaves it, stop ends it"
    return (
        Field("go", "Goes to", "one", choices=tuple(near), optional=True),
        text_field("route", "Route", LONGEST_ROUTE, route, hint),
    )


def _goals(state: LanesState, group: str) -> list[Choice]:
    """The places that a group can go to, the nearest first."""
    squadrons = state.group(group)
    empire = state.empires[squadrons[0].empire]
    speeds = slowest(unit for one in squadrons for unit in state.members(one.id))

    def cost(lane: Lane) -> Fraction | None:
        found = state.lanes[lane.kind]
        able = speeds.of(equipment_for(found.type)) and knows_lane(state, empire, found)
        return lane_cost(state, found) if able else None

    here = squadrons[0].at
    reached = state.chart.within(here, FARTHEST, cost=cost)
    near: list[PlaceId] = sorted(reached, key=lambda one: (reached[one], state.place_name(one)))
    goals = [
        Choice(one, state.place_name(one), f"{_points(reached[one])} away")
        for one in near[: MOST_GOALS + 1]
        if one != here
    ]
    return [*goals, Choice(here, state.place_name(here), "stays here")]


def _points(cost: Fraction) -> str:
    return counted(cost, "point")


def _cargo(state: LanesState, squadron: Squadron) -> Iterable[Field]:
    if not has_holds(state, squadron):
        return
    aboard = state.carried(squadron.id)
    colony = own_colony(state, squadron.empire, squadron.at)
    out = [Choice(one.id, one.name) for one in aboard]
    out += [Choice("census", "All census")] if held(squadron, "census") else []
    room = show_fraction(max(room_of(state, squadron), Fraction(0)))
    each = f"each point takes {show_fraction(lots_requirement('census', 1))} of {room}"
    into = [Choice("census", "Census, as much as fits", each)] if colony is not None and colony.census else []
    into += [_embarks(one, room) for one in state.standing(squadron.at) if _may_be_cargo(squadron, one)]
    if out:
        yield Field("land", "Puts out here", "many", choices=tuple(out), value=[])
    if into:
        yield Field("take", "Takes aboard here", "many", choices=tuple(into), value=[])
    orders = squadron.orders.cargo
    for action, label in TEXTS:
        standing = write_cargo(state, orders, action) or None
        example = f"e.g. {EXAMPLE}; " if _may(state, squadron, action) else ""
        yield text_field(action, label, LONGEST_CARGO, standing, f"{example}{HINT}")


def _may(state: LanesState, squadron: Squadron, action: CargoAction) -> bool:
    """Whether the example is legal where a squadron stands, so that it may be given."""
    if action != "load" and any(one.action == "load" for one in squadron.orders.cargo):
        return False
    order = CargoOrder(action=action, what="census", amount=1, at=squadron.at)
    return not judge_cargo_order(state, squadron, order, "")


def _embarks(unit: Unit, room: str) -> Choice:
    takes = requirement_of([unit], [])
    return Choice(unit.id, unit.name, f"takes {show_fraction(takes)} of {room}")


def _may_be_cargo(squadron: Squadron, unit: Unit) -> bool:
    return unit.empire == squadron.empire and unit_requirement(unit.kind, unit.siz) is not None


def _exploration(state: LanesState, squadron: Squadron) -> Iterable[Field]:
    known = known_unexplored(state, squadron.empire, squadron.at)
    if known and science_of(state, [squadron]):
        lanes = tuple(_lane_choice(state, squadron, one) for one in known)
        yield Field("explore", "Explores", "one", choices=lanes, optional=True)


def _lane_choice(state: LanesState, squadron: Squadron, lane: JumpLane) -> Choice:
    """An unexplored lane, and the chance of this squadron alone."""
    end = end_at(state, squadron.at, lane)
    mark = lane.mark(end)
    chance = chance_of(state, ExplorationForce(squadron.empire, end, lane.id, (squadron.id,)))
    label = f"unexplored lane {mark.rpartition('?')[2]} of {state.place_name(squadron.at)}"
    return Choice(mark, label, f"{lane.difficulty}, chance {chance} of 100")


def _tow(state: LanesState, squadron: Squadron) -> Iterable[Field]:
    tugs = able_tugs(state, squadron)
    if not tugs:
        return
    members = state.members(squadron.id)
    beside = [unit for one in company(state, squadron) for unit in state.members(one.id)]
    standing = [one for one in state.standing(squadron.at) if one.empire == squadron.empire]
    towed = [one.id for one in members if one.towed]
    choices = tuple(
        Choice(one.id, one.name, f"takes {cost} of {pooled_towing(tugs)}")
        for one in (*members, *standing, *beside)
        if (cost := towing_cost(one.kind, one.siz)) is not None and tugs != [one]
    )
    yield Field("tow", "Tows", "many", choices=choices, value=[*towed])


def _organisation(state: LanesState, squadron: Squadron) -> Iterable[Field]:
    members = state.members(squadron.id)
    there = company(state, squadron)
    alone = [one for one in there if not one.fleet]
    fleets = dict.fromkeys(one.fleet for one in there if one.fleet and one.fleet != squadron.fleet)
    others = [Choice(key, state.fleets[key].name) for key in fleets]
    others += [Choice(one.id, one.name) for one in alone]
    others += [Choice(ALONE, "in no fleet")] if squadron.fleet else []
    if others:
        yield Field("fleet", "Moves with", "one", choices=tuple(others), optional=True)
    if there:
        ways = tuple(Choice(one.id, one.name) for one in there)
        yield Field("join", "Becomes a part of", "one", choices=ways, optional=True)
    if len(members) > 1:
        units = tuple(Choice(one.id, one.name) for one in members)
        yield Field("detach", "Leaves as a squadron", "many", choices=units, value=[])
    if lands_troops(state, squadron):
        yield Field("invade", "Invades where it comes to", "flag", value=False)


def _empire_line(state: LanesState, empire: Side, other: Side) -> Line:
    name = state.empires[other].name
    field = Field("stance", f"Granted to {name}", "one", choices=STANCES, value=state.stance(empire, other))
    return Line(key=other, label=f"Towards {name}", fields=(field,), group="Other empires")
