"""Groups, squadrons and units in a line, for their own empire."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.rosters import OwnShip
from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import slowest
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import load_of, rating_of
from rules_engine.rulebooks.jump_lanes.plotting.cargo_words import ACTIONS, write_cargo
from rules_engine.rulebooks.jump_lanes.plotting.routes import goal_name, write_route
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import Squadron, Unit


def say_unit(state: LanesState, unit: Unit) -> str:
    """A unit: what it is, and what is not as usual with it."""
    states = {
        "crippled": unit.crippled,
        "out of supply": unit.out_of_supply,
        "tows": unit.tows,
        "in tow": unit.towed,
        f"based on {_name(state, unit.based_on)}": bool(unit.based_on),
    }
    said = [word for word, true in states.items() if true]
    return f"{unit.name} ({unit.kind}, SIZ {unit.siz}{''.join(f', {one}' for one in said)})"


def _name(state: LanesState, unit: str) -> str:
    return state.units[unit].name if unit in state.units else unit


def say_squadron(state: LanesState, squadron: Squadron) -> str:
    """A squadron: where it is or goes, its speed, what it carries, and its units."""
    units = state.members(squadron.id)
    speeds = slowest(units)
    where = f"at {state.place_name(squadron.at)}" if squadron.at else say_transit(state, squadron)
    carries = say_cargo(state, squadron)
    room = f"carries {carries} ({load_of(state, squadron)} of {rating_of(state, squadron)})" if carries else ""
    fleet = f"with {squadron.fleet}" if squadron.fleet else ""
    named = squadron.name if squadron.name != squadron.id else ""
    head = " ".join(filter(None, (squadron.id, named, where)))
    parts = (head, fleet, f"FTL {speeds.of('ftl')}", _going(state, squadron), room)
    return f"{', '.join(filter(None, parts))}: {'; '.join(say_unit(state, one) for one in units)}"


def say_transit(state: LanesState, squadron: Squadron) -> str:
    """Where a squadron under way goes, and when it arrives."""
    transit = squadron.transit
    if transit is None:
        return "nowhere"
    return f"in transit to {goal_name(state, transit.goal)}, arrives in turn {arrival_of(state, squadron)}"


def arrival_of(state: LanesState, squadron: Squadron) -> int:
    """The turn in whose movement a squadron under way arrives: once the present turn's movement has begun, that is paid
    for already."""
    left = squadron.transit.turns_left if squadron.transit is not None else 0
    is_paid = state.moved == state.turn or fights(state, squadron.empire)
    return state.turn + (left if is_paid else max(0, left - 1))


def fights(state: LanesState, empire: Side | None) -> bool:
    """Whether an empire fights a battle now; of None whether anybody does. No empire is told of battles of others."""
    return any(empire is None or empire in one.sides for one in state.battles.values())


def say_cargo(state: LanesState, squadron: Squadron) -> str:
    """What a squadron carries: points, then units."""
    held: dict[str, int] = {}
    for lot in squadron.hold:
        held[lot.kind] = held.get(lot.kind, 0) + lot.amount
    names = {"census": "census point", "experience": "experience point"}
    said = [counted(amount, names[kind]) for kind, amount in held.items() if amount]
    return ", ".join([*said, *(unit.name for unit in state.carried(squadron.id))])


def say_route(state: LanesState, squadron: Squadron) -> str:
    """The route that a squadron, or its fleet, follows from where it is or comes to; "" for none."""
    fleet = state.fleets.get(squadron.fleet)
    orders = squadron.orders if fleet is None else fleet.orders
    here = squadron.at or (squadron.transit.goal if squadron.transit is not None else "")
    return write_route(state, orders, here)


def say_trade(state: LanesState, squadron: Squadron) -> list[str]:
    """What a squadron has still to do with cargo, now and each time that it comes by."""
    return [
        f"{verb} {what}"
        for action, verb in ACTIONS.items()
        if (what := write_cargo(state, squadron.orders.cargo, action))
    ]


def _going(state: LanesState, squadron: Squadron) -> str:
    route = say_route(state, squadron)
    then = "goes" if squadron.at else "then goes"
    return f"{then} {route}" if route else ""


def roster(state: LanesState, empire: Side) -> list[OwnShip]:
    """An empire's units in squadrons, which its captains command."""
    return [
        OwnShip(unit.id, unit.name, squadron.id)
        for squadron in state.squadrons_of(empire)
        for unit in state.members(squadron.id)
    ]
