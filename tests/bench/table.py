"""How figures are printed: a table, one sentence on what is asked, and the machine."""

import os
import platform
from collections.abc import Sequence
from typing import Any

from rich.table import Table

from tests.bench.figures import Figure


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
