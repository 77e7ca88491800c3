"""Every part of the bench runs and gives its figures. What they are is the bench's business, not a test's."""

import json
from pathlib import Path

import pytest

from tests.bench.__main__ import PARTS, main
from tests.databases import missing

EXPECTED = {"maps": 6, "clicks": 7, "stores": 2, "rules": 2, "operations": 8, "restart": 2, "memory": 3}
"""Figures that each part gives."""


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
