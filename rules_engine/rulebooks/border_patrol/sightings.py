"""What a Team learns of others' cloaked stacks: those that were turned up, and those that its listening posts note."""

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import Lost, Sighted, because
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import turned_up
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.state import BorderTurn
from rules_engine.rulebooks.border_patrol.stacks import is_seen

POSTS_HEAR = 1
"""How far a listening post hears: its hex and the six around it. BP-R65"""
HEARD = 1
"""The level of what a post hears: whose it is, and where."""


@rule("V8.73", "T8.730")
def tidy_sightings(turn: BorderTurn) -> None:
    """End what was turned up and is so no more: stacks that left under cloak, stand in the open now, or are gone.
    V8.73, T8.730"""
    state = turn.state
    for team in state.teams.values():
        for key in sorted(team.tracks.current):
            stack = state.stacks.get(key)
            if stack is not None and turned_up(state.members(stack)):
                continue
            track = team.tracks.drop(key)
            assert track is not None
            contact = turn.knowledge(team.id).contacts.get(track)
            name = state.teams[state.other(team.id)].name
            what = track if contact is None else f"{track}, cloaked units of the {name} in {contact.latest.hex},"
            text = f"{what} is lost from sight."
            turn.tell([team.id], text, kind="contact", facts=[Lost(track=track)], why=because("V8.73"))


@rule("T8.730")
def tell_posts(turn: BorderTurn, stack: UnitStack) -> None:
    """Tell the other Team of a cloaked stack that came near a listening post of it: whose it is and where, and nothing
    else. Whoever stands open is seen by all in any case. T8.730, BP-R65"""
    state = turn.state
    if any(is_seen(unit) for unit in state.members(stack)):
        return
    team = state.teams[state.other(stack.team)]
    near = [
        post
        for _, post in sorted(state.posts.items())
        if post.team == team.id and state.grid.distance(post.hex, stack.hex) <= POSTS_HEAR
    ]
    if not near:
        return
    track = team.tracks.issue(stack.id)
    heard = Sighted(
        track=track, hex=stack.hex, level=HEARD, level_name="heard", headline="under cloak", owner=stack.team
    )
    text = (
        f"The listening post in {near[0].hex} notes {track}: units of the {state.teams[stack.team].name}, under cloak, "
        f"came to {stack.hex}."
    )
    turn.tell([team.id], text, kind="contact", facts=[heard, Lost(track=track)], why=because("BP-R65"))
    team.tracks.drop(stack.id)
