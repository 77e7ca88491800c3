"""How a campaign ends: at its last turn, at an agreed lead, or when a Team has nothing left that moves."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.protocol.rulebook import Ending
from rules_engine.rulebooks.border_patrol.ch20_pinning.strength import travels_by_itself
from rules_engine.rulebooks.border_patrol.records.state import BorderState


def moves_at_all(state: BorderState, team: Side) -> bool:
    """Whether a Team has a unit that travels by itself."""
    return any(unit.team == team and travels_by_itself(unit) for unit in state.units.values())


def ending(state: BorderState) -> Ending | None:
    """How it ended; None while it goes on. Who has nothing left that moves has lost, whatever it
    scored. BP-N20"""
    alive = [team for team in state.teams if moves_at_all(state, team)]
    scores = {key: team.score for key, team in state.teams.items()}
    best = max(scores.values())
    ahead = tuple(key for key, score in scores.items() if score == best)
    lead = best - min(scores.values())
    if len(alive) < len(scores):
        names = ", ".join(team.name for key, team in state.teams.items() if key not in alive)
        return _ended(state, tuple(alive), f"{names} has nothing left that moves.")
    if state.scoring.lead and lead >= state.scoring.lead:
        return _ended(state, ahead, f"A lead of {counted(lead, 'point')} ends the campaign.")
    if state.turn >= state.turns:
        return _ended(state, ahead if lead else (), "The last turn is over.")
    return None


def _ended(state: BorderState, winners: tuple[Side, ...], text: str) -> Ending:
    scores = {key: counted(team.score, "point") for key, team in state.teams.items()}
    won = f"The {state.teams[winners[0]].name} has won." if len(winners) == 1 else "Neither Team has won."
    return Ending(winners=winners, scores=scores, text=f"{text} {won}", rule="BP-N20")
