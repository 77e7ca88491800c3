"""Which tests are a rulebook's: those of its own rooms, what every book must pass, its secrets and its recordings."""

from pathlib import Path

import pytest

from tests.checkout import ROOT

BOOKS = "rules_engine/rulebooks"
UNDER_TEST = ("rules_engine",)
"""Where lines are counted."""
ITS_FILES = ("tests/rulebooks/test_every_rulebook.py", "tests/journals/test_recorded_campaigns.py")
"""Tests of every book; what they say of another one is left out by :func:`is_of_another`."""


def books(root: Path = ROOT) -> list[str]:
    """The keys of the installed rulebooks."""
    return sorted(path.parent.name for path in (root / BOOKS).glob("*/__init__.py"))


def paths_of(book: str, root: Path = ROOT) -> list[str]:
    """Paths of the book's tests, as pytest takes them."""
    secrecy = [f"tests/secrecy/test_{book}.py", f"tests/secrecy/test_{book}_kinds.py"]  # the others take minutes each
    wanted = [f"tests/rulebooks/{book}", *ITS_FILES, *secrecy]
    return [path for path in wanted if (root / path).exists()]


def is_of_another(item: pytest.Item, book: str, known: list[str]) -> bool:
    """Whether a test that every book must pass is run here for another than ``book``."""
    callspec = getattr(item, "callspec", None)
    words = set() if callspec is None else set(callspec.id.replace("/", "-").split("-"))
    return book not in words and bool(words & set(known))
