"""What people read, written down whole in a file beside its test: a word that changes, changes there too."""

import difflib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from rules_engine.core.protocol.rulebook import RulingNote
from tests.expected.scene_files import is_note, with_notes


def compare(request: pytest.FixtureRequest, found: Iterable[str], name: str = "") -> None:
    """Compare lines with the file that bears the test's name (or ``name``), in the folder ``scenes`` beside it."""
    path = scene_path(request, name)
    right = written(path)
    lines = [row.rstrip() for line in found for row in line.split("\n") if row.strip()]
    if lines != right and request.config.getoption("--keep"):
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(with_notes(_rows(path), lines)).strip("\n") + "\n", encoding="utf-8")
    elif lines != right:
        change = difflib.unified_diff(right, lines, f"{path.name}, by the book", "in play", lineterm="")
        pytest.fail("\n".join(change), pytrace=False)


def scene_path(request: pytest.FixtureRequest, name: str = "") -> Path:
    """Where the text of a test stands."""
    stem = name or request.function.__name__.removeprefix("test_")
    return Path(request.path).parent / "scenes" / f"{stem}.txt"


def written(path: Path) -> list[str]:
    """The lines of a file, without what is said about them."""
    return [line.rstrip() for line in _rows(path) if not is_note(line)]


def _rows(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def spell_rulings(rulings: Iterable[RulingNote]) -> Iterator[str]:
    """Rulings as players look them up."""
    for one in rulings:
        yield f"{one.id} [{one.rules}] {one.text}"
