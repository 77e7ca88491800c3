"""Chapter 2.6.2.1: cloaks. They are plotted with movement, and whoever is under one says in secret whether it shows
itself to those whom it meets."""

from collections.abc import Mapping
from typing import Literal

from pydantic import RootModel

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Form, Line, choices
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.ch02_movement.movement import has_opportunity, is_held
from rules_engine.rulebooks.cutler.ch08_scanning.sensors import sensors_of
from rules_engine.rulebooks.cutler.records.conditions.cloaks import can_cloak, faced
from rules_engine.rulebooks.cutler.records.conditions.docking import in_own_flight
from rules_engine.rulebooks.cutler.records.lines import PartialLine
from rules_engine.rulebooks.cutler.records.orders import FleetLine
from rules_engine.rulebooks.cutler.records.parts.empires import Lurking
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fleet, Unit
from rules_engine.rulebooks.cutler.records.tables import CLOAKED_SPEED
from rules_engine.rulebooks.cutler.standing.decisions import ask_or_obey_steps, meeting_decisions

UP = "cloaked"
DOWN = "open"
CLOAK_CHOICES = choices(cloaked="Under cloak: speed 4", open="Not cloaked")
STAY, SHOW = "stay", "show"
LURKING_CHOICES = choices(ask="Ask me each time", stay="Always stay under cloak")
MEETING_CHOICES = choices(stay="Stay under cloak", show="Show yourself")


# --- plotting --------------------------------------------------------------------------------------------------------


def cloak_fields(units: list[Unit], fleet: Fleet | None) -> list[Field]:
    """What a line asks about cloaks: nothing of a fleet with a ship that has none."""
    units = in_own_flight(units)
    able = all(map(can_cloak, units)) if fleet else any(map(can_cloak, units))
    if not units or not able:
        return []
    value = (UP if fleet.cloak else DOWN) if fleet else None
    return [Field(key="cloak", label="Cloak", kind="one", choices=CLOAK_CHOICES, value=value, optional=fleet is None)]


def stored_cloak(units: list[Unit], fleet: Fleet | None, line: FleetLine) -> bool:
    """Whether a fleet goes under cloak, by its line; what that leaves out stays as it was, and of a new fleet as its
    ships are."""
    if line.cloak is not None:
        return line.cloak == UP
    return fleet.cloak if fleet else bool(units) and all(unit.cloaked for unit in units)


@rule("2.4.1.2", "2.6.2.1")
def judge_cloak(
    key: str, units: list[Unit], fleet: Fleet | None, *, line: FleetLine, does: Mapping[str, object]
) -> tuple[bool, list[Refusal]]:
    """Whether a fleet goes under cloak, and refusals: of ships that cannot, after more hexes than a cloaked ship moves,
    and of what is not done under cloak (``does``: whether the fleet would, by the field).

    2.4.1.2, 2.6.2.1, CU-R17, CU-R36, CU-N73
    """
    path, cloak = f"{key}.cloak", stored_cloak(units, fleet, line)
    refusals: list[Refusal] = []
    if line.cloak not in (None, UP, DOWN):
        near = nearest(line.cloak, (UP, DOWN))
        refusals.append(malformed("there is no such order to a cloak", path, legal=f"{UP}, {DOWN}", nearest=near))
    if not cloak:
        return cloak, refusals
    bare = [unit.name for unit in units if not can_cloak(unit)]
    if bare:
        text = f"a cloaked fleet needs a cloak on every ship, not on {', '.join(bare)}"
        refusals.append(illegal(text, "2.6.2.1, CU-N73", path, legal=f"{DOWN}, or split them off", nearest=(DOWN,)))
    fast = [unit.name for unit in units if not unit.cloaked and unit.hexes_moved > CLOAKED_SPEED]
    if fast:
        text = f"{', '.join(fast)} moved more than {CLOAKED_SPEED} hexes in this turn already"
        refusals.append(illegal(text, "2.4.1.2, CU-R17", path, legal=DOWN, nearest=(DOWN,)))
    said = {"scan": "8, CU-R117", "raze": "5.2, CU-N73", "land": "5.3, CU-N73"}
    for field in [one for one in said if does.get(one)]:
        text = f"a cloaked fleet does not {field}"
        refusals.append(illegal(text, said[field], path, legal=f"{DOWN}, or nothing under {field}", nearest=(DOWN,)))
    return cloak, refusals


def say_cloak(units: list[Unit], *, cloak: bool) -> str:
    """The order in plain words, to go on a line: empty where there is none."""
    if cloak:
        return "; under cloak"
    return "; drops its cloak" if any(unit.cloaked for unit in units) else ""


def lurking_fields(state: CutlerState, race: Side) -> list[Field]:
    """What a race with cloaks is asked for its standing orders."""
    if not any(map(can_cloak, state.alive(race))):
        return []
    value = state.empires[race].lurking
    return [Field(key="lurking", label="Meeting others under cloak", kind="one", choices=LURKING_CHOICES, value=value)]


def say_lurking(state: CutlerState, race: Side, lurking: Lurking) -> str:
    """That standing order in plain words, to go on a line: empty for a race without cloaks."""
    if not any(map(can_cloak, state.alive(race))):
        return ""
    return "; under cloak you stay hidden" if lurking == "stay" else "; under cloak you are asked"


@rule("2.4")
def has_something_to_plot(unit: Unit, impulse: int) -> bool:
    """Whether it could move, scan or use a cloak in this impulse. 2.4"""
    return has_opportunity(unit, impulse) or bool(sensors_of([unit])) or can_cloak(unit)


# --- in play ---------------------------------------------------------------------------------------------------------


@rule("2.4.1.2", "2.6.2.1")
def change_cloaks(state: CutlerState) -> None:
    """Before it moves, every fleet goes under cloak or drops it as plotted; whom a survey keeps, does not go under it,
    nor who must fly a plot that was lodged. Who was under cloak is slow for the whole turn.

    2.4.1.2, 2.6.2.1, CU-R17, CU-R36, CU-N73, CU-N75
    """
    for fleet in state.fleets.values():
        lodged = state.empires[fleet.race].lodged if state.impulse == 1 else {}
        for unit in in_own_flight(state.members(fleet)):
            kept = is_held(unit, state.turn) or lodged.get(unit.id)
            if fleet.cloak and (unit.cloaked or not kept):
                unit.go_under_cloak()
            elif unit.cloaked:
                unit.drop_cloak()


def lose_sight(state: CutlerState) -> None:
    """At an impulse's end nobody is found any more, and who showed itself is hidden again. 2.6.2.1"""
    for unit in state.units.values():
        if unit.engaged or unit.found_by:
            unit.engaged, unit.found_by = False, []


# --- meeting others --------------------------------------------------------------------------------------------------


class MeetingLine(PartialLine):
    """What one cloaked fleet does."""

    does: Literal["stay", "show"] = "stay"


class MeetingSheet(RootModel[dict[str, MeetingLine]]):
    """What cloaked fleets do that meet others, by fleet. 2.6.2.1"""

    def shows(self, key: str) -> bool:
        """Whether that fleet shows itself."""
        return key in self.root and self.root[key].does == SHOW


@rule("2.6.2.1")
def cloaked_meetings_steps(turn: CutlerTurn) -> Steps[None]:
    """Ask whoever is under cloak in a hex with others whether to show itself, before S1-S5; nobody else learns of it.
    Whoever has ordered to stay hidden is not asked, so that nobody waits.

    Where there are classes with cloaks, which all know, everybody waits alike where windows are fixed.
    2.6.2.1, CU-R37
    """
    if turn.state.cloaks:
        yield from turn.window_steps(_choices_steps(turn), "decision")
    else:
        yield from _choices_steps(turn)


def _choices_steps(turn: CutlerTurn) -> Steps[None]:
    state = turn.state
    fleets = {race: lurking(state, race) for race in turn.in_play}
    asked = [race for race in fleets if fleets[race]]
    ordered = [meeting_decisions(state, race, fleets[race]) for race in asked]
    sheets = yield from ask_or_obey_steps(turn, [_ask(state, race, fleets[race]) for race in asked], ordered)
    for race, sheet in zip(asked, sheets, strict=True):
        for fleet in fleets[race]:
            units = [unit for unit in state.members(fleet) if unit.cloaked]
            for unit in units:
                unit.engaged = sheet.shows(fleet.key)
            if sheet.shows(fleet.key):
                text = f"{fleet.key} shows itself in {state.place_of(fleet)} to all who are there."
                turn.tell([race], text, kind="combat", why=because("2.6.2.1, CU-R37"))


@rule("2.6.2.1")
def lurking(state: CutlerState, race: Side) -> list[Fleet]:
    """A race's fleets with cloaked ships where it sees others than its partners. 2.6.2.1, CU-R37"""
    return [
        fleet
        for fleet in state.fleets_of(race)
        if any(unit.cloaked for unit in state.members(fleet)) and _others(state, race, fleet)
    ]


def _others(state: CutlerState, race: Side, fleet: Fleet) -> list[Side]:
    here = state.place_of(fleet)
    strangers = [other for other in state.races_in(here) if other not in state.coordination.force_of(race)]
    return [other for other in strangers if faced(state, here, other, race)]


def _ask(state: CutlerState, race: Side, fleets: list[Fleet]) -> Ask[MeetingSheet]:
    field = Field(key="does", label="Cloaked", kind="one", choices=MEETING_CHOICES, value=STAY)
    lines: list[Line] = []
    for fleet in fleets:
        names = ", ".join(unit.name for unit in state.members(fleet))
        who = ", ".join(map(state.name_of, _others(state, race, fleet)))
        note = f"in {state.place_of(fleet)} with: {who}"
        lines.append(Line(key=fleet.key, label=f"{fleet.key}: {names}"[:80], fields=(field,), note=note))
    keys = [fleet.key for fleet in fleets]

    def judge(sheet: MeetingSheet) -> list[Refusal]:
        return [
            malformed("no cloaked fleet of yours is asked by this name", key, legal=", ".join(keys))
            for key in sheet.root
            if key not in keys
        ]

    return Ask(
        kind="cloak",
        parties=(race,),
        title="Under cloak with others",
        text="Your cloaked ships are where others are. Nobody knows of it, and who stays under cloak takes no part.",
        question=Question(
            "Under cloak with others",
            "Nobody knows of it. Do your ships show themselves?",
            tuple(sorted({state.place_of(fleet) for fleet in fleets})),
            noun="fleet",
        ),
        model=MeetingSheet,
        form=Form(lines=tuple(lines)),
        rule="2.6.2.1, CU-R37",
        default=MeetingSheet({}),
        default_says="All stay under cloak.",
        pace="decision",
        check=judge,
        read_back=lambda sheet: [
            f"{key} {'shows itself' if sheet.shows(key) else 'stays under cloak'}." for key in keys
        ],
    )
