"""What a campaign showed in the course of its play, told by playing its record again."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.basics.record import Record
from rules_engine.core.knowledge.tactical_scene import TacticalScene
from rules_engine.core.protocol.rulebook import Rulebook
from rules_engine.core.records.journal import Closed, Genesis, JournalEntry, Rewound, Tracking, effective
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import begun
from rules_engine.core.running.tracked import AnyTracker, TrackedDeed, strand_of
from rules_engine.core.running.transitions import Snapshot, Transition

S = TypeVar("S", bound=Record)

LAST_IMPULSE = 32
"""At which a turn ends."""

Shown = Callable[[Adjudicator[Any], Transition], TacticalScene | None]
"""The scene that was shown to those whom a film is for when play came to where it stands, by this transition; None
where they were shown none."""


def played_again(
    rulebook: Rulebook[S],
    entries: Sequence[JournalEntry],
    seed: bytes,
    tracker: AnyTracker | None = None,
    *,
    snapshot: Snapshot | None = None,
    passing: Mapping[str, int] | None = None,
) -> Iterator[tuple[Adjudicator[S], Transition]]:
    """The present branch of a journal, entry by entry: the campaign, which stands behind the entry until the next is
    asked for, and what the entry did. A rewind does nothing but to let other dice fall. With a ``snapshot`` of that
    branch, only the entries after it. Of the tracked battles beside the asks in ``passing`` nothing is played until
    those entries.

    Raises:
        Diverged: when an entry does not come out as recorded.
    """
    genesis = entries[0].body
    if not isinstance(genesis, Genesis):
        raise ValueError("the journal does not begin with a campaign")
    adjudicator = Adjudicator(rulebook, genesis, seed, tracker)
    adjudicator.start_tracking_from((), passing or {})
    for entry in begun(adjudicator, effective(entries), snapshot):
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
    those of the campaign's public board, or of whatever else ``shown`` looks at.

    Raises:
        Diverged: when an entry does not come out as recorded.
    """
    return _each_once(shown(*step) for step in played_again(rulebook, entries, seed, tracker))


def _each_once(shown: Iterable[TacticalScene | None]) -> Iterator[TacticalScene]:
    last: TacticalScene | None = None
    for scene in shown:
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


# --- one battle that was tracked --------------------------------------------------------------------------------------


class FlownBattle(NamedTuple):
    """What all ``parties`` of a battle that was tracked were shown of it, as it stands at the end: nothing of what was
    taken back, or of a set-up before the last one. ``key`` is that of its set-up, ``turns`` how many were flown whole.
    """

    parties: tuple[Side, ...]
    key: str
    scenes: tuple[TacticalScene, ...]
    turns: int


def flown_battle(
    rulebook: Rulebook[S],
    entries: Sequence[JournalEntry],
    seed: bytes,
    ask_id: str,
    *,
    tracker: AnyTracker | None,
    snapshot: Snapshot | None = None,
) -> FlownBattle | None:
    """The battle of an ask, as the present branch of a journal tells it, from a ``snapshot`` before it on; None where
    it was never tracked.

    Raises:
        Diverged: when an entry does not come out as recorded.
    """
    course: _Course | None = None
    for adjudicator, transition in played_again(rulebook, entries, seed, tracker, snapshot=snapshot):
        for deed in [one for one in transition.deeds if one.ask == ask_id and one.did in _SHOWING]:
            if course is None:
                course = _Course.of(adjudicator, ask_id)
            course.take(adjudicator, transition, deed)
    return None if course is None else course.flown()


_BEGINNINGS = ("begun", "begun late")
_SHOWING = (*_BEGINNINGS, "undone", "flown")
"""After which deeds a battle is looked at."""


class _Moment(NamedTuple):
    """A battle at ``state``, where it rested there, and after how many turns; with the scene, if it was shown."""

    state: dict[str, Json] | None
    scene: TacticalScene | None
    turns: int


@dataclass
class _Course:
    """A battle so far, in parts: one from each time that it was taken up."""

    parties: tuple[Side, ...]
    key: str
    parts: list[list[_Moment]] = field(default_factory=list[list[_Moment]])

    @classmethod
    def of(cls, adjudicator: Adjudicator[Any], ask_id: str) -> "_Course":
        """That of a battle that has just begun to be tracked."""
        ask = next(ask for ask in adjudicator.open_asks() if ask.id == ask_id)
        return cls(tuple(ask.parties), "" if ask.setup is None else ask.setup.key)

    def take(self, adjudicator: Adjudicator[Any], transition: Transition, deed: TrackedDeed) -> None:
        """Take what a deed came to, and what of that all parties were shown."""
        if deed.did == "begun":
            self.parts.clear()  # it is set up anew, whatever was flown before
        if deed.did in _BEGINNINGS:
            self.parts.append([])
        moments = self.parts[-1]
        states = next((one.rests for one in transition.rests if one.ask == deed.ask), ())
        if deed.did == "undone":
            _take_back(moments, states)
        now, tally = adjudicator.tracking(deed.ask), adjudicator.tally(deed.ask)
        scene = adjudicator.common_tactical_view(deed.ask).board.tactical
        if now is None or tally is None or scene is None or not (now.turn or scene.units):
            moments.clear()  # nothing is there yet, or no more: what was shown was not how it began
            return
        is_shown = deed.did != "flown" or deed.ask in transition.pictures
        moments.append(_Moment(states[-1] if states else None, scene if is_shown else None, tally.turns))

    def flown(self) -> FlownBattle:
        """All of it."""
        scenes = _each_once(moment.scene for moments in self.parts for moment in moments)
        turns = sum(moments[-1].turns - moments[0].turns for moments in self.parts if moments)
        return FlownBattle(self.parties, self.key, tuple(scenes), turns)


def _take_back(moments: list[_Moment], states: Sequence[dict[str, Json]]) -> None:
    """Forget what came after a battle rested last at the newest of these states of which there is a moment."""
    for state in reversed(states):
        for n in reversed(range(len(moments))):
            if moments[n].state == state:
                del moments[n + 1 :]
                return
    moments.clear()


def is_film_due(entries: Sequence[JournalEntry], ask_id: str, until: int) -> bool:
    """Whether all that was flown of a battle until its ask closed with the entry ``until`` stands in the present branch
    of a journal, and is not what was flown until that closed before: of a battle which a rewind has opened again, and
    in which nothing was flown anew, everything has been shown. ``entries`` may begin where the turn of the battle
    did."""
    before = until - entries[0].seq
    pieces = _pieces(entries[:before], ask_id)
    if not pieces or not {entry.seq for entry in effective(entries)}.issuperset(pieces):
        return False
    opened: Sequence[str] = ()
    for number, entry in enumerate(entries[:before]):
        outcome = getattr(entry.body, "outcome", None)
        if outcome is None:
            continue
        has_closed = ask_id in opened and ask_id not in outcome.asks
        if has_closed and _pieces(entries[:number], ask_id) == pieces:
            return False
        opened = outcome.asks
    return True


def _pieces(entries: Sequence[JournalEntry], ask_id: str) -> list[int]:
    """The entries of the present branch by which a battle's tracker went on."""
    strand = strand_of(ask_id)
    return [
        entry.seq
        for entry in effective(entries)
        if (isinstance(entry.body, Tracking) and entry.body.ask == ask_id)
        or (isinstance(entry.body, Closed) and entry.body.strand == strand)
    ]
