"""Which standing orders are obeyed: a fleet's own, then its race's; what both leave open is asked, as ever."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.standing.precedence import Layer, giver_of
from rules_engine.rulebooks.cutler.records.parts.craft import ABOARD
from rules_engine.rulebooks.cutler.records.parts.empires import Cards, Lurking
from rules_engine.rulebooks.cutler.records.parts.standing import NO_ORDERS, Act, RoutineOrders
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fleet, Unit
from rules_engine.rulebooks.cutler.standing.words import clause_of

SIDES = "your race's standing orders"
CHOICES = "the choices on your sheet"
_CARDS = {"bypass": Act(what="never"), "combat": Act(what="do")}


class Given(NamedTuple):
    """An order that is obeyed, how it is written, and whose it is. ``told`` is whether it is worth a report: what is
    chosen from a list on the sheet is not."""

    value: object
    clause: str
    whose: str
    told: bool = True


def orders_of(state: CutlerState, key: str) -> RoutineOrders:
    """The orders of a race or, as ``hydran/F1``, of a fleet alone."""
    return state.standing[key].orders if key in state.standing else NO_ORDERS


def book_key(fleet: Fleet) -> str:
    """The key under which a fleet's standing orders are kept."""
    return f"{fleet.race}/{fleet.key}"


@cache
def _choices(cards: Cards, lurking: Lurking) -> RoutineOrders:
    """What a race has chosen from the lists on its sheet."""
    return RoutineOrders(cards=_CARDS.get(cards), cloak="stay" if lurking == "stay" else None)


def layers_of(state: CutlerState, race: Side, fleet: Fleet | None) -> Iterator[Layer[RoutineOrders]]:
    """The orders that a fleet has, the most specific first; without one those of a race's other units."""
    if fleet is not None:
        yield Layer(f"{fleet.key}'s standing orders", orders_of(state, book_key(fleet)))
    yield Layer(SIDES, orders_of(state, race))
    empire = state.empires[race]
    yield Layer(CHOICES, _choices(empire.cards, empire.lurking))


def order_of(state: CutlerState, race: Side, fleet: Fleet | None, clause: str) -> Given | None:
    """The order that a fleet obeys about something; None where its race is to be asked."""
    layer = giver_of(layers_of(state, race, fleet), clause)
    if layer is None:
        return None
    value: object = getattr(layer.orders, clause)
    is_asking = value == "ask" or getattr(value, "what", "") == "ask"
    return None if is_asking else Given(value, clause_of(clause, value), layer.name, told=layer.name != CHOICES)


def order_in(state: CutlerState, race: Side, hex_id: HexId, clause: str) -> Given | None:
    """The order about something that a race does as one in a hex: of those of its fleets there that have orders of
    their own about it, if they agree, else of the race. None where they differ, or where it is to be asked."""
    own = [fleet for fleet in state.fleets_of(race) if state.place_of(fleet) == hex_id]
    saying = [fleet for fleet in own if getattr(orders_of(state, book_key(fleet)), clause) is not None]
    if not saying:
        return order_of(state, race, None, clause)
    given = [order_of(state, race, fleet, clause) for fleet in saying]
    first = given[0]
    if first is None or any(one is None or one.value != first.value for one in given):
        return None
    names = " and ".join(fleet.key for fleet in saying)
    return first._replace(whose=f"{names}'s standing orders")


def fleets_by_unit(state: CutlerState, race: Side) -> dict[str, Fleet]:
    """A race's fleets, by each of their units."""
    return {key: fleet for fleet in state.fleets_of(race) for key in fleet.units}


def orders_of_units(state: CutlerState, race: Side, units: Sequence[Unit], clause: str) -> dict[str, Given | None]:
    """The order about something that each of these units obeys, by unit; fighters that are sent by themselves obey
    that of their carrier's fleet."""
    fleets = fleets_by_unit(state, race)
    found: dict[str, Given | None] = {}
    for unit in units:
        found[unit.id] = order_of(state, race, fleets.get(unit.id.removesuffix(ABOARD)), clause)
    return found
