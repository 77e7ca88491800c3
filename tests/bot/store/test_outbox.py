"""The outbox: order within a lane, postponement, doubt, and what is kept."""

from datetime import UTC, datetime, timedelta

from bot.store.outbox import OutboxQueue, enqueue

from bot.store import outbox
from bot.store.database import Store

NOW = datetime(2026, 8, 1, 12, 0, tzinfo=UTC)
PUBLIC = OutboxQueue("c1", "public")


async def put(store: Store, *texts: str, lane: str = "public", campaign: str = "c1", kind: str = "post") -> None:
    async with store.write() as tx:
        await enqueue(conn, campaign, [(lane, kind, {"content": text, "key": text}) for text in texts], now=NOW)


async def first(store: Store, lane: OutboxQueue = PUBLIC) -> outbox.OutboxItem:
    async with store.read() as tx:
        entry = await outbox.head(conn, lane)
    assert entry is not None
    return entry


async def test_a_lane_gives_its_rows_in_the_order_they_were_queued(store: Store) -> None:
    await put(store, "one", "two", "three")
    seen: list[str] = []
    for _ in range(3):
        entry = await first(store)
        seen.append(entry.payload["content"])
        async with store.write() as tx:
            await outbox.mark_done(conn, entry.id, {"part.0": [1, 2]})
    assert seen == ["one", "two", "three"]
    async with store.read() as tx:
        assert await outbox.head(conn, PUBLIC) is None
        assert await outbox.unfinished(conn) == 0


async def test_lanes_of_two_campaigns_are_two_lanes_even_if_called_alike(store: Store) -> None:
    await put(store, "a")
    await put(store, "b", campaign="c2")
    async with store.read() as tx:
        assert await outbox.due_queues(conn, NOW) == [PUBLIC, OutboxQueue("c2", "public")]


async def test_a_postponed_head_holds_its_whole_lane_until_its_moment(store: Store) -> None:
    await put(store, "one", "two")
    entry = await first(store)
    later = NOW + timedelta(seconds=30)
    async with store.write() as tx:
        await outbox.mark_sending(conn, entry.id)
        await outbox.mark_later(conn, entry.id, later, "503", in_doubt=True)
    async with store.read() as tx:
        assert await outbox.due_queues(conn, NOW) == []
        assert await outbox.next_moment(conn, NOW) == later
        assert await outbox.due_queues(conn, later) == [PUBLIC]
    entry = await first(store)
    assert (entry.payload["content"], entry.attempts, entry.in_doubt, entry.error) == ("one", 1, True, "503")


async def test_hurry_brings_postponed_rows_forward_but_only_of_that_campaign(store: Store) -> None:
    await put(store, "a")
    await put(store, "b", campaign="c2")
    async with store.write() as tx:
        for lane in (PUBLIC, OutboxQueue("c2", "public")):
            entry = await outbox.head(conn, lane)
            assert entry is not None
            await outbox.mark_later(conn, entry.id, NOW + timedelta(hours=1), "", in_doubt=False)
        await outbox.hurry(conn, ["c1"])
        assert await outbox.due_queues(conn, NOW) == [PUBLIC]


async def test_an_earlier_row_is_found_by_kind_and_payload(store: Store) -> None:
    await put(store, "B1", lane="battles", kind="thread")
    await put(store, "hello")
    entry = await first(store)
    async with store.write() as tx:
        assert await outbox.earlier_unfinished(conn, entry, "thread", key="B1")
        assert not await outbox.earlier_unfinished(conn, entry, "thread", key="B2")
        assert not await outbox.earlier_unfinished(conn, entry, "provision")
        found = await outbox.latest(conn, "c1", "thread", key="B1")
        assert found is not None
        await outbox.mark_done(conn, found.id, {})
        assert not await outbox.earlier_unfinished(conn, entry, "thread", key="B1")


async def test_the_sweep_keeps_what_is_unfinished_what_rebuilds_places_and_the_newest(store: Store) -> None:
    await put(store, "old", "waiting", "newest")
    await put(store, "B1", lane="battles", kind="thread")
    await put(store, "last", lane="x")
    async with store.write() as tx:
        for row_id in (1, 3, 4, 5):
            await outbox.mark_done(conn, row_id, {"p0": [7, 100 + row_id]})
        await outbox.sweep(conn, NOW + timedelta(days=1))
    async with store.read() as tx:
        assert [await outbox.latest(conn, "c1", kind) is not None for kind in ("thread", "post")] == [True, True]
        assert await outbox.unfinished(conn) == 1
        assert [await outbox.accounts_for(conn, n) for n in (101, 103, 104, 105)] == [False, False, True, True]
