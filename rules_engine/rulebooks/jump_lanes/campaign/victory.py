"""How a campaign ends: at its last turn, at an agreed total, or when one empire alone is left. JL-N42"""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.protocol.rulebook import Ending
from rules_engine.rulebooks.jump_lanes.records.state import LanesState

FEWEST = 2
"""With fewer there is nobody to play against."""


def out_of_play(state: LanesState) -> frozenset[Side]:
    """The empires that have nothing left, as everybody was told. JL-N42"""
    return frozenset(key for key, one in state.empires.items() if one.out)


def ending(state: LanesState) -> Ending | None:
    """How it ended, at a turn's end; None while it goes on. JL-N42"""
    if not state.turn:
        return None
    alive = [key for key, one in state.empires.items() if not one.out]
    if len(alive) < FEWEST:
        return _ended(state, tuple(alive), "All others are out of play." if alive else "Everybody is out of play.")
    best = max(state.empires[key].score for key in alive)
    ahead = tuple(key for key in alive if state.empires[key].score == best)
    if state.scoring.total and best >= state.scoring.total:
        return _ended(state, ahead, f"{best} points end the campaign, of {state.scoring.total} that were agreed on.")
    if state.turn >= state.turns:
        return _ended(state, ahead if len(ahead) < len(alive) else (), "The last turn is over.")
    return None


def _ended(state: LanesState, winners: tuple[Side, ...], text: str) -> Ending:
    scores = {key: counted(one.score, "point") for key, one in state.empires.items()}
    names = " and ".join(state.empires[key].name for key in winners)
    won = f"{names} {'has' if len(winners) == 1 else 'have'} won." if winners else "Nobody has won."
    return Ending(winners=winners, scores=scores, text=f"{text} {won}", rule="JL-N42")
