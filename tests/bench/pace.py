"""How often people are asked by Cutler's rules: prompts a side and turn in crowded play, with where they come from.

The same commanders play with standing orders and without: they move and fight at random, all else they leave as it is.
"""

from collections import Counter

from rules_engine.rulebooks.cutler import RULEBOOK
from tests.bench.figures import Counts, Figure, Tick
from tests.rulebooks.cutler.crowded import crowded
from tests.rulebooks.cutler.pace import Evening, Ordered, asked_in_turn

PART = "Pace"
EMPIRES = (2, 3, 5, 7)
TURNS = 2
MOST_NAMED = 5
"""Kinds of asks that a line names."""


def steps(counts: Counts) -> int:
    """How often :func:`measure` ticks."""
    return len(EMPIRES) * 2 * _seeds(counts)


def _seeds(counts: Counts) -> int:
    return max(1, counts.matches // 2)


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """Prompts a side and turn, with standing orders beside without, by kind of ask."""
    figures: list[Figure] = []
    for empires in EMPIRES:
        plain, ordered = (_asked(kind, empires, _seeds(counts), tick) for kind in (Evening, Ordered))
        sides = empires * TURNS * _seeds(counts)
        name = f"prompts a side and turn, {empires} empires"
        figures += [
            Figure(PART, name, plain.total() / sides, "", note=_by_kind(plain, sides)),
            Figure(
                PART,
                f"{name}, standing orders",
                ordered.total() / sides,
                "",
                plain.total() / sides,
                "without",
                note=_by_kind(ordered, sides),
            ),
        ]
    return figures


def _asked(kind: type[Evening], empires: int, seeds: int, tick: Tick) -> Counter[str]:
    """How often an ask of each kind was put to somebody, over all seeds and turns."""
    found: Counter[str] = Counter()
    for seed in range(seeds):
        game = kind(RULEBOOK, crowded(empires, turns=TURNS), seed).play(TURNS)
        for turn in range(1, TURNS + 1):
            for (_, what), number in asked_in_turn(game, turn).items():
                found[what] += number
        tick()
    return found


def _by_kind(found: Counter[str], sides: int) -> str:
    named = found.most_common(MOST_NAMED)
    rest = found.total() - sum(number for _, number in named)
    said = [f"{kind} {number / sides:.1f}" for kind, number in named]
    return ", ".join([*said, f"others {rest / sides:.1f}"] if rest else said)
