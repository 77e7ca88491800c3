"""``python -m tests.bench.beside TREE``: the version in another checkout beside this one.

Both play the same turns, each piece of play in a process of its own, in turns, who goes first alternating; what either
journals must be the same, letter for letter, or nothing is compared. TREE is a git worktree of the version to compare
with (``git worktree add TREE REVISION``); nothing is written there.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from tests.bench.figures import Figure, middle
from tests.bench.table import machine, table_of, verdict_on
from tests.checkout import ROOT

DRIVER = Path(__file__).with_name("driver.py")
QUICKER = 0.2
CUTLER_QUICKER = 1 / 3
LINEAR = 1.2
"""By how much a turn's time may grow, at most, for each doubling or fourfold of the task forces, above their number."""
SAME_MEMORY = 1.0
CUTLER = "cutler/intro"
PQ17 = "pq17/intro"
TIMES = (1, 2, 4)


@dataclass(frozen=True)
class Counts:
    """How much is played: turns of the whole campaign and of its beginning; a world's task forces and turns; seeds of
    each introduction; and how often everything but the whole campaign is played by each version."""

    whole: int = 660
    beginning: int = 60
    forces: int = 60
    turns: int = 4
    seeds: int = 5
    repeats: int = 3


TINY = Counts(whole=2, beginning=1, forces=8, turns=1, seeds=1, repeats=1)


@dataclass(frozen=True)
class Piece:
    """Something that both versions play: the driver's words, and how often."""

    words: tuple[str, ...]
    name: str
    repeats: int
    most: float = QUICKER
    turns: int = 0
    """Of a made-up world, of which one is shown as the engine's time."""


@dataclass(frozen=True)
class Pair:
    """What one piece of play took by the version in TREE and by this one: medians."""

    before: Mapping[str, float]
    now: Mapping[str, float]


def pieces(counts: Counts) -> dict[str, Piece]:
    """All pieces of play, the whole campaign last."""
    worlds = {
        f"world {times}": Piece(
            ("world", str(times * counts.forces), str(counts.turns)),
            f"{times * counts.forces} task forces, {times * counts.forces * 10 // 3} ships",
            counts.repeats,
            turns=counts.turns,
        )
        for times in TIMES
    }
    return {
        **worlds,
        "cutler": Piece(
            ("introduction", CUTLER, str(counts.seeds)), "Cutler's introduction", counts.repeats, CUTLER_QUICKER
        ),
        "pq17": Piece(("introduction", PQ17, str(counts.seeds)), "PQ-17's introduction", counts.repeats),
        "beginning": Piece(
            ("campaign", str(counts.beginning)), f"the campaign's {counts.beginning} turns", counts.repeats
        ),
        "whole": Piece(("campaign", str(counts.whole)), f"a campaign of {counts.whole} turns", 1),
    }


def played(tree: Path, words: Sequence[str]) -> dict[str, Any]:
    """What a piece of play took by the version in ``tree``."""
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-P", str(DRIVER), *words]
    output = subprocess.run(command, cwd=tree, env=environment, stdout=subprocess.PIPE, check=True).stdout
    found: dict[str, Any] = json.loads(output)
    if Path(found["tree"]) != tree:
        raise RuntimeError(f"the engine of {found['tree']} played, not that of {tree}")
    return found


def pair(tree: Path, piece: Piece) -> Pair:
    """A piece of play by both versions, in turns."""
    trees = (tree, ROOT)
    found: dict[Path, list[dict[str, Any]]] = {one: [] for one in trees}
    for number in range(piece.repeats):
        for one in trees if number % 2 == 0 else reversed(trees):
            found[one].append(played(one, piece.words))
    if len({one["journal"] for of in found.values() for one in of}) != 1:
        raise RuntimeError(f"what the two versions journal differs: {' '.join(piece.words)}")
    before, now = (
        {name: middle([one[name] for one in found[of]]) for name in ("seconds", "replayed", "memory")} for of in trees
    )
    return Pair(before, now)


def figures_of(counts: Counts, pairs: Mapping[str, Pair]) -> list[Figure]:
    """All ratios, by what is compared."""
    of = pieces(counts)

    def beside(
        part: str, key: str, what: str, unit: str, most: float, *, named: str = "", scale: float = 1.0
    ) -> Figure:
        piece, pair = of[key], pairs[key]
        now, before = pair.now[what] * scale, pair.before[what] * scale
        note = f"{piece.repeats} of each" if piece.repeats > 1 else ""
        return Figure(part, f"{named}{piece.name}", now, unit, before, "before", most, note=note)

    def engine(key: str, piece: Piece) -> Figure:
        if not piece.turns:
            return beside("Engine", key, "seconds", "s", piece.most)
        return beside("Engine", key, "seconds", "ms", piece.most, named="a turn, ", scale=1_000 / piece.turns)

    one = pairs["world 1"].now["seconds"]
    return [
        *(engine(key, piece) for key, piece in of.items()),
        *(
            Figure(
                "Growth",
                f"a turn with {times} times the task forces",
                pairs[f"world {times}"].now["seconds"] * 1_000 / counts.turns,
                "ms",
                times * one * 1_000 / counts.turns,
                "if it were linear",
                LINEAR,
            )
            for times in TIMES[1:]
        ),
        *(beside("Replay", key, "replayed", "s", piece.most) for key, piece in of.items()),
        *(beside("Peak memory", key, "memory", "MiB", SAME_MEMORY) for key in of),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, print, and write the file if one was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.beside", description=__doc__)
    parser.add_argument("tree", type=Path, metavar="TREE", help="a checkout of the version to compare with")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    parser.add_argument("--turns", type=int, default=Counts.whole, help="the length of the campaign played as a whole")
    parser.add_argument("--tiny", action="store_true", help="a little of everything: shows that it runs")
    chosen = parser.parse_args(arguments)
    counts = TINY if chosen.tiny else Counts(whole=chosen.turns)
    console = Console(width=None if sys.stdout.isatty() else 150)
    start = machine()
    pairs: dict[str, Pair] = {}
    columns = (TextColumn("{task.description:<40}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("", total=len(pieces(counts)))
        for key, piece in pieces(counts).items():
            progress.update(task, description=piece.name)
            pairs[key] = pair(chosen.tree.resolve(), piece)
            progress.advance(task)
    figures = figures_of(counts, pairs)
    console.print(table_of(figures))
    console.print(verdict_on(figures))
    load = f"load average {start['load'][0]} before and {machine()['load'][0]} after"
    console.print(f"[dim]Processor time; Python {start['python']}, {load}. All journals were the same.[/]")
    if chosen.json:
        chosen.json.write_text(json.dumps([one.as_json() for one in figures], indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
