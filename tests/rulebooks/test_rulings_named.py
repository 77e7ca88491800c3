"""Every ruling that a report, a refusal or a sheet names can be looked up with ``/rulings``."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules_engine import rulebooks

RULING = re.compile(r"\b[A-Z]{1,4}-[NR]?\d{1,3}[a-z]?\b")
"""How a ruling is numbered: ``CU-R51``, ``CU-R97a``, ``MOV-7``, ``G-6``."""
OTHER_NUMBERS = re.compile(r"PQ-17|WS-\d|SHA-\d+")
"""The book, states of readiness in the tactical game, and a way of hashing."""


def spoken(tree: ast.Module) -> Iterator[str]:
    """The texts of a module but for its docstrings, which nobody in play reads."""
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            yield node.value


def named(folder: Path) -> dict[str, str]:
    """The rulings named in texts of a folder, each with a place."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*.py")):
        for text in spoken(ast.parse(path.read_text(encoding="utf-8"))):
            found |= {one: path.name for one in RULING.findall(text) if not OTHER_NUMBERS.fullmatch(one)}
    return found


@pytest.mark.parametrize("key", rulebooks.installed())
def test_every_ruling_that_is_named_can_be_looked_up(key: str) -> None:
    known = {note.id for note in rulebooks.rulebook(key).rulings}
    cited = named(Path(rulebooks.__file__).parent / key)
    assert cited
    assert {one: where for one, where in cited.items() if one not in known} == {}


@pytest.mark.parametrize("key", rulebooks.installed())
def test_rulings_are_numbered_once_and_say_something(key: str) -> None:
    rulings = rulebooks.rulebook(key).rulings
    numbers = [note.id for note in rulings]
    assert sorted(set(numbers)) == sorted(numbers)
    assert all(RULING.fullmatch(note.id) and note.rules and note.text.endswith(".") for note in rulings)


def test_core_names_no_ruling_of_a_book() -> None:
    assert named(Path(rulebooks.__file__).parents[1] / "core") == {}
