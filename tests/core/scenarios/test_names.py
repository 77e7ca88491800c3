"""Names that are unknown or doubled, and lines of files."""

from rules_engine.core.scenarios.lines import Lines
from rules_engine.core.scenarios.names import doubled, unknown
from tests.expected.kept import Kept, cases


def test_six_names_are_listed_and_a_seventh_is_counted_among_others():
    (six,) = unknown("x", "fedcba", "letter", "p")
    assert str(six) == "p: x is no letter. Legal: a, b, c, d, e, f."
    (seven,) = unknown("x", "gfedcba", "letter", "p")
    assert str(seven) == "p: x is no letter. Legal: a, b, c, d, e, f and others."
    (none,) = unknown("x", "", "letter", "p")
    assert str(none) == "p: x is no letter. Legal: there is no letter yet."
    assert [*unknown(None, "ab", "letter", "p"), *unknown("a", "ab", "letter", "p")] == []


def test_what_is_given_more_than_once(kept: Kept):
    assert [str(one) for one in doubled(["a", "b", "a", "c", "c", "c"], "p")] == kept()


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


@cases("path, place")
def test_where_a_defect_stands(path: str, place: str):
    lines = Lines({"units.toml": TEXT, "ships.toml": CLASSES, "own_ships.csv": 'class_id,name\n"A",a\nY,y\n'})
    assert lines.place_of(path) == place
