"""A turn of a tracked battle: its beginning, its pieces, its end. CJD1.0, VM-R36"""

from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.vector.accounts.settling import settle_reports_steps
from rules_engine.rulebooks.vector.campaign.telling import tell_end, tell_flight
from rules_engine.rulebooks.vector.campaign.turns import TURN_STARTS, end_piece
from rules_engine.rulebooks.vector.plotting.asking import plot_ask
from rules_engine.rulebooks.vector.plotting.judging import plots_of
from rules_engine.rulebooks.vector.records.plots import IMPULSES
from rules_engine.rulebooks.vector.tracked.counting import count_leavers, count_turn, turn_reported
from rules_engine.rulebooks.vector.tracked.state import TrackedTurn
from rules_engine.rulebooks.vector.tracker.flying import begin_turn, end_turn, fly_piece


def open_turn(turn: TrackedTurn) -> None:
    """Begin the next turn."""
    battle = turn.state.battle
    turn.moment_ends()
    begin_turn(battle)
    turn.set_time(battle.turn, TURN_STARTS, f"Turn {battle.turn}, before impulse 1")
    turn.tell_all(f"Turn {battle.turn} begins.", kind="turn")


def piece_steps(turn: TrackedTurn) -> Steps[None]:
    """A piece of a turn: all with units there plot at once and in secret, reports are settled, then it is flown, told
    and shown; with the last of a turn, its end. VM-R36, VM-R38"""
    state, battle = turn.state, turn.state.battle
    captains = [one for one in turn.in_play if state.present_of(one)]
    sheets = yield from turn.ask_all_steps([plot_ask(battle, one, pace="tactical") for one in captains])
    plotted = dict(zip(captains, sheets, strict=True))
    turn.moment_ends()
    settled = yield from settle_reports_steps(turn.at("reports"), battle, plotted, pace="tactical")
    count_leavers(state, turn_reported(state))
    plots = {key: plot for side, sheet in plotted.items() for key, plot in plots_of(battle, side, sheet).items()}
    first, end = battle.impulse + 1, battle.piece_end
    happened = fly_piece(battle, plots, end, turn)
    end_piece(turn, battle)
    tell_flight(turn, battle, [*settled, *happened], first, end)
    count_leavers(state, battle.turn)
    if battle.impulse == IMPULSES:
        tell_end(turn, end_turn(battle))
        count_turn(state)
    turn.show_maps()
