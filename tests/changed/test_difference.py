"""Git is asked which files differ, and from which commit."""

from pathlib import Path

import pytest

from tests.changed.difference import NoSuchRevisionError, base, changes
from tests.changed.repository import commit, git, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet")
    for name in ("kept.py", "edited.py", "moved.py", "gone.py"):
        write(tmp_path, name, f"NAME = '{name}'\nROWS = (1, 2, 3)\n")
    commit(tmp_path)
    git(tmp_path, "branch", "--move", "--force", "main")
    return tmp_path


def differing(root: Path, since: str | None = None) -> dict[str, tuple[str, bool, bool]]:
    """Give the files that differ: where each lay before, whether it was there, whether it is."""
    found = changes(root, base(root, since))
    return {change.path: (change.old_path, change.was_there, change.is_there) for change in found}


def test_clean_checkout_differs_in_nothing(root: Path) -> None:
    assert differing(root) == {}


def test_edited_moved_deleted_and_new_files_differ(root: Path) -> None:
    write(root, "edited.py", "NAME = 'other'\n")
    git(root, "mv", "moved.py", "there.py")
    (root / "gone.py").unlink()
    write(root, "a folder/neü.py", "")
    assert differing(root) == {
        "edited.py": ("edited.py", True, True),
        "there.py": ("moved.py", True, True),
        "gone.py": ("gone.py", True, False),
        "a folder/neü.py": ("a folder/neü.py", False, True),
    }


def test_texts_are_those_before_and_after(root: Path) -> None:
    git(root, "mv", "moved.py", "there.py")
    (root / "gone.py").unlink()
    (root / "new.bin").write_bytes(b"\xff\x00")
    found = {change.path: (change.before, change.after) for change in changes(root, base(root, None))}
    text = "NAME = 'moved.py'\nROWS = (1, 2, 3)\n"
    assert found["there.py"] == (text, text)
    assert found["gone.py"] == (text.replace("moved", "gone"), None)
    assert found["new.bin"] == (None, None)


def test_branch_is_compared_with_where_it_left_main(root: Path) -> None:
    left = git(root, "rev-parse", "HEAD")
    git(root, "switch", "--quiet", "--create", "other")
    write(root, "edited.py", "NAME = 'committed'\n")
    commit(root)
    git(root, "switch", "--quiet", "main")
    write(root, "kept.py", "NAME = 'by somebody else'\n")
    commit(root)
    git(root, "switch", "--quiet", "other")
    write(root, "new.py", "")
    assert base(root, None).commit == left
    assert base(root, None).says == "where this branch left main"
    assert set(differing(root)) == {"edited.py", "new.py"}
    assert set(differing(root, "HEAD")) == {"new.py"}


def test_main_is_compared_with_its_last_commit_when_nothing_is_fetched(root: Path) -> None:
    assert base(root, None).says == "the last commit"
    git(root, "branch", "--move", "trunk")
    assert base(root, None).commit == git(root, "rev-parse", "HEAD")


def test_unknown_revision_is_refused_in_one_line(root: Path) -> None:
    for revision in ("nosuch", "--output=x", "main..main", ""):
        with pytest.raises(NoSuchRevisionError, match="give a commit, a branch or a tag") as refused:
            base(root, revision)
        assert "\n" not in str(refused.value)


def test_folder_without_commits_is_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    with pytest.raises(NoSuchRevisionError, match="clone"):
        base(tmp_path, None)
