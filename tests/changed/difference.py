"""Which files differ from a revision, as git says, and what stood in them."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

MAIN = ("origin/main", "main")
"""Branches that others start from, the first that is there."""


class NoSuchRevisionError(Exception):
    """Git cannot compare with what somebody gave."""


@dataclass(frozen=True)
class Base:
    """The commit that is compared with, and what it is in words."""

    commit: str
    says: str


@dataclass(frozen=True)
class Change:
    """A file that differs. Paths are those from the checkout, with ``/``."""

    root: Path
    base: str
    path: str
    """Where it lies now, or lay before it was deleted."""
    old_path: str
    """Where it lay before, if it was renamed."""
    was_there: bool
    is_there: bool

    @cached_property
    def before(self) -> str | None:
        """What stood in it; None if it is new, or not text."""
        if not self.was_there:
            return None
        name = f"{self.base}:./{self.old_path}"
        shown = subprocess.run(["git", "cat-file", "blob", name], cwd=self.root, check=True, capture_output=True)
        return _text(shown.stdout)

    @cached_property
    def after(self) -> str | None:
        """What stands in it; None if it is gone, or not text."""
        return _text((self.root / self.path).read_bytes()) if self.is_there else None


def base(root: Path, since: str | None) -> Base:
    """Find the commit to compare with: the given one, or where this branch left main. Raises NoSuchRevisionError."""
    if since is not None:
        commit = _asked(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{since}^{{commit}}")
        if commit is None:
            raise NoSuchRevisionError(f"git knows no revision {since!r}: give a commit, a branch or a tag, as HEAD~1")
        return Base(commit, since)
    head = _asked(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if head is None:
        raise NoSuchRevisionError(f"{root} is no git checkout with a commit: run it in a clone")
    for branch in MAIN:
        if left := _asked(root, "merge-base", branch, "HEAD"):
            return Base(left, "the last commit" if left == head else f"where this branch left {branch}")
    return Base(head, "the last commit")


def changes(root: Path, since: Base) -> list[Change]:
    """Give the files that differ from a revision, committed or not, and those that git does not know yet."""
    options = ("--name-status", "-z", "--find-renames", "--no-ext-diff", "--relative")
    words = _git(root, "diff", *options, since.commit, "--").split("\0")
    found = {change.path: change for change in _changed(root, since.commit, iter(words))}
    for path in _git(root, "ls-files", "-z", "--others", "--exclude-standard").split("\0"):
        if path and path not in found:
            found[path] = Change(root, since.commit, path, path, was_there=False, is_there=True)
    return [found[path] for path in sorted(found)]


def _changed(root: Path, commit: str, words: Iterator[str]) -> Iterator[Change]:
    for status in filter(None, words):
        old = next(words)
        path = next(words) if status[0] in "RC" else old
        was_there, is_there = status[0] != "A", (root / path).is_file()
        if was_there or is_there:
            yield Change(root, commit, path, old, was_there=was_there, is_there=is_there)


def _text(content: bytes) -> str | None:
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None


def _asked(root: Path, *words: str) -> str | None:
    """Give git's answer, or None if it has none."""
    done = subprocess.run(["git", *words], cwd=root, check=False, capture_output=True, text=True)
    return done.stdout.strip() or None if done.returncode == 0 else None


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout
