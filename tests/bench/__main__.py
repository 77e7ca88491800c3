"""``python -m tests.bench [--json FILE] [--only PART ...] [--tiny]``: measure everything and print one table."""

import argparse
import asyncio
import json
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.bench import clicks, impulses, maps, memory, operations, restart, stores
from tests.bench.figures import TINY, Counts, Figure
from tests.bench.growth import growth
from tests.bench.hostile import fairness, texts

PARTS: dict[str, ModuleType] = {
    "maps": maps,
    "clicks": clicks,
    "stores": stores,
    "rules": impulses,
    "operations": operations,
    "restart": restart,
    "memory": memory,
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


def table_of(figures: Sequence[Figure]) -> Table:
    """All figures, each beside what it is compared with."""
    table = Table(box=None, pad_edge=False)
    for heading, side in (("", "left"), ("", "left"), ("median", "right"), ("p95", "right"), ("beside", "left")):
        table.add_column(heading, justify=side)  # type: ignore[arg-type]  one of rich's words
    for heading in ("ratio", "above", "at most"):
        table.add_column(heading, justify="right")
    table.add_column("")
    part = ""
    for one in figures:
        compared = one.limit is not None and one.base is not None
        table.add_row(
            one.part if one.part != part else "",
            one.name,
            f"{_number(one.value)} {one.unit}",
            _number(one.p95) if one.p95 is not None else "",
            f"{_number(one.base)} {one.unit} {one.beside}" if one.base is not None else "",
            f"{one.ratio:.2f}" if one.ratio is not None else "",
            f"{one.excess:+.2f} {one.unit}" if compared else "",
            _asked(one),
            f"[dim]{one.note}[/]",
        )
        part = one.part
    return table


def _asked(one: Figure) -> str:
    """What is asked of a figure, a ratio or so much in its unit, and whether it is met."""
    if one.met is None:
        return ""
    most = f"{one.target:.3g}" if one.limit is None else f"{one.limit:g} {one.unit}".strip()
    return f"{most} {'[green]met[/]' if one.met else '[red]missed[/]'}"


def verdict_on(figures: Sequence[Figure]) -> str:
    """One sentence: whether all is met that is asked, and what is not."""
    judged = [one for one in figures if one.met is not None]
    missed = [f"{one.part}: {one.name}" for one in judged if not one.met]
    if missed:
        return f"[red]{len(missed)} of {len(judged)} figures are above what is asked.[/] {'; '.join(missed)}."
    return f"[green]All {len(judged)} figures of which something is asked meet it.[/]" if judged else ""


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.2f}"


def machine() -> dict[str, Any]:
    """The machine it was measured on."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count(),
        "load": [round(one, 2) for one in os.getloadavg()],
    }


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
