"""What begins and ends a turn."""

from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.jump_lanes.campaign.colonies import found_colonies
from rules_engine.rulebooks.jump_lanes.campaign.reinforcements import bring_reinforcements
from rules_engine.rulebooks.jump_lanes.campaign.scoring import score_turn
from rules_engine.rulebooks.jump_lanes.campaign.supply import restore_supply
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn

LAST_STEP = 90
"""The step of campaign time at which a turn ends."""


def open_turn(turn: LanesTurn) -> None:
    """Count the turn up, let reinforcements come, and show everybody the map."""
    state = turn.state
    turn.moment_ends()
    state.turn += 1
    turn.set_time(state.turn, 0, f"Turn {state.turn}")
    turn.tell_all(f"Turn {state.turn} of {state.turns} begins.", kind="turn")
    bring_reinforcements(turn)
    turn.show_maps()


def close_turn(turn: LanesTurn) -> None:
    """End a turn: supply, new colonies, score, and who is out of play."""
    turn.moment_ends()
    turn.set_time(turn.state.turn, LAST_STEP, f"Turn {turn.state.turn}, end")
    restore_supply(turn)
    found_colonies(turn)
    score_turn(turn)
    _part_from_those_out(turn)


def has_anything(state: LanesState, empire: Side) -> bool:
    """Whether an empire has a colony or a squadron. JL-N42"""
    colonies = any(one.owner == empire for one in state.colonies.values())
    return colonies or any(one.empire == empire for one in state.squadrons.values())


def _part_from_those_out(turn: LanesTurn) -> None:
    for key, empire in turn.state.empires.items():
        if not empire.out and not has_anything(turn.state, key):
            empire.out = True
            text = f"{turn.name_of(key)} has neither colonies nor squadrons left and is out of play."
            turn.tell_all(text, kind="out of play", why=because("JL-N42"))
