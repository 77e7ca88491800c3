"""What one unit's plot comes to: for judging it, and for reading it back. The battle stays as it is."""

from typing import NamedTuple

from rules_engine.core.basics.base import Frozen, HexId
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.grids.space import Way
from rules_engine.rulebooks.vector.ch1_movement.paths import path_objection
from rules_engine.rulebooks.vector.ch2_energy.allocating import allocation_objection
from rules_engine.rulebooks.vector.ch2_energy.paying import Bill
from rules_engine.rulebooks.vector.ch3_acceleration.thrust import thrust_from
from rules_engine.rulebooks.vector.ch4_turning.turns import turn_from
from rules_engine.rulebooks.vector.ch5_other.launching import aboard
from rules_engine.rulebooks.vector.ch5_other.tractors import control_objection
from rules_engine.rulebooks.vector.records.happenings import Happened, What
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.plots import IMPULSES, PlotEvent, UnitPlot
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.tracker.air import Air
from rules_engine.rulebooks.vector.tracker.coasting import aside, with_partner
from rules_engine.rulebooks.vector.tracker.conditions import waits
from rules_engine.rulebooks.vector.tracker.flying import begin_turn, fly_impulse, take_plots
from rules_engine.rulebooks.vector.tracker.judged import never_lands, objection_to


class PlotDefect(Frozen):
    """Something in a plot that cannot be done. ``event`` is its place in the plot (None: it is no event's), ``impulse``
    the one that it was meant for, ``legal_on`` the first impulse, counted from the battle's beginning, on which it
    would be legal (0: time does not help)."""

    refusal: Refusal
    event: int | None = None
    impulse: int = 0
    legal_on: int = 0


class PlotStep(Frozen):
    """What came of an event: what happened, what it cost, and where it left the unit."""

    event: int
    impulse: int
    what: What
    hex: HexId
    facing: Way
    vector: str
    bill: Bill = Bill()


class Foreseen(Frozen):
    """What a unit's plot comes to from after impulse ``first`` to ``last`` of ``turn``: its ``steps``, the hexes it
    stands in (``course``, by impulse, from where it is on), how it ends, and the points that are used and left then.
    ``turns_on`` and ``thrusts_on`` are the first impulses, counted from the battle's beginning, on which it may turn
    and accelerate again. ``doubts`` say what cannot be foreseen."""

    unit: str
    turn: int
    first: int
    last: int
    steps: tuple[PlotStep, ...] = ()
    happened: tuple[Happened, ...] = ()
    course: tuple[tuple[int, HexId], ...] = ()
    hex: HexId = ""
    facing: Way = "A"
    vector: str = "0"
    spent: Bill = Bill()
    warp_left: int = 0
    warp_used: int = 0
    impulse_left: int = 0
    reserve_left: int = 0
    half_left: int = 0
    turns_on: int = 0
    thrusts_on: int = 0
    defects: tuple[PlotDefect, ...] = ()
    doubts: tuple[str, ...] = ()


class _Hope(NamedTuple):
    """The least objection to an event on a condition in its window so far, None once it would be legal."""

    objection: Objection | None
    impulse: int


def foresee(battle: Tactical, unit: str, plot: UnitPlot, last_impulse: int) -> Foreseen:
    """Fly one unit's plot on a copy of the battle to the end of ``last_impulse``; whoever its course depends on coasts.
    What waits for a condition is not done, and judged by whether it would be legal on any impulse of its window. Where
    a turn is over, or none has begun, it is the next turn's plot."""
    objection = presence_objection(battle, unit)
    if objection is not None:
        refusal = objection.refused(unit, battle.turn)
        defect = PlotDefect(refusal=refusal, legal_on=objection.legal_on)
        return Foreseen(unit=unit, turn=battle.turn, first=battle.impulse, last=last_impulse, defects=(defect,))
    copy = aside(battle, _concerned(battle, unit, plot))
    for other in copy.units.values():
        if other.side != copy.units[unit].side:
            # what was plotted for it is not known here, however the battle came
            other.path = ""
    if copy.impulse == IMPULSES or not copy.turn:
        begin_turn(copy)
    first, ship = copy.impulse, copy.units[unit]
    defects = _plain_defects(copy, ship, plot, last_impulse)
    air = take_plots(copy, {unit: plot}, None)
    flight = air.flight_of(unit)
    # conditions do not come about here
    flight.done = {number: 0 for number, event in enumerate(plot.events) if waits(event)}
    hopes: dict[int, _Hope] = {}
    course = [(first, ship.at)]
    for impulse in range(first + 1, last_impulse + 1):
        _hope(air, ship, impulse, hopes)
        fly_impulse(air, impulse)
        course += [(impulse, one.hex) for one in _moves(air, unit, impulse)]
    defects += _path_defects(air, ship)
    defects += _refused(air, ship, first)
    defects += [
        PlotDefect(
            refusal=hope.objection.refused(unit, copy.turn),
            event=number,
            impulse=hope.impulse,
            legal_on=hope.objection.legal_on,
        )
        for number, hope in sorted(hopes.items())
        if hope.objection is not None
    ]
    own = [one for one in air.happened if one.unit == unit or (one.what == "launched" and one.other == unit)]
    bills = flight.bills.values()
    return Foreseen(
        unit=unit,
        turn=copy.turn,
        first=first,
        last=last_impulse,
        steps=tuple(_step(one, flight.bills) for one in own if one.event is not None and one.what != "refused"),
        happened=tuple(own),
        course=tuple(course),
        hex=ship.at,
        facing=ship.facing,
        vector=ship.vector.says,
        spent=Bill(*(sum(part) for part in zip(*bills, strict=True))) if bills else Bill(),
        warp_left=ship.warp_left,
        warp_used=ship.warp_used,
        impulse_left=ship.impulse_left,
        reserve_left=ship.reserve_left,
        half_left=ship.half_left,
        turns_on=turn_from(ship),
        thrusts_on=thrust_from(ship),
        defects=tuple(defects),
        doubts=tuple(_doubts(air, ship, first)),
    )


def presence_objection(battle: Tactical, unit: str) -> Objection | None:
    """Why nothing can be plotted for a unit: it is not there, or not yet, or no more. VM-R36"""
    ship = battle.units.get(unit)
    if ship is None:
        return Objection(f"there is no {unit}", "CJD1.0", "units in play")
    if ship.out:
        return Objection(f"{unit} is {ship.out}", "CJD1.0", "units in play")
    if ship.aboard:
        return Objection(f"{unit} is aboard {ship.aboard}", "CJD1.53", f"launch {unit} by {ship.aboard}")
    if ship.waits_for > (battle.turn + 1 if battle.impulse == IMPULSES or not battle.turn else battle.turn):
        return Objection(f"{unit} is not there yet", "CJD1.0", "a plot", IMPULSES * (ship.waits_for - 1) + 1)
    return None


def _concerned(battle: Tactical, unit: str, plot: UnitPlot) -> list[str]:
    """The units that a unit's course depends on."""
    if any(one.action == "land" or (one.hand in ("towards", "away") and not waits(one)) for one in plot.events):
        return sorted(battle.units)
    return [*with_partner(battle, unit), *(one.id for one in aboard(battle, unit))]


def _plain_defects(battle: Tactical, ship: VectorShip, plot: UnitPlot, last: int) -> list[PlotDefect]:
    """What is wrong whatever happens: points that there are not, events that fall out of the piece."""
    found: list[PlotDefect] = []
    late = battle.impulse > 0 and (plot.warp is not None or plot.impulse is not None)
    objection = (
        Objection("energy is allocated at the turn's beginning", "CJD1.21", "reserve, or what was allocated then")
        if late
        else allocation_objection(ship, plot.warp, plot.impulse)
    )
    if objection is not None:
        found.append(PlotDefect(refusal=objection.refused(ship.id, battle.turn)))
    span = f"impulses {battle.impulse + 1} to {last}"
    for number, event in enumerate(plot.events):
        window = (event.when.first, event.when.last) if event.when is not None else (0, 0)
        if event.impulse is None and event.when is None:
            out = Objection("on which impulse?", "CJD1.32", span)
        elif event.impulse is not None and event.when is not None:
            out = Objection("on an impulse or when a condition holds, not both", "CJD1.32", span)
        elif event.impulse is not None and not battle.impulse < event.impulse <= last:
            out = Objection(f"impulse {event.impulse} is not in this piece of the turn", "CJD1.32", span)
        elif event.impulse is None and (window[0] > window[1] or window[1] <= battle.impulse or window[0] > last):
            out = Objection(f"impulses {window[0]} to {window[1]} are not in this piece", "CJD1.32", span)
        else:
            continue
        found.append(
            PlotDefect(refusal=out.refused(ship.id, battle.turn), event=number, impulse=event.impulse or window[0])
        )
    return found


def _hope(air: Air, ship: VectorShip, impulse: int, hopes: dict[int, _Hope]) -> None:
    """Judge what waits for a condition, if it came about on this impulse."""
    for number, event in enumerate(air.flight_of(ship.id).plot.events):
        when = event.when
        if not waits(event) or when is None or not when.first <= impulse <= when.last:
            continue
        if number in hopes and hopes[number].objection is None:
            continue
        clock = air.battle.clock_of(impulse)
        hopes[number] = _Hope(_objection_on_condition(air.battle, ship, clock, event), impulse)


def _objection_on_condition(battle: Tactical, ship: VectorShip, clock: int, event: PlotEvent) -> Objection | None:
    # where its host will be is not known
    if event.action == "land":
        return never_lands(battle, ship, event.subject)
    return objection_to(battle, ship, clock, event)


def _moves(air: Air, unit: str, impulse: int) -> list[Happened]:
    found = (one for one in reversed(air.happened) if one.unit == unit)
    moved: list[Happened] = []
    for one in found:
        if one.impulse != impulse:
            break
        if one.what in ("moved", "slipped"):
            moved.append(one)
    return moved[::-1]


def _path_defects(air: Air, ship: VectorShip) -> list[PlotDefect]:
    """What is wrong with a path that was not come to."""
    flight = air.flight_of(ship.id)
    path = flight.plot.path
    objection = control_objection(air.battle, ship) if path else None
    if objection is None and path and ship.path == path:
        objection = _never_first(ship, path) if len(path) == 1 else path_objection(ship, path)
    return [PlotDefect(refusal=objection.refused(ship.id, air.battle.turn))] if objection is not None else []


def _never_first(ship: VectorShip, path: str) -> Objection | None:
    """What is wrong with a first direction that was not come to: it is part of no vector of the piece."""
    if path in ship.vector.elements:
        return None
    problem = f"{path} first, which is no part of {ship.vector.says}"
    return Objection(problem, "CJD1.14", " or ".join(ship.vector.elements) or "no path")


def _refused(air: Air, ship: VectorShip, first: int) -> list[PlotDefect]:
    """What the flight refused, but for landings whose host may be elsewhere then."""
    events = air.flight_of(ship.id).plot.events
    return [
        PlotDefect(refusal=one.refusal, event=one.event, impulse=one.impulse, legal_on=one.legal_on)
        for one in air.happened
        if one.refusal is not None and one.unit == ship.id and not _in_doubt(air, ship, events, one, first)
    ]


def _in_doubt(air: Air, ship: VectorShip, events: tuple[PlotEvent, ...], one: Happened, first: int) -> bool:
    event = events[one.event] if one.event is not None else None
    if event is None or event.action != "land" or one.impulse == first + 1:
        return False
    return never_lands(air.battle, ship, event.subject) is None


def _doubts(air: Air, ship: VectorShip, first: int) -> list[str]:
    """What a plot leaves open, in words."""
    found: list[str] = []
    events = air.flight_of(ship.id).plot.events
    for one in air.happened:
        if one.what == "high energy turn" and one.unit == ship.id and ship.figures.breakdown <= 6:
            found.append(f"impulse {one.impulse}: it breaks down on a D6 of {ship.figures.breakdown} or more")
        if one.refusal is not None and one.unit == ship.id and _in_doubt(air, ship, events, one, first):
            subject = events[one.event].subject if one.event is not None else ""
            found.append(f"impulse {one.impulse}: if {subject} coasts, it does not land ({one.refusal.problem})")
    if any(map(waits, events)):
        found.append("condition not drawn")
    return found


def _step(one: Happened, bills: dict[int, Bill]) -> PlotStep:
    event = one.event or 0
    return PlotStep(
        event=event,
        impulse=one.impulse,
        what=one.what,
        hex=one.hex,
        facing=one.facing,
        vector=one.vector,
        bill=bills.get(event, Bill()),
    )
