"""A campaign with ten battles tracked at once: what an answer takes, how long a restart, and how much memory.

The campaign around them is the smallest there is, so that nothing but the battles is measured.
"""

import gc
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rules_engine import rulebooks
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk, Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from rules_engine.core.running.tracked import TrackedRest, strand_of
from rules_engine.core.running.transitions import Transition
from rules_engine.core.tactics.battles import FlightRecord, TacticalBattle, TacticalShip
from rules_engine.core.tactics.conditions import Distance, SetUpStep
from rules_engine.core.tactics.tactics import Tactics
from tests.bench.figures import Counts, Figure, Tick, middle, p95
from tests.core.small_rulebook import BLUE, RED, SEED, UNITS, Picks, PicksState, battle_ask

PART = "Trackers"
BATTLES = 10
SHIPS = 6
"""Ships of each side."""
TURNS = 4
AT = "2026-01-01T00:00:00Z"
MEBIBYTE = 1024 * 1024
ACCOUNT = {unit: {"fate": "ok"} for unit in UNITS}


def steps(counts: Counts) -> int:
    return 3


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """All of it: with battles that are tracked, beside the same with none."""
    bare, tracked = ManyBattles(tracked=False), ManyBattles(tracked=True)
    tick()
    without = [bare.account_ms() for _ in range(counts.repeats)]
    within = [tracked.account_ms() for _ in range(counts.repeats)]
    plots = [tracked.plot_ms() for _ in range(counts.repeats)]
    tick()
    whole, rested = tracked.restart_ms(rests=False), tracked.restart_ms(rests=True)
    held = tracked.held_bytes() - bare.held_bytes()
    tick()
    size = f"{BATTLES} battles of {2 * SHIPS} ships"
    flown = f"{size}, {TURNS} turns flown"
    return [
        Figure(PART, "an answer of the campaign", middle(within), "ms", middle(without), "none tracked", note=size),
        Figure(PART, "a plot saved", middle(plots), "ms", p95=p95(plots), note=size),
        Figure(PART, "a restart from their rests", rested, "ms", whole, "the journal alone", 1.0, note=flown),
        Figure(PART, "memory of a tracked battle", held / BATTLES / MEBIBYTE, "MiB", note=size),
    ]


class ManyPicks(Picks):
    """The small rulebook with battles side by side in its first turn, and nothing else."""

    parts_play = True

    def turn_steps(self, turn: TurnContext[PicksState]) -> Steps[None]:
        """Fight all of them at once."""
        parties = {f"b{number}": (RED, BLUE) for number in range(BATTLES)}
        yield from turn.parting_steps(parties, _fight_steps)
        turn.state.turn += 1


def _fight_steps(turn: TurnContext[PicksState], key: str) -> Steps[None]:
    ask = battle_ask(1)
    assert ask.setup is not None
    setup = ask.setup.model_copy(update={"key": key})
    yield from turn.ask_steps(replace(ask, key=key, setup=setup, tactics=Tactics(_battle(), lambda _: {})))


def _battle() -> TacticalBattle:
    codes = {side: tuple(f"{side[0].upper()}{number}" for number in range(1, SHIPS + 1)) for side in (RED, BLUE)}
    figures = FlightRecord(move_cost=1, turn_mode="C", warp=30, impulse=4, total_power=40)
    apart = Distance(
        units=codes[BLUE], others=codes[RED], measure="nearest", least=40, most=45, rule="b", says="Apart."
    )
    return TacticalBattle(
        title="One of many",
        forces=((RED,), (BLUE,)),
        ships=tuple(
            TacticalShip(code=code, side=side, name=code, flight=figures, most_speed=20)
            for side, some in codes.items()
            for code in some
        ),
        steps=(
            SetUpStep(units=codes[RED], says="Anywhere.", rule="a"),
            SetUpStep(units=codes[BLUE], conditions=(apart,), says="Apart.", rule="b"),
        ),
    )


class ManyBattles:
    """The campaign, in which all battles are flown for some turns, or none is."""

    def __init__(self, *, tracked: bool) -> None:
        self.campaign, first = Adjudicator[PicksState].open(
            self.book,
            title="Many",
            scenario={"turns": 3},
            seed=SEED,
            at=AT,
            nonce="0" * 32,
            tracker=rulebooks.tracker(),
        )
        self.done: list[Transition] = [first]
        self.battles: list[AnyAsk] = [ask for ask in self.campaign.open_asks() if ask.kind == "battle"]
        for ask in self.battles if tracked else []:
            self.done.append(self.campaign.track("", ask.id, "begin", by="bench", at=AT, options={"pieces": 2}))
            while self._turn_of(ask) <= TURNS:
                self.done.append(self.close(ask))

    book: Any = ManyPicks()
    plots = 0

    def _turn_of(self, ask: AnyAsk) -> int:
        now = self.campaign.tracking(ask.id)
        assert now is not None
        return now.turn

    def close(self, ask: AnyAsk) -> Transition:
        """Fly a piece in which all coast."""
        strand, nonce = strand_of(ask.id), f"{len(self.done):032x}"
        return self.campaign.close("deadline", by="clock", at=AT, strand=strand, nonce=nonce)

    def account_ms(self) -> float:
        """The time of sending an account of one battle."""
        ask = self.battles[0]
        return spent(lambda: self.campaign.answer(RED, ask.id, ACCOUNT, by="bench", at=AT))

    def plot_ms(self) -> float:
        """The time of sending a plot of one ship."""
        ask = next(ask for ask in self.campaign.asks_for(RED) if ask.beside)
        line = ask.form.lines[-1]
        field = next(one for one in line.fields if one.kind == "text")
        self.plots += 1
        sheet: Sheet = {line.key: {field.key: f"accelerate {1 + self.plots % 3} on {1 + self.plots % 11}"}}
        return spent(lambda: self.campaign.answer(RED, ask.id, sheet, by="bench", at=AT))

    def restart_ms(self, *, rests: bool) -> float:
        """The time of making the campaign from its journal, with where its battles rest, or without."""
        entries = [JournalEntry.model_validate_json(one.line) for one in self.done]
        kept = {rest.ask: rest for one in self.done for rest in one.rests} if rests else dict[str, TrackedRest]()
        found = [*kept.values()]
        return spent(lambda: replay(self.book, entries, SEED, tracker=rulebooks.tracker(), rests=found))

    def held_bytes(self) -> int:
        """What the campaign holds in memory as a restart makes it."""
        entries = [JournalEntry.model_validate_json(one.line) for one in self.done]
        kept = {rest.ask: rest for one in self.done for rest in one.rests}
        gc.collect()
        tracemalloc.start()
        campaign = replay(self.book, entries, SEED, tracker=rulebooks.tracker(), rests=[*kept.values()])
        kept.clear()
        gc.collect()
        size, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert campaign.open_asks()
        return size


def spent(work: Callable[[], object]) -> float:
    """The processor time of something, in milliseconds."""
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1_000
