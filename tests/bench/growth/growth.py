"""What depends on how many campaigns are running: clicks, the idle clock, memory, founding, deadlines that coincide.
What could depend on how many turns one has behind it is measured, too.

The same two campaigns stand in databases of three sizes, among copies of themselves. What is judged may grow no faster
than the logarithm of the number of campaigns.
"""

import asyncio
import json
import math
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil

from tests.bench.clicks import Panel, must_be_journalled
from tests.bench.figures import Counts, Figure, Tick, middle, p95
from tests.bench.growth.campaigns import CLICKED, database_of, multiply, played_models, url_of
from tests.bench.growth.turns import measure_turns
from tests.bench.stage import Stage, Unanswered, full_bot, stage, until
from tests.checkout import ROOT

PART = "Growth"
NOISE = 1.1
"""Medians of the same thing in two databases of the same size differ by up to a tenth."""

MOST_HELD_MS = 50.0
"""The longest time for which the event loop may be held: as long as a click's way over the network."""

MOST_KEPT_MIB = 32.0
"""By how much a process's memory may grow while it founds and starts campaigns that nobody plays on; 200 weigh 180."""

FOUNDED_IN_TURNS = 20
MEBIBYTE = 1024 * 1024

Series = Mapping[int, float]
"""Values by the number of campaigns."""


def steps(counts: Counts) -> int:
    return 5 + 2 * len(counts.sizes) + counts.warm_up + counts.clicks


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """Everything at each size; what is compared is measured in turns."""
    (ROOT / "var").mkdir(exist_ok=True)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(dir=ROOT / "var", prefix="bench-")))
        model = await played_models(folder / "model")
        tick()
        stages: dict[int, Stage] = {}
        together: dict[int, datetime] = {}
        for size in counts.sizes:
            stages[size] = await stack.enter_async_context(stage(folder / str(size), model))
            database = database_of(stages[size])
            together[size] = await asyncio.to_thread(multiply, database, size, min(counts.falling, size // 2))
            tick()
        urls = [url_of(where) for where in stages.values()]
        ticks = dict(zip(stages, await alone("idle", *urls), strict=True))
        tick()
        figures = [*idle_figures(ticks), *await click_figures(stages, counts, tick)]
        largest = max(stages)
        fallen = min(counts.falling, largest // 2)
        fell = await alone("fall", together[largest].isoformat(), str(fallen), url_of(stages[largest]))
        tick()
        founding = await alone("found", str(min(counts.founded, FOUNDED_IN_TURNS)), *urls)
        stayed = await alone("stay", str(counts.founded), url_of(stages[largest]))
        tick()
    dossiers = await measure_turns(counts, tick)
    among = f"among {largest:,} campaigns"
    return [
        *figures,
        Figure(PART, f"{fallen} deadlines at once, until all fell", fell["seconds"], "s", note=among),
        Figure(PART, "the loop was held meanwhile", fell["held"] * 1_000, "ms", limit=MOST_HELD_MS, note="at most"),
        *founding_figures(dict(zip(stages, founding, strict=True))),
        *stay_figures(stayed, counts.founded),
        *dossiers,
    ]


async def alone(*words: str) -> Any:
    """What :mod:`tests.bench.growth.alone` measures, in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.growth.alone", *words]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"came to no end: {' '.join(command)}")
    return json.loads(output)


def grown(
    name: str, values: Series, unit: str, *, judged: bool = False, p95s: Series | None = None, note: str = ""
) -> list[Figure]:
    """A line for each number of campaigns, beside the fewest; if ``judged``, the most may have grown as the logarithm.

    Fewest and most stand for 100 and 5,000, say: then a value may grow by log 5,000 / log 100, and by :data:`NOISE`.
    """
    few, most = min(values), max(values)
    lines: list[Figure] = []
    for size, value in values.items():
        line = Figure(PART, f"{name}, {size:,} campaigns", value, unit, p95=(p95s or {}).get(size), note=note)
        if size != few:
            target = NOISE * math.log(most) / math.log(few) if judged and size == most else None
            line = Figure(PART, line.name, value, unit, values[few], f"with {few:,}", target, line.p95, note)
        lines.append(line)
    return lines


def idle_figures(ticks: Mapping[int, Any]) -> list[Figure]:
    """The clock's ticks while nothing is due."""
    times = {size: [one * 1_000 for one in found["ticks"]] for size, found in ticks.items()}
    medians, p95s = ({size: of(one) for size, one in times.items()} for of in (middle, p95))
    return [
        *grown("idle tick of the clock", medians, "ms", judged=True, p95s=p95s),
        *(
            Figure(
                PART, f"the loop was held by one, {size:,} campaigns", found["held"] * 1_000, "ms", limit=MOST_HELD_MS
            )
            for size, found in ticks.items()
        ),
    ]


async def click_figures(stages: Mapping[int, Stage], counts: Counts, tick: Tick) -> list[Figure]:
    """The real bot on each database: how soon it is there, its memory at rest, and clicks in turns."""
    started: dict[int, float] = {}
    memory: dict[int, float] = {}
    panels: dict[int, Panel] = {}
    unanswered: dict[int, int] = dict.fromkeys(stages, 0)
    async with AsyncExitStack() as stack:
        for size, where in stages.items():
            start = time.perf_counter()
            bot = await stack.enter_async_context(full_bot(where))
            started[size] = time.perf_counter() - start
            process = psutil.Process(bot.pid)
            await at_rest(process)
            await bot.held()
            memory[size] = process.memory_info().rss / MEBIBYTE
            panels[size] = Panel(where, await where.letter("ann"))
            tick()
        for number in range(counts.warm_up + counts.clicks):
            if number == counts.warm_up:
                for panel in panels.values():
                    panel.times.clear()
            for size in await one_round(panels, number):
                unanswered[size] += 1
            tick()
    note = f"{counts.clicks} clicks"
    clicks: list[Figure] = []
    for name, shown in (("orders-show", "/orders show"), ("saved", "form sent, journalled")):
        times = {size: panel.times[name] for size, panel in panels.items()}
        medians, p95s = ({size: of(one) for size, one in times.items()} for of in (middle, p95))
        clicks += grown(shown, medians, "ms", judged=True, p95s=p95s, note=note)
    return [
        *clicks,
        *(
            Figure(PART, f"clicks not answered, {size:,} campaigns", count, "", limit=0.0, note="or put off")
            for size, count in unanswered.items()
        ),
        *grown("the bot's memory at rest", memory, "MiB", judged=True),
        *grown("the bot's start", started, "s", note="until it is connected"),
    ]


async def one_round(panels: Mapping[int, Panel], number: int) -> list[int]:
    """A look and a journalled answer on every bot, who goes first moves on; which ones left a click without an answer.

    Discord gives a click up after three seconds; shortly before, the bot says that the answer will come.
    """
    order = list(panels.items())
    first = number % len(order)
    unanswered: list[int] = []
    for size, panel in (*order[first:], *order[:first]):
        try:
            await panel.look("orders-show", "orders show", campaign=CLICKED)
            before = panel.message["words"]
            await panel.save(number)
        except Unanswered:
            unanswered.append(size)
        else:
            must_be_journalled(before, panel.message["words"])
    return unanswered


async def at_rest(process: psutil.Process) -> None:
    """Wait until a process has done next to nothing for a second."""

    async def resting() -> bool:
        before = sum(process.cpu_times()[:2])
        await asyncio.sleep(1)
        return sum(process.cpu_times()[:2]) - before < 0.03

    await until(resting, "the bot's rest")


def founding_figures(founding: Mapping[int, Sequence[float]]) -> list[Figure]:
    """Founding, both joins and the start of a campaign."""
    medians = {size: middle(times) * 1_000 for size, times in founding.items()}
    p95s = {size: p95(times) * 1_000 for size, times in founding.items()}
    return grown("founded and started", medians, "ms", p95s=p95s)


def stay_figures(stayed: Mapping[str, float], founded: int) -> list[Figure]:
    """What a process keeps of the campaigns that it founded and started."""
    few, many = stayed["few"] / MEBIBYTE, stayed["many"] / MEBIBYTE
    may_stay = stayed["may_stay"]
    return [
        Figure(
            PART,
            f"memory after founding {founded}",
            many,
            "MiB",
            few,
            f"after founding {may_stay:.0f}",
            limit=MOST_KEPT_MIB,
        ),
        Figure(PART, f"campaigns held after founding {founded}", stayed["held"], "", may_stay, "allowed to stay", 1.0),
    ]
