"""The condition Reinforcements: a period's reinforcements are bought, and may enter, as it begins.

PQ-17 C.special.reinforcements; ruling SPC-15. They are not given again at the period's end.
"""

from collections.abc import Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.arrivals import expect_reinforcements
from rules_engine.rulebooks.pq17.campaign.period_ends import wait_for_next_period
from rules_engine.rulebooks.pq17.campaign.transfers import bring_back
from rules_engine.rulebooks.pq17.ch01_forces.purchase_prices import add_points
from rules_engine.rulebooks.pq17.ch01_forces.purchase_sheet import carry_out_purchase, period_offer, purchase_ask
from rules_engine.rulebooks.pq17.nations.conditions_in_force import held, period_of
from rules_engine.rulebooks.pq17.nations.homes import is_campaign
from rules_engine.rulebooks.pq17.records.special_conditions import RolledCondition
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, COALITION, State

RULES: dict[Side, str] = {
    ALLIANCE: "PQ-17 C.special.reinforcements.alliance",
    COALITION: "PQ-17 C.special.reinforcements.coalition",
}


@rule("C.special.reinforcements.alliance", "C.special.reinforcements.coalition")
def comes_early(state: State, rolled: RolledCondition) -> bool:
    """Whether a result brings the period's reinforcements: except the Coalition's first, which brings one ship instead.

    PQ-17 C.special.reinforcements.alliance, C.special.reinforcements.coalition.
    """
    if rolled.name != "reinforcements":
        return False
    return rolled.side == ALLIANCE or len(held(state, COALITION, "reinforcements")) > 1


def early_reinforcement_steps(turn: TurnContext[State], rolled: Sequence[RolledCondition]) -> Steps[None]:
    """Give this period's points now, and buy with them; returning ships come back now too. Ruling SPC-15."""
    state = turn.state
    early = [one.side for one in rolled if comes_early(state, one)] if is_campaign(state) else []
    state.special.early = early
    campaign, period = state.settings.campaign, period_of(state.turn)
    for reinforcement in state.settings.schedule.reinforcements_of(period):
        side = campaign.nation_of(reinforcement.nation).side
        if side in early:
            points = {str(category): amount for category, amount in reinforcement.points.items()}
            add_points(state, side, reinforcement.nation, points)
    if ALLIANCE in early:
        for nation, units in sorted(bring_back(state, period).items()):
            expect_reinforcements(state, nation, units, state.turn, back=True)
            names = ", ".join(unit.name for unit in units)
            turn.tell([ALLIANCE], f"They come back: {names}.", kind="arrival", why=because(RULES[ALLIANCE]))
    title = f"Reinforcements, beginning of period {period}"
    text = "Your special condition lets you spend this period's points now; what you buy comes on at once."
    offers = [period_offer(state, side, convoys=False) for side in early]
    sheets = yield from turn.at("reinforcements").ask_all_steps(
        [purchase_ask(turn, offer, title=title, text=text) for offer in offers]
    )
    for offer, sheet in zip(offers, sheets, strict=True):
        wait_for_next_period(state, carry_out_purchase(state, offer, sheet), state.turn)
