"""The outbox: order within a queue, postponement, doubt, what stands in front of what, and what is kept."""

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from bot.records import components, places
from bot.records.effects import (
    Archive,
    BattleThread,
    ClosePrompt,
    Effect,
    Grant,
    Notice,
    Post,
    Provision,
    Refresh,
    Revoke,
)
from bot.records.outbox import OutboxItem, OutboxQueue, OutboxStatus
from bot.store.database import Store
from bot.store.tables import OutboxRow
from bot.store.transaction import Transaction
from tests.bot.store.samples import founded

NOW = datetime(2026, 8, 1, 12, 0, tzinfo=UTC)
PUBLIC = OutboxQueue("c1", "public")
CARD = components.Card("Plot.")


async def put(store: Store, *effects: Effect, campaign: str = "c1", queue: str | None = None) -> None:
    async with store.write() as tx:
        await tx.outbox.put(campaign, *effects, now=NOW, queue=queue)


async def say(store: Store, *texts: str, campaign: str = "c1") -> None:
    """Posts in the public channel."""
    await put(store, *(Post(place="public", content=text) for text in texts), campaign=campaign)


async def first(store: Store, queue: OutboxQueue = PUBLIC) -> OutboxItem:
    async with store.read() as tx:
        item = await tx.outbox.first_of(queue)
    assert item is not None
    return item


def content(item: OutboxItem) -> str:
    assert isinstance(item.effect, Post)
    return item.effect.content


# --- order ------------------------------------------------------------------------------------------------------------
async def test_a_queue_gives_its_effects_in_the_order_in_which_they_were_put(store: Store) -> None:
    await say(store, "one", "two")
    await say(store, "three")
    seen: list[str] = []
    for left in (2, 1, 0):
        item = await first(store)
        seen.append(content(item))
        async with store.write() as tx:
            await tx.outbox.done(item, {"part.0": [1, 2]})
            assert await tx.outbox.count_unfinished() == left
    assert seen == ["one", "two", "three"]
    async with store.read() as tx:
        assert await tx.outbox.first_of(PUBLIC) is None
        assert await tx.outbox.due_queues(NOW) == []


async def test_an_effect_goes_into_the_queue_of_its_destination(store: Store) -> None:
    thread = BattleThread(key="b1", name="Battle")
    await put(store, Provision(), Grant(user_id=7, role="side:red"), Revoke(user_id=8, role="side:red"))
    await put(store, Post(place="public"), Post(dm=7, place="public"), Refresh(token="t", card=CARD, dm=7))
    await put(store, ClosePrompt(token="t", content="", dm=8), thread, Archive(key="b1"), Notice(content="!"))
    async with store.read() as tx:
        queues = [queue.name for queue in await tx.outbox.due_queues(NOW)]
    expected = ["setup", "public", "dm:7", "dm:8", "battles", places.lane_of("battle:b1"), "trouble"]
    assert queues == expected, "the oldest first"


async def test_all_may_be_put_into_one_queue(store: Store) -> None:
    await put(store, Post(place="public"), Post(dm=7), queue="setup")
    async with store.read() as tx:
        assert await tx.outbox.due_queues(NOW) == [OutboxQueue("c1", "setup")]
    assert (await first(store, OutboxQueue("c1", "setup"))).queue == OutboxQueue("c1", "setup")


async def test_nothing_put_in_is_nothing_queued(store: Store) -> None:
    async with store.write() as tx:
        await tx.outbox.put("c1", now=NOW)
        assert not tx.outbox.queued
        await tx.outbox.put("c1", Provision(), now=NOW)
        assert tx.outbox.queued


async def test_queues_of_two_campaigns_are_two_queues_even_if_called_alike(store: Store) -> None:
    await say(store, "a")
    await say(store, "b", campaign="c2")
    async with store.read() as tx:
        assert await tx.outbox.due_queues(NOW) == [PUBLIC, OutboxQueue("c2", "public")]
    assert content(await first(store, OutboxQueue("c2", "public"))) == "b"


# --- what becomes of it -----------------------------------------------------------------------------------------------
async def test_a_postponed_effect_holds_its_whole_queue_until_its_moment(store: Store) -> None:
    await say(store, "one", "two")
    item = await first(store)
    later = NOW + timedelta(seconds=30)
    async with store.write() as tx:
        await tx.outbox.sending(item)
        await tx.outbox.later(item, later, "503", in_doubt=True)
    async with store.read() as tx:
        assert await tx.outbox.due_queues(NOW) == []
        assert await tx.outbox.due_queues(later - timedelta(microseconds=1)) == []
        assert await tx.outbox.next_moment(NOW) == later
        assert await tx.outbox.next_moment(later) is None, "it is due then"
        assert await tx.outbox.due_queues(later) == [PUBLIC]
    item = await first(store)
    assert (content(item), item.attempts, item.in_doubt, item.not_before) == ("one", 1, True, later)


async def test_the_next_moment_is_that_of_the_first_of_a_queue_not_of_those_behind_it(store: Store) -> None:
    await say(store, "one", "two")
    await say(store, "other", campaign="c2")
    for queue, minutes in ((PUBLIC, 30), (OutboxQueue("c2", "public"), 20)):
        item = await first(store, queue)
        async with store.write() as tx:
            await tx.outbox.later(item, NOW + timedelta(minutes=minutes), "", in_doubt=False)
    async with store.read() as tx:
        assert await tx.outbox.next_moment(NOW) == NOW + timedelta(minutes=20)
        assert await tx.outbox.next_moment(NOW + timedelta(minutes=25)) == NOW + timedelta(minutes=30)


async def test_an_effect_is_in_doubt_only_between_being_sent_and_what_came_of_it(store: Store) -> None:
    await say(store, "one")
    states: list[tuple[OutboxStatus, int, bool]] = []

    async def look() -> OutboxItem:
        item = await first(store)
        states.append((item.status, item.attempts, item.in_doubt))
        return item

    item = await look()
    async with store.write() as tx:
        await tx.outbox.sending(item)
    await look()
    async with store.write() as tx:
        await tx.outbox.held(item)
    item = await look()
    async with store.write() as tx:
        await tx.outbox.sending(item)
        await tx.outbox.later(item, NOW, "rate limit", in_doubt=False)
    await look()
    queued, sending = OutboxStatus.QUEUED, OutboxStatus.SENDING
    assert states == [(queued, 0, False), (sending, 1, True), (queued, 0, False), (queued, 1, False)]


async def test_what_each_call_gave_is_kept_as_it_goes(store: Store) -> None:
    await say(store, "one")
    item = await first(store)
    assert item.results == {}
    results = {"part.0": [2**62, 2**62 + 1], "place": 7, "asked": True}
    async with store.write() as tx:
        await tx.outbox.sending(item)
        await tx.outbox.progressed(item, results)
    item = await first(store)
    assert (item.results, item.in_doubt) == (results, True)


@pytest.mark.parametrize("status", [OutboxStatus.DONE, OutboxStatus.FAILED])
async def test_what_is_done_or_given_up_lets_the_next_one_go(store: Store, status: OutboxStatus) -> None:
    await say(store, "one", "two")
    item = await first(store)
    async with store.write() as tx:
        await tx.outbox.later(item, NOW + timedelta(hours=1), "", in_doubt=False)
        await (tx.outbox.done(item, {}) if status is OutboxStatus.DONE else tx.outbox.failed(item, "forbidden"))
        assert await tx.outbox.due_queues(NOW) == [PUBLIC]
    assert content(await first(store)) == "two"


async def test_hurry_brings_postponed_effects_forward_but_only_of_that_server(store: Store) -> None:
    await founded(store, "c1", guild_id=1)
    await founded(store, "c2", guild_id=2)
    await say(store, "a")
    await say(store, "b", campaign="c2")
    async with store.write() as tx:
        assert not await tx.outbox.is_postponed(1)
        for queue in (PUBLIC, OutboxQueue("c2", "public")):
            item = await tx.outbox.first_of(queue)
            assert item is not None
            await tx.outbox.later(item, NOW + timedelta(hours=1), "", in_doubt=False)
        assert await tx.outbox.due_queues(NOW) == []
        assert await tx.outbox.is_postponed(1)
        await tx.outbox.hurry(1)
        assert await tx.outbox.due_queues(NOW) == [PUBLIC]
        assert [await tx.outbox.is_postponed(guild) for guild in (1, 2, 3)] == [False, True, False]


# --- what stands in front of what -------------------------------------------------------------------------------------
async def test_an_unfinished_effect_in_front_is_found_by_its_kind_and_what_it_is_about(store: Store) -> None:
    await put(store, BattleThread(key="B1", name="Battle"))
    await say(store, "hello")
    item = await first(store)
    async with store.write() as tx:
        assert await tx.outbox.is_behind(item, "thread", "B1")
        assert await tx.outbox.is_behind(item, "thread")
        assert not await tx.outbox.is_behind(item, "thread", "B2")
        assert not await tx.outbox.is_behind(item, "provision")
        thread = await tx.outbox.first_of(OutboxQueue("c1", "battles"))
        assert thread is not None
        assert not await tx.outbox.is_behind(thread, "post"), "it stands in front of the post"
        assert not await tx.outbox.is_behind(thread, "thread", "B1"), "nothing is behind itself"
        await tx.outbox.done(thread, {})
        assert not await tx.outbox.is_behind(item, "thread", "B1")


async def test_another_campaigns_effects_stand_in_nobodys_way(store: Store) -> None:
    await put(store, BattleThread(key="B1", name="Battle"), Revoke(user_id=7, role="side:red"), campaign="c2")
    await say(store, "hello")
    item = await first(store)
    async with store.read() as tx:
        assert not await tx.outbox.is_behind(item, "thread", "B1")
        assert not await tx.outbox.is_behind(item, "revoke")


async def test_a_card_is_under_way_while_its_post_or_a_later_showing_is_unfinished(store: Store) -> None:
    async def under_way(campaign: str = "c1") -> bool:
        async with store.read() as tx:
            return await tx.outbox.is_card_under_way(campaign, "tok")

    await put(store, Post(dm=7, card=CARD, prompt="other"), Refresh(token="other", card=CARD, dm=7))
    await put(store, ClosePrompt(token="tok", content="Closed.", dm=8), Post(place="tok", content="tok"))
    assert not await under_way(), "neither other prompts' cards nor a closing is a card of this one"
    for number, effect in enumerate((Post(dm=9, card=CARD, prompt="tok"), Refresh(token="tok", card=CARD, dm=9))):
        await put(store, effect)
        assert await under_way(), number
        assert not await under_way("c2")
        item = await first(store, OutboxQueue("c1", "dm:9"))
        async with store.write() as tx:
            await tx.outbox.sending(item)
        assert await under_way(), "the call may not have been made yet"
        async with store.write() as tx:
            await tx.outbox.done(item, {})
        assert not await under_way(), number


async def test_what_a_place_was_made_from_is_the_newest_of_its_kind_about_it(store: Store) -> None:
    old, new = (BattleThread(key="B1", name=name) for name in ("Old", "New"))
    await put(store, old, BattleThread(key="B2", name="Other"), new, Archive(key="B1"))
    await put(store, BattleThread(key="B1", name="Theirs"), campaign="c2")
    async with store.write() as tx:
        assert await tx.outbox.latest("c1", "thread", "B1") == new
        for _ in range(3):
            item = await tx.outbox.first_of(OutboxQueue("c1", "battles"))
            assert item is not None
            await tx.outbox.done(item, {})
        assert await tx.outbox.latest("c1", "thread", "B1") == new, "whatever became of it"
        assert await tx.outbox.latest("c1", "thread", "B3") is None
        assert await tx.outbox.latest("c1", "revoke", "B1") is None


async def test_what_was_put_into_a_queue_since_a_moment(store: Store) -> None:
    for minutes, text in ((0, "old"), (5, "new"), (6, "newer")):
        async with store.write() as tx:
            now = NOW + timedelta(minutes=minutes)
            await tx.outbox.put("c1", Notice(content=text), Post(place="public", content=text), now=now)
            await tx.outbox.put("c2", Notice(content="theirs"), now=now)
    item = await first(store, OutboxQueue("c1", "trouble"))
    async with store.write() as tx:
        await tx.outbox.done(item, {})
        since = [await tx.outbox.since("c1", "trouble", NOW + timedelta(minutes=at)) for at in (-1, 0, 5, 6)]
    old, new, newer = (Notice(content=text) for text in ("old", "new", "newer"))
    assert since == [[old, new, newer], [new, newer], [newer], []]


# --- what is kept -----------------------------------------------------------------------------------------------------
async def left(store: Store) -> list[str]:
    """The queues of all that is kept, in order."""
    async with store.read() as tx:
        return list((await tx.connection.execute(sa.select(OutboxRow.lane).order_by(OutboxRow.id))).scalars())


async def test_the_sweep_keeps_what_is_unfinished_what_rebuilds_places_and_the_newest(store: Store) -> None:
    post = Post(content="x")
    thread = BattleThread(key="b", name="n")
    for queue, effect in (
        ("old", post),
        ("waiting", post),
        ("sending", post),
        ("failed", post),
        ("thread", thread),
        ("setup", Provision()),
        ("archive", Archive(key="b")),
    ):
        await put(store, effect, queue=queue)
    moment = NOW + timedelta(days=30)
    async with store.write() as tx:
        await tx.outbox.put("c1", post, now=moment, queue="young")
        await tx.outbox.put("c1", post, now=NOW, queue="newest")
        for queue in ("old", "thread", "setup", "archive", "young", "newest"):
            await tx.outbox.done(await first_in(tx, queue), {})
        await tx.outbox.sending(await first_in(tx, "sending"))
        await tx.outbox.failed(await first_in(tx, "failed"), "forbidden")
        await tx.outbox.sweep(moment)
    assert await left(store) == ["waiting", "sending", "failed", "thread", "setup", "young", "newest"]
    async with store.write() as tx:
        assert await tx.outbox.latest("c1", "thread", "b") == thread
        last = await tx.connection.scalar(sa.select(sa.func.max(OutboxRow.id)))
        await tx.outbox.put("c1", post, now=NOW, queue="behind")
        assert (await first_in(tx, "behind")).id > last, "an id is never given twice"


async def test_an_empty_outbox_is_swept_in_peace(store: Store) -> None:
    async with store.write() as tx:
        await tx.outbox.sweep(NOW)
        assert await tx.outbox.count_unfinished() == 0


async def test_a_discord_id_is_accounted_for_if_any_call_gave_it(store: Store) -> None:
    await say(store, "one", "two", "three")
    for results in ({"part.0": [2**62, 2**62 + 1]}, {"place": 2**62 + 2}):
        item = await first(store)
        async with store.write() as tx:
            await tx.outbox.done(item, results)
    async with store.read() as tx:
        known = [await tx.outbox.accounts_for(2**62 + number) for number in range(4)]
    assert known == [True, True, True, False]


async def first_in(tx: Transaction, queue: str) -> OutboxItem:
    item = await tx.outbox.first_of(OutboxQueue("c1", queue))
    assert item is not None
    return item
