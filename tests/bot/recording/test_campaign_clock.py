"""The clock of one campaign is changed only where it still stands as whoever changes it saw it."""

from datetime import timedelta
from typing import Any

from bot.recording.campaign_clock import give_grace, move_clock, start_clock, stop_clock
from bot.recording.transaction import Recording
from bot.store.transaction import Transaction
from tests.bot.worlds.simulated_server import SimulatedServer

HOUR = timedelta(hours=1)


async def recording(here: SimulatedServer, tx: Transaction, campaign: str) -> Recording:
    info = await tx.campaigns.find(campaign)
    assert info is not None
    rules: Any = None  # a clock asks them nothing
    return Recording(tx, info, rules, here.now())


async def test_a_deadline_that_moved_meanwhile_is_left_alone(here: SimulatedServer) -> None:
    campaign = await here.begin()
    falls = await here.falls_at()
    assert falls is not None
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        assert not await move_clock(made, falls - HOUR, falls + HOUR)
    assert await here.falls_at() == falls
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        assert await move_clock(made, falls, falls + HOUR)
    assert await here.falls_at() == falls + HOUR


async def test_a_clock_that_runs_is_not_started_and_one_that_stands_is(here: SimulatedServer) -> None:
    campaign = await here.begin()
    falls = await here.falls_at()
    assert falls is not None
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        assert await start_clock(made) is None
        await stop_clock(made)
        left = falls - made.now
    assert await here.falls_at() is None
    await here.env.advance_time(7200)
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        started = await start_clock(made)
        assert started is not None
        assert abs(started - (made.now + left)) < timedelta(seconds=1)


async def test_grace_is_for_the_batch_that_needs_it(here: SimulatedServer) -> None:
    campaign = await here.begin()
    falls = await here.falls_at()
    assert falls is not None
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        await give_grace(made, 99, falls + HOUR)
    assert await here.falls_at() == falls
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        deadline = await made.deadline()
        assert deadline is not None
        await give_grace(made, deadline.opened_seq, falls + HOUR)
    assert await here.falls_at() == falls + HOUR


async def test_a_campaign_without_a_clock_has_none_to_change(here: SimulatedServer) -> None:
    campaign = await here.found()
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        await stop_clock(made)
        assert await start_clock(made) is None
        assert not await move_clock(made, here.now(), here.now())
        await give_grace(made, 1, here.now())
    assert await here.falls_at() is None
