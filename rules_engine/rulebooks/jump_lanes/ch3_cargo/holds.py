"""What squadrons can carry, what they carry, and what there is room for (13.3.1, 13.3.2)."""

from collections.abc import Iterable
from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.records.places import Colony, PlaceId, is_planet, system_of
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, LotKind, Squadron, Unit
from rules_engine.rulebooks.jump_lanes.tables.loads import points_requirement, unit_requirement

WORDS: dict[LotKind, str] = {"census": "census point", "experience": "experience point"}


@rule("13.3.1")
def pooled_rating(members: Iterable[Unit]) -> int:
    """The Cargo rating of a squadron: of its active units together, Flights among them. 13.3.1, JL-R20"""
    return sum(unit.cargo for unit in members if not unit.crippled)


def lots_requirement(kind: LotKind, amount: int) -> Fraction:
    """The Cargo rating that census or experience points take."""
    return points_requirement(amount, 0) if kind == "census" else points_requirement(0, amount)


@rule("13.3.1", "13.3.2")
def requirement_of(carried: Iterable[Unit], hold: Iterable[HoldLot]) -> Fraction:
    """The Cargo rating that units and points take together, in exact fractions. 13.3.1, 13.3.2"""
    units = sum((unit_requirement(unit.kind, unit.siz) or Fraction(0) for unit in carried), Fraction(0))
    return units + sum((lots_requirement(lot.kind, lot.amount) for lot in hold), Fraction(0))


def rating_of(state: LanesState, squadron: Squadron) -> int:
    """The Cargo rating that a squadron has now."""
    return pooled_rating(state.members(squadron.id))


def load_of(state: LanesState, squadron: Squadron) -> Fraction:
    """The Cargo rating that its cargo takes."""
    return requirement_of(state.carried(squadron.id), squadron.hold)


def room_of(state: LanesState, squadron: Squadron) -> Fraction:
    """The Cargo rating that is left; below 0 if it carries more than it can."""
    return rating_of(state, squadron) - load_of(state, squadron)


def held(squadron: Squadron, kind: LotKind) -> int:
    """How many census or experience points a squadron carries."""
    return sum(lot.amount for lot in squadron.hold if lot.kind == kind)


@rule("13.3.3-embarking")
def unloadable(state: LanesState, squadron: Squadron, kind: LotKind) -> int:
    """How many of them were embarked before this turn, and may leave. 13.3.3, JL-R24"""
    return sum(lot.amount for lot in squadron.hold if lot.kind == kind and lot.embarked < state.turn)


def stow(state: LanesState, squadron: Squadron, kind: LotKind, amount: int) -> None:
    """Put points into a squadron's holds, as embarked in this turn."""
    same = (lot for lot in squadron.hold if lot.kind == kind and lot.embarked == state.turn)
    lot = next(same, None)
    if lot is None:
        squadron.hold.append(HoldLot(kind=kind, amount=amount, embarked=state.turn))
    else:
        lot.amount += amount


def take(squadron: Squadron, kind: LotKind, amount: int) -> None:
    """Take points out of a squadron's holds, those that were embarked first before others."""
    for lot in sorted(squadron.hold, key=lambda one: one.embarked):
        if lot.kind == kind:
            taken = min(lot.amount, amount)
            lot.amount -= taken
            amount -= taken
    squadron.hold = [lot for lot in squadron.hold if lot.amount]


def own_colony(state: LanesState, empire: Side, place: PlaceId) -> Colony | None:
    """An empire's colony at a place."""
    return next((one for one in state.colonies_at(place) if one.owner == empire), None)


def may_be_settled(state: LanesState, place: PlaceId) -> bool:
    """Whether colonies may be at a place: not in the outskirts of a system with planets."""
    return is_planet(place) or not state.systems[system_of(place)].planets


def place_of(state: LanesState, unit: Unit) -> PlaceId:
    """Where a unit is, whatever holds it; empty in a lane."""
    group = unit.squadron or unit.aboard
    return state.squadrons[group].at if group else unit.at


def based_on(state: LanesState, carrier: Unit) -> list[Unit]:
    """The flights that are based on a unit."""
    return [one for one in state.members(carrier.squadron) if one.based_on == carrier.id] if carrier.squadron else []


@rule("13.3.3-embarking")
def basing_room(state: LanesState, carrier: Unit) -> int:
    """The basing capacity that a carrier has left, in points of SIZ; none if it is crippled. 13.3.3, JL-R27, JL-N32"""
    return 0 if carrier.crippled else carrier.basing - sum(one.siz for one in based_on(state, carrier))


def carrier_with_room(state: LanesState, squadron: Squadron, flight: Unit) -> Unit | None:
    """The first unit of a squadron with basing capacity for a flight."""
    able = (one for one in state.members(squadron.id) if one.id != flight.id and not one.based_on)
    return next((one for one in able if basing_room(state, one) >= flight.siz), None)


def close_empty(state: LanesState, squadron: str) -> None:
    """Strike a squadron off that has no units any more, and its fleet, if that has no other; what it carried must be
    elsewhere or lost."""
    if squadron not in state.squadrons or state.members(squadron):
        return
    fleet = state.squadrons.pop(squadron).fleet
    if fleet and not state.group(fleet):
        del state.fleets[fleet]
