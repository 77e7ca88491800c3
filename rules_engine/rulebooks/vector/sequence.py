"""One turn of a duel: the set-up before the first, then plots and flight piece by piece. CJD1.0, VM-R36"""

from rules_engine.core.basics.rules import rule
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.vector.accounts.settling import settle_reports_steps
from rules_engine.rulebooks.vector.campaign.deeds import Watcher
from rules_engine.rulebooks.vector.campaign.setting_up import set_up_steps
from rules_engine.rulebooks.vector.campaign.telling import tell_deeds, tell_end, tell_flight
from rules_engine.rulebooks.vector.campaign.turns import end_piece, open_turn, part_from_those_out
from rules_engine.rulebooks.vector.campaign.victory import is_decided
from rules_engine.rulebooks.vector.plotting.asking import plot_ask
from rules_engine.rulebooks.vector.plotting.judging import plots_of
from rules_engine.rulebooks.vector.records.state import VectorTurn
from rules_engine.rulebooks.vector.tracker.flying import end_turn, fly_piece


@rule("CJD1.1", "CJD1.11")
def turn_steps(turn: VectorTurn) -> Steps[None]:
    """A whole turn. CJD1.1, CJD1.11"""
    battle = turn.state.battle
    if not turn.state.revealed:
        yield from set_up_steps(turn.at("set-up"))
    open_turn(turn)
    for end in battle.options.ends:
        yield from piece_steps(turn.at(f"I{end}"), end)
        if is_decided(turn.state):
            return
    tell_end(turn, end_turn(battle))


def piece_steps(turn: VectorTurn, end: int) -> Steps[None]:
    """A piece of a turn: all plot at once and in secret, then it is flown, told and shown. VM-R36, VM-R38"""
    state = turn.state
    captains = [one for one in turn.in_play if state.flying(one)]
    sheets = yield from turn.ask_all_steps([plot_ask(state.battle, one) for one in captains])
    plotted = dict(zip(captains, sheets, strict=True))
    turn.moment_ends()
    settled = yield from settle_reports_steps(turn.at("reports"), state.battle, plotted)
    plots = {key: plot for side, sheet in plotted.items() for key, plot in plots_of(state.battle, side, sheet).items()}
    first, watcher = state.battle.impulse + 1, Watcher(state)
    happened = fly_piece(state.battle, plots, end, turn, after_impulse=watcher)
    end_piece(turn, state.battle)
    tell_flight(turn, state.battle, [*settled, *happened], first, end)
    tell_deeds(turn, watcher.deeds)
    part_from_those_out(turn)
    turn.show_maps()
