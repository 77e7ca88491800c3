"""``python -m tests.bench [--json FILE] [--only PART ...] [--tiny]``: measure everything and print one table."""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from tests.bench import (
    clicks,
    frames,
    impulses,
    in_play,
    lanes,
    maps,
    memory,
    operations,
    pace,
    patrols,
    restart,
    stores,
    strands,
    trackers,
    vectors,
)
from tests.bench.figures import TINY, Counts, Figure
from tests.bench.growth import growth
from tests.bench.hostile import fairness, texts
from tests.bench.table import machine, table_of, verdict_on

PARTS: dict[str, ModuleType] = {
    "maps": maps,
    "cards": frames,
    "clicks": clicks,
    "stores": stores,
    "rules": impulses,
    "operations": operations,
    "strands": strands,
    "pace": pace,
    "patrols": patrols,
    "lanes": lanes,
    "vectors": vectors,
    "trackers": trackers,
    "restart": restart,
    "memory": memory,
    "in_play": in_play,
    "growth": growth,
    "hostile": texts,
    "fairness": fairness,
}


async def run(parts: Sequence[str], counts: Counts, console: Console) -> list[Figure]:
    """Measure these parts, one behind the other."""
    figures: list[Figure] = []
    columns = (TextColumn("{task.description:<8}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        tasks = {name: progress.add_task(name, total=PARTS[name].steps(counts), start=False) for name in parts}
        for name in parts:
            progress.start_task(tasks[name])
            figures += await PARTS[name].measure(counts, lambda task=tasks[name]: progress.advance(task))
            progress.stop_task(tasks[name])
    return figures


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write the file if one was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS), help="measure only these parts")
    parser.add_argument("--tiny", action="store_true", help="a few of everything: shows that it runs, measures nothing")
    chosen = parser.parse_args(arguments)
    console = Console(width=None if sys.stdout.isatty() else 150)
    before = machine()
    figures = asyncio.run(run(chosen.only, TINY if chosen.tiny else Counts(), console))
    after = machine()
    console.print(table_of(figures))
    if said := verdict_on(figures):
        console.print(said)
    console.print(
        f"[dim]Python {before['python']}, {before['system']}, {before['processors']} processors; load average "
        f"{before['load'][0]} before and {after['load'][0]} after. A busy machine makes everything slower; what is "
        "compared was measured in turns.[/]"
    )
    if chosen.json:
        content = {"before": before, "after": after, "figures": [one.as_json() for one in figures]}
        chosen.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
