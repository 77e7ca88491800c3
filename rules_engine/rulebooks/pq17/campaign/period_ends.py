"""A campaign's periods: what happens as one begins, and the Administrative Step as it ends.

PQ-17 SOP.3, 4.2.1, C.schedule, C.vp, rulings SOP-6, FOG-1, SUP-8, SCN-1.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.arrivals import expect_convoy, expect_force, expect_reinforcements
from rules_engine.rulebooks.pq17.campaign.command_points import credit
from rules_engine.rulebooks.pq17.campaign.convoys import register_carriers, score_convoys
from rules_engine.rulebooks.pq17.campaign.emergency_reinforcements import EmergencySheet, emergency_ask, take_emergency
from rules_engine.rulebooks.pq17.campaign.period_report import tell_beginning, tell_period
from rules_engine.rulebooks.pq17.campaign.period_sheet import carry_out_period, period_ask
from rules_engine.rulebooks.pq17.campaign.transfers import bring_back, cheapest_left, forget_assignments, missing
from rules_engine.rulebooks.pq17.ch01_forces.purchase_prices import add_points
from rules_engine.rulebooks.pq17.ch01_forces.purchase_sheet import carry_out_purchase, period_offer, purchase_ask
from rules_engine.rulebooks.pq17.nations.homes import FEDERATION, is_campaign, period_of
from rules_engine.rulebooks.pq17.nations.ship_values import class_line, value_of
from rules_engine.rulebooks.pq17.nations.victory_points import close_period, score, sign_for, to_half
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.progress import PeriodTally
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, State
from rules_engine.rulebooks.pq17.tables.operations import BPV_PER_POINT
from rules_engine.rulebooks.pq17.tables.schedule import DEFAULT_VALUE, HullTransfer
from rules_engine.rulebooks.pq17.tables.ship_classes import Category, ShipClass

PATROL_PENALTY = Fraction(-2)
"""PQ-17 C.vp.15."""

# --- as a period begins -----------------------------------------------------------------------------------------------


@rule("4.2.1", "4.2.2", "C.schedule.note3")
def begin_period_steps(turn: TurnContext[State]) -> Steps[None]:
    """Credit command points, end last period's permits for transfers, and ask each side for the period's sheet.

    PQ-17 4.2.1, 4.2.2, C.schedule.note3, C.oob.*.base-convoy."""
    state = turn.state
    if not is_campaign(state):
        return
    credit(state)
    state.progress.tally = PeriodTally()
    forget_assignments(state)
    register_carriers(state)
    for side in turn.sides:
        tell_beginning(turn, side)
    asks = [period_ask(turn, side) for side in turn.sides]
    sheets = yield from turn.ask_all_steps(asks)
    for side, sheet in zip(turn.sides, sheets, strict=True):
        carry_out_period(turn, side, sheet)


# --- the Administrative Step ------------------------------------------------------------------------------------------


@rule("SOP.3.a", "SOP.3.b", "SOP.3.c", "SOP.3.d")
def administrative_steps(turn: TurnContext[State]) -> Steps[None]:
    """3. Administrative Step. PQ-17 SOP.3.a to SOP.3.d."""
    state = turn.state
    if is_campaign(state):
        score_period(turn)
    # a. confirmation of what was scored in secret. b. the total.
    revealed = close_period(turn)
    if is_campaign(state):
        tell_period(turn, revealed)
        # c. operational logistics: only convoys deliver (ruling SUP-8).
        # d. order of battle.
        if state.turn < state.settings.turns:
            yield from order_of_battle_steps(turn)


@rule("C.vp.7", "C.vp.8", "C.vp.9", "C.vp.10", "C.vp.14", "C.vp.15")
def score_period(turn: TurnContext[State]) -> None:
    """Score what is counted over a whole period. PQ-17 C.vp.7 to C.vp.10, C.vp.14, C.vp.15."""
    score_convoys(turn)
    score_transfers(turn)
    score_patrol(turn)


@rule("C.vp.15", "C.vp.note10")
def score_patrol(turn: TurnContext[State]) -> None:
    """Score, once a period, that Patrol White was missing at the end of some impulse without excuse.

    PQ-17 C.vp.15, C.vp.note10, ruling SCN-5."""
    tally = turn.state.progress.tally
    nations = [nation.key for nation in turn.state.settings.campaign.nation]
    if FEDERATION in nations and tally.patrol_missed and not tally.patrol_excused:
        why = because(
            "PQ-17 C.vp.15",
            {"in the area at the end of some impulse": "fewer than two warships of movement cost 1 or more"},
        )
        score(turn, "C.vp.15", PATROL_PENALTY, why, text="Patrol White was not in place.")


@rule("C.vp.14", "C.vp.note9")
def score_transfers(turn: TurnContext[State]) -> None:
    """Score every hull that did not leave as it had to at the cost of its destruction.

    PQ-17 C.vp.14, C.vp.note9, rulings SCN-14, SCN-16."""
    state = turn.state
    for number, (transfer, category) in enumerate(missing(state, period_of(state.turn)), start=1):
        side = state.settings.campaign.nation_of(transfer.nation).side
        points = transfer_points(state, transfer, category)
        what = f" for {transfer.operation}" if transfer.operation else ""
        nation = state.settings.campaign.nation_of(transfer.nation).name
        text = f"{nation} {category}{what} not transferred."
        why = because("PQ-17 C.vp.14", {"points for its destruction": show_fraction(points)})
        score(turn.at(str(number)), "C.vp.14", -sign_for(side) * points, why, text=text)


@rule("C.vp.note9")
def transfer_points(state: State, transfer: HullTransfer, category: Category) -> Fraction:
    """The points for the destruction of the cheapest ship that could have gone, or a default value if none is left.

    PQ-17 C.vp.note9, rulings SCN-12, SCN-14."""
    unit = cheapest_left(state, transfer, category)
    campaign = state.settings.campaign
    if unit is not None:
        return to_half(class_line(campaign, state.class_of(unit))[1] * value_of(state, unit) / BPV_PER_POINT)
    empire = next(iter(campaign.nation_of(transfer.nation).empires), "")
    size = 2 if category in ("BB", "DN") else 3 if category in ("CA", "CL") else 4
    usual = ShipClass.model_validate(
        {
            "class_id": category,
            "name": category,
            "empire": empire,
            "msc_table": category,
            "source": "invented",
            "move_cost": 1,
            "size_class": size,
            "bpv_economic": DEFAULT_VALUE[category],
        }
    )
    return to_half(class_line(campaign, usual)[1] * usual.bpv_economic / BPV_PER_POINT)


# --- d. order of battle -----------------------------------------------------------------------------------------------


@rule("SOP.3.d", "C.schedule.note1", "C.schedule.note5", "C.schedule.note8")
def order_of_battle_steps(turn: TurnContext[State]) -> Steps[None]:
    """Give points of this period by the schedule, bring back returning ships, ask for purchases and emergency
    reinforcements; all may enter from the next period on. PQ-17 SOP.3.d, C.schedule.note1, C.schedule.note5,
    C.schedule.note8, SOP-6."""
    state = turn.state
    period, opens = period_of(state.turn), state.turn + 1
    give_points(state, period)
    back = {} if ALLIANCE in state.special.early else bring_back(state, period)
    for nation, units in sorted(back.items()):
        expect_reinforcements(state, nation, units, opens, back=True)
        names = ", ".join(unit.name for unit in units)
        side = state.settings.campaign.nation_of(nation).side
        turn.tell([side], f"They come back: {names}.", kind="arrival", why=because("PQ-17 C.schedule.note8"))
    offers = [period_offer(state, side) for side in turn.sides]
    title = f"Reinforcements, end of period {period}"
    text = "Spend what points you have; all comes on next period. What you leave over is kept."
    sheets = yield from turn.at("purchase").ask_all_steps(
        [purchase_ask(turn, offer, title=title, text=text) for offer in offers]
    )
    for offer, sheet in zip(offers, sheets, strict=True):
        wait_for_next_period(state, carry_out_purchase(state, offer, sheet), opens)
    yield from _emergency_steps(turn, opens)


def _emergency_steps(turn: TurnContext[State], opens: int) -> Steps[None]:
    asks = [ask for side in turn.sides if (ask := emergency_ask(turn, side)) is not None]
    sheets: Sequence[EmergencySheet] = yield from turn.at("emergency").ask_all_steps(asks)
    for ask, sheet in zip(asks, sheets, strict=True):
        for nation, units in take_emergency(turn, ask.parties[0], sheet).items():
            expect_reinforcements(turn.state, nation, units, opens)


@rule(
    "C.schedule.1",
    "C.schedule.2",
    "C.schedule.3",
    "C.schedule.4",
    "C.schedule.5",
    "C.schedule.6",
    "C.schedule.7",
    "C.schedule.8",
    "C.schedule.9",
    "C.schedule.10",
    "C.schedule.11",
    "C.schedule.12",
    "C.schedule.13",
    "C.schedule.14",
    "C.schedule.15",
    "C.schedule.16",
    "C.schedule.17",
    "C.schedule.18",
    "C.schedule.19",
    "C.schedule.20",
    "C.schedule.note1",
    "C.schedule.note6",
    "C.oob.federation.kzinti-convoy",
)
def give_points(state: State, period: int) -> None:
    """The schedule's points of a period, and those that forces get every period. PQ-17 C.schedule.1 to C.schedule.20,
    C.schedule.note1, C.schedule.note6, C.oob.federation.kzinti-convoy, rulings SCN-11, SCN-34b."""
    campaign = state.settings.campaign
    for reinforcement in state.settings.schedule.reinforcements_of(period):
        nation = campaign.nation_of(reinforcement.nation)
        if nation.side in state.special.early:
            continue  # these were given as the period began (ruling SPC-15)
        points = {str(category): amount for category, amount in reinforcement.points.items()}
        add_points(state, nation.side, reinforcement.nation, points)
    for force in campaign.force:
        if force.each_period:
            again = {str(category): amount for category, amount in force.points.items()}
            add_points(state, campaign.nation_of(force.nation).side, force.key, again)


@rule("C.schedule.note5")
def wait_for_next_period(state: State, bought: Mapping[str, Sequence[Unit]], opens: int) -> None:
    """Let bought units wait off the map: convoys for their first turn, all others as reinforcements.

    PQ-17 C.schedule.note5, C.oob.*.base-convoy."""
    campaign = state.settings.campaign
    convoys = {convoy.key for convoy in campaign.convoy}
    for key, units in bought.items():
        if key in convoys:
            expect_convoy(state, key, units, opens)
        elif campaign.force_of(key).each_period:
            expect_force(state, campaign.force_of(key), units, opens)
        else:
            expect_reinforcements(state, campaign.force_of(key).nation, units, opens)
