"""How much memory campaigns of all books take while all of them are played at once, and whether it comes to rest.

The bot's services without Discord, in a process of their own: campaigns of each book, of its larger scenario where that
is played within a bench, are founded and started, and then all of them in turn are answered at random, closed and
written down, and the maps drawn that would be posted. One that has ended is followed by another. Far more are played
than may stay in memory, so each is loaded from the database again in nearly every round.

python -m tests.bench.in_play CAMPAIGNS ROUNDS [LOOK]   # prints MiB after founding, after a half, and after all rounds
"""

import asyncio
import gc
import json
import os
import random
import sys
from collections import Counter
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil

from bot import logs
from bot.campaigns.loaded import LoadedCampaigns
from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.delivery.drawing import Drawing
from bot.processes import share_heaps
from bot.recording.transaction import Recording
from bot.recording.transition import write_transitions
from bot.records.campaign_settings import CampaignSettings
from bot.records.campaigns import IN_PLAY
from bot.running import spare_the_collector
from bot.services import Services
from bot.store.database import open_store
from rules_engine.core.basics.base import Json
from rules_engine.core.running.transitions import NotSettled
from tests.bench.figures import Counts, Figure, Tick
from tests.bench.matches import PQ17, SHELF
from tests.rulebooks.players import random_answer

PART = "Memory in play"
BOOKS = (PQ17, "cutler/frontier", "border_patrol/neutral_zone", "jump_lanes/long-frontier", "vector/rendezvous")
MEBIBYTE = 1024 * 1024
MOST = 400.0
"""MiB that the process may take at any time of this play: up to 350 were measured."""
AT_REST = 1.1
"""How much more it may take at the end of play than half-way."""

_numbers = count(1)


def steps(counts: Counts) -> int:
    return 1


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """The memory of one process that plays them all."""
    command = (sys.executable, "-m", "tests.bench.in_play", str(counts.played), str(counts.rounds))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    said, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"play failed: {said.decode()}")
    founded, half, end, most = json.loads(said)
    tick()
    what = f"{counts.played} campaigns of five books"
    return [
        Figure(PART, f"{what}, founded", founded, "MiB"),
        Figure(PART, f"{what}, in play, at most", most, "MiB", limit=MOST),
        Figure(PART, f"{what}, after {counts.rounds} rounds", end, "MiB", half, "after half of them", AT_REST),
    ]


async def play(campaigns: int, rounds: int, *, look: bool = False) -> list[float]:
    """MiB after founding, half-way, at the end, and at most."""
    spare_the_collector()
    share_heaps()
    with TemporaryDirectory() as folder:
        store = await open_store(f"sqlite+aiosqlite:///{Path(folder) / 'plotroom.db'}")
        services = Services.of(Runtime(store, LoadedCampaigns(store)), SHELF)
        drawing, chance = Drawing(), random.Random(7)
        under_way = [await found(services, BOOKS[number % len(BOOKS)]) for number in range(campaigns)]
        taken = [memory()]
        for number in range(rounds):
            for place, (campaign, scenario) in enumerate(under_way):
                if not await one_round(services, campaign, drawing, chance):
                    under_way[place] = await found(services, scenario)
            taken.append(memory())
            if look:
                print(number, f"{taken[-1]:.0f}", counts_of_objects() if number % 10 == 9 else "", file=sys.stderr)
        await store.close()
    return [taken[0], taken[len(taken) // 2], taken[-1], max(taken)]


def memory() -> float:
    """MiB that this process takes now."""
    return psutil.Process().memory_info().rss / MEBIBYTE


def counts_of_objects() -> list[tuple[str, int]]:
    """Which kinds of objects there are most of."""
    gc.collect()
    return Counter(type(one).__qualname__ for one in gc.get_objects()).most_common(8)


async def found(services: Services, scenario: str) -> tuple[str, str]:
    """A campaign that has begun, with somebody in each seat."""
    number = next(_numbers) * 100
    open_seats = SHELF.seats(scenario)
    made = await services.seats.founding.create(
        guild_id=1,
        user_id=number,
        title=f"Campaign {number}",
        scenario=scenario,
        settings=CampaignSettings(),
        interaction_id=number,
        seats=None if open_seats is None else open_seats.most,
    )
    for place, label in enumerate(made.sides, start=1):
        await services.seats.seats.join(made.id, user_id=number + place, name="n", side=label.key)
    await services.seats.founding.start(made.id, user_id=number)
    return made.id, scenario


async def one_round(services: Services, campaign: str, drawing: Drawing, chance: random.Random) -> bool:
    """Answer what is open in one strand, close it, and draw what falls due; whether the campaign goes on."""
    runtime = services.runtime
    info = await runtime.directory.info(campaign)
    if info.status not in IN_PLAY:
        return False
    async with holding(runtime, campaign) as adjudicator:
        made = await asyncio.to_thread(_answered_and_closed, adjudicator, chance, runtime.stamp(), runtime.nonce())
        async with runtime.store.write() as tx:
            await write_transitions(Recording(tx, info, adjudicator, runtime.now()), made)
        views = [adjudicator.view(side) for side in made[-1].maps_for]
        is_over = adjudicator.ending is not None
    for view in views:
        await asyncio.to_thread(drawing.map, view)
    return not is_over


def _answered_and_closed(adjudicator: Any, chance: random.Random, at: str, nonce: str) -> list[Any]:
    made: list[Any] = []
    strand = adjudicator.strands()[0]
    agreed: dict[str, Json] = {}
    for label in adjudicator.sides:
        for ask in adjudicator.asks_for(label.key):
            if ask.strand == strand:
                document = agreed.get(ask.id) or random_answer(adjudicator, label.key, ask, chance)
                agreed[ask.id] = document
                made.append(adjudicator.answer(label.key, ask.id, document, by=label.key, at=at))
    try:
        return [*made, adjudicator.close("deadline", by="clock", at=at, strand=strand, nonce=nonce)]
    except NotSettled as unsettled:
        ruled = [adjudicator.rule(ask.id, agreed[ask.id], by="rita", reason="a slip", at=at) for ask in unsettled.asks]
        return [*made, *ruled, adjudicator.close("deadline", by="clock", at=at, strand=strand, nonce=nonce)]


async def main(campaigns: str, rounds: str, look: str = "") -> None:
    """Play, and print what was taken."""
    os.environ.setdefault("TZ", "UTC")
    logs.setup("ERROR")
    print(json.dumps(await play(int(campaigns), int(rounds), look=bool(look))))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
