"""Numbers in printed tables and in data files."""

import tomllib
from pathlib import Path

from tests.checkout import ROOT
from tests.mutation.changes import Mutation
from tests.mutation.tables import PRINTED, data_sites, is_table, next_number, number_before

DATA = (Path(__file__).parent / "scenes/rows.toml").read_text(encoding="utf-8")


def test_numbers_keep_their_width() -> None:
    assert [next_number(text) for text in ("09", "99", "1.09", "0")] == ["10", "100", "1.10", "1"]
    assert [number_before(text) for text in ("10", "100", "1.10", "0")] == ["09", "099", "1.09", None]


def test_values_of_data_are_drawn_from_and_what_is_invented_is_not() -> None:
    found = list(data_sites("x.toml", DATA))
    first = [Mutation(site, site.edits[0], DATA[site.edits[0].start : site.edits[0].end]) for site in found]
    assert [(one.site.line, one.change) for one in first] == [
        (3, "660 -> 661"),
        (5, "0101 -> 0102"),
        (5, "0114 -> 0115"),
        (9, "1 -> 2"),
        (9, "2.5 -> 2.6"),
        (10, "2 -> 3"),
        (10, "3 -> 4"),
        (11, "10 -> 11"),
    ]
    assert tomllib.loads(first[4].made(DATA))["row"][0]["points"] == {"CA": 1, "DD": 2.6}
    assert [edit.after for edit in found[-1].edits] == ["11", "9"]


def test_a_table_has_more_numbers_than_words() -> None:
    assert is_table("FORCE U 01-38 01-25")
    assert not is_table("within 3 hexes of 2 bases that are known")
    assert not is_table("3")


def test_printed_data_is_there() -> None:
    for path in (one for some in PRINTED.values() for one in some):
        assert list(data_sites(path, (ROOT / path).read_text(encoding="utf-8")))
