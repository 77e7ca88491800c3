"""How many impulses of a campaign the rules resolve in a second."""

import time

from rules_engine.core.records.journal import Closed
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.rulebooks.pq17.tables.operations import IMPULSES
from tests.bench.figures import Counts, Figure, Tick, middle
from tests.bench.matches import PQ17, match

PART = "Rules"
MOST_ROUNDS = 400


def steps(counts: Counts) -> int:
    return counts.matches


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """Whole campaigns of random legal play, resolved again from their journals.

    The random players' own thinking is left out that way; checking answers, resolving, reports and the digest of every
    entry are in.
    """
    rates: list[float] = []
    batches: list[float] = []
    for seed in range(1, counts.matches + 1):
        game = match(PQ17, seed)
        game.play(MOST_ROUNDS)
        adjudicator = Adjudicator(game.adjudicator.rulebook, game.adjudicator.genesis, game.seed)
        start = time.perf_counter()
        for entry in game.entries:
            adjudicator.repeat(entry)
        seconds = time.perf_counter() - start
        assert adjudicator.digest() == game.adjudicator.digest()
        rates.append(adjudicator.turn * len(IMPULSES) / seconds)
        closed = sum(isinstance(entry.body, Closed) for entry in game.entries)
        batches.append(seconds / closed * 1_000)
        tick()
    return [
        Figure(PART, "PQ-17 impulses resolved", middle(rates), "a second", note=f"{counts.matches} whole campaigns"),
        Figure(PART, "one batch closed and played on", middle(batches), "ms", note="all entries / closings"),
    ]
