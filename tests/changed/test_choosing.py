"""What changed in a tiny repository chooses the tests that touch it."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.changed.choosing import within
from tests.changed.repository import TEST_FILE, commit, git, plan, reaching, record, repository, write
from tests.mutation.tiny import FAR, PATH, WAIT
from tests.reached.data import Reached, Recorded, Test
from tests.reached.making import kept

SCENES = "tests/rulebooks/tiny/scenes/test_moves.txt"
SECTIONS = "=== test_far  [tiny 1.1]\nfar | no\n\n=== test_wait: a while\nwaits\n\n=== test_wait: long\nwaits\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path)


def edit(root: Path, old: str, new: str, path: str = PATH) -> None:
    """Change a file in one place."""
    text = (root / path).read_text()
    assert text.count(old) == 1
    write(root, path, text.replace(old, new))


def recorded_of(root: Path) -> Recorded:
    """Give what is recorded of the tiny rulebook."""
    data = Reached(kept("tiny", root=root))
    found = data.recorded()
    data.close()
    return found


def test_changed_line_selects_the_test_that_reaches_it(root: Path) -> None:
    edit(root, "far >= 0", "far > 0")
    assert reaching(root) == [FAR]
    edit(root, "left -= 1", "left -= 2")
    assert sorted(reaching(root)) == [FAR, WAIT]


def test_changed_line_selects_its_test_when_the_change_is_committed(root: Path) -> None:
    git(root, "switch", "--quiet", "--create", "other")
    edit(root, "far >= 0", "far > 0")
    commit(root)
    assert reaching(root) == [FAR]
    assert reaching(root, since="HEAD") == []


def test_line_that_no_test_reaches_selects_what_mirrors_it(root: Path) -> None:
    edit(root, "return 5", "return 6")
    found = plan(root)
    assert found.reaching == []
    assert found.near == [TEST_FILE]
    assert found.around == ["tests/rulebooks/tiny/"]


def test_table_selects_the_tests_of_what_reads_it(root: Path) -> None:
    edit(root, '"ship": 3', '"ship": 4')
    assert reaching(root) == [FAR]


def test_table_selects_the_tests_of_what_reads_it_when_lines_moved(root: Path) -> None:
    edit(root, "LIMITS =", "\n" * 7 + "LIMITS =")
    commit(root)
    edit(root, '"ship": 3', '"ship": 4')
    assert reaching(root) == [FAR]


def test_changed_line_is_found_when_lines_moved_since_they_were_recorded(root: Path) -> None:
    edit(root, "LIMITS =", "import os\n\nMORE = 1\n\nLIMITS =")
    edit(root, "return far >= 0", "return far >= 0  # not backwards")
    commit(root)
    edit(root, "left -= 1", "left -= 2")
    found = plan(root)
    assert [test.node for test in found.reaching] == [WAIT]
    assert found.older == ["tiny"]


def test_changed_line_is_found_when_it_was_recorded_after_the_change(root: Path) -> None:
    edit(root, "left -= 1", "left -= 2")
    record(root, {PATH: (root / PATH).read_text()})
    assert reaching(root) == [WAIT]
    assert plan(root).older == []


def test_comment_selects_no_test_of_the_rules(root: Path) -> None:
    edit(root, "return 5", "return 5  # whatever it is")
    found = plan(root)
    assert (found.reaching, found.near, found.around, found.without) == ([], [], [], [])


def test_data_of_a_scenario_select_the_tests_that_open_them(root: Path) -> None:
    path = "config/scenarios/tiny/data.toml"
    edit(root, "a = 1", "a = 2", path)
    assert (reaching(root), plan(root).without) == ([], [])
    recorded = recorded_of(root)
    replace(recorded, opened={WAIT: {path}}).write(kept("tiny", root=root))
    assert reaching(root) == [WAIT]


def test_changed_test_file_is_selected_whole_and_first(root: Path) -> None:
    edit(root, "wait(3)", "wait(4)", TEST_FILE)
    edit(root, "far >= 0", "far > 0")
    write(root, "tests/rulebooks/tiny/test_new.py", "def test_new():\n    pass\n")
    found = plan(root)
    assert found.changed == [TEST_FILE, "tests/rulebooks/tiny/test_new.py"]
    assert found.reaching == []
    assert found.wants[:2] == found.changed


def test_expected_text_selects_the_tests_whose_sections_changed(root: Path) -> None:
    write(root, SCENES, SECTIONS)
    assert plan(root).changed == [f"{TEST_FILE}::test_far", f"{TEST_FILE}::test_wait"]
    commit(root)
    edit(root, "long\nwaits", "long\nwaits and waits", SCENES)
    assert plan(root).changed == [f"{TEST_FILE}::test_wait"]
    (root / SCENES).unlink()
    assert plan(root).changed == [f"{TEST_FILE}::test_far", f"{TEST_FILE}::test_wait"]


def test_expected_text_of_one_test_selects_it(root: Path) -> None:
    write(root, "tests/rulebooks/tiny/scenes/far.txt", "far\n")
    assert plan(root).changed == [f"{TEST_FILE}::test_far"]
    edit(root, "def test_far", "def test_near", TEST_FILE)
    assert plan(root).changed == [TEST_FILE]  # and the text is nobody's any more


def test_deleted_source_selects_all_that_reached_it(root: Path) -> None:
    (root / PATH).unlink()
    assert sorted(reaching(root)) == [FAR, WAIT]


def test_renamed_source_selects_all_that_reached_it(root: Path) -> None:
    git(root, "mv", PATH, PATH.replace("moves", "movement"))
    assert sorted(reaching(root)) == [FAR, WAIT]
    edit(root, "left -= 1", "left -= 2", PATH.replace("moves", "movement"))
    assert reaching(root, budget=0.015) == [WAIT]


def test_renamed_test_file_is_selected_by_its_new_name_and_a_deleted_one_not_at_all(root: Path) -> None:
    git(root, "mv", TEST_FILE, "tests/rulebooks/tiny/test_other.py")
    edit(root, "far >= 0", "far > 0")
    found = plan(root)
    assert found.changed == ["tests/rulebooks/tiny/test_other.py"]
    assert (found.reaching, found.left) == ([], 0)
    (root / "tests/rulebooks/tiny/test_other.py").unlink()
    assert plan(root).changed == []


def test_book_without_data_is_tested_by_what_mirrors_it_and_by_book_wide_tests(root: Path) -> None:
    kept("tiny", root=root).unlink()
    write(root, "tests/rulebooks/test_every_rulebook.py", "")
    commit(root)
    edit(root, "far >= 0", "far > 0")
    found = plan(root)
    assert found.unrecorded == ["tiny"]
    assert found.near == [TEST_FILE]
    assert "tests/rulebooks/tiny/" in found.around
    assert found.only["tests/rulebooks/test_every_rulebook.py"] == ["tiny"]


def test_core_is_tested_by_every_book_and_by_its_mirror(root: Path) -> None:
    core = "rules_engine/core/dice.py"
    write(root, core, "def roll():\n    return 4\n")
    write(root, "tests/core/test_dice.py", "")
    recorded = recorded_of(root)
    lines, texts = {**recorded.lines, FAR: {core: {2}}}, {core: (root / core).read_text()}
    replace(recorded, lines=lines, texts=texts).write(kept("tiny", root=root))
    commit(root)
    edit(root, "return 4", "return 5", core)
    found = plan(root)
    assert [test.node for test in found.reaching] == [FAR]
    assert found.near == ["tests/core/test_dice.py"]


def test_checks_of_the_whole_tree_run_when_python_changed(root: Path) -> None:
    write(root, "tests/architecture/test_sizes.py", "")
    commit(root)
    write(root, "LICENSE", "Free\n")
    assert (plan(root).checks, plan(root).wants, plan(root).without) == ([], [], ["LICENSE"])
    edit(root, "far >= 0", "far > 0")
    assert plan(root).checks == ["tests/architecture/"]


def test_tests_elsewhere_that_import_a_source_come_last(root: Path) -> None:
    write(root, "bot/orders/fill.py", "")
    write(root, "tests/bot/orders/test_other.py", "")
    write(root, "tests/bot/orders/test_filling.py", "from bot.orders import fill\n")
    write(root, "tests/e2e/test_evening.py", "import bot.orders.fill\n")
    write(root, "tests/architecture/test_sizes.py", "")
    commit(root)
    edit(root, "", "NAME = 1\n", "bot/orders/fill.py")
    assert plan(root).wants == [
        "tests/bot/orders/test_filling.py",
        "tests/architecture/",
        "tests/bot/orders/",
        "tests/e2e/test_evening.py",
    ]


def test_only_as_many_tests_are_chosen_as_fit_each_place_in_turn(tmp_path: Path) -> None:
    write(tmp_path, "t.py", "")
    quick, other, slow, gone = (
        Test(f"{file}.py::{name}", seconds, ())
        for file, name, seconds in (("t", "a", 1.0), ("t", "b", 2.0), ("t", "c", 30.0), ("gone", "d", 1.0))
    )
    assert within([[quick, other, slow], [slow, other, gone]], tmp_path, 60) == ([quick, slow, other], 0)
    assert within([[quick, other, slow], [slow, other, gone]], tmp_path, 5) == ([quick, other], 1)
    assert within([[slow, quick]], tmp_path, 5) == ([slow], 1)  # one at least
    assert within([], tmp_path, 5) == ([], 0)
