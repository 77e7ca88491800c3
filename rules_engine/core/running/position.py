"""A campaign as it stands: its state, the open asks and what was answered, and the flow of play that goes on from them.

The commands that change it are the adjudicator's (:mod:`rules_engine.core.running.adjudicator`).
"""

import weakref
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from rules_engine.core.basics.base import Side, SideLabel, When
from rules_engine.core.basics.canonical_json import digest
from rules_engine.core.basics.dice import DiceStream
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.basics.seals import first_seal, next_seal, seal_digest
from rules_engine.core.knowledge.briefing import Briefing
from rules_engine.core.knowledge.dossiers.ages import TurnParts
from rules_engine.core.knowledge.dossiers.entries import DossierEntry
from rules_engine.core.knowledge.dossiers.files import NOTHING_KEPT, Dossier, dossier_of, parts_of
from rules_engine.core.knowledge.dossiers.folding import KeptDossier, folded
from rules_engine.core.knowledge.dossiers.reading import learned_from
from rules_engine.core.knowledge.economy.holdings import Economy
from rules_engine.core.knowledge.odds import Odds, OddsMenu
from rules_engine.core.knowledge.reports import EVERYBODY, Report
from rules_engine.core.knowledge.rosters import OwnShip
from rules_engine.core.knowledge.side_tables import SideTable, contacts_table
from rules_engine.core.knowledge.views import Board, Knowledge, OmniscientView, PublicView, SideView
from rules_engine.core.protocol.asks import Batch, Steps, WaitingCard
from rules_engine.core.protocol.rulebook import Ending, Rulebook
from rules_engine.core.protocol.strands import documents_of
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.core.records.journal import Checkpoint, Closed, EntryBody, Genesis, JournalEntry
from rules_engine.core.records.moments import CampaignMoment, CampaignWatch
from rules_engine.core.running.asked import Asked
from rules_engine.core.running.corrections import EditOffer, offered_paths, offered_values
from rules_engine.core.running.last_shown import PUBLIC, LastShown
from rules_engine.core.running.side_names import SideNames
from rules_engine.core.running.tracked import AnyTracker
from rules_engine.core.running.tracking import TrackedBattles
from rules_engine.core.running.transitions import NotOpen, NotSettled, OpenAsk, RuleFailure, Snapshot, TurnBoundary

S = TypeVar("S", bound=Record)

MOST_TURNS_UNASKED = 1_000
"""A flow that plays on this many turns without asking anybody anything is taken for an error in the rules."""


class Position(Asked, Generic[S]):
    """One campaign in memory: everything that can be read of it, and the machinery that plays on."""

    def __init__(self, rulebook: Rulebook[S], genesis: Genesis, seed: bytes, tracker: AnyTracker | None = None) -> None:
        super().__init__()
        self.rulebook = rulebook
        self.genesis = genesis
        self.head: JournalEntry | None = None
        self.played_by = genesis.version
        """The version of the rules that play goes by since the record's last start."""

        self.turn = 0
        self.branch = 0
        self.ending: Ending | None = None
        self._seed = seed
        self._state: S
        self._shared: SharedTurn
        self._flow: Steps[None] | None = None
        self._weakly: Position[S] = weakref.proxy(self)
        """What play calls back on: so a campaign that is let go is gone at once, and no search for cycles, which holds
        up everybody, has to find it."""
        self._boundary: TurnBoundary | None = None
        self._boards: dict[Side, Board] = {}
        self._last_shown = LastShown[CampaignMoment[S]]()
        self._watch = CampaignWatch(rulebook.state_model)
        self._stands: CampaignMoment[S] | None = None
        """The moment of the last checkpoint; until play goes on nothing changes."""
        self._names = SideNames(rulebook, genesis.sides)
        self._tracked = TrackedBattles(tracker)

    # --- reading ------------------------------------------------------------------------------------------------

    @property
    def sides(self) -> tuple[SideLabel, ...]:
        """The campaign's sides as they were named at its beginning; their keys never change."""
        return self.genesis.sides

    @property
    def labels(self) -> tuple[SideLabel, ...]:
        """The sides as they are named at present, in the same order."""
        return self._names.of(self._state)

    @property
    def names_sides(self) -> bool:
        """Whether play may name the sides; if not, the labels are those of the beginning."""
        return self._names.may_change

    @property
    def now(self) -> When:
        """The present point in campaign time."""
        return self._shared.now

    def is_out(self, side: Side) -> bool:
        """Whether ``side`` is out of play: it is asked nothing, and nobody waits for it. Public."""
        return side in self.rulebook.out_of_play(self._state)

    def view(self, side: Side) -> SideView:
        """What ``side`` knows since it was last told or asked something, with its own saved orders drawn in, and those
        of its forces."""
        asked = [one for one in self._of_play() if side in one.ask.parties]
        board = _closing(self._board_of(side), asked)
        drawn = [
            course for one in asked if (answer := one.answer_of(side)) is not None for course in one.ask.courses(answer)
        ]
        if drawn:
            replaced = {course.counter for course in drawn}
            kept = tuple(course for course in board.courses if course.counter not in replaced)
            board = board.model_copy(update={"courses": (*kept, *drawn)})
        return SideView(side=side, board=board)

    def _board_of(self, side: Side) -> Board:
        """The board of ``side`` without its own saved orders; only play and the referee's edits change it."""
        board = self._boards.get(side)
        if board is None:
            state, known = self._seen_by(side)
            board = self._boards[side] = self.rulebook.side_board(state, side, known[side])
        return board

    def dossier(
        self,
        side: Side,
        told: Sequence[Report],
        handed_on: Iterable[DossierEntry] = (),
        *,
        kept: KeptDossier = NOTHING_KEPT,
    ) -> Dossier:
        """What ``side`` knows of others: from what is ``kept`` and what it was ``told`` since, the open map, and what
        others ``handed_on``."""
        open_map = self.public_view().public
        board = self._board_of(side)
        return dossier_of(self.rulebook, side, board, told, open_map=open_map, handed_on=handed_on, kept=kept)

    def kept_dossier(self, side: Side, kept: KeptDossier, told: Sequence[Report]) -> KeptDossier:
        """What is to be kept of the dossier of ``side`` once it was ``told`` this, too."""
        return folded(kept, self.rulebook, side, self._board_of(side), told)

    @property
    def turn_parts(self) -> TurnParts | None:
        """What the ages of what is known are counted in; None: whole turns."""
        return parts_of(self.rulebook)

    def side_tables(self, side: Side, told: Sequence[Report] = ()) -> tuple[SideTable, ...]:
        """What ``side`` may look up as tables; how it came to know of its contacts, only from what it was ``told``."""
        state, known = self._seen_by(side)
        board = self._board_of(side)
        own = [one for one in told if one.is_for(side)]
        learned = [entry for one in own for entry in learned_from(self.rulebook, one, side, board)]
        contacts = contacts_table(known[side], board, learned, self.turn_parts)
        return (*self.rulebook.side_tables(state, side, known[side]), contacts)

    def briefing(self, side: Side) -> Briefing:
        """What a commander of ``side`` should know."""
        state, _ = self._seen_by(side)
        return self.rulebook.briefing(state, side)

    def economy(self, side: Side) -> Economy:
        """What ``side`` owns, place by place, and what it will lose as its open sheets stand."""
        state, known = self._seen_by(side)
        is_ahead = any(ask.budget for ask in self.asks_for(side))
        economy = self.rulebook.economy(state, side, known[side], is_ahead=is_ahead)
        return economy.with_losses(self.losses(side))

    def roster(self, side: Side) -> Sequence[OwnShip]:
        """The ships of ``side``."""
        state, _ = self._seen_by(side)
        return self.rulebook.roster(state, side)

    def agreements(self, side: Side) -> Sequence[str]:
        """What ``side`` has agreed with others by the rules, offered and been offered."""
        state, _ = self._seen_by(side)
        return self.rulebook.agreements(state, side)

    def odds_menu(self, side: Side) -> OddsMenu:
        """What ``side`` may ask the odds of."""
        state, known = self._seen_by(side)
        return self.rulebook.odds_menu(state, side, known[side])

    def odds(self, side: Side, own: str, target: str) -> Odds:
        """The chances of ``own`` against ``target``, by what ``side`` knows. Raises Refused if not on its menu."""
        state, known = self._seen_by(side)
        return self.rulebook.odds(state, side, known[side], own, target)

    def public_view(self) -> PublicView:
        """What anybody may know since everybody was last told something."""
        state, _ = self._seen_by(PUBLIC)
        return PublicView(public=_closing(self.rulebook.public_board(state), ()))

    def knows_what_was_shown(self) -> bool:
        """Whether it is known what everybody was last shown. Not so at first when play was restored from a snapshot:
        then an older one is to be taken."""
        return self._last_shown.is_complete()

    def all_see_the_present(self) -> bool:
        """Whether all sides in play see play as it stands: none of them waits while others are asked."""
        return not any(self._last_shown.is_behind(one.key) for one in self.sides if not self.is_out(one.key))

    def omniscient_view(self) -> OmniscientView:
        """Everything. The host must have made sure that the reader plays no side, or that the campaign is over."""
        board = self.rulebook.omniscient_board(self._state)
        return OmniscientView(omniscient=_closing(board, self._of_play()))

    def offered_paths(self, typed: str, most: int) -> list[EditOffer]:
        """The paths into the record that a referee may be typing; for one who may see everything, as the omniscient
        view is."""
        return offered_paths(self._state, typed, most)

    def offered_values(self, path: str, typed: str, most: int) -> list[EditOffer]:
        """The values that may stand there; for the same referee. Raises Refused when the path leads nowhere."""
        return offered_values(self._state, path, typed, most)

    def digest(self) -> str:
        """A fingerprint of all that a replay must reproduce."""
        return self._now().fingerprint(self._shared.dice.ordinals)

    def defects(self) -> Sequence[str]:
        """What is impossible in the present state; empty when all is well."""
        return self.rulebook.defects(self._state)

    def _seen_by(self, reader: str) -> tuple[S, dict[Side, Knowledge]]:
        """The state and what the sides know, as ``reader`` may look at it; nobody may change it."""
        moment = self._last_shown.of(reader)
        if moment is None:
            return self._state, self._shared.knowledge
        return moment.state.value, {side: known.value for side, known in moment.knowledge.items()}

    def _now(self) -> CampaignMoment[S]:
        """The campaign as it stands."""
        return self._watch.now(self._state, self._shared.knowledge)

    # --- what a replay must reproduce -----------------------------------------------------------------------------

    def checkpoint(self, told: str = "") -> Checkpoint:
        """Where the campaign stands, as the journal records it; ``told`` is the digest of what was just told."""
        self._stands = self._now()
        return Checkpoint(
            state=self._stands.fingerprint(self._shared.dice.ordinals),
            told=told,
            seal=seal_digest(self._shared.dice.seal),
            asks=tuple(self._open_asks),
            reports=self._shared.next_report - 1,
            rolls=self._shared.roll_count,
            turn=self.turn,
            ended=self.ending is not None,
            strands=digest(documents_of(self._shared.strands)) if self._shared.strands else "",
            tracked=self._tracked.digest(),
        )

    def _forget_told(self) -> None:
        """Clear the reports, rolls and due maps that were just handed on."""
        posted = self._maps_due()
        self._shared.public_due &= not self._public_map_due()
        self._shared.maps_for.difference_update(posted)
        self._shared.reports.clear()
        self._shared.rolls.clear()

    def _public_map_due(self) -> bool:
        """Whether the public map is to be posted now: only together with the maps of all sides in play."""
        due = self._maps_of_asked()
        return self._shared.public_due and all(label.key in due or self.is_out(label.key) for label in self.sides)

    def _maps_due(self) -> tuple[Side, ...]:
        """The sides whose maps are to be posted now: those that are asked something, or all at the end. Who is out of
        play is asked nothing, and watches: its map comes with the public one."""
        due = self._shared.maps_for if self._public_map_due() else self._maps_of_asked()
        return tuple(label.key for label in self.sides if label.key in due)

    def _maps_of_asked(self) -> set[Side]:
        asked = {side for ask in self._opened if not ask.beside for side in ask.parties}
        return self._shared.maps_for & asked if self._open_asks else self._shared.maps_for

    # --- the flow -------------------------------------------------------------------------------------------------

    def _begin(self, genesis: Genesis) -> None:
        self.genesis = genesis
        self._state = self.rulebook.set_up(genesis.scenario)
        weakly = self._weakly
        self._shared = SharedTurn(
            dice=DiceStream(
                self._seed, self.branch, seal="" if genesis.nonce is None else first_seal(self._seed, genesis.nonce)
            ),
            sides=genesis.sides,
            knowledge={label.key: Knowledge() for label in genesis.sides},
            now=When(turn=1),
            before_time_moves=lambda: weakly._time_moves(),  # noqa: PLW0108 - its bound method would hold the campaign
            out_of_play=lambda: weakly.rulebook.out_of_play(weakly._state),
            labels_now=lambda: weakly.labels,
        )
        self.turn = 1
        self._start_turn()

    def _restore(self, snapshot: Snapshot, *, patient: bool = False, orders_wait: bool = False) -> None:
        self._state = self.rulebook.state_model.from_json(snapshot.state)
        self.branch = snapshot.branch
        weakly = self._weakly
        self._shared = SharedTurn(
            dice=DiceStream(self._seed, snapshot.branch, seal=snapshot.seal),
            sides=self.genesis.sides,
            knowledge={side: known.copied() for side, known in snapshot.knowledge.items()},
            now=snapshot.now,
            next_report=snapshot.next_report,
            roll_count=snapshot.roll_count,
            maps_for=set(snapshot.maps_for),
            public_due=snapshot.public_due,
            patient=patient,
            orders_wait=orders_wait,
            before_time_moves=lambda: weakly._time_moves(),  # noqa: PLW0108 - its bound method would hold the campaign
            out_of_play=lambda: weakly.rulebook.out_of_play(weakly._state),
            labels_now=lambda: weakly.labels,
        )
        self._names.told(self._state)
        self._last_shown.forget(self._readers())
        self.turn = snapshot.turn
        self._start_turn()

    def _start_from(self, snapshot: Snapshot, passed: EntryBody) -> None:
        """Play on from a snapshot, by the settings of the entry that it was taken in."""
        closed = passed if isinstance(passed, Closed) else None
        patient, orders_wait = (closed.patient, closed.orders_wait) if closed is not None else (False, False)
        self._run(lambda: self._restore(snapshot, patient=patient, orders_wait=orders_wait))

    def _run(self, action: Any) -> None:
        self._boards.clear()
        if self._flow is not None:  # what stands now is what those see on who are neither told nor asked
            behind = [reader for reader in self._readers() if not self._last_shown.is_behind(reader)]
            self._last_shown.keep(behind, self._stands or self._now())
        try:
            action()
            self._names.check(self._state, self._shared.reports)
        except (NotOpen, NotSettled, Refused):
            raise
        except Exception as error:
            raise RuleFailure(f"{type(error).__name__} while playing on") from error
        asked = {side for ask in self._opened for side in ask.parties}
        public = EVERYBODY if self._public_map_due() else ()
        told = self._readers() if self.ending is not None else {*asked, *public, *self._shared.told}
        self._last_shown.show_the_present(told)
        self._shared.told.clear()

    def _readers(self) -> tuple[str, ...]:
        return (*(label.key for label in self.sides), PUBLIC)

    def _time_moves(self) -> None:
        """Who was told something at the moment that ends now sees it as it ended."""
        if self._shared.told:
            self._last_shown.keep(self._shared.told, self._now())
            self._shared.told.clear()

    def _start_turn(self) -> None:
        for _ in range(MOST_TURNS_UNASKED):
            self._flow = self.rulebook.turn_steps(TurnContext(self._state, self._shared, f"T{self.turn}"))
            try:
                self._open(next(self._flow))
            except StopIteration:
                if self._turn_over():
                    return
            else:
                return
        raise RuntimeError(f"{MOST_TURNS_UNASKED} turns went by and nobody was asked anything")

    def _seal(self, strand: str, settled: Mapping[str, Any], nonce: str) -> None:
        """Take what closes now into the seal; nothing may depend on a waiting card."""
        decided = {ask_id: answer for ask_id, answer in settled.items() if not isinstance(answer, WaitingCard)}
        sealed = self._shared.strands[strand] if strand else self._shared.dice
        sealed.seal = next_seal(self._seed, sealed.seal, decided, nonce)

    def _resume(self, strand: str, settled: Mapping[str, Any], nonce: str | None) -> None:
        flow = self._flow
        if flow is None:
            raise NotOpen
        if nonce is not None:
            self._seal(strand, settled, nonce)
        self._open_asks = {key: one for key, one in self._open_asks.items() if key not in settled}
        for one in self._open_asks.values():
            one.forget()  # what it was judged by may change now
        self._opened = ()
        try:
            self._open(flow.send(settled))
        except StopIteration:
            if not self._turn_over():
                self._start_turn()

    def _turn_over(self) -> bool:
        """A turn ended: see whether the campaign did, and keep a snapshot if not. True when it ended."""
        self._flow = None
        self._ready = {}
        self._shared.settlements.clear()
        self.ending = self.rulebook.ending(self._state)
        if self.ending is not None:
            return True
        self.turn += 1
        # Every label begins with its turn, so the counts can start from zero and never grow with the campaign.
        self._shared.dice = DiceStream(self._seed, self.branch, seal=self._shared.dice.seal)
        rest = Snapshot(
            seq=0,
            version=self.rulebook.version,
            turn=self.turn,
            branch=self.branch,
            state={},
            knowledge={},
            next_report=self._shared.next_report,
            roll_count=self._shared.roll_count,
            now=self._shared.now,
            maps_for=tuple(sorted(self._shared.maps_for)),
            public_due=self._shared.public_due,
            seal=self._shared.dice.seal,
        )
        self._boundary = TurnBoundary(self._now(), rest)  # of several in one command only the newest is kept
        return False

    def _open(self, batch: Batch) -> None:
        """Open what the flow asks. Asks of other strands than the one that closed are still open, as they were."""
        still = {one.ask.id: one for one in self._of_play()}
        beside = {key: one for key, one in self._open_asks.items() if one.ask.beside}
        self._open_asks = {ask.id: still.get(ask.id) or OpenAsk(ask) for ask in batch.asks}
        if len(self._open_asks) != len(batch.asks):
            raise ValueError("two asks of one batch have the same id")
        if not self.rulebook.parts_play and any(ask.strand for ask in batch.asks):
            raise ValueError("play has parted, and its rulebook does not say that it may")
        asked = {ask.id: ask for ask in batch.asks}
        if any(asked.get(key) is not one.ask for key, one in still.items()):
            raise ValueError("an ask vanished, or was made anew, before it had closed")
        self._opened = tuple(ask for ask in batch.asks if ask.id not in still)
        self._open_asks |= {key: one for key, one in beside.items() if one.ask.beside in self._open_asks}
        waits = {one.ask.strand for one in (*still.values(), *beside.values())}
        self._ready = {strand: sides for strand, sides in self._ready.items() if strand in waits}


def _closing(board: Board, asked: Iterable[OpenAsk]) -> Board:
    """The board of somebody who is asked these: if all of that belongs to the end of the turn, the last step is lit."""
    closing, header = board.header.closing, board.header
    if closing is None:
        return board
    places = {one.ask.id.split("/")[1] for one in asked if "/" in one.ask.id}
    if not places or not places <= set(closing.places):
        return board.model_copy(update={"header": header.model_copy(update={"closing": None})})
    lit = header.model_copy(update={"step": len(header.steps) - 1, "closing": None})
    return board.model_copy(update={"heading": closing.heading, "header": lit})
