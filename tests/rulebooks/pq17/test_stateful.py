"""Anything that may happen to a campaign, in any order: answers, second thoughts, junk, deadlines, replays, rewinds.

After every one of them the invariants hold, each side knows what the reports of the branch it is on told it, and its
board is what that supports; answers and refusals change nothing but what is saved.
"""

import os
from random import Random
from typing import Any

from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.records.journal import JournalEntry, effective
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay, rewind
from rules_engine.core.running.transitions import NotSettled, Snapshot, Transition
from rules_engine.rulebooks.pq17.records.state import State
from tests.chance import KnownNonces
from tests.rulebooks.pq17.playing.campaign_play import AT, INTRO, contact_problems, scenario
from tests.rulebooks.pq17.playing.officers import Manner, Officer

FULL = os.environ.get("PLOTROOM_SWEEP") == "full"
SEEDS = st.integers(min_value=0, max_value=2**32 - 1)
JUNK: tuple[Any, ...] = (None, 7, [], {"nowhere": {}}, {"nowhere": {"speed": "warp 9"}}, {"": 1})
WILD = Manner(bold=0.9, whims=0.5, silence=0.0)


class Campaign(RuleBasedStateMachine):
    """One campaign of the introduction, and all that was told in it."""

    adjudicator: Adjudicator[State]

    @initialize(seed=SEEDS)
    def begin(self, seed: int) -> None:
        note(f"campaign seed {seed}")
        self.book, document = scenario(INTRO, turns=4)
        self.key = seed.to_bytes(4, "big") * 8
        self.entries: list[JournalEntry] = []
        self.told: dict[int, tuple[Report, ...]] = {}
        self.snapshots: list[Snapshot] = []
        self.nonce = KnownNonces(seed)
        self.adjudicator, step = Adjudicator.open(
            self.book, title="Campaign", scenario=document, seed=self.key, at=AT, nonce=self.nonce()
        )
        self._take(step)

    def _take(self, step: Transition) -> None:
        self.entries.append(step.entry)
        self.told[step.entry.seq] = step.reports
        self.snapshots += [] if step.snapshot is None else [step.snapshot]

    def _ask(self, pick: int) -> tuple[str, AnyAsk] | None:
        """One of the open asks, for one of its parties."""
        asks = [(label.key, ask) for label in self.adjudicator.sides for ask in self.adjudicator.asks_for(label.key)]
        return asks[pick % len(asks)] if asks else None

    def _answer(self, side: str, ask: AnyAsk, seed: int) -> None:
        document = Officer(self.adjudicator, side, Random(seed), WILD).answer(ask)
        before = self.adjudicator.digest()
        self._take(self.adjudicator.answer(side, ask.id, document, by=side, at=AT))
        assert self.adjudicator.saved(side, ask.id).model_dump(mode="json", exclude_unset=True) == document
        assert self.adjudicator.digest() == before, "an answer changed the campaign before its batch closed"

    # --- what people do -----------------------------------------------------------------------------------------------

    @precondition(lambda self: self.adjudicator.open_asks())
    @rule(pick=st.integers(0, 9), seed=SEEDS)
    def answer(self, pick: int, seed: int) -> None:
        """Somebody answers, or answers again."""
        side, ask = self._ask(pick) or ("", None)
        if ask is not None:
            self._answer(side, ask, seed)

    @precondition(lambda self: self.adjudicator.open_asks())
    @rule(pick=st.integers(0, 9), junk=st.sampled_from(JUNK))
    def send_junk(self, pick: int, junk: Any) -> None:
        """Junk is refused with a word, and what was saved stays."""
        side, ask = self._ask(pick) or ("", None)
        if ask is None:
            return
        saved, before, head = self.adjudicator.saved(side, ask.id), self.adjudicator.digest(), self.adjudicator.head
        refusals: list[Any] = []
        try:
            self.adjudicator.answer(side, ask.id, junk, by=side, at=AT)
        except Refused as refused:
            refusals = list(refused.refusals)
        assert [one.problem for one in refusals if one.problem] != []
        assert (self.adjudicator.saved(side, ask.id), self.adjudicator.digest(), self.adjudicator.head) == (
            saved,
            before,
            head,
        )

    @precondition(lambda self: self.adjudicator.open_asks())
    @rule(pick=st.integers(0, 9), is_ready=st.booleans())
    def say_ready(self, pick: int, is_ready: bool) -> None:
        """Somebody is ready, or is not after all."""
        side = (self._ask(pick) or ("", None))[0]
        self._take(self.adjudicator.ready(side, is_ready=is_ready, by=side, at=AT))
        assert self.adjudicator.is_ready(side) == is_ready

    @precondition(lambda self: self.adjudicator.open_asks())
    @rule(seed=SEEDS)
    def expire(self, seed: int) -> None:
        """The deadline falls; battles that nobody has reported are fought out first, and nothing else waits."""
        head, waiting = self.adjudicator.head, tuple[AnyAsk, ...]()
        try:
            self._take(self.adjudicator.close("deadline", by="clock", at=AT, nonce=self.nonce()))
        except NotSettled as error:
            waiting = error.asks
        if waiting:
            assert all(ask.pace == "battle" for ask in waiting)
            assert self.adjudicator.head == head
            for ask in waiting:
                for side in ask.parties:
                    self._answer(side, ask, seed)
            self._take(self.adjudicator.close("deadline", by="clock", at=AT, nonce=self.nonce()))

    @precondition(lambda self: self.adjudicator.open_asks())
    @rule(seed=SEEDS, batches=st.integers(1, 5))
    def play_on(self, seed: int, batches: int) -> None:
        """Everybody answers everything, a few times over."""
        for number in range(batches):
            for ask in self.adjudicator.open_asks():
                for side in ask.parties:
                    self._answer(side, ask, seed + number)
            if self.adjudicator.open_asks():
                self._take(self.adjudicator.close("deadline", by="clock", at=AT, nonce=self.nonce()))

    @precondition(lambda self: self.adjudicator.all_done())
    @rule()
    def close_early(self) -> None:
        """Everybody is ready."""
        self._take(self.adjudicator.close("all ready", by="clock", at=AT, nonce=self.nonce()))

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

    def _go_on_with(self, again: Adjudicator[State]) -> None:
        assert again.checkpoint() == self.adjudicator.checkpoint()
        assert again.head == self.adjudicator.head
        assert [ask.id for ask in again.open_asks()] == [ask.id for ask in self.adjudicator.open_asks()]
        for label in self.adjudicator.sides:
            assert again.view(label.key) == self.adjudicator.view(label.key)
            assert again.is_ready(label.key) == self.adjudicator.is_ready(label.key)
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
            assert list(contact_problems(self.adjudicator._state, label.key, folded)) == []


Campaign.TestCase.settings = settings(
    max_examples=300 if FULL else 20,
    stateful_step_count=60 if FULL else 22,
    suppress_health_check=list(HealthCheck),
)
TestCampaign = Campaign.TestCase
