"""Whether a squadron may take cargo aboard (13.3.3)."""

from fractions import Fraction

from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import (
    WORDS,
    based_on,
    load_of,
    lots_requirement,
    own_colony,
    place_of,
    pooled_rating,
    room_of,
    unloadable,
)
from rules_engine.rulebooks.jump_lanes.records.orders import CargoOrder
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import LotKind, Squadron, Unit
from rules_engine.rulebooks.jump_lanes.tables.loads import unit_requirement

LOTS: tuple[LotKind, ...] = ("census", "experience")
EMBARKED_NOW = "embarked in this turn"


def lot_kind(what: str) -> LotKind | None:
    """The kind of points that an order names; None where it names a unit."""
    return next((kind for kind in LOTS if kind == what), None)


def judge_embarking(state: LanesState, squadron: Squadron, order: CargoOrder, path: str) -> list[Refusal]:
    """Refusals of taking something aboard."""
    kind = lot_kind(order.what)
    if kind is not None:
        return _judge_points(state, squadron, order, kind, path)
    return _judge_unit(state, squadron, order, path)


def amount_to_load(state: LanesState, squadron: Squadron, order: CargoOrder, kind: LotKind) -> int:
    """How many points an order takes aboard: as many as it says, or all there are and there is room for."""
    if order.amount is not None:
        return order.amount
    fits = room_of(state, squadron) // lots_requirement(kind, 1)
    return max(0, min(points_at(state, squadron, order, kind), int(fits)))


def points_at(state: LanesState, squadron: Squadron, order: CargoOrder, kind: LotKind) -> int:
    """How many points there are to be taken aboard: in the colony, or in the squadron that gives them."""
    if order.other:
        giver = state.squadrons.get(order.other)
        return 0 if giver is None else unloadable(state, giver, kind)
    colony = own_colony(state, squadron.empire, squadron.at)
    if colony is None:
        return 0
    return colony.census if kind == "census" else colony.experience


@rule("13.3.2.1", "13.3.2.3-officers", "13.3.3-embarking")
def _judge_points(state: LanesState, squadron: Squadron, order: CargoOrder, kind: LotKind, path: str) -> list[Refusal]:
    """Refusals of taking census or experience points aboard. 13.3.2.1, 13.3.2.3-officers, 13.3.3-embarking"""
    what = WORDS[kind]
    if kind == "experience" and not state.rules.experience:
        text = "experience points are not carried in this campaign"
        return [illegal(text, "13.3.2.3", path, legal="units, officers and census")]
    colony = own_colony(state, squadron.empire, squadron.at)
    if order.other:
        if refusals := judge_other(state, squadron, order.other, path):
            return refusals
    elif colony is None:
        text = f"there is no colony of yours at {state.place_name(squadron.at)}"
        return [illegal(text, "13.3.3", path, legal="a colony of yours, or another squadron of yours there")]
    elif kind == "census" and colony.rebellion:
        text = f"{colony.name} is in rebellion, and no census embarks"
        return [illegal(text, "13.3.2.1", path, legal="a colony that is not in rebellion")]
    there = points_at(state, squadron, order, kind)
    amount = amount_to_load(state, squadron, order, kind)
    if not there or amount > there:
        legal = f"at most {there}" if there else "a colony or squadron that has some to give"
        return [illegal(f"{counted(there, what)} can be embarked there", "13.3.3", path, legal=legal)]
    room = room_of(state, squadron)
    if not amount or lots_requirement(kind, amount) > room:
        most = max(0, int(room // lots_requirement(kind, 1)))
        said, takes = counted(max(amount, 1), what), lots_requirement(kind, max(amount, 1))
        return [too_much(f"{squadron.name}: {said}", takes, room, path, legal=f"at most {most}")]
    return []


@rule("13.3.1", "13.3.2", "13.3.2.2", "13.3.3-embarking")
def _judge_unit(state: LanesState, squadron: Squadron, order: CargoOrder, path: str) -> list[Refusal]:
    """Refusals of taking a unit aboard: what is no cargo, is elsewhere, came aboard in this turn, carries others, or
    does not fit; and of leaving its own squadron with more than that can carry. 13.3.1, 13.3.2, 13.3.2.2,
    13.3.3-embarking, JL-R24, JL-R26"""
    unit = state.units.get(order.what)
    if unit is None or unit.empire != squadron.empire:
        own = [one.id for one in state.units.values() if one.empire == squadron.empire]
        return [malformed(f"{order.what} is no unit of yours", path, nearest=nearest(order.what, own))]
    takes = unit_requirement(unit.kind, unit.siz)
    if takes is None:
        text = f"{unit.name} is a {unit.kind}, which cannot be cargo"
        return [illegal(text, "13.3.2", path, legal="another kind of unit")]
    if unit.aboard == squadron.id:
        legal = "what is not aboard"
        return [illegal(f"{unit.name} is aboard {squadron.name} already", "13.3.3", path, legal=legal)]
    here = state.place_name(squadron.at)
    holder = unit.aboard or unit.squadron
    if place_of(state, unit) != squadron.at or (order.other and order.other != holder):
        legal = "what a colony or a squadron of yours has there"
        text = f"{unit.name} is not at {here}" + (f" with {order.other}" if order.other else "")
        return [illegal(text, "13.3.3", path, legal=legal)]
    refusals: list[Refusal] = []
    if unit.aboard and unit.embarked == state.turn:
        refusals.append(illegal(f"{unit.name} cannot leave {unit.aboard}: {EMBARKED_NOW}", "13.3.3", path, legal=NEXT))
    if unit.tows or unit.towed:
        text = f"{unit.name} {'has units' if unit.tows else 'is'} in tow"
        refusals.append(illegal(text, "13.4.1", path, legal="units that neither tow nor are in tow"))
    if based_on(state, unit):
        text = f"flights are based on {unit.name}, and cargo carries nothing"
        refusals.append(illegal(text, "13.3.3, JL-R26", path, legal="its flights somewhere else first"))
    refusals += _judge_those_left(state, squadron, unit, path)
    room = _room_without(state, squadron, unit)
    if takes > room:
        legal = f"cargo of at most {show_fraction(max(room, Fraction(0)))}"
        refusals.append(too_much(f"{squadron.name}: {unit.name}", takes, room, path, legal=legal))
    return refusals


NEXT = "its unloading from the next turn on"


@rule("13.3.3-embarking")
def judge_other(state: LanesState, squadron: Squadron, other: str, path: str) -> list[Refusal]:
    """Refusals of a squadron as the one that gives or takes cargo: it is own, another, at the same place and not in a
    lane. 13.3.3-embarking"""
    here = [one.id for one in state.squadrons_of(squadron.empire) if one.at == squadron.at and one is not squadron]
    legal = ", ".join(here[:NAMED]) or "the colony, for no other squadron of yours is there"
    found = state.squadrons.get(other)
    if found is None or found.empire != squadron.empire:
        own = [one.id for one in state.squadrons_of(squadron.empire)]
        return [malformed(f"{other} is no squadron of yours", path, legal=legal, nearest=nearest(other, own))]
    if found.id == squadron.id or found.at != squadron.at or found.transit is not None:
        text = f"{found.name} is no other squadron at {state.place_name(squadron.at)}"
        return [illegal(text, "13.3.3", path, legal=legal)]
    return []


NAMED = 6
"""How many squadrons a refusal lists."""


def _judge_those_left(state: LanesState, squadron: Squadron, unit: Unit, path: str) -> list[Refusal]:
    """That a member is taken out of another squadron which then carries too much."""
    if not unit.squadron or unit.squadron == squadron.id:
        return []
    left = state.squadrons[unit.squadron]
    rating = pooled_rating(one for one in state.members(left.id) if one.id != unit.id)
    load = load_of(state, left)
    if load <= rating:
        return []
    text = f"without {unit.name}, {left.name} carries {show_fraction(load)} with a Cargo rating of {rating}"
    return [illegal(text, "13.3.1", path, legal=f"what {left.name} carries somewhere else first")]


def _room_without(state: LanesState, squadron: Squadron, unit: Unit) -> Fraction:
    """The room there is when a unit is no member any more."""
    return pooled_rating(one for one in state.members(squadron.id) if one.id != unit.id) - load_of(state, squadron)


@rule("13.3.1")
def too_much(says: str, takes: Fraction, room: Fraction, path: str, *, legal: str) -> Refusal:
    """The refusal of more than there is room for; ``says`` names the squadron and what it would carry. 13.3.1"""
    left = show_fraction(max(room, Fraction(0)))
    text = f"{says} would take Cargo rating {show_fraction(takes)}, and there is {left} left"
    return illegal(text, "13.3.1", path, legal=legal)
