"""Who moves together: squadrons that part, join and form fleets. Done on a copy to judge a sheet, then in earnest."""

from collections.abc import Iterable, Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.ch1_movement.journeys import end_route
from rules_engine.rulebooks.jump_lanes.ch3_cargo.losses import excess
from rules_engine.rulebooks.jump_lanes.records.orders import GroupOrders
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, names_of
from rules_engine.rulebooks.jump_lanes.records.units import LaneFleet, Squadron, Unit

ALONE = "none"
"""The choice of a squadron that is to be in no fleet."""


def company(state: LanesState, squadron: Squadron) -> list[Squadron]:
    """The other squadrons of its empire at the same place."""
    here = state.squadrons_at(squadron.at) if squadron.at else []
    return [one for one in here if one.empire == squadron.empire and one is not squadron]


def detach(state: LanesState, squadron: Squadron, keys: Sequence[str], path: str) -> list[Refusal]:
    """Let units leave as a squadron of their own, with the flights that are based on them."""
    members = state.members(squadron.id)
    own = {unit.id: unit for unit in members}
    refusals = [
        malformed(f"no such unit is in {squadron.name}", path, legal=", ".join(own), nearest=nearest(key, own))
        for key in keys
        if key not in own
    ]
    named = [own[key] for key in keys if key in own]
    for unit in named:
        if unit.based_on and unit.based_on not in keys:
            text = f"{unit.name} is based on {own[unit.based_on].name}"
            refusals.append(malformed(text, path, legal=f"{own[unit.based_on].name} as well"))
        if unit.tows or unit.towed:
            text = f"{unit.name} {'has units' if unit.tows else 'is'} in tow"
            refusals.append(illegal(text, "13.4.1", path, legal="units that neither tow nor are in tow"))
    leaving = [unit for unit in members if unit in named or unit.based_on in keys]
    if named and len(leaving) == len(members):
        refusals.append(malformed(f"nobody would be left in {squadron.name}", path, legal="some of its units"))
    if refusals or not named:
        return refusals
    made = new_squadron(state, squadron.empire, squadron.at)
    transfer(state, leaving, made)
    return _too_full(state, [squadron], path)


def join(state: LanesState, squadron: Squadron, goal: str, path: str) -> list[Refusal]:
    """Let a squadron become a part of another at the same place, with all that it carries."""
    there = {one.id: one for one in company(state, squadron)}
    if goal not in there:
        legal = ", ".join(there) or "no other squadron of yours is there"
        return [malformed("there is no such squadron to join", path, legal=legal, nearest=nearest(goal, there))]
    target = there[goal]
    for unit in state.carried(squadron.id):
        embarked = unit.embarked
        state.put(unit, aboard=goal)
        unit.embarked = embarked
    target.hold += squadron.hold
    transfer(state, state.members(squadron.id), target)
    del state.squadrons[squadron.id]
    return []


def go_with(state: LanesState, squadron: Squadron, goal: str, path: str) -> list[Refusal]:
    """Let a squadron move with a fleet, or with another squadron, or by itself."""
    if goal == ALONE:
        squadron.fleet = ""
        return []
    others = company(state, squadron)
    there = {one.id: one.fleet for one in others} | {one.fleet: one.fleet for one in others if one.fleet}
    if goal not in there:
        legal = ", ".join([*there, ALONE])
        return [malformed("there is nobody to move with of that name", path, legal=legal, nearest=nearest(goal, there))]
    fleet = there[goal] or new_fleet(state, state.squadrons[goal]).id
    squadron.fleet = fleet
    end_route(squadron.orders)
    return []


def new_squadron(state: LanesState, empire: Side, at: str) -> Squadron:
    """A squadron without units, with the next number of its empire."""
    owner = state.empires[empire]
    key = ""
    while not key or key in state.squadrons:
        owner.squadrons_made += 1
        key = f"{owner.emblem}{owner.squadrons_made}"
    made = state.squadrons[key] = Squadron(id=key, empire=empire, name=key, at=at)
    return made


def new_fleet(state: LanesState, squadron: Squadron) -> LaneFleet:
    """A fleet of one squadron, which goes on by that squadron's route."""
    owner = state.empires[squadron.empire]
    key = ""
    while not key or key in state.fleets:
        owner.fleets_made += 1
        key = f"{owner.emblem}F{owner.fleets_made}"
    made = state.fleets[key] = LaneFleet(id=key, empire=owner.id, name=f"Fleet {key}")
    _hand_over_route(squadron.orders, made.orders)
    squadron.fleet = key
    return made


def transfer(state: LanesState, units: Iterable[Unit], squadron: Squadron) -> None:
    """Put members of one squadron into another as they are: based, towing and in tow."""
    for unit in units:
        marks = unit.based_on, unit.tows, unit.towed
        state.put(unit, squadron=squadron.id)
        unit.based_on, unit.tows, unit.towed = marks


def tidy_fleets(state: LanesState) -> None:
    """Strike off fleets of fewer than two squadrons; one that is left goes on by the fleet's route."""
    for key, fleet in sorted(state.fleets.items()):
        left = state.group(key)
        if len(left) > 1:
            continue
        for squadron in left:
            squadron.fleet = ""
            _hand_over_route(fleet.orders, squadron.orders)
        del state.fleets[key]


@rule("13.3.1")
def _too_full(state: LanesState, squadrons: Iterable[Squadron], path: str) -> list[Refusal]:
    """That a squadron which lost units carries more than the rest of it can. 13.3.1"""
    return [
        illegal(
            f"without them {one.name}, left with {names_of(state.members(one.id))}, carries too much",
            "13.3.1",
            path,
            legal="units that its cargo does not need",
        )
        for one in squadrons
        if excess(state, one)
    ]


def _hand_over_route(giver: GroupOrders, taker: GroupOrders) -> None:
    taker.legs, taker.gone, taker.again_from = list(giver.legs), giver.gone, giver.again_from
    taker.stopped_at = giver.stopped_at
    end_route(giver)
