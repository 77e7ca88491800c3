"""What a campaign showed in the course of its play, told by playing its record again."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from rules_engine.core.basics.record import Record
from rules_engine.core.knowledge.tactical_scene import TacticalScene
from rules_engine.core.protocol.rulebook import Rulebook
from rules_engine.core.records.journal import Genesis, JournalEntry, Rewound, effective
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.tracked import AnyTracker
from rules_engine.core.running.transitions import Transition

S = TypeVar("S", bound=Record)

LAST_IMPULSE = 32
"""At which a turn ends."""

Shown = Callable[[Adjudicator[Any], Transition], TacticalScene | None]
"""The scene that was shown to those whom a film is for when play came to where it stands, by this transition; None
where they were shown none."""


def played_again(
    rulebook: Rulebook[S], entries: Sequence[JournalEntry], seed: bytes, tracker: AnyTracker | None = None
) -> Iterator[tuple[Adjudicator[S], Transition]]:
    """The present branch of a journal, entry by entry: the campaign, which stands behind the entry until the next is
    asked for, and what the entry did. A rewind does nothing but to let other dice fall.

    Raises:
        Diverged: when an entry does not come out as recorded.
    """
    genesis = entries[0].body
    if not isinstance(genesis, Genesis):
        raise ValueError("the journal does not begin with a campaign")
    adjudicator = Adjudicator(rulebook, genesis, seed, tracker)
    for entry in effective(entries):
        if isinstance(entry.body, Rewound):
            adjudicator.branch_off(entry.body.branch)
            adjudicator.head = entry
            continue
        yield adjudicator, adjudicator.repeat(entry)


def shown_to_all(adjudicator: Adjudicator[Any], transition: Transition) -> TacticalScene | None:
    """The public board's scene where its picture was due."""
    return adjudicator.public_view().public.tactical if transition.public_map else None


def scenes_of(
    rulebook: Rulebook[S],
    entries: Sequence[JournalEntry],
    seed: bytes,
    shown: Shown = shown_to_all,
    tracker: AnyTracker | None = None,
) -> Iterator[TacticalScene]:
    """The scenes of the present branch in their order, each once, from the first on in which a unit is to be seen:
    those of the campaign's public board, or of whatever else ``shown`` looks at, one battle in it, say.

    Raises:
        Diverged: when an entry does not come out as recorded.
    """
    last: TacticalScene | None = None
    for adjudicator, transition in played_again(rulebook, entries, seed, tracker):
        scene = shown(adjudicator, transition)
        if scene is None or scene == last or (last is None and not scene.units):
            continue
        last = scene
        yield scene


def thinned(scenes: Sequence[TacticalScene], most: int) -> list[TacticalScene]:
    """At most so many of the scenes: of too many only those at which turns begin and end, then only every second of
    these, every third, and so on. The first and the last are always among them."""
    if len(scenes) <= most:
        return list(scenes)
    between = [one for one in scenes[1:-1] if one.impulse in (0, LAST_IMPULSE)]
    step = max(1, -(-len(between) // (most - 2)))
    return [scenes[0], *between[step - 1 :: step], scenes[-1]]
