"""Deadlines: kept as they were given, and those that are due found without looking at the others."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa

from bot.records.deadlines import Deadline
from bot.store.database import Store
from bot.store.tables import DeadlineRow
from tests.bot.store.samples import NOON, founded

MINUTE, TICK = timedelta(minutes=1), timedelta(microseconds=1)


def at(minutes: float) -> datetime:
    return NOON + minutes * MINUTE


async def kept(store: Store, **deadlines: Deadline) -> None:
    """A campaign for each, with that deadline."""
    for campaign, deadline in deadlines.items():
        await founded(store, campaign)
        async with store.write() as tx:
            await tx.deadlines.keep(replace(deadline, campaign_id=campaign))


def running(falls: float, remind: float | None = None, **more: object) -> Deadline:
    remind_at = None if remind is None else at(remind)
    return Deadline("", 3, at(-60), at(falls), remind_at=remind_at, **more)  # type: ignore[arg-type]


def standing(minutes: float) -> Deadline:
    return Deadline("", 3, at(-60), None, left=minutes * MINUTE)


async def due(store: Store, now: datetime, most: int = 20) -> list[str]:
    async with store.read() as tx:
        return [deadline.campaign_id for deadline in await tx.deadlines.due(now, most)]


@pytest.mark.parametrize(
    "deadline",
    [
        Deadline("c1", 1, NOON, at(60)),
        Deadline("c1", 7, NOON, at(60) + TICK, remind_at=at(45), reminded=False),
        Deadline("c1", 7, NOON, at(60), reminded=True),
        Deadline("c1", 7, NOON, None, left=timedelta(days=60, seconds=1)),
        Deadline("c1", 7, NOON, None, reminded=True, left=timedelta(0)),
    ],
)
async def test_a_deadline_comes_out_as_it_was_kept(store: Store, deadline: Deadline) -> None:
    await kept(store, c1=deadline)
    async with store.read() as tx:
        assert await tx.deadlines.of("c1") == deadline
        assert await tx.deadlines.falls_at("c1") == deadline.falls_at
        assert await tx.deadlines.of("c2") is None
        assert await tx.deadlines.falls_at("c2") is None


async def test_a_campaign_has_one_deadline_and_the_clock_is_told_of_each_change(store: Store) -> None:
    await kept(store, c1=running(60), c2=running(90))
    async with store.write() as tx:
        assert not tx.deadlines.changed
        await tx.deadlines.keep(replace(running(5), campaign_id="c1"))
        assert tx.deadlines.changed
    async with store.write() as tx:
        assert await tx.deadlines.falls_at("c1") == at(5)
        assert not tx.deadlines.changed, "looking is no change"
        await tx.deadlines.drop("c1")
        assert tx.deadlines.changed
        assert await tx.deadlines.of("c1") is None
        assert await tx.deadlines.falls_at("c2") == at(90)


async def test_a_deadline_is_due_from_its_very_moment_on(store: Store) -> None:
    await kept(store, c1=running(60))
    assert await due(store, at(60) - TICK) == []
    assert await due(store, at(60)) == ["c1"]
    assert await due(store, at(61)) == ["c1"]


async def test_a_reminder_is_due_from_its_very_moment_on(store: Store) -> None:
    await kept(store, c1=running(60, remind=45))
    assert await due(store, at(45) - TICK) == []
    assert await due(store, at(45)) == ["c1"]
    assert await due(store, at(60)) == ["c1"], "once, though both are due"


async def test_what_has_fallen_comes_first_each_in_its_order_and_only_so_many(store: Store) -> None:
    await kept(
        store,
        a=running(30, remind=1),
        b=running(10),
        c=running(90, remind=5),
        d=running(20, remind=None, reminded=True),
        e=running(90, remind=3),
        f=running(90, remind=89),
        g=standing(0),
    )
    assert await due(store, at(25)) == ["b", "d", "a", "e", "c"]
    assert await due(store, at(25), most=3) == ["b", "d", "a"]
    assert await due(store, at(25), most=1) == ["b"]


async def test_a_clock_that_stands_still_is_never_due_and_wakes_nobody(store: Store) -> None:
    await kept(store, c1=standing(0), c2=standing(10))
    assert await due(store, at(10_000)) == []
    async with store.read() as tx:
        assert await tx.deadlines.next_moment() is None


async def test_the_next_moment_is_the_first_that_falls_or_at_which_somebody_is_reminded(store: Store) -> None:
    async def next_moment() -> datetime | None:
        async with store.read() as tx:
            return await tx.deadlines.next_moment()

    assert await next_moment() is None
    await kept(store, c1=running(60), c2=standing(1))
    assert await next_moment() == at(60)
    await kept(store, c3=running(90, remind=50))
    assert await next_moment() == at(50)
    await kept(store, c4=running(40, remind=55))
    assert await next_moment() == at(40)


async def test_an_outage_puts_off_what_runs_and_nothing_else(store: Store) -> None:
    stays = standing(30)
    await kept(store, c1=running(60, remind=45), c2=stays, c3=running(-5, reminded=True))
    async with store.write() as tx:
        assert not tx.deadlines.changed
        assert sorted(await tx.deadlines.put_off(10 * MINUTE)) == ["c1", "c3"]
        assert tx.deadlines.changed
    async with store.read() as tx:
        found = [await tx.deadlines.of(campaign) for campaign in ("c1", "c2", "c3")]
    assert found == [
        replace(running(70, remind=55), campaign_id="c1"),
        replace(stays, campaign_id="c2"),
        replace(running(5, reminded=True), campaign_id="c3"),
    ]


async def test_an_outage_in_which_no_clock_ran_moves_nothing(store: Store) -> None:
    await kept(store, c1=standing(30))
    async with store.write() as tx:
        assert await tx.deadlines.put_off(10 * MINUTE) == []


@pytest.mark.parametrize("column", ["falls_at", "remind_at"])
async def test_what_is_due_is_found_by_index(store: Store, column: str) -> None:
    query = sa.select(DeadlineRow.campaign_id).where(getattr(DeadlineRow, column) <= at(0))
    async with store.write() as tx:
        explain = "EXPLAIN QUERY PLAN " if store.dialect == "sqlite" else "EXPLAIN "
        if store.dialect == "postgresql":  # an empty table is read whole unless that is made dear
            await tx.connection.execute(sa.text("SET LOCAL enable_seqscan = off"))
        compiled = query.compile(tx.connection.sync_connection, compile_kwargs={"literal_binds": True})
        plan = "\n".join(str(row) for row in await tx.connection.execute(sa.text(f"{explain}{compiled}")))
    assert f"ix_deadline_{column}" in plan, plan
