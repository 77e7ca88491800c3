"""Chapter 4.1: who has the initiative, and what was bid for it."""

from collections.abc import Mapping
from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.nations.conditions_in_force import initiative_modifier
from rules_engine.rulebooks.pq17.nations.victory_points import score, sign_for
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, State


@rule("4.1.1", "4.1.2", "4.1.3", "4.1.5", "SOP.2.a.vii")
def determine_initiative(turn: TurnContext[State], bids: Mapping[Side, int]) -> Side:
    """Roll a die each, add the bids, and give the higher total the initiative until the next roll; the Alliance wins
    ties. Both pay what they bid; special conditions add to the rolls, openly (own ruling PQ-64).

    PQ-17 4.1.1, 4.1.2, 4.1.3, 4.1.5, SOP.2.a.vii, rulings INI-1, INI-2, INI-4."""
    state = turn.state
    rolls = {side: turn.roll(f"{turn.name_of(side)} initiative", faces=6, key=side) for side in turn.sides}
    stars = {side: initiative_modifier(state, side) for side in turn.sides}
    totals = {side: rolls[side].total + bids.get(side, 0) + stars[side] for side in turn.sides}
    winner = max(turn.sides, key=lambda side: (totals[side], side == ALLIANCE))
    state.initiative = winner
    star = {side: " + 1 (a condition)" if stars[side] else "" for side in turn.sides}
    inputs = {f"{turn.name_of(side)} bid": bids.get(side, 0) for side in turn.sides}
    counted = ", ".join(
        f"{turn.name_of(side)} {rolls[side].total} + {bids.get(side, 0)}{star[side]} = {totals[side]}"
        for side in turn.sides
    )
    tie = " The Alliance wins ties." if len(set(totals.values())) == 1 else ""
    why = because("PQ-17 4.1", inputs, rolls.values())
    turn.tell_all(f"{turn.name_of(winner)} has the initiative: {counted}.{tie}", kind="initiative", why=why)
    for side in turn.sides:
        bid = bids.get(side, 0)
        if bid:
            cost = Fraction(-sign_for(side) * bid)
            text = f"{turn.name_of(side)} bid {bid} for the initiative."
            score(turn, "4.1.2", cost, because("PQ-17 4.1.2", {"bid": bid}), text=text)
    return winner
