"""Anything that may happen to a campaign, in any order: answers, second thoughts, junk, strands that close, replays,
rewinds.

After every one of them the invariants hold, each side knows what the reports of the branch it is on told it, and its
board is what that supports; answers and refusals change nothing but what is saved. A rulebook says what is played, and
by whom.
"""

from collections.abc import Iterable
from typing import Any

from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.records.journal import JournalEntry, effective
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay, rewind
from rules_engine.core.running.transitions import NotSettled, Snapshot, Transition
from tests.chance import KnownNonces
from tests.rulebooks.players import AT
from tests.seeds import IS_FULL, IS_THOROUGH

SEEDS = st.integers(min_value=0, max_value=2**32 - 1)
NO_SHEETS: tuple[Json, ...] = (None, 7, [], {"nowhere": {}}, {"": 1})


def often(examples: int) -> settings:
    """How many campaigns are tried; every day half as many, in long sweeps more, and longer ones."""
    return settings(
        max_examples=300 if IS_FULL else examples if IS_THOROUGH else examples // 2,
        stateful_step_count=60 if IS_FULL else 22,
        suppress_health_check=list(HealthCheck),
    )


class AnyCampaign(RuleBasedStateMachine):
    """One campaign of a ``book`` and a ``document`` of a scenario, and all that was told in it."""

    book: Any
    document: dict[str, Json]
    junk: tuple[Json, ...] = ()
    """What is no sheet of this book, besides what is none of any."""
    adjudicator: Adjudicator[Any]

    def answer_to(self, side: str, ask: AnyAsk, seed: int) -> Json:
        """A legal answer."""
        raise NotImplementedError

    def problems_of(self, side: str, known: Knowledge) -> Iterable[str]:
        """What of a side's knowledge is not as this book wants it."""
        return ()

    @initialize(seed=SEEDS)
    def begin(self, seed: int) -> None:
        note(f"campaign seed {seed}")
        self.key = seed.to_bytes(4, "big") * 8
        self.entries: list[JournalEntry] = []
        self.told: dict[int, tuple[Report, ...]] = {}
        self.snapshots: list[Snapshot] = []
        self.nonce = KnownNonces(seed)
        self.adjudicator, step = Adjudicator.open(
            self.book, title="Campaign", scenario=self.document, seed=self.key, at=AT, nonce=self.nonce()
        )
        self._take(step)

    def _take(self, step: Transition) -> None:
        self.entries.append(step.entry)
        self.told[step.entry.seq] = step.reports
        self.snapshots += [] if step.snapshot is None else [step.snapshot]

    def _ask(self, pick: int) -> tuple[str, AnyAsk]:
        """One of the open asks, for one of its parties."""
        asks = [(side, ask) for ask in self.adjudicator.open_asks() for side in ask.parties]
        return asks[pick % len(asks)]

    def _answer(self, side: str, ask: AnyAsk, seed: int) -> None:
        document = self.answer_to(side, ask, seed)
        before = self.adjudicator.digest()
        self._take(self.adjudicator.answer(side, ask.id, document, by=side, at=AT))
        assert self.adjudicator.saved(side, ask.id) == ask.answer_from(document)
        assert self.adjudicator.digest() == before, "an answer changed the campaign before its strand closed"

    def _close(self, strand: str, seed: int) -> None:
        """A strand's deadline falls; what only people can answer is answered first, and nothing else waits."""
        head, waiting = self.adjudicator.head, tuple[AnyAsk, ...]()
        try:
            self._take(self.adjudicator.close("deadline", by="clock", at=AT, strand=strand, nonce=self.nonce()))
        except NotSettled as error:
            waiting = error.asks
        if waiting:
            assert all(ask.pace == "battle" and ask.strand == strand for ask in waiting)
            assert self.adjudicator.head == head
            for ask in waiting:
                document = self.answer_to(ask.parties[0], ask, seed)
                for side in ask.parties:
                    self._take(self.adjudicator.answer(side, ask.id, document, by=side, at=AT))
            self._take(self.adjudicator.close("deadline", by="clock", at=AT, strand=strand, nonce=self.nonce()))

    # --- what people do -----------------------------------------------------------------------------------------------

    @precondition(lambda self: self.adjudicator.open_asks())
    @rule(pick=st.integers(0, 9), seed=SEEDS)
    def answer(self, pick: int, seed: int) -> None:
        """Somebody answers, or answers again."""
        self._answer(*self._ask(pick), seed)

    @precondition(lambda self: self.adjudicator.open_asks())
    @rule(pick=st.integers(0, 9), junk=st.integers(0, 9))
    def send_junk(self, pick: int, junk: int) -> None:
        """Junk is refused with a word, and what was saved stays."""
        side, ask = self._ask(pick)
        kept = self.adjudicator.saved(side, ask.id), self.adjudicator.digest(), self.adjudicator.head
        refusals: list[Any] = []
        try:
            some = NO_SHEETS + self.junk
            self.adjudicator.answer(side, ask.id, some[junk % len(some)], by=side, at=AT)
        except Refused as refused:
            refusals = list(refused.refusals)
        assert [one.problem for one in refusals if one.problem] != []
        assert (self.adjudicator.saved(side, ask.id), self.adjudicator.digest(), self.adjudicator.head) == kept

    @precondition(lambda self: self.adjudicator.open_asks())
    @rule(pick=st.integers(0, 9), is_ready=st.booleans())
    def say_ready(self, pick: int, is_ready: bool) -> None:
        """Somebody is ready in a strand, or is not after all."""
        side, ask = self._ask(pick)
        self._take(self.adjudicator.ready(side, is_ready=is_ready, by=side, at=AT, strand=ask.strand))
        assert self.adjudicator.is_ready(side, ask.strand) == is_ready

    @precondition(lambda self: self.adjudicator.strands())
    @rule(pick=st.integers(0, 9), seed=SEEDS)
    def expire(self, pick: int, seed: int) -> None:
        """One strand's deadline falls; the others stay as they are."""
        strands = self.adjudicator.strands()
        self._close(strands[pick % len(strands)], seed)

    @precondition(lambda self: self.adjudicator.strands())
    @rule(seed=SEEDS, closings=st.integers(1, 8))
    def play_on(self, seed: int, closings: int) -> None:
        """Everybody answers everything in the first strand, a few times over."""
        for number in range(closings):
            if not self.adjudicator.strands():
                return
            strand = self.adjudicator.strands()[0]
            for ask in [one for one in self.adjudicator.open_asks() if one.strand == strand and len(one.parties) == 1]:
                self._answer(ask.parties[0], ask, seed + number)
            self._close(strand, seed + number)

    @precondition(lambda self: self.adjudicator.all_done())
    @rule()
    def close_early(self) -> None:
        """Everybody is ready everywhere."""
        for strand in self.adjudicator.strands():
            self._take(self.adjudicator.close("all ready", by="clock", at=AT, strand=strand, nonce=self.nonce()))

    # --- what hosts do ------------------------------------------------------------------------------------------------

    @rule()
    def restart(self) -> None:
        """The whole campaign is played again from its journal; the replay goes on where this one stood."""
        self._go_on_with(replay(self.book, self.entries, self.key))

    @precondition(lambda self: self._standing_snapshots())
    @rule(pick=st.integers(0, 9))
    def restart_from_a_snapshot(self, pick: int) -> None:
        """The same from a turn's boundary on."""
        snapshots = self._standing_snapshots()
        again = replay(self.book, self.entries, self.key, snapshots[pick % len(snapshots)])
        if not again.knows_what_was_shown():  # a side was told nothing since
            again = replay(self.book, self.entries, self.key)
        self._go_on_with(again)

    def _standing_snapshots(self) -> list[Snapshot]:
        kept = {entry.seq for entry in effective(self.entries)}
        return [one for one in self.snapshots if one.seq in kept]

    def _go_on_with(self, again: Adjudicator[Any]) -> None:
        assert again.checkpoint() == self.adjudicator.checkpoint()
        assert again.head == self.adjudicator.head
        assert [ask.id for ask in again.open_asks()] == [ask.id for ask in self.adjudicator.open_asks()]
        for label in self.adjudicator.sides:
            assert again.view(label.key) == self.adjudicator.view(label.key)
            for strand in again.strands():
                assert again.is_ready(label.key, strand) == self.adjudicator.is_ready(label.key, strand)
        self.adjudicator = again

    @precondition(lambda self: len(self.entries) > 3)
    @rule(back=st.integers(1, 25))
    def go_back(self, back: int) -> None:
        """The referee rewinds: other dice fall from there, and what came after is cut off."""
        kept = effective(self.entries)
        to = kept[max(0, len(kept) - 1 - back)].seq
        adjudicator, step = rewind(self.book, self.entries, self.key, to=to, by="referee", reason="a test", at=AT)
        self.adjudicator = adjudicator
        self._take(step)

    # --- what always holds --------------------------------------------------------------------------------------------

    @invariant()
    def nothing_is_impossible(self) -> None:
        assert list(self.adjudicator.defects()) == []

    @invariant()
    def sides_know_what_they_were_told(self) -> None:
        kept = effective(self.entries)
        for label in self.adjudicator.sides:
            folded = Knowledge()
            for entry in kept:
                for report in self.told[entry.seq]:
                    if report.is_for(label.key):
                        folded.learn(report)
            assert self.adjudicator._shared.knowledge[label.key] == folded
            seen, _ = self.adjudicator._seen_by(label.key)
            board = self.book.side_board(seen, label.key, folded)
            assert board.counters == self.adjudicator.view(label.key).board.counters
            assert list(self.problems_of(label.key, folded)) == []
