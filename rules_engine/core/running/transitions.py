"""What the adjudicator's commands give back, what they may raise, and the open asks with what was answered."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from pydantic import Field

from rules_engine.core.basics.base import Frozen, Json, Side, When
from rules_engine.core.basics.dice import Roll
from rules_engine.core.basics.plain_text import unfit_texts
from rules_engine.core.basics.refusals import Refused, malformed, unfit_text
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import Agreement, AnyAsk, Force, Settlement
from rules_engine.core.protocol.rulebook import Ending
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.records.moments import CampaignMoment
from rules_engine.core.running.tracked import TrackedDeed, TrackedRest


class NotOpen(Exception):
    """The ask is not open (any more), or is not this side's to answer."""


class NotSettled(Exception):
    """The batch cannot close: ``asks`` need the forces' agreement or the referee's ruling."""

    def __init__(self, asks: Sequence[AnyAsk]) -> None:
        self.asks = tuple(asks)
        super().__init__(f"{len(self.asks)} asks are not settled")


class Diverged(Exception):
    """A replay did not come out as recorded: the rules, the seed or the journal are not what they were."""

    def __init__(self, seq: int, problem: str) -> None:
        self.seq = seq
        self.problem = problem
        super().__init__(f"entry {seq}: {problem}")


class TrackerDiverged(Diverged):
    """The same for an entry about the battle that is tracked beside the ask ``ask``, of which no play depends."""

    def __init__(self, seq: int, problem: str, ask: str) -> None:
        super().__init__(seq, problem)
        self.ask = ask


def diverged_at(entry: JournalEntry, ask_id: str, error: Exception) -> Diverged:
    """The error of an entry that could not be repeated; of a tracked battle's, beside the ask ``ask_id``."""
    problem = error.problem if isinstance(error, Diverged) else f"cannot be repeated: {type(error).__name__}"
    return TrackerDiverged(entry.seq, problem, ask_id) if ask_id else Diverged(entry.seq, problem)


class RuleFailure(Exception):
    """An exception in the rules while playing on. The adjudicator must be thrown away and rebuilt from the journal."""


class Snapshot(Frozen):
    """A campaign at the turn boundary crossed during entry ``seq``. Only later entries need replaying from here.

    ``seal`` keys the dice from here on; it is empty in a campaign without seals.
    """

    schema_number: int = 1
    seq: int
    version: str
    turn: int
    branch: int
    state: dict[str, Json]
    knowledge: dict[Side, Knowledge]
    next_report: int
    roll_count: int
    now: When
    maps_for: tuple[Side, ...] = ()
    public_due: bool = False
    seal: str = Field(default="", exclude_if=lambda seal: not seal)


@dataclass(frozen=True)
class TurnBoundary:
    """A campaign between two turns. A snapshot of it is made when somebody wants to keep it; ``rest`` is one without
    the moment."""

    moment: CampaignMoment[Any]
    rest: Snapshot

    def snapshot(self, seq: int) -> Snapshot:
        """The snapshot, if the boundary was crossed during entry ``seq``."""
        known = {side: one.value for side, one in self.moment.knowledge.items()}
        return self.rest.model_copy(update={"seq": seq, "state": self.moment.state.document, "knowledge": known})


@dataclass(frozen=True)
class Transition:
    """What one command did, for the host to write down and pass on.

    ``written`` is the stored line of an entry that was made just now, returned by :attr:`line`.
    ``maps_for`` names the sides whose maps are to be posted; when these are all sides, ``public_map`` says whether the
    public map is due too. A side's map waits until the side itself is asked something: a map posted earlier would
    reveal that play was waiting for somebody else. ``taken`` reads back the answer each ask closed with, for its
    parties alone; not in a replay. ``boundary`` is the last one that play crossed between two turns.

    ``deeds`` are what happened to trackers of battles, ``pictures`` the asks whose battles are to be shown to their
    parties, ``rests`` where tracked battles have come to rest; of each battle only the newest needs keeping.
    ``fought`` are asks that closed beside which a battle was tracked, if not to its end.
    """

    entry: JournalEntry
    written: str = ""
    reports: tuple[Report, ...] = ()
    rolls: tuple[Roll, ...] = ()
    opened: tuple[AnyAsk, ...] = ()
    closed: tuple[str, ...] = ()
    taken: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    maps_for: tuple[Side, ...] = ()
    public_map: bool = False
    ending: Ending | None = None
    boundary: TurnBoundary | None = None
    deeds: tuple[TrackedDeed, ...] = ()
    pictures: tuple[str, ...] = ()
    rests: tuple[TrackedRest, ...] = ()
    fought: tuple[AnyAsk, ...] = ()

    @property
    def line(self) -> str:
        """The entry as the journal keeps it."""
        return self.written or self.entry.line()

    @cached_property
    def snapshot(self) -> Snapshot | None:
        """What to restart from if only later entries are replayed; None if no turn ended."""
        return None if self.boundary is None else self.boundary.snapshot(self.entry.seq)


CLOCK = "clock"
"""Whose word it is in a journal when nobody did it."""

MOST_JUDGED = 8
"""How many judged documents of one ask are remembered."""


class SentAnswer(NamedTuple):
    """How often a force has answered, and when (``at``, as the journal has it) it did last."""

    versions: int
    at: str


@dataclass
class OpenAsk:
    """One open ask and what has been answered to it."""

    ask: AnyAsk
    answers: dict[Side, Any] = field(default_factory=dict[Side, Any])
    """What each force answered last, by its first side, in the order in which they first did."""
    senders: dict[Side, Side] = field(default_factory=dict[Side, Side])
    """Which side of it sent that."""
    sent: dict[Side, SentAnswer] = field(default_factory=dict[Side, SentAnswer])
    """How often each has answered, and when it did last."""
    ruling: Any = None
    by_rule: bool = False
    """Whether that is the stated end of a battle on whose account nobody agreed, and not the referee's word."""
    _judged: dict[str, Any] = field(default_factory=dict[str, Any])
    _journalled: tuple[Json, Any] | None = None

    def judge(self, document: Json) -> Any:
        """Read ``document`` as an answer and judge it. Repeats are remembered, as the state does not change meanwhile.

        Raises:
            Refused: with every defect.
        """
        if self._journalled is not None and document is self._journalled[0]:
            return self._journalled[1]
        written = json.dumps(self.ask.changes_in(document), sort_keys=True)
        if written not in self._judged:
            answer = self.ask.answer_from(json.loads(written))  # as it will be read from the journal
            if len(self._judged) >= MOST_JUDGED:
                self._judged.clear()
            self._judged[written] = answer
        return self._judged[written]

    def judge_sent(self, document: Json) -> Any:
        """The same for an answer that is sent now, and not read from a journal: every word of it must say something,
        and be one that can be kept.

        Raises:
            Refused: with every defect.
        """
        unfit = [unfit_text(letter, path) for path, letter in unfit_texts(document)]
        if unfit:
            raise Refused(unfit)
        answer = self.judge(document)
        if refusals := tuple(self.ask.idle(answer)):
            raise Refused(refusals)
        return answer

    def for_journal(self, document: Json) -> Json:
        """What the journal keeps of ``document``; callers must not change it. :meth:`judge` remembers it.

        Raises:
            Refused: with every defect.
        """
        return self.kept(self.judge_sent(document), document)

    def kept(self, answer: Any, document: Json) -> Json:
        """What the journal keeps of a ``document`` that was judged to be ``answer``."""
        kept = self.ask.document_of(answer, document)
        self._journalled = kept, answer
        return kept

    def forget(self) -> None:
        """Drop remembered results: the state was changed by hand, so everything must be judged again."""
        self._judged.clear()
        self._journalled = None
        self.ask.forget()

    def stated_end(self) -> Json:
        """The account by which it ends by rule. Raises Refused when its book states none that is legal."""
        account = self.ask.form.prefilled() if self.ask.ends is None else self.ask.ends.account()
        sheet: Json = {key: {**line} for key, line in account.items()}
        return self.ask.document_of(self.ask.answer_from(sheet), sheet)

    def rule(self, document: Json, by: str) -> None:
        """Settle it by the referee's word, or by rule, if it is the clock that says so.

        Raises:
            Refused: with every defect; and when the clock says anything else than the stated end.
        """
        ruling = self.judge(document)
        if by == CLOCK and ruling != self.ask.answer_from(self.stated_end()):
            raise Refused([malformed("by rule a battle ends as its book states, and not otherwise")])
        self.ruling, self.by_rule = ruling, by == CLOCK

    def take(self, side: Side, answer: Any) -> None:
        """Let an ``answer`` that was sent by ``side`` stand for its whole force, in the place of any earlier one."""
        force = self.ask.force_of(side)
        self.answers[force[0]] = answer
        self.senders[force[0]] = side

    def note_sent(self, side: Side, at: str) -> None:
        """Note when the force of ``side`` has answered."""
        first = self.ask.force_of(side)[0]
        before = self.sent.get(first)
        self.sent[first] = SentAnswer(1 if before is None else before.versions + 1, at)

    def drop(self, force: Force) -> None:
        """Drop what a force answered."""
        del self.answers[force[0]], self.senders[force[0]]

    def answer_of(self, side: Side) -> Any:
        """What the force of ``side`` has answered so far, or None."""
        return self.answers.get(self.ask.force_of(side)[0])

    def sender_of(self, side: Side) -> Side | None:
        """Which side of the force of ``side`` sent that, or None."""
        return self.senders.get(self.ask.force_of(side)[0])

    def sent_by(self, side: Side) -> SentAnswer | None:
        """How often the force of ``side`` has answered, and when last; None where nothing of it stands."""
        return self.sent.get(self.ask.force_of(side)[0]) if self.answer_of(side) is not None else None

    def agreement(self) -> Agreement[Any]:
        """How the accounts of all forces compare; unsettled and without differences while one is missing."""
        all_sent = len(self.answers) == len(self.ask.forces)
        return self.compared() if all_sent or self.ruling is not None else Agreement(None)

    def compared(self, instead: Mapping[Side, Any] | None = None) -> Agreement[Any]:
        """How the accounts compare that were sent so far; unsettled and without differences while there are not two.

        ``instead`` are accounts, by their forces' first sides, that are taken in the places of those that were sent.
        """
        if self.ruling is not None:
            return Agreement(self.ruling)
        if self.ask.agree is None or len(self.answers) < 2:
            return Agreement(None)
        return self.ask.agree({**self.answers, **(instead or {})})

    def settled(self, *, by_silence: bool) -> Any:
        """The account with which a shared ask closes on which nobody ruled, or None where there is none yet.

        ``by_silence``, a force that sent no account agrees with what the others sent: with the only one, or with
        several if these agree with each other. Where nobody sent one, or those that were sent differ, only the referee
        can settle it.
        """
        if not by_silence:
            return self.agreement().settled
        if len(self.answers) == 1:
            return next(iter(self.answers.values()))
        return self.compared().settled

    def settlement(self) -> Settlement:
        """How a shared ask is settled, if it can close now."""
        two_sides = len(self.ask.parties) == 2
        if self.ruling is not None:
            return "by rule" if self.by_rule else "ruling"
        if len(self.answers) == len(self.ask.forces):
            return "agreed" if two_sides else "all agreed"
        if len(self.answers) == 1:
            return "alone" if two_sides else "one sent"
        return "some agreed"

    def is_awaited_of(self, side: Side) -> bool:
        """Whether the batch waits for ``side``: it was asked to answer, or began to answer unasked; or what it was
        asked is answered already, and takes its time."""
        return self.ask.awaited or self.ask.holds or self.sender_of(side) == side
