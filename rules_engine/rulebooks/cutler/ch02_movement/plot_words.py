"""Chapter 2: a plotting sheet read back, its warnings, and its courses on the map."""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import Course
from rules_engine.rulebooks.cutler.ch02_movement.building_sites import site_warnings
from rules_engine.rulebooks.cutler.ch02_movement.cloaks import (
    say_cloak,
    say_lurking,
)
from rules_engine.rulebooks.cutler.ch02_movement.convoys.escorts import say_escort
from rules_engine.rulebooks.cutler.ch02_movement.convoys.orders import (
    convoy_plots,
    read_convoys,
    sent_off,
    warn_convoys,
)
from rules_engine.rulebooks.cutler.ch02_movement.coordination import read_coordination
from rules_engine.rulebooks.cutler.ch02_movement.movement import (
    command_limit,
    in_docks,
    stacked,
    top_speed,
)
from rules_engine.rulebooks.cutler.ch02_movement.planet_plots import (
    say_planets,
    warn_of_partners,
)
from rules_engine.rulebooks.cutler.ch02_movement.plots import COURSE, NEW, Plot, judge_plot
from rules_engine.rulebooks.cutler.ch02_movement.stages import as_plotted, stages_of_fleet, why_it_waits
from rules_engine.rulebooks.cutler.ch02_movement.towing import say_dock, say_tow
from rules_engine.rulebooks.cutler.ch04_accessories.mine_orders import judge_lays, read_lays
from rules_engine.rulebooks.cutler.ch08_scanning.orders import (
    read_stations,
    too_far,
)
from rules_engine.rulebooks.cutler.records.conditions.towing import towables
from rules_engine.rulebooks.cutler.records.orders import FleetLine, FleetPlots, gaps_in
from rules_engine.rulebooks.cutler.records.parts.standing import RoutineOrders
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fleet, Unit
from rules_engine.rulebooks.cutler.standing.patrols import say_course, say_stops
from rules_engine.rulebooks.cutler.standing.words import say_orders


def warnings_of(state: CutlerState, race: Side, sheet: FleetPlots) -> list[str]:
    """What the race would probably regret, from the race's own ships alone."""
    plots = judge_plot(state, race, sheet).plots
    said: list[str] = []
    ends: dict[HexId, list[Unit]] = {}
    docked = in_docks(state)
    for key, plot in plots.items():
        if not plot.units:
            continue
        here = plot.units[0].hex
        end = _way(plot)[-1]
        ends.setdefault(end, []).extend(unit for unit in plot.units if end != here or unit.id not in docked)
        own = [unit for unit in plot.flying if unit.id not in plot.tow]
        slow = min(own or plot.units, key=top_speed)
        if any(top_speed(unit) != top_speed(slow) for unit in own):
            said.append(f"{key} moves at the speed of {slow.name}, {top_speed(slow)}.")
        if far := too_far(state.grid, here, plot.scans):
            said.append(f"{key} cannot scan {', '.join(far)} from {here}: too far (8.3.2).")
        said += _gaps(state, key, plot, sheet)
        said += _rough_going(state, _called(key), plot)
        said += warn_of_partners(state, race, _called(key), plot.raze, plot.land)
    said += [
        f"{_called(key)} gets no ships, so what stands in its line does nothing."
        for key, line in sheet.fleets.items()
        if not (key in plots and plots[key].units) and _is_ordered(state.fleet(race, key), line)
    ]
    leaving = [unit for plot in plots.values() if plot.way for unit in plot.units]
    said += site_warnings(state, race, leaving + sent_off(state, race, sheet))
    said += [
        f"More ships end in {hex_id} than can be commanded there; moves may be called off (2.5)."
        for hex_id, units in ends.items()
        if stacked(units) > command_limit(units)
    ]
    return said + warn_convoys(state, race, sheet)


def _gaps(state: CutlerState, key: str, plot: Plot, sheet: FleetPlots) -> list[str]:
    """The steps of a course, typed one by one, that lead to no neighbour, and what is put between."""
    line = sheet.fleets.get(key)
    start = plot.units[0].retreat_hex or plot.units[0].hex
    return [
        f"{_called(key)}: {one} and {two} are no neighbours; it goes by {' '.join(between)}."
        for one, two, between in gaps_in(state.grid, start, (line.course if line else None) or "")
    ]


@rule("2.4.1.9", "2.4.1.10", "9.3")
def _rough_going(state: CutlerState, called: str, plot: Plot) -> list[str]:
    """What terrain on its course will do to a fleet. All of it is public. 2.4.1.9, 2.4.1.10, 9.3"""
    here, forced = plot.units[0].hex, plot.units[0].retreat_hex
    if not (forced or plot.way):
        return []
    way = [here, *([forced] if forced else []), *plot.way]
    way = list(dict.fromkeys(way))
    dust = [one for one in way if state.terrain.get(one) == "dust"]
    if dust[:1] == [here] and all(unit.dust_paid for unit in plot.units):
        del dust[0]
    nebulae = [one for one in way if state.terrain.get(one) == "nebula"]
    unsurveyed = [one for one in way if one in state.unsurveyed]
    said: list[str] = []
    if dust:
        said.append(f"{called} goes through dust in {', '.join(dust)}: leaving it takes one move more (2.4.1.9).")
    if nebulae:
        risk = "leaving it takes a die of 5 or 6, else it is held up or comes out elsewhere"
        said.append(f"{called} goes through a nebula in {', '.join(nebulae)}: {risk} (2.4.1.10).")
    if unsurveyed:
        said.append(f"{called} goes through unsurveyed {', '.join(unsurveyed)}: half speed in and out (9.3).")
    return said


@rule("3.4.5.4")
def _way(plot: Plot) -> tuple[HexId, ...]:
    """The hexes of a fleet's way from where it is; who has disengaged goes where it must first. 3.4.5.4"""
    first = plot.units[0]
    return (first.hex, *([first.retreat_hex] if first.retreat_hex else []), *plot.way)


def _called(key: str) -> str:
    return "New fleet" if key == NEW else key


def _is_ordered(fleet: Fleet | None, line: FleetLine) -> bool:
    """Whether a line says more than what is filled in: a next hex, or a course or scans other than the stored ones."""
    stored = (" ".join(fleet.course), " ".join(fleet.scans)) if fleet else ("", "")
    return line.go not in (None, COURSE) or (line.course or stored[0], line.scan or stored[1]) != stored


def read_back(state: CutlerState, race: Side, sheet: FleetPlots) -> list[str]:
    """The sheet in plain words."""
    said: list[str] = []
    judged = judge_plot(state, race, sheet)
    for key, plot in judged.plots.items():
        if not plot.units:
            said.append(f"{key} is dissolved.")
            continue
        names = ", ".join(unit.name for unit in plot.units)
        forced = plot.units[0].retreat_hex
        does = say_course(_way(plot), plot.loop) if forced or plot.way else f"holds in {plot.units[0].hex}"
        waits = _waits(state, race, plot)
        does += f"; {waits}" if waits else ""
        does += say_stops(plot.stops)
        does += f"; having disengaged, must first go to {forced}" if forced else ""
        does += f"; gives up its stored course {' '.join(plot.given_up)}" if plot.given_up else ""
        does += f"; scans {', '.join(plot.scans)}" if plot.scans else ""
        does += say_planets(state, plot.raze, plot.land, plot.parties, crews=plot.crews, shuttles=plot.shuttles)
        does += say_cloak(plot.units, cloak=plot.cloak)
        does += say_tow(plot.units, plot.tow, towables(state, race, plot.units[0].hex)) + say_escort(plot.escort)
        does += say_dock(plot.units, plot.dock)
        said.append(f"{_called(key)} ({names}): {does}.")
        if plot.orders.given:
            said.append(f"{_called(key)}, unasked: {say_orders(plot.orders)}")
    said += [
        *read_convoys(state, race, sheet),
        *read_stations(state, race, judged.station_scans),
        *read_lays(state, race, judge_lays(state, race, sheet)[0]),
        *read_coordination(state, race, sheet.coordination),
    ]
    said += _say_standing(state, race, sheet, judged.orders)
    return [*said, f"All fleets, unasked: {say_orders(judged.orders)}"] if judged.orders.given else said


def _as_plotted(state: CutlerState, race: Side, plot: Plot) -> list[Unit]:
    return as_plotted(state, race, plot.flying or plot.units, plot.tow, cloak=plot.cloak)


@rule("2.4")
def _waits(state: CutlerState, race: Side, plot: Plot) -> str:
    """That a fleet with a course stays where it is in the impulse that is plotted, and why, in words; empty if it moves
    or has no course. 2.4, CU-R130"""
    reason = why_it_waits(state, race, _as_plotted(state, race, plot), plot.way)
    when = "this impulse" if state.impulse else "in impulse 1"
    return f"waits in {plot.units[0].hex} {when}: {reason}" if reason else ""


_UNCHANGED = ("ask", "contact", "ask")
"""What stands where a race has chosen nothing: it is asked."""


def _say_standing(state: CutlerState, race: Side, sheet: FleetPlots, orders: RoutineOrders) -> list[str]:
    """The card that is shown to others, and when the race is asked for plots, as the sheet would set them; what stands
    in words comes before it. Nothing where the race has chosen nothing, or words alone, which are said by themselves.
    """
    empire, said = state.empires[race], sheet.standing
    before = (empire.cards, empire.asking, empire.lurking)
    after = (said.cards or empire.cards, said.impulses or empire.asking, said.lurking or empire.lurking)
    if before == after == _UNCHANGED:
        return []
    cards, asking, hides = after
    card = {"ask": "you are asked for a card", "bypass": "always bypass", "combat": "always combat"}[cards]
    when = {"contact": "when something is near", "each": "in every impulse"}[asking]
    card = card if orders.cards is None else "as you ordered in words"
    when = when if orders.near is None or asking == "each" else "as you ordered in words"
    lurking = say_lurking(state, race, hides) if orders.cloak is None else ""
    return [f"Standing orders: meeting others, {card}; you are asked for plots {when}{lurking}."]


def courses_of(state: CutlerState, race: Side, sheet: FleetPlots) -> list[Course]:
    """The plotted courses, for the map."""
    return [
        Course(
            counter=key,
            kind="plotted",
            hexes=_way(plot),
            stages=stages_of_fleet(state, _as_plotted(state, race, plot), len(_way(plot)) - 1),
            waits=_waits(state, race, plot),
        )
        for key, plot in judge_plot(state, race, sheet).plots.items()
        if plot.units and len(_way(plot)) > 1
    ] + convoy_plots(state, race, sheet)
