"""One strategic turn, in the order of play of the rulings (2.1). V8.16"""

from rules_engine.core.basics.dice import Roll
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.border_patrol.battles.fighting import battles_steps
from rules_engine.rulebooks.border_patrol.campaign.boundaries import (
    close_turn,
    finish_overhauls,
    open_phase,
    open_turn,
)
from rules_engine.rulebooks.border_patrol.campaign.scoring import score_turn
from rules_engine.rulebooks.border_patrol.campaign.supply import determine_supply
from rules_engine.rulebooks.border_patrol.ch60_reaction.waiting import hold_points
from rules_engine.rulebooks.border_patrol.phases.alternation import movement_steps, roll_initiative
from rules_engine.rulebooks.border_patrol.phases.each_phase import phase_sheets_steps
from rules_engine.rulebooks.border_patrol.phases.encounters import encounters_steps
from rules_engine.rulebooks.border_patrol.phases.moving import begin_phase_of_all
from rules_engine.rulebooks.border_patrol.phases.moving_on import moving_on_steps
from rules_engine.rulebooks.border_patrol.phases.outsiders import drive_off, hide_from_hunters, outsiders_steps
from rules_engine.rulebooks.border_patrol.plotting.asking import plot_ask
from rules_engine.rulebooks.border_patrol.plotting.carrying_out import begin_reactions, carry_out_plots
from rules_engine.rulebooks.border_patrol.records.state import BorderTurn
from rules_engine.rulebooks.border_patrol.tables.movement import PHASES


@rule("V8.16")
def turn_steps(turn: BorderTurn) -> Steps[None]:
    """A whole strategic turn. V8.16"""
    state = turn.state
    open_turn(turn)
    # 1. Supply, fixed for the turn.
    determine_supply(state)
    # 2, 3A. Overhauls, cloaks, tows, Emergency Movement, ways and words: one secret sheet.
    teams = turn.in_play
    sheets = yield from turn.ask_all_steps([plot_ask(state, team) for team in teams])
    state.came = {}
    for team, sheet in zip(teams, sheets, strict=True):
        carry_out_plots(turn.at("orders", team), team, sheet)
    hide_from_hunters(state)
    # 3B1. Who lies in wait, judged for all at once by what all of that made of the map.
    begin_reactions(turn)
    # 4. Eight movement phases.
    for phase in PHASES:
        yield from phase_steps(turn.at(f"P{phase}"), phase)
    # 5. End of the turn.
    finish_overhauls(turn)
    close_turn(turn)
    score_turn(turn)


def phase_steps(turn: BorderTurn, phase: int) -> Steps[None]:
    """One movement phase."""
    state = turn.state
    open_phase(turn, phase)
    # 4A1 Initiative; the allowances with which all come to this phase.
    begin_phase_of_all(state)
    order, rolls = roll_initiative(turn)
    # Where the scenario has its captains asked in each phase, after the first one, which their sheet is for.
    if "ask_every_phase" in state.options and phase > PHASES[0]:
        yield from turn.window_steps(phase_sheets_steps(turn.at("sheet")), "decision")
    # Who caught whom it reacted to may go on.
    yield from moving_on_steps(turn)
    # 4A2, 4A3 Departures and moves of one hex each, with reactions after each; then those whom nobody commands.
    yield from movement_steps(turn, order)
    yield from outsiders_steps(turn)
    yield from movement_steps(turn, order)  # the last hexes of who reacts to these
    yield from encounters_steps(turn)
    tell_moves(turn, rolls)
    # 4A4 Battle hexes.
    yield from battles_steps(turn.at("battles"))
    drive_off(turn)
    for unit in state.units.values():
        hold_points(unit, phase)


def tell_moves(turn: BorderTurn, rolls: list[Roll]) -> None:
    """Tell everybody what moved in the open, not how many they are, nor whether some stayed; and each Team which of its
    own stacks moved, in the open and under cloak. BP-R57"""
    moves = list(dict.fromkeys(turn.state.now.seen))
    if moves:
        turn.tell_all(f"{'; '.join(moves)}.", kind="movement", why=because("V8.15, BP-R57", dice=rolls))
    for team, own in sorted(turn.state.now.own.items()):
        turn.tell([team], f"Own stacks: {'; '.join(own)}.", kind="movement", why=because("V8.15"))
    for team, hidden in sorted(turn.state.now.hidden.items()):
        turn.tell([team], f"Under cloak: {'; '.join(hidden)}.", kind="movement", why=because("V8.56"))
