"""Jump lanes at the size of its campaigns: a turn of six empires on 200 systems in which all squadrons move."""

import time
from typing import Any

from rules_engine.core.records.journal import Closed
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.rulebooks.jump_lanes import RULEBOOK
from tests.bench.figures import Counts, Figure, Tick, middle, p95
from tests.rulebooks.jump_lanes.scenarios import EMPIRES, SYSTEMS, Crossing, crossed, wide
from tests.rulebooks.players import judged

PART = "Jump lanes"
TURNS = 3


def steps(counts: Counts) -> int:
    return counts.repeats + 1


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """Turns resolved again from their journal, a sheet of a whole empire judged, and how often a side is asked."""
    turns: list[float] = []
    game = crossed(TURNS)
    for _ in range(counts.repeats):
        turns.append(turns_ms(game) / TURNS)
        tick()
    sheet = sheet_ms(counts.repeats)
    tick()
    size = f"{EMPIRES} empires, {SYSTEMS} systems"
    return [
        Figure(PART, "a turn resolved", middle(turns), "ms", p95=p95(turns), note=size),
        Figure(PART, "a sheet judged and read back", middle(sheet), "ms", p95=p95(sheet), note="all squadrons move"),
        Figure(PART, "asks a side", asks_a_side(), "", 1.0, "a turn", target=1.0, note="nobody meets anybody"),
    ]


def turns_ms(game: Crossing) -> float:
    """The processor time of all closings, played again."""
    again: Adjudicator[Any] = Adjudicator(game.adjudicator.rulebook, game.adjudicator.genesis, game.seed)
    spent = 0.0
    for entry in game.entries:
        start = time.process_time()
        again.repeat(entry)
        if isinstance(entry.body, Closed):
            spent += time.process_time() - start
    assert again.digest() == game.adjudicator.digest()
    return spent * 1_000


def asks_a_side() -> float:
    """How often a side is asked in a turn in which it meets nobody, at most."""
    game = Crossing(RULEBOOK, wide(), 1)
    asked: dict[str, int] = {}
    seen: set[str] = set()
    while game.adjudicator.turn == 1:
        for ask in game.adjudicator.open_asks():
            if ask.id not in seen:
                seen.add(ask.id)
                asked |= {side: asked.get(side, 0) + 1 for side in ask.parties}
        game.finish(game.adjudicator.strands()[0])
    return float(max(asked.values()))


def sheet_ms(repeats: int) -> list[float]:
    """The processor time of judging an empire's sheet, in which all its squadrons move, and of reading it back."""
    game = Crossing(RULEBOOK, wide(), 1)
    ask = next(one for one in game.adjudicator.open_asks() if one.kind == "plot")
    side = ask.parties[0]
    sheet = game.sheet(side)
    found: list[float] = []
    for _ in range(repeats):
        start = time.process_time()
        answer = judged(game.adjudicator, side, ask, sheet)
        assert answer is not None
        said = list(ask.read_back(answer))
        found.append((time.process_time() - start) * 1_000)
        assert len(said) >= len(sheet)
    return found
