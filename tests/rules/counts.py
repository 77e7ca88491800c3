"""Counts: tests of illegal orders refused for the right rule, and cases of what the enemy must not learn.

``python -m tests.rules.counts [book]`` prints both numbers; ``--list`` the tests by name. A test function counts once,
however many orders or worlds it tries. An illegal order counts where the test looks at a refusal and at its rule; a
case of what must not be learnt is marked ``@pytest.mark.unseen`` (``tests/secrecy/kinds.py``).
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
LEAST = 60
"""Of either sort, for each book that is played with everything."""

_REFUSING = re.compile(r"raises\(Refused|\.check\(|\bcheck_\w+\(|\brefus\w+\(|\brules\(|\brules_of\(|\.refusals\b")
_RULE = re.compile(
    r"\.rule\b|\brules\(|\brules_of\(|\"PQ-17 [\w.-]+\"|"
    r"match=r?f?\"[^\"]*(\d\\?\.\d|C\\?\.[a-z])|r\"[^\"]*(\d\\\.\d|C\\\.[a-z])"
)


@dataclass
class Counts:
    """Tests by name."""

    illegal: list[str] = field(default_factory=list[str])
    unseen: list[str] = field(default_factory=list[str])


def counts(book: str) -> Counts:
    """The tests of a book, its own folder's and those of secrecy."""
    found = Counts()
    folders = [TESTS / "rulebooks" / book, TESTS / "secrecy"]
    for path in sorted(one for folder in folders for one in folder.rglob("test_*.py")):
        for name, text in _tests(path):
            here = f"{path.relative_to(TESTS)}::{name}"
            if book in path.relative_to(TESTS).parts and _REFUSING.search(text) and _RULE.search(text):
                found.illegal.append(here)
            if f'mark.unseen("{book}"' in " ".join(text.split()).replace("( ", "("):
                found.unseen.append(here)
    return found


def _tests(path: Path) -> Iterator[tuple[str, str]]:
    """Each test function with its text, decorators too."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            yield node.name, "\n".join(lines[first - 1 : node.end_lineno])


def main() -> int:
    """Print the counts; exit 1 where there are too few."""
    words = [one for one in sys.argv[1:] if not one.startswith("-")]
    found = counts(words[0] if words else "pq17")
    for title, names in (("illegal orders refused", found.illegal), ("what the enemy must not learn", found.unseen)):
        print(f"{title}: {len(names)} tests")
        for name in names if "--list" in sys.argv else ():
            print(f"  {name}")
    return 0 if min(len(found.illegal), len(found.unseen)) >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
