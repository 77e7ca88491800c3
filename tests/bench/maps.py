"""A side's map, drawn and encoded, beside the bare PNG encoding of the same picture."""

from bot.running import spare_the_collector
from rules_engine.core.knowledge.views import SideView
from tests.bench.figures import Counts, Figure, Tick
from tests.bench.matches import CUTLER, PQ17, quiet_and_contested, set_up_of, turns_of
from tests.bench.renderings import bench_render
from tests.map_render.lanes.positions import random_view
from tests.map_render.tactical.duels import melee, side_view

PART = "Side map"
NEXT_TURN, FIRST, POST = 1.5, 3.0, 3.0
"""At most so many bare PNGs of the map."""


def steps(_: Counts) -> int:
    return 7


def _lanes(count: int, turns: int) -> tuple[SideView, ...]:
    """Turns on a map of so many systems, in which a quarter as many groups are each somewhere else."""
    return tuple(random_view(2, count, turn=turn) for turn in range(1, turns + 1))


def _battles(count: int, turns: int) -> tuple[SideView, ...]:
    """Turns of battles flown by vectors of so many ships of six sides, each at random."""
    return tuple(side_view(melee(turn, count, forms=False)) for turn in range(1, turns + 1))


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """Maps of real boards: the next turn of a campaign, the very first, and the same one again."""
    figures: list[Figure] = []
    spare_the_collector()  # as the bot does
    quiet, contested = quiet_and_contested(set_up_of(max(counts.empires), 1), counts.map_turns + 1)
    seen = {
        PQ17: turns_of(PQ17, counts.map_turns + 1),
        CUTLER: turns_of(CUTLER, counts.map_turns + 1),
        f"{max(counts.empires)} empires": quiet,
        f"{max(counts.empires)} empires with contested hexes": contested,
        **{f"{count} systems": _lanes(count, counts.map_turns + 1) for count in counts.systems},
        f"a battle of {counts.ships} ships": _battles(counts.ships, counts.map_turns + 1),
    }
    for scenario, views in seen.items():
        found = bench_render(views, rounds=len(views) - 1)
        size = f"PNG of {found.size // 1024} kB"
        for name, value, target in (
            ("next turn", found.next_turn, NEXT_TURN),
            ("next turn with three crops", found.post, POST),
            ("first of its map", found.cold, FIRST),
            ("the same again", found.warm, None),
        ):
            figures.append(Figure(PART, f"{scenario}, {name}", value, "ms", found.bare, "bare PNG", target, note=size))
        tick()
    return figures
