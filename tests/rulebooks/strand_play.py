"""Play in strands, by hands that answer and close in any order: what the laws of strands are tested with.

What is answered depends on the ask alone, the nonce on what closes; the order of answers, revisions, readiness and
closings on chance. So two plays that differ in order alone must come to the same.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from random import Random
from typing import Any

from rules_engine.core.basics.base import Json
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.protocol import together
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.strands import Strand
from rules_engine.core.records.journal import Closed, JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from rules_engine.core.running.transitions import NotSettled, Transition
from tests.rulebooks.players import AT, random_answer

PUBLIC = "*"


class StrandPlay:
    """A campaign played strand by strand. Without ``order`` one strand after the other, in the order of their keys.

    ``watched``: what nobody may see is compared before and after each closing. ``rebuilt``: after each closing play
    goes on from the journal alone, every other time from a snapshot; as a number, after every so many closings.
    """

    def __init__(
        self,
        rulebook: Any,
        scenario: dict[str, Json],
        seed: int,
        *,
        order: Random | None = None,
        patient: bool = False,
        orders_wait: bool = False,
        watched: bool = False,
        rebuilt: int = 0,
    ) -> None:
        self.rulebook, self.number, self.order = rulebook, seed, order
        self.patient, self.watched, self.rebuilt = patient, watched, rebuilt
        self.waits = {"patient": patient, "orders_wait": orders_wait}
        self.seed = seed.to_bytes(4, "big") * 8
        self.entries: list[JournalEntry] = []
        self.steps: list[Transition] = []
        self.clocks: set[str] = set()
        self.strands: set[str] = set()
        self.final: set[tuple[str, str]] = set()
        self.disputes = self.closings = 0
        self.problems: list[str] = []
        self.looks: dict[tuple[str, str], str] = {}
        """What a side of one strand alone saw when something closed there, and the parting went on."""
        self.adjudicator, step = Adjudicator.open(
            rulebook, title="Strands", scenario=scenario, seed=self.seed, at=AT, nonce=self._nonce("begin")
        )
        self.take(step)

    # --- playing --------------------------------------------------------------------------------------------------

    def play(self, turns: int) -> "StrandPlay":
        """Play so many turns, or to the end."""
        while self.adjudicator.ending is None and self.adjudicator.turn <= turns:
            strands = self.adjudicator.strands()
            self.finish(self.order.choice(strands) if self.order else strands[0])
        return self

    def finish(self, strand: str) -> None:
        """Do something in a strand: everything that is left to do, or with an order a little of it."""
        asks = [ask for ask in self.adjudicator.open_asks() if ask.strand == strand]
        left = [(ask, side) for ask in asks for side in self._speak(ask) if (ask.id, side) not in self.final]
        if self.order is None:
            for ask, side in left:
                self.answer(ask, side)
            self.close(strand)
        elif left:
            ask, side = self.order.choice(left)
            if self.order.random() < 0.3:
                self.answer(ask, side, draft=self.order.random())
                if len(ask.parties) > 1:
                    self._dispute(strand)
            else:
                self.answer(ask, side)
            if self.order.random() < 0.2:
                is_ready = self.order.random() < 0.7
                self.take(self.adjudicator.ready(side, is_ready=is_ready, by=side, at=AT, strand=strand))
        else:
            self.close(strand)

    def _speak(self, ask: AnyAsk) -> tuple[str, ...]:
        """Who answers: of a shared account sometimes one side alone."""
        alone = len(ask.parties) > 1 and Random(f"{self.number}/{ask.id}").random() < 0.3
        return ask.parties[:1] if alone else ask.parties

    def answer(self, ask: AnyAsk, side: str, *, draft: float | None = None) -> None:
        """The answer that counts, or a ``draft`` that will be replaced."""
        chance = Random(f"{self.number}/{ask.id}/{draft}")
        document = random_answer(self.adjudicator, side, ask, chance)
        self.take(self.adjudicator.answer(side, ask.id, document, by=side, at=AT))
        if draft is None:
            self.final.add((ask.id, side))

    def _dispute(self, strand: str) -> None:
        """Accounts that differ hold their own strand."""
        try:
            self.adjudicator._settled(strand, by_silence=False)
        except NotSettled:
            self.disputes += 1

    def close(self, strand: str) -> None:
        """Close a strand, and see what others see of it."""
        asks = sorted(ask.id for ask in self.adjudicator.open_asks() if ask.strand == strand)
        part = self.adjudicator._shared.strands.get(strand)
        before = {side: self._sees(side) for side in self._outside(part)}
        self.closings += 1
        step = self.adjudicator.close(
            "deadline", by="clock", at=AT, strand=strand, **self.waits, nonce=self._nonce("+".join(asks))
        )
        self.take(step)
        for side in part.parties if part is not None and strand in self.adjudicator.strands() else ():
            if sum(side in one.parties for one in self.adjudicator._shared.strands.values()) == 1:
                self.looks[side, "+".join(asks)] = self.adjudicator.view(side).model_dump_json()
        if self.watched:
            scope = part
            while scope is not None and scope.key not in self.adjudicator._shared.strands:
                scope = scope.outer
            for side in self._outside(scope):
                if self._sees(side) != before[side] or self._hears(side, step):
                    self.problems.append(f"{side} noticed that {strand} closed")
        if self.rebuilt and self.closings % self.rebuilt == 0:
            self._rebuild()

    def _outside(self, part: Strand | None) -> list[str]:
        if part is None:
            return []
        return [*(side for side in self._sides if side not in part.parties), PUBLIC]

    def _sees(self, reader: str) -> Any:
        one = self.adjudicator
        if reader == PUBLIC:
            return one.public_view().model_dump_json()
        asks = one.asks_for(reader)
        strands = [(ask.strand, one.is_ready(reader, ask.strand), one.is_done(reader, ask.strand)) for ask in asks]
        return one.view(reader).model_dump_json(), [(ask.id, one.saved(reader, ask.id)) for ask in asks], strands

    def _hears(self, reader: str, step: Transition) -> bool:
        if reader == PUBLIC:
            return step.public_map or any(report.is_public() for report in step.reports)
        asked = any(reader in ask.parties for ask in step.opened)
        return asked or reader in step.maps_for or any(report.is_for(reader) for report in step.reports)

    def take(self, step: Transition) -> None:
        """Keep what a command gave, and the clocks by what it says alone."""
        self.entries.append(JournalEntry.model_validate_json(step.line))
        self.steps.append(step)
        if isinstance(step.entry.body, Closed):
            self.clocks.discard(step.entry.body.strand)
        self.clocks |= {ask.strand for ask in step.opened}
        self.strands |= self.clocks
        assert self.clocks == set(self.adjudicator.strands())

    def _rebuild(self) -> None:
        snapshots = [step.snapshot for step in self.steps if step.snapshot is not None]
        snapshot = snapshots[-1] if snapshots and self.closings // self.rebuilt % 2 else None
        again = replay(self.rulebook, self.entries, self.seed, snapshot)
        assert again.checkpoint() == self.adjudicator.checkpoint()
        for label in again.sides:
            for ask in again.asks_for(label.key):
                assert again.saved(label.key, ask.id) == self.adjudicator.saved(label.key, ask.id)
                assert again.is_ready(label.key, ask.strand) == self.adjudicator.is_ready(label.key, ask.strand)
        if again.knows_what_was_shown():
            self.adjudicator = again

    def _nonce(self, closes: str) -> str:
        return sha256(f"{self.number}/{closes}".encode()).hexdigest()[:32]

    # --- what is compared -----------------------------------------------------------------------------------------

    def outcome(self) -> dict[str, Any]:
        """All that may not depend on an order."""
        snapshots = [step.snapshot.model_copy(update={"seq": 0}) for step in self.steps if step.snapshot is not None]
        return {
            "digest": self.adjudicator.digest(),
            "snapshots": [one.model_dump_json() for one in snapshots],
            "rolls": Counter(roll.model_dump_json() for step in self.steps for roll in step.rolls),
            "heard": {side: Counter(map(_words, self.told(side))) for side in self._sides},
            "in order": {side: self._by_strand(side) for side in self._sides},
            "looks": self.looks,
        }

    @property
    def _sides(self) -> list[str]:
        return [label.key for label in self.adjudicator.sides]

    def told(self, side: str) -> Iterator[Report]:
        """All that a side was told, in order."""
        return (report for step in self.steps for report in step.reports if report.is_for(side))

    def _by_strand(self, side: str) -> dict[str, list[str]]:
        heard: dict[str, list[str]] = {}
        for report in self.told(side):
            heard.setdefault(self.strand_of(report.place), []).append(_words(report))
        return {strand: heard[strand] for strand in sorted(heard)}

    def strand_of(self, place: str) -> str:
        """The innermost strand that a place belongs to."""
        inside = [strand for strand in self.strands if place == strand or place.startswith(f"{strand}/")]
        return max(inside, key=len, default="")


def _words(report: Report) -> str:
    return report.model_dump_json(exclude={"number"})


@contextmanager
def own_ground(state: Callable[[], Any]) -> Iterator[list[str]]:
    """While it lasts, what flows that run side by side write to is compared: no two may write the same.

    Yields the list of paths that two flows of one parting have written.
    """
    clashes: list[str] = []
    written: dict[int, dict[str, set[str]]] = {}
    keep: list[Any] = []
    advance = together._advance

    def watched(key: str, branch: Any, answers: Any, pending: Any, results: Any) -> None:
        before = _paths(state())
        advance(key, branch, answers, pending, results)
        after = _paths(state())
        changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
        keep.append(pending)  # so that no other gets its identity
        mine = written.setdefault(id(pending), {})
        mine.setdefault(key, set()).update(changed)
        clashes.extend(
            f"{path} by {key} and {other}"
            for other, paths in mine.items()
            if other != key
            for path in sorted(paths & changed)
        )

    together._advance = watched
    try:
        yield clashes
    finally:
        together._advance = advance


def _paths(state: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}

    def walk(value: Any, path: str) -> None:
        if isinstance(value, dict):
            found[f"{path}.keys"] = sorted(value)
            for key, held in value.items():
                walk(held, f"{path}.{key}")
        else:
            found[path] = value

    walk(None if state is None else state.to_json(), "")
    return found
