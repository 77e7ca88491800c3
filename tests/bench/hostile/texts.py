"""What hostile texts cost: the longest time for which a typed or uploaded one holds the event loop, and how long the
worst of them takes to be read and refused beside it."""

import asyncio
import time
from collections.abc import Iterator

from bot.orders.fill import LARGEST_ORDERS
from bot.running import spare_the_collector
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Form
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.rulebooks.pq17.plotting.planning_sheet import planning_ask
from tests.bench.figures import Counts, Figure, Tick
from tests.bench.growth.loop_watch import LoopWatch
from tests.rulebooks.pq17.worlds.notation import table, world

PART = "Hostile"
MOST_HELD_MS = 50.0
PIECES = (
    " ", "\t", "\u00a0", "\n", "#", ":", ";", ",", '"', "\\", "=", "-", "_", "z", "9", "a ", "x: y\n", "A1: speed 2\n",
    "A1: q\n", "A1 x\n", "A1: speed q\n", "A1-A60: speed 2\n", "A1-A60: q\n", "A1-A60: speed 2; route 0405\n", '"a" ',
    "0405 ", "A>B ", "z" * 200 + ": y\n",
)  # fmt: skip
BEGINNINGS = ("", "A1: ", "A1: route ", 'A1: name "')


def steps(counts: Counts) -> int:
    return len(PIECES)


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """Every piece repeated to a modal's and to the largest file's length, behind different beginnings, read as typed
    orders are: away from the loop."""
    forces = "\n".join(f"A{n} {4 + n // 20:02}{1 + n % 20:02} CA#3" for n in range(1, counts.task_forces + 1))
    form = planning_ask(table(world(forces)), "alliance").form
    longest = held = 0.0
    spare_the_collector()  # as the bot does
    for piece in PIECES:
        for text in _texts(piece):
            with LoopWatch() as watch:
                start = time.perf_counter()
                await asyncio.to_thread(_read, form, text)
                longest = max(longest, time.perf_counter() - start)
            held = max(held, watch.longest)
        tick()
    note = f"{len(PIECES) * len(BEGINNINGS) * 2} texts, a sheet of {len(form.lines)} lines"
    return [
        Figure(PART, "the loop was held while a text was read", held * 1_000, "ms", limit=MOST_HELD_MS, note=note),
        Figure(PART, "the longest reading", longest * 1_000, "ms", note="beside the loop"),
    ]


def _texts(piece: str) -> Iterator[str]:
    for beginning in BEGINNINGS:
        for length in (4_000, LARGEST_ORDERS):
            yield (beginning + piece * (length // len(piece) + 1))[:length]


def _read(form: Form, text: str) -> None:
    try:
        read_sheet(form, text)
    except Refused:
        return
