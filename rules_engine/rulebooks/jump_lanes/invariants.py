"""Invariants: what must never be true of a campaign's state."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rules_engine.rulebooks.jump_lanes.ch1_movement.journeys import DRAWN
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import load_of, rating_of
from rules_engine.rulebooks.jump_lanes.ch4_towing.tows import pooled_towing
from rules_engine.rulebooks.jump_lanes.records.orders import GroupOrders
from rules_engine.rulebooks.jump_lanes.records.places import JumpLane, PlaceId, system_of
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, UnitIndex
from rules_engine.rulebooks.jump_lanes.records.units import Squadron, Unit
from rules_engine.rulebooks.jump_lanes.sightings import present_groups, systems_held
from rules_engine.rulebooks.jump_lanes.tables.loads import towing_cost, unit_requirement


def defects(state: LanesState) -> Sequence[str]:
    """Everything that is impossible in this state, in words."""
    return [
        *_index(state),
        *(found for key in sorted(state.units) for found in _unit(state, key, state.units[key])),
        *(found for key in sorted(state.squadrons) for found in _squadron(state, key, state.squadrons[key])),
        *(found for key in sorted(state.squadrons) for found in _burdens(state, state.squadrons[key])),
        *_fleets(state),
        *(found for key in sorted(state.lanes) for found in _lane(state, key, state.lanes[key])),
        *_map(state),
        *_empires(state),
        *_orders(state),
    ]


def is_place(state: LanesState, place: PlaceId) -> bool:
    """Whether a place is on the map."""
    return place in state.systems or place in state.planets


def _index(state: LanesState) -> Iterable[str]:
    """What units are looked up by is what it would be if it were made anew."""
    if state.found != UnitIndex.of(state.units):
        yield "the index of units is stale"


def _unit(state: LanesState, key: str, unit: Unit) -> Iterable[str]:
    """Each unit is in one place."""
    if unit.id != key:
        yield f"{key} is filed as {unit.id}"
    if unit.empire not in state.empires:
        yield f"{key} is of no empire"
    places = [name for name in ("squadron", "aboard", "at") if getattr(unit, name)]
    if len(places) != 1:
        yield f"{key} is in {len(places)} places: {', '.join(places)}"
    for name in ("squadron", "aboard"):
        holder = getattr(unit, name)
        if holder and (holder not in state.squadrons or state.squadrons[holder].empire != unit.empire):
            yield f"{key} is in {holder}, which is no squadron of its empire"
    if unit.at and not is_place(state, unit.at):
        yield f"{key} stands at {unit.at}, which is no place"
    if unit.aboard and unit_requirement(unit.kind, unit.siz) is None:
        yield f"{key} is a {unit.kind} and is cargo"
    if unit.embarked > state.turn or (unit.embarked and not unit.aboard):
        yield f"{key} was embarked in turn {unit.embarked}"
    carrier = state.units.get(unit.based_on)
    if unit.based_on and (carrier is None or (carrier.squadron, carrier.at) != (unit.squadron, unit.at)):
        yield f"{key} is based on {unit.based_on}, which is not with it"
    if (unit.towed or unit.tows) and not unit.squadron:
        yield f"{key} is part of a tow and in no squadron"


def _squadron(state: LanesState, key: str, squadron: Squadron) -> Iterable[str]:
    """Each squadron has units and is at a place or in an explored lane."""
    if squadron.id != key:
        yield f"{key} is filed as {squadron.id}"
    if squadron.empire not in state.empires:
        yield f"{key} is of no empire"
    if not state.members(key):
        yield f"{key} has no units"
    if bool(squadron.at) == (squadron.transit is not None):
        yield f"{key} is {'in a lane and at a place' if squadron.at else 'nowhere'}"
    if squadron.at and not is_place(state, squadron.at):
        yield f"{key} is at {squadron.at}, which is no place"
    transit = squadron.transit
    if transit is not None:
        lane = state.lanes.get(transit.lane)
        if lane is None or not lane.explored:
            yield f"{key} is in a lane that is not explored"
        # One that ends in this turn may be met in its lane before it arrives.
        last = transit.paid == transit.cost and state.moving
        if not (0 < transit.paid < transit.cost or last) or (transit.turns_left < 1) != last:
            yield f"{key} has paid {transit.paid} of {transit.cost} and has {transit.turns_left} turns left"
    if squadron.jumped is not None and not (squadron.at or state.moving):
        yield f"{key} came out of a jump and is in a lane"
    if any(lot.amount < 1 or lot.embarked > state.turn for lot in squadron.hold):
        yield f"{key} carries lots of nothing, or of later turns"


def _burdens(state: LanesState, squadron: Squadron) -> Iterable[str]:
    """Cargo and tows are within capacity."""
    if load_of(state, squadron) > rating_of(state, squadron):
        yield f"{squadron.id} carries {load_of(state, squadron)} with a Cargo rating of {rating_of(state, squadron)}"
    members = state.members(squadron.id)
    towed, tugs = [unit for unit in members if unit.towed], [unit for unit in members if unit.tows]
    costs = [towing_cost(unit.kind, unit.siz) for unit in towed]
    if None in costs:
        yield f"{squadron.id} tows what cannot be towed"
    if sum(filter(None, costs)) > pooled_towing(tugs):
        yield f"{squadron.id} tows more than its tugs can"
    if bool(towed) != bool(tugs):
        yield f"{squadron.id} has {len(towed)} units in tow by {len(tugs)} tugs"
    if any(unit.tows and unit.towed for unit in members):
        yield f"{squadron.id} has a tug that is in tow"


def _fleets(state: LanesState) -> Iterable[str]:
    """The squadrons of a fleet are of one empire and at one place, or in one lane."""
    for key, fleet in sorted(state.fleets.items()):
        group = state.group(key)
        if fleet.id != key or fleet.empire not in state.empires:
            yield f"{key} is filed as {fleet.id} of {fleet.empire}"
        if any(one.empire != fleet.empire for one in group):
            yield f"{key} has squadrons of others"
        if len({(one.at, one.transit.lane if one.transit else "") for one in group}) > 1:
            yield f"{key} is in several places"
    for key, squadron in sorted(state.squadrons.items()):
        if squadron.fleet and squadron.fleet not in state.fleets:
            yield f"{key} is in no fleet that there is"


def _lane(state: LanesState, key: str, lane: JumpLane) -> Iterable[str]:
    """Lanes join what there is, and are explored when their class is known."""
    if lane.id != key:
        yield f"{key} is filed as {lane.id}"
    for end in (lane.a, lane.b):
        known = end in state.galaxies if lane.type == "intergalactic" else is_place(state, end)
        if not known:
            yield f"{key} ends at {end}, which is not on the map"
    if lane.explored != (lane.lane_class is not None):
        yield f"{key} is {'explored' if lane.explored else 'unexplored'} and of class {lane.lane_class}"
    if lane.explored and lane.bonus:
        yield f"{key} is explored, and somebody has a bonus for it"
    if any(bonus < 0 or empire not in state.empires for empire, bonus in lane.bonus.items()):
        yield f"{key} has a bonus of nobody, or below nothing"


def _map(state: LanesState) -> Iterable[str]:
    for key, colony in sorted(state.colonies.items()):
        if colony.id != key or not is_place(state, colony.at):
            yield f"{key} is no colony at {colony.at}"
        if colony.owner not in ("", *state.empires):
            yield f"{key} is owned by {colony.owner}, who is no empire"
        if colony.census < 0 or colony.experience < 0:
            yield f"{key} has census {colony.census}, experience {colony.experience}"
    count = Counter(colony.at for colony in state.colonies.values())
    yield from (f"{place} has {number} colonies" for place, number in sorted(count.items()) if number > 1)
    yield from (f"{key} is nowhere" for key, one in sorted(state.derelicts.items()) if not is_place(state, one.at))
    for key, system in sorted(state.systems.items()):
        if system.sector and system.sector not in state.sectors:
            yield f"{key} is in {system.sector}, which is no sector"
        yield from (f"{one} is no planet of {key}" for one in system.planets if system_of(one) != key)


def _empires(state: LanesState) -> Iterable[str]:
    """Empires know places that there are, and follow only what is where they have units."""
    present = {one.key: one for one in present_groups(state)}
    marks = {lane.mark(end) for lane in state.lanes.values() if not lane.explored for end in (lane.a, lane.b)}
    for key, empire in sorted(state.empires.items()):
        if empire.score < 0:
            yield f"{key} has a score of {empire.score}"
        yield from (f"{key} knows {one}, which is no system" for one in empire.places if one not in state.systems)
        if len({*empire.places}) < len(empire.places):
            yield f"{key} knows a system twice"
        yield from (f"{key} knows {one}, which is no unexplored lane" for one in empire.sights if one not in marks)
        yield from (
            f"{key} grants itself or nobody" for one in empire.stances if one == key or one not in state.empires
        )
        held = systems_held(state, key)
        yield from (f"{one} of {key} is where {key} does not know" for one in sorted(held - {*empire.places}))
        for subject in sorted(empire.tracks.current):
            seen = present.get(subject)
            if (seen is None and not state.moving) or (seen is not None and seen.empire == key):
                yield f"{key} follows {subject}, which is not there"


def _orders(state: LanesState) -> Iterable[str]:
    """Routes lead over explored lanes, from where a group is or will come to."""
    for key, fleet in sorted(state.fleets.items()):
        yield from _route(state, key, fleet.orders)
    for key, squadron in sorted(state.squadrons.items()):
        yield from _route(state, key, squadron.orders)
        if squadron.fleet and squadron.orders.legs:
            yield f"{key} has a route beside that of its fleet"


def _route(state: LanesState, key: str, orders: GroupOrders) -> Iterable[str]:
    if orders.legs and orders.gone >= len(orders.legs):
        yield f"{key} has {orders.gone} of {len(orders.legs)} legs behind it"
    if orders.stopped_at and not orders.legs:
        yield f"{key} was stopped at {orders.stopped_at} on no route"
    if orders.again_from is not None and not 0 <= orders.again_from < len(orders.legs):
        yield f"{key} begins its round at leg {orders.again_from} of {len(orders.legs)}"
    for leg in orders.legs:
        lane = state.lanes.get(leg.lane)
        if lane is None or not lane.explored:
            yield f"{key} has a route over a lane that is not explored"
        elif not leg.to.startswith(DRAWN) and not is_place(state, leg.to):
            yield f"{key} has a route to {leg.to}, which is no place"
