"""What is written about a run is what is answered."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.reached.contexts import Contexts, drawn_upon
from tests.reached.data import Reached, Recorded, Test, bits, numbers

FIRST, SECOND = Test("tests/test_a.py::test_one[x]", 0.5, ("book 1.1",)), Test("tests/test_b.py::test_two", 2.0, ())


@pytest.fixture
def reached(tmp_path: Path) -> Iterator[Reached]:
    recorded = Recorded(
        tests=(FIRST, SECOND),
        lines={FIRST.node: {"a.py": {2, 3}, "b.py": {300}}, SECOND.node: {"a.py": {3}}},
        at_import={"a.py": {1, 2, 8}},
        opened={FIRST.node: {"config/x.toml"}, "": {"config/y.toml"}},
        about={"digest": "d"},
        texts={"a.py": "a = 1\n", "b.py": "b = 'ä'\n"},
    )
    path = tmp_path / "there" / "x.sqlite"
    recorded.write(path)
    recorded.write(path)
    data = Reached(path)
    yield data
    data.close()


def test_lines_are_kept_as_bits() -> None:
    for lines in ([], [0], [1, 8, 9, 1023]):
        assert list(numbers(bits(lines))) == lines


def test_who_reaches_a_line_and_what_a_test_reaches(reached: Reached) -> None:
    assert reached.tests_reaching("a.py", 3) == [FIRST, SECOND]
    assert reached.tests_reaching("a.py", 2) == [FIRST]
    assert reached.tests_reaching("a.py", 1) == reached.tests_reaching("c.py", 1) == []
    assert reached.tests_reaching_any("a.py", range(3, 9)) == {FIRST, SECOND}
    assert reached.lines(FIRST.node) == {"a.py": {2, 3}, "b.py": {300}}
    with pytest.raises(KeyError):
        reached.lines("tests/test_c.py::test_three")


def test_what_runs_at_import_only(reached: Reached) -> None:
    assert reached.at_import("a.py") == {1, 2, 8}
    assert reached.only_at_import("a.py") == {1, 8}
    assert reached.at_import("c.py") == set()


def test_who_reads_data(reached: Reached) -> None:
    assert reached.tests_opening("config/x.toml") == [FIRST]
    assert reached.tests_opening("config/y.toml") == []
    assert reached.is_opened_at_import("config/y.toml")
    assert not reached.is_opened_at_import("config/x.toml")


def test_a_run_of_some_tests_is_put_in_place_of_theirs(reached: Reached, tmp_path: Path) -> None:
    new = Test("tests/test_a.py::test_new", 1.0, ())
    more = Recorded((new,), {new.node: {"a.py": {9}}}, {"a.py": {11}}, {new.node: {"config/y.toml"}}, {})
    reached.recorded().without(["tests/test_a.py"]).with_more(more, {"digest": "e"}).write(tmp_path / "y.sqlite")
    both = Reached(tmp_path / "y.sqlite")
    assert list(both.tests.values()) == [new, SECOND]
    assert both.tests_reaching("a.py", 3) == [SECOND]
    assert both.tests_reaching("a.py", 9) == both.tests_opening("config/y.toml") == [new]
    assert both.at_import("a.py") == {1, 2, 8, 11}
    assert both.about == {"digest": "e"}
    assert both.texts == {"a.py": "a = 1\n", "b.py": "b = 'ä'\n"}
    both.close()


def test_what_is_known_of_a_test(reached: Reached) -> None:
    assert reached.tests == {FIRST.node: FIRST, SECOND.node: SECOND}
    assert reached.breadth[FIRST.node] > reached.breadth[SECOND.node] > 0
    assert (FIRST.file, reached.about) == ("tests/test_a.py", {"digest": "d"})


def test_contexts_are_entered_and_left() -> None:
    heard: list[str] = []
    contexts = Contexts(heard.append)
    with contexts.entered("t"), contexts.entered("c"):
        contexts.used("d")
    assert heard == ["import", "t", "c", "t", "import"]
    assert contexts.uses == {"c": {"d"}}


def test_what_is_drawn_upon_counts_however_far() -> None:
    uses = {"t": {"a"}, "a": {"b"}, "b": {"a"}, "u": {"c"}}
    assert drawn_upon("t", uses) == {"t", "a", "b"}
    assert drawn_upon("x", uses) == {"x"}
