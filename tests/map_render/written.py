"""Views of made-up boards, written down in `written/*.toml`: a row for each place, counter, course and piece of news.

A row of `hexes` says what there is in its hexes, or in all within so many of them (`far`); a later row adds to an
earlier one. They come in the order of the rows, or with `sorted_hexes` in that of their names. A counter is called by
its id and belongs to the reader unless its row says otherwise.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from rules_engine.core.grids.charts import Chart
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import SideView

HERE = Path(__file__).parent / "written"


def read(name: str) -> dict[str, Any]:
    """What stands in the file of that name."""
    return tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def written(name: str) -> SideView:
    """The view of that name, of a map of hexes."""
    found = read(name)
    return view_on(Grid.model_validate(found.pop("map")), found)


def view_on(grid: Grid | Chart, found: dict[str, Any]) -> SideView:
    """What stands in a file, as a view of this map."""
    side, levels = found.pop("side"), found.pop("levels", None)
    notes: dict[str, dict[str, Any]] = {}
    for row in found["hexes"]:
        far = row.pop("far", 0)
        for at in row.pop("at").split():
            for one in grid.within(at, far) if far else (at,):
                notes.setdefault(one, {"hex": one}).update(row)
    order = sorted(notes) if found.pop("sorted_hexes", False) else notes
    counters = [_counter(row, side, levels) for row in found["counters"]]
    filled = {"grid": grid, "hexes": [notes[one] for one in order], "counters": counters}
    return SideView.model_validate({"side": side, "board": found | filled})


def _counter(row: dict[str, Any], side: str, levels: list[str] | None) -> dict[str, Any]:
    known = {"label": row["id"], "owner": side}
    if "grade" in row:
        known |= {"level": row["grade"], "level_name": levels[row["grade"]] if levels else ""}
    return known | row
