"""Chapter 6: the espionage phase. Missions are announced to their victims and countered, one at a time; each victim
has them in a strand of its own. Then they are rolled in the same order.

Only the spy and the victim are told of a mission. The victim learns what is tried, where, and by whom; the spy
learns the outcome. The victim learns it only at the end of the phase, from its counter-intelligence points, and only
if it committed some. 6.5, CU-R107, CU-R108, CU-N01
"""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted, with_article
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, number_field
from rules_engine.core.knowledge.reports import MapNote, Why, because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question, first_sentence
from rules_engine.rulebooks.cutler.ch02_movement.movement import may_enter
from rules_engine.rulebooks.cutler.ch06_espionage.missions import report_success
from rules_engine.rulebooks.cutler.records.contest import roll_order
from rules_engine.rulebooks.cutler.records.orders import CounterSheet, read_course
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fleet, Mission
from rules_engine.rulebooks.cutler.records.tables import (
    INSURRECTIONS_A_PLANET,
    LEAST_MISSION,
    MISSION_NAMES,
    MISSION_RULES,
)
from rules_engine.rulebooks.cutler.standing.decisions import ask_or_obey_steps, counter_decisions

FILE = "Intelligence file"
STAY = "stay"


@rule("6.5.2")
def needed(net: int) -> int:
    """The highest die result at which a mission succeeds; 0: it fails without a roll. 6.5.2, CU-R106"""
    if net < LEAST_MISSION:
        return 0
    return 4 if net <= 20 else 5


@rule("6.0", "6.1", "6.5", "6.5.1", "6.5.2")
def espionage_steps(turn: CutlerTurn) -> Steps[None]:
    """The order of the players in play, then each player's missions in turn, one each round.

    6.5.1, 6.5.2, CU-N02, CU-N14
    """
    state = turn.state
    order, rolls = roll_order(turn.at("order"), turn.in_play, "espionage order", count=2)
    names = ", ".join(map(turn.name_of, order))
    turn.tell_all(f"Espionage order: {names}.", kind="espionage", why=because("6.5.1", dice=rolls))
    rounds = max((sum(one.spy == race for one in state.missions) for race in order), default=0)
    tried: list[Mission] = []
    for number in range(rounds):
        for spy in order:
            own = [mission for mission in state.missions if mission.spy == spy]
            if number < len(own) and _is_tried(turn, own[number]):
                tried.append(own[number])
    victims = {one.against: [one.against] for one in tried}

    def notices_steps(there: CutlerTurn, victim: Side) -> Steps[None]:
        for mission in [one for one in tried if one.against == victim]:
            yield from _announce_steps(there, mission)

    yield from turn.parting_steps(victims, notices_steps, window="decision")
    for mission in tried:
        _resolve(turn, mission)
    _settle_points(turn)


@rule("6.4.1.7")
def _is_tried(turn: CutlerTurn, mission: Mission) -> bool:
    """Whether a mission is tried at all: a sixth insurrection on one planet is called off. 6.4.1.7, CU-R112"""
    state = turn.state
    if mission.kind != "insurrection":
        return True
    tried = state.insurrections.get(mission.target, 0)
    if tried >= INSURRECTIONS_A_PLANET:
        mission.status = "cancelled"
        fate = "called off: five were conducted there already; its IP come back"
        _tell_fate(turn, mission, fate, because("6.4.1.7, CU-R112"), is_last=True)
        return False
    state.insurrections[mission.target] = tried + 1
    return True


@rule("6.4.1", "6.5.1", "6.5.2")
def _resolve(turn: CutlerTurn, mission: Mission) -> None:
    """One mission, countered by now: rolled and reported. 6.4.1, 6.5.1, 6.5.2"""
    state = turn.state
    net = mission.ip - mission.committed
    limit = needed(net)
    place = turn.at(mission.spy, mission.line)
    dice = [place.roll("mission", faces=6, seen_by=[mission.spy])] if limit else []
    succeeded = bool(dice) and dice[0].total <= limit
    mission.status = "succeeded" if succeeded else "failed"
    inputs = {
        "IP": mission.ip,
        "countered by": mission.committed,
        "net": net,
        "needs": f"1-{limit}" if limit else "at least 10 net",
    }
    why = because(f"6.5.2, CU-R106, {MISSION_RULES[mission.kind]}", inputs, dice)
    _tell_fate(place, mission, mission.status, why, is_last=not succeeded)
    if not succeeded:
        return
    state.empires[mission.spy].alerts.append(f"{mission.line} brought news")
    report_success(place, mission, FILE)


def _title(state: CutlerState, mission: Mission) -> str:
    kind = MISSION_NAMES[mission.kind]
    return f"{mission.line}, {kind} against the {state.name_of(mission.against)} ({mission.said})"


def _tell_fate(turn: CutlerTurn, mission: Mission, fate: str, why: Why, *, is_last: bool) -> None:
    """Tell the spy the outcome of a mission. The final one goes into its file; after a success, the findings do."""
    text = f"{_title(turn.state, mission)}: {fate}."
    if is_last:
        noted = MapNote(topic=FILE, text=f"Turn {turn.state.turn}: {text}")
        turn.tell([mission.spy], text, kind="intelligence", why=why, facts=[noted])
    else:
        turn.tell([mission.spy], text, kind="espionage", why=why)


# --- the victim ------------------------------------------------------------------------------------------------------


@rule("6.4.1.3", "6.4.1.8", "6.5.1")
def _announce_steps(turn: CutlerTurn, mission: Mission) -> Steps[None]:
    """Tell the victim alone, take its counter-intelligence, and its impulse-1 plot if that is what is spied upon.

    The victim's asks are numbered by the missions against itself, so that they tell nothing of others.
    6.4.1.3, 6.4.1.8, 6.5.1, CU-R108
    """
    state = turn.state
    victim = state.empires[mission.against]
    victim.notices += 1
    place = turn.at("notice", victim.notices)
    spy = _spy(state, mission)
    text = f"{spy} attempts {MISSION_NAMES[mission.kind]} on {_for_victim(state, mission)}."
    noted = MapNote(topic=FILE, text=f"Turn {state.turn}: {text}")
    place.tell([victim.race], text, kind="espionage", why=because("6.5.1"), facts=[noted])
    to_lodge = _fleets_to_lodge(state, mission)
    if not victim.counter_pool and not to_lodge:
        return
    ways = {fleet.key: (fleet, _stored_goal(state, fleet)) for fleet in to_lodge}
    ordered = counter_decisions(state, victim.race, ways, STAY)
    (sheet,) = yield from ask_or_obey_steps(place, [_counter_ask(state, mission, text, to_lodge)], [ordered])
    mission.committed = sheet.points()
    victim.counter_pool -= mission.committed
    lodged = sheet.lodged()
    for fleet in to_lodge:
        said = lodged.get(fleet.key, _stored_goal(state, fleet))
        goal = "" if said == STAY else said
        for unit in state.members(fleet):
            victim.lodged[unit.id] = goal
        fleet.begin_course(_course_with(state, fleet, goal))


def _spy(state: CutlerState, mission: Mission) -> str:
    """``A Birch spy``, to begin a sentence."""
    spy = with_article(state.name_of(mission.spy))
    return f"{spy[:1].upper()}{spy[1:]} spy"


def _for_victim(state: CutlerState, mission: Mission) -> str:
    return "your bases" if mission.aimed == "race" else mission.said


@rule("6.4.1.3")
def _fleets_to_lodge(state: CutlerState, mission: Mission) -> list[Fleet]:
    """The victim's fleets whose impulse-1 plot must be submitted ahead of time. 6.4.1.3"""
    if mission.kind != "movement":
        return []
    lodged = state.empires[mission.against].lodged
    return [
        fleet
        for fleet in state.fleets_of(mission.against)
        if state.place_of(fleet) == mission.target and not state.units[fleet.units[0]].retreat_hex
        if not state.units[fleet.units[0]].cloaked
        if any(key not in lodged for key in fleet.units)
    ]


def _goals(state: CutlerState, fleet: Fleet) -> list[HexId]:
    """Where a fleet could go in impulse 1."""
    here = state.place_of(fleet)
    units = state.members(fleet)
    return [goal for goal in state.grid.neighbours(here) if all(may_enter(state, unit, goal, 1) for unit in units)]


def _stored_goal(state: CutlerState, fleet: Fleet) -> HexId:
    return fleet.course[0] if fleet.course and fleet.course[0] in _goals(state, fleet) else ""


@rule("6.4.1.3")
def _course_with(state: CutlerState, fleet: Fleet, goal: HexId) -> list[HexId]:
    """A fleet's stored course with ``goal`` as its hex of impulse 1; later hexes stand, and so does the whole course
    where the fleet stays. 6.4.1.3, CU-R128, CU-N180"""
    if not goal or fleet.course[:1] == [goal]:
        return fleet.course
    # By a shortest path to the next hex of the course, for that need not touch the one that was lodged.
    later, _ = read_course(state.grid, goal, " ".join(fleet.course[1:]), "")
    return [goal, *later]


def _counter_ask(state: CutlerState, mission: Mission, text: str, to_lodge: list[Fleet]) -> Ask[CounterSheet]:
    victim = state.empires[mission.against]
    lines: list[Line] = []
    if victim.counter_pool:
        help_text = f"0 to {victim.counter_pool}; lost if the mission succeeds"
        points = number_field("points", "Points against it", range(victim.counter_pool + 1), 0, help_text)
        lines.append(Line(key="counter", label="Counter-intelligence", fields=(points,)))
    for fleet in to_lodge:
        goals = _goals(state, fleet)
        ways = (Choice(value=STAY, label="Stay"), *(Choice(value=goal, label=f"To {goal}") for goal in goals))
        field = Field(key="to", label="Impulse 1", kind="one", choices=ways, value=_stored_goal(state, fleet) or STAY)
        names = ", ".join(unit.name for unit in state.members(fleet))
        lines.append(Line(key=fleet.key, label=f"{fleet.key}: {names}", fields=(field,)))
    extra = " Lodge the impulse-1 plot of your ships there; it then binds you." if to_lodge else ""
    return Ask(
        kind="counter",
        parties=(victim.race,),
        title=f"{_spy(state, mission)}: {MISSION_NAMES[mission.kind]}",
        text=f"{text} Your pool holds {counted(victim.counter_pool, 'point')}.{extra}",
        question=Question("Spies are at work", first_sentence(text)),
        model=CounterSheet,
        form=Form(lines=tuple(lines)),
        rule="6.4.1.8, 6.5.1" + (", 6.4.1.3" if to_lodge else ""),
        default=CounterSheet({}),
        default_says="No points are used" + ("; ships there keep their stored course." if to_lodge else "."),
        pace="decision",
        check=lambda sheet: _judge_counter(state, victim.race, to_lodge, sheet),
        read_back=lambda sheet: _read_counter(state, victim.race, sheet),
    )


def _judge_counter(state: CutlerState, victim: Side, to_lodge: list[Fleet], sheet: CounterSheet) -> list[Refusal]:
    refusals: list[Refusal] = []
    pool = state.empires[victim].counter_pool
    if sheet.points() > pool:
        text = f"your pool holds {counted(pool, 'point')}"
        refusals.append(illegal(text, "6.4.1.8, CU-R108", "counter.points", legal=f"0 to {pool}"))
    asked = {fleet.key: fleet for fleet in to_lodge}
    for key, goal in sheet.lodged().items():
        if key not in asked:
            refusals.append(malformed("this fleet's plot is not asked for", key, legal=", ".join(asked)))
        elif goal not in ("", STAY, *_goals(state, asked[key])):
            legal = ", ".join(["stay", *_goals(state, asked[key])])
            refusals.append(
                illegal(f"{key} cannot go to {goal} in impulse 1", "6.4.1.3, 2.4", f"{key}.to", legal=legal)
            )
    return refusals


def _read_counter(state: CutlerState, victim: Side, sheet: CounterSheet) -> list[str]:
    said = [f"{counted(sheet.points(), 'point')} against the mission."]
    for key, to in sheet.lodged().items():
        fleet, goal = state.fleet(victim, key), "" if to == STAY else to
        course = _course_with(state, fleet, goal) if fleet else []
        later = course[1:] if goal else course
        stands = f"; its course goes on after that: {' '.join(later)}" if later else ""
        said.append(f"{key} {f'goes to {goal}' if goal else 'stays'} in impulse 1{stands}.")
    return said


# --- the end of the phase --------------------------------------------------------------------------------------------


@rule("6.5.2")
def _settle_points(turn: CutlerTurn) -> None:
    """Settle points: a failed mission's IP are lost and the points against it come back; for a successful one it is
    reversed.

    Points set aside and not used come back. 6.5.2, CU-R107
    """
    state = turn.state
    for mission in state.missions:
        spy, victim = state.empires[mission.spy], state.empires[mission.against]
        if mission.status != "failed":
            spy.reserve += mission.ip
        if mission.status != "succeeded":
            victim.reserve += mission.committed
        if mission.committed:
            fate = "lost: it succeeded" if mission.status == "succeeded" else "back in the Reserve: it failed"
            what = f"{MISSION_NAMES[mission.kind]} on {_for_victim(state, mission)}"
            verb = "is" if mission.committed == 1 else "are"
            text = f"Your {counted(mission.committed, 'point')} against {what} {verb} {fate}."
            noted = MapNote(topic=FILE, text=f"Turn {state.turn}: {text}")
            turn.tell([victim.race], text, kind="espionage", why=because("6.5.2, CU-R107"), facts=[noted])
    for empire in state.empires.values():
        empire.reserve += empire.counter_pool
        empire.counter_pool = 0
    state.missions = []
