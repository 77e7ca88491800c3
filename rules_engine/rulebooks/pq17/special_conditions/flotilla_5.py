"""Flotilla 5: four ships that the Coalition places on the rimward edge in one of the period's plot movement steps.

It is asked for a hex on the first turn, and again on the turn that it names (own ruling PQ-62).
PQ-17 C.special.flotilla-5, ruling SPC-17.
"""

from typing import Annotated

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, HexId
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.new_units import place_units
from rules_engine.rulebooks.pq17.ch10_supply.drones import load_reinforcements
from rules_engine.rulebooks.pq17.contacts.minefields import note_transit
from rules_engine.rulebooks.pq17.nations.conditions_in_force import KIEL_HEX, last_turn_of
from rules_engine.rulebooks.pq17.nations.homes import KLINGON
from rules_engine.rulebooks.pq17.records.special_conditions import Flotilla
from rules_engine.rulebooks.pq17.records.state import COALITION, State
from rules_engine.rulebooks.pq17.special_conditions.ships_brought import FLEETS, make_fleet
from rules_engine.rulebooks.pq17.tables.operations import Speed
from rules_engine.rulebooks.pq17.tables.order_of_battle import spread

EDGE = spread(["1701-1718"])
"""The rimward edge, spinward of 1718. PQ-17 C.special.flotilla-5."""
RULE = "PQ-17 C.special.flotilla-5"
LATER = 5
"""Turns until it is asked again if it names no turn."""


class FlotillaLine(Frozen):
    """The hex where it is placed now, or the turn on which to ask again."""

    hex: HexId | None = None
    ask_on: Annotated[int, Bounded(ge=1)] | None = None


class FlotillaSheet(RootModel[dict[str, FlotillaLine]]):
    """The Coalition's answer."""

    @property
    def line(self) -> FlotillaLine:
        """The one line; an empty one if it was left out."""
        return self.root.get("flotilla", FlotillaLine())


@rule("C.special.flotilla-5")
def flotilla_steps(turn: TurnContext[State]) -> Steps[None]:
    """In the plot movement step: place Flotilla 5, or let it wait. PQ-17 C.special.flotilla-5; ruling SPC-17."""
    state = turn.state
    waiting = state.special.flotilla
    if waiting is None:
        return
    last = last_turn_of(waiting.period)
    if state.turn > last:
        state.special.flotilla = None
        return
    if state.turn < waiting.ask_on or (state.impulse != 1 and waiting.ask_on != state.turn):
        return
    answer = yield from turn.ask_steps(_ask(state, waiting, last))
    if answer.line.hex is not None:
        _place(turn, answer.line.hex)
    elif _is_last_chance(state, last):
        _place(turn, KIEL_HEX)
    else:
        waiting.ask_on = _asked_again(state, last, answer)


def _step(state: State) -> int:
    """How many turns ahead the next question is at least: 0, in this turn's next impulse; 1 in the last impulse."""
    return 0 if state.impulse < 3 else 1


def _asked_again(state: State, last: int, answer: FlotillaSheet) -> int:
    """The turn on which it is asked again: the one that was named, or some turns later, but not before it can be."""
    return min(last, max(answer.line.ask_on or state.turn + LATER, state.turn + _step(state)))


def _is_last_chance(state: State, last: int) -> bool:
    return state.turn == last and state.impulse == 3


def _ask(state: State, waiting: Flotilla, last: int) -> Ask[FlotillaSheet]:
    later = min(last, state.turn + LATER)
    hexes = tuple(Choice(value=one, label=one) for one in EDGE)
    fields = (
        Field(key="hex", label="Place it now in", kind="one", choices=hexes, optional=True),
        Field(key="ask_on", label="Else ask on turn", kind="number", least=state.turn, most=last, value=later),
    )
    final = _is_last_chance(state, last)
    return Ask(
        kind="flotilla",
        parties=(COALITION,),
        title="Flotilla 5: where and when?",
        text=(
            f"An F5C, two F5B and an F5DB may be placed on the rimward edge, from 1701 to 1718, until turn {last}; if "
            f"you name no hex until its last plot, they are placed in {KIEL_HEX}."
        ),
        question=Question("Flotilla 5: where and when?", f"It may be placed on the rimward edge until turn {last}."),
        model=FlotillaSheet,
        form=Form(lines=(Line(key="flotilla", label="Flotilla 5", fields=fields),)),
        rule=RULE,
        default=FlotillaSheet({"flotilla": FlotillaLine(ask_on=later)}),
        default_says=f"It is placed in {KIEL_HEX}." if final else f"It waits; you are asked again on turn {later}.",
        pace="decision",
        check=lambda answer: _check(state, last, answer),
        read_back=lambda answer: [_said(state, last, answer)],
        warn=lambda answer: _warnings(state, last, answer),
    )


def _said(state: State, last: int, answer: FlotillaSheet) -> str:
    if answer.line.hex is not None or _is_last_chance(state, last):
        return f"Flotilla 5 is placed in {answer.line.hex or KIEL_HEX}."
    return f"Flotilla 5 waits; asked again on turn {_asked_again(state, last, answer)}."


def _warnings(state: State, last: int, answer: FlotillaSheet) -> list[str]:
    """That nobody is asked again once it is placed."""
    placed = answer.line.hex is not None or _is_last_chance(state, last)
    asks = answer.line.ask_on not in (None, min(last, state.turn + LATER))
    return ["It is placed now, so nothing is asked again: the turn named in flotilla does nothing."] * (placed and asks)


def _check(state: State, last: int, answer: FlotillaSheet) -> list[Refusal]:
    found = [
        malformed("there is one line, flotilla", key, legal="flotilla") for key in answer.root if key != "flotilla"
    ]
    line = answer.line
    if line.hex is not None and line.hex not in EDGE:
        near = nearest(line.hex, EDGE)
        problem = f"{line.hex} is not on its part of the rimward edge"
        found.append(illegal(problem, RULE, "flotilla.hex", legal="1701 to 1718", nearest=near))
    if line.ask_on is not None and not state.turn <= line.ask_on <= last:
        problem = "it must be placed in its own period"
        found.append(illegal(problem, RULE, "flotilla.ask_on", legal=f"{state.turn} to {last}"))
    return found


def _place(turn: TurnContext[State], hex_id: HexId) -> None:
    """Put it on the map at military cruise; it may plot a move in the same impulse, and has entered its hex in it.
    Rulings SPC-17, MIN-17, MOV-3."""
    state = turn.state
    waiting = state.special.flotilla
    period = waiting.period if waiting is not None else 0
    state.special.flotilla = None
    units = make_fleet(state, KLINGON, FLEETS["flotilla 5"], f"special {period} flotilla")
    load_reinforcements(turn, COALITION, units)
    tf = place_units(state, COALITION, units, hex_id, name="Flotilla 5")
    tf.plotted = tf.speed = Speed.CRUISE
    state.set_mark(tf, "entered")
    note_transit(state, tf.id, "", hex_id)
    names = ", ".join(unit.name for unit in units)
    text = f"Flotilla 5 ({names}) stands in {hex_id} as {tf.id}."
    turn.tell([COALITION], text, kind="special", why=because(RULE))
    turn.show_maps(COALITION)
