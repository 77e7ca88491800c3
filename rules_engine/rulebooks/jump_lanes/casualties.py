"""What else goes when units are lost or crippled: flights without a carrier, tows, cargo, squadrons without units."""

from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import (
    based_on,
    basing_room,
    carrier_with_room,
    close_empty,
)
from rules_engine.rulebooks.jump_lanes.ch3_cargo.losses import lose_cargo, usual_loss
from rules_engine.rulebooks.jump_lanes.ch4_towing.tows import let_go_what_is_too_much
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, names_of
from rules_engine.rulebooks.jump_lanes.records.units import Squadron, Unit


def lose_unit(state: LanesState, unit: Unit) -> None:
    """Take a unit out of play. Its flights find another carrier of the squadron, stay with it if they cross lanes by
    themselves, else stand where it is; in a lane they are lost. Cargo and tows are looked after by ``settle``."""
    flights, squadron = based_on(state, unit), state.squadrons.get(unit.squadron)
    state.take_out(unit)
    if squadron is not None:
        for flight in flights:
            _find_berth(state, squadron, flight)


def settle(state: LanesState, squadron: Squadron, *, cargo: bool = True) -> str:
    """After losses: let go what is too much to tow, take flights off crippled carriers, lose cargo that does not fit,
    the cheapest first, unless its owner is asked, and strike off a squadron without units. Says what was lost or let
    go; "" for nothing. JL-N35, JL-N37"""
    said: list[str] = []
    if let_go := let_go_what_is_too_much(state, squadron):
        said.append(f"let go: {names_of(let_go)}")
    for carrier in state.members(squadron.id):
        for flight in based_on(state, carrier):
            if basing_room(state, carrier) < 0 or carrier.crippled:
                _find_berth(state, squadron, flight)
    if cargo or not state.members(squadron.id):
        lost = lose_cargo(state, squadron, usual_loss(state, squadron))
        said += [f"cargo lost: {lost}"] if lost else []
    close_empty(state, squadron.id)
    return "; ".join(said)


def _find_berth(state: LanesState, squadron: Squadron, flight: Unit) -> None:
    flight.based_on = ""
    carrier = carrier_with_room(state, squadron, flight)
    if carrier is not None:
        flight.based_on = carrier.id
    elif flight.ftl:
        return
    elif squadron.at:
        state.put(flight, at=squadron.at)
    else:
        state.take_out(flight)
