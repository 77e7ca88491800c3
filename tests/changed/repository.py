"""A tiny repository with a rulebook, tests of it and what is recorded of them, in which things can be changed."""

import shutil
import subprocess
from pathlib import Path

from tests.changed.choosing import Plan, choose, data_in
from tests.changed.difference import base, changes
from tests.checkout import ROOT
from tests.mutation.tiny import PATH, RULES, project, recorded
from tests.reached.making import kept

TEST_FILE = "tests/rulebooks/tiny/test_moves.py"


def repository(root: Path) -> Path:
    """Make it, with one commit on the branch main and nothing changed since."""
    project(root)
    for folder in ("tests/changed", "tests/everyday"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__", "test_*"))
    (root / ".gitignore").write_text("build/\n__pycache__/\n", encoding="utf-8")
    record(root, {PATH: RULES})
    commit(root)
    git(root, "branch", "--move", "--force", "main")
    return root


def record(root: Path, texts: dict[str, str]) -> None:
    """Write down which lines the tests of the tiny rulebook reach, of files that read so."""
    found = recorded()
    found.with_more(type(found)((), {}, {}, {}, {}, texts), {}).write(kept("tiny", root=root))


def git(root: Path, *words: str) -> str:
    """Give what git answers."""
    who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def commit(root: Path) -> str:
    """Commit everything, and give the commit."""
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "All of it")
    return git(root, "rev-parse", "HEAD")


def write(root: Path, path: str, text: str) -> None:
    """Write a file, and the folders that it lies in."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def plan(root: Path, since: str | None = None, budget: float = 60.0) -> Plan:
    """Choose the tests for what differs from a revision."""
    data = data_in(root)
    try:
        return choose(root, changes(root, base(root, since)), data, budget)
    finally:
        for reached in data.values():
            reached.close()


def reaching(root: Path, since: str | None = None, budget: float = 60.0) -> list[str]:
    """Give the node ids that are chosen since they reach changed lines."""
    return [test.node for test in plan(root, since, budget).reaching]
