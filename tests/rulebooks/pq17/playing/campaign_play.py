"""Whole campaigns without a screen: officers on both sides, scripted battles, and everything checked after each step.

The checks: the state is possible (the rulebook's invariants), no part of it stands in two places, each side
it, its board shows what that knowledge supports, held contacts are where and what they are said to be, and the
victory points are the sum of their lines. A failure names the seed, the turn and the journal's entry.
"""

import contextlib
import itertools
import re
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from bot.campaigns.scenarios import InstalledScenarios
from bot.settings import BUILT_IN
from rules_engine.core.basics.base import Json
from rules_engine.core.basics.canonical_json import digest
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from rules_engine.core.running.transitions import Snapshot, Transition
from rules_engine.rulebooks.pq17.nations.victory_points import total_for
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.roster import ForceIndex
from rules_engine.rulebooks.pq17.records.state import State
from tests.form_documents import form_text
from tests.rulebooks.pq17.playing.officers import Manner, Officer
from tests.rulebooks.shared_parts import shared_parts
from tests.rules.reached import unnoted

CAMPAIGN = "pq17/campaign"
INTRO = "pq17/intro"
AT = "2026-01-01T00:00:00Z"
PERIODIC = ("purchase", "deployment", "period", "emergency", "operations", "reaction")
"""Kinds of asks that belong to a period and not to an operational turn."""
LOOKS = 2
"""Of how many own forces the odds are looked at, against how many others."""


def scenario(key: str = CAMPAIGN, **changes: Json) -> tuple[Any, dict[str, Json]]:
    """The rulebook and a scenario on the shelf; ``changes`` go into its file (``turns=30``, say)."""
    book, document = _read(key)
    return book, {**document, "file": {**document["file"], **changes}}


@cache
def _read(key: str) -> tuple[Any, dict[str, Json]]:
    """A scenario of the shelf, read once; campaigns begin from copies."""
    return InstalledScenarios(BUILT_IN).read(key)


@dataclass
class Tally:
    """What happened in a campaign."""

    asks: Counter[str] = field(default_factory=Counter[str])
    """Prompts by kind, and those in ``quiet`` and ``busy`` turns (without and with a report of a contact) but for what
    is asked once a period."""
    turns: Counter[str] = field(default_factory=Counter[str])
    reports: int = 0
    steps: int = 0
    seconds: float = 0.0
    """Processor time of the engine: judging, resolving, fingerprints, and making the asks that open."""
    closings: list[float] = field(default_factory=list[float])
    """That of each closing."""


class CampaignPlay:
    """One campaign, played by two officers."""

    def __init__(
        self, book: Any, document: dict[str, Json], seed: int, *, manner: Manner | None = None, check: bool = True,
        looking: bool = False,
    ) -> None:  # fmt: skip
        self.seed = seed
        self.key = (seed.to_bytes(8 if seed >> 32 else 4, "big") * 8)[:32]
        self.check = check
        self.looking = looking
        """Whether everybody looks at everything once a turn."""
        self.tally = Tally()
        self.lines: list[str] = []
        """The journal, as it is written down."""
        self.entries: list[JournalEntry] = []
        """Those since ``snapshot``, or all of them if there is none yet."""
        self._boundary: Transition | None = None
        """The last transition in which a turn ended."""
        self._leapt_to: Snapshot | None = None
        self.genesis: JournalEntry
        start = time.process_time()
        self.adjudicator, step = Adjudicator.open(book, title="Campaign", scenario=document, seed=self.key, at=AT)
        lay_out(step.opened)
        self.tally.seconds += time.process_time() - start
        chance = Random(seed)
        self.officers = {
            label.key: Officer(self.adjudicator, label.key, Random(chance.random()), manner or Manner())
            for label in self.adjudicator.sides
        }
        self.folded = {label.key: Knowledge() for label in self.adjudicator.sides}
        self.genesis = step.entry
        self._prompts: Counter[str] = Counter()
        self._contact = False
        self._turn = self.adjudicator.turn
        self._take(step)

    @property
    def snapshot(self) -> Snapshot | None:
        """What the newest entries can be replayed from; None in the first turn."""
        return self._leapt_to if self._boundary is None else self._boundary.snapshot

    @snapshot.setter
    def snapshot(self, snapshot: Snapshot) -> None:
        self._leapt_to, self._boundary = snapshot, None

    @property
    def state(self) -> State:
        """The state itself, which only a test may look at."""
        return self.adjudicator._state

    # --- playing ------------------------------------------------------------------------------------------------------

    def play(self, turns: int | None = None) -> "CampaignPlay":
        """Play on to the end, or until turn ``turns`` is over."""
        while self.adjudicator.ending is None and (turns is None or self.adjudicator.turn <= turns):
            self.batch()
        return self

    def batch(self) -> None:
        """Everybody answers what is open, and the batch closes."""
        accounts: dict[str, Json] = {}
        for side, officer in self.officers.items():
            for ask in self.adjudicator.asks_for(side):
                self._prompts[ask.kind] += 1
                self._check_default(ask)
                document = accounts.get(ask.id) or officer.answer(ask)
                if len(ask.parties) > 1:
                    accounts[ask.id] = document
                if document is not None:
                    self._timed(lambda side=side, ask=ask, document=document: self._answer(side, ask.id, document))
        self.tally.closings.append(self._timed(lambda: self.adjudicator.close("deadline", by="clock", at=AT)))

    def look(self) -> None:
        """Everybody looks at all that there is to be looked at."""
        adjudicator = self.adjudicator
        looks: list[Any] = [adjudicator.public_view()]
        for label in adjudicator.sides:
            menu = adjudicator.odds_menu(label.key)
            looks += [adjudicator.view(label.key), menu, *adjudicator.side_tables(label.key)]
            for own, target in itertools.product(menu.own[:LOOKS], menu.targets[:LOOKS]):
                with contextlib.suppress(Refused):
                    looks.append(adjudicator.odds(label.key, own.value, target.value))
            for ask in adjudicator.asks_for(label.key):
                assert form_text(ask.form)
                looks += [ask.setup] if ask.setup else []
                if ask.default is not None:
                    assert list(ask.read_back(ask.default))
        for one in looks:
            assert one.model_dump_json()

    def _check_default(self, ask: AnyAsk) -> None:
        """A silent side must never be stuck: the default must be an answer that it could give."""
        if ask.default is not None and self.check:
            refusals = ask.check(ask.default)
            assert not refusals, f"{self.where()}: the default of {ask.id} is refused: {refusals}"

    def _answer(self, side: str, ask_id: str, document: Json) -> Transition:
        return self.adjudicator.answer(side, ask_id, document, by=side, at=AT)

    def _timed(self, command: Callable[[], Transition]) -> float:
        """Take a step; the processor seconds that the engine had to work for it."""
        start = time.process_time()
        try:
            step = command()
            lay_out(step.opened)
        except Exception as error:
            raise AssertionError(f"{self.where()}: {error}") from error
        seconds = time.process_time() - start
        self.tally.seconds += seconds
        self._take(step)
        return seconds

    def _take(self, step: Transition) -> None:
        self.tally.steps += 1
        self.tally.reports += len(step.reports)
        self.lines.append(step.line)
        self.entries.append(step.entry)
        if step.boundary is not None:
            self._boundary = step
            self.entries = [step.entry]
        for report in step.reports:
            self._contact = self._contact or report.kind == "contact"
            for side, known in self.folded.items():
                if report.is_for(side):
                    known.learn(report)
        if self.adjudicator.turn != self._turn:
            kind = "busy" if self._contact else "quiet"
            self.tally.turns[kind] += self.adjudicator.turn - self._turn
            self.tally.asks += self._prompts
            self.tally.asks[kind] += sum(count for asked, count in self._prompts.items() if asked not in PERIODIC)
            self._prompts, self._contact, self._turn = Counter(), False, self.adjudicator.turn
            if self.looking:
                self.look()
        if self.check and (step.closed or self.tally.steps == 1):
            with unnoted():
                problems = [*self.adjudicator.defects(), *self.problems()]
            assert not problems, f"{self.where()}: {problems}"

    def where(self) -> str:
        """Where to look when something is wrong."""
        head = self.adjudicator.head
        return f"seed {self.seed}, turn {self.adjudicator.turn}, entry {head.seq if head else 0}"

    # --- checking -----------------------------------------------------------------------------------------------------

    def problems(self) -> Iterator[str]:
        """What is wrong between state, reports, knowledge and boards."""
        adjudicator, state = self.adjudicator, self.state
        for side, folded in self.folded.items():
            seen, known = adjudicator._seen_by(side)  # since it was told or asked last, it has learnt nothing
            if not adjudicator._shared.knowledge[side] == folded == known[side]:
                yield f"{side} does not know what its reports told it"
            elif adjudicator.rulebook.side_board(seen, side, folded) != _without_drawings(adjudicator, side):
                yield f"{side}'s board is not what its reports support"
            if not self._awaits_announcement():
                yield from contact_problems(state, side, folded)
            public = sum((line.amount for line in state.ledger if line.public or side in line.seen_by), Fraction(0))
            if total_for(state, side) != public:
                yield f"{side} sees a total that is not the sum of its lines"
        if filed(state.forces) != filed(ForceIndex(state.task_forces.values())):
            yield "the index of task forces is not what they say"
        yield from shared_parts(state)
        if state.total() != sum((line.amount for line in state.ledger), Fraction(0)):
            yield "the total is not the sum of the lines"

    def _awaits_announcement(self) -> bool:
        """Whether task forces were formed that nobody was told of yet: logistics come between (PQ-17 SOP.2.a.iv, v)."""
        kinds = {ask.kind for ask in self.adjudicator.open_asks() if "/planning/" in ask.id}
        return bool(kinds & {"logistics", "suicide freighters"})

    def verify(self) -> None:
        """Replay everything since the last snapshot, or all: it must come out alike. The state must also survive
        a trip through JSON, and its fingerprint must be the digest of everything."""
        desk, dumped = self.adjudicator._shared, self.state.to_json()
        known = {side: one.to_json() for side, one in desk.knowledge.items()}
        assert self.adjudicator.digest() == digest({"state": dumped, "knowledge": known, "dice": desk.dice.ordinals})
        assert State.from_json(dumped).to_json() == dumped
        entries = self.entries if self.snapshot is None else [self.genesis, *self.entries]
        if self.snapshot is None:
            again = replay(self.adjudicator.rulebook, entries, self.key)
        else:
            again = Adjudicator(self.adjudicator.rulebook, self.adjudicator.genesis, self.key)
            again.restore(self.snapshot, self.entries[0])
            for entry in self.entries[1:]:
                again.repeat(entry)
        assert again.digest() == self.adjudicator.digest(), f"{self.where()}: the replay comes out differently"
        for label in self.adjudicator.sides if again.knows_what_was_shown() else ():
            assert again.view(label.key) == self.adjudicator.view(label.key), (
                f"{self.where()}: {label.key}'s view differs"
            )


def lay_out(asks: Iterable[AnyAsk]) -> None:
    """Make what a side sees first of its asks. A rulebook may put that off until somebody looks; it is its work all the
    same, and not the officers'."""
    for ask in asks:
        _ = ask.form, ask.default


def _without_drawings(adjudicator: Adjudicator[Any], side: str) -> Any:
    """The side's board as the adjudicator keeps it, without what open answers draw on it."""
    adjudicator.view(side)
    return adjudicator._boards[side]


def filed(index: ForceIndex) -> dict[str, Any]:
    """An index by ids, without places where nobody is."""
    lists = {
        name: {key: [tf.id for tf in forces] for key, forces in held.items() if forces}
        for name, held in vars(index).items()
        if name not in ("all", "by_unit")
    }
    units = {unit: tf.id for unit, tf in index.by_unit.items()}
    return {**lists, "all": [tf.id for tf in index.all], "by_unit": units}


def contact_problems(state: State, side: str, known: Knowledge) -> Iterator[str]:
    """Problems of contacts: each held number must stand for an enemy force, at its true place and level."""
    for subject, track in state.tracks[side].current.items():
        tf = state.task_forces.get(subject)
        contact = known.contacts.get(track)
        if tf is None or tf.id_level is IdLevel.N or contact is None or not contact.live:
            continue  # judged by the invariants, or not told yet
        if (contact.latest.hex, contact.latest.level) != (tf.hex, int(tf.id_level)):
            seen = f"{contact.latest.hex} {contact.latest.level_name}"
            yield f"{side} holds {track} in {seen}, and {subject} is in {tf.hex} {tf.id_level.label}"


def peak_memory() -> float:
    """The most memory that this process has had resident, in MiB."""
    status = Path("/proc/self/status")  # the other figure may be that of the process which started this one
    said = re.search(r"^VmHWM:\s*(\d+) kB$", status.read_text() if status.exists() else "", re.MULTILINE)
    return (int(said[1]) if said else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) / 1024
