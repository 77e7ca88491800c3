"""The referee: drives one campaign's flow of play, live and in replay by the very same code.

Every command returns a :class:`Step` with the journal entry that records it. The host writes the entry, and what
the step wants told, in one transaction, and only then tells anybody. A replay performs the recorded commands again
and compares what comes out.
"""

from typing import Any, Literal, TypeVar, cast

from pydantic import BaseModel

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.basics.canon import digest, ordered
from rules_engine.core.basics.dice import DiceStream, commitment
from rules_engine.core.basics.refusals import Refused, malformed
from rules_engine.core.knowledge.reports import EVERYBODY
from rules_engine.core.protocol.rulebook import Rulebook
from rules_engine.core.protocol.turn_context import Table
from rules_engine.core.records.journal import (
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
from rules_engine.core.running.edits import assign
from rules_engine.core.running.position import Position
from rules_engine.core.running.transitions import Diverged, NotOpen, NotSettled, RuleFailure, Snapshot, Step

S = TypeVar("S", bound=BaseModel)


class Referee(Position[S]):
    """One campaign in memory. Made by :meth:`open`, or from its journal by ``replaying``."""

    # --- beginnings ---------------------------------------------------------------------------------------------

    @classmethod
    def open(
        cls, rulebook: Rulebook[S], *, title: str, scenario: dict[str, Json], seed: bytes, at: str
    ) -> "tuple[Referee[S], Step]":
        """Begin a campaign; play runs to the first ask."""
        scenario = cast("dict[str, Json]", ordered(scenario))
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
        return self._commit(Answered(ask=ask_id, side=side, by=by, document=standing.kept(answer, document)), at)

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
        try:
            value = ordered(value)
        except (TypeError, ValueError) as error:
            legal = 'text, whole numbers, "n/d", true, false, null, lists and objects of these'
            raise Refused([malformed("this cannot stand in the record", path, legal=legal)]) from error
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
        if step is _QUIET:
            return Step(entry=entry, written=written, ending=self.ending)
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
            public_map=step.public_map,
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
                return _QUIET, None
            case Readied(side=side, ready=is_ready):
                (self._ready.add if is_ready else self._ready.discard)(side)
                return _QUIET, None
            case Ruled(ask=ask_id, document=document):
                standing = self._standing[ask_id]
                standing.ruling = standing.judge(document)
                return _QUIET, None
            case Closed(reason=reason, patient=patient):
                self._desk.patient = patient
                settled = self._settled(by_silence=reason != "all ready")
                self._desk.settlements = self._settlements()
                closed = tuple(before)
                taken = {
                    key: tuple(one.ask.read_back(settled[key])) for key, one in self._standing.items() if key in settled
                }
                self._run(lambda: self._resume(settled))
            case Edited(path=path, value=value, remove=remove):
                self._edit(path, value, remove=remove)
            case Remarked() | Revealed():
                return _QUIET, None
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
            public_map=self._public_map_due(),
        )
        self._forget_told()
        told = digest([one.model_dump(mode="json") for one in (*step.reports, *step.rolls)])
        return step, self.outcome(told)

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


_BLANK = Outcome(state="", asks=(), reports=0, rolls=0, turn=0)
_NO_ENTRY: Any = None
_QUIET = Step(entry=_NO_ENTRY)
"""What did nothing but stand in the journal."""
