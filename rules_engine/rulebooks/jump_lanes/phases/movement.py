"""Movement: groups set out, meet in lanes and at places, and come to where they are stopped or wanted to. 13.1, 13.2"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import count

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import verb
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.jump_lanes.battles.fighting import open_battle
from rules_engine.rulebooks.jump_lanes.battles.outcome import space_units_at
from rules_engine.rulebooks.jump_lanes.battles.stood_off import still_to_fight
from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import Speeds, slowest
from rules_engine.rulebooks.jump_lanes.ch1_movement.journeys import (
    DRAWN,
    Reached,
    ahead,
    end_route,
    next_stretch,
    pass_legs,
)
from rules_engine.rulebooks.jump_lanes.ch1_movement.transits import begin_jump, pay, place_of_arrival
from rules_engine.rulebooks.jump_lanes.ch2_encounters.meetings import (
    Draw,
    Journey,
    LaneMeeting,
    Opposing,
    Passing,
    in_their_order,
    lane_meetings,
    stop_journeys,
)
from rules_engine.rulebooks.jump_lanes.ch2_encounters.opposing import opposed_among, opposes
from rules_engine.rulebooks.jump_lanes.charts import visit
from rules_engine.rulebooks.jump_lanes.phases.fights import Scored, fight_steps
from rules_engine.rulebooks.jump_lanes.plotting.groups import tidy_fleets
from rules_engine.rulebooks.jump_lanes.plotting.judging import group_orders, stops_of
from rules_engine.rulebooks.jump_lanes.plotting.routes import goal_name, goal_of
from rules_engine.rulebooks.jump_lanes.records.battles import Battle
from rules_engine.rulebooks.jump_lanes.records.places import LaneId, PlaceId
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn
from rules_engine.rulebooks.jump_lanes.records.units import SPACE_KINDS
from rules_engine.rulebooks.jump_lanes.sightings import look_around

PASSING = 5
"""The highest roll of a D10 with which groups meet that pass each other, where a campaign plays so. JL-R15"""
STANDS = "@"
"""Before the place of units that stand there by themselves."""


def movement_steps(turn: LanesTurn, holding: Collection[str]) -> Steps[Scored]:
    """Move all groups but those that are ``holding``, as they explored; what was destroyed by whom."""
    state = turn.state
    for squadron in state.squadrons.values():
        squadron.came_from, squadron.came_by, squadron.jumped = "", [], None
    for group in (*state.squadrons.values(), *state.fleets.values()):
        group.orders.stopped_at = ""
    state.moving, state.moved = True, state.turn
    journeys = set_out(turn, holding)
    planned = [replace(one, reached=list(one.reached)) for one in journeys]
    _stop(turn.at("meetings"), journeys)
    scored = Scored()
    met = lane_meetings(journeys, _opposing(state), _passing(turn) if state.rules.passing_encounters else None)
    met = in_their_order(met, journeys, _drawing(turn.at("lanes"), "lane of the first encounter"))
    # There is one round at least, so that nobody can tell by the waiting whether others met in lanes.
    for number, fights in enumerate(_apart(met, len(journeys)) or [[]], 1):
        place = turn.at("lanes", number)
        battles = [_lane_battle(place, journeys, one) for one in fights]
        yield from fight_steps(place, [one for one in battles if one is not None], scored)
    if met:  # whoever is left carries out its orders
        journeys = [one for one in planned if _is_left(state, one)]
        _stop(turn.at("after"), journeys)
    for journey in journeys:
        arrive(turn, journey)
    state.moving = False
    tidy_fleets(state)
    look_around(turn, units=scored.met)
    to_fight = still_to_fight(state, _meeting_places(state))
    battles = [_place_battle(turn.at("places"), place) for place in to_fight]
    yield from fight_steps(turn.at("places"), battles, scored)
    return scored


@rule("13.1", "13.1.5", "13.1.6")
def set_out(turn: LanesTurn, holding: Collection[str]) -> list[Journey]:
    """How far each group would come in this turn, if nobody stopped it. Extended jumps begin, and are paid for. 13.1,
    13.1.5, 13.1.6"""
    state = turn.state
    journeys = [
        _journey(turn, empire, group, holds=group in holding)
        for empire in state.empires
        for group in state.groups_of(empire)
    ]
    standing = {(unit.at, unit.empire) for unit in state.units.values() if unit.at and unit.kind in SPACE_KINDS}
    journeys += [Journey(f"{STANDS}{at}/{empire}", empire, at) for at, empire in sorted(standing)]
    return journeys


def _journey(turn: LanesTurn, empire: Side, group: str, *, holds: bool) -> Journey:
    state = turn.state
    squadrons, orders = state.group(group), group_orders(state, group)
    speeds = slowest(unit for one in squadrons for unit in state.members(one.id))
    transit = squadrons[0].transit
    if transit is not None:
        lane, goal = transit.lane, transit.goal
        before = [one.transit and one.transit.copied() for one in squadrons]
        left = max(_pay(state, one.id, speeds) for one in squadrons)
        for one, jump in zip(squadrons, before, strict=True):
            one.jumped = jump if left <= 1 else None
        reached = [Reached(_drawn(turn, goal, group), lane, left)] if left <= 1 else []
        return Journey(group, empire, lane=lane, reached=reached)
    here = squadrons[0].at
    stretch = next_stretch(state, speeds, [] if holds else ahead(orders), stops_of(state, group))
    if stretch.jump is None:
        reached = [one._replace(place=_drawn(turn, one.place, group)) for one in stretch.reached]
        return Journey(group, empire, here, reached)
    for one in squadrons:
        one.transit = begin_jump(state, here, stretch.jump)
        one.at, one.came_from = "", here
        _pay(state, one.id, speeds)
    pass_legs(orders, 1)
    lane = stretch.jump.lane
    names = ", ".join(one.name for one in squadrons)
    goal = goal_name(state, stretch.jump.to)
    last = state.turn + stretch.turns - 1
    text = f"{names}: in the lane from {state.place_name(here)} to {goal} until turn {last}."
    turn.tell([empire], text, kind="movement", why=because("13.1.6", {"turns": stretch.turns}))
    return Journey(group, empire, lane=lane, begins=True)


def _pay(state: LanesState, squadron: str, speeds: Speeds) -> Fraction:
    transit = state.squadrons[squadron].transit
    assert transit is not None, "a fleet is in a lane as a whole"
    return pay(state, transit, speeds)


def _drawn(turn: LanesTurn, goal: str, group: str) -> PlaceId:
    return place_of_arrival(turn, goal, group) if goal.startswith(DRAWN) else goal


def _opposing(state: LanesState) -> Opposing:
    return lambda one, other: opposes(state, one, other)


def _stop(turn: LanesTurn, journeys: list[Journey]) -> None:
    """Stop those who meet others; of equally early places one is drawn."""
    stop_journeys(journeys, _opposing(turn.state), _drawing(turn, "place of an encounter"))


def _drawing(turn: LanesTurn, purpose: str) -> Draw:
    """Draws one after the other, of which nobody may know before the end."""
    numbers = count(1)
    return lambda faces: turn.roll(purpose, faces=faces, key=f"draw/{next(numbers)}", seen_by=[]).total - 1


def _passing(turn: LanesTurn) -> Passing:
    def meets(one: Journey, other: Journey, lane: LaneId) -> bool:
        key = f"passing/{lane}/{one.group}/{other.group}"
        return turn.roll("passing encounter", faces=10, key=key, seen_by=[]).total <= PASSING

    return meets


def _apart(met: Iterable[LaneMeeting], groups: int) -> list[list[LaneMeeting]]:
    """Meetings in lanes, one after another where a group is in several of them."""
    rounds: list[list[LaneMeeting]] = []
    busy = [0] * groups
    for one in met:
        at = max(busy[group] for group in one.groups)
        while len(rounds) <= at:
            rounds.append([])
        rounds[at].append(one)
        for group in one.groups:
            busy[group] = at + 1
    return rounds


def _is_left(state: LanesState, journey: Journey) -> bool:
    """Whether there is still something of a group after battles in lanes, where nothing stands."""
    return journey.group.startswith(STANDS) or bool(state.group(journey.group))


@rule("13.1.6")
def _lane_battle(turn: LanesTurn, journeys: list[Journey], met: LaneMeeting) -> Battle | None:
    """The battle of those who met in a lane, if they are still there. 13.1.6, JL-R14"""
    state = turn.state
    squadrons = [one for number in met.groups for one in state.group(journeys[number].group)]
    units = [unit for one in squadrons for unit in state.members(one.id)]
    if not opposed_among(state, [unit.empire for unit in units]):
        return None
    return open_battle(turn, met.lane, units, in_lane=True)


@rule("13.1.5", "13.1.6", "13.2")
def arrive(turn: LanesTurn, journey: Journey) -> None:
    """Put a group where its movement of this turn ends, and tell its empire. Of one that others stop the route stands.
    13.1.5, 13.1.6, 13.2, JL-R44"""
    state = turn.state
    if not journey.reached or journey.group.startswith(STANDS):
        return
    goal = journey.reached[-1].place
    squadrons, orders = state.group(journey.group), group_orders(state, journey.group)
    for one in squadrons:
        one.came_from = one.transit.origin if one.transit is not None else one.at
        one.came_by = [step.lane for step in journey.reached]
        one.at, one.transit = goal, None
    if not journey.lane:
        pass_legs(orders, len(journey.reached))
    if any(leg.to.startswith(DRAWN) for leg in orders.legs):
        end_route(orders)
    known = state.empires[journey.empire]
    for step in journey.reached:
        visit(state, known, step.place)
    names = ", ".join(one.name for one in squadrons)
    way = ", ".join(state.place_name(step.place) for step in journey.reached[:-1])
    by = f" by {way}" if way else ""
    stopped = f", and {verb(len(squadrons), 'is', 'are')} stopped there by others" if journey.met else ""
    text = f"{names} {verb(len(squadrons), 'comes', 'come')} to {state.place_name(goal)}{by}{stopped}."
    turn.tell([journey.empire], text, kind="movement", why=because("13.1.5, 13.2" if stopped else "13.1.5"))
    if journey.met and orders.legs:
        orders.stopped_at = goal
        text = f"{names}: the route to {goal_of(state, orders)} stands, and goes on in the next turn."
        turn.tell([journey.empire], text, kind="movement", why=because("13.2, JL-R44"))


@rule("13.2")
def _meeting_places(state: LanesState) -> list[PlaceId]:
    """The places where opposing groups are at the end of movement. 13.2"""
    places = {one.at for one in state.squadrons.values() if one.at}
    return [
        place
        for place in sorted(places)
        if opposed_among(state, [unit.empire for unit in space_units_at(state, place)])
    ]


def _place_battle(turn: LanesTurn, place: PlaceId) -> Battle:
    units = space_units_at(turn.state, place)
    fighting = opposed_among(turn.state, [unit.empire for unit in units])
    return open_battle(turn, place, [unit for unit in units if unit.empire in fighting])
