"""Chapter 2.7: what a sheet says of convoys. Who waits may sail; who is under way follows the plot it sailed with."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Line
from rules_engine.core.knowledge.views import Course
from rules_engine.rulebooks.cutler.ch02_movement.convoys.under_way import (
    convoys_of,
    embark,
    escorts_allowed,
    is_escort,
    members,
    ports,
    waiting,
)
from rules_engine.rulebooks.cutler.ch02_movement.movement import top_speed
from rules_engine.rulebooks.cutler.ch02_movement.stages import stages_of_course
from rules_engine.rulebooks.cutler.records.orders import LONGEST_COURSE, FleetPlots, read_course
from rules_engine.rulebooks.cutler.records.shipping.convoys import (
    ConvoyLine,
    DepartureLine,
    PlottedConvoy,
    sails_in_convoys,
)
from rules_engine.rulebooks.cutler.records.state import CutlerState, Planet, Unit

WAY_HELP = "Hexes on the way, as 0404 0505; blank is the straight way. It cannot be changed later"
LONGEST_LABEL = 80


@dataclass
class Embarkation:
    """A judged departure: who sails over which hexes. Without a way nobody does."""

    key: str
    units: list[Unit] = field(default_factory=list[Unit])
    way: list[HexId] = field(default_factory=list[HexId])
    unload: bool = True


@dataclass
class ConvoyOrders:
    """All that a sheet says of convoys, and every defect."""

    departures: list[Embarkation] = field(default_factory=list[Embarkation])
    back: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    refusals: list[Refusal] = field(default_factory=list[Refusal])


# --- the form --------------------------------------------------------------------------------------------------------


@rule("2.7", "2.7.3")
def convoy_lines(state: CutlerState, race: Side) -> list[Line]:
    """A line for each hex in which freighters wait, and one for each convoy with Q-ships to choose from. 2.7, 2.7.3"""
    goals = ports(state, race)
    called = {planet.hex: planet for planet in state.planets.values()}
    lines = [
        _departure_line(here, units, goals, called)
        for here, units in waiting(state, race).items()
        if any(goal != here for goal in goals)
    ]
    for convoy in convoys_of(state, race):
        escorts = [unit for unit in members(state, convoy) if is_escort(unit)]
        if convoy.kind == "convoy" and len(escorts) > 1:
            ways = tuple(Choice(value=unit.id, label=unit.title) for unit in escorts)
            back = Field("back", "Turn back first", "many", ways, optional=True, value=list(convoy.back))
            note = f"at {convoy.at}, under way; of Q-ships too many these return first"
            lines.append(Line(convoy.key, f"{convoy.key}: {_named(members(state, convoy))}", (back,), note))
    return lines


def _departure_line(here: HexId, units: list[Unit], goals: Sequence[HexId], called: dict[HexId, Planet]) -> Line:
    ships = tuple(Choice(value=unit.id, label=unit.title) for unit in units)
    ways = tuple(
        Choice(value=goal, label=f"{called[goal].name}, {goal}" if goal in called else f"Your base, {goal}")
        for goal in goals
        if goal != here
    )
    fields = (
        Field("to", "Sail to", "one", ways, optional=True, help="blank: nobody sails"),
        Field("ships", "Who sails", "many", ships, optional=True, value=[unit.id for unit in usual(units)]),
        Field("course", "Over", "text", most=300, optional=True, help=WAY_HELP),
        Field("unload", "Unload into bases on arrival", "flag", value=True),
    )
    return Line(f"E{here}", f"Freighters in {here}: {_named(units)}", fields, f"at {here}, waiting")


def _named(units: Sequence[Unit]) -> str:
    names = ", ".join(unit.name for unit in units)
    return names if len(names) <= LONGEST_LABEL else f"{units[0].name} and {len(units) - 1} more"


def usual(units: Sequence[Unit]) -> list[Unit]:
    """The largest legal convoy of those who wait: all freighters that can move, and as many Q-ships as they allow."""
    able = [unit for unit in units if top_speed(unit) > 0]
    chosen = [unit for unit in able if not is_escort(unit)]
    left = escorts_allowed(chosen)
    for unit in filter(is_escort, able):
        size = unit.record.freighter_size or ""
        if left[size] > 0:
            left[size] -= 1
            chosen.append(unit)
    return chosen


# --- judging ---------------------------------------------------------------------------------------------------------


@rule("2.7", "2.7.2")
def judge_convoys(state: CutlerState, race: Side, sheet: FleetPlots) -> ConvoyOrders:
    """What a sheet says of convoys, judged by what the race itself knows. 2.7, 2.7.2"""
    orders = ConvoyOrders()
    here = waiting(state, race)
    for key, line in sorted(sheet.departures.items()):
        units = here.get(key[1:])
        if units is None:
            legal = ", ".join(f"E{hex_id}" for hex_id in here) or "none"
            orders.refusals.append(malformed("no freighters of yours wait in this hex", key, legal=legal))
            continue
        departure, defects = _judge_departure(state, race, key, units, line)
        orders.departures += [departure] if departure.way and not defects else []
        orders.refusals += defects
    own = {convoy.key: convoy for convoy in convoys_of(state, race)}
    for key, line in sorted(sheet.convoys.items()):
        orders.refusals += _judge_under_way(state, own, key, line, orders.back)
    orders.refusals += _in_fleets(state, race, sheet)
    return orders


@rule("2.7", "2.4.1.6")
def _judge_departure(
    state: CutlerState, race: Side, key: str, units: list[Unit], line: DepartureLine
) -> tuple[Embarkation, list[Refusal]]:
    """A convoy is plotted to its end, which is another port, before it sails. 2.7, 2.4.1.6, CU-R39, CU-N80"""
    found = Embarkation(key, unload=line.unload is not False)
    if not line.to and not line.course:
        return found, []
    by_id = {unit.id: unit for unit in units}
    path = f"{key}.ships"
    named = [unit.id for unit in usual(units)] if line.ships is None else list(dict.fromkeys(line.ships))
    refusals = [_not_here(state, race, ship, path, list(by_id)) for ship in named if ship not in by_id]
    found.units = [by_id[ship] for ship in named if ship in by_id]
    if not named:
        refusals.append(malformed("nobody is named to sail", path, legal=", ".join(by_id)))
    refusals += [
        illegal(f"{unit.name} cannot move", "2.4.1.6, CU-R41", path, legal="leave it here")
        for unit in found.units
        if top_speed(unit) == 0
    ]
    if units[0].hex in ports(state, race):
        refusals += _judge_escorts(found.units, path)
    found.way, defects = _way(state, race, units[0].hex, key, line)
    return found, refusals + defects


@rule("2.7.2")
def _not_here(state: CutlerState, race: Side, ship: str, path: str, known: list[str]) -> Refusal:
    """Who is not there to sail: under way, it cannot be diverted. 2.7.2"""
    for convoy in convoys_of(state, race):
        if ship in convoy.units:
            text = (
                f"{state.units[ship].name} is under way in {convoy.key}, whose plot is neither broken off nor changed"
            )
            return illegal(text, "2.7.2", path, legal=", ".join(known) or "nobody")
    return malformed(
        "this is no freighter of yours in this hex", path, legal=", ".join(known), nearest=nearest(ship, known)
    )


@rule("2.7.3", "2.7.4")
def _judge_escorts(units: Sequence[Unit], path: str) -> list[Refusal]:
    """A Q-ship sails only as an escort, of two freighters of its own size. 2.7.3, 2.7.4, CU-R42"""
    escorts = [unit for unit in units if is_escort(unit)]
    if escorts and len(escorts) == len(units):
        text = "Q-ships move only as escorts of freighters"
        return [illegal(text, "2.7.4", path, legal="two freighters of its size for each Q-ship")]
    refusals: list[Refusal] = []
    for size, most in escorts_allowed(units).items():
        number = sum(unit.record.freighter_size == size for unit in escorts)
        if number > most:
            text = f"{counted(number, f'{size} Q-ship')} for {counted(len(units) - len(escorts), 'freighter')}"
            legal = f"{most} of that size: one for every two {size} freighters"
            refusals.append(illegal(text, "2.7.3, CU-R42", path, legal=legal))
    return refusals


@rule("2.7")
def _way(
    state: CutlerState, race: Side, here: HexId, key: str, line: DepartureLine
) -> tuple[list[HexId], list[Refusal]]:
    """The whole way, hex by hex. 2.7, CU-R39"""
    path = f"{key}.to" if line.to else f"{key}.course"
    way, refusals = read_course(state.grid, here, line.course or "", f"{key}.course")
    if line.to and not refusals:
        rest, refusals = read_course(state.grid, way[-1] if way else here, line.to, f"{key}.to")
        way += rest if not way or way[-1] != line.to else []
    if refusals:
        return way, refusals
    goals = [goal for goal in ports(state, race) if goal != here]
    goal = way[-1] if way else here
    if goal == here:
        text = f"this way ends where it begins, in {here}"
        return [], [illegal(text, "2.7", path, legal=", ".join(goals) or "nowhere")]
    if goal not in goals:
        text = f"in {goal} there is neither a planet nor a base of yours"
        return [], [illegal(text, "2.7, CU-N80", path, legal=", ".join(goals), nearest=nearest(goal, goals))]
    if len(way) > LONGEST_COURSE:
        text = f"a course has at most {LONGEST_COURSE} hexes, this one {len(way)}"
        return [], [malformed(text, path)]
    return way, []


@rule("2.7.2", "2.7.3")
def _judge_under_way(
    state: CutlerState, own: dict[str, PlottedConvoy], key: str, line: ConvoyLine, back: dict[str, list[str]]
) -> list[Refusal]:
    """A convoy under way keeps its plot; its owner may only say which Q-ships are to turn back first.

    2.7.2, 2.7.3, CU-N83
    """
    if key not in own:
        return [malformed("you have no such convoy", key, legal=", ".join(own) or "none", nearest=nearest(key, own))]
    refusals: list[Refusal] = []
    if line.to or line.course:
        text = f"{key} is under way, and its plot is neither broken off nor changed"
        path = f"{key}.{'to' if line.to else 'course'}"
        refusals.append(illegal(text, "2.7.2", path, legal=" ".join(own[key].course) or "leave it blank"))
    if line.back is not None:
        escorts = [unit.id for unit in members(state, own[key]) if is_escort(unit)]
        refusals += [
            malformed("this is no Q-ship of that convoy", f"{key}.back", legal=", ".join(escorts) or "none")
            for ship in line.back
            if ship not in escorts
        ]
        back[key] = list(line.back)
    return refusals


@rule("2.7")
def _in_fleets(state: CutlerState, race: Side, sheet: FleetPlots) -> list[Refusal]:
    """Freighters are no part of fleets. 2.7, CU-R34"""
    own = {unit.id: unit for unit in state.alive(race) if sails_in_convoys(unit.record)}
    return [
        illegal(f"{own[ship].name} sails in convoys", "2.7, CU-R34", f"{key}.ships", legal="other ships")
        for key, line in sheet.fleets.items()
        for ship in line.ships or ()
        if ship in own
    ]


# --- in words, on the map, and carried out ---------------------------------------------------------------------------


def read_convoys(state: CutlerState, race: Side, sheet: FleetPlots) -> list[str]:
    """What a sheet says of convoys, in plain words."""
    orders = judge_convoys(state, race, sheet)
    said = [
        f"Convoy ({', '.join(unit.name for unit in one.units)}): {' → '.join([one.key[1:], *one.way])}, for good; "
        f"{'unloads' if one.unload else 'keeps its load'} on arrival."
        for one in orders.departures
    ]
    return said + [
        f"{key}: first to turn back {', '.join(state.units[ship].name for ship in ships)}."
        for key, ships in orders.back.items()
        if ships
    ]


def sent_off(state: CutlerState, race: Side, sheet: FleetPlots) -> list[Unit]:
    """The freighters and Q-ships that a sheet sends off."""
    return [unit for one in judge_convoys(state, race, sheet).departures for unit in one.units]


def warn_convoys(state: CutlerState, race: Side, sheet: FleetPlots) -> list[str]:
    """What the race would probably regret of its departures. All of it is public, or its own."""
    said: list[str] = []
    for one in judge_convoys(state, race, sheet).departures:
        left = [one.key[1:], *one.way[:-1]]
        rough = [hex_id for hex_id in left if state.terrain.get(hex_id) in ("dust", "nebula")]
        rough += [hex_id for hex_id in one.way if hex_id in state.unsurveyed]
        if rough:
            said.append(f"The convoy of {one.key} is held up in {', '.join(rough)} (2.4.1.9, 2.4.1.10, 9.3).")
        slow = min(one.units, key=top_speed)
        if any(top_speed(unit) != top_speed(slow) for unit in one.units):
            said.append(f"The convoy of {one.key} sails at the speed of {slow.name}, {top_speed(slow)} (2.7.1).")
    return said


def convoy_plots(state: CutlerState, race: Side, sheet: FleetPlots) -> list[Course]:
    """The plotted ways, for the map."""
    return [
        Course(
            counter=one.key,
            kind="plotted",
            hexes=(one.key[1:], *one.way),
            stages=stages_of_course(state, one.units[0], min(map(top_speed, one.units)), len(one.way)),
        )
        for one in judge_convoys(state, race, sheet).departures
    ]


@rule("2.7", "4.1.6.1")
def carry_out_convoys(state: CutlerState, race: Side, sheet: FleetPlots) -> None:
    """Send off who is to sail, with the order to unload at the end or not. 2.7, 4.1.6.1"""
    orders = judge_convoys(state, race, sheet)
    for key, ships in orders.back.items():
        state.convoys[f"{race}/{key}"].back = ships
    for one in orders.departures:
        embark(state, race, one.units, one.way)
        for unit in one.units:
            unit.unload = one.unload
