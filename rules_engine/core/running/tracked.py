"""A battle that is tracked beside its ask: a state of the tracker's own, its flow from rest to rest, and who wishes
what.

Nothing of it is part of the campaign's state, and nothing that it tells goes to others than the battle's parties.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from rules_engine.core.basics.base import Frozen, Json, Side, SideLabel, When
from rules_engine.core.basics.canonical_json import digest
from rules_engine.core.basics.dice import DiceStream, Roll
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.seals import next_seal, seal_digest
from rules_engine.core.knowledge.reports import EVERYBODY, Report
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk, Batch, Settlement, Steps
from rules_engine.core.protocol.tracker import Tracker
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.core.records.journal import EntryBody, Tracking, Wish
from rules_engine.core.tactics.tactics import Tactics

AnyTracker = Tracker[Any]

MOST_UNDONE = 2
"""How many rests back a battle may be taken, one after the other."""
MOST_UNASKED = 200
"""Rests in a row at which nobody is asked anything, before that is taken for an error in the rules."""

TRACKER = "tracked-battle"
"""The end of the strand of a tracked battle's asks."""


def strand_of(ask_id: str) -> str:
    """The strand of the battle's own asks that is tracked beside this ask."""
    return f"{ask_id}/{TRACKER}"


def battle_of(body: EntryBody) -> str:
    """The ask whose tracked battle an entry is about; empty for an entry about play."""
    if isinstance(body, Tracking):
        return body.ask
    about = getattr(body, "strand", "") or getattr(body, "ask", "")
    ask_id, is_tracked, _ = f"{about}/".rpartition(f"/{TRACKER}/")
    return ask_id if is_tracked else ""


def is_asked_beside(ask_id: str) -> bool:
    """Whether an ask of that id is one of a tracked battle."""
    return f"/{TRACKER}/" in ask_id


Deed = Literal[
    "begun",
    "begun late",
    "paused",
    "fallen silent",
    "gone on",
    "undone",
    "dropped",
    "lost",
    "let go",
    "wished",
    "unwished",
    "flown",
]
"""``fallen silent``: paused by the clock, since nobody has said anything for a while; ``let go``: dropped by it, since
nobody says what it needs to know."""


class TrackedDeed(NamedTuple):
    """What happened to the tracker of a battle: of the ask ``ask``, by ``side`` (empty: the campaign's setting, the
    referee, or the clock), for a ``wish`` where it was one."""

    ask: str
    did: Deed
    side: Side = ""
    wish: Wish | None = None


def is_of_tracked(report: Report) -> bool:
    """Whether that was told by a battle that is tracked, which has a place of its own for it."""
    return f"/{TRACKER}/" in report.place


class TrackedRest(Frozen):
    """A tracked battle at rest, kept so that a restart does not play again what led to it. ``seq`` is the journal's
    entry in which it came to rest; ``rests`` are the last states at rest, the present one last."""

    seq: int = 0
    ask: str
    rests: tuple[dict[str, Json], ...]
    count: int
    seal: str = ""
    silent: int = 0
    stands_still: bool = False


class Surroundings(NamedTuple):
    """What a tracked battle takes from its campaign: names, time, the seed and branch of dice, and who is out."""

    labels: tuple[SideLabel, ...]
    now: When
    seed: bytes
    branch: int
    out: frozenset[Side]


@dataclass
class TrackedBattle:
    """One tracked battle. ``count`` counts its flows and never goes back, so that no ask and no roll is named twice."""

    tracker: AnyTracker
    ask: AnyAsk
    tactics: Tactics
    rests: list[dict[str, Json]]
    seal: str
    count: int
    is_paused: bool = False
    silent: int = 0
    """How many pieces were flown since anybody said anything here; any word begins anew."""
    stands_still: bool = False
    """Whether nobody said anything to the last piece, and all is as it was when it was asked: asking again is vain."""

    def __post_init__(self) -> None:
        self.state: Record = self.tracker.state_model.from_json(self.rests[-1])
        self._digest = ""
        self._seed = b""
        self._flow: Steps[None] | None = None
        self._shared: SharedTurn | None = None
        self._was_heard = False
        self._asked_in: dict[str, Json] = {}
        self.rested: TrackedRest | None = None
        """Where it has come to rest since somebody last took that."""

    @property
    def strand(self) -> str:
        """The strand of its asks."""
        return strand_of(self.ask.id)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to fly."""
        return self.tracker.is_over(self.state)

    @property
    def turn(self) -> int:
        """Its turn, 0 before the first."""
        return self.tracker.turn_of(self.state)

    def may_undo(self) -> bool:
        """Whether there is a rest to take it back to."""
        return len(self.rests) > 1

    def hear(self) -> None:
        """Note that a party said something: sent a plot or a report, was ready, or wished something."""
        self.silent, self.stands_still, self._was_heard = 0, False, True

    # --- the flow ---------------------------------------------------------------------------------------------------

    def play_on(self, around: Surroundings) -> tuple[AnyAsk, ...]:
        """Start from rest: what is asked next; nothing where the battle is over."""
        for _ in range(MOST_UNASKED):
            self.rested = TrackedRest(
                ask=self.ask.id,
                rests=tuple(self.rests),
                count=self.count,
                seal=self.seal,
                silent=self.silent,
                stands_still=self.stands_still,
            )
            self._flow, self._digest = None, ""
            if self.is_over:
                return ()
            self._flow = flow = self._flow_from(around)
            try:
                asked = self._opened(next(flow))
            except StopIteration:
                self._come_to_rest()
            else:
                self._asked_in = self.state.to_json()
                return asked
        raise RuntimeError(f"{MOST_UNASKED} rests went by and nobody was asked anything")

    def go_on(
        self,
        settled: Mapping[str, Any],
        settlements: Mapping[str, Settlement],
        around: Surroundings,
        nonce: str | None,
    ) -> tuple[AnyAsk, ...]:
        """Go on with what was asked for: what is asked next."""
        flow, shared = self._flow, self._shared
        if flow is None or shared is None:
            raise RuntimeError(f"{self.strand} is at rest")
        if nonce is not None:
            self.seal = shared.dice.seal = next_seal(around.seed, self.seal, settled, nonce)
        shared.settlements |= settlements
        self._digest = ""
        try:
            return self._opened(flow.send(dict(settled)))
        except StopIteration:
            if not self._was_heard:
                self.silent += 1
                self.stands_still = self.state.to_json() == self._asked_in
            self._was_heard = False
            self._come_to_rest()
        return self.play_on(around)

    def undo(self, around: Surroundings) -> tuple[AnyAsk, ...]:
        """Go back to the rest before: what is asked there."""
        self.rests.pop()
        self.state = self.tracker.state_model.from_json(self.rests[-1])
        self.count += 1
        # What was said was said of the piece that is gone.
        self.silent, self.stands_still, self._was_heard = 0, False, False
        return self.play_on(around)

    def branch_off(self, branch: int) -> None:
        """Roll different dice from here on."""
        if self._shared is not None:
            dice = self._shared.dice
            self._shared.dice = DiceStream(self._seed, branch, dice.ordinals, dice.seal)

    def _come_to_rest(self) -> None:
        self.rests = [*self.rests, self.state.to_json()][-MOST_UNDONE - 1 :]
        self.count += 1

    def _flow_from(self, around: Surroundings) -> Steps[None]:
        self._seed = around.seed
        sides = tuple(label for label in around.labels if label.key in self.ask.parties)
        shared = self._shared = SharedTurn(
            dice=DiceStream(around.seed, around.branch, seal=self.seal),
            sides=sides,
            knowledge={label.key: Knowledge() for label in sides},
            now=around.now,
            out_of_play=lambda: around.out,
            reports=[] if self._shared is None else self._shared.reports,
            rolls=[] if self._shared is None else self._shared.rolls,
            maps_for=set() if self._shared is None else self._shared.maps_for,
        )
        turn = TurnContext(self.state, shared, f"{self.strand}/{self.count}")
        return self.tracker.steps(turn, self.tactics.battle)

    def _opened(self, batch: Batch) -> tuple[AnyAsk, ...]:
        if any(ask.strand for ask in batch.asks):
            raise ValueError("a tracked battle does not part")
        title = self.tactics.battle.title
        return tuple(ask.standing_beside(self.ask.id, self.strand, title) for ask in batch.asks)

    # --- what it tells ----------------------------------------------------------------------------------------------

    def hand_on(self, now: When) -> tuple[list[Report], list[Roll], bool]:
        """What was told since this was last asked, to its parties alone, at the campaign's time; what was rolled; and
        whether its picture is due."""
        shared = self._shared
        if shared is None:
            return [], [], False
        told = [
            one.model_copy(
                update={
                    "to": tuple(sorted(self.ask.parties)) if one.to == EVERYBODY else one.to,
                    "when": self._when(one.when, now),
                }
            )
            for one in shared.reports
        ]
        rolls = [
            one if one.seen_by is not None else one.model_copy(update={"seen_by": frozenset(self.ask.parties)})
            for one in shared.rolls
        ]
        due = bool(shared.maps_for)
        shared.reports.clear()
        shared.rolls.clear()
        shared.maps_for.clear()
        return told, rolls, due

    def _when(self, moment: When, now: When) -> When:
        """A moment of the battle as one of the campaign, which may have others at the same time."""
        if not moment.label or moment == now:
            return now
        own = f"{moment.label[:1].lower()}{moment.label[1:]}"
        return now.model_copy(update={"label": f"{now.label} · {self.tactics.battle.title}: {own}"})

    def document(self) -> dict[str, Json]:
        """What the journal keeps the digest of."""
        self._digest = self._digest or digest(self.state.to_json())
        return {
            "state": self._digest,
            "seal": seal_digest(self.seal),
            "count": self.count,
            "paused": self.is_paused,
        }
