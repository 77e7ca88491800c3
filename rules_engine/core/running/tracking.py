"""The tracked battles of a campaign: which are open, who wishes what, and how wishes are carried out."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.basics.canonical_json import digest
from rules_engine.core.basics.dice import Roll
from rules_engine.core.basics.refusals import Refused, malformed
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.protocol.asks import AnyAsk, Settlement
from rules_engine.core.records.journal import JournalEntry, Tracking, Wish
from rules_engine.core.running.tracked import (
    MOST_UNASKED,
    AnyTracker,
    Deed,
    Surroundings,
    TrackedBattle,
    TrackedDeed,
    TrackedRest,
    battle_of,
    strand_of,
)
from rules_engine.core.running.transitions import NotOpen

FOR_ALL: frozenset[Wish] = frozenset({"begin", "begin late", "pause", "undo"})
"""What is done only when all forces wish it; the rest when one does."""

BEGINNINGS: frozenset[Wish] = frozenset({"begin", "begin late"})

_DONE: Mapping[Wish, Deed] = {
    "begin": "begun",
    "begin late": "begun late",
    "pause": "paused",
    "go on": "gone on",
    "undo": "undone",
    "drop": "dropped",
}


class TrackedChange(NamedTuple):
    """What a command did to a tracked battle: the deed, asks that open now, and whether those are gone that were open
    before (``is_anew``)."""

    deed: TrackedDeed
    opened: tuple[AnyAsk, ...] = ()
    is_anew: bool = False


class TrackingNow(NamedTuple):
    """How the tracker of a battle stands. ``wishes`` are the sides that wish what is not done yet; ``silent`` and
    ``stands_still`` are as in :class:`TrackedBattle`."""

    runs: bool
    is_paused: bool = False
    is_over: bool = False
    may_undo: bool = False
    turn: int = 0
    strand: str = ""
    wishes: Mapping[Wish, tuple[Side, ...]] = {}
    silent: int = 0
    stands_still: bool = False

    @property
    def is_flown(self) -> bool:
        """Whether its parties are flying it, so that nobody can know yet how the battle ends. Not while its clock
        stands still, nor once a whole piece went by without a word of anybody."""
        return self.runs and not self.is_over and not self.is_paused and not self.silent


class TrackedBattles:
    """The tracked battles of one campaign, by the id of the ask beside which each is tracked. Without a ``tracker``
    there are none."""

    def __init__(self, tracker: AnyTracker | None) -> None:
        self.tracker = tracker
        self._running: dict[str, TrackedBattle] = {}
        self._wishes: dict[str, dict[Wish, list[Side]]] = {}
        self._counts: dict[str, int] = {}
        """Where counting goes on if a battle that was dropped is tracked again."""
        self._resting: dict[str, TrackedRest] = {}
        """What is restored as soon as a replay comes to where it was kept."""
        self._passing: dict[str, int] = {}
        """Until which entry a replay passes over what is recorded of a battle."""
        self._unplayed: dict[str, tuple[str, ...]] = {}
        """The battles that were passed over, with what is asked there by the record."""

    @property
    def version(self) -> str:
        """The version of the tracker; empty without one."""
        return "" if self.tracker is None else self.tracker.version

    # --- reading ----------------------------------------------------------------------------------------------------

    def find(self, ask_id: str) -> TrackedBattle | None:
        """The tracked battle of an ask, None where it is not tracked."""
        return self._running.get(ask_id)

    def was_tracked(self, ask_id: str) -> bool:
        """Whether the battle of an open ask is tracked, or was until that was dropped."""
        return ask_id in self._running or ask_id in self._counts

    def of_strand(self, strand: str) -> str:
        """The ask whose battle has its own asks in that strand; empty for a strand of play."""
        return next((key for key, battle in self._running.items() if battle.strand == strand), "")

    def now(self, ask: AnyAsk) -> TrackingNow | None:
        """How the tracker of an ask stands; None where its battle cannot be tracked."""
        if self.tracker is None or ask.tactics is None:
            return None
        noted = self._wishes.get(ask.id, dict[Wish, list[Side]]())
        wishes: dict[Wish, tuple[Side, ...]] = {wish: tuple(sides) for wish, sides in noted.items() if sides}
        battle = self._running.get(ask.id)
        if battle is None:
            return TrackingNow(runs=False, strand=strand_of(ask.id), wishes=wishes)
        return TrackingNow(
            runs=True,
            is_paused=battle.is_paused,
            is_over=battle.is_over,
            may_undo=battle.may_undo(),
            turn=battle.turn,
            strand=battle.strand,
            wishes=wishes,
            silent=battle.silent,
            stands_still=battle.stands_still,
        )

    def digest(self) -> str:
        """The digest of all of them; empty where there is nothing to speak of."""
        battles = {key: one.document() for key, one in self._running.items()}
        wishes = {
            key: {str(wish): sorted(sides) for wish, sides in noted.items() if sides}
            for key, noted in self._wishes.items()
            if any(noted.values())
        }
        if not battles and not wishes and not self._counts:
            return ""
        return digest({"battles": battles, "wishes": wishes, "counts": dict(self._counts)})

    def hear(self, ask_id: str) -> None:
        """Note that a party said something in the battle of an ask; nothing where that is not tracked."""
        battle = self._running.get(ask_id)
        if battle is not None:
            battle.hear()

    # --- wishes -----------------------------------------------------------------------------------------------------

    def judge(self, ask: AnyAsk, side: Side, wish: Wish, options: Mapping[str, Json]) -> None:
        """See whether a party may wish that now.

        Raises:
            NotOpen: when the battle cannot be tracked, or the side is no party of it.
            Refused: when it makes no sense as the battle stands.
        """
        now = self.now(ask)
        if now is None or side not in ("", *ask.parties):
            raise NotOpen
        if problem := _problem(now, wish):
            raise Refused([malformed(problem, "tracker")])
        if wish in BEGINNINGS:
            self._new(ask, options, late=wish == "begin late")

    def carry_out(self, body: Tracking, ask: AnyAsk, around: Surroundings, seal: Callable[[str], str]) -> TrackedChange:
        """Note a wish, and do what all that must now wish; ``seal`` gives what keys the dice of a battle that begins
        there.

        Raises:
            NotOpen, Refused: as :meth:`judge`.
        """
        self.judge(ask, body.side, body.wish, body.options)
        if body.side:
            self.hear(ask.id)
        wishing = self._wishes.setdefault(ask.id, {}).setdefault(body.wish, [])
        if not body.wanted:
            self._wishes[ask.id][body.wish] = [one for one in wishing if one != body.side]
            return TrackedChange(TrackedDeed(ask.id, "unwished", body.side, body.wish))
        if body.side and body.side not in wishing:
            wishing.append(body.side)
        all_wish = all(set(force).intersection(wishing) for force in ask.forces)
        if body.side and body.wish in FOR_ALL and not all_wish:
            return TrackedChange(TrackedDeed(ask.id, "wished", body.side, body.wish))
        deed = TrackedDeed(ask.id, self._did(body), body.side, body.wish)
        change = TrackedChange(deed, self._done(body, ask, around, seal), body.wish in ("undo", "drop"))
        self._wishes.pop(ask.id)
        return change

    def _did(self, body: Tracking) -> Deed:
        if body.side:
            return _DONE[body.wish]
        if body.wish == "drop" and self._running[body.ask].stands_still:
            return "let go"
        return "fallen silent" if body.wish == "pause" else _DONE[body.wish]

    def _done(
        self, body: Tracking, ask: AnyAsk, around: Surroundings, seal: Callable[[str], str]
    ) -> tuple[AnyAsk, ...]:
        """Do what is wished: what is asked from there."""
        if body.wish in BEGINNINGS:
            battle = self._new(ask, body.options, late=body.wish == "begin late")
            battle.count = self._counts.get(ask.id, 0)
            battle.seal = seal(f"{battle.strand}/{battle.count}")
            opened = battle.play_on(around)  # what cannot begin leaves all as it was
            self._counts.pop(ask.id, None)
            self._running[ask.id] = battle
            return opened
        battle = self._running[ask.id]
        match body.wish:
            case "undo":
                return battle.undo(around)
            case "drop":
                self._counts[ask.id] = self._running.pop(ask.id).count + 1
                return ()
            case _:
                battle.is_paused = body.wish == "pause"
                return ()

    def _new(self, ask: AnyAsk, options: Mapping[str, Json], *, late: bool) -> TrackedBattle:
        tracker, tactics = self.tracker, ask.tactics
        if tracker is None or tactics is None:
            raise NotOpen
        state = tracker.begin(tactics.battle, options, late=late)
        return TrackedBattle(tracker, ask, tactics, rests=[state.to_json()], seal="", count=0)

    # --- play -------------------------------------------------------------------------------------------------------

    def go_on(
        self,
        ask_id: str,
        settled: Mapping[str, Any],
        settlements: Mapping[str, Settlement],
        around: Surroundings,
        nonce: str | None,
    ) -> TrackedChange:
        """Go on with a battle's own asks, which are settled."""
        battle = self._running[ask_id]
        before = battle.count
        opened = battle.go_on(settled, settlements, around, nonce)
        if battle.count != before:  # what was wished of one piece is not wished of the next
            self._wishes.pop(ask_id, None)
            battle.is_paused = False
        return TrackedChange(TrackedDeed(ask_id, "flown"), opened)

    def end_without(self, asks: Mapping[str, Any]) -> tuple[str, ...]:
        """Let go of what belongs to asks that are open no more: the strands that are gone."""
        gone = [key for key in self._running if key not in asks]
        strands = tuple(self._running.pop(key).strand for key in gone)
        for kept in (self._wishes, self._counts, self._unplayed):
            for key in [key for key in kept if key not in asks]:
                del kept[key]
        return strands

    def handed_on(self, around: Surroundings) -> "HandedOn":
        """What all of them have told since this was last asked: reports, rolls, pictures that are due, rests."""
        handed = HandedOn([], [], [], [])
        for key, battle in self._running.items():
            reports, rolls, shows = battle.hand_on(around.now)
            handed.reports.extend(reports)
            handed.rolls.extend(rolls)
            handed.pictures.extend([key] if shows else [])
            handed.rests.extend([] if battle.rested is None else [battle.rested])
            battle.rested = None
        return handed

    def branch_off(self, branch: int) -> None:
        """Roll different dice from here on."""
        for battle in self._running.values():
            battle.branch_off(branch)

    # --- a restart --------------------------------------------------------------------------------------------------

    def start_from(self, rests: Sequence[TrackedRest], passing: Mapping[str, int]) -> None:
        """Take up battles where they were kept, once a replay comes there; the last of each counts. ``passing``: until
        which entry nothing is played of a battle."""
        self._resting = {one.ask: one for one in sorted(rests, key=lambda one: one.seq)}
        self._passing = dict(passing)

    def absent(self) -> tuple[str, ...]:
        """How the ids of asks begin that belong to battles on the record which are not in memory: a replay has not come
        yet to where they were kept, or they were passed over."""
        return tuple(f"{strand_of(key)}/" for key in (*self._resting, *self._unplayed))

    def kept_for(self, entry: JournalEntry) -> TrackedRest | None:
        """The rest that stands for this entry in a replay, and for others before and up to it, if there is one."""
        return self._resting.get(battle_of(entry.body))

    def passes(self, entry: JournalEntry) -> bool:
        """Whether nothing is played of this entry in a replay, which is about a battle. That one was let go of is."""
        is_letting_go = isinstance(entry.body, Tracking) and entry.body.lost
        return not is_letting_go and entry.seq <= self._passing.get(battle_of(entry.body), 0)

    def pass_over(self, ask_id: str, asked: tuple[str, ...] | None) -> None:
        """Note that an entry about a battle was passed over, behind which this is asked there (None: as before)."""
        self._unplayed[ask_id] = self._unplayed.get(ask_id, ()) if asked is None else asked

    @property
    def unplayed(self) -> Mapping[str, tuple[str, ...]]:
        """The battles on the record that were passed over, with what is asked there by the record."""
        return self._unplayed

    def let_go(self, ask_id: str, seq: int) -> TrackedDeed:
        """Let go of a battle by entry ``seq``, whether it is in memory or was passed over. If it is tracked again,
        nothing is named as before."""
        self._running.pop(ask_id, None)
        self._unplayed.pop(ask_id, None)
        self._wishes.pop(ask_id, None)
        self._counts[ask_id] = seq * (MOST_UNASKED + 1)  # no entry counts further than that many flows
        return TrackedDeed(ask_id, "lost", wish="drop")

    def restore(self, rest: TrackedRest, ask: AnyAsk, around: Surroundings) -> tuple[AnyAsk, ...]:
        """Take up a battle where it was kept."""
        del self._resting[rest.ask]
        if self.tracker is None or ask.tactics is None:
            raise NotOpen
        self._counts.pop(ask.id, None)
        self._wishes.pop(ask.id, None)
        battle = TrackedBattle(
            self.tracker,
            ask,
            ask.tactics,
            [*rest.rests],
            seal=rest.seal,
            count=rest.count,
            silent=rest.silent,
            stands_still=rest.stands_still,
        )
        self._running[ask.id] = battle
        return battle.play_on(around)


class HandedOn(NamedTuple):
    """What tracked battles hand on: reports, rolls, the asks whose pictures are due, and rests to be kept."""

    reports: list[Report]
    rolls: list[Roll]
    pictures: list[str]
    rests: list[TrackedRest]


def _problem(now: TrackingNow, wish: Wish) -> str:
    """Why a wish makes no sense as the battle stands; empty if it does."""
    match wish:
        case "begin" | "begin late":
            return "this battle is tracked already" if now.runs else ""
        case "drop":
            return "" if now.runs else "this battle is not tracked"
        case "pause":
            if not now.runs or now.is_over:
                return "nothing is being flown"
            return "it is paused already" if now.is_paused else ""
        case "go on":
            return "" if now.is_paused else "it is not paused"
        case "undo":
            return "" if now.may_undo else "there is nothing to take back"
