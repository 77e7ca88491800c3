"""What is numbered on a map: battles, and what counters tell by themselves, from what the reader sees alone."""

from collections.abc import Iterator, Sequence

from rules_engine.core.basics.base import Side, SideLabel, When
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.glance import News
from rules_engine.core.knowledge.noticed import Looked, noticed
from rules_engine.core.knowledge.numbered import Happening, Rank, listed, numbered_places
from rules_engine.core.knowledge.views import Counter, HexNote, Knowledge
from rules_engine.rulebooks.border_patrol.records.state import BorderState

ARRIVED = 1_000
"""How heavy it is that somebody came."""
OPEN = 4_000
"""How heavy an open battle is."""


def map_news(
    state: BorderState,
    side: Side | None,
    *,
    counters: Sequence[Counter],
    notes: Sequence[HexNote],
    knowledge: Knowledge | None,
    owners: Sequence[SideLabel],
) -> tuple[News, ...]:
    """The numbered places of a Team's map; None for a map of nobody in particular."""
    looked = Looked(
        reader=side or "",
        places=state.grid,
        counters=counters,
        notes=notes,
        since=When(turn=state.turn if state.phase is not None else state.turn - 1, step=1),
        owners={label.key: label.name for label in owners},
        knowledge=knowledge or Knowledge(),
        says_levels=False,
    )
    names = {note.hex: note.name for note in notes if note.name}
    found = [*noticed(looked), *_battles(state, side), *_arrivals(state, side, looked)]
    return numbered_places(found, state.grid, names)


def _arrivals(state: BorderState, side: Side | None, looked: Looked) -> Iterator[Happening]:
    """Others who came to where they stand in the turn that is over, or in this one; on their own ground that is no
    news."""
    grounds = {note.hex: note.territory for note in looked.notes}
    own = {piece.hex for piece in looked.counters if piece.owner == side}
    for piece in looked.counters:
        if side is None or piece.owner == side or piece.id not in state.came or piece.hex in own:
            continue  # of others in an own hex it is told that they are there
        if grounds.get(piece.hex) == piece.owner:
            continue
        came = state.came[piece.id]
        said = [f"{looked.owners[piece.owner]} came from {came}", f"others from {came}"]
        yield Happening(Rank.ELSE, piece.hex, said, weight=ARRIVED, aside=f"from {came}")


def _battles(state: BorderState, side: Side | None) -> Iterator[Happening]:
    """The battles that are being fought."""
    for hex_id in sorted(state.battles):
        own = [stack.id for stack in state.stacks_of(side or "") if stack.hex == hex_id]
        said = [f"{listed(own)} in battle", f"{counted(len(own), 'stack')} in battle"] if own else []
        choice = [] if side is None else ["Fight it out, then enter the result"]
        yield Happening(Rank.BATTLE, hex_id, [*said, "battle"], weight=OPEN, aside="thread is open", choice=choice)
