"""PQ-17 at the size of its campaign: operational turns a second, how time grows with the task forces, a whole
campaign's time and memory, and how often people are asked.

A turn's time is the processor time of the adjudicator: judging answers, resolving, reports, fingerprints and snapshots.
The officers who fill in the sheets are left out.
"""

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from fractions import Fraction

from rules_engine.rulebooks.pq17 import RULEBOOK
from tests.bench.figures import Counts, Figure, Tick, middle
from tests.rulebooks.pq17.playing.campaign_play import CAMPAIGN, CampaignPlay, peak_memory, scenario
from tests.rulebooks.pq17.playing.officers import Manner
from tests.rulebooks.pq17.worlds.large import armada

PART = "Operations"
SHIPS_A_FORCE = Fraction(10, 3)
TIMES = (1, 2, 4)
NEAR_LINEAR = 1.5
"""A growth of up to half as much again as the task forces' own counts as near linear."""
EVERYBODY_MOVES = Manner(bold=1.0, whims=0.0, silence=0.0)


def steps(counts: Counts) -> int:
    """How often :func:`measure` ticks."""
    return len(TIMES) * worlds(counts) + 1


def worlds(counts: Counts) -> int:
    """How many worlds of each size are played."""
    return max(1, counts.repeats // 2)


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """Large worlds of three sizes in turns, and one whole campaign in a process of its own."""
    seconds: dict[int, list[float]] = {times: [] for times in TIMES}
    for repeat in range(worlds(counts)):
        for times in TIMES:
            seconds[times].append(turn_seconds(times * counts.task_forces, counts.operations, seed=repeat + 1))
            tick()
    whole = await played_apart(counts.campaign_turns)
    tick()
    one = middle(seconds[1])
    grown = [
        Figure(
            PART,
            f"a turn with {times} times the task forces",
            middle(seconds[times]) * 1_000,
            "ms",
            times * one * 1_000,
            "if it were linear",
            NEAR_LINEAR,
        )
        for times in TIMES[1:]
    ]
    size = f"{int(counts.task_forces * SHIPS_A_FORCE)} ships, {counts.task_forces} task forces"
    length = f"{whole['turns']:.0f} turns"
    return [
        Figure(PART, "PQ-17 operational turns", 1 / one, "a second", note=size),
        *grown,
        Figure(PART, "a campaign, the referee's work", whole["engine"], "s", note=length),
        Figure(PART, "a campaign, officers and checks too", whole["seconds"], "s", note=length),
        Figure(PART, "a campaign's peak memory", whole["memory"], "MiB", note="the process with its imports"),
        Figure(PART, "prompts a turn without contact", whole["quiet"], "", note="both sides together"),
        Figure(PART, "prompts a turn with contact", whole["busy"], "", note="both sides together"),
    ]


def turn_seconds(forces: int, turns: int, *, seed: int) -> float:
    """Processor seconds of one turn in a world of so many task forces, both sides moving all they have."""
    document = armada(forces, int(forces * SHIPS_A_FORCE), seed, turns=turns + 1)
    game = CampaignPlay(RULEBOOK, document, seed, manner=EVERYBODY_MOVES, check=False)
    opening = game.tally.seconds
    game.play(turns)  # and the next turn's sheets are made
    return (game.tally.seconds - opening) / turns


async def played_apart(turns: int) -> dict[str, float]:
    """A campaign played in a process of its own, whose memory is then its own too."""
    command = [sys.executable, "-m", "tests.bench.operations", str(turns)]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"the campaign came to no end: {' '.join(command)}")
    return json.loads(output)


def play(turns: int) -> dict[str, float]:
    """A campaign of so many turns, and what it took."""
    book, document = scenario(CAMPAIGN, turns=turns)
    start = time.process_time()
    tally = CampaignPlay(book, document, 1).play().tally
    quiet, busy = (tally.asks[kind] / max(1, tally.turns[kind]) for kind in ("quiet", "busy"))
    return {
        "turns": tally.turns.total(),
        "engine": tally.seconds,
        "seconds": time.process_time() - start,
        "memory": peak_memory(),
        "quiet": quiet,
        "busy": busy,
    }


def main(arguments: Sequence[str]) -> None:
    """``python -m tests.bench.operations TURNS``: play a campaign and print what it took."""
    print(json.dumps(play(int(arguments[0]))))


if __name__ == "__main__":
    main(sys.argv[1:])
