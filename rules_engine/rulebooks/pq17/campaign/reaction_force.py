"""The reaction force, and what else the campaign watches in every impulse: Patrol White, the bound squadron.

PQ-17 C.vp.15, C.vp.note10, C.oob.federation.patrol-white, C.oob.klingon.restriction, C.oob.kzinti.reaction-force.
"""

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.arrivals import NEVER, settle
from rules_engine.rulebooks.pq17.campaign.command_points import PATROL_SHIPS, in_patrol_area
from rules_engine.rulebooks.pq17.nations.homes import (
    FEDERATION,
    KZINTI,
    bases_of,
    category_of,
    is_campaign,
    is_warship,
    nation_of,
    settled_of,
)
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.progress import Arrival
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, COALITION, State

CALL_LINE = "force"


@rule("C.vp.note10", "C.oob.klingon.restriction", "C.oob.kzinti.reaction-force")
def watch(turn: TurnContext[State]) -> None:
    """After each half impulse's moves, searches and battles: note events that excuse Patrol White, release the squadron
    or call the force.

    PQ-17 C.vp.note10, C.oob.klingon.restriction, C.oob.kzinti.reaction-force, rulings SCN-4, SCN-5, SCN-6."""
    state = turn.state
    if not is_campaign(state):
        return
    tally = state.progress.tally
    if not tally.patrol_excused and (_dreadnought_known(state) or _in_settled(state, FEDERATION)):
        tally.patrol_excused = True
    if not state.progress.released and _warship_known(state):
        _release(turn)
    if state.progress.reaction == "held" and _in_settled(state, KZINTI):
        _call(turn)


@rule("C.vp.15")
def end_of_impulse(state: State) -> None:
    """Note whether Patrol White is in place, as it must be at the end of every impulse. PQ-17 C.vp.15, ruling SCN-5."""
    if is_campaign(state) and not patrol_in_place(state):
        state.progress.tally.patrol_missed = True


@rule("C.oob.federation.patrol-white", "C.vp.note10")
def patrol_in_place(state: State) -> bool:
    """Whether two Federation warships of movement cost 1 or more are in the area, in port or not, together or not.

    PQ-17 C.oob.federation.patrol-white, C.vp.note10, ruling SCN-5."""
    there = [
        unit
        for tf in state.all_task_forces(ALLIANCE)
        if not tf.is_base and in_patrol_area(state, tf.hex)
        for unit in state.units_of(tf)
        if _is_large(state, unit)
    ]
    return len(there) >= PATROL_SHIPS


def _is_large(state: State, unit: Unit) -> bool:
    """Whether a unit is a Federation warship of movement cost 1 or more. PQ-17 rulings SCN-4, SCN-5."""
    nation = nation_of(state, unit)
    own = nation is not None and nation.key == FEDERATION and not unit.captured_from
    return own and is_warship(state, unit) and state.class_of(unit).move_cost >= 1


@rule("C.vp.note10")
def _dreadnought_known(state: State) -> bool:
    """Whether a Coalition dreadnought is identified out of port. PQ-17 C.vp.note10, rulings SCN-5, SCN-35."""
    return any(
        tf.id_level >= IdLevel.ID3 and not tf.in_port and not tf.is_base and _has_dreadnought(state, tf)
        for tf in state.all_task_forces(COALITION)
    )


def _has_dreadnought(state: State, tf: TaskForce) -> bool:
    return any(is_warship(state, unit) and category_of(state, unit) in ("DN", "BB") for unit in state.units_of(tf))


def _in_settled(state: State, nation: str) -> bool:
    """Whether a Coalition task force, detected or not, is in a settled hex of the nation. PQ-17 ruling SCN-6."""
    return any(not tf.is_base for hex_id in settled_of(state, nation) for tf in state.task_forces_in(hex_id, COALITION))


# --- the bound squadron -----------------------------------------------------------------------------------------------


@rule("C.oob.klingon.restriction")
def _warship_known(state: State) -> bool:
    """Whether a large Federation warship is identified away from its own settled hexes and bases.

    PQ-17 C.oob.klingon.restriction, ruling SCN-4."""
    known = [tf for tf in state.all_task_forces(ALLIANCE) if tf.id_level >= IdLevel.ID3 and not tf.is_base]
    if not known or not any(area.bound for area in state.settings.campaign.area):
        return False
    homes = {*settled_of(state, FEDERATION), *(base.hex for base in bases_of(state, FEDERATION))}
    return any(tf.hex not in homes and any(_is_large(state, one) for one in state.units_of(tf)) for tf in known)


def _release(turn: TurnContext[State]) -> None:
    """Release the squadron for good; only the Coalition is told, since only it knows what it has identified."""
    turn.state.progress.released = True
    names = ", ".join(area.name for area in turn.state.settings.campaign.area if area.bound)
    text = f"A Federation warship is identified away from its bases: {names} may leave port and hex."
    turn.tell([COALITION], text, kind="command", why=because("PQ-17 C.oob.klingon.restriction"))


# --- the reaction force -----------------------------------------------------------------------------------------------


def held_forces(state: State) -> list[Arrival]:
    """The arrivals that wait to be called."""
    return [one for one in state.progress.arrivals if one.kind == "force" and one.opens == NEVER]


def _call(turn: TurnContext[State]) -> None:
    state = turn.state
    state.progress.reaction = "called"
    for arrival in held_forces(state):
        arrival.opens = state.turn + 1
        text = f"{arrival.name} available: it comes on next turn."
        turn.tell([ALLIANCE], text, kind="arrival", why=because("PQ-17 C.oob.kzinti.reaction-force"))


class CallLine(Frozen):
    """Where a called force enters."""

    hex: str | None = None


class CallSheet(Frozen):
    """The sheet for a called force, with its one line."""

    force: CallLine = CallLine()


@rule("C.oob.kzinti.reaction-force")
def reaction_steps(turn: TurnContext[State]) -> Steps[None]:
    """In the planning step after the call: ask the owner where the force enters.

    PQ-17 C.oob.kzinti.reaction-force, rulings SCN-6, MOV-7."""
    state = turn.state
    if state.progress.reaction != "called":
        return
    called = [one for one in state.progress.arrivals if one.kind == "force" and one.opens == state.turn]
    for arrival in called:
        settle(state, arrival)
        nearest = _nearest_to_enemy(state, arrival)
        arrival.hex = nearest or arrival.hex
        sheet: CallSheet = yield from turn.ask_steps(_call_ask(state, arrival, "the enemy" if nearest else "its bases"))
        arrival.hex = sheet.force.hex or arrival.hex
        state.progress.reaction = "entered"


def _nearest_to_enemy(state: State, arrival: Arrival) -> str:
    """The edge hex nearest to the intruders in its owner's settled hexes, where they are always detected; none if they
    have gone again."""
    intruders = [hex_id for hex_id in settled_of(state, KZINTI) if state.task_forces_in(hex_id, COALITION)]
    if not intruders:
        return ""
    return min(arrival.entry, key=lambda one: min(state.grid.distance(one, other) for other in intruders))


def _call_ask(state: State, arrival: Arrival, near: str) -> Ask[CallSheet]:
    options = tuple(Choice(value=one, label=one) for one in arrival.entry)
    names = ", ".join(state.units[unit].name for unit in arrival.units)
    field = Field(key="hex", label="Comes on in", kind="one", choices=options, value=arrival.hex)
    form = Form(lines=(Line(key=CALL_LINE, label=arrival.name, fields=(field,), note=names),))
    return Ask(
        kind="reaction",
        parties=(ALLIANCE,),
        title=f"{arrival.name} comes on",
        text="The enemy came into a Kzinti settled hex. Say in which edge hex the force is placed before impulse 1.",
        question=Question(
            "A reaction force comes on",
            f"The enemy came into a settled hex. Where does {arrival.name} come on?",
            (*arrival.entry,),
        ),
        model=CallSheet,
        form=form,
        rule="PQ-17 C.oob.kzinti.reaction-force",
        default=CallSheet(force=CallLine(hex=arrival.hex)),
        default_says=f"It comes on in {arrival.hex}, nearest to {near}.",
        pace="decision",
        check=lambda sheet: _judge_call(arrival, sheet),
        read_back=lambda sheet: [f"{arrival.name} comes on in {sheet.force.hex or arrival.hex}."],
    )


def _judge_call(arrival: Arrival, sheet: CallSheet) -> list[Refusal]:
    if sheet.force.hex is None or sheet.force.hex in arrival.entry:
        return []
    legal = ", ".join(arrival.entry)
    problem = f"{sheet.force.hex} is no Kzinti settled hex on the spinward edge"
    return [illegal(problem, "PQ-17 C.oob.kzinti.reaction-force", "force.hex", legal=legal)]
