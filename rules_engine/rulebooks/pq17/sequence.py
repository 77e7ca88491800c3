"""The sequence of play of one operational turn, step for step as the book lists it. PQ-17 3, SOP.

It does nothing itself: each step calls its chapter. Numbers in comments are the book's own. Steps that a scenario does
not use (a campaign's periods, minefields, command points, special conditions) do nothing and ask nobody.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.together import together_steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.core.standing.answers import Decision
from rules_engine.rulebooks.pq17.campaign.arrivals import enter_with_points, place_arrivals
from rules_engine.rulebooks.pq17.campaign.command_points import charge, end_ways, expend_command_points
from rules_engine.rulebooks.pq17.campaign.convoys import count_deliveries, count_losses
from rules_engine.rulebooks.pq17.campaign.departures import leave_map
from rules_engine.rulebooks.pq17.campaign.opening import opening_steps
from rules_engine.rulebooks.pq17.campaign.period_ends import administrative_steps, begin_period_steps
from rules_engine.rulebooks.pq17.campaign.reaction_force import end_of_impulse, reaction_steps, watch
from rules_engine.rulebooks.pq17.ch01_forces.construction import carry_out_construction, note_disturbances
from rules_engine.rulebooks.pq17.ch05_movement.movement import forget_ways, move
from rules_engine.rulebooks.pq17.ch05_movement.speeds import count_crawls
from rules_engine.rulebooks.pq17.ch06_reconnaissance.following import follow
from rules_engine.rulebooks.pq17.ch06_reconnaissance.shadowing import continue_shadowing_steps
from rules_engine.rulebooks.pq17.ch06_reconnaissance.step import reconnaissance_steps
from rules_engine.rulebooks.pq17.ch08_combat import combat_steps
from rules_engine.rulebooks.pq17.ch10_supply.drones import report_drones
from rules_engine.rulebooks.pq17.ch10_supply.end_of_turn import supply_steps
from rules_engine.rulebooks.pq17.ch10_supply.implicit_supply import deliver_implicit_supply
from rules_engine.rulebooks.pq17.ch10_supply.transfers import note_interruptions
from rules_engine.rulebooks.pq17.ch11_repair.operational import carry_out_repairs
from rules_engine.rulebooks.pq17.ch12_mines import (
    minefield_attack_steps,
    minefield_step,
    old_mines_steps,
    wear_minefields,
)
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections, lower_id_of_movers, start_impulse
from rules_engine.rulebooks.pq17.nations.homes import is_campaign
from rules_engine.rulebooks.pq17.nations.initiative import determine_initiative
from rules_engine.rulebooks.pq17.orders.standing_answers import tell_decisions
from rules_engine.rulebooks.pq17.plotting import (
    announce_plans,
    carry_out_plans,
    contact_steps,
    logistics_steps,
    made_by_orders,
    plan_steps,
    plot_movement_steps,
    sides_to_ask,
    stay_steps,
)
from rules_engine.rulebooks.pq17.records.calendar import begins_period, ends_period, mark_time
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.special_conditions.flotilla_5 import flotilla_steps
from rules_engine.rulebooks.pq17.special_conditions.intelligence import intelligence_steps
from rules_engine.rulebooks.pq17.special_conditions.points import (
    close_specials,
    note_deliveries,
    note_departure,
    reveal_specials,
    score_bases,
)
from rules_engine.rulebooks.pq17.special_conditions.points_for_searches import watch_bastion
from rules_engine.rulebooks.pq17.special_conditions.preparatory_step import preparatory_steps
from rules_engine.rulebooks.pq17.special_conditions.random_events import residual_minefield_steps
from rules_engine.rulebooks.pq17.special_conditions.suicide_freighters import (
    carry_out_conversions,
    conversion_steps,
    dock_conversions,
)
from rules_engine.rulebooks.pq17.tables.operations import IMPULSES

HALVES: tuple[Literal["A", "B"], ...] = ("A", "B")


@rule("3.1", "3.2", "1.2.4")
def turn_steps(turn: TurnContext[State]) -> Steps[None]:
    """One operational turn. PQ-17 3.1, 3.2, 1.2.4, SOP."""
    state = turn.state
    mark_time(turn, turn=state.turn + 1, impulse=0)
    if state.turn == 1 and is_campaign(state):
        yield from opening_steps(turn.at("opening"))
    if begins_period(state.turn):
        yield from preparatory_steps(turn.at("preparatory"))
        yield from begin_period_steps(turn.at("period"))
    yield from planning_steps(turn.at("planning"))
    if begins_period(state.turn):
        yield from intelligence_steps(turn.at("intelligence"))
    for impulse in IMPULSES:
        yield from impulse_steps(turn.at(f"I{impulse}"), impulse)
    state.impulse, state.half = 0, ""
    yield from tactical_logistics_steps(turn.at("logistics"))
    if ends_period(state.turn):
        yield from closing_steps(turn.at("administrative"))


def planning_steps(turn: TurnContext[State]) -> Steps[None]:
    """2.a. Planning Step. PQ-17 SOP.2.a."""
    state = turn.state
    yield from reaction_steps(turn.at("reaction"))
    # i. form task forces, ii. postures, iii. speeds: on one secret sheet a side, with the bid for initiative.
    asked = sides_to_ask(turn)
    sheets, judged = yield from plan_steps(turn, asked)
    planned = carry_out_plans(turn, sheets, judged)
    # iv. logistics plans, made once it is known what is in Logistics posture. That a side makes one is secret.
    yield from turn.window_steps(stores_steps(turn), "decision")
    # v. announce reorganisations.
    announce_plans(turn, planned)
    # vi. continuation of shadowing.
    yield from continue_shadowing_steps(turn)
    # vii. initiative.
    determine_initiative(turn, planned.bids)
    count_crawls(state)
    forget_ways(state)


@rule("C.suicide-freighter")
def stores_steps(turn: TurnContext[State]) -> Steps[None]:
    """2.a.iv. Logistics plans, together with the conversion of freighters. PQ-17 SOP.2.a.iv, C.suicide-freighter."""
    yield from together_steps(
        {"logistics": logistics_steps(turn.at("logistics")), "conversions": conversion_steps(turn.at("conversions"))}
    )
    dock_conversions(turn.state)


@rule("5.3.1", "5.6")
def impulse_steps(turn: TurnContext[State], impulse: int) -> Steps[None]:
    """2.b. Conduct Operations Step: one impulse. PQ-17 SOP.2.b, 5.3.1, 5.6."""
    state = turn.state
    mark_time(turn, impulse=impulse)
    start_impulse(turn)
    place_arrivals(turn)
    yield from flotilla_steps(turn.at("flotilla"))
    # i. plot movement and, with 2., minelaying.
    by_orders = yield from plot_movement_steps(turn.at("plot"))
    # i.8. command points.
    expend_command_points(turn.at("command"))
    # ii-vi. the player with the initiative, then vii-viii. the other.
    for half in HALVES:
        mark_time(turn, impulse=impulse, half=half)
        phasing = state.initiative if half == "A" else state.non_initiative
        yield from half_steps(turn.at(half), phasing, by_orders)
    # ix. minefield step: minelaying, then minesweeping.
    minefield_step(turn)
    note_interruptions(state)
    note_disturbances(state)
    end_of_impulse(state)


@rule("5.6.1", "5.6.2", "5.6.3", "5.6.4", "SOP.2.b.viii")
def half_steps(
    turn: TurnContext[State], phasing: Side, by_orders: Mapping[str, Decision] = MappingProxyType({})
) -> Steps[None]:
    """ii-vi for the player with the initiative, vii-viii for the other. PQ-17 5.6.1 to 5.6.4, rulings GEN-3, X-03."""
    state = turn.state
    # ii/vii. move, and reduce the identification of what moved. Only the second side has the option to stay.
    staying: list[str] = []
    if state.half == "B":
        staying = yield from stay_steps(turn.at("stay"), phasing)
    behind = follow(turn.at("shadowers"), phasing, staying)
    made = made_by_orders(state, phasing, staying, by_orders)
    moved = move(state, phasing, staying, behind)
    tell_decisions(turn, phasing, "PQ-17 5.3.2", made)
    lower_id_of_movers(turn, moved)
    enter_with_points(turn.at("entry"), phasing)
    end_ways(state)
    # iii. detections.
    announce_detections(turn)
    yield from contact_steps(turn.at("contact"))
    # iv. operational minefield attacks, also on forces that leave the map with this step.
    yield from minefield_attack_steps(turn.at("mines"), phasing)
    yield from residual_minefield_steps(turn.at("mines"), old_mines_steps)
    for departure in leave_map(turn, phasing):
        note_departure(turn, departure)
    # v. reconnaissance.
    yield from reconnaissance_steps(turn.at("recon"), phasing)
    # vi. combat.
    yield from combat_steps(turn.at("combat"), phasing)
    # command points are due for whoever was driven out of port, or came out in pursuit.
    charge(turn.at("out of port"))
    count_losses(state)
    watch(turn)
    watch_bastion(turn)


def tactical_logistics_steps(turn: TurnContext[State]) -> Steps[None]:
    """2.c. Tactical Logistics Step. PQ-17 SOP.2.c."""
    state = turn.state
    # i. repairs by bases, repair ships, docks and tugs.
    for side in turn.sides:
        carry_out_repairs(turn.at("repairs"), side)
    # ii. fuel, repair points, supply and consumables.
    yield from supply_steps(turn.at("supply"))
    count_deliveries(turn)
    note_deliveries(state)
    carry_out_conversions(turn.at("conversions"))
    deliver_implicit_supply(turn)
    for side in turn.sides:  # bases are built in this step too (1.8.12.7)
        carry_out_construction(turn.at("building"), side)
    score_bases(turn)  # of those that have become active just now
    # iii. wear of minefields.
    wear_minefields(turn)


@rule("SOP.3.a", "SOP.3.b", "SOP.3.c", "SOP.3.d")
def closing_steps(turn: TurnContext[State]) -> Steps[None]:
    """3. Administrative Step, after an operational period. PQ-17 SOP.3.a to SOP.3.d."""
    close_specials(turn)
    # a. confirmation, b. victory points, c. operational logistics, d. order of battle.
    yield from administrative_steps(turn)
    reveal_specials(turn.state)
    # drones are counted once reinforcements and transfers are done.
    report_drones(turn)
