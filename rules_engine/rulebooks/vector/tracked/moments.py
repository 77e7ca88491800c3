"""The moment of a tracked battle, as a point in time and in words."""

from rules_engine.core.basics.base import When
from rules_engine.rulebooks.vector.records.plots import IMPULSES
from rules_engine.rulebooks.vector.tracked.state import TrackedState


def now(state: TrackedState) -> When:
    """The moment."""
    battle = state.battle
    return When(turn=max(1, battle.turn), step=1 + battle.impulse if battle.turn else 0, label=say_now(state))


def say_now(state: TrackedState) -> str:
    """The moment in words."""
    battle = state.battle
    if state.begun:
        return "Positions are taken up"
    if not battle.turn:
        return "Turn 1, set-up"
    if battle.impulse == IMPULSES:
        return f"Turn {battle.turn}, end"
    return f"Turn {battle.turn}, " + (f"after impulse {battle.impulse}" if battle.impulse else "before impulse 1")
