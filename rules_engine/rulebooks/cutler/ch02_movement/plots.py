"""Chapter 2: the plotting phase. Fleets carry stored courses; a race is asked when it has a reason to change them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.views import Course
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.movement import (
    command_limit,
    has_opportunity,
    is_derelict,
    stacked,
    top_speed,
)
from rules_engine.rulebooks.cutler.records.orders import FleetLine, FleetPlots, read_course, read_hexes
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fleet

CARD_CHOICES = (
    Choice(value="ask", label="Ask me each time"),
    Choice(value="bypass", label="Always bypass"),
    Choice(value="combat", label="Always combat"),
)
ASKING_CHOICES = (
    Choice(value="contact", label="Ask for plots when something is near"),
    Choice(value="each", label="Ask for plots in every impulse"),
)
COURSE, HOLD = "course", "hold"
HEX = "hex"
SCAN_REACH = 2
"""Hexes a ship's long-range scan reaches. 8.3.2, 8.4.1"""


@dataclass
class JudgedPlots:
    """A judged plot sheet: which ships form which fleet, and what each does. Key ``new`` is a fleet to be made."""

    units: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    courses: dict[str, list[HexId]] = field(default_factory=dict[str, list[HexId]])
    scans: dict[str, list[HexId]] = field(default_factory=dict[str, list[HexId]])
    given_up: dict[str, list[HexId]] = field(default_factory=dict[str, list[HexId]])
    """Stored courses that were left unchanged and are given up because of another next hex."""
    refusals: list[Refusal] = field(default_factory=list[Refusal])


# --- the form --------------------------------------------------------------------------------------------------------


def fleet_lines(state: CutlerState, race: Side) -> list[Line]:
    """A line for each fleet, one for ships to be split off, and the standing orders."""
    lines = [_fleet_line(state, fleet) for fleet in state.fleets_of(race)]
    if any(len(fleet.units) > 1 for fleet in state.fleets_of(race)):
        everyone = [unit for fleet in state.fleets_of(race) for unit in state.members(fleet)]
        ships = tuple(Choice(value=unit.id, label=f"{unit.title}, {unit.hex}") for unit in everyone)
        fields = (
            Field(key="ships", label="Ships to split off", kind="many", choices=ships, optional=True, value=[]),
            Field(key="course", label="Their course", kind="text", most=300, optional=True),
        )
        lines.append(Line(key="new", label="New fleet", fields=fields, note="Ships of one hex that go their own way"))
    empire = state.empires[race]
    fields = (
        Field(key="cards", label="Meeting others", kind="one", choices=CARD_CHOICES, value=empire.cards),
        Field(key="impulses", label="Plots", kind="one", choices=ASKING_CHOICES, value=empire.asking),
    )
    lines.append(Line(key="standing", label="Standing orders", fields=fields))
    return lines


def _fleet_line(state: CutlerState, fleet: Fleet) -> Line:
    here = state.place_of(fleet)
    members = state.members(fleet)
    company = [unit for other in state.fleets_of(fleet.race) for unit in state.members(other) if unit.hex == here]
    start = members[0].retreat_hex or here
    ways = (
        Choice(value=COURSE, label="As the course says"),
        Choice(value=HOLD, label="Hold"),
        *(Choice(value=goal, label=f"To {goal}") for goal in state.grid.neighbours(start)),
    )
    fields = [
        Field(key="go", label="Next", kind="one", choices=ways, value=COURSE),
        Field(
            key="course",
            label="Course",
            kind="text",
            most=300,
            optional=True,
            value=" ".join(fleet.course),
            help="Hex numbers in order, e.g. 0404 0505, or to 0505; blank holds",
        ),
    ]
    if len(company) > 1:
        ships = tuple(Choice(value=unit.id, label=unit.title) for unit in company)
        own: list[str] = list(fleet.units)
        fields.append(Field(key="ships", label="Ships", kind="many", choices=ships, value=[*own]))
    if sensors := _sensors(state, fleet.units):
        text = f"Up to {counted(sensors, HEX)}; next door, or two away at long range"
        value = " ".join(fleet.scans)
        fields.append(Field(key="scan", label="Scan", kind="text", most=100, optional=True, value=value, help=text))
    forced = members[0].retreat_hex
    note = f"at {here}, speed {min(map(top_speed, members))}"
    note += f"; having disengaged, must first go to {forced}" if forced else ""
    return Line(
        key=fleet.key,
        label=f"{fleet.key}: {', '.join(unit.name for unit in members)}",
        fields=tuple(fields),
        note=note,
    )


def _sensors(state: CutlerState, ships: Sequence[str]) -> int:
    return sum(state.units[key].special_sensors_ok for key in ships)


# --- judging ---------------------------------------------------------------------------------------------------------


@rule("2.2", "2.4")
def judge_plot(state: CutlerState, race: Side, sheet: FleetPlots) -> JudgedPlots:
    """Judge a plot sheet from what the race itself knows; the result holds every defect. 2.2, 2.4"""
    plan = JudgedPlots(units={fleet.key: list(fleet.units) for fleet in state.fleets_of(race)})
    for key in sheet.fleets:
        if key != "new" and state.fleet(race, key) is None:
            known = [fleet.key for fleet in state.fleets_of(race)]
            plan.refusals.append(
                malformed("you have no such fleet", key, legal=", ".join(known), nearest=nearest(key, known))
            )
    _form_up(state, race, sheet, plan)
    for key, ships in plan.units.items():
        if ships:
            line = sheet.fleets.get(key, FleetLine())
            _judge_course(state, race, plan, key, line)
            _judge_scan(state, race, plan, key, line)
    return plan


def _form_up(state: CutlerState, race: Side, sheet: FleetPlots, plan: JudgedPlots) -> None:
    """Put every named ship into the one fleet that it was named for."""
    own = {unit.id: unit for fleet in state.fleets_of(race) for unit in state.members(fleet)}
    present = {key: fleet for fleet in state.fleets_of(race) for key in fleet.units}
    joined: dict[str, str] = {}
    for key, line in sheet.fleets.items():
        for ship in line.ships or ():
            path = f"{key}.ships"
            if ship not in own:
                text = "this is not a ship of yours that moves"
                plan.refusals.append(malformed(text, path, nearest=nearest(ship, own)))
            elif key == "new" or (present[ship].key != key and joined.get(ship) != "new"):
                if ship in joined:
                    plan.refusals.append(illegal(f"{own[ship].name} is named for two fleets", "2.2", path))
                joined[ship] = key
    left_out = [
        ship
        for key, line in sheet.fleets.items()
        if line.ships is not None and key in plan.units
        for ship in plan.units[key]
        if ship not in line.ships and ship not in joined
    ]
    for ship, key in joined.items():
        plan.units[present[ship].key].remove(ship)
        plan.units.setdefault(key, []).append(ship)
    for ship in left_out:
        text = f"{own[ship].name} is in no fleet; name it for another one, or as a new fleet"
        plan.refusals.append(malformed(text, f"{present[ship].key}.ships"))
    for key, ships in plan.units.items():
        places = sorted({own[ship].hex for ship in ships if ship in own})
        if len(places) > 1:
            text = f"ships of one fleet must be in one hex, these are in {' and '.join(places)}"
            plan.refusals.append(illegal(text, "2.2", f"{key}.ships"))


def _judge_course(state: CutlerState, race: Side, plan: JudgedPlots, key: str, line: FleetLine) -> None:
    units = [state.units[ship] for ship in plan.units[key]]
    path = f"{key}.course"
    plan.courses[key] = _read_way(state, race, plan, key, line)
    course = plan.courses[key]
    ordered = line.course is not None or line.go is not None
    if course and ordered and any(is_derelict(unit) for unit in units):
        text = "a ship without warp and impulse engines cannot move"
        plan.refusals.append(illegal(text, "2.4.1.6", path, legal="leave the course blank, or split it off"))
    lodged = state.empires[race].lodged if state.impulse <= 1 else {}
    bounds = {lodged[unit.id]: unit.name for unit in units if unit.id in lodged and not unit.retreat_hex}
    for bound, name in bounds.items():
        if bound != (course[0] if course else ""):
            text = f"{name}'s plot for impulse 1 is lodged: it {f'must go to {bound}' if bound else 'must stay'}"
            near = (bound,) if bound else (HOLD,)
            plan.refusals.append(illegal(text, "6.4.1.3", path, legal=bound or HOLD, nearest=near))


@rule("2.2", "2.4")
def _read_way(state: CutlerState, race: Side, plan: JudgedPlots, key: str, line: FleetLine) -> list[HexId]:
    """The way that ``go`` and ``course`` give together. An unchanged stored course yields to ``go`` and is noted as
    given up; a course that was typed must agree with it. 2.2, 2.4"""
    path = f"{key}.course"
    first = state.units[plan.units[key][0]]
    start = first.retreat_hex or first.hex
    fleet = state.fleet(race, key)
    stored = list(fleet.course) if fleet else []
    text = " ".join(stored) if line.course is None else line.course
    way, defects = (stored, []) if line.course is None else read_course(state.grid, start, text, path)
    plan.refusals += defects
    if line.go in (None, COURSE):
        return way
    around = state.grid.neighbours(start)
    if line.go not in (HOLD, *around):
        ways = [HOLD, *around]
        problem, legal = "this is not a neighbouring hex", ", ".join([COURSE, *ways])
        plan.refusals.append(illegal(problem, "2.4", f"{key}.go", legal=legal, nearest=nearest(line.go or "", ways)))
        return []
    step = [] if line.go == HOLD else [line.go]
    if not way or defects:
        return step
    beyond = [*step, *read_course(state.grid, step[0] if step else start, text, path)[0]]
    if step and (way[:1] == step or len(beyond) == len(way)):
        return way if way[:1] == step else beyond
    if way == stored:
        plan.given_up[key] = stored
        return step
    problem = f"Next goes to {line.go}, the course to {way[0]}" if step else f"Next holds, the course goes to {way[0]}"
    right = f"a course that begins with {line.go}" if step else "a blank course"
    near = (f"{line.go} {text}",) if step else ()
    plan.refusals.append(illegal(problem, "2.2", path, legal=f"Next as the course says, or {right}", nearest=near))
    return step


def _judge_scan(state: CutlerState, race: Side, plan: JudgedPlots, key: str, line: FleetLine) -> None:
    fleet = state.fleet(race, key)
    path = f"{key}.scan"
    if line.scan is None:
        plan.scans[key] = list(fleet.scans) if fleet else []
        return
    plan.scans[key], defects = read_hexes(state.grid, line.scan, path)
    plan.refusals += defects
    sensors = _sensors(state, plan.units[key])
    if len(plan.scans[key]) > sensors:
        text = f"{counted(len(plan.scans[key]), HEX)} for {counted(sensors, 'special sensor')}"
        legal = f"at most {counted(sensors, HEX)}" if sensors else "no scan"
        plan.refusals.append(illegal(text, "8.3.2", path, legal=legal))


def warnings_of(state: CutlerState, race: Side, sheet: FleetPlots) -> list[str]:
    """What the race would probably regret, from the race's own ships alone."""
    plan = judge_plot(state, race, sheet)
    said: list[str] = []
    ends: dict[HexId, list[str]] = {}
    for key, ships in plan.units.items():
        if not ships:
            continue
        here = state.units[ships[0]].hex
        ends.setdefault((plan.courses.get(key) or [here])[-1], []).extend(ships)
        slow = min(ships, key=lambda ship: top_speed(state.units[ship]))
        if len({top_speed(state.units[ship]) for ship in ships}) > 1:
            said.append(f"{key} moves at the speed of {state.units[slow].name}, {top_speed(state.units[slow])}.")
        far = [hex_id for hex_id in plan.scans.get(key, []) if state.grid.distance(here, hex_id) > SCAN_REACH]
        if far:
            said.append(f"{key} cannot scan {', '.join(far)} from {here}: too far (8.3.2).")
        said += _rough_going(state, key, plan)
    said += [
        f"{_called(key)} gets no ships, so what stands in its line does nothing."
        for key, line in sheet.fleets.items()
        if not plan.units.get(key) and _is_ordered(state.fleet(race, key), line)
    ]
    for hex_id, ships in ends.items():
        units = [state.units[ship] for ship in ships]
        if stacked(units) > command_limit(units):
            said.append(f"More ships end in {hex_id} than can be commanded there; moves may be called off (2.5).")
    return said


@rule("2.4.1.9", "2.4.1.10", "9.3")
def _rough_going(state: CutlerState, key: str, plan: JudgedPlots) -> list[str]:
    """What terrain on its course will do to a fleet. All of it is public. 2.4.1.9, 2.4.1.10, 9.3"""
    units = [state.units[ship] for ship in plan.units[key]]
    first, course = units[0], plan.courses.get(key, [])
    forced = [first.retreat_hex] if first.retreat_hex else []
    way = [first.hex, *forced, *course]
    if len(way) == 1:
        return []
    dust = [one for one in dict.fromkeys(way) if state.terrain.get(one) == "dust"]
    dust = dust[1:] if dust[:1] == [first.hex] and all(unit.dust_paid for unit in units) else dust
    nebulae = [one for one in dict.fromkeys(way) if state.terrain.get(one) == "nebula"]
    unsurveyed = [one for one in dict.fromkeys(way) if one in state.unsurveyed]
    called = _called(key)
    said = (
        [f"{called} goes through dust in {', '.join(dust)}: leaving it takes one move more (2.4.1.9)."] if dust else []
    )
    if nebulae:
        risk = "leaving it takes a die of 5 or 6, else it is held up or comes out elsewhere"
        said.append(f"{called} goes through a nebula in {', '.join(nebulae)}: {risk} (2.4.1.10).")
    if unsurveyed:
        said.append(f"{called} goes through unsurveyed {', '.join(unsurveyed)}: half speed in and out (9.3).")
    return said


def _called(key: str) -> str:
    return "New fleet" if key == "new" else key


def _is_ordered(fleet: Fleet | None, line: FleetLine) -> bool:
    """Whether a line says more than what is filled in: a next hex, or a course or scans other than the stored ones."""
    stored = (" ".join(fleet.course), " ".join(fleet.scans)) if fleet else ("", "")
    return line.go not in (None, COURSE) or (line.course or stored[0], line.scan or stored[1]) != stored


def read_back(state: CutlerState, race: Side, sheet: FleetPlots) -> list[str]:
    """The sheet in plain words."""
    plan = judge_plot(state, race, sheet)
    said: list[str] = []
    for key, ships in plan.units.items():
        if not ships:
            said.append(f"{key} is dissolved.")
            continue
        names = ", ".join(state.units[ship].name for ship in ships)
        course = plan.courses.get(key, [])
        does = f"{state.units[ships[0]].hex} → {' → '.join(course)}" if course else "holds"
        does += f"; gives up its stored course {' '.join(plan.given_up[key])}" if key in plan.given_up else ""
        scans = f"; scans {', '.join(plan.scans[key])}" if plan.scans.get(key) else ""
        said.append(f"{_called(key)} ({names}): {does}{scans}.")
    return [*said, _say_standing(state, race, sheet)]


def _say_standing(state: CutlerState, race: Side, sheet: FleetPlots) -> str:
    """The card that is shown to others, and when the race is asked for plots, as the sheet would set them."""
    empire = state.empires[race]
    cards, asking = sheet.standing.cards or empire.cards, sheet.standing.impulses or empire.asking
    card = {"ask": "you are asked for a card", "bypass": "always bypass", "combat": "always combat"}[cards]
    when = {"contact": "when something is near", "each": "in every impulse"}[asking]
    return f"Standing orders: meeting others, {card}; you are asked for plots {when}."


def courses_of(state: CutlerState, race: Side, sheet: FleetPlots) -> list[Course]:
    """The plotted courses, for the map."""
    plan = judge_plot(state, race, sheet)
    return [
        Course(counter=key, kind="plotted", hexes=(state.units[plan.units[key][0]].hex, *course))
        for key, course in plan.courses.items()
        if course and plan.units[key]
    ]


@rule("2.2")
def carry_out_plot(state: CutlerState, race: Side, sheet: FleetPlots) -> None:
    """Store the fleets, courses, scans and standing orders of a judged sheet. 2.2"""
    plan = judge_plot(state, race, sheet)
    for key, ships in plan.units.items():
        fleet = state.new_fleet(race, ships) if key == "new" and ships else state.fleet(race, key)
        if fleet is not None:
            fleet.units = ships
            fleet.course = plan.courses.get(key, [])
            fleet.scans = plan.scans.get(key, [])
    empire = state.empires[race]
    empire.cards = sheet.standing.cards or empire.cards
    empire.asking = sheet.standing.impulses or empire.asking
    tidy_fleets(state)


# --- the plotting phase ----------------------------------------------------------------------------------------------


@rule("2.2")
def plotting_steps(turn: CutlerTurn) -> Steps[None]:
    """Ask races that have a reason to plot again; the stored courses of all others go on. 2.2, G-4

    A race that is asked gets its map with the ask; others do not.
    """
    state = turn.state
    asked = [race for race in turn.sides if _wants_to_plot(state, race)]
    if asked:
        turn.show_maps(*asked)
    sheets = yield from turn.ask_all_steps([plot_ask(state, race) for race in asked])
    for race, sheet in zip(asked, sheets, strict=True):
        state.empires[race].alerts = []
        carry_out_plot(state, race, sheet)


def _wants_to_plot(state: CutlerState, race: Side) -> bool:
    empire = state.empires[race]
    has_reason = empire.asking == "each" or bool(empire.alerts)
    return has_reason and any(has_opportunity(unit, state.impulse) for unit in state.alive(race))


def plot_ask(state: CutlerState, race: Side) -> Ask[FleetPlots]:
    """The plots of one race for one impulse."""
    alerts = list(dict.fromkeys(state.empires[race].alerts))
    reason = f"You are asked because {'; '.join(alerts)}." if alerts else "You wished to be asked in every impulse."
    return Ask(
        kind="plot",
        parties=(race,),
        title=f"Turn {state.turn}, impulse {state.impulse}: plots",
        text=f"{reason} Stored courses are filled in; change what you like.",
        model=FleetPlots,
        form=Form(lines=tuple(fleet_lines(state, race))),
        rule="2.2",
        default=FleetPlots(),
        default_says="All fleets keep their stored courses.",
        check=lambda sheet: judge_plot(state, race, sheet).refusals,
        read_back=lambda sheet: read_back(state, race, sheet),
        warn=lambda sheet: warnings_of(state, race, sheet),
        courses=lambda sheet: courses_of(state, race, sheet),
    )
