"""The adjudicator: drives one campaign's flow of play, live and in replay by the same code.

Every command returns a :class:`Transition` with the journal entry that records it. The host stores the entry and the
messages to be sent in one transaction, and sends them only after that. A replay performs the recorded commands
again and compares the results.
"""

from dataclasses import replace
from hashlib import sha256
from typing import Any, Literal, TypeVar, cast

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.basics.canonical_json import ordered
from rules_engine.core.basics.dice import commitment
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.refusals import Refused, malformed
from rules_engine.core.basics.seals import masked_seal
from rules_engine.core.knowledge.reports import EVERYBODY
from rules_engine.core.protocol.rulebook import Rulebook
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.core.records.journal import (
    Answered,
    Checkpoint,
    Closed,
    Edited,
    EntryBody,
    Genesis,
    JournalEntry,
    Readied,
    Remarked,
    Revealed,
    Rewound,
    Ruled,
    Seated,
    Tracking,
    Wish,
    write_entry,
)
from rules_engine.core.records.moments import spelt
from rules_engine.core.running.asked import only
from rules_engine.core.running.corrections import PlannedEdit, plan_edit, try_edit
from rules_engine.core.running.edits import assign
from rules_engine.core.running.tracked import AnyTracker, TrackedDeed, battle_of
from rules_engine.core.running.tracked_beside import TrackedBeside
from rules_engine.core.running.tracking import BEGINNINGS
from rules_engine.core.running.transitions import (
    Diverged,
    NotOpen,
    NotSettled,
    RuleFailure,
    Snapshot,
    Transition,
    diverged_at,
)

S = TypeVar("S", bound=Record)


class Adjudicator(TrackedBeside[S]):
    """One campaign in memory. Made by :meth:`open`, or from its journal by :func:`replay.replay`."""

    # --- beginnings ---------------------------------------------------------------------------------------------

    @classmethod
    def open(
        cls,
        rulebook: Rulebook[S],
        *,
        title: str,
        scenario: dict[str, Json],
        seed: bytes,
        at: str,
        nonce: str | None = None,
        tracker: AnyTracker | None = None,
    ) -> "tuple[Adjudicator[S], Transition]":
        """Begin a campaign; play runs to the first ask.

        With a ``nonce``, made at random just now, its dice are sealed, and each closing needs one, too. Without one
        they are of the kind that can be computed ahead from the seed.
        """
        scenario = cast("dict[str, Json]", ordered(scenario))
        sides = rulebook.sides(scenario)
        blank = Checkpoint(state="", asks=(), reports=0, rolls=0, turn=0)
        genesis = Genesis(
            title=title,
            rulebook=rulebook.key,
            version=rulebook.version,
            commitment=commitment(seed),
            sides=sides,
            scenario=scenario,
            nonce=nonce,
            outcome=blank,
        )
        adjudicator = cls(rulebook, genesis, seed, tracker)
        return adjudicator, adjudicator._commit(genesis, at)

    def restore(self, snapshot: Snapshot, passed: JournalEntry, carried: JournalEntry | None = None) -> None:
        """Start from ``snapshot`` and play on to the first ask after it, which entry ``passed`` recorded; or entry
        ``carried``, if that made it the new start.

        Raises:
            Diverged: when play does not arrive where that entry recorded it.
        """
        if carried is not None:
            snapshot = snapshot.model_copy(update={"seal": masked_seal(self._seed, carried.seq, snapshot.seal)})
        self._start_from(snapshot, passed.body)
        at = carried or passed
        # What this entry told before the boundary is not told again, so only the position reached can be compared.
        recorded: Checkpoint | None = getattr(at.body, "outcome", None)
        self._compare(at, self.checkpoint(recorded.told if recorded else ""))
        self._forget_told()
        self._boundary = None
        self.head = at
        if carried is not None:  # then all were shown what is, or stood before it
            self._last_shown.show_the_present(self._readers())
            self.played_by = getattr(carried.body, "version", "")

    def begin_anew(
        self, start: Snapshot, passed: JournalEntry, head: JournalEntry, body: Rewound, at: str
    ) -> Transition:
        """Begin the turn of ``start`` anew, by the rules that there are now, and journal it behind ``head``.

        Raises:
            RuleFailure: when that state is none that these rules can play on from.
        """
        self._start_from(start, passed.body)
        self._last_shown.show_the_present(self._readers())
        reports, rolls = tuple(self._shared.reports), tuple(self._shared.rolls)
        self._forget_told()
        self._boundary, self.head = None, head
        carried = self.carry_on(start, body, at)
        everybody = tuple(label.key for label in self.sides)
        return replace(
            carried, reports=reports, rolls=rolls, opened=self.open_asks(), maps_for=everybody, public_map=True
        )

    def carry_on(self, start: Snapshot, body: Rewound, at: str) -> Transition:
        """Journal that the turn that begins with ``start``, and has just begun, goes by these rules from here on. From
        now on all see what is, as they do when play is taken up here."""
        self._last_shown.show_the_present(self._readers())
        self._boards.clear()
        self.played_by = self.rulebook.version
        seq = 1 if self.head is None else self.head.seq + 1
        document = start.model_copy(update={"seal": masked_seal(self._seed, seq, start.seal)}).model_dump_json()
        more = {"start": document, "version": self.rulebook.version, "outcome": self.checkpoint()}
        return self._commit(body.model_copy(update=more), at)

    # --- commands -----------------------------------------------------------------------------------------------

    def try_answer(self, side: Side, ask_id: str, document: Json) -> Any:
        """Judge an answer without journalling it.

        Raises:
            NotOpen: when this is not an open ask of this side.
            Refused: with every defect.
        """
        return self._mine(side, ask_id).judge_sent(document)

    def answer(self, side: Side, ask_id: str, document: Json, *, by: str, at: str) -> Transition:
        """Save an answer; a later one replaces it, also one of a partner of the same force.

        Raises:
            NotOpen, Refused: as :meth:`try_answer`; nothing is changed.
        """
        kept = self._mine(side, ask_id).for_journal(document)
        return self._commit(Answered(ask=ask_id, side=side, by=by, document=kept), at)

    def revise(self, side: Side, ask_id: str, document: Json, *, by: str, at: str) -> Transition | None:
        """Save an answer as :meth:`answer` does; None, and no journal entry, if the same answer of this side stands
        already."""
        open_ask = self._mine(side, ask_id)
        answer = open_ask.judge_sent(document)
        if open_ask.sender_of(side) == side and open_ask.answer_of(side) == answer:
            return None
        return self._commit(Answered(ask=ask_id, side=side, by=by, document=open_ask.kept(answer, document)), at)

    def ready(self, side: Side, *, is_ready: bool, by: str, at: str, strand: str | None = None) -> Transition:
        """Say that ``side`` is done with what is open in a strand, or take it back.

        Raises:
            NotOpen: when nothing is asked of it there.
            ValueError: when it is asked in several strands, and none is named.
        """
        strand = only(self._strands_of(side, None), strand)
        return self._commit(Readied(side=side, by=by, ready=is_ready, strand=strand), at)

    def rule(self, ask_id: str, document: Json, *, by: str, reason: str, at: str) -> Transition:
        """Settle an ask by the referee's word."""
        if ask_id not in self._open_asks:
            raise NotOpen
        kept = self._open_asks[ask_id].for_journal(document)
        return self._commit(Ruled(ask=ask_id, by=by, document=kept, reason=reason), at)

    def close(
        self,
        reason: Literal["all ready", "deadline", "referee"],
        *,
        by: str,
        at: str,
        strand: str | None = None,
        patient: bool = False,
        orders_wait: bool = False,
        nonce: str | None = None,
    ) -> Transition:
        """Close a strand and play on to what is asked next; ``patient``: sheets close only at their deadlines;
        ``orders_wait``: what standing orders answer takes its time (:class:`SharedTurn`).

        While play has not parted there is one strand, which need not be named.
        ``nonce`` was made at random just now; a campaign without seals has no use for it.

        Raises:
            ValueError: when the campaign has seals and there is no nonce, or none that could be one; or when several
                strands are open and none is named.
            NotOpen: when nothing is open.
            NotSettled: when a shared ask has neither agreement nor a ruling; nothing is changed.
            RuleFailure: when the rules failed; this object is then unusable.
        """
        strand = only(self.strands(), strand)
        self._settled(strand, by_silence=reason != "all ready")
        if not self.genesis.has_seals:
            nonce = None
        elif nonce is None:
            raise ValueError("sealed dice need a nonce at each closing")
        body = Closed(reason=reason, by=by, strand=strand, patient=patient, nonce=nonce, outcome=_BLANK)
        return self._commit(body.model_copy(update={"orders_wait": orders_wait}), at)

    def track(
        self,
        side: Side,
        ask_id: str,
        wish: Wish,
        *,
        wanted: bool = True,
        options: dict[str, Json] | None = None,
        by: str,
        at: str,
    ) -> Transition:
        """Say what a party of a battle wishes of its tracker, or take that back (not ``wanted``); an empty ``side`` is
        the campaign's setting or the referee, and needs nobody else.

        Raises:
            NotOpen: when this is no open battle of that side that can be tracked.
            Refused: when the wish makes no sense as the battle stands, or for options that are none.
            RuleFailure: when the rules failed; this object is then unusable.
        """
        open_ask = self._open_asks.get(ask_id)
        if open_ask is None:
            raise NotOpen
        given = options or {}
        self._tracked.judge(open_ask.ask, side, wish, given)
        version = self._tracked.version if wish in BEGINNINGS else ""
        body = Tracking(
            ask=ask_id,
            side=side,
            by=by,
            wish=wish,
            wanted=wanted,
            options=given,
            version=version,
            outcome=_BLANK,
        )
        return self._commit(body, at)

    def let_go(self, ask_id: str, *, by: str, at: str) -> Transition:
        """Journal that the tracker of a battle is let go of whose record could not be played: one of
        :meth:`lost_battles`, until whose end nothing else can be done."""
        if ask_id not in self.lost_battles():
            raise NotOpen
        return self._commit(Tracking(ask=ask_id, side="", by=by, wish="drop", lost=True, outcome=_BLANK), at)

    def plan_edit(self, path: str, typed: Json, *, remove: bool = False) -> PlannedEdit:
        """What a change of the state by hand would do; nothing is changed. For a referee who may see everything.

        Raises:
            Refused: when the path or the value does not fit, or the state would become impossible.
        """
        known, asks = self._shared.knowledge, self.open_asks()
        return plan_edit(self.rulebook, self._state, path, typed, remove=remove, knowledge=known, asks=asks)

    def edit(self, path: str, value: Json, *, remove: bool = False, by: str, reason: str, at: str) -> Transition:
        """Change the state by hand, as :meth:`plan_edit` says; each side whose view changes is told what it may know.

        Raises:
            Refused: as :meth:`plan_edit`; nothing is changed.
        """
        plan = self.plan_edit(path, value, remove=remove)
        told = {side: plan.words_for(side, reason) for side in plan.told}
        body = Edited(by=by, path=plan.path, value=plan.value, remove=remove, reason=reason, told=told, outcome=_BLANK)
        return self._commit(body, at)

    def remark(self, topic: str, text: str, *, by: str, at: str) -> Transition:
        """Journal something that changes no state."""
        return self._commit(Remarked(by=by, topic=topic, text=text), at)

    def seat(self, seated: Seated, *, at: str) -> Transition:
        """Journal who sits where from here on."""
        return self._commit(seated, at)

    def reveal(self, *, by: str, at: str, letters: str = "") -> Transition:
        """Publish the seed, and the hash of what sides wrote to each other beside the record. Allowed only once the
        campaign has ended."""
        if self.ending is None:
            raise Refused([malformed("the seed stays sealed until the campaign has ended")])
        return self._commit(Revealed(by=by, seed=self._seed.hex(), letters=letters), at)

    # --- one code path, live and in replay -------------------------------------------------------------------------

    def _commit(self, body: EntryBody, at: str) -> Transition:
        if self.lost_battles() and not (isinstance(body, Tracking) and body.lost):
            raise RuntimeError("battles that could not be played must be let go of first")
        transition, outcome = self._perform(body)
        if outcome is not None and not isinstance(body, Answered | Readied | Ruled | Remarked | Seated | Revealed):
            body = body.model_copy(update={"outcome": outcome})
        entry, written = write_entry(self.head, body, at=at, seed=self._seed)
        self.head = entry
        return self._finish(transition, entry, written)

    def repeat(self, entry: JournalEntry) -> Transition:
        """Perform a recorded entry again.

        Raises:
            Diverged: when it does not come out as recorded; a TrackerDiverged for one about a battle that is tracked.
        """
        if isinstance(entry.body, Closed) and (entry.body.nonce is not None) is not self.genesis.has_seals:
            raise Diverged(entry.seq, "a nonce is missing, or there is one in a campaign whose dice have no seals")
        ask_id = battle_of(entry.body)
        try:
            return self._pass_over(entry, ask_id) or self._repeat(entry)
        except (Diverged, NotOpen, NotSettled, Refused, RuleFailure) as error:
            raise diverged_at(entry, ask_id, error) from error
        except Exception as error:
            if not ask_id:
                raise
            raise diverged_at(entry, ask_id, error) from error

    def _repeat(self, entry: JournalEntry) -> Transition:
        transition, outcome = self._perform(entry.body, again=True)
        self._compare(entry, outcome)
        self.head = entry
        return self._finish(transition, entry)

    def _finish(self, transition: Transition, entry: JournalEntry, written: str = "") -> Transition:
        if isinstance(entry.body, Answered):
            self._open_asks[entry.body.ask].note_sent(entry.body.side, entry.at)
        if transition is _QUIET:
            return Transition(entry=entry, written=written, ending=self.ending)
        boundary, self._boundary = self._boundary, None
        rests = tuple(one.model_copy(update={"seq": entry.seq}) for one in transition.rests)
        return replace(transition, entry=entry, written=written, ending=self.ending, boundary=boundary, rests=rests)

    def _perform(self, body: EntryBody, *, again: bool = False) -> tuple[Transition, Checkpoint | None]:
        """Carry out an entry; ``again``: in a replay, where nobody is read back what was taken."""
        closed: tuple[str, ...] = ()
        taken: dict[str, tuple[str, ...]] = {}
        deeds: tuple[TrackedDeed, ...] = ()
        fought = self._were_tracked() if isinstance(body, Closed) else ()
        self._opened = ()
        match body:
            case Genesis():
                self._run(lambda: self._begin(body))
            case Answered(ask=ask_id, side=side, document=document):
                open_ask = self._mine(side, ask_id)
                open_ask.take(side, open_ask.judge(document))
                self._ready.get(open_ask.ask.strand, set[Side]()).discard(side)
                self._tracked.hear(open_ask.ask.beside)
                return _QUIET, None
            case Readied(side=side, ready=is_ready, strand=strand):
                done = self._ready.setdefault(strand, set())
                (done.add if is_ready else done.discard)(side)
                self._tracked.hear(self._tracked.of_strand(strand))
                return _QUIET, None
            case Ruled(ask=ask_id, document=document, by=by):
                self._open_asks[ask_id].rule(document, by)
                return _QUIET, None
            case Closed(reason=reason, strand=strand, nonce=nonce):
                settled = self._settled(strand, by_silence=reason != "all ready")
                taken = {} if again else self._read_back(strand, settled)
                before = tuple(self._open_asks)
                if battle := self._tracked.of_strand(strand):
                    deeds = (self._fly(battle, settled, nonce),)
                else:
                    self._shared.patient, self._shared.orders_wait = body.patient, body.orders_wait
                    self._shared.settlements |= self._settlements(strand)
                    self._run(lambda: self._resume(strand, settled, nonce))
                    self._end_tracking()
                closed = tuple(dict.fromkeys((*settled, *self._gone(before))))
            case Tracking():
                before = (*self._open_asks, *self._tracked.unplayed.get(body.ask, ()))
                deeds = (self._track(body),)
                closed = self._gone(before)
            case Edited():
                self._edit(body)
            case Rewound(start=""):
                raise NotOpen
            case Remarked() | Seated() | Rewound():
                return _QUIET, None
            case Revealed(seed=seed):
                if self.ending is None or seed != self._seed.hex():
                    raise NotOpen
                return _QUIET, None
        shared = self._shared
        handed = self._hand_on_tracked()
        transition = Transition(
            entry=_NO_ENTRY,
            reports=tuple(shared.reports),
            rolls=tuple(shared.rolls),
            opened=self._opened,
            closed=tuple(sorted(closed)),
            taken=taken,
            maps_for=self._maps_due(),
            public_map=self._public_map_due(),
            deeds=deeds,
            pictures=tuple(handed.pictures),
            rests=tuple(handed.rests),
            fought=tuple(ask for ask in fought if ask.id not in self._open_asks),
        )
        self._forget_told()
        told = spelt([one.model_dump(mode="json") for one in (*transition.reports, *transition.rolls)])
        return transition, self.checkpoint(sha256(told).hexdigest())

    def _edit(self, body: Edited) -> None:
        as_given = body.told is None
        try_edit(self.rulebook, self._state, body.path, body.value, remove=body.remove, as_given=as_given)
        self._boards.clear()
        assign(self._state, body.path, body.value, remove=body.remove, as_given=as_given)
        turn = TurnContext(self._state, self._shared, f"edit/{self.head.seq + 1 if self.head else 0}")
        turn.tell(EVERYBODY, "The referee made a correction; the journal records it.", kind="referee")
        for side, text in sorted((body.told or {}).items()):
            turn.tell([side], text, kind="referee")
        self._last_shown.show_the_present(self._readers())
        self._shared.told.clear()
        self._names.told(self._state)
        for one in self._open_asks.values():
            one.forget()
            for first in list(one.answers):
                refusals = tuple(one.ask.check(one.answers[first]))
                if refusals:
                    force = one.ask.force_of(first)
                    one.drop(force)
                    self._ready.get(one.ask.strand, set[Side]()).difference_update(force)
                    lost = f"After the referee's correction your answer to “{one.ask.title}” must be given again."
                    turn.tell(force, lost, kind="referee")


_BLANK = Checkpoint(state="", asks=(), reports=0, rolls=0, turn=0)
_NO_ENTRY: Any = None
_QUIET = Transition(entry=_NO_ENTRY)
"""The transition of a command that only writes a journal entry."""
