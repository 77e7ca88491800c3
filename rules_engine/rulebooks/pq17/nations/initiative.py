"""Chapter 4.1: who has the initiative, and what was bid for it."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.nations.conditions_in_force import initiative_modifier
from rules_engine.rulebooks.pq17.nations.victory_points import score, sign_for, total_for
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, State

MOST_BID = 99
"""The most that a side may bid; own ruling PQ-69. PQ-17 4.1.2 itself sets no limit."""


@rule("4.1.2")
def bid_refusals(bid: int, path: str) -> Iterator[Refusal]:
    """A bid that nobody can mean. PQ-17 4.1.2, ruling INI-2, own ruling PQ-69."""
    if bid > MOST_BID:
        problem = f"a bid of {bid} victory points is taken for a slip"
        yield illegal(problem, "PQ-17 4.1.2, PQ-69", path, legal=f"0 to {MOST_BID}")


@rule("4.1.2", "4.1.3")
def say_bid(bid: int) -> str:
    """A bid and its price. PQ-17 4.1.2, 4.1.3, ruling INI-2."""
    return f"Bid for the initiative: {counted(bid, 'victory point')}, added to your die and paid whoever wins."


def bid_warnings(state: State, side: Side, bid: int) -> Iterator[str]:
    """The consequence of a bid of more victory points than the side has, as far as it may know them."""
    own = sign_for(side) * total_for(state, side)
    if bid > max(own, 0):
        had, left = show_fraction(own), show_fraction(own - bid)
        yield f"You bid more than you have: your side's victory points are {had}, and would be {left} after the bid."


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
