"""Border Patrol at the size of its campaigns: a strategic turn of two Teams of forty units; all stacks move."""

import time
from typing import Any

from rules_engine.core.records.journal import Closed
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.rulebooks.border_patrol import RULEBOOK
from tests.bench.figures import Counts, Figure, Tick, middle, p95
from tests.rulebooks.border_patrol.squadrons import Sailing, sailed, squadrons
from tests.rulebooks.players import judged

PART = "Border Patrol"
UNITS = 40
TURNS = 3


def steps(counts: Counts) -> int:
    return counts.repeats + 1


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """Turns resolved again from their journal, and a sheet of a whole Team judged."""
    turns: list[float] = []
    closings: list[float] = []
    game = patrol()
    for _ in range(counts.repeats):
        spent = closing_ms(game)
        closings += spent
        turns.append(sum(spent) / TURNS)
        tick()
    sheet = sheet_ms(counts.repeats)
    tick()
    size = f"2 x {UNITS} units, a stack of each Team meets"
    return [
        Figure(PART, "a strategic turn resolved", middle(turns), "ms", p95=p95(turns), note=size),
        Figure(PART, "its longest closing", max(closings), "ms", note="rules, reports, digest, the next sheets"),
        Figure(PART, "a sheet judged and read back", middle(sheet), "ms", p95=p95(sheet), note=f"{UNITS} units"),
    ]


def patrol() -> Sailing:
    """A campaign whose stacks all move, and in which one of each Team meets another."""
    return sailed(Sailing, squadrons(UNITS, turns=TURNS, meet=True), turns=TURNS)


def closing_ms(game: Sailing) -> list[float]:
    """The processor time of each closing, played again."""
    again: Adjudicator[Any] = Adjudicator(game.adjudicator.rulebook, game.adjudicator.genesis, game.seed)
    found: list[float] = []
    for entry in game.entries:
        start = time.process_time()
        again.repeat(entry)
        if isinstance(entry.body, Closed):
            found.append((time.process_time() - start) * 1_000)
    assert again.digest() == game.adjudicator.digest()
    return found


def sheet_ms(repeats: int) -> list[float]:
    """The processor time of judging a Team's sheet, in which all its stacks move, and of reading it back."""
    game = Sailing(RULEBOOK, squadrons(UNITS, meet=True), 1)
    adjudicator = game.adjudicator
    ask = next(one for one in adjudicator.open_asks() if one.kind == "plot")
    side = ask.parties[0]
    sheet = game.sheet(side)
    found: list[float] = []
    for _ in range(repeats):
        start = time.process_time()
        answer = judged(adjudicator, side, ask, sheet)
        assert answer is not None
        said = list(ask.read_back(answer))
        found.append((time.process_time() - start) * 1_000)
        assert len(said) >= len(sheet)
    return found
