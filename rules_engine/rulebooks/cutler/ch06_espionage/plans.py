"""Chapter 6: the turn's first sheet. Money, missions, the counter-intelligence pool and the fleets' courses.

Nothing on it depends on what another race writes, so everything is asked at once and in secret. 2.2, 6.4, 6.5.1
"""

import re

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, ambiguous, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, number_field
from rules_engine.core.grids.hexes import UnknownHex
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.ch02_movement.coordination import settle_coordination
from rules_engine.rulebooks.cutler.ch02_movement.plot_words import courses_of, read_back, warnings_of
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot, fleet_lines, judge_plot, numbered_orders
from rules_engine.rulebooks.cutler.ch04_economics.dock_orders import docked_in
from rules_engine.rulebooks.cutler.ch04_economics.income import income
from rules_engine.rulebooks.cutler.ch04_economics.phase import collect_and_allocate
from rules_engine.rulebooks.cutler.ch04_economics.sheet import (
    economy_lines,
    economy_losses,
    judge_economy,
    read_economy,
    warn_economy,
)
from rules_engine.rulebooks.cutler.ch04_economics.standing.budget import (
    budget_now,
    fitting_budget,
    keep_budget,
    leave_out_misfits,
    say_budget,
    with_budget,
)
from rules_engine.rulebooks.cutler.ch05_planets.prizes import judge_salvage, salvage_lines, salvage_prizes, say_salvage
from rules_engine.rulebooks.cutler.ch07_maintenance.words import maintenance_warnings
from rules_engine.rulebooks.cutler.ch09_surveying.orders import judge_survey, read_survey, survey_lines
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.orders import MissionLine, TurnSheet
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Mission, Planet
from rules_engine.rulebooks.cutler.records.tables import (
    AIMED_AT_NOTHING,
    AIMED_AT_PLANETS,
    LEAST_MISSION,
    MISSION_NAMES,
    MISSION_NEEDS,
    MISSION_RULES,
    MOST_MISSION,
    RESERVE_CAP,
)

KIND_CHOICES = tuple(Choice(value=kind, label=name, hint=MISSION_NEEDS[kind]) for kind, name in MISSION_NAMES.items())

TARGET_HELP = "a planet for Insurrection and Planet Check, none for Base Plans, else a hex"
OTHER_HELP = "a hex by its number, as 0404, or a planet by name; for Ship Plans also a ship whose name you know"
_SAID_FIRST = re.compile(r"^(?:the\s+)?(?:(?:hex|planet|ship)\s+|(?=.*\s+in\s+\d{4}$))", re.IGNORECASE)
"""What people write before a target, as it is read back: ``hex 0404``, ``the planet Aur in 0404``."""
_PLACE = re.compile(r"(?:\s+in\s+|\s*,\s*)(\d{4})(?:\s*\(.*\))?$")
"""What is read back or offered after a planet's name."""


# --- the form --------------------------------------------------------------------------------------------------------


def _most_points(state: CutlerState, race: Side) -> int:
    """The most IP that a race's Reserve can hold once this turn's new CPV are placed."""
    empire = state.empires[race]
    return empire.reserve + min(income(state, race), RESERVE_CAP - empire.reserve)


@rule("6.4")
def mission_lines(state: CutlerState, race: Side) -> int:
    """The lines for missions on a race's sheet: as many as its Reserve could pay for, and one at least. 6.4, CU-N04"""
    return max(1, _most_points(state, race) // LEAST_MISSION)


def turn_lines(state: CutlerState, race: Side) -> list[Line]:
    """Economy, counter-intelligence, missions, surveys, fleets and standing orders."""
    counter = number_field("points", "Set aside", range(_most_points(state, race) + 1), 0, "0, or 10 and more")
    fields = _mission_fields(state, race)
    missions = range(1, mission_lines(state, race) + 1)
    return [
        *with_budget(state, race, economy_lines(state, race)),
        Line(key="counter", label="Counter-intelligence", fields=(counter,), note="Taken from the Reserve"),
        *(
            Line(key=f"M{n}", label=f"Mission {n}", fields=fields, group="Missions", series="missions")
            for n in missions
        ),
        *salvage_lines(state, race),
        *survey_lines(state, race),
        *fleet_lines(state, race),
    ]


@rule("6.0", "6.4.1")
def _mission_fields(state: CutlerState, race: Side) -> tuple[Field, ...]:
    """What there is to say of a mission; the same on each of their lines. 6.0, 6.4.1"""
    others = tuple(Choice(value=other, label=state.name_of(other)) for other in _spied_upon(state, race))
    return (
        Field(key="kind", label="Mission", kind="one", choices=KIND_CHOICES, optional=True),
        Field(key="against", label="Against", kind="one", choices=others, optional=True),
        Field(key="target", label="Target", kind="one", choices=_targets(state, race), optional=True, help=TARGET_HELP),
        Field(key="other", label="Or another target", kind="text", most=60, optional=True, help=OTHER_HELP),
        Field(key="ip", label="IP", kind="number", least=LEAST_MISSION, most=MOST_MISSION, optional=True),
    )


def _spied_upon(state: CutlerState, race: Side) -> list[Side]:
    """Whom a race may spy upon: who is out of play has nothing to hide. CU-N15"""
    return [other for other in state.races() if other != race and other not in state.out]


def _targets(state: CutlerState, race: Side) -> tuple[Choice, ...]:
    """Likely targets of espionage, from what is public or known: planets, counters, ships known by name."""
    planets = [state.planets[key] for key in sorted(state.planets)]
    known, spied_upon = state.empires[race].known_ships, _spied_upon(state, race)
    ships = [state.units[key].name for key, other in known.items() if other in spied_upon]
    counters = [(other, hex_id) for other, hex_id in state.counters() if other != race]
    held = {planet.hex for planet in planets}
    hexes = dict.fromkeys(hex_id for _, hex_id in counters if hex_id not in held)
    bases = [one for one in _bases_found(state, race) if one[1] not in held and one[1] not in hexes]
    return (
        *(
            Choice(value=planet.key, label=f"{planet.name}, {planet.hex} ({state.name_of(planet.owner)})")
            for planet in planets
            if planet.owner != race
        ),
        *(
            Choice(value=hex_id, label=f"{hex_id}: {', '.join(state.name_of(o) for o, at in counters if at == hex_id)}")
            for hex_id in hexes
        ),
        *(
            Choice(value=hex_id, label=f"{hex_id}: {state.name_of(other)}, base {track}")
            for other, hex_id, track in bases
        ),
        *(Choice(value=name, label=f"the ship {name}") for name in sorted(set(ships))),
    )


def _bases_found(state: CutlerState, race: Side) -> list[tuple[Side, HexId, str]]:
    """The units without a counter that keep to a hex and that a race holds as contacts, one a hex, each with its
    number: whose they are and where it was told."""
    spied_upon = _spied_upon(state, race)
    found: dict[HexId, tuple[Side, HexId, str]] = {}
    for key, track in sorted(state.empires[race].tracks.current.items()):
        subject = tacintel.subject_of(key)
        if subject.part == "fixed" and subject.race in spied_upon:
            found.setdefault(subject.hex, (subject.race, subject.hex, track))
    return [found[hex_id] for hex_id in sorted(found)]


# --- judging ---------------------------------------------------------------------------------------------------------


@rule("6.4", "6.5.1")
def judge_missions(state: CutlerState, race: Side, sheet: TurnSheet) -> tuple[list[Mission], list[Refusal]]:
    """The missions of a sheet in the order of its lines, and every defect. 6.4, 6.5.1, CU-R104, CU-R108, CU-R109"""
    missions: list[Mission] = []
    refusals: list[Refusal] = []
    most = mission_lines(state, race)
    lines = [f"M{number}" for number in range(1, most + 1)]
    text, legal = "there is no such line", f"M1 to M{most}"
    refusals += [malformed(text, key, legal=legal) for key in sheet.missions if key not in lines]
    for key in lines:
        line = sheet.missions.get(key)
        if line is not None and not line.is_blank:
            mission, defects = _judge_mission(state, race, key, line)
            refusals += defects
            missions += [mission] if mission is not None else []
    points = sheet.counter.points
    if 0 < points < LEAST_MISSION:
        text = "counter-intelligence is a mission of its own and needs 10 IP or none"
        refusals.append(illegal(text, "6.4.1.8, CU-R108", "counter.points", legal="0, or 10 and more"))
    have = state.empires[race].reserve + sheet.economy.reserve
    spent = points + sum(line.ip or 0 for line in sheet.missions.values() if not line.is_blank)
    if spent > have:
        text = f"missions and counter-intelligence take {spent} IP, the Reserve will hold {have}"
        refusals.append(illegal(text, "6.4, CU-R104", "missions", legal=f"{have} IP in all"))
    return missions, refusals


def _judge_mission(state: CutlerState, race: Side, key: str, line: MissionLine) -> tuple[Mission | None, list[Refusal]]:
    refusals: list[Refusal] = []
    if line.kind is None:
        refusals.append(malformed("say which mission this is", f"{key}.kind", legal=", ".join(MISSION_NAMES.values())))
    others = _spied_upon(state, race)
    if line.against in state.out:
        text = f"the {state.name_of(line.against)} is out of play, so there is nothing to spy upon"
        refusals.append(illegal(text, "6.4, CU-N15", f"{key}.against", legal=", ".join(others)))
    elif line.against not in others:
        near = nearest(line.against or "", others)
        refusals.append(malformed("name the race to spy upon", f"{key}.against", legal=", ".join(others), nearest=near))
    if line.ip is None or not LEAST_MISSION <= line.ip <= MOST_MISSION:
        text = f"a mission takes {LEAST_MISSION} to {MOST_MISSION} IP"
        refusals.append(illegal(text, "6.4", f"{key}.ip", legal=f"{LEAST_MISSION} to {MOST_MISSION}"))
    if line.kind is None or line.against not in others:
        return None, refusals
    mission = Mission(
        line=key, spy=race, kind=line.kind, against=line.against, target="", aimed="race", said="", ip=line.ip or 0
    )
    if line.target and line.other:
        refusals.append(ambiguous("two targets for one mission", f"{key}.target", nearest=(line.target, line.other)))
    target = _target_named(line.target or line.other or "")
    refusals += _aim(state, mission, target, f"{key}.{'target' if line.target else 'other'}")
    return (None if refusals else mission), refusals


@rule("6.4", "6.4.1")
def _aim(state: CutlerState, mission: Mission, text: str, path: str) -> list[Refusal]:
    """Find the mission's target among the things its spy may name. 6.4, 6.4.1"""
    rule = MISSION_RULES[mission.kind]
    if mission.kind in AIMED_AT_NOTHING:
        if text:
            return [illegal(_needs(mission, "no target"), rule, path, legal="leave the target blank")]
        mission.said = f"all bases of the {state.name_of(mission.against)}"
        return []
    if mission.kind in AIMED_AT_PLANETS:
        return _aim_at_planet(state, mission, text, path)
    planet = _planet_called(state, text)
    if mission.kind == "ship" and planet is None:
        known = _ships_known(state, mission)
        if text.casefold() in known or not text[:1].isdigit():
            return _aim_at_ship(state, mission, known, text, path)
    try:
        mission.target = planet.hex if planet else state.grid.parse(text)
    except UnknownHex as error:
        legal = "the number of a hex of the map, such as 0404, or a planet's name"
        return [malformed(_needs(mission, "a hex"), path, legal=legal, nearest=error.nearest)]
    mission.aimed, mission.said = "hex", f"hex {mission.target}"
    return []


def _target_named(text: str) -> str:
    """A target as it is judged, without the words that people write around it."""
    bare = _PLACE.sub("", _SAID_FIRST.sub("", " ".join(text.split()), count=1))
    return bare or text


def _needs(mission: Mission, what: str) -> str:
    return f"{MISSION_NAMES[mission.kind]} needs {what}"


def _aim_at_planet(state: CutlerState, mission: Mission, text: str, path: str) -> list[Refusal]:
    found = _planet_called(state, text)
    if found is None and (moon := _moon_called(state, text)) is not None:
        if mission.kind == "insurrection":
            return [illegal("nobody rises on a moon", "5.3.2, 6.4.1.7", path, legal="a planet's name or hex")]
        found = moon
    if found is None:
        names = [planet.name for planet in state.planets.values()]
        return [
            malformed(_needs(mission, "a planet"), path, legal="a planet's name or hex", nearest=nearest(text, names))
        ]
    if found.owner != mission.against:
        holder = state.name_of(found.owner)
        rule = MISSION_RULES[mission.kind]
        return [illegal(f"{found.name} is held by the {holder}", rule, path, legal=f"spy upon the {holder}")]
    said = "" if found.kind == "moon" else "the planet "
    mission.target, mission.aimed, mission.said = found.key, "planet", f"{said}{found.name} in {found.hex}"
    return []


def _moon_called(state: CutlerState, text: str) -> Planet | None:
    """The moon of that key or of that name. All of it is public."""
    sought = text.casefold()
    moons = (state.moons[key] for key in sorted(state.moons))
    return next((moon for moon in moons if sought in (moon.key.casefold(), moon.name.casefold())), None)


@rule("1.1.2.3")
def _planet_called(state: CutlerState, text: str) -> Planet | None:
    """The planet in that hex, of that key or of that name, in this order: names are typed by players, so that none
    stands for another's planet. All of it is public. 1.1.2.3"""
    sought = text.casefold()
    planets = state.planets.values()
    called = ((p.hex for p in planets), (p.key.casefold() for p in planets), (p.name.casefold() for p in planets))
    found = (p for words in called for p, word in zip(planets, words, strict=True) if word == sought)
    return next(found, None)


@rule("6.4.1.4")
def _ships_known(state: CutlerState, mission: Mission) -> dict[str, str]:
    """The victim's ships that the spy knows by name: unit ids by lower-case name. 6.4.1.4"""
    known = state.empires[mission.spy].known_ships
    return {state.units[key].name.casefold(): key for key, race in known.items() if race == mission.against}


def _aim_at_ship(state: CutlerState, mission: Mission, known: dict[str, str], text: str, path: str) -> list[Refusal]:
    key = known.get(text.casefold())
    if key is None:
        near = nearest(text, [state.units[one].name for one in known.values()])
        legal = "a hex (a random ship there), or a ship whose name you know"
        return [illegal("you have not learnt the name of such a ship", "6.4.1.4", path, legal=legal, nearest=near)]
    mission.target, mission.aimed, mission.said = key, "unit", f"the ship {state.units[key].name}"
    return []


def judge_turn(state: CutlerState, race: Side, sheet: TurnSheet) -> list[Refusal]:
    """Every defect of a turn's sheet."""
    return [
        *judge_economy(state, race, sheet),
        *judge_missions(state, race, sheet)[1],
        *judge_salvage(state, race, sheet.salvage, docked_in(state, race, sheet)),
        *judge_survey(state, race, sheet.survey)[1],
        *judge_plot(state, race, sheet).refusals,
    ]


def _read_back(state: CutlerState, race: Side, sheet: TurnSheet) -> list[str]:
    said = [*read_economy(state, race, sheet), *say_budget(state, race, sheet)]
    if sheet.counter.points:
        said.append(f"{sheet.counter.points} IP for counter-intelligence.")
    said += [
        f"{mission.line}: {_in_words(state, mission)} with {mission.ip} IP."
        for mission in judge_missions(state, race, sheet)[0]
    ]
    said += [*say_salvage(state, sheet.salvage), *read_survey(state, race, sheet.survey)]
    return said + read_back(state, race, sheet)


def _in_words(state: CutlerState, mission: Mission) -> str:
    return f"{MISSION_NAMES[mission.kind]} against the {state.name_of(mission.against)}, {mission.said}"


def _warn(state: CutlerState, race: Side, sheet: TurnSheet) -> list[str]:
    said = warn_economy(state, race, sheet)
    for mission in judge_missions(state, race, sheet)[0]:
        captured = mission.aimed == "planet" and state.bodies()[mission.target].captured_turn is not None
        if mission.kind == "insurrection" and not captured:
            said.append(f"{mission.line}: only a captured planet can revolt (6.4.1.7).")
    return said + maintenance_warnings(state, race) + warnings_of(state, race, sheet)


# --- asking ----------------------------------------------------------------------------------------------------------


def turn_ask(state: CutlerState, race: Side) -> Ask[TurnSheet]:
    """One race's sheet for the turn. Its standing budget is filled in, and carried out if it says nothing."""
    stands = budget_now(state, race)
    says = "Work goes on, all other new CPV go to the Base Pool; no missions; fleets keep their courses."
    return Ask(
        kind="turn",
        parties=(race,),
        title=f"Turn {state.turn}: economy, espionage and courses",
        text=f"You make {income(state, race)} CPV this turn. Place them, plot missions, and set your fleets' courses.",
        question=Question(
            f"Turn {state.turn}",
            f"You make {income(state, race)} CPV.",
            whole=True,
            others="keep their courses",
            noun="fleet",
            lines=tuple(fleet.key for fleet in state.fleets_of(race)),
        ),
        model=TurnSheet,
        form=Form(lines=tuple(turn_lines(state, race))),
        rule="4.1.6.1, 6.4, 2.2",
        default=stands.answer,
        default_says=f"Your standing budget is carried out. {says}" if stands.kept else says,
        check=lambda sheet: judge_turn(state, race, sheet),
        read_back=lambda sheet: _read_back(state, race, sheet),
        warn=lambda sheet: _warn(state, race, sheet),
        courses=lambda sheet: courses_of(state, race, sheet),
        topics=frozenset({"missions"}),
        budget=frozenset(line.key for line in economy_lines(state, race)),
        losses=lambda sheet: [*economy_losses(state, race, sheet), *maintenance_warnings(state, race)],
    )


@rule("6.1", "6.2", "6.4", "6.5.1")
def turn_sheets_steps(turn: CutlerTurn) -> Steps[None]:
    """Ask all races in play at once, then collect, allocate, and take the missions' IP and the pool from the reserves.

    6.1, 6.2, 6.4, 6.5.1, CU-R108
    """
    state = turn.state
    asked = turn.in_play  # a referee may change it before all have answered
    for race in asked:
        leave_out_misfits(turn, race)
    sheets = yield from turn.ask_all_steps([turn_ask(state, race) for race in asked])
    for race, sent in zip(asked, sheets, strict=True):
        sheet = fitting_budget(state, race, sent)
        keep_budget(state, race, sheet)
        missions, _ = judge_missions(state, race, sheet)
        empire = state.empires[race]
        empire.alerts, empire.spared = [], False
        numbered = numbered_orders(state, race, sheet)
        collect_and_allocate(turn, race, sheet)
        empire.counter_pool = sheet.counter.points
        empire.reserve -= sheet.counter.points + sum(mission.ip for mission in missions)
        state.missions += missions
        empire.surveys = judge_survey(state, race, sheet.survey)[0]
        carry_out_plot(state, race, sheet, numbered)
        salvage_prizes(turn, race, sheet.salvage)
    settle_coordination(turn)
