"""Chapter 2: the sheet of plots: its lines, every defect, and what it changes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Line, choices, text_field
from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.cutler.ch02_movement.cloaks import cloak_fields, judge_cloak, lurking_fields
from rules_engine.rulebooks.cutler.ch02_movement.convoys.escorts import bind_escorts, escort_fields, judge_escort
from rules_engine.rulebooks.cutler.ch02_movement.convoys.orders import (
    carry_out_convoys,
    convoy_lines,
    judge_convoys,
)
from rules_engine.rulebooks.cutler.ch02_movement.coordination import (
    coordination_lines,
    judge_coordination,
    store_coordination,
)
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.movement import fleet_speed, is_derelict, is_held
from rules_engine.rulebooks.cutler.ch02_movement.planet_plots import (
    judge_planets,
    planet_fields,
    stored_orders,
    stored_shuttles,
)
from rules_engine.rulebooks.cutler.ch02_movement.stages import lodged_now
from rules_engine.rulebooks.cutler.ch02_movement.towing import (
    Docking,
    carry_along,
    dock_fields,
    judge_carried,
    judge_docks,
    judge_shared_tows,
    judge_way_from_docks,
    judge_way_of_bases,
    say_docked,
    tow_fields,
    with_pfs,
)
from rules_engine.rulebooks.cutler.ch04_accessories.mine_orders import Lays, judge_lays, lay_lines, store_lays
from rules_engine.rulebooks.cutler.ch08_scanning.orders import (
    judge_scan,
    judge_stations,
    scan_field,
    station_lines,
)
from rules_engine.rulebooks.cutler.records.conditions.towing import towables, towed_among
from rules_engine.rulebooks.cutler.records.orders import FleetLine, FleetPlots, as_far_as_it_goes, read_course
from rules_engine.rulebooks.cutler.records.parts.standing import NO_ORDERS, RouteStop, RoutineOrders
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fleet, Unit
from rules_engine.rulebooks.cutler.standing.patrols import MOST_CHARACTERS as MOST_STOP_CHARACTERS
from rules_engine.rulebooks.cutler.standing.patrols import (
    STOP_EXAMPLE,
    keep_record,
    loop_of,
    orders_of_fleet,
    read_patrol,
    read_stops,
    stops_of,
    write_patrol,
    write_stops,
)
from rules_engine.rulebooks.cutler.standing.precedence import book_key, orders_of
from rules_engine.rulebooks.cutler.standing.words import EXAMPLE, MOST_CHARACTERS, read_orders, write_orders

CARD_CHOICES = choices(ask="Ask me each time", bypass="Always bypass", combat="Always combat")
ASKING_CHOICES = choices(contact="Ask for plots when something is near", each="Ask for plots in every impulse")
COURSE, HOLD = "course", "hold"
WAY_CHOICES = (Choice(value=COURSE, label="As the course says"), Choice(value=HOLD, label="Hold"))
COURSE_HELP = "Hex numbers in order, e.g. 0404 0505, or to 0505; loop to repeat; blank holds"
NEW = "new"
"""The line of ships to be split off into a fleet of their own."""
SILENT = FleetLine()


@dataclass
class Plot:
    """One fleet of a judged sheet: the stored ``fleet`` (None: one to be made), its ships, and what they do."""

    fleet: Fleet | None = None
    units: list[Unit] = field(default_factory=list[Unit])
    way: list[HexId] = field(default_factory=list[HexId])
    scans: list[HexId] = field(default_factory=list[HexId])
    raze: str = ""
    land: str = ""
    parties: int | None = None
    crews: int | None = None
    shuttles: int = 0
    cloak: bool = False
    tow: list[str] = field(default_factory=list[str])
    dock: list[str] = field(default_factory=list[str])
    escort: str = ""
    loop: list[HexId] = field(default_factory=list[HexId])
    stops: tuple[RouteStop, ...] = ()
    orders: RoutineOrders = NO_ORDERS
    given_up: list[HexId] = field(default_factory=list[HexId])
    """The stored course, where it was left unchanged and is given up because of another next hex."""

    @property
    def flying(self) -> list[Unit]:
        """Its units but for PFs that are docked."""
        return [unit for unit in self.units if unit.id not in self.dock]


@dataclass
class JudgedPlots:
    """A judged plot sheet: what each fleet does, with docks, too, by its key; what others scan; and every defect."""

    plots: dict[str, Plot]
    docking: dict[str, Docking] = field(default_factory=dict[str, Docking])
    refusals: list[Refusal] = field(default_factory=list[Refusal])
    station_scans: dict[str, list[HexId]] = field(default_factory=dict[str, list[HexId]])
    orders: RoutineOrders = NO_ORDERS


# --- the form --------------------------------------------------------------------------------------------------------


LONGEST_LABEL = 80
"""Characters of a fleet's line; of a larger fleet it names one ship."""


def fleet_lines(state: CutlerState, race: Side) -> list[Line]:
    """A line for each fleet, one for ships to be split off, those of other scanners, and the standing orders."""
    fleets = state.fleets_of(race)
    everyone = [unit for fleet in fleets for unit in state.members(fleet)]
    present: dict[HexId, list[Unit]] = {}
    for unit in everyone:
        present.setdefault(unit.hex, []).append(unit)
    company = {
        here: tuple(Choice(value=unit.id, label=unit.title) for unit in units)
        for here, units in present.items()
        if len(units) > 1
    }
    lines = [_fleet_line(state, fleet, company.get(state.place_of(fleet), ())) for fleet in fleets]
    if any(len(fleet.units) > 1 for fleet in fleets):
        ships = tuple(Choice(value=unit.id, label=f"{unit.title}, {unit.hex}") for unit in everyone)
        fields = (
            Field(key="ships", label="Ships to split off", kind="many", choices=ships, optional=True, value=[]),
            Field(key="course", label="Their course", kind="text", most=300, optional=True),
            *cloak_fields(everyone, None),
            *planet_fields(state, race, everyone, None),
        )
        lines.append(Line(key=NEW, label="New fleet", fields=fields, note="Ships of one hex that go their own way"))
    lines += [*convoy_lines(state, race), *station_lines(state, race), *lay_lines(state, race)]
    lines += coordination_lines(state, race)
    empire = state.empires[race]
    fields = (
        Field(key="cards", label="Meeting others", kind="one", choices=CARD_CHOICES, value=empire.cards),
        Field(key="impulses", label="Plots", kind="one", choices=ASKING_CHOICES, value=empire.asking),
        *lurking_fields(state, race),
        text_field(
            "orders",
            "In words",
            MOST_CHARACTERS,
            write_orders(orders_of(state, race)) or None,
            f"For all fleets without orders of their own, for example {EXAMPLE}",
        ),
    )
    lines.append(Line(key="standing", label="Standing orders", fields=fields))
    return lines


def _fleet_line(state: CutlerState, fleet: Fleet, company: tuple[Choice, ...]) -> Line:
    """A fleet's line. ``company`` are all ships of its hex, if there are several."""
    members = state.members(fleet)
    here, forced = members[0].hex, members[0].retreat_hex
    ways = (*WAY_CHOICES, *(Choice(value=goal, label=f"To {goal}") for goal in state.grid.neighbours(forced or here)))
    course = write_patrol(fleet.course, loop_of(state, fleet))
    fields = [
        Field(key="go", label="Next", kind="one", choices=ways, value=COURSE),
        text_field("course", "Course", 300, course, _how(state, fleet)),
    ]
    if company:
        fields.append(Field(key="ships", label="Ships", kind="many", choices=company, value=[*fleet.units]))
    scan = scan_field(members, fleet.scans)
    if scan is not None:
        fields.append(scan)
    fields += cloak_fields(members, fleet)
    fields += tow_fields(members, towables(state, fleet.race, here)) + dock_fields(state, fleet)
    fields += escort_fields(state, fleet)
    moving = len(fields)
    fields += planet_fields(state, fleet.race, members, fleet)
    fields += _standing_fields(state, fleet)
    label = f"{fleet.key}: {', '.join(unit.name for unit in members)}"
    if len(label) > LONGEST_LABEL:
        label = f"{fleet.key}: {members[0].name} and {len(members) - 1} more"
    note = f"at {here}, speed {fleet_speed(members)}{say_docked(state, members)}"
    note += f"; having disengaged, must first go to {forced}" if forced else ""
    return Line(key=fleet.key, label=label, fields=tuple(fields), note=note, together=moving)


def _standing_fields(state: CutlerState, fleet: Fleet) -> list[Field]:
    """What a fleet does without being asked, and what ends its course."""
    orders, stops = write_orders(orders_of_fleet(state, fleet)), write_stops(stops_of(state, fleet))
    stop_help = f"For example {STOP_EXAMPLE}"
    return [
        text_field("orders", "Standing orders", MOST_CHARACTERS, orders or None, f"For example {EXAMPLE}"),
        text_field("stop", "Its course ends at", MOST_STOP_CHARACTERS, stops or None, stop_help),
    ]


def _how(state: CutlerState, fleet: Fleet) -> str:
    """How a course is written, with an example where not just a few will do."""
    members = state.members(fleet)
    if any(state.units[key].kind == "base" for key in (*towed_among(members), *fleet.units)):
        return "Hex numbers in order, none in which no base may be; blank holds"
    lodged = lodged_now(state, fleet.race)
    bound = next((lodged[unit.id] for unit in members if unit.id in lodged), None)
    if bound is not None and not members[0].retreat_hex:
        return (
            f"Hex numbers in order, {bound} first, for that is lodged"
            if bound
            else "Hex numbers in order, from impulse 2 on: that it stays in impulse 1 is lodged"
        )
    return "Blank: it goes where its convoy goes" if fleet.escort else COURSE_HELP


# --- judging ---------------------------------------------------------------------------------------------------------


@rule("2.2", "2.4")
def judge_plot(state: CutlerState, race: Side, sheet: FleetPlots) -> JudgedPlots:
    """Judge a plot sheet from what the race itself knows; the result holds every defect. 2.2, 2.4"""
    judged = JudgedPlots({fleet.key: Plot(fleet, state.members(fleet)) for fleet in state.fleets_of(race)})
    known = list(judged.plots)
    judged.refusals += [
        malformed("you have no such fleet", key, legal=", ".join(known), nearest=nearest(key, known))
        for key in sheet.fleets
        if key != NEW and key not in judged.plots
    ]
    leaving = _form_up(state, sheet, judged)
    lodged = lodged_now(state, race)
    for key, plot in judged.plots.items():
        if plot.units:
            line = sheet.fleets.get(key, SILENT)
            bases = towables(state, race, plot.units[0].hex)
            plot.dock, plot.tow, defects = judge_carried(state, key, plot.units, bases, line=line, leaving=leaving)
            judged.refusals += defects
            judged.refusals += _judge_course(state, lodged, key, plot, line)
            judged.refusals += _judge_standing(state, key, plot, line)
            judged.refusals += judge_way_of_bases(state, key, plot.way, [*plot.tow, *(unit.id for unit in plot.units)])
            judged.refusals += _judge_held(state, key, plot, line)
            judged.refusals += _judge_scan(state.grid, key, plot, line)
            judged.refusals += judge_planets(state, race, key, plot.units, line=line, fleet=plot.fleet)
            plot.raze, plot.land, plot.parties, plot.crews = stored_orders(plot.fleet, line)
            plot.shuttles = stored_shuttles(plot.fleet, line)
            does = {"scan": plot.scans, "raze": plot.raze, "land": plot.land}
            plot.cloak, defects = judge_cloak(key, plot.flying, plot.fleet, line=line, does=does)
            judged.refusals += defects
            plot.escort, defects = judge_escort(state, race, sheet, key, units=plot.units, fleet=plot.fleet)
            judged.refusals += defects
            plot.way, plot.loop = ([], []) if plot.escort else (plot.way, plot.loop)
    judged.refusals += judge_shared_tows({key: plot.tow for key, plot in judged.plots.items()})
    judged.docking = {key: Docking(one.units, one.dock, goes=bool(one.way)) for key, one in judged.plots.items()}
    judged.refusals += judge_docks(state, race, judged.docking)
    judged.station_scans, defects = judge_stations(state, race, sheet)
    judged.refusals += [*defects, *judge_lays(state, race, sheet)[1], *judge_convoys(state, race, sheet).refusals]
    judged.refusals += judge_coordination(state, race, sheet.coordination)
    judged.orders, defects = orders_of(state, race), list[Refusal]()
    if sheet.standing.orders is not None:
        judged.orders, defects = read_orders(sheet.standing.orders, "standing.orders", of_side=True)
    judged.refusals += defects
    return judged


def _judge_standing(state: CutlerState, key: str, plot: Plot, line: FleetLine) -> list[Refusal]:
    """A fleet's standing orders and what stops its course, as written or as they are kept; every defect."""
    refusals: list[Refusal] = []
    plot.orders, plot.stops = orders_of_fleet(state, plot.fleet), stops_of(state, plot.fleet)
    if line.orders is not None:
        plot.orders, refusals = read_orders(line.orders, f"{key}.orders")
    if line.stop is not None:
        plot.stops, defects = read_stops(state.grid, line.stop, f"{key}.stop")
        refusals += defects
    return refusals


def _form_up(state: CutlerState, sheet: FleetPlots, judged: JudgedPlots) -> set[str]:
    """Put every named ship into the one fleet that it was named for; PFs go with the tender on which they are docked,
    or are to dock. Which of them leave their docks by that."""
    plots, refusals = judged.plots, judged.refusals
    home = {unit.id: (key, unit) for key, plot in plots.items() for unit in plot.units}
    joined: dict[str, str] = {}
    for key, line in sheet.fleets.items():
        for ship in line.ships or ():
            path = f"{key}.ships"
            if ship not in home:
                text = "this is not a ship of yours that moves"
                refusals.append(malformed(text, path, nearest=nearest(ship, home)))
            elif key == NEW or home[ship][0] != key:
                if ship in joined:
                    refusals.append(illegal(f"{home[ship][1].name} is named for two fleets", "2.2", path))
                joined[ship] = key
    joined, leaving, defects = with_pfs(home, sheet, joined)
    refusals += defects
    for plot in plots.values():
        plot.units = [unit for unit in plot.units if unit.id not in joined]
    for key, line in sheet.fleets.items():
        if line.ships is not None and key in plots:
            refusals += [
                malformed(f"{unit.name} is in no fleet; name it for another one, or as a new fleet", f"{key}.ships")
                for unit in plots[key].units
                if unit.id not in line.ships and unit.docked_at not in line.ships
            ]
    for ship, key in joined.items():
        plots.setdefault(key, Plot()).units.append(home[ship][1])
    for key, plot in plots.items():
        places = {unit.hex for unit in plot.units}
        if len(places) > 1:
            text = f"ships of one fleet must be in one hex, these are in {' and '.join(sorted(places))}"
            refusals.append(illegal(text, "2.2", f"{key}.ships"))
    return leaving


def _judge_course(
    state: CutlerState, lodged: Mapping[str, HexId], key: str, plot: Plot, line: FleetLine
) -> list[Refusal]:
    path = f"{key}.course"
    plot.way, refusals = _read_way(state, key, plot, line)
    ordered = line.course is not None or line.go is not None
    refusals += judge_way_from_docks(key, plot.units, plot.dock, plot.way if ordered else [])
    if plot.way and ordered and any(is_derelict(unit) for unit in plot.flying if unit.id not in plot.tow):
        text = "a ship without warp and impulse engines cannot move"
        refusals.append(illegal(text, "2.4.1.6", path, legal="leave the course blank, split it off, or tow it"))
    goal = plot.way[0] if plot.way else ""
    bounds = {lodged[unit.id]: unit.name for unit in plot.units if unit.id in lodged and not unit.retreat_hex}
    for bound, name in bounds.items():
        # Who lodged to stay has its course for later impulses, unless others of the fleet must go now. CU-R128
        if bound != goal and (bound or len(bounds) > 1):
            text = f"{name}'s plot for impulse 1 is lodged: it {f'must go to {bound}' if bound else 'must stay'}"
            refusals.append(illegal(text, "6.4.1.3", path, legal=bound or HOLD, nearest=(bound or HOLD,)))
    return refusals


@rule("9.2")
def _judge_held(state: CutlerState, key: str, plot: Plot, line: FleetLine) -> list[Refusal]:
    """Who is kept by a delayed survey may not be told to go; a stored course waits. 9.2, CU-R121, CU-N25"""
    held = [unit.name for unit in plot.units if is_held(unit, state.turn)]
    stored = list(plot.fleet.course) if plot.fleet else []
    if not held or not plot.way or plot.way == stored:
        return []
    text = f"its survey keeps {', '.join(held)} in {plot.units[0].hex} for this turn"
    return [illegal(text, "9.2, CU-R121", f"{key}.course", legal=HOLD, nearest=(HOLD,))]


@rule("2.2", "2.4")
def _read_way(state: CutlerState, key: str, plot: Plot, line: FleetLine) -> tuple[list[HexId], list[Refusal]]:
    """The way that ``go`` and ``course`` give together. An unchanged stored course yields to ``go`` and is noted as
    given up; a course that was typed must agree with it. 2.2, 2.4"""
    path, grid = f"{key}.course", state.grid
    start = plot.units[0].retreat_hex or plot.units[0].hex
    stored = list(plot.fleet.course) if plot.fleet else []
    plot.loop = loop_of(state, plot.fleet)
    text, way, defects = write_patrol(stored, plot.loop), stored, list[Refusal]()
    if line.course is not None and " ".join(line.course.split()) != text:
        text = line.course
        route = read_patrol(grid, start, text, path)
        way, plot.loop, defects = route.steps, route.loop, route.refusals
    elif line.course is not None and not plot.loop:
        way, defects = read_course(grid, start, text, path)
    defects = as_far_as_it_goes(way, defects)
    if line.go in (None, COURSE):
        return way, defects
    ways = [HOLD, *grid.neighbours(start)]
    if line.go not in ways:
        problem, legal = "this is not a neighbouring hex", ", ".join([COURSE, *ways])
        near = nearest(line.go, ways)
        return [], [*defects, illegal(problem, "2.4", f"{key}.go", legal=legal, nearest=near)]
    step = [] if line.go == HOLD else [line.go]
    if not way or defects:
        return step, defects
    if step:
        if way[0] == line.go:
            return way, []
        beyond = [line.go, *read_patrol(grid, line.go, text, path).steps]
        if len(beyond) == len(way):
            return beyond, []
    if way == stored:
        plot.given_up, plot.loop = stored, []
        return step, []
    problem = f"Next goes to {line.go}, the course to {way[0]}" if step else f"Next holds, the course goes to {way[0]}"
    right = f"a course that begins with {line.go}" if step else "a blank course"
    near = (f"{line.go} {text}",) if step else ()
    legal = f"Next as the course says, or {right}"
    return step, [illegal(problem, "2.2", path, legal=legal, nearest=near)]


def _judge_scan(grid: Grid, key: str, plot: Plot, line: FleetLine) -> list[Refusal]:
    if line.scan is None:
        plot.scans = list(plot.fleet.scans) if plot.fleet else []
        return []
    plot.scans, refusals = judge_scan(grid, line.scan, plot.units, f"{key}.scan")
    return refusals


class NumberedOrders(NamedTuple):
    """Orders to units that a sheet calls by numbers, by their ids: scans by those that never move, and mines."""

    scans: dict[str, list[HexId]]
    lays: Lays


def numbered_orders(state: CutlerState, race: Side, sheet: FleetPlots) -> NumberedOrders:
    """Read by whom these numbers stand for now: what is built or bought by the same sheet would shift them."""
    return NumberedOrders(judge_stations(state, race, sheet)[0], judge_lays(state, race, sheet)[0])


@rule("2.2")
def carry_out_plot(state: CutlerState, race: Side, sheet: FleetPlots, numbered: NumberedOrders | None = None) -> None:
    """Store the fleets, courses, scans and standing orders of a judged sheet, with the ``numbered`` orders as they were
    read before. 2.2"""
    judged = judge_plot(state, race, sheet)
    scans, lays = numbered or numbered_orders(state, race, sheet)
    for key, plot in judged.plots.items():
        ships = [unit.id for unit in plot.units]
        fleet = state.new_fleet(race, ships) if key == NEW else plot.fleet
        if fleet is not None:
            fleet.units, fleet.scans = ships, plot.scans
            fleet.begin_course(plot.way)
            fleet.raze, fleet.land = plot.raze, plot.land
            fleet.parties, fleet.crews, fleet.shuttles = plot.parties, plot.crews, plot.shuttles
            fleet.cloak, fleet.escort = plot.cloak, plot.escort
            keep_record(state, book_key(fleet), orders=plot.orders, loop=plot.loop, stops=plot.stops)
    carry_along(state, race, judged.docking, {key: plot.tow for key, plot in judged.plots.items()})
    empire = state.empires[race]
    carry_out_convoys(state, race, sheet)
    bind_escorts(state, race)
    empire.station_scans = scans
    store_lays(state, lays)
    empire.cards = sheet.standing.cards or empire.cards
    empire.asking = sheet.standing.impulses or empire.asking
    empire.lurking = sheet.standing.lurking or empire.lurking
    keep_record(state, race, orders=judged.orders)
    store_coordination(state, race, sheet.coordination)
    tidy_fleets(state)
