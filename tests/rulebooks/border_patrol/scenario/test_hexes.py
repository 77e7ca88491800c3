"""Hexes off the map, ways that are none, and how long a refusal is."""

from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.border_patrol.scenario.hexes import broken_way, off_map
from tests.expected.kept import Kept
from tests.rulebooks.border_patrol.worlds import files, refused

GRID = Grid(columns=4, rows=3)


def test_ways_and_hexes(kept: Kept):
    assert [str(one) for one in off_map(["0101", "0403", "0404"], GRID, "p")] == kept("#1")
    assert list(broken_way(["0101", "0102"], "0101", GRID, "p")) == []
    assert list(broken_way(["0102", "0103"], "0101", GRID, "p")) == [], "or with the hex that is entered first"
    assert [str(one) for one in broken_way(["0101"], "0101", GRID, "p")] == [
        "p: leads nowhere from 0101. Legal: a way from 0101."
    ]
    assert list(broken_way(["0101", "0102"], None, GRID, "p")) == []
    assert list(broken_way([], "0101", GRID, "p")) == []
    assert [str(one) for one in broken_way(["0103", "0102", "0402", "0402"], "0101", GRID, "p")] == kept("#2")


def test_a_refusal_is_as_long_as_a_screen_takes():
    """Three hundred letters of what a file holds, and a hundred and twenty of a path."""
    (told,) = (one for one in refused(files() | {"x" * 400: ""}) if one.startswith("xxx"))
    assert told.partition(":")[0] == "x" * 120
    key = "k" * 400
    texts = files()
    texts["scenario.toml"] += f"\n[{key}]\n[{key}]\n"
    (long,) = refused(texts)
    assert long.startswith("scenario.toml: this is not TOML: Cannot declare ('kkk")
    assert len(long.removeprefix("scenario.toml: ")) == 300
