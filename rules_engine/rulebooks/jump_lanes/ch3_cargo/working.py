"""Carrying out what squadrons are to do with cargo: first everything out, then everything in (13.3.3, JL-R02).

The same functions are tried on a copy of an empire's own when its sheet is judged, and carried out at the beginning of
the Movement Phase, when an order may no longer be possible.
"""

from collections.abc import Iterable
from typing import NamedTuple

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.ch3_cargo.disembarking import (
    amount_to_unload,
    judge_disembarking,
    judge_jettison,
)
from rules_engine.rulebooks.jump_lanes.ch3_cargo.embarking import amount_to_load, judge_embarking, lot_kind
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import (
    WORDS,
    carrier_with_room,
    close_empty,
    held,
    own_colony,
    stow,
    take,
)
from rules_engine.rulebooks.jump_lanes.records.orders import CargoOrder
from rules_engine.rulebooks.jump_lanes.records.places import PlaceId
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, by_number
from rules_engine.rulebooks.jump_lanes.records.units import LotKind, Squadron, Unit

JUDGES = {"load": judge_embarking, "unload": judge_disembarking, "jettison": judge_jettison}


class CargoWork(NamedTuple):
    """What became of one order: ``text`` says what was done, or ``refusals`` why it was not.

    ``landed`` is how many census points came to a colony at ``place`` (below 0: left it), ``set_up`` the starbase that
    now stands there, empty for none.
    """

    squadron: str
    order: CargoOrder
    place: PlaceId
    text: str = ""
    refusals: tuple[Refusal, ...] = ()
    landed: int = 0
    set_up: str = ""


def due(squadron: Squadron) -> list[CargoOrder]:
    """What a squadron is to do with cargo where it stands; nothing in a lane."""
    return [] if squadron.transit else [one for one in squadron.orders.cargo if one.at in ("", squadron.at)]


@rule("13.1.6", "13.3.3-embarking")
def judge_cargo_order(state: LanesState, squadron: Squadron, order: CargoOrder, path: str) -> list[Refusal]:
    """Refusals of one order where the squadron stands now; of any order in a lane. 13.1.6, 13.3.3-embarking"""
    if squadron.transit is not None:
        text = f"{squadron.name} is in transit and out of communication"
        return [illegal(text, "13.1.6", path, legal="orders from the turn after its arrival on")]
    return JUDGES[order.action](state, squadron, order, path)


@rule("13.3", "13.3.3-embarking")
def work_cargo(state: LanesState, wanted: Iterable[tuple[str, CargoOrder]]) -> list[CargoWork]:
    """Carry out the orders of squadrons: all that disembark, and then all that embark, each squadron's in the order in
    which it gives them. 13.3, 13.3.3-embarking, JL-R24"""
    given = sorted(wanted, key=lambda one: by_number(one[0]))
    out = [one for one in given if one[1].action != "load"]
    into = [one for one in given if one[1].action == "load"]
    return [_work(state, key, order) for key, order in (*out, *into)]


def trial(state: LanesState, empire: Side) -> LanesState:
    """The state with an empire's units, squadrons, fleets and colonies as copies, and of others their colonies
    alone: to try something on."""
    return state.changed(
        units={key: one.copied() for key, one in state.units.items() if one.empire == empire},
        squadrons={key: one.copied() for key, one in state.squadrons.items() if one.empire == empire},
        fleets={key: one.copied() for key, one in state.fleets.items() if one.empire == empire},
        colonies={key: one.copied() if one.owner == empire else one for key, one in state.colonies.items()},
    )


def _work(state: LanesState, key: str, order: CargoOrder) -> CargoWork:
    squadron = state.squadrons.get(key)
    if squadron is None:  # its last unit was taken aboard another in this turn
        text = "the squadron is no more"
        return CargoWork(key, order, "", refusals=(illegal(text, "13.3.3", key, legal="orders to another squadron"),))
    place = squadron.at
    if refusals := judge_cargo_order(state, squadron, order, key):
        return CargoWork(key, order, place, refusals=tuple(refusals))
    kind = lot_kind(order.what)
    if kind is not None:
        return _work_points(state, squadron, order, kind)
    unit = state.units[order.what]
    if order.action == "jettison":
        state.take_out(unit)
        return CargoWork(key, order, place, f"{squadron.name} throws {unit.name} out, lost for ever")
    if order.action == "load":
        left = unit.squadron or unit.aboard
        state.put(unit, aboard=key)
        close_empty(state, left)
        return CargoWork(key, order, place, f"{squadron.name} takes {unit.name} aboard")
    return _put_out(state, squadron, unit, order)


def _work_points(state: LanesState, squadron: Squadron, order: CargoOrder, kind: LotKind) -> CargoWork:
    place, name = squadron.at, squadron.name
    done = CargoWork(squadron.id, order, place)
    if order.action == "jettison":
        amount = held(squadron, kind) if order.amount is None else order.amount
        take(squadron, kind, amount)
        said = counted(amount, WORDS[kind])
        return done._replace(text=f"{name} throws {said} out, lost for ever")
    loads = order.action == "load"
    amount = (amount_to_load if loads else amount_to_unload)(state, squadron, order, kind)
    said = counted(amount, WORDS[kind])
    if order.other:
        other = state.squadrons[order.other]
        giver, taker = (other, squadron) if loads else (squadron, other)
        take(giver, kind, amount)
        stow(state, taker, kind, amount)
        return done._replace(text=f"{taker.name} takes {said} over from {giver.name}")
    colony = own_colony(state, squadron.empire, place)
    assert colony is not None
    change = -amount if loads else amount
    if kind == "census":
        colony.census += change
    else:
        colony.experience += change
    if loads:
        stow(state, squadron, kind, amount)
    else:
        take(squadron, kind, amount)
    text = f"{name} {'takes' if loads else 'lands'} {said} {'aboard at' if loads else 'at'} {colony.name}"
    return done._replace(text=text, landed=change if kind == "census" else 0)


def _put_out(state: LanesState, squadron: Squadron, unit: Unit, order: CargoOrder) -> CargoWork:
    """Put a unit out: into another squadron's holds, upon a carrier, or to the place; a starship without a berth there
    stays with the squadron that brought it. JL-N33"""
    place, name = squadron.at, squadron.name
    done = CargoWork(squadron.id, order, place)
    if order.other in state.squadrons:
        state.put(unit, aboard=order.other)
        return done._replace(text=f"{state.squadrons[order.other].name} takes {unit.name} over from {name}")
    carrier = state.units.get(order.other)
    if carrier is None and unit.kind == "flight" and own_colony(state, squadron.empire, place) is None:
        carrier = carrier_with_room(state, squadron, unit)
    if carrier is not None:
        state.put(unit, squadron=carrier.squadron)
        unit.based_on = carrier.id
        return done._replace(text=f"{unit.name} is based on {carrier.name}")
    if unit.kind == "starship":
        state.put(unit, squadron=squadron.id)
        return done._replace(text=f"{unit.name} joins {name}, which brought it")
    state.put(unit, at=place)
    set_up = unit.id if unit.kind == "starbase" else ""
    return done._replace(text=f"{name} puts {unit.name} out at {state.place_name(place)}", set_up=set_up)
