"""What a sweep says: the line that repeats a failure, how far it is, and how each group came out."""

import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.sweep.cases import Case, Group
from tests.sweep.children import Outcome

VARIABLE = "PLOTROOM_SWEEP_SEEDS"
ANY_SEED = 1
"""Drawn for tests that take none: where seeds are drawn, everything runs."""

Say = Callable[[str], None]


def repeating(case: Case, seed: int) -> tuple[list[str], dict[str, str]]:
    """The command that runs a case again, and what it needs in its environment."""
    words = [python(), "-m", "pytest", "-n", "0"]
    if case.takes == "hypothesis":
        words.append(f"--hypothesis-seed={seed}")
    return [*words, case.with_seed(seed)], {VARIABLE: str(seed if case.takes else ANY_SEED)}


def python() -> str:
    """The interpreter, as somebody in this folder calls it."""
    path = Path(sys.executable)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def repeat_line(words: list[str], variables: Mapping[str, str], remark: str) -> str:
    """One line for a shell; the remark behind it changes nothing."""
    return f"{' '.join(f'{name}={value}' for name, value in variables.items())} {shlex.join(words)}  # {remark}"


@dataclass
class Count:
    """How a group has come out so far."""

    tried: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0

    def add(self, outcome: Outcome) -> None:
        """One more case has ended."""
        self.tried += outcome.how not in ("skipped", "unfinished")
        self.skipped += outcome.how == "skipped"
        self.failed += outcome.is_failure
        self.seconds += outcome.seconds


def clock(seconds: float) -> str:
    """Minutes and seconds, as 9:05."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def table(counts: Mapping[Group, Count], size: Mapping[Group, int]) -> str:
    """A line for each group, and one for all of them."""
    everything = Count()
    rows = [("book", "kind", "cases", "tried", "failed", "skipped", "seconds")]
    for group, count in sorted(counts.items()):
        rows.append((*group, str(size[group]), *_numbers(count)))
        everything = Count(*(getattr(everything, name) + getattr(count, name) for name in vars(count)))
    rows.append(("all", "", str(sum(size.values())), *_numbers(everything)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            word.ljust(width) if number < 2 else word.rjust(width)
            for number, (word, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def _numbers(count: Count) -> tuple[str, ...]:
    return tuple(map(str, (count.tried, count.failed, count.skipped, round(count.seconds))))
