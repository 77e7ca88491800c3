"""Which rules' functions each test ran, as `tests.rules.noting` notes it while tests run.

A rule counts as proved only if a test that is marked with it ran a function that carries it out, and if such a function
also runs in a campaign that is entered as the bot enters it: in a test marked ``@pytest.mark.headless``.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tests.checkout import ROOT

FOLDER = ROOT / "build" / "reached"
"""Where it is kept, a file for each process of tests. `make test` notes it, too."""
SOURCES = ("rules_engine", "tests", "config")

Rule = tuple[str, str]
"""A book and an id."""


class Ran(NamedTuple):
    """A function that ran: all rules that it carries out at once, and its file and name, ``pq17/raids.py:raid``."""

    rules: frozenset[Rule]
    function: str


running: list[set[Ran]] = []
"""What is being noted: of the running test, and of the fixture that is made for it. It is noted by function, which is
quick."""


@contextmanager
def unnoted() -> Iterator[None]:
    """What a test asks of the rules by itself, to check what was played, does not count as reached by play."""
    running.append(set[Ran]())
    try:
        yield
    finally:
        running.pop()


@dataclass
class Notes:
    """What ran in which test."""

    tests: dict[str, set[Rule]] = field(default_factory=dict[str, set[Rule]])
    """Rules by the test's file and its name, or its class's: ``rulebooks/pq17/test_sequence.py::test_a_turn``."""
    headless: set[Rule] = field(default_factory=set[Rule])
    """Rules that ran in campaigns entered as the bot enters them."""
    played: set[str] = field(default_factory=set[str])
    """Functions that ran there."""

    def reaches(self, tests: Iterable[str], rule: Rule) -> bool:
        """Whether one of these tests ran a function that carries out the rule."""
        return any(rule in self.tests.get(one, ()) for one in tests)

    def write(self, path: Path) -> None:
        """Keep them in a file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = {
            "tests": {test: sorted(found) for test, found in sorted(self.tests.items())},
            "headless": sorted(self.headless),
            "played": sorted(self.played),
        }
        path.write_text(json.dumps(kept), encoding="utf-8")

    def add(self, path: Path) -> None:
        """Add what a file keeps."""
        kept = json.loads(path.read_text(encoding="utf-8"))
        for test, reached in kept["tests"].items():
            self.tests.setdefault(test, set()).update((book, one) for book, one in reached)
        self.headless.update((book, one) for book, one in kept["headless"])
        self.played.update(kept["played"])


def notes() -> Notes:
    """What the tests of the present sources reached; the marked ones are run if that is not known.

    Raises:
        SystemExit: when one of them fails.
    """
    if not _is_fresh(FOLDER):
        shutil.rmtree(FOLDER, ignore_errors=True)
        words = ["-q", "-n", "auto", "--dist", "worksteal", "-m", "(rule or headless) and not slow"]
        command = [sys.executable, "-m", "pytest", "-p", "tests.rules.noting", *words]
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            raise SystemExit("what is reached is known only where all marked tests pass")
    found = Notes()
    for path in sorted(FOLDER.glob("*.json")):
        found.add(path)
    return found


def _is_fresh(folder: Path) -> bool:
    """Whether everything in it is newer than all sources."""
    kept = [path.stat().st_mtime for path in folder.glob("*.json")]
    sources = (path for one in SOURCES for path in (ROOT / one).rglob("*.*") if path.suffix != ".pyc")
    return bool(kept) and min(kept) > max(path.stat().st_mtime for path in sources if path.is_file())
