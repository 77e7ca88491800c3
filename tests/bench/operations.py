"""PQ-17 at the size of its campaign: operational turns a second, how time grows with the task forces, a whole
campaign's time and memory, each of its closings, its verification, and how often people are asked.

A turn's time is the processor time of the adjudicator: judging answers, resolving, reports, fingerprints, snapshots,
and the forms of the asks that open. The officers who fill in the sheets are left out. Another adjudicator's phase with
as many units stands beside, where it is installed.
"""

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from bot.verification.verify import verify
from rules_engine.core.records.journal import JournalEntry
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.tables.operations import IMPULSES
from tests.bench import outside
from tests.bench.figures import Counts, Figure, Tick, middle, p95, p99
from tests.rulebooks.pq17.playing.campaign_play import AT, CAMPAIGN, CampaignPlay, peak_memory, scenario
from tests.rulebooks.pq17.playing.officers import Manner
from tests.rulebooks.pq17.worlds.large import armada

PART = "Operations"
SHIPS_A_FORCE = Fraction(10, 3)
TIMES = (1, 2, 4)
NEAR_LINEAR = 1.5
"""A growth of up to half as much again as the task forces' own counts as near linear."""
EVERYBODY_MOVES = Manner(bold=1.0, whims=0.0, silence=0.0)


def steps(counts: Counts) -> int:
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
    impulse, closing = await beside_another(
        Figure(PART, "an impulse of such a turn", one / len(IMPULSES) * 1_000, "ms"),
        counts.task_forces,
        Figure(PART, "a closing in the campaign", middle(whole["closings"]), "ms", p95=p95(whole["closings"])),
        whole["forces"],
    )
    return [
        Figure(PART, "PQ-17 operational turns", 1 / one, "a second", note=size),
        impulse,
        *grown,
        Figure(PART, "a campaign, the referee's work", whole["engine"], "s", note=length),
        Figure(PART, "a campaign, officers and checks too", whole["seconds"], "s", note=length),
        Figure(PART, "a campaign's peak memory", whole["memory"], "MiB", note="the process with its imports"),
        closing,
        Figure(PART, "its 99th percentile", p99(whole["closings"]), "ms", note=f"{len(whole['closings']):,} closings"),
        Figure(PART, "the campaign verified", whole["verified"], "s", note=f"{whole['entries']:,} entries"),
        Figure(PART, "turns verified", whole["turns"] / whole["verified"], "a second"),
        Figure(PART, "prompts a turn without contact", whole["quiet"], "", note="both sides together"),
        Figure(PART, "prompts a turn with contact", whole["busy"], "", note="both sides together"),
    ]


async def beside_another(impulse: Figure, in_impulse: int, closing: Figure, in_closing: int) -> tuple[Figure, Figure]:
    """Both figures beside another adjudicator's phase with as many units as there are task forces, if it is there."""
    if reason := outside.missing():
        return replace(impulse, note=reason), replace(closing, note=reason)
    units = [max(1, min(forces, outside.MOST_UNITS)) for forces in (in_impulse, in_closing)]
    phases = await outside.process_ms(*units)
    impulse, closing = (
        replace(
            one,
            base=phase,
            beside=f"diplomacy, {count} units",
            note=f"{forces} task forces; {one.value / forces:.2g} ms each, {phase / count:.2g} ms a unit",
        )
        for one, forces, phase, count in zip((impulse, closing), (in_impulse, in_closing), phases, units, strict=True)
    )
    return impulse, closing


def turn_seconds(forces: int, turns: int, *, seed: int) -> float:
    """Processor seconds of one turn in a world of so many task forces, both sides moving all they have."""
    document = armada(forces, int(forces * SHIPS_A_FORCE), seed, turns=turns + 1)
    game = CampaignPlay(RULEBOOK, document, seed, manner=EVERYBODY_MOVES, check=False)
    opening = game.tally.seconds
    game.play(turns)  # and the next turn's sheets are made
    return (game.tally.seconds - opening) / turns


async def played_apart(turns: int) -> dict[str, Any]:
    """A campaign played in a process of its own, whose memory is then its own too."""
    command = [sys.executable, "-m", "tests.bench.operations", str(turns)]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"the campaign came to no end: {' '.join(command)}")
    return json.loads(output)


def play(turns: int) -> dict[str, Any]:
    """A campaign of so many turns, and what it took; then its record is verified, as anybody can do who has it."""
    book, document = scenario(CAMPAIGN, turns=turns)
    start = time.process_time()
    game = CampaignPlay(book, document, 1)
    forces: list[int] = []
    while game.adjudicator.ending is None:
        forces.append(sum(not tf.is_base for tf in game.state.all_task_forces()))
        game.batch()
    tally = game.tally
    quiet, busy = (tally.asks[kind] / max(1, tally.turns[kind]) for kind in ("quiet", "busy"))
    found = {
        "turns": tally.turns.total(),
        "engine": tally.seconds,
        "seconds": time.process_time() - start,
        "memory": peak_memory(),
        "closings": [seconds * 1_000 for seconds in tally.closings],
        "forces": int(middle(forces)),
        "quiet": quiet,
        "busy": busy,
    }
    lines = [*game.lines, game.adjudicator.reveal(by="clock", at=AT).line]
    start = time.process_time()
    verdict = verify([JournalEntry.model_validate_json(line) for line in lines])
    assert verdict.replayed
    return {**found, "entries": len(lines), "verified": time.process_time() - start}


def main(arguments: Sequence[str]) -> None:
    """``python -m tests.bench.operations TURNS``: play a campaign and print what it took."""
    print(json.dumps(play(int(arguments[0]))))


if __name__ == "__main__":
    main(sys.argv[1:])
