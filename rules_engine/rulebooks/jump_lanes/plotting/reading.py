"""What the texts and choices of a line order: a route, and what is done with cargo."""

from typing import NamedTuple

from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.ch1_movement.journeys import end_route
from rules_engine.rulebooks.jump_lanes.plotting.cargo_words import read_cargo, write_cargo
from rules_engine.rulebooks.jump_lanes.plotting.names import place_names
from rules_engine.rulebooks.jump_lanes.plotting.routes import read_route, write_route
from rules_engine.rulebooks.jump_lanes.records.orders import (
    CargoAction,
    CargoOrder,
    GroupLineOrders,
    GroupOrders,
    RouteLegOrder,
)
from rules_engine.rulebooks.jump_lanes.records.places import PlaceId
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import Squadron

TEXTS: tuple[tuple[str, CargoAction], ...] = (("unload", "unload"), ("load", "load"), ("jettison", "jettison"))
MENUS: tuple[tuple[str, CargoAction], ...] = (("land", "unload"), ("take", "load"))


class GivenCargo(NamedTuple):
    """An order for cargo that a sheet gives, and where on the sheet."""

    squadron: str
    order: CargoOrder
    path: str


@rule("13.1.5", "13.1.6")
def give_route(state: LanesState, orders: GroupOrders, key: str, line: GroupLineOrders) -> list[Refusal]:
    """Give a group its route, or leave it the one it has; one movement order a turn. 13.1.5, 13.1.6"""
    here = state.group(key)[0]
    is_new = bool(line.route) and line.route != write_route(state, orders, here.at)
    if (line.go or is_new) and (orders.fresh or (line.go and is_new)):
        text = "a group has one movement order in a turn"
        path = f"{key}.{'go' if line.go else 'route'}"
        return [illegal(text, "13.1.5, 13.1.6", path, legal="a place to go to, or a route in words")]
    if line.go:
        return _go(state, orders, here, line.go, f"{key}.go")
    if line.route is None or (line.route and not is_new):
        return []
    read = read_route(state, here.empire, here.at, line.route, f"{key}.route")
    if read.refusals:
        return read.refusals
    _put(orders, read.legs, read.again_from)
    return []


def _go(state: LanesState, orders: GroupOrders, squadron: Squadron, text: str, path: str) -> list[Refusal]:
    goal, refusals = place_names(state, squadron.empire).read(text, path)
    if refusals:
        return refusals
    if goal == squadron.at:
        _put(orders, [], None)
        return []
    read = read_route(state, squadron.empire, squadron.at, f"to {text}", path)
    if not read.refusals:
        _put(orders, read.legs, None)
    return read.refusals


def _put(orders: GroupOrders, legs: list[RouteLegOrder], again_from: int | None) -> None:
    end_route(orders)
    orders.legs, orders.again_from = legs, again_from
    orders.fresh = bool(legs)


def give_cargo(state: LanesState, squadron: Squadron, line: GroupLineOrders) -> tuple[list[GivenCargo], list[Refusal]]:
    """Give a squadron its orders for cargo: a text takes the place of those of its kind, what is chosen from a menu is
    done once, here. The orders that are new, and every defect."""
    route = state.fleets[squadron.fleet].orders if squadron.fleet in state.fleets else squadron.orders
    around = _around(route, squadron.at)
    given: list[GivenCargo] = []
    refusals: list[Refusal] = []
    for name, action in TEXTS:
        text: str | None = getattr(line, name)
        if text is None or text == write_cargo(state, squadron.orders.cargo, action):
            continue
        path = f"{squadron.id}.{name}"
        read, defects = read_cargo(state, squadron, action, text, path, around=around)
        refusals += defects
        kept = [one for one in squadron.orders.cargo if one.action != action]
        squadron.orders.cargo = [*kept, *read]
        given += [GivenCargo(squadron.id, one, path) for one in read]
    for name, action in MENUS:
        path = f"{squadron.id}.{name}"
        for what in getattr(line, name) or ():
            if what not in ("census", "experience") and what not in state.units:
                own = [one.id for one in state.units.values() if one.empire == squadron.empire]
                refusals.append(malformed("there is no such cargo", path, nearest=nearest(what, own)))
                continue
            order = CargoOrder(action=action, what=what, at=squadron.at)
            squadron.orders.cargo.append(order)
            given.append(GivenCargo(squadron.id, order, path))
    return given, refusals


def _around(route: GroupOrders, here: PlaceId) -> frozenset[PlaceId]:
    """The places of a round; none where the route ends."""
    if route.again_from is None:
        return frozenset()
    return frozenset(one.to for one in route.legs[route.again_from :])
