"""Read the lists of the everyday set: dear tests, and the one short case a day of each dear kind.

`dear.txt` names tests that take long, with their seconds of processor time; a name without a case in brackets means all
cases. `shared.txt` names, by hand, tests that take long together: what is played or drawn once for a whole file is paid
for by whichever test asks for it first. `daily.txt` names the cases that run every day although they are dear, a kind
in front of each. `nightly.txt` names dear cases that continuous integration leaves to its sweeps, too: of a dear test
with several cases those beyond the quickest, and of a file's dear tests all but the quickest. `played.txt` names those
of them that run at each landing all the same, for they alone run some rule in a campaign.
"""

import functools
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
ROOMS = ("tests/e2e/", "tests/crash/", "tests/screens/", "tests/bot/playground/page/", "tests/bot/cli/test_hosting.py")
"""Folders and files whose tests are all dear: most of their time goes into a bot or a browser that is not the test's
child."""
DEAR, DAILY, SHARED, NIGHTLY, PLAYED = (
    FOLDER / f"{name}.txt" for name in ("dear", "daily", "shared", "nightly", "played")
)


@dataclass(frozen=True)
class Lists:
    """Dear tests with their seconds, and daily cases with their kinds, each by node id."""

    dear: dict[str, float]
    daily: dict[str, str]
    shared: frozenset[str] = frozenset()
    """Files, tests, cases, or as `file::[case]` all tests of a file with that case."""
    nightly: frozenset[str] = frozenset()
    played: frozenset[str] = frozenset()

    def is_daily(self, node: str) -> bool:
        """Tell a dear case that runs every day."""
        return node in self.daily

    def is_dear(self, node: str) -> bool:
        """Tell a case that is left to continuous integration, unless it is daily."""
        return node.startswith(ROOMS) or any(name in self.dear or name in self.shared for name in _names_of(node))

    def is_nightly(self, node: str) -> bool:
        """Tell a case that is left to sweeps, as if its test were marked `thorough`."""
        kept = self.is_daily(node) or node in self.played
        return not kept and any(name in self.nightly for name in _names_of(node))

    def is_everyday(self, node: str) -> bool:
        """Tell a case that `make test` runs."""
        return self.is_daily(node) or not self.is_dear(node)


def function_of(node: str) -> str:
    """Give a node id without its case."""
    file, _, rest = node.partition("::")
    return f"{file}::{rest.partition('[')[0]}"


def _names_of(node: str) -> tuple[str, str, str, str]:
    """What a list may name a case by: itself, its test, its file, and as `file::[case]` its case in any test."""
    file, function = node.partition("::")[0], function_of(node)
    return node, function, file, f"{file}::{node[len(function) :]}"


def rows(path: Path) -> list[tuple[str, str]]:
    """Read a list: a word, then a node id on each line; notes begin with `#`."""
    found: list[tuple[str, str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            word, _, node = line.strip().partition("  ")
            found.append((word, node.strip()))
    return found


@functools.cache
def lists() -> Lists:
    """Read both lists, once."""
    return Lists(
        dear={node: float(seconds) for seconds, node in rows(DEAR)},
        daily={node: kind for kind, node in rows(DAILY)},
        shared=frozenset(node for _, node in rows(SHARED)),
        nightly=frozenset(node for _, node in rows(NIGHTLY)),
        played=frozenset(node for _, node in rows(PLAYED)),
    )


def is_nightly(node: str) -> bool:
    """Tell whether the case with this node id is left to sweeps."""
    return lists().is_nightly(node)


def is_everyday(node: str) -> bool:
    """Tell whether `make test` runs the case with this node id."""
    return lists().is_everyday(node)
