"""The movement step of an impulse. CJD1.1"""

from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.space import Way, stepped
from rules_engine.rulebooks.vector.ch1_movement.columns import steps_on
from rules_engine.rulebooks.vector.ch1_movement.paths import move_in, path_objection, usual_way, ways_open
from rules_engine.rulebooks.vector.ch1_movement.slips import slipped_way
from rules_engine.rulebooks.vector.ch5_other.terrain import impact_on, terrain_in
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.tracker.air import Air
from rules_engine.rulebooks.vector.tracker.tows import follow


@rule("CJD1.1", "CJD1.13", "CJD1.551")
def move_all(air: Air) -> None:
    """Move every unit that moves on this impulse; who is in tow after who tows it, and the same way. CJD1.1, CJD1.13,
    CJD1.551, VM-N68"""
    follow(air.battle)
    towed = {link.held: link.controller for link in air.battle.tractors}
    in_tow = {code: tow.lead for tow in air.battle.tows for code in tow.followers}
    present = air.battle.present()
    towed |= in_tow
    # a tug may be held itself: what it has in tow comes after it
    for ship in sorted(present, key=lambda one: (one.id in in_tow, one.id in towed)):
        tug = towed.get(ship.id)
        if tug is None:
            _move(air, ship)
        else:
            for moved_in, way in air.course.get(tug, ()):
                _enter(air, ship, moved_in, way)
    air.course.clear()


def _move(air: Air, ship: VectorShip) -> None:
    # a slip is declared last, and of a unit that moves on this impulse alone
    flight = air.flight_of(ship.id)
    for _ in range(steps_on(ship.vector.speed, air.impulse)):
        way = _next_way(air, ship)
        leads = slipped_way(way, flight.slip) if flight.slip else way
        _enter(air, ship, way, leads)
        flight.slip, flight.fresh = "", False


def _enter(air: Air, ship: VectorShip, moved_in: Way, leads: Way) -> None:
    move_in(ship, moved_in)
    ship.at = stepped(ship.at, leads)
    ship.trail.append(ship.at)
    ship.slip_ready = leads == moved_in
    air.course.setdefault(ship.id, []).append((moved_in, leads))
    air.note(ship, "moved" if leads == moved_in else "slipped", way=leads, rule="CJD1.14")
    for terrain in terrain_in(air.battle.terrain, ship.at):
        impact = impact_on(terrain, ship.vector.speed)
        rule_of_it = "CJD1.52" if terrain.kind == "web" else "CJD1.54"
        air.note(
            ship, "entered", other=terrain.name or terrain.id, speed=impact.speed, times=impact.times, rule=rule_of_it
        )


@rule("CJD1.14")
def _next_way(air: Air, ship: VectorShip) -> Way:
    """The element of the next hex: as the path says that was plotted, else the usual one. A path that the vector does
    not allow is dropped, and its captain told. CJD1.14"""
    # one direction alone may be meant for a count that begins later
    if ship.path in ship.vector.elements or len(ship.path) > 1:
        objection = path_objection(ship, ship.path)
        if objection is None:
            way, ship.path = ship.path[0], ship.path[1:]
            return next(one for one in ways_open(ship.vector, ship.moved, ship.last_way) if one == way)
        ship.path = ""
        air.refuse(ship, objection)
    return usual_way(ship)
