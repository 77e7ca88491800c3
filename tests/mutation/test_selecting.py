"""The tests that may notice a change are chosen by what was recorded."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from tests.mutation.changes import Mutation
from tests.mutation.draw import sites_of
from tests.mutation.selecting import Selection
from tests.mutation.tiny import FAR, PATH, RULES, WAIT, project, recorded
from tests.reached.data import Reached, Recorded, Test


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return project(tmp_path / "tiny")


@pytest.fixture
def reached(tmp_path: Path) -> Iterator[Reached]:
    recorded().write(tmp_path / "tiny.sqlite")
    data = Reached(tmp_path / "tiny.sqlite")
    yield data
    data.close()


def change_of(root: Path, line: int) -> Mutation:
    """Give the first change of that line of the rules."""
    edits = chain.from_iterable(
        (Mutation(site, edit, RULES[edit.start : edit.end]) for edit in site.edits) for site in sites_of(root, [PATH])
    )
    return next(one for one in edits if one.site.line == line)


def chosen(selection: Selection, mutation: Mutation) -> list[str]:
    """Give the node ids that are chosen for a change."""
    return [test.node for test in selection.tests_for(mutation).tests]


def test_test_is_chosen_when_it_reaches_the_line(root: Path, reached: Reached) -> None:
    selection = Selection(root, reached, "tiny")
    assert chosen(selection, change_of(root, 5)) == [FAR]
    assert chosen(selection, change_of(root, 11)) == [WAIT]


def test_quick_test_of_another_room_comes_before_a_long_one_of_the_own_room(root: Path, tmp_path: Path) -> None:
    own, long = f"{FAR}[1]", "tests/rulebooks/tiny/test_long.py::test_long"
    near, far = "tests/rulebooks/tiny/test_near.py::test_near", "tests/other/test_quick.py::test_quick"
    seconds = {long: 2.0, far: 0.2, near: 0.2, own: 2.0}
    Recorded(
        tests=tuple(Test(node, taken, ()) for node, taken in seconds.items()),
        lines={node: {PATH: {5, 6, 7}} for node in seconds},
        at_import={PATH: {1, 4, 10, 16}},
        opened={},
        about={"digest": "x"},
    ).write(tmp_path / "more.sqlite")
    data = Reached(tmp_path / "more.sqlite")
    assert chosen(Selection(root, data, "tiny"), change_of(root, 5)) == [own, near, far, long]
    data.close()


def test_test_is_left_out_when_it_is_not_allowed(root: Path, reached: Reached) -> None:
    reaching = change_of(root, 5)
    assert chosen(Selection(root, reached, "tiny", allowed=lambda node: node == FAR), reaching) == [FAR]
    assert chosen(Selection(root, reached, "tiny", allowed=lambda node: node != FAR), reaching) == []


def test_test_that_uses_a_name_is_chosen_by_the_text_that_was_recorded(root: Path, reached: Reached) -> None:
    table = change_of(root, 1)
    (root / PATH).write_text("\n\n\n\n\n\n\n" + RULES)
    (root / PATH).with_name("broken.py").write_text("def (")
    (root / "tests/rulebooks/tiny/test_moves.py").unlink()
    assert chosen(Selection(root, reached, "tiny", texts={PATH: RULES}), table) == [FAR]
    assert chosen(Selection(root, reached, "tiny"), table) == [WAIT]  # the line of another function stands there now
