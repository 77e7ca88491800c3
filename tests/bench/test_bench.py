"""Every part of the bench runs and gives its figures. What they are is the bench's business, not a test's."""

import json
from pathlib import Path

import pytest
from rich.console import Console

from tests.bench.__main__ import PARTS, main
from tests.bench.figures import Figure
from tests.bench.table import table_of, verdict_on
from tests.databases import missing
from tests.expected.sections import section_rows

EXPECTED = dict(section_rows("expected"))
"""Figures that each part gives."""


@pytest.mark.bench
@pytest.mark.parametrize("part", list(PARTS))
def test_a_part_runs_with_a_few_of_everything(part: str, tmp_path: Path):
    target = tmp_path / "figures.json"
    assert main(["--tiny", "--only", part, "--json", str(target)]) == 0
    figures = json.loads(target.read_text(encoding="utf-8"))["figures"]
    away = bool(missing()) if part == "stores" else 0  # PostgreSQL's figure is left out where it is not there
    assert len(figures) == EXPECTED[part] - away
    assert all(one["value"] >= 0 for one in figures)
    if part == "memory":
        assert figures[-1]["value"] == 3, "three campaigns were used, and all three may stay"


def test_a_limit_is_what_a_figure_may_lie_above_what_it_is_set_beside():
    within = Figure("Part", "near", 7.0, "ms", 2.0, "bare", limit=5.0)
    above = Figure("Part", "far", 7.1, "ms", 2.0, "bare", limit=5.0)
    alone = Figure("Part", "alone", 7.1, "ms", limit=5.0)
    assert (within.met, above.met, alone.met) == (True, False, False)
    assert Figure("Part", "ratio", 7.0, "ms", 2.0, "bare").met is None, "nothing is asked of it"


def test_what_is_missed_stands_in_the_table_and_below_it():
    figures = [
        Figure("Part", "near", 7.0, "ms", 2.0, "bare", limit=5.0),
        Figure("Part", "far", 7.1, "ms", 2.0, "bare", limit=5.0),
        Figure("Part", "slow", 7.1, "ms", 2.0, "bare", target=3.0),
    ]
    console = Console(width=150)
    with console.capture() as captured:
        console.print(table_of(figures))
    lines = captured.get().splitlines()
    assert "+5.00 ms" in lines[1]
    assert ["5 ms met" in line for line in lines] == [False, True, False, False]
    assert ["5 ms missed" in line for line in lines] == [False, False, True, False]
    assert "3 missed" in lines[3]
    assert "2 of 3" in verdict_on(figures)
    assert "Part: far; Part: slow." in verdict_on(figures)
    assert "All 1" in verdict_on(figures[:1])
