"""The clock of one campaign: each strand has a time of its own, and only what runs is moved."""

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from bot.recording.campaign_clock import give_grace, move_clock, move_clock_of_play, set_clock, start_clock, stop_clock
from bot.recording.transaction import Recording
from bot.store.transaction import Transaction
from tests.bot.worlds.simulated_server import SimulatedServer

HOUR = timedelta(hours=1)


async def recording(here: SimulatedServer, tx: Transaction, campaign: str) -> Recording:
    info = await tx.campaigns.find(campaign)
    assert info is not None
    rules: Any = SimpleNamespace(battle_in=lambda _: "", open_asks=tuple)  # a clock asks whose tracker a strand is of
    return Recording(tx, info, rules, here.now())


async def test_only_what_runs_is_moved(here: SimulatedServer) -> None:
    campaign = await here.begin()
    falls = await here.falls_at()
    assert falls is not None
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        await stop_clock(made)
        assert await move_clock(made, HOUR) == []
    assert await here.falls_at() is None
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        await start_clock(made)
        (moved,) = await move_clock(made, HOUR)
    assert await here.falls_at() == moved.falls_at
    assert moved.falls_at is not None
    assert abs(moved.falls_at - falls - HOUR) < timedelta(seconds=2)


async def test_a_clock_that_runs_is_not_started_and_one_that_stands_is(here: SimulatedServer) -> None:
    campaign = await here.begin()
    falls = await here.falls_at()
    assert falls is not None
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        await start_clock(made)
        assert await made.closes("") == falls
        await stop_clock(made)
        left = falls - made.now
    assert await here.falls_at() is None
    await here.env.advance_time(7200)
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        await start_clock(made)
        started = await made.closes("")
        assert started is not None
        assert abs(started - (made.now + left)) < timedelta(seconds=1)


async def test_grace_is_for_what_needs_it(here: SimulatedServer) -> None:
    campaign = await here.begin()
    falls = await here.falls_at()
    assert falls is not None
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        await give_grace(made, "", 99, falls + HOUR)
        (deadline,) = await made.deadlines()
        await give_grace(made, "elsewhere", deadline.opened_seq, falls + HOUR)
    assert await here.falls_at() == falls
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        await give_grace(made, "", deadline.opened_seq, falls + HOUR)
    assert await here.falls_at() == falls + HOUR


async def test_each_strand_keeps_its_own_time(here: SimulatedServer) -> None:
    campaign = await here.begin()
    times = {"T1/a": 2 * HOUR, "T1/b": 5 * HOUR}
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        await tx.deadlines.drop(campaign)
        for strand, time in times.items():
            await set_clock(made, strand, made.now + time, 7)
        (moved,) = await move_clock(made, HOUR, "T1/b")
        assert moved.strand == "T1/b"
        assert await made.closes("T1/a") == made.now + 2 * HOUR
        assert await made.closes("T1/b") == made.now + 6 * HOUR
        assert len(await move_clock(made, HOUR)) == 2
        await stop_clock(made)
        assert [one.left for one in await made.deadlines()] == [3 * HOUR, 7 * HOUR]
    await here.env.advance_time(7200)
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        await start_clock(made)
        assert [one.falls_at for one in await made.deadlines()] == [made.now + 3 * HOUR, made.now + 7 * HOUR]
        await tx.deadlines.drop(campaign, "T1/a")
        assert [one.strand for one in await made.deadlines()] == ["T1/b"]


async def test_a_campaign_without_a_clock_has_none_to_change(here: SimulatedServer) -> None:
    campaign = await here.found()
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        await stop_clock(made)
        await start_clock(made)
        assert await move_clock(made, HOUR) == []
        await give_grace(made, "", 1, here.now())
    assert await here.falls_at() is None


async def test_pieces_of_tracked_battles_move_with_the_strand_that_is_named_and_with_no_other(
    here: SimulatedServer,
) -> None:
    campaign = await here.begin()
    piece = "T1/b/battle/x/tracked-battle"
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        rules: Any = SimpleNamespace(
            battle_in=lambda strand: "T1/b/battle/x" if strand == piece else "",
            open_asks=lambda: (SimpleNamespace(id="T1/b/battle/x", strand="T1/b"),),
        )
        made = replace(made, adjudicator=rules)
        await tx.deadlines.drop(campaign)
        for strand in ("T1/a", "T1/b", piece):
            await set_clock(made, strand, made.now + HOUR, 7)
        for moved, strands in (
            (await move_clock_of_play(made, HOUR), {"T1/a", "T1/b"}),
            (await move_clock(made, HOUR, "T1/a"), {"T1/a"}),
            (await move_clock(made, HOUR, "T1/b"), {"T1/b", piece}),
            (await move_clock(made, HOUR, ""), set[str]()),
            (await move_clock(made, HOUR), {"T1/a", "T1/b", piece}),
        ):
            assert {one.strand for one in moved} == strands
