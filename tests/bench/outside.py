"""An outside measure: how long `diplomacy`, another adjudicator in Python, takes for a phase of movement.

It knows a standard map of 75 provinces and refereed games of 22 to 34 units on it. Here units stand in as many
provinces as are wanted, dealt out to its seven powers; each has one of its possible orders, drawn by chance: holds,
moves, supports, convoys. Timed is its own ``process()`` with the orders already set, in processor time. It is no part
of the project: ``make diplomacy`` installs it, and without it the bench says so.
"""

import asyncio
import importlib.util
import json
import sys
import time
from collections.abc import Sequence
from random import Random
from typing import Any

from tests.bench.figures import middle
from tests.checkout import ROOT

MOST_UNITS = 75
"""The standard map's provinces; a unit stands alone in its own."""
PHASES = 25


def missing() -> str:
    """Why there is nothing to set beside; empty where there is."""
    return "" if importlib.util.find_spec("diplomacy") else "diplomacy is not installed: make diplomacy"


async def process_ms(*units: int) -> list[float]:
    """Milliseconds of one ``process()`` with so many units each, the medians, measured in a process of their own."""
    command = [sys.executable, "-m", "tests.bench.outside", *map(str, units)]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"came to no end: {' '.join(command)}")
    return json.loads(output)


def phase_ms(units: int, seed: int) -> float:
    """Milliseconds of one phase of movement with so many units."""
    import diplomacy  # pyright: ignore[reportMissingImports]  where it is installed

    chance = Random(seed)
    game: Any = diplomacy.Game(map_name="standard")
    kinds = {place.upper(): game.map.area_type(place) for place in game.map.locs if "/" not in place}
    provinces = sorted(place for place, kind in kinds.items() if kind != "SHUT")
    stands = [f"{'F' if kinds[place] == 'WATER' else 'A'} {place}" for place in chance.sample(provinces, units)]
    for number, power in enumerate(sorted(game.powers)):
        game.set_units(power, stands[number :: len(game.powers)], reset=True)
    possible = game.get_all_possible_orders()
    for power in game.powers:
        places = game.get_orderable_locations(power)
        game.set_orders(power, [chance.choice(possible[place]) for place in places])
    start = time.process_time()
    game.process()
    return (time.process_time() - start) * 1_000


def main(arguments: Sequence[str]) -> None:
    """``python -m tests.bench.outside UNITS ...``: print the milliseconds of a phase with so many units each."""
    print(json.dumps([middle([phase_ms(int(units), seed) for seed in range(PHASES)]) for units in arguments]))


if __name__ == "__main__":
    main(sys.argv[1:])
