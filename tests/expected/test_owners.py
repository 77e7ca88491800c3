"""A file of expected texts is found to belong to the tests that compare with it."""

from pathlib import Path

import pytest

from tests.expected.owners import Owner, is_scene, owners

COMPARING = """\
from tests.rulebooks.written_texts import compare

def test_moves(request):
    compare(request, [])

def test_sides(request):
    compare(request, [], "by_side")
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "tests/a/scenes").mkdir(parents=True)
    (tmp_path / "tests/a/test_some.py").write_text("def test_one(kept):\n    pass\n")
    (tmp_path / "tests/a/test_other.py").write_text(COMPARING)
    return tmp_path


@pytest.mark.parametrize(
    ("scene", "owner"),
    [
        ("test_some", Owner("tests/a/test_some.py")),
        ("moves", Owner("tests/a/test_other.py", "test_moves")),
        ("by_side", Owner("tests/a/test_other.py")),
        ("named_by_nobody", Owner("tests/a/test_other.py")),
    ],
)
def test_owner_is_found_by_name_whether_or_not_the_file_is_there(root: Path, scene: str, owner: Owner) -> None:
    assert owners(root, f"tests/a/scenes/{scene}.txt") == [owner]


def test_file_without_tests_beside_it_has_no_owner(root: Path) -> None:
    assert owners(root, "tests/b/scenes/test_some.txt") == []


def test_expected_texts_lie_in_folders_named_scenes() -> None:
    assert is_scene("tests/a/scenes/test_some.txt")
    assert not is_scene("tests/a/test_some.txt")
    assert not is_scene("tests/a/scenes/test_some.py")
    assert not is_scene("docs/scenes/some.txt")
