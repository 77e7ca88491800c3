"""What a Team follows of others' cloaked stacks that were turned up, and when it loses sight of them. T8.730"""

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import Lost, because
from rules_engine.rulebooks.border_patrol.records.state import BorderTurn


@rule("V8.73", "T8.730")
def tidy_sightings(turn: BorderTurn) -> None:
    """End what was turned up and is so no more: stacks that left under cloak, stand in the open now, or are gone.
    V8.73, T8.730"""
    state = turn.state
    for stack in state.stacks.values():
        if stack.upturned and not all(unit.cloaked for unit in state.members(stack)):
            stack.upturned = False
    for team in state.teams.values():
        for key in sorted(team.tracks.current):
            stack = state.stacks.get(key)
            if stack is not None and stack.upturned:
                continue
            track = team.tracks.drop(key)
            assert track is not None
            text = f"{track} is lost from sight."
            turn.tell([team.id], text, kind="contact", facts=[Lost(track=track)], why=because("V8.73"))
