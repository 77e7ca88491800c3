"""Threads of open battles are kept awake: each once, a few at a time, and those at rest are not read."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.deadlines import STIR_EVERY, TOGETHER, DeadlineClock
from bot.records.effects import Wake
from bot.store.database import open_store
from tests.bot.store.samples import founded
from tests.bot.worlds.simulated_server import use_toy
from tests.bot.worlds.two_bots import NOON, Bot, before_writing
from tests.databases import POSTGRESQL, SQLITE, prepared_url

MINUTE = timedelta(minutes=1)
MANY = TOGETHER + 5


@pytest.fixture(params=[SQLITE, POSTGRESQL])
async def bot(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bot]:
    """A bot whose time stands at noon."""
    use_toy(monkeypatch)
    store = await open_store(prepared_url(tmp_path, request.param))
    yield Bot(store)
    await store.close()


async def woken(bot: Bot, campaign: str) -> list[str]:
    """The battles of a campaign whose threads are to be woken, in order."""
    found: list[str] = []
    async with bot.store.read() as tx:
        for queue in await tx.outbox.due_queues(bot.time):
            item = await tx.outbox.first_of(queue)
            if item is not None and item.campaign_id == campaign and isinstance(item.effect, Wake):
                found.append(item.effect.key)
    return found


async def with_battles(bot: Bot, campaign: str, *keys: str) -> None:
    """A campaign with these battles, each opened a minute after the one before."""
    await founded(bot.store, campaign)
    async with bot.store.write() as tx:
        for number, key in enumerate(keys):
            await tx.battles.open(campaign, key, 1, NOON + number * MINUTE)


async def test_each_is_stirred_once_when_it_has_been_silent_for_so_long(bot: Bot) -> None:
    clock = DeadlineClock(bot.runtime, bot.services.closing)
    await with_battles(bot, "c1", "a", "b", "over")
    async with bot.store.write() as tx:
        await tx.battles.close("c1", ["over"])
    bot.time = NOON + STIR_EVERY
    await clock.stir()
    assert await woken(bot, "c1") == []
    bot.time += MINUTE / 2
    await clock.stir()
    await clock.stir()
    assert await woken(bot, "c1") == ["a"]
    bot.time += 3 * MINUTE
    await clock.stir()
    assert await woken(bot, "c1") == ["a", "b"]


async def test_what_is_still_to_be_woken_is_not_woken_twice(bot: Bot) -> None:
    clock = DeadlineClock(bot.runtime, bot.services.closing)
    await with_battles(bot, "c1", "a")
    for _ in range(3):
        bot.time += STIR_EVERY + MINUTE
        await clock.stir()
    async with bot.store.read() as tx:
        assert await tx.outbox.count_unfinished() == 1


async def test_a_few_at_a_time_and_those_that_have_been_silent_longest_come_first(bot: Bot) -> None:
    clock = DeadlineClock(bot.runtime, bot.services.closing)
    keys = [f"b{number:02}" for number in range(MANY)]
    await with_battles(bot, "c1", *reversed(keys))
    bot.time = NOON + 2 * STIR_EVERY
    await clock.stir()
    assert sorted(await woken(bot, "c1")) == keys[-TOGETHER:]
    await clock.stir()
    assert sorted(await woken(bot, "c1")) == keys


async def test_two_bots_on_one_database_stir_it_once(bot: Bot) -> None:
    await with_battles(bot, "c1", "a")
    other = Bot(bot.store)
    bot.time = other.time = NOON + 2 * STIR_EVERY
    other_clock = DeadlineClock(other.runtime, other.services.closing)
    before_writing(bot.store, other_clock.stir)
    await DeadlineClock(bot.runtime, bot.services.closing).stir()
    async with bot.store.read() as tx:
        assert await tx.outbox.count_unfinished() == 1


async def test_a_battle_that_ends_at_that_moment_is_not_stirred(bot: Bot) -> None:
    await with_battles(bot, "c1", "a")
    bot.time = NOON + 2 * STIR_EVERY

    async def ends() -> None:
        async with bot.store.write() as tx:
            await tx.battles.close("c1", ["a"])

    before_writing(bot.store, ends)
    await DeadlineClock(bot.runtime, bot.services.closing).stir()
    assert await woken(bot, "c1") == []
    async with bot.store.read() as tx:
        assert await tx.battles.is_over("c1", "a")
