"""What begins and ends a turn and a piece of it."""

from typing import Any

from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.vector.campaign.victory import has_ships
from rules_engine.rulebooks.vector.records.plots import IMPULSES
from rules_engine.rulebooks.vector.records.state import VectorTurn
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.tracker.flying import begin_turn
from rules_engine.rulebooks.vector.tracker.towing import loosen

TURN_STARTS = 1
"""The step of campaign time at which a turn begins; each impulse is one more, and the set-up comes before."""


def open_turn(turn: VectorTurn) -> None:
    """Begin a turn: who arrives is there, and everybody sees it."""
    state = turn.state
    turn.moment_ends()
    before = {one.id for one in state.battle.present()}
    begin_turn(state.battle)
    turn.set_time(state.battle.turn, TURN_STARTS, f"Turn {state.battle.turn}, before impulse 1")
    turn.tell_all(f"Turn {state.battle.turn} of {state.turns} begins.", kind="turn")
    for ship in state.battle.present():
        if ship.id not in before and state.battle.turn > 1:
            text = f"{ship.id} {ship.name} of {turn.name_of(ship.side)} arrives in {ship.at}."
            turn.tell_all(text, kind="arrival", why=because("VM-N27"))
    turn.show_maps()


def end_piece(turn: TurnContext[Any], battle: Tactical) -> None:
    """Let go in tractors of who is out of play, and move time to the impulse that was flown last."""
    loosen(battle)
    label = (
        f"Turn {battle.turn}, end" if battle.impulse == IMPULSES else f"Turn {battle.turn}, impulse {battle.impulse}"
    )
    turn.set_time(battle.turn, TURN_STARTS + battle.impulse, label)


def part_from_those_out(turn: VectorTurn) -> None:
    """Captains with no ship in play or to come are out of play, and everybody is told. VM-N25"""
    for key, captain in turn.state.captains.items():
        if not captain.out and not has_ships(turn.state, key):
            captain.out = True
            text = f"{turn.name_of(key)} has no ships left in play."
            turn.tell_all(text, kind="out of play", why=because("VM-N25"))
