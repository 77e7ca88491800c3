"""The lines of a turn's sheet: one for each fleet and squadron that can be reached, and one for each other empire."""

from collections.abc import Iterable
from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.forms.forms import Absence, Choice, Field, Form, Line, text_field
from rules_engine.core.grids.lanes import Lane
from rules_engine.rulebooks.jump_lanes.ch1_movement.costs import lane_cost
from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import SAID, equipment_for, slowest
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import held, own_colony, rating_of
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import judge_cargo_order
from rules_engine.rulebooks.jump_lanes.ch4_towing.tows import able_tugs
from rules_engine.rulebooks.jump_lanes.ch5_exploration.forces import end_at, known_unexplored, science_of
from rules_engine.rulebooks.jump_lanes.charts import knows_lane
from rules_engine.rulebooks.jump_lanes.plotting.cargo_words import write_cargo
from rules_engine.rulebooks.jump_lanes.plotting.groups import ALONE, company
from rules_engine.rulebooks.jump_lanes.plotting.judging import group_orders
from rules_engine.rulebooks.jump_lanes.plotting.routes import write_route
from rules_engine.rulebooks.jump_lanes.records.orders import LONGEST_CARGO, LONGEST_ROUTE, CargoAction, CargoOrder
from rules_engine.rulebooks.jump_lanes.records.places import PlaceId
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import GROUND_KINDS, Squadron, Unit
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
        why_absent=lambda: _absences(state, empire),
    )


def _fleet_line(state: LanesState, key: str) -> Line:
    squadrons = state.group(key)
    names = ", ".join(one.name for one in squadrons)
    note = f"{key} at {state.place_name(squadrons[0].at)}: {names}"
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
    note = f"{squadron.id} at {here}{fleet}: {rates}"
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
        Choice(one, state.place_name(one), f"{reached[one]} points away")
        for one in near[: MOST_GOALS + 1]
        if one != here
    ]
    return [*goals, Choice(here, state.place_name(here), "stays here")]


def _cargo(state: LanesState, squadron: Squadron) -> Iterable[Field]:
    aboard = state.carried(squadron.id)
    if not (rating_of(state, squadron) or aboard or squadron.hold):
        return
    colony = own_colony(state, squadron.empire, squadron.at)
    out = [Choice(one.id, one.name) for one in aboard]
    out += [Choice("census", "All census")] if held(squadron, "census") else []
    into = [Choice("census", "Census, as much as fits")] if colony is not None and colony.census else []
    into += [Choice(one.id, one.name) for one in state.standing(squadron.at) if _may_be_cargo(squadron, one)]
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


def _may_be_cargo(squadron: Squadron, unit: Unit) -> bool:
    return unit.empire == squadron.empire and unit_requirement(unit.kind, unit.siz) is not None


def _exploration(state: LanesState, squadron: Squadron) -> Iterable[Field]:
    known = known_unexplored(state, squadron.empire, squadron.at)
    science = science_of(state, [squadron])
    if known and science:
        lanes = tuple(_lane_choice(state, squadron.at, one.mark(end_at(state, squadron.at, one))) for one in known)
        yield Field("explore", f"Explores, Science {science}", "one", choices=lanes, optional=True)


def _lane_choice(state: LanesState, place: PlaceId, mark: str) -> Choice:
    return Choice(mark, f"unexplored lane {mark.rpartition('?')[2]} of {state.place_name(place)}")


def _tow(state: LanesState, squadron: Squadron) -> Iterable[Field]:
    if not able_tugs(state, squadron):
        return
    members = state.members(squadron.id)
    beside = [unit for one in company(state, squadron) for unit in state.members(one.id)]
    standing = [one for one in state.standing(squadron.at) if one.empire == squadron.empire]
    able = [one for one in (*members, *standing, *beside) if towing_cost(one.kind, one.siz) is not None]
    towed = [one.id for one in members if one.towed]
    yield Field("tow", "Tows", "many", choices=tuple(Choice(one.id, one.name) for one in able), value=[*towed])


def _organisation(state: LanesState, squadron: Squadron) -> Iterable[Field]:
    members = state.members(squadron.id)
    there = company(state, squadron)
    alone = [one for one in there if not one.fleet]
    fleets = dict.fromkeys(one.fleet for one in there if one.fleet and one.fleet != squadron.fleet)
    others = [Choice(key, state.fleets[key].name) for key in fleets]
    others += [Choice(one.id, f"with {one.name}") for one in alone]
    others += [Choice(ALONE, "in no fleet")] if squadron.fleet else []
    if others:
        yield Field("fleet", "Moves with", "one", choices=tuple(others), optional=True)
    if there:
        ways = tuple(Choice(one.id, one.name) for one in there)
        yield Field("join", "Becomes a part of", "one", choices=ways, optional=True)
    if len(members) > 1:
        units = tuple(Choice(one.id, one.name) for one in members)
        yield Field("detach", "Leave as a squadron", "many", choices=units, value=[])
    aboard = state.carried(squadron.id)
    beside = state.standing(squadron.at) if rating_of(state, squadron) else []
    if any(one.kind in GROUND_KINDS and one.empire == squadron.empire for one in (*aboard, *beside)):
        yield Field("invade", "Invades where it comes to", "flag", value=False)


def _empire_line(state: LanesState, empire: Side, other: Side) -> Line:
    name = state.empires[other].name
    field = Field("stance", f"Granted to {name}", "one", choices=STANCES, value=state.stance(empire, other))
    return Line(key=other, label=f"Towards {name}", fields=(field,), group="Other empires")


def _absences(state: LanesState, empire: Side) -> Iterable[Absence]:
    """Why groups in transit have no line, and fields are not on a line that somebody may look for."""
    for squadron in state.squadrons_of(empire):
        if squadron.transit is not None:
            name = squadron.name
            turn = state.turn + squadron.transit.turns_left
            problem = f"{name} is in transit until turn {turn - 1} and out of communication"
            yield Absence(squadron.id, name, problem, "13.1.6")
            continue
        if not science_of(state, [squadron]):
            problem = f"{squadron.name} has no Science rating"
            yield Absence(squadron.id, squadron.name, problem, "13.5", "explore")
        elif not known_unexplored(state, empire, squadron.at):
            problem = f"you know no unexplored lane at {state.place_name(squadron.at)}"
            yield Absence(squadron.id, squadron.name, problem, "13.5.1", "explore")
        if not able_tugs(state, squadron):
            yield Absence(squadron.id, squadron.name, f"{squadron.name} has no tug", "13.4", "tow")
        if squadron.fleet:
            problem = f"{squadron.name} moves with {state.fleets[squadron.fleet].name}"
            yield Absence(squadron.id, squadron.name, problem, "13.1.5", "route")
    for fleet in state.fleets_of(empire):
        if state.group(fleet.id)[0].transit is not None:
            problem = f"{fleet.name} is in transit and out of communication"
            yield Absence(fleet.id, fleet.name, problem, "13.1.6")
