"""What is measured without Discord, by the services alone, each in a process of its own that has nothing else to do.

python -m tests.bench.growth.alone idle URL ...
python -m tests.bench.growth.alone found COUNT URL ...
python -m tests.bench.growth.alone fall MOMENT COUNT URL
python -m tests.bench.growth.alone stay COUNT URL
"""

import asyncio
import gc
import json
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from typing import Any

import psutil
from sqlalchemy import func, select

from bot import logs
from bot.campaigns.loaded import LoadedCampaigns
from bot.campaigns.runtime import Runtime, utc_now
from bot.deadlines import DeadlineClock
from bot.records.campaign_settings import CampaignSettings
from bot.running import spare_the_collector
from bot.services import Services
from bot.settings import HostSettings
from bot.store.database import open_store
from bot.store.tables import CampaignRow, JournalRow
from tests.bench.growth.loop_watch import LoopWatch
from tests.bench.matches import PQ17, SHELF

LEAST_TICKS, MOST_TICKS = 5, 50
ENOUGH = 5.0
"""Seconds of ticks after which no more are measured."""

PATIENCE = 600.0
"""Seconds after which deadlines are not waited for any longer."""


@asynccontextmanager
async def services_on(url: str, now: Callable[[], datetime] = utc_now) -> AsyncIterator[Services]:
    """The services of a bot on this database."""
    store = await open_store(url)
    try:
        yield Services.of(Runtime(store, LoadedCampaigns(store), now=now), SHELF)
    finally:
        await store.close()


def clock_of(services: Services) -> DeadlineClock:
    """The clock of that bot."""
    return DeadlineClock(services.runtime, services.closing)


async def idle(urls: Sequence[str]) -> list[dict[str, Any]]:
    """Ticks of the clock on each database while nothing is due, in turns: seconds of each, and the longest hold."""
    ticks: list[list[float]] = [[] for _ in urls]
    holds = [0.0 for _ in urls]
    async with AsyncExitStack() as stack:
        clocks = [clock_of(await stack.enter_async_context(services_on(url))) for url in urls]
        for clock in clocks:
            await clock.tick()  # statements are prepared by the first
        spare_the_collector()
        for _ in range(MOST_TICKS):
            for number, clock in enumerate(clocks):
                if len(ticks[number]) >= LEAST_TICKS and sum(ticks[number]) > ENOUGH:
                    continue
                with LoopWatch() as watch:
                    start = time.perf_counter()
                    until_next = await clock.tick()
                    ticks[number].append(time.perf_counter() - start)
                holds[number] = max(holds[number], watch.longest)
                if until_next <= 0:
                    raise RuntimeError("something was due")
    return [{"ticks": times, "held": held} for times, held in zip(ticks, holds, strict=True)]


async def fall(moment: str, count: int, url: str) -> dict[str, float]:
    """The deadlines that fall at ``moment`` (ISO 8601), which is now: seconds until all are worked off."""
    ahead = datetime.fromisoformat(moment) - utc_now()
    async with services_on(url, lambda: utc_now() + ahead) as services:
        await _close_one_first(services)
        clock = clock_of(services)
        before = await _closings(services)
        spare_the_collector()
        with LoopWatch() as watch:
            start = time.perf_counter()
            while await clock.tick() <= 0:
                if time.perf_counter() - start > PATIENCE:
                    raise RuntimeError("the deadlines were not worked off")
            seconds = time.perf_counter() - start
        if await _closings(services) != before + count:
            raise RuntimeError(f"not all of {count} deadlines fell")
    return {"seconds": seconds, "held": watch.longest}


async def _close_one_first(services: Services) -> None:
    """Found a campaign, and close its sheets twice, the second time loaded anew: so all code has been used before."""
    made = await begin(services, (await _servers(services, 1))[0])
    for _ in range(2):
        await services.closing.close(made, "deadline", by="clock")
        services.runtime.loaded.evict(made)


async def _closings(services: Services) -> int:
    closings = select(func.count()).select_from(JournalRow).where(JournalRow.kind == "closed")
    async with services.runtime.store.read() as tx:
        return int(await tx.connection.scalar(closings) or 0)


async def found(count: int, urls: Sequence[str]) -> list[list[float]]:
    """Campaigns founded and started in each database, in turns: seconds of each."""
    times: list[list[float]] = [[] for _ in urls]
    async with AsyncExitStack() as stack:
        bots = [await stack.enter_async_context(services_on(url)) for url in urls]
        servers = [await _servers(services, count) for services in bots]
        for services, known in zip(bots, servers, strict=True):
            await begin(services, known[0])  # what is read once is read by the first
        spare_the_collector()
        for number in range(count):
            for services, known, taken in zip(bots, servers, times, strict=True):
                start = time.perf_counter()
                await begin(services, known[number % len(known)])
                taken.append(time.perf_counter() - start)
    return times


async def stay(count: int, url: str) -> dict[str, float]:
    """The memory of a process that founds and starts so many campaigns, in bytes, and how many it holds then.

    ``few`` is the memory after as many as may stay.
    """
    may_stay = min(count - 1, HostSettings(_env_file=None).warm_campaigns)  # type: ignore[call-arg]  pydantic's own
    few = 0
    async with services_on(url) as services:
        servers = await _servers(services, count)
        for number in range(count):
            if number == may_stay:
                few = _memory()
            await begin(services, servers[number % len(servers)])
        many, held = _memory(), services.runtime.loaded.in_memory()
    return {"few": few, "many": many, "held": held, "may_stay": may_stay}


def _memory() -> int:
    gc.collect()
    return psutil.Process().memory_info().rss


async def begin(services: Services, server: int) -> str:
    """Found a campaign on a server, with people of its own; take both its seats, start it; its id."""
    number = time.time_ns()
    referee, ann, leo = (number + one for one in range(3))
    founding, seats = services.seats.founding, services.seats.seats
    made = await founding.create(
        guild_id=server,
        user_id=referee,
        title=f"Founded {number}",
        scenario=PQ17,
        settings=CampaignSettings(),
        interaction_id=number,
    )
    await seats.join(made.id, user_id=ann, name="ann", side="alliance")
    await seats.join(made.id, user_id=leo, name="leo", side="coalition")
    await founding.start(made.id, user_id=referee)
    return made.id


async def _servers(services: Services, most: int) -> list[int]:
    async with services.runtime.store.read() as tx:
        found = await tx.connection.execute(select(CampaignRow.guild_id).distinct().limit(most))
        return list(found.scalars())


async def main(part: str, *words: str) -> None:
    """Measure, and print what was measured as JSON."""
    logs.setup("ERROR")
    if part == "idle":
        print(json.dumps(await idle(words)))
    elif part == "found":
        print(json.dumps(await found(int(words[0]), words[1:])))
    elif part == "fall":
        print(json.dumps(await fall(words[0], int(words[1]), words[2])))
    elif part == "stay":
        print(json.dumps(await stay(int(words[0]), words[1])))
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
