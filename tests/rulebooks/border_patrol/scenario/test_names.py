"""Names that are unknown, doubled or off the map, and lines of files, as functions."""

import pytest

from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.border_patrol.scenario.lines import Lines
from rules_engine.rulebooks.border_patrol.scenario.names import broken_way, doubled, off_map, unknown
from tests.rulebooks.border_patrol.worlds import files, refused

GRID = Grid(columns=4, rows=3)


def test_six_names_are_listed_and_a_seventh_is_counted_among_others():
    (six,) = unknown("x", "fedcba", "letter", "p")
    assert str(six) == "p: x is no letter. Legal: a, b, c, d, e, f."
    (seven,) = unknown("x", "gfedcba", "letter", "p")
    assert str(seven) == "p: x is no letter. Legal: a, b, c, d, e, f and others."
    (none,) = unknown("x", "", "letter", "p")
    assert str(none) == "p: x is no letter. Legal: there is no letter yet."
    assert [*unknown(None, "ab", "letter", "p"), *unknown("a", "ab", "letter", "p")] == []


def test_what_is_given_more_than_once():
    assert [str(one) for one in doubled(["a", "b", "a", "c", "c", "c"], "p")] == [
        "p: a is given 2 times. Legal: each once.",
        "p: c is given 3 times. Legal: each once.",
    ]


def test_ways_and_hexes():
    assert [str(one) for one in off_map(["0101", "0403", "0404"], GRID, "p")] == [
        "p: 0404 is not on the map. Legal: 0101 to 0403."
    ]
    assert list(broken_way(["0101", "0102"], "0101", GRID, "p")) == []
    assert list(broken_way(["0101", "0102"], None, GRID, "p")) == []
    assert list(broken_way([], "0101", GRID, "p")) == []
    assert [str(one) for one in broken_way(["0102", "0103", "0101", "0101"], "0101", GRID, "p")] == [
        "p: begins in 0102. Legal: a way from 0101.",
        "p: 0103 and 0101 are not next to each other. Legal: one hex after another.",
        "p: 0101 and 0101 are not next to each other. Legal: one hex after another.",
    ]


TEXT = """title = "x"
[map]
columns = 3

[[unit]]
id = "a"
[[unit.pods]]
name = "p"
[[unit.pods]]
name = "q"
[[unit]]
id = "b"
[[unit.pods]]
name = "r"
"""
CLASSES = '[[class]]\nclass_id = "X"\n'


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("units.toml.title", "(line 1)"),
        ("units.toml.map", "(line 2)"),
        ("units.toml.map.columns", "(line 3)"),
        ("units.toml.map.rows", "(line 2)"),
        ("units.toml.unit", "(line 5)"),
        ("units.toml.unit.0", "(line 5)"),
        ("units.toml.unit.0.id", "(line 6)"),
        ("units.toml.unit.0.pods.0.name", "(line 8)"),
        ("units.toml.unit.0.pods.1.name", "(line 10)"),
        ("units.toml.unit.1.id", "(line 12)"),
        ("units.toml.unit.1.pods.0.name", "(line 14)"),
        ("units.toml.turns", ""),
        ("units.toml", ""),
        ("other.toml.x", ""),
        ("ships.X.bpv", "(ships.toml, line 2)"),
        ("ships.Y.bpv", "(own_ships.csv, line 3)"),
        ("ships.Z.bpv", ""),
    ],
)
def test_where_a_defect_stands(path: str, place: str):
    lines = Lines({"units.toml": TEXT, "ships.toml": CLASSES, "own_ships.csv": 'class_id,name\n"A",a\nY,y\n'})
    assert lines.place_of(path) == place


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
