"""How much of the code the tests reach, lines and branches, room by room: ``make coverage``.

Read from coverage.py's JSON. It fails where a part of the code falls below what is asked of it, where a file does,
where a line is exempted without a reason, and where too many are.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, TypeAdapter
from rich.console import Console
from rich.table import Table

from tests.checkout import ROOT

PARTS_LEAST = {"rules_engine/core": 95.0, "rules_engine/rulebooks": 95.0}
"""Percent of the lines and branches of each of these, all its files taken together."""
FILE_LEAST = 85.0
"""Percent of any file's."""
MOST_EXEMPTIONS = 30

_EXEMPTION = re.compile(r"#\s*pragma:\s*no\s+(?:cover|branch)\b(?P<reason>.*)")


class Counts(BaseModel):
    """What coverage.py says of one file."""

    num_statements: int
    covered_lines: int
    num_branches: int
    covered_branches: int


class File(BaseModel):
    """A measured file."""

    summary: Counts


class Measured(BaseModel):
    """A whole run."""

    files: dict[str, File]


@dataclass(frozen=True)
class Reached:
    """Lines and branches, and how many of them were reached."""

    of: int
    reached: int

    @property
    def percent(self) -> float:
        """100 where there is nothing to be reached."""
        return 100.0 * self.reached / self.of if self.of else 100.0


def total(counts: Iterable[Counts]) -> Reached:
    """All of them together."""
    found = list(counts)
    return Reached(
        sum(one.num_statements + one.num_branches for one in found),
        sum(one.covered_lines + one.covered_branches for one in found),
    )


def rooms(measured: Measured) -> dict[str, Reached]:
    """Each folder's own files together, by its path."""
    of: dict[str, list[Counts]] = {}
    for path, file in measured.files.items():
        of.setdefault(Path(path).parent.as_posix(), []).append(file.summary)
    return {room: total(counts) for room, counts in sorted(of.items())}


def parts(measured: Measured) -> dict[str, Reached]:
    """The parts of which something is asked, each with everything in it."""
    return {
        part: total(file.summary for path, file in measured.files.items() if Path(path).is_relative_to(part))
        for part in PARTS_LEAST
    }


def exemptions(sources: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Where lines are exempted, and why (empty without a reason)."""
    for path, text in sources.items():
        for number, line in enumerate(text.splitlines(), 1):
            if found := _EXEMPTION.search(line):
                yield f"{path}:{number}", found["reason"].strip(" :,")


def faults(measured: Measured, exempted: Iterable[tuple[str, str]]) -> list[str]:
    """What is not as it should be, a sentence each."""
    found: list[str] = []
    for part, reached in parts(measured).items():
        if not reached.of:
            found.append(f"{part} was not measured.")
        elif reached.percent < PARTS_LEAST[part]:
            found.append(f"{part}: {reached.percent:.1f} %, and at least {PARTS_LEAST[part]:.0f} % is asked.")
    for path, file in sorted(measured.files.items()):
        reached = total([file.summary])
        if reached.percent < FILE_LEAST:
            found.append(f"{path}: {reached.percent:.1f} %, and at least {FILE_LEAST:.0f} % is asked of every file.")
    listed = list(exempted)
    found += [f"{where}: exempted without a reason." for where, reason in listed if not reason]
    if len(listed) > MOST_EXEMPTIONS:
        found.append(f"{len(listed)} exemptions, and at most {MOST_EXEMPTIONS} are allowed.")
    return found


def main(path: str) -> int:
    """Print the rooms and what is amiss; gives the exit code."""
    measured = TypeAdapter(Measured).validate_json(Path(path).read_bytes())
    exempted = list(exemptions({one: (ROOT / one).read_text() for one in measured.files}))
    table = Table("room", "lines and branches", "reached")
    for column in table.columns[1:]:
        column.justify = "right"
    for room, reached in (*rooms(measured).items(), *parts(measured).items()):
        table.add_row(room, f"{reached.of:,}", f"{reached.percent:.1f} %")
    console = Console(width=100)
    console.print(table)
    for where, reason in exempted:
        console.print(f"exempted: {where}: {reason or '?'}", highlight=False)
    found = faults(measured, exempted)
    for fault in found:
        console.print(fault, highlight=False)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
