"""What random captains write into the texts of a plot: a few words that are often legal on an impulse of the piece."""

import random
import re
from collections.abc import Callable, Mapping

from rules_engine.core.forms.forms import Field, Line

REPORTS = 0.3
"""How often something is reported: damage, weasels, or that a unit is gone."""

HOME = 0.6
"""How often what was launched tries to land again."""

_PIECE = re.compile(r"impulses (\d+) to (\d+)")


def random_phrase(field: Field, line: Line, chance: random.Random) -> str | None:
    """Some text for a field of a plot; None for any other field."""
    piece = next((found for one in line.fields if (found := _PIECE.search(one.help))), None)
    if piece is None or field.key not in _PHRASES:
        return None
    first, last = map(int, piece.groups())
    return _PHRASES[field.key](chance, chance.randint(first, last), line.key)


def _thrust(chance: random.Random, impulse: int, _: str) -> str | None:
    return f"{chance.randint(1, 6)} on {impulse}"


def _turn(chance: random.Random, impulse: int, _: str) -> str | None:
    return f"{chance.choice(('left', 'right', 'towards', 'away'))} on {impulse}"


def _plot(chance: random.Random, impulse: int, unit: str) -> str | None:
    carried = f"{unit.rstrip('123456789')}5"  # what is aboard, in the scenarios that come with the bot
    offered = (
        f"slip {chance.choice(('left', 'right'))} on {impulse}",
        f"het {chance.choice('ABCDEF')} on {impulse}",
        f"reverse 1 on {impulse}",
        f"reserve 1 on {impulse}",
        f"stop on {impulse}",
        f"when nearest enemy within {chance.randint(2, 20)}: turn {chance.choice(('towards', 'away'))}",
        f"path {chance.choice('ABCDEF')} first",
        f"launch {carried} {chance.choice('ABCDEF')} {chance.randint(0, 4)} on {impulse}",
        f"launch {carried} {chance.choice('ABCDEF')} 0 on {impulse}",
        f"land on {unit.rstrip('123456789')}1 on {impulse}",
        f"weasel on {impulse}",
        "friction A",
    )
    home = f"land on {unit.rstrip('123456789')}1 on {impulse}"
    return home if unit.endswith("5") and chance.random() < HOME else chance.choice(offered)


def _report(chance: random.Random, _: int, unit: str) -> str | None:
    if chance.random() >= REPORTS:
        return None
    other = chance.choice([one for one in ("T1", "R1", "C1", "H1", "N1", "S1", "L1") if one != unit])
    often = ("weasel launched", "weasel voided", "lost 1 warp", "lost 1 impulse", "shield 1 lost 3") * 3
    return chance.choice(
        (*often, *[f"tractor {other} 6 to 4", f"tractor {other} 4 to 4", "released"] * 2, "disengaged", "destroyed")
    )


_PHRASES: Mapping[str, Callable[[random.Random, int, str], str | None]] = {
    "thrust": _thrust,
    "turn": _turn,
    "plot": _plot,
    "report": _report,
}
