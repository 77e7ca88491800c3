"""Campaign time: turns, days and impulses, and how they are written."""

from typing import Literal

from rules_engine.core.basics.base import When
from rules_engine.core.basics.rules import rule
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import TURNS_A_PERIOD


@rule("1.2.3")
def day_label(turn: int) -> str:
    """``day 2 AM``. PQ-17 1.2.3, ruling SOP-7."""
    return f"day {(turn + 1) // 2} {'AM' if turn % 2 else 'PM'}"


@rule("1.2.3")
def turn_label(turn: int) -> str:
    """``Turn 3 (day 2 AM)``. PQ-17 1.2.3, ruling SOP-7."""
    return f"Turn {turn} ({day_label(turn)})"


@rule("1.2.2")
def ends_period(turn: int) -> bool:
    """Whether an operational period ends with this turn. PQ-17 1.2.2."""
    return turn % TURNS_A_PERIOD == 0


@rule("1.2.2")
def begins_period(turn: int) -> bool:
    """Whether an operational period begins with this turn. PQ-17 1.2.2, SOP.1."""
    return turn % TURNS_A_PERIOD == 1


@rule("1.2.4", "1.2.6")
def heading(state: State) -> str:
    """``Turn 3 (day 2 AM), impulse 2``. PQ-17 1.2.4, 1.2.6."""
    if state.turn == 0:
        return "Before the first turn"
    impulse = f", impulse {state.impulse}" if state.impulse else ", planning"
    return turn_label(state.turn) + impulse


def moment(state: State) -> When:
    """The present point in time: planning is step 0, the halves of the impulses are steps 1 to 6."""
    step = 2 * state.impulse - (1 if state.half != "B" else 0) if state.impulse else 0
    return When(turn=max(1, state.turn), step=step, label=heading(state))


def mark_time(
    context: TurnContext[State], *, impulse: int, turn: int | None = None, half: Literal["", "A", "B"] = ""
) -> None:
    """Let play come to an impulse (0: planning) and a half of it, of this turn or another."""
    context.moment_ends()
    state = context.state
    state.turn = state.turn if turn is None else turn
    state.impulse, state.half = impulse, half
    now = moment(state)
    context.set_time(now.turn, now.step, now.label)
