"""Making a campaign from its journal: replaying it, or going back to an earlier point of it."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from pydantic import ValidationError

from rules_engine.core.basics.base import When
from rules_engine.core.basics.dice import commitment
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.refusals import Refused, malformed
from rules_engine.core.basics.seals import first_seal, masked_seal
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.rulebook import Rulebook
from rules_engine.core.records.journal import (
    Broken,
    Checkpoint,
    Genesis,
    JournalEntry,
    Rewound,
    Tracking,
    carried_over,
    check_chain,
    effective,
    write_entry,
)
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.tracked import AnyTracker, TrackedRest
from rules_engine.core.running.transitions import Diverged, RuleFailure, Snapshot, TrackerDiverged, Transition

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

    ``entries`` may be an excerpt: the genesis, every rewind, and all entries from :func:`journal.first_needed` on.

    Raises:
        Broken, Diverged: as :func:`replay`, for the chain and for all entries about play itself.
    """
    genesis, kept = _checked(entries, seed, whole_from=_taken_up_at(entries, snapshot)), effective(entries)
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


def _checked(entries: Sequence[JournalEntry], seed: bytes, *, whole_from: int = 1) -> Genesis:
    """How the campaign of a journal began, whose chain holds; of an excerpt, from the entry ``whole_from`` on."""
    check_chain(entries, whole_from=whole_from)
    if not entries or not isinstance(entries[0].body, Genesis):
        raise Broken(entries[0].seq if entries else 0, "the journal does not begin with a campaign")
    genesis = entries[0].body
    if genesis.commitment != commitment(seed):
        raise Broken(1, "the seed does not match the commitment published at the start")
    return genesis


def _taken_up_at(entries: Sequence[JournalEntry], snapshot: Snapshot | None) -> int:
    """The entry behind which all are needed to play on."""
    carried = carried_over(effective(entries))
    starts = (1, 0 if snapshot is None else snapshot.seq, 0 if carried is None else carried.seq)
    return max(starts)


def _play_all(
    adjudicator: Adjudicator[S],
    kept: Sequence[JournalEntry],
    snapshot: Snapshot | None,
    rests: Sequence[TrackedRest],
    passing: Mapping[str, int],
) -> None:
    adjudicator.start_tracking_from(rests, passing)
    for entry in begun(adjudicator, kept, snapshot):
        _play(adjudicator, entry)


def begun(
    adjudicator: Adjudicator[S], kept: Sequence[JournalEntry], snapshot: Snapshot | None = None
) -> list[JournalEntry]:
    """Start from the snapshot, from where play was carried over last, or from the very beginning; gives the entries
    that are still to be played.

    Raises:
        Broken: when the snapshot is not on this branch.
        Diverged: when play does not arrive where the record says that it began.
    """
    carried = carried_over(kept)
    if carried is not None and (snapshot is None or snapshot.seq < carried.seq):
        take_up(adjudicator, kept, carried)
        return [entry for entry in kept if entry.seq > carried.seq]
    if snapshot is None:
        return [*kept]
    _prime(adjudicator, kept, snapshot)
    if carried is not None and isinstance(carried.body, Rewound):
        adjudicator.played_by = carried.body.version
    return [entry for entry in kept if entry.seq > snapshot.seq]


def take_up(adjudicator: Adjudicator[S], entries: Sequence[JournalEntry], carried: JournalEntry) -> None:
    """Start where play was ``carried`` over to other rules.

    Raises:
        Broken: when what it is to start from cannot be read, or is not on this branch.
        Diverged: when play does not arrive where the record says that it began.
    """
    assert isinstance(carried.body, Rewound)
    try:
        start = Snapshot.model_validate_json(carried.body.start)
    except ValidationError:
        raise Broken(carried.seq, "what play goes on from cannot be read") from None
    passed = next((entry for entry in entries if entry.seq == start.seq == carried.body.to), None)
    if passed is None:
        raise Broken(carried.seq, "it goes on from an entry that is not on this branch")
    try:
        adjudicator.restore(start, passed, carried)
    except RuleFailure as failure:
        raise Diverged(carried.seq, str(failure)) from failure


def _prime(adjudicator: Adjudicator[S], kept: Sequence[JournalEntry], snapshot: Snapshot) -> None:
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


def _next_branch(entries: Sequence[JournalEntry]) -> int:
    return max((one.body.branch for one in entries if isinstance(one.body, Rewound)), default=0) + 1


def last_boundary(
    rulebook: Rulebook[S], entries: Sequence[JournalEntry], seed: bytes, snapshot: Snapshot | None
) -> Snapshot:
    """What the present turn began with, by the newest ``snapshot`` that is kept; where there is none, as in the first
    turn, what the campaign or the rules that it was carried over to began with."""
    kept = effective(entries)
    carried = carried_over(kept)
    if snapshot is not None and (carried is None or snapshot.seq >= carried.seq):
        return snapshot
    if carried is not None and isinstance(carried.body, Rewound):
        start = Snapshot.model_validate_json(carried.body.start)
        return start.model_copy(update={"seal": masked_seal(seed, carried.seq, start.seal)})
    genesis = _checked(entries, seed)  # without a snapshot nothing may be left out
    return Snapshot(
        seq=1,
        version=rulebook.version,
        turn=1,
        branch=0,
        state=rulebook.set_up(genesis.scenario).to_json(),
        knowledge={label.key: Knowledge() for label in genesis.sides},
        next_report=1,
        roll_count=0,
        now=When(turn=1),
        seal="" if genesis.nonce is None else first_seal(seed, genesis.nonce),
    )


def begun_anew(
    rulebook: Rulebook[S],
    entries: Sequence[JournalEntry],
    seed: bytes,
    start: Snapshot,
    *,
    by: str,
    reason: str,
    at: str,
    tracker: AnyTracker | None = None,
) -> tuple[Adjudicator[S], Transition]:
    """Carry a campaign over to the rules that there are now: the turn that begins with ``start`` is begun anew, with
    other dice. What was entered since stays in the journal as a cut-off branch.

    Raises:
        Broken: when the chain does not hold, or the snapshot is not on the present branch.
        RuleFailure: when that state is none that these rules can play on from.
    """
    genesis, kept = _checked(entries, seed, whole_from=start.seq), effective(entries)
    passed = next((entry for entry in kept if entry.seq == start.seq), None)
    if passed is None:
        raise Broken(start.seq, "the snapshot belongs to a branch that was cut off")
    start = start.model_copy(update={"branch": _next_branch(entries), "version": rulebook.version})
    adjudicator = Adjudicator(rulebook, genesis, seed, tracker)
    body = Rewound(by=by, to=start.seq, branch=start.branch, reason=reason, outcome=_UNKNOWN)
    return adjudicator, adjudicator.begin_anew(start, passed, entries[-1], body, at)


_UNKNOWN = Checkpoint(state="", asks=(), reports=0, rolls=0, turn=0)


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
    snapshot: Snapshot | None = None,
) -> tuple[Adjudicator[S], Transition]:
    """Go back to just after entry ``to``. Later rolls use different dice; the cut-off branch stays in the journal.

    With a ``snapshot`` of before then ``entries`` may be an excerpt, as in :func:`resumed`, and only the entries behind
    it are played again. If the adjudicator does not know then what was shown last, an older one is to be taken.

    Raises:
        Refused: when ``to`` is not on the present branch.
        Broken, Diverged: as :func:`resumed`, for the chain and for the entries up to ``to``.
    """
    kept = effective(entries)
    carried = carried_over(kept)
    is_older = carried is not None and to < carried.seq  # then it may not stand in an excerpt
    if not is_older and to not in {entry.seq for entry in kept}:
        raise Refused([malformed(f"entry {to} is not part of the present branch")])
    genesis = _checked(entries, seed, whole_from=_taken_up_at(entries, snapshot))
    if carried is not None and is_older:
        text = f"what came before entry {carried.seq} was played by another version of the rules"
        raise Refused([malformed(text, legal=f"entry {carried.seq} or later")])
    branch = _next_branch(entries)
    past = [entry for entry in kept if entry.seq <= to]  # what comes later may play back no more: that is why one goes
    adjudicator = _resumed(rulebook, genesis, seed, past, snapshot=snapshot, tracker=tracker)
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
