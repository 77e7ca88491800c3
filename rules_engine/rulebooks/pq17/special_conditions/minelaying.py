"""Minelaying, the special condition: points for mines at Alliance bases. PQ-17 C.special.minelaying, SPC-18."""

from collections.abc import Iterable
from fractions import Fraction

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.nations.conditions_in_force import applies_now
from rules_engine.rulebooks.pq17.nations.victory_points import score, sign_for
from rules_engine.rulebooks.pq17.records.minefields import Minefield
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, COALITION, State

MOST_POINTS = 5
"""Strength points that count in one period."""


@rule("C.special.minelaying")
def score_minelaying(turn: TurnContext[State], grown: Iterable[Minefield]) -> None:
    """One point for each strength point laid in an Alliance base's hex, five a period at most, in secret until the
    Administrative Step. PQ-17 C.special.minelaying; rulings SPC-18, FOG-1."""
    state = turn.state
    if not applies_now(state, COALITION, "minelaying"):
        return
    for field in grown:
        at_base = field.side == COALITION and state.bases_in(field.hex, ALLIANCE)
        if not at_base or state.special.mines_scored >= MOST_POINTS:
            continue
        state.special.mines_scored += 1
        why = because("PQ-17 C.special.minelaying", {"scored in this period": state.special.mines_scored})
        text = f"Minelaying: a strength point laid in {field.hex}."
        score(turn, "C.special", sign_for(COALITION) * Fraction(1), why, text=text, seen_by=[COALITION])
