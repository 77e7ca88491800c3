"""A seed draws the same changes each time, and the kinds take turns."""

from itertools import islice
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.mutation.changes import KINDS, Mutation
from tests.mutation.draw import EQUAL, Equal, book_files, differs, drawn, equals, sites_of
from tests.reached.belonging import books

SOURCE = """\
ROWS = (1, 2, 3)


def f(a):
    if a < 4:
        tell("you may not go")
    return a and a == 7
"""


def draw(root: Path, seed: int, *equal: Equal) -> list[Mutation]:
    return list(drawn(root, sites_of(root, ["x.py"]), seed, equal))


def test_a_draw_is_repeated_by_its_seed_and_seeds_differ(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text(SOURCE)
    assert draw(tmp_path, 5) == draw(tmp_path, 5)
    assert len({tuple(one.where + one.change for one in draw(tmp_path, seed)) for seed in range(9)}) > 3


def test_every_place_comes_up_once_and_the_kinds_take_turns(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text(SOURCE)
    found = draw(tmp_path, 1)
    assert len({(one.site, one.edit.start) for one in found}) == len(found) == 10
    assert [one.site.kind for one in found[:5]] == list(KINDS)
    assert {one.site.line for one in found} == {1, 5, 6, 7}


def test_a_change_elsewhere_does_not_change_what_a_seed_draws(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text(SOURCE)
    before = [(one.site.text, one.change) for one in draw(tmp_path, 1)]
    (tmp_path / "x.py").write_text("import a\n\n" + SOURCE)
    assert [(one.site.text, one.change) for one in draw(tmp_path, 1)] == before


def test_what_cannot_be_told_in_play_is_drawn_again(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text(SOURCE)
    first = next(one for one in draw(tmp_path, 1) if one.site.kind == "comparison")
    equal = Equal("x.py", first.site.text, first.change, "because")
    assert equal.fits(first)
    rest = draw(tmp_path, 1, equal)
    assert first not in rest
    assert len(rest) == 9
    assert draw(tmp_path, 1, Equal("x.py", first.site.text, first.change, "because", first.site.column + 1)) == draw(
        tmp_path, 1
    )


def test_an_entry_says_why(tmp_path: Path) -> None:
    (tmp_path / "e.toml").write_text('[[equal]]\nfile = "a"\nline = "b"\nchange = "1 -> 2"\nreason = " "\n')
    with pytest.raises(ValueError, match="reason"):
        equals(tmp_path / "e.toml")


def test_the_entries_are_of_lines_that_are_there() -> None:
    texts = {one: (ROOT / one.file).read_text(encoding="utf-8") for one in equals(EQUAL)}
    assert [one for one, text in texts.items() if one.line not in {row.strip() for row in text.splitlines()}] == []


def test_a_change_leaves_a_file_that_can_be_read_and_says_something_else() -> None:
    assert differs("x.py", "a = 1\n", "a = 2\n")
    assert not differs("x.py", "a = 1\n", "a = (1)\n")
    assert not differs("x.py", "a = 1\n", "a = (\n")
    assert differs("x.toml", "a = 1\n", "a = 2\n")
    assert not differs("x.toml", "a = 1\n", "a = 01\n")


@pytest.mark.parametrize("book", books())
def test_a_book_offers_every_kind_and_nothing_of_another(book: str) -> None:
    files = book_files(ROOT, book)
    assert all(f"/{book}/" in path for path in files)
    found = list(islice(drawn(ROOT, sites_of(ROOT, files), 1), 25))
    assert {one.site.kind for one in found} == set(KINDS)


def test_tables_are_drawn_from_data_files() -> None:
    sites = sites_of(ROOT, book_files(ROOT, "pq17"))
    assert {"scenario.toml", "schedule.toml"} <= {Path(one.path).name for one in sites if one.kind == "table entry"}
