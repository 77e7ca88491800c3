"""The referee: drives one campaign's flow of play, live and in replay by the very same code.

Every command returns a :class:`Step` with the journal entry that records it. The host writes the entry, and what
the step wants told, in one transaction, and only then tells anybody. A replay performs the recorded commands again
and compares what comes out.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel

from rules_engine.core.asks import Agreement, AnyAsk, Batch, Steps
from rules_engine.core.base import Json, Side, SideLabel, When
from rules_engine.core.canon import digest
from rules_engine.core.dice import DiceStream, commitment
from rules_engine.core.edits import assign
from rules_engine.core.fingerprint import Fingerprint
from rules_engine.core.journal import (
    Answered,
    Body,
    Closed,
    Edited,
    Entry,
    Genesis,
    Outcome,
    Readied,
    Remarked,
    Revealed,
    Rewound,
    Ruled,
    write_entry,
)
from rules_engine.core.ledgers import Ledger, identification_ledger
from rules_engine.core.odds import Odds, OddsMenu
from rules_engine.core.refusals import Refused, malformed
from rules_engine.core.reports import EVERYBODY
from rules_engine.core.rulebook import Ending, Rulebook
from rules_engine.core.steps import Diverged, NotOpen, NotSettled, RuleFailure, Snapshot, Standing, Step
from rules_engine.core.table import Desk, Table
from rules_engine.core.views import Board, Knowledge, OmniscientView, PublicView, SideView

S = TypeVar("S", bound=BaseModel)

MOST_TURNS_UNASKED = 1_000
"""A flow that plays on this many turns without asking anybody anything is taken for an error in the rules."""


class Referee(Generic[S]):
    """One campaign in memory. Made by :meth:`open`, or from its journal by ``replaying``."""

    def __init__(self, rulebook: Rulebook[S], genesis: Genesis, seed: bytes) -> None:
        self.rulebook = rulebook
        self.genesis = genesis
        self.head: Entry | None = None
        self.turn = 0
        self.branch = 0
        self.ending: Ending | None = None
        self._seed = seed
        self._state: S
        self._desk: Desk
        self._flow: Steps[None] | None = None
        self._standing: dict[str, Standing] = {}
        self._ready: set[Side] = set()
        self._fresh_snapshots: list[Snapshot] = []
        self._boards: dict[Side, Board] = {}
        self._fingerprint = Fingerprint()

    # --- beginnings ---------------------------------------------------------------------------------------------

    @classmethod
    def open(
        cls, rulebook: Rulebook[S], *, title: str, scenario: dict[str, Json], seed: bytes, at: str
    ) -> "tuple[Referee[S], Step]":
        """Begin a campaign; play runs to the first ask."""
        sides = rulebook.sides(scenario)
        blank = Outcome(state="", asks=(), reports=0, rolls=0, turn=0)
        genesis = Genesis(
            title=title,
            rulebook=rulebook.key,
            version=rulebook.version,
            commitment=commitment(seed),
            sides=sides,
            scenario=scenario,
            outcome=blank,
        )
        referee = cls(rulebook, genesis, seed)
        return referee, referee._commit(genesis, at)

    def _begin(self, genesis: Genesis) -> None:
        self.genesis = genesis
        self._state = self.rulebook.set_up(genesis.scenario)
        self._desk = Desk(
            dice=DiceStream(self._seed, self.branch),
            sides=genesis.sides,
            knowledge={label.key: Knowledge() for label in genesis.sides},
            now=When(turn=1),
        )
        self.turn = 1
        self._start_turn()

    def _restore(self, snapshot: Snapshot, *, patient: bool = False) -> None:
        self._state = self.rulebook.state_model.model_validate(snapshot.state)
        self.branch = snapshot.branch
        self._desk = Desk(
            dice=DiceStream(self._seed, snapshot.branch),
            sides=self.genesis.sides,
            knowledge={side: known.copied() for side, known in snapshot.knowledge.items()},
            now=snapshot.now,
            next_report=snapshot.next_report,
            roll_count=snapshot.roll_count,
            maps_for=set(snapshot.maps_for),
            patient=patient,
        )
        self.turn = snapshot.turn
        self._start_turn()

    def restore(self, snapshot: Snapshot, passed: Entry) -> None:
        """Stand where ``snapshot`` was taken, having played on to the first ask after it, as ``passed`` records.

        Raises:
            Diverged: when that does not come out as recorded.
        """
        patient = isinstance(passed.body, Closed) and passed.body.patient
        self._run(lambda: self._restore(snapshot, patient=patient))
        # What this entry told before the boundary is not told again, so only where it came to rest can be compared.
        recorded: Outcome | None = getattr(passed.body, "outcome", None)
        self._compare(passed, self.outcome(recorded.told if recorded else ""))
        self._forget_told()
        self._fresh_snapshots = []
        self.head = passed

    def branch_off(self, branch: int) -> None:
        """Roll different dice from here on."""
        self.branch = branch
        self._desk.dice = DiceStream(self._seed, branch, dict(self._desk.dice.ordinals))

    # --- reading ------------------------------------------------------------------------------------------------

    @property
    def sides(self) -> tuple[SideLabel, ...]:
        """The campaign's sides."""
        return self.genesis.sides

    @property
    def now(self) -> When:
        """The present point in campaign time."""
        return self._desk.now

    def asks_for(self, side: Side) -> tuple[AnyAsk, ...]:
        """The open asks that ``side`` is a party to."""
        return tuple(one.ask for one in self._standing.values() if side in one.ask.parties)

    def open_asks(self) -> tuple[AnyAsk, ...]:
        """All open asks; for the host's own bookkeeping, never to be shown or counted to a side."""
        return tuple(one.ask for one in self._standing.values())

    def saved(self, side: Side, ask_id: str) -> Any:
        """What ``side`` has answered so far, or None."""
        return self._mine(side, ask_id).answers.get(side)

    def is_ready(self, side: Side) -> bool:
        """Whether ``side`` said that it is done."""
        return side in self._ready

    def is_done(self, side: Side) -> bool:
        """Whether nothing more is expected of ``side`` before the batch closes."""
        mine = [one for one in self._standing.values() if side in one.ask.parties and one.is_awaited_of(side)]
        return all(one.agreement().settled is not None for one in mine if one.shared) and (
            side in self._ready or all(one.shared for one in mine)
        )

    def all_done(self) -> bool:
        """Whether the batch may close before its deadline."""
        return bool(self._standing) and all(self.is_done(label.key) for label in self.sides)

    def agreement(self, ask_id: str) -> Agreement[Any]:
        """How the parties' accounts of a shared ask compare; unsettled and without differences while one is missing."""
        return self._standing[ask_id].agreement()

    def view(self, side: Side) -> SideView:
        """What ``side`` knows, with its own saved orders drawn in."""
        board = self._boards.get(side)
        if board is None:  # answers do not change it, only play and corrections do
            board = self._boards[side] = self.rulebook.side_board(self._state, side, self._desk.knowledge[side])
        drawn = [
            course
            for one in self._standing.values()
            if side in one.answers
            for course in one.ask.courses(one.answers[side])
        ]
        if drawn:
            replaced = {course.counter for course in drawn}
            kept = tuple(course for course in board.courses if course.counter not in replaced)
            board = board.model_copy(update={"courses": (*kept, *drawn)})
        return SideView(side=side, board=board)

    def ledgers(self, side: Side) -> tuple[Ledger, ...]:
        """What ``side`` may look up as tables."""
        known = self._desk.knowledge[side]
        return (*self.rulebook.ledgers(self._state, side, known), identification_ledger(known))

    def odds_menu(self, side: Side) -> OddsMenu:
        """What ``side`` may ask the odds of."""
        return self.rulebook.odds_menu(self._state, side, self._desk.knowledge[side])

    def odds(self, side: Side, own: str, target: str) -> Odds:
        """The chances of ``own`` against ``target``, from what ``side`` knows. Raises Refused for what it has not."""
        return self.rulebook.odds(self._state, side, self._desk.knowledge[side], own, target)

    def public_view(self) -> PublicView:
        """What anybody may know."""
        return PublicView(public=self.rulebook.public_board(self._state))

    def omniscient_view(self) -> OmniscientView:
        """Everything. The host must have made sure that the reader plays no side, or that the campaign is over."""
        return OmniscientView(omniscient=self.rulebook.omniscient_board(self._state))

    def digest(self) -> str:
        """A fingerprint of all that a replay must reproduce."""
        return self._fingerprint.take(self._state, self._desk.knowledge, self._desk.dice.ordinals)

    def defects(self) -> Sequence[str]:
        """What is impossible in the present state; empty when all is well."""
        return self.rulebook.defects(self._state)

    # --- commands -----------------------------------------------------------------------------------------------

    def try_answer(self, side: Side, ask_id: str, document: Json) -> Any:
        """Judge an answer without journalling it.

        Raises:
            NotOpen: when this is not an open ask of this side.
            Refused: with every defect.
        """
        return self._mine(side, ask_id).judge(document)

    def answer(self, side: Side, ask_id: str, document: Json, *, by: str, at: str) -> Step:
        """Save an answer; a later one replaces it.

        Raises:
            NotOpen, Refused: and nothing is changed.
        """
        kept = self._mine(side, ask_id).for_journal(document)
        return self._commit(Answered(ask=ask_id, side=side, by=by, document=kept), at)

    def revise(self, side: Side, ask_id: str, document: Json, *, by: str, at: str) -> Step | None:
        """The same, unless that very answer is saved already: then nothing happens, and there is no step."""
        standing = self._mine(side, ask_id)
        answer = standing.judge(document)
        if standing.answers.get(side) == answer:
            return None
        return self._commit(Answered(ask=ask_id, side=side, by=by, document=standing.kept(answer)), at)

    def ready(self, side: Side, *, is_ready: bool, by: str, at: str) -> Step:
        """Say that ``side`` is done with the open batch, or take it back."""
        if not self.asks_for(side):
            raise NotOpen
        return self._commit(Readied(side=side, by=by, ready=is_ready), at)

    def rule(self, ask_id: str, document: Json, *, by: str, reason: str, at: str) -> Step:
        """Settle an ask by the referee's word."""
        if ask_id not in self._standing:
            raise NotOpen
        kept = self._standing[ask_id].for_journal(document)
        return self._commit(Ruled(ask=ask_id, by=by, document=kept, reason=reason), at)

    def close(
        self, reason: Literal["all ready", "deadline", "referee"], *, by: str, at: str, patient: bool = False
    ) -> Step:
        """Close the batch and play on to the next ask; ``patient``: sheets close at their deadlines only.

        Raises:
            NotOpen: when nothing is open.
            NotSettled: when a shared ask has neither agreement nor a ruling; nothing is changed.
            RuleFailure: when the rules failed; this object is then unusable.
        """
        if not self._standing:
            raise NotOpen
        self._settled(by_silence=reason != "all ready")
        return self._commit(Closed(reason=reason, by=by, patient=patient, outcome=_BLANK), at)

    def edit(self, path: str, value: Json, *, remove: bool = False, by: str, reason: str, at: str) -> Step:
        """Change the state by hand.

        Raises:
            Refused: when the path or the value does not fit, or the state would become impossible.
        """
        return self._commit(Edited(by=by, path=path, value=value, remove=remove, reason=reason, outcome=_BLANK), at)

    def remark(self, topic: str, text: str, *, by: str, at: str) -> Step:
        """Put something on the record that changes no state."""
        return self._commit(Remarked(by=by, topic=topic, text=text), at)

    def reveal(self, *, by: str, at: str) -> Step:
        """Publish the seed. Only once the campaign has ended."""
        if self.ending is None:
            raise Refused([malformed("the seed stays sealed until the campaign has ended")])
        return self._commit(Revealed(by=by, seed=self._seed.hex()), at)

    # --- one code path for living and replaying --------------------------------------------------------------------

    def _commit(self, body: Body, at: str) -> Step:
        step, outcome = self._perform(body)
        if outcome is not None and not isinstance(body, Answered | Readied | Ruled | Remarked | Revealed):
            body = body.model_copy(update={"outcome": outcome})
        entry, written = write_entry(self.head, body, at=at, seed=self._seed)
        self.head = entry
        return self._finish(step, entry, written)

    def repeat(self, entry: Entry) -> Step:
        """Perform a recorded entry again.

        Raises:
            Diverged: when it does not come out as recorded.
        """
        try:
            step, outcome = self._perform(entry.body)
        except (NotOpen, NotSettled, Refused, RuleFailure) as error:
            raise Diverged(entry.seq, f"cannot be repeated: {type(error).__name__}") from error
        self._compare(entry, outcome)
        self.head = entry
        return self._finish(step, entry)

    def _compare(self, entry: Entry, outcome: Outcome | None) -> None:
        recorded: Outcome | None = getattr(entry.body, "outcome", None)
        if outcome is None or recorded is None or outcome == recorded:
            return
        for name in Outcome.model_fields:
            if getattr(outcome, name) != getattr(recorded, name):
                raise Diverged(entry.seq, f"the replay's {name} differs from the recorded one")

    def _finish(self, step: Step, entry: Entry, written: str = "") -> Step:
        snapshots = tuple(one.model_copy(update={"seq": entry.seq}) for one in self._fresh_snapshots)
        self._fresh_snapshots = []
        return Step(
            entry=entry,
            written=written,
            reports=step.reports,
            rolls=step.rolls,
            opened=step.opened,
            closed=step.closed,
            taken=step.taken,
            maps_for=step.maps_for,
            ending=self.ending,
            snapshots=snapshots,
        )

    def _perform(self, body: Body) -> tuple[Step, Outcome | None]:
        closed: tuple[str, ...] = ()
        taken: dict[str, tuple[str, ...]] = {}
        before = set(self._standing)
        match body:
            case Genesis():
                self._run(lambda: self._begin(body))
            case Answered(ask=ask_id, side=side, document=document):
                standing = self._mine(side, ask_id)
                standing.answers[side] = standing.judge(document)
                self._ready.discard(side)
                return _quiet(), None
            case Readied(side=side, ready=is_ready):
                (self._ready.add if is_ready else self._ready.discard)(side)
                return _quiet(), None
            case Ruled(ask=ask_id, document=document):
                standing = self._standing[ask_id]
                standing.ruling = standing.judge(document)
                return _quiet(), None
            case Closed(reason=reason, patient=patient):
                self._desk.patient = patient
                settled = self._settled(by_silence=reason != "all ready")
                closed = tuple(before)
                taken = {
                    key: tuple(one.ask.read_back(settled[key])) for key, one in self._standing.items() if key in settled
                }
                self._run(lambda: self._resume(settled))
            case Edited(path=path, value=value, remove=remove):
                self._edit(path, value, remove=remove)
            case Remarked() | Revealed():
                return _quiet(), None
            case Rewound():
                raise NotOpen
        desk = self._desk
        step = Step(
            entry=_NO_ENTRY,
            reports=tuple(desk.reports),
            rolls=tuple(desk.rolls),
            opened=tuple(one.ask for key, one in self._standing.items() if key not in before or closed),
            closed=tuple(sorted(closed)),
            taken=taken,
            maps_for=self._maps_due(),
        )
        self._forget_told()
        told = digest([one.model_dump(mode="json") for one in (*step.reports, *step.rolls)])
        return step, self.outcome(told)

    def _forget_told(self) -> None:
        """What was told has been handed on, and the maps of those who are asked."""
        self._desk.maps_for.difference_update(self._maps_due())
        self._desk.reports.clear()
        self._desk.rolls.clear()

    def _maps_due(self) -> tuple[Side, ...]:
        """The sides whose maps are to be posted now: those that are asked something, or all at the end."""
        asked = {side for one in self._standing.values() for side in one.ask.parties}
        due = self._desk.maps_for & asked if asked else self._desk.maps_for
        return tuple(label.key for label in self.sides if label.key in due)

    def outcome(self, told: str = "") -> Outcome:
        """Where the campaign stands, as the journal records it; ``told`` is the digest of what was just told."""
        return Outcome(
            state=self.digest(),
            told=told,
            asks=tuple(self._standing),
            reports=self._desk.next_report - 1,
            rolls=self._desk.roll_count,
            turn=self.turn,
            ended=self.ending is not None,
        )

    def _mine(self, side: Side, ask_id: str) -> Standing:
        standing = self._standing.get(ask_id)
        if standing is None or side not in standing.ask.parties:
            raise NotOpen
        return standing

    def _settled(self, *, by_silence: bool) -> dict[str, Any]:
        """The answers the batch closes with.

        A side that stays silent to the deadline has its default taken; on a shared ask its silence agrees to the
        account of the other side.
        """
        settled: dict[str, Any] = {}
        open_still: list[AnyAsk] = []
        for ask_id, one in self._standing.items():
            if one.ruling is not None:
                settled[ask_id] = one.ruling
            elif not one.shared:
                answer = one.answers.get(one.ask.parties[0], one.ask.default)
                settled[ask_id] = answer
            else:
                agreed = one.agreement().settled
                if agreed is None and by_silence and len(one.answers) == 1:
                    agreed = next(iter(one.answers.values()))
                settled[ask_id] = agreed
            if settled[ask_id] is None:
                open_still.append(one.ask)
        if open_still:
            raise NotSettled(open_still)
        return settled

    def _edit(self, path: str, value: Json, *, remove: bool) -> None:
        before = self._state.model_dump(mode="json")
        self._boards.clear()
        assign(self._state, path, value, remove=remove)
        problems = self.rulebook.defects(self._state)
        if problems:
            self._undo(before, path)
            raise Refused([malformed(f"the state would become impossible: {problem}", path) for problem in problems])
        table = Table(self._state, self._desk, f"edit/{self.head.seq + 1 if self.head else 0}")
        table.tell(EVERYBODY, "The referee made a correction; the journal records it.", kind="referee")
        for one in self._standing.values():
            one.forget()
            for side in list(one.answers):
                refusals = tuple(one.ask.check(one.answers[side]))
                if refusals:
                    del one.answers[side]
                    self._ready.discard(side)
                    lost = f"After the referee's correction your answer to “{one.ask.title}” must be given again."
                    table.tell([side], lost, kind="referee")

    def _undo(self, before: dict[str, Json], path: str) -> None:
        """Put back the value at ``path``."""
        old: Any = before
        parts = path.split(".")
        for part in parts[:-1]:
            old = old[part]
        if parts[-1] in old:
            assign(self._state, path, old[parts[-1]])
        else:
            assign(self._state, path, None, remove=True)

    # --- the flow -------------------------------------------------------------------------------------------------

    def _run(self, action: Any) -> None:
        self._boards.clear()
        try:
            action()
        except (NotOpen, NotSettled, Refused):
            raise
        except Exception as error:
            raise RuleFailure(f"{type(error).__name__} while playing on") from error

    def _start_turn(self) -> None:
        for _ in range(MOST_TURNS_UNASKED):
            self._flow = self.rulebook.turn_steps(Table(self._state, self._desk, f"T{self.turn}"))
            try:
                self._open(next(self._flow))
            except StopIteration:
                if self._turn_over():
                    return
            else:
                return
        raise RuntimeError(f"{MOST_TURNS_UNASKED} turns went by and nobody was asked anything")

    def _resume(self, settled: Mapping[str, Any]) -> None:
        flow = self._flow
        if flow is None:
            raise NotOpen
        self._standing = {}
        self._ready = set()
        try:
            self._open(flow.send(settled))
        except StopIteration:
            if not self._turn_over():
                self._start_turn()

    def _turn_over(self) -> bool:
        """A turn ended: see whether the campaign did, and keep a snapshot if not. True when it ended."""
        self._flow = None
        self.ending = self.rulebook.ending(self._state)
        if self.ending is not None:
            return True
        self.turn += 1
        # Every label begins with its turn, so counting may begin anew and never grows with the campaign.
        self._desk.dice = DiceStream(self._seed, self.branch)
        # Of several turns that went by in one command only the newest boundary is kept. What it holds was made here, so
        # it need not be validated, which takes longer than playing the turn.
        self._fresh_snapshots = [
            Snapshot.model_construct(
                seq=0,
                version=self.rulebook.version,
                turn=self.turn,
                branch=self.branch,
                state=self._state.model_dump(mode="json"),
                knowledge={side: known.copied() for side, known in self._desk.knowledge.items()},
                next_report=self._desk.next_report,
                roll_count=self._desk.roll_count,
                now=self._desk.now,
                maps_for=tuple(sorted(self._desk.maps_for)),
            )
        ]
        return False

    def _open(self, batch: Batch) -> None:
        self._standing = {ask.id: Standing(ask) for ask in batch.asks}
        self._ready = set()
        if len(self._standing) != len(batch.asks):
            raise ValueError("two asks of one batch have the same id")


_BLANK = Outcome(state="", asks=(), reports=0, rolls=0, turn=0)
_NO_ENTRY: Any = None


def _quiet() -> Step:
    return Step(entry=_NO_ENTRY)
