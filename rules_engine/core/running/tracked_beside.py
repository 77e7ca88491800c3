"""A campaign with the battles that are tracked beside its play: what may be read of them, and how they go on."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from rules_engine.core.basics.base import Party, Side
from rules_engine.core.basics.dice import DiceStream
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.knowledge.views import Board, Course, OmniscientView, PartiesView, SideView
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.records.journal import Checkpoint, JournalEntry, Tracking
from rules_engine.core.running.position import Position
from rules_engine.core.running.tracked import (
    Surroundings,
    TrackedBattle,
    TrackedDeed,
    TrackedRest,
    is_asked_beside,
    strand_of,
)
from rules_engine.core.running.tracking import HandedOn, TrackingNow
from rules_engine.core.running.transitions import Diverged, NotOpen, OpenAsk, RuleFailure, Transition
from rules_engine.core.tactics.tallies import TacticalTally

S = TypeVar("S", bound=Record)


class TrackedBeside(Position[S]):
    """A position with its tracked battles."""

    # --- reading ----------------------------------------------------------------------------------------------------

    def tracking(self, ask_id: str) -> TrackingNow | None:
        """How the tracker of an open ask's battle stands; None where that cannot be tracked, or is not open."""
        open_ask = self._open_asks.get(ask_id)
        return None if open_ask is None else self._tracked.now(open_ask.ask)

    def battle_in(self, strand: str) -> str:
        """The ask whose tracked battle has its own asks in that strand; empty for a strand of play."""
        return self._tracked.of_strand(strand)

    def lost_battles(self) -> tuple[str, ...]:
        """The asks of open battles that a replay passed over because they do not come out as recorded; the host lets go
        of each before anything else is done."""
        return tuple(self._tracked.unplayed)

    def tactical_view(self, side: Side, ask_id: str) -> SideView:
        """What a party knows of a battle that is tracked, with its own saved plots drawn in.

        Raises:
            NotOpen: when it is no party, or the battle is not tracked.
        """
        battle = self._tracked_of(side, ask_id)
        board = battle.tracker.side_board(battle.state, battle.tactics.battle, side)
        drawn = [
            course
            for one in self._open_asks.values()
            if one.ask.beside == ask_id and side in one.ask.parties and (answer := one.answer_of(side)) is not None
            for course in one.ask.courses(answer)
        ]
        return SideView(side=side, board=self._seated(board, drawn))

    def view_of(self, side: Side, ask: AnyAsk) -> SideView:
        """What a side knows of what an ask is about: of a battle that is tracked, or of the campaign."""
        return self.tactical_view(side, ask.beside) if ask.beside else self.view(side)

    def common_tactical_view(self, ask_id: str) -> PartiesView:
        """What all parties of a battle that is tracked know of it. Raises NotOpen when it is not."""
        battle = self._battle(ask_id)
        board = battle.tracker.common_board(battle.state, battle.tactics.battle)
        return PartiesView(parties=battle.ask.parties, board=self._seated(board))

    def omniscient_tactical_view(self, ask_id: str) -> OmniscientView:
        """All of a battle that is tracked, as :meth:`omniscient_view`. Raises NotOpen when it is not."""
        battle = self._battle(ask_id)
        board = battle.tracker.omniscient_board(battle.state, battle.tactics.battle)
        return OmniscientView(omniscient=self._seated(board))

    def _seated(self, board: Board, drawn: Sequence[Course] = ()) -> Board:
        """A board of a battle in the colours that its parties have in the campaign, with what is ``drawn`` in."""
        seats = {label.key: seat for seat, label in enumerate(self.sides)}
        scene = board.tactical
        if scene is not None:
            parties = tuple(Party(label=one.label, seat=seats[one.label.key]) for one in scene.parties)
            scene = scene.model_copy(update={"parties": parties})
        return board.model_copy(update={"tactical": scene, "courses": (*board.courses, *drawn)})

    def tally(self, ask_id: str) -> TacticalTally | None:
        """What was counted of a battle, for its parties; None where it is not tracked."""
        battle = self._tracked.find(ask_id)
        return None if battle is None else battle.tracker.tally(battle.state)

    def filled_in(self, ask_id: str) -> Sheet:
        """The sheet of a battle's ask as its tracker would fill it in; empty where it is not tracked."""
        tally = self.tally(ask_id)
        return {} if tally is None else self._battle(ask_id).tactics.account(tally)

    def tracked_remarks(self, ask_id: str) -> Sequence[str]:
        """What a battle's book says to what was counted; nothing where it is not tracked."""
        tally = self.tally(ask_id)
        return () if tally is None else self._battle(ask_id).tactics.remarks(tally)

    def _battle(self, ask_id: str) -> TrackedBattle:
        battle = self._tracked.find(ask_id)
        if battle is None:
            raise NotOpen
        return battle

    def _tracked_of(self, side: Side, ask_id: str) -> TrackedBattle:
        self._mine(side, ask_id)
        return self._battle(ask_id)

    # --- a replay -------------------------------------------------------------------------------------------------

    def stands_as(self, recorded: Checkpoint) -> bool:
        """Whether the campaign stands where a rewind left it by what was recorded."""
        return not self._difference(self.checkpoint(recorded.told), recorded, of_play=True)

    def _compare(self, entry: JournalEntry, outcome: Checkpoint | None) -> None:
        recorded: Checkpoint | None = getattr(entry.body, "outcome", None)
        if outcome is None or recorded is None:
            return
        of_play = isinstance(entry.body, Tracking) and entry.body.lost
        if differs := self._difference(outcome, recorded, of_play=of_play):
            raise Diverged(entry.seq, f"the replay's {differs} differs from the recorded one")

    def _difference(self, outcome: Checkpoint, recorded: Checkpoint, *, of_play: bool = False) -> str:
        """In what an outcome differs from the recorded one; empty where it does not. What is tracked is left out where
        the record may know more or less of it than there is in memory: if a battle is not in memory (yet), and
        ``of_play``, where several of them may be let go of, one by one."""
        if outcome == recorded:
            return ""
        absent = self._tracked.absent()
        if absent or of_play:
            outcome, recorded = (
                one.model_copy(
                    update={
                        "asks": tuple(
                            key
                            for key in one.asks
                            if not (key.startswith(absent) or (of_play and is_asked_beside(key)))
                        ),
                        "tracked": "",
                    }
                )
                for one in (outcome, recorded)
            )
        differing = (name for name in Checkpoint.model_fields if getattr(outcome, name) != getattr(recorded, name))
        return next(differing, "")

    def _pass_over(self, entry: JournalEntry, ask_id: str) -> Transition | None:
        """Take an entry about a tracked battle as done which was kept as it stood at that entry or later, and take the
        battle up where this is the entry; or which is not played at all. None: it must be played."""
        rest, recorded = self._tracked.kept_for(entry), getattr(entry.body, "outcome", None)
        if rest is None and not self._tracked.passes(entry):
            return None
        if rest is not None and entry.seq == rest.seq:
            open_ask = self._open_asks.get(rest.ask)
            if open_ask is None:
                raise Diverged(entry.seq, "a battle was kept that is not open")
            around = self._surroundings()
            self._stand_beside(self._tracked.restore(rest, open_ask.ask, around))
            self._tracked.handed_on(around)
        if recorded is not None:
            self._shared.next_report, self._shared.roll_count = recorded.reports + 1, recorded.rolls
            if rest is not None and entry.seq == rest.seq:
                self._compare(entry, self.checkpoint(recorded.told))
        if rest is None:
            own = f"{strand_of(ask_id)}/"
            asked = None if recorded is None else tuple(key for key in recorded.asks if key.startswith(own))
            self._tracked.pass_over(ask_id, asked)
        self._opened = ()
        self.head = entry
        return Transition(entry=entry, ending=self.ending)

    def start_tracking_from(self, rests: Sequence[TrackedRest], passing: Mapping[str, int]) -> None:
        """Before a replay: take tracked battles up where they were kept, instead of flying them again, and pass over
        what is recorded of others, until the entries in ``passing``."""
        self._tracked.start_from(rests, passing)

    def branch_off(self, branch: int) -> None:
        """Roll different dice from here on."""
        self.branch = branch
        dice = self._shared.dice
        self._shared.dice = DiceStream(self._seed, branch, dice.ordinals, dice.seal)
        self._tracked.branch_off(branch)

    def _read_back(self, strand: str, settled: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
        """What is taken of each ask in a strand, in words."""
        return {one.ask.id: tuple(one.ask.read_back(settled[one.ask.id])) for one in self._in(strand)}

    def _gone(self, before: Sequence[str]) -> tuple[str, ...]:
        """Which of the asks that were open ``before`` are open no more."""
        return tuple(key for key in before if key not in self._open_asks)

    # --- going on ---------------------------------------------------------------------------------------------------

    def _surroundings(self) -> Surroundings:
        out = frozenset(self.rulebook.out_of_play(self._state))
        return Surroundings(self.labels, self.now, self._seed, self.branch, out)

    def _fly(self, ask_id: str, settled: Mapping[str, Any], nonce: str | None) -> TrackedDeed:
        """Go on with a tracked battle whose own asks have closed."""
        settlements = self._settlements(self._battle(ask_id).strand)
        self._forget_beside(settled)
        try:
            change = self._tracked.go_on(ask_id, settled, settlements, self._surroundings(), nonce)
        except Exception as error:
            raise RuleFailure(f"{type(error).__name__} while a battle was flown") from error
        self._stand_beside(change.opened)
        return change.deed

    def _track(self, body: Tracking) -> TrackedDeed:
        """Carry out what is wished of a battle's tracker."""
        open_ask = self._open_asks.get(body.ask)
        if open_ask is None:
            raise NotOpen
        if body.lost:
            own = strand_of(body.ask)
            self._forget_beside([key for key, one in self._open_asks.items() if one.ask.strand == own])
            return self._tracked.let_go(body.ask, (self.head.seq if self.head else 0) + 1)
        before, strand = self.tracking(body.ask), open_ask.ask.strand
        shared = self._shared
        seal = shared.strands[strand].seal if strand in shared.strands else shared.dice.seal
        try:
            change = self._tracked.carry_out(
                body, open_ask.ask, self._surroundings(), lambda key: shared.dice.parted(seal, key)
            )
        except (NotOpen, Refused):
            raise
        except Exception as error:
            raise RuleFailure(f"{type(error).__name__} while a battle was taken up") from error
        if change.is_anew and before is not None:
            self._forget_beside([key for key, one in self._open_asks.items() if one.ask.strand == before.strand])
        self._stand_beside(change.opened)
        return change.deed

    def _forget_beside(self, ask_ids: Iterable[str]) -> None:
        """Close asks of a tracked battle, and nobody is ready for what comes next."""
        gone = {*ask_ids}
        for one in [one for key, one in self._open_asks.items() if key in gone]:
            self._ready.pop(one.ask.strand, None)
        self._open_asks = {key: one for key, one in self._open_asks.items() if key not in gone}

    def _stand_beside(self, asks: tuple[AnyAsk, ...]) -> None:
        """Open what a tracked battle asks."""
        self._open_asks |= {ask.id: OpenAsk(ask) for ask in asks}
        self._opened = asks

    def _were_tracked(self) -> tuple[AnyAsk, ...]:
        """The open asks beside which a battle is tracked, or was until that was dropped."""
        return tuple(one.ask for one in self._of_play() if self._tracked.was_tracked(one.ask.id))

    def _end_tracking(self) -> None:
        """Let go of battles whose asks have closed."""
        for strand in self._tracked.end_without({one.ask.id: one for one in self._of_play()}):
            self._forget_beside([key for key, one in self._open_asks.items() if one.ask.strand == strand])
            self._ready.pop(strand, None)

    def _hand_on_tracked(self) -> HandedOn:
        """Number what tracked battles have told, and hand it on with what play told."""
        handed, shared = self._tracked.handed_on(self._surroundings()), self._shared
        for report in handed.reports:
            shared.reports.append(report.model_copy(update={"number": shared.next_report}))
            shared.next_report += 1
        shared.rolls += handed.rolls
        shared.roll_count += len(handed.rolls)
        return handed
