"""The whole record played again: every branch, also those that a rewind cut off, and when each batch closed."""

import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.verification.export_file import VerifyError, at_entry
from rules_engine import rulebooks
from rules_engine.core.basics.dice import Roll
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.rulebook import Rulebook
from rules_engine.core.records.journal import (
    Broken,
    Checkpoint,
    Closed,
    Genesis,
    JournalEntry,
    Remarked,
    Revealed,
    Rewound,
    Seated,
    Tracking,
    carried_over,
    effective,
    salt_of,
)
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.moments import played_again
from rules_engine.core.running.replay import replay
from rules_engine.core.running.tracking import BEGINNINGS
from rules_engine.core.running.transitions import Diverged, Snapshot, TrackerDiverged, TurnBoundary

Book = Rulebook[Any]


def check_end(entries: Sequence[JournalEntry]) -> None:
    """Whether the seed stands where it belongs: behind the campaign's end, and nothing behind it.

    Raises:
        VerifyError: when it stands elsewhere.
    """
    over: JournalEntry | None = None
    for entry, after in zip(entries, [*entries[1:], None], strict=True):
        outcome = getattr(entry.body, "outcome", None)
        if outcome is not None:
            over = entry if outcome.ended else None
        if not isinstance(entry.body, Revealed):
            continue
        if over is None:
            raise at_entry(entry, "the seed is published although the campaign has not ended")
        if after is not None and not isinstance(after.body, Revealed):
            raise at_entry(after, "nothing follows the seed; this was put there afterwards")


def check_salts(entries: Sequence[JournalEntry], seed: bytes) -> None:
    """Whether every salt is the one that the seed gives.

    Raises:
        VerifyError: at the first that is not.
    """
    for entry in entries:
        if not hmac.compare_digest(entry.salt, salt_of(seed, entry.seq)):
            raise at_entry(entry, "its salt is not the one that the seed gives")


def times_turned_back(entries: Sequence[JournalEntry]) -> list[int]:
    """The entries that were written before the one before them, by the host's clock.

    Raises:
        VerifyError: when a time is none.
    """
    back: list[int] = []
    last: datetime | None = None
    for entry in entries:
        try:
            at = datetime.fromisoformat(entry.at)
        except ValueError:
            at = None
        if at is None or at.tzinfo is None:
            raise at_entry(entry, f"“{entry.at[:40]}” is no time with a zone")
        if last is not None and at < last:
            back.append(entry.seq)
        last = at
    return back


@dataclass(frozen=True)
class Unplayed:
    """A tracked battle that does not come out as recorded by the tracker that there is now: its ask's ``battle`` by
    name, the entry at which that shows and how, and the version that began it."""

    battle: str
    seq: int
    problem: str
    version: str


class Playback:
    """Plays a record again. Battles whose tracker was another one may come out otherwise: they are ``unplayed`` then,
    and nothing else depends on them."""

    def __init__(self, book: Book, entries: Sequence[JournalEntry], seed: bytes) -> None:
        self._book = book
        self._entries = entries
        self._seed = seed
        self._goes_back = any(isinstance(entry.body, Rewound) for entry in entries)
        self._adjudicator: Adjudicator[Any] | None = None
        self.unplayed: list[Unplayed] = []
        self.passing: dict[str, int] = {}
        """Until which entries nothing is played of those battles, by their asks."""

        self._boundaries: dict[int, TurnBoundary] = {}
        """What play may go back to, by the entries; kept only where it does."""

        self._by_people = False
        """Whether the bot keeps this part of the record: from the first table of seats on it says who was ready."""

        self._may_have_waited: set[str] = set()
        """The strands that may have waited for their deadline though all were ready: the settings were changed, or play
        was halted or taken back to where all had been ready, and nobody had anything more to press."""

    def play(self) -> Adjudicator[Any]:
        """The campaign as it stands at the end of the record.

        Raises:
            VerifyError: at the first entry that does not come out as recorded.
        """
        while True:
            try:
                return self._play()
            except TrackerDiverged as diverged:
                self._pass_over(diverged)
            except (Broken, Diverged) as error:
                raise VerifyError(str(error), error.seq) from None

    def _pass_over(self, diverged: TrackerDiverged) -> None:
        """Play nothing of a battle the next time that was begun by another tracker, or was let go of for that.

        Raises:
            VerifyError: when it should come out as recorded.
        """
        ask, seq = diverged.ask, diverged.seq
        own = [(one.seq, one.body) for one in self._entries if isinstance(one.body, Tracking) and one.body.ask == ask]
        began = [body.version for at, body in own if at <= seq and body.wish in BEGINNINGS]
        version, let_go = began[-1] if began else "", [at for at, body in own if at >= seq and body.lost]
        is_known = self.passing.get(ask, 0) >= seq
        another = version not in ("", rulebooks.tracker().version)
        if is_known or not (let_go or another):
            raise VerifyError(str(diverged), seq) from None
        back = [one.seq for one in self._entries if isinstance(one.body, Rewound) and one.seq > seq > one.body.to]
        if ask not in self.passing:
            opened: Sequence[AnyAsk] = () if self._adjudicator is None else self._adjudicator.open_asks()
            title = next((one.setup.title for one in opened if one.id == ask and one.setup is not None), ask)
            self.unplayed.append(Unplayed(title, seq, diverged.problem, version))
        self.passing[ask] = min([*let_go, *back, self._entries[-1].seq])

    def _play(self) -> Adjudicator[Any]:
        genesis = self._entries[0].body
        assert isinstance(genesis, Genesis)
        self._boundaries, self._by_people, self._may_have_waited = {}, False, set()
        played_from = self._played_from()
        adjudicator = self._adjudicator = self._replayed(self._entries[:played_from])
        self._by_people = any(isinstance(entry.body, Seated) for entry in self._entries[:played_from])
        if played_from > 1:
            self._may_have_waited = {*adjudicator.strands()}
        for number, entry in enumerate(self._entries[played_from:], start=played_from):
            if isinstance(entry.body, Rewound):
                adjudicator = self._adjudicator = self._gone_back(number, entry.body)
                self._may_have_waited = {*adjudicator.strands()}
                continue
            self._by_people |= isinstance(entry.body, Seated)
            if isinstance(entry.body, Remarked) and entry.body.topic in {"settings", "resume"}:
                self._may_have_waited |= {*adjudicator.strands()}
            if isinstance(entry.body, Closed) and self._by_people:
                self._check_closing(entry, entry.body, adjudicator)
            transition = adjudicator.repeat(entry)
            if transition.boundary is not None and self._goes_back:
                self._boundaries[entry.seq] = transition.boundary
            if isinstance(entry.body, Closed):
                self._may_have_waited.discard(entry.body.strand)
        return adjudicator

    def _played_from(self) -> int:
        """How many entries there are up to the last that carried play over to other rules: what was before is not
        played again. One if there is none.

        Raises:
            VerifyError: when it does not stand where the entry before it left play, though the turn had just begun.
        """
        carried = carried_over(self._entries)
        if carried is None or not isinstance(carried.body, Rewound):
            return 1
        branches = [one.body.branch for one in self._entries[: carried.seq - 1] if isinstance(one.body, Rewound)]
        before = getattr(self._entries[carried.body.to - 1].body, "outcome", None)
        outcome = carried.body.outcome
        goes_on = carried.body.branch == max(branches, default=0)
        stood = (before.state, before.asks) if isinstance(before, Checkpoint) else None
        if goes_on and stood not in (None, (outcome.state, outcome.asks)):
            raise at_entry(carried, "it does not go on from where play stood")
        return carried.seq

    def _gone_back(self, number: int, body: Rewound) -> Adjudicator[Any]:
        """The campaign behind the rewind that is entry ``number`` (counted from 0)."""
        kept = {entry.seq for entry in effective(self._entries[:number])}
        if body.to not in kept:
            raise at_entry(self._entries[number], f"entry {body.to} was not part of play then")
        usable = [seq for seq in self._boundaries if seq <= body.to and seq in kept]
        snapshot = self._boundaries[max(usable)].snapshot(max(usable)) if usable else None
        return self._replayed(self._entries[: number + 1], snapshot)

    def _replayed(self, entries: Sequence[JournalEntry], snapshot: Snapshot | None = None) -> Adjudicator[Any]:
        """The campaign at the end of these, which goes on passing over what is passed over in all of them."""
        tracker = rulebooks.tracker()
        return replay(self._book, entries, self._seed, snapshot, tracker=tracker, passing=self.passing)

    def _check_closing(self, entry: JournalEntry, body: Closed, adjudicator: Adjudicator[Any]) -> None:
        is_open = body.strand in adjudicator.strands()  # if not, it cannot be repeated, and that says so
        if body.reason == "all ready" and is_open and not adjudicator.all_done(body.strand):
            late = [label.name for label in adjudicator.labels if not adjudicator.is_done(label.key, body.strand)]
            raise at_entry(entry, f"it says that all were ready, and {', '.join(late) or 'nobody'} had not said so")
        waited = body.patient or body.strand in self._may_have_waited
        if body.reason == "deadline" and is_open and adjudicator.all_done(body.strand) and not waited:
            raise at_entry(entry, "it says that the deadline fell, and all were ready before it: that closes at once")


def rolls_in(
    book: Book, entries: Sequence[JournalEntry], seed: bytes, passing: Mapping[str, int]
) -> Iterator[tuple[int, Roll]]:
    """Every roll of the present branch with the entry that brought it about; none of battles in ``passing``, until
    those entries."""
    for _, transition in played_again(book, entries, seed, rulebooks.tracker(), passing=passing):
        for roll in transition.rolls:
            yield transition.entry.seq, roll
