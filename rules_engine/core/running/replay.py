"""Making a campaign from its journal: replaying it, or going back to an earlier point of it."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from rules_engine.core.basics.dice import commitment
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.refusals import Refused, malformed
from rules_engine.core.protocol.rulebook import Rulebook
from rules_engine.core.records.journal import (
    Broken,
    Genesis,
    JournalEntry,
    Rewound,
    Tracking,
    check_chain,
    effective,
    write_entry,
)
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.tracked import AnyTracker, TrackedRest
from rules_engine.core.running.transitions import Diverged, Snapshot, TrackerDiverged, Transition

S = TypeVar("S", bound=Record)


def replay(
    rulebook: Rulebook[S],
    entries: Sequence[JournalEntry],
    seed: bytes,
    snapshot: Snapshot | None = None,
    *,
    tracker: AnyTracker | None = None,
    rests: Sequence[TrackedRest] = (),
    passing: Mapping[str, int] | None = None,
) -> Adjudicator[S]:
    """The campaign that these entries made.

    ``entries`` is the journal from its genesis on. With a ``snapshot`` on the effective branch, only the entries
    after it are played again; and with ``rests`` of tracked battles on it, only what came after them of each. Of the
    battles beside the asks in ``passing`` nothing is played, until those entries.

    Raises:
        Broken: when the chain does not hold.
        Diverged: when an entry does not come out as recorded.
    """
    genesis = _checked(entries, seed)
    adjudicator = Adjudicator(rulebook, genesis, seed, tracker)
    _play_all(adjudicator, effective(entries), snapshot, rests, passing or {})
    adjudicator.head = entries[-1]
    return adjudicator


def resumed(
    rulebook: Rulebook[S],
    entries: Sequence[JournalEntry],
    seed: bytes,
    snapshot: Snapshot | None = None,
    *,
    tracker: AnyTracker | None = None,
    rests: Sequence[TrackedRest] = (),
) -> Adjudicator[S]:
    """The same, to be played on, which no tracked battle can hold up: those that have ended are passed over, and so are
    those that do not come out as recorded, because the tracker is another now; of these the open ones are its
    :meth:`~Adjudicator.lost_battles`.

    Raises:
        Broken, Diverged: as :func:`replay`, for the chain and for all entries about play itself.
    """
    genesis, kept = _checked(entries, seed), effective(entries)
    adjudicator = _resumed(rulebook, genesis, seed, kept, snapshot=snapshot, tracker=tracker, rests=rests)
    adjudicator.head = entries[-1]
    return adjudicator


def _resumed(
    rulebook: Rulebook[S],
    genesis: Genesis,
    seed: bytes,
    kept: Sequence[JournalEntry],
    *,
    snapshot: Snapshot | None = None,
    tracker: AnyTracker | None = None,
    rests: Sequence[TrackedRest] = (),
) -> Adjudicator[S]:
    lost = {one.body.ask: one.seq for one in kept if isinstance(one.body, Tracking) and one.body.lost}
    passing = lost | _ended(kept)
    usable = {one.ask: one for one in rests if one.seq > passing.get(one.ask, 0)}
    while True:
        adjudicator = Adjudicator(rulebook, genesis, seed, tracker)
        try:
            _play_all(adjudicator, kept, snapshot, [*usable.values()], passing)
        except TrackerDiverged as diverged:
            if usable.pop(diverged.ask, None) is not None:
                continue  # perhaps only what was kept of it cannot be read any more
            if passing.get(diverged.ask) == kept[-1].seq:
                raise
            passing[diverged.ask] = kept[-1].seq
        else:
            return adjudicator


def _ended(kept: Sequence[JournalEntry]) -> dict[str, int]:
    """The asks of battles that were tracked, and are not open at the end, with the last of all entries."""
    outcomes = (getattr(entry.body, "outcome", None) for entry in reversed(kept))
    still_open = next((outcome.asks for outcome in outcomes if outcome is not None), ())
    tracked = {entry.body.ask for entry in kept if isinstance(entry.body, Tracking)}
    return {ask: kept[-1].seq for ask in tracked if ask not in still_open}


def _checked(entries: Sequence[JournalEntry], seed: bytes) -> Genesis:
    """How the campaign of a journal began, whose chain holds."""
    check_chain(entries)
    if not entries or not isinstance(entries[0].body, Genesis):
        raise Broken(entries[0].seq if entries else 0, "the journal does not begin with a campaign")
    genesis = entries[0].body
    if genesis.commitment != commitment(seed):
        raise Broken(1, "the seed does not match the commitment published at the start")
    return genesis


def _play_all(
    adjudicator: Adjudicator[S],
    kept: Sequence[JournalEntry],
    snapshot: Snapshot | None,
    rests: Sequence[TrackedRest],
    passing: Mapping[str, int],
) -> None:
    adjudicator.start_tracking_from(rests, passing)
    if snapshot is not None:
        prime(adjudicator, kept, snapshot)
        kept = [entry for entry in kept if entry.seq > snapshot.seq]
    for entry in kept:
        _play(adjudicator, entry)


def prime(adjudicator: Adjudicator[S], kept: Sequence[JournalEntry], snapshot: Snapshot) -> None:
    """Start from a snapshot, which is on this branch.

    Raises:
        Broken: when it is not.
        Diverged: when play does not arrive where the entry of the snapshot recorded it.
    """
    passed = next((entry for entry in kept if entry.seq == snapshot.seq), None)
    if passed is None:
        raise Broken(snapshot.seq, "the snapshot belongs to a branch that was cut off")
    adjudicator.restore(snapshot, passed)


def _play(adjudicator: Adjudicator[S], entry: JournalEntry) -> None:
    if isinstance(entry.body, Rewound):
        adjudicator.branch_off(entry.body.branch)
        adjudicator.head = entry
        if not adjudicator.stands_as(entry.body.outcome):
            raise Diverged(entry.seq, "the campaign does not stand where the rewind left it")
        return
    adjudicator.repeat(entry)


def rewind(
    rulebook: Rulebook[S],
    entries: Sequence[JournalEntry],
    seed: bytes,
    *,
    to: int,
    by: str,
    reason: str,
    at: str,
    tracker: AnyTracker | None = None,
) -> tuple[Adjudicator[S], Transition]:
    """Go back to just after entry ``to``. Later rolls use different dice; the cut-off branch stays in the journal.

    Raises:
        Refused: when ``to`` is not on the present branch.
        Broken, Diverged: as :func:`resumed`, for the chain and for the entries up to ``to``.
    """
    kept = effective(entries)
    if to not in {entry.seq for entry in kept}:
        raise Refused([malformed(f"entry {to} is not part of the present branch")])
    genesis = _checked(entries, seed)
    branch = max((one.body.branch for one in entries if isinstance(one.body, Rewound)), default=0) + 1
    past = [entry for entry in kept if entry.seq <= to]  # what comes later may play back no more: that is why one goes
    adjudicator = _resumed(rulebook, genesis, seed, past, tracker=tracker)
    adjudicator.branch_off(branch)
    body = Rewound(by=by, to=to, branch=branch, reason=reason, outcome=adjudicator.checkpoint())
    entry, written = write_entry(entries[-1], body, at=at, seed=seed)
    adjudicator.head = entry
    everybody = tuple(label.key for label in adjudicator.sides)
    return adjudicator, Transition(
        entry=entry,
        written=written,
        opened=adjudicator.open_asks(),
        maps_for=everybody,
        public_map=True,
        ending=adjudicator.ending,
    )
