"""The clock: one campaign's trouble is not the others', and campaigns at rest cost it nothing."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot import deadlines
from bot.deadlines import AGAIN, ALIVE_EVERY, OUTAGE, TOGETHER, DeadlineClock
from bot.errors import Sorry
from bot.records.campaigns import CampaignStatus
from bot.records.deadlines import Deadline
from bot.records.effects import Post, Refresh
from bot.store import database, postgresql
from bot.store.repositories import deadlines as repository
from bot.store.repositories.deadlines import Deadlines
from tests.bot.store import contention, samples
from tests.bot.worlds.simulated_server import use_toy
from tests.bot.worlds.two_bots import ANN, LEO, NOON, Bot
from tests.databases import POSTGRESQL, SQLITE, prepared_url

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture(params=[SQLITE, POSTGRESQL])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, of each kind in turn."""
    return prepared_url(tmp_path, request.param)


@pytest.fixture
async def bot(address: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bot]:
    """A bot whose time stands at noon. Its campaigns' orders close a day after they began; reminders go at 18 hours."""
    use_toy(monkeypatch)
    store = await database.open_store(address)
    yield Bot(store)
    await store.close()


@pytest.fixture
def clock(bot: Bot) -> DeadlineClock:
    """Its clock, which ticks when a test says so."""
    return DeadlineClock(bot.runtime, bot.services.closing)


async def deadline(bot: Bot, campaign: str) -> Deadline:
    async with bot.store.read() as tx:
        found = await tx.deadlines.of(campaign)
    assert found is not None
    return found


async def reminded(bot: Bot, campaign: str, user: int) -> list[str]:
    """The reminders that wait to be sent to somebody."""
    async with bot.store.read() as tx:
        effects = await tx.outbox.since(campaign, f"dm:{user}", NOON - DAY)
    return [one.content for one in effects if isinstance(one, Post) and "time is up" in one.content]


async def set_running(store: database.Store, *moments: datetime) -> None:
    """A campaign for each, whose deadline falls then."""
    async with store.write() as tx:
        for number, moment in enumerate(moments):
            opened = Deadline(f"r{number}", 1, NOON, moment).falling(moment, 0.25)
            await tx.deadlines.keep(opened)


def failing(name: str, monkeypatch: pytest.MonkeyPatch, where: object, campaign: str) -> list[str]:
    """Have a method raise for one campaign; gives for which it was called."""
    called: list[str] = []
    method = getattr(where, name)

    async def stumble(campaign_id: str, *words: Any, **more: Any) -> Any:
        called.append(campaign_id)
        if campaign_id == campaign:
            raise ZeroDivisionError
        return await method(campaign_id, *words, **more)

    monkeypatch.setattr(where, name, stumble)
    return called


# --- falling ----------------------------------------------------------------------------------------------------------
async def test_a_deadline_falls_at_its_moment_and_not_before(bot: Bot, clock: DeadlineClock) -> None:
    campaign = await bot.begin(reminder_left=0)
    bot.time = NOON + DAY - timedelta(microseconds=1)
    await clock.tick()
    assert await bot.kinds(campaign) == ["genesis", "seated"]
    bot.time = NOON + DAY
    assert await clock.tick() == 0.0
    assert (await bot.kinds(campaign))[-1] == "closed"


async def test_one_campaign_that_cannot_be_closed_does_not_keep_the_others_waiting(
    bot: Bot, clock: DeadlineClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaigns = [await bot.begin(f"Duel {number}") for number in range(3)]
    bot.time = NOON + DAY
    with monkeypatch.context() as patched:
        called = failing("close", patched, bot.services.closing, campaigns[0])
        assert await clock.tick() == 0.0
        assert sorted(called) == sorted(campaigns), "each once"
        assert [(await bot.kinds(one))[-1] for one in campaigns] == ["seated", "closed", "closed"]
        assert (await deadline(bot, campaigns[0])).falls_at == NOON + DAY + AGAIN
        called.clear()
        for bot.time in (NOON + DAY + MINUTE, NOON + DAY + AGAIN - timedelta(microseconds=1)):
            await clock.tick()
        assert called == [], "it is left alone meanwhile"
        bot.time = NOON + DAY + AGAIN
        await clock.tick()
        assert called == [campaigns[0]]
        assert (await deadline(bot, campaigns[0])).falls_at == NOON + DAY + 2 * AGAIN
    bot.time = NOON + DAY + 2 * AGAIN
    await clock.tick()
    assert (await bot.kinds(campaigns[0]))[-1] == "closed"
    assert AGAIN == 5 * MINUTE


async def test_a_deadline_that_closes_nothing_is_left_alone_for_a_while(bot: Bot, clock: DeadlineClock) -> None:
    campaign = await bot.begin()
    async with bot.store.write() as tx:  # a clock that should have been stopped
        await tx.campaigns.set_status(campaign, CampaignStatus.PAUSED)
    bot.time = NOON + DAY
    await clock.tick()
    assert (await deadline(bot, campaign)).falls_at == bot.time + AGAIN
    assert await bot.kinds(campaign) == ["genesis", "seated"]


async def test_a_deadline_that_somebody_moved_while_it_failed_stays_where_it_was_moved(
    bot: Bot, clock: DeadlineClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = await bot.begin()
    moved = replace(await deadline(bot, campaign), falls_at=NOON + 3 * DAY)

    async def move_and_stumble(*_: Any, **__: Any) -> bool:
        async with bot.store.write() as tx:
            await tx.deadlines.keep(moved)
        raise Sorry("Not now.", code="no")

    monkeypatch.setattr(bot.services.closing, "close", move_and_stumble)
    bot.time = NOON + DAY
    await clock.tick()
    assert await deadline(bot, campaign) == moved


async def test_a_battle_without_an_agreed_account_is_given_grace_not_tried_again(bot: Bot, clock: DeadlineClock):
    campaign = await bot.begin(battle_minutes=60, grace_minutes=120)
    await bot.to_a_battle(campaign)
    bot.time = NOON + 60 * MINUTE
    await clock.tick()
    assert (await deadline(bot, campaign)).falls_at == NOON + 180 * MINUTE
    assert (await bot.kinds(campaign))[-1] == "closed", "that of the orders"


async def test_many_that_fall_together_are_worked_off_by_and_by(
    bot: Bot, clock: DeadlineClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a sign of life comes in between."""
    called = failing("close", monkeypatch, bot.services.closing, "")
    for number in range(TOGETHER + 5):
        await samples.founded(bot.store, f"r{number}")
    await set_running(bot.store, *(NOON - (100 - number) * MINUTE for number in range(TOGETHER + 5)))
    assert await clock.tick() == 0.0
    assert called == [f"r{number}" for number in range(TOGETHER)], "the oldest first"
    assert await clock.tick() == 0.0
    assert called[TOGETHER:] == [f"r{number}" for number in range(TOGETHER, TOGETHER + 5)]


# --- reminding --------------------------------------------------------------------------------------------------------
async def test_those_who_are_late_are_reminded_once_at_the_very_moment(bot: Bot, clock: DeadlineClock) -> None:
    campaign = await bot.begin()
    theirs = await bot.token(campaign, LEO)
    await bot.services.orders.readiness.say(theirs, LEO, is_ready=True)
    for bot.time in (NOON + 0.75 * DAY - timedelta(microseconds=1), NOON + 0.75 * DAY, NOON + 0.8 * DAY):
        await clock.tick()
        assert len(await reminded(bot, campaign, ANN)) == (bot.time >= NOON + 0.75 * DAY)
    assert await reminded(bot, campaign, LEO) == []
    kept = await deadline(bot, campaign)
    assert (kept.reminded, kept.remind_at, kept.falls_at) == (True, None, NOON + DAY)


async def test_no_reminder_is_made_or_sent_once_the_deadline_has_fallen(bot: Bot, clock: DeadlineClock) -> None:
    campaign = await bot.begin()
    bot.time = NOON + 0.75 * DAY
    await clock.tick()
    async with bot.store.read() as tx:
        effects = await tx.outbox.since(campaign, f"dm:{ANN}", NOON - DAY)
    (posted,) = [one for one in effects if isinstance(one, Post) and "time is up" in one.content]
    assert posted.until == NOON + DAY, "Discord may take it late, or not at all"
    late = await bot.begin("Late")
    fallen = await deadline(bot, late)
    assert fallen.falls_at is not None
    bot.time = fallen.falls_at + timedelta(seconds=31)  # others that fell together took so long
    await clock._remind([fallen])
    assert await reminded(bot, late, ANN) == []
    assert (await deadline(bot, late)).reminded


async def test_a_reminder_that_fails_is_left_out_and_the_others_go(
    bot: Bot, clock: DeadlineClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaigns = [await bot.begin(f"Duel {number}") for number in range(3)]
    bot.time = NOON + 0.75 * DAY
    with monkeypatch.context() as patched:
        called = failing("info", patched, bot.runtime.directory, campaigns[0])
        assert await clock.tick() == 0.0
        assert sorted(called) == sorted(campaigns)
    assert [len(await reminded(bot, one, ANN)) for one in campaigns] == [0, 1, 1]
    kept = await deadline(bot, campaigns[0])
    assert (kept.reminded, kept.remind_at, kept.falls_at) == (True, None, NOON + DAY)
    bot.time += MINUTE
    await clock.tick()
    assert await reminded(bot, campaigns[0], ANN) == []
    bot.time = NOON + DAY
    await clock.tick()
    assert (await bot.kinds(campaigns[0]))[-1] == "closed", "its deadline falls all the same"


# --- at rest ----------------------------------------------------------------------------------------------------------
class Looks:
    """What is asked of the database, and which deadlines are read from it."""

    def __init__(self, store: database.Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.statements: list[str] = []
        self.read: list[str] = []
        for engine in (store._engines.reading, store._engines.writing):
            sa.event.listen(engine.sync_engine, "before_cursor_execute", self._asked)
        made = repository._deadline

        def counted(row: Any) -> Deadline:
            self.read.append(row["campaign_id"])
            return made(row)

        monkeypatch.setattr(repository, "_deadline", counted)

    def _asked(self, _connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        self.statements.append(statement)


async def test_deadlines_of_campaigns_at_rest_are_not_read(
    bot: Bot, clock: DeadlineClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = Looks(bot.store, monkeypatch)
    assert await clock.tick() == ALIVE_EVERY.total_seconds()
    of_none = list(looks.statements)
    assert sum(one.startswith("SELECT") for one in of_none) == 4, of_none
    for number in range(200):
        await samples.founded(bot.store, f"r{number}")
    await set_running(bot.store, *(NOON + DAY + number * MINUTE for number in range(200)))
    looks.statements.clear()
    assert await clock.tick() == ALIVE_EVERY.total_seconds()
    assert (looks.statements, looks.read) == (of_none, [])
    assert bot.loaded.in_memory() == 0


async def test_of_two_hundred_only_what_is_due_is_read(bot: Bot, clock: DeadlineClock, monkeypatch: pytest.MonkeyPatch):
    called = failing("close", monkeypatch, bot.services.closing, "")
    for number in range(200):
        await samples.founded(bot.store, f"r{number}")
    await set_running(bot.store, *(NOON + DAY + number * MINUTE for number in range(200)))
    async with bot.store.write() as tx:
        await tx.deadlines.keep(Deadline("r77", 1, NOON, NOON))
    looks = Looks(bot.store, monkeypatch)
    await clock.tick()
    assert called == ["r77"]
    assert set(looks.read) == {"r77"}


@pytest.mark.parametrize(("seconds", "sleeps"), [(10, 10.0), (29.5, 29.5), (30, 30.0), (31, 30.0), (86_400, 30.0)])
async def test_the_clock_sleeps_until_the_next_moment_but_not_beyond_its_next_sign_of_life(
    bot: Bot, clock: DeadlineClock, seconds: float, sleeps: float
) -> None:
    await samples.founded(bot.store, "r0")
    await set_running(bot.store, NOON + timedelta(seconds=seconds) / 0.75)  # the reminder comes first
    assert await clock.tick() == pytest.approx(sleeps, abs=1e-5)


# --- signs of life ----------------------------------------------------------------------------------------------------
async def last_alive(bot: Bot) -> datetime | None:
    async with bot.store.read() as tx:
        return await tx.installation.last_alive()


Sleeps = list[tuple[datetime, datetime | None, float]]
"""What was the time, the last sign of life and the length of the sleep, for each."""


def watching(
    bot: Bot, rounds: int, meanwhile: Callable[[], Awaitable[None]] | None = None
) -> tuple[DeadlineClock, Sleeps, asyncio.Event]:
    """A clock whose sleeps pass at once, so many of them; ``meanwhile`` happens in the first."""
    sleeps: Sleeps = []
    over = asyncio.Event()

    async def wait(_: asyncio.Event, seconds: float) -> None:
        sleeps.append((bot.time, await last_alive(bot), seconds))
        if len(sleeps) == 1 and meanwhile is not None:
            await meanwhile()
        bot.time += timedelta(seconds=seconds)
        if len(sleeps) == rounds:
            over.set()
            await asyncio.Event().wait()

    return DeadlineClock(bot.runtime, bot.services.closing, wait=wait), sleeps, over


async def test_the_bot_gives_a_sign_of_life_every_half_minute_and_as_it_stops(bot: Bot) -> None:
    await samples.founded(bot.store, "r0")
    await set_running(bot.store, NOON + DAY)
    clock, sleeps, over = watching(bot, 4)
    await clock.start()
    await over.wait()
    half = timedelta(seconds=30)
    assert sleeps == [(NOON + number * half, NOON + number * half, 30.0) for number in range(4)]
    await clock.stop()
    assert await last_alive(bot) == NOON + 4 * half


async def test_a_clock_that_fails_tries_again_soon(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    due = Deadlines.due
    tries: list[int] = []

    async def stumble(self: Deadlines, *words: Any, **more: Any) -> list[Deadline]:
        tries.append(1)
        if len(tries) == 1:
            raise ZeroDivisionError
        return await due(self, *words, **more)

    monkeypatch.setattr(Deadlines, "due", stumble)
    clock, sleeps, over = watching(bot, 2)
    await clock.start()
    await over.wait()
    await clock.stop()
    assert [seconds for *_, seconds in sleeps] == [5.0, 30.0]


@pytest.mark.parametrize("address", [POSTGRESQL], indirect=True)
async def test_a_bot_that_lost_its_database_to_another_learns_of_it_by_its_next_sign_of_life(
    bot: Bot, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "LOCK_SECONDS", 2.0)
    others: list[database.Store] = []

    async def take_over() -> None:
        others.append(await contention.taken_over(address))
        assert not bot.store.lost.is_set()

    clock, sleeps, over = watching(bot, 2, meanwhile=take_over)
    await clock.start()
    await over.wait()
    assert bot.store.lost.is_set()
    assert sleeps == [(NOON, NOON, 30.0), (NOON + ALIVE_EVERY, NOON, 5.0)]
    await clock.stop()
    (second,) = others
    assert not second.lost.is_set()
    async with second.read() as tx:
        assert await tx.installation.last_alive() == NOON
    await second.close()


# --- outages ----------------------------------------------------------------------------------------------------------
async def cards(bot: Bot, campaign: str) -> int:
    async with bot.store.read() as tx:
        effects = await tx.outbox.since(campaign, f"dm:{ANN}", NOON - DAY)
    return sum(isinstance(one, Refresh) for one in effects)


@pytest.mark.parametrize(("silent", "moves"), [(OUTAGE, False), (OUTAGE + timedelta(seconds=1), True), (DAY, True)])
async def test_deadlines_move_by_the_time_in_which_the_bot_was_down(bot: Bot, silent: timedelta, moves: bool) -> None:
    running, paused = await bot.begin(), await bot.begin("Second Duel")
    await bot.services.referee.clock.pause(paused, 1, "lunch")
    before = [await deadline(bot, one) for one in (running, paused)]
    shown = await cards(bot, running)
    async with bot.store.write() as tx:
        await tx.installation.sign_of_life(NOON)
    bot.time = NOON + silent
    clock, _, over = watching(bot, 2)
    await clock.start()
    await over.wait()
    await clock.stop()
    by = silent if moves else timedelta(0)
    assert [await deadline(bot, one) for one in (running, paused)] == [before[0].later(by), before[1]]
    assert (await cards(bot, running) > shown) == moves, "its cards say so"


async def test_the_first_start_moves_nothing(bot: Bot) -> None:
    campaign = await bot.begin()
    before = await deadline(bot, campaign)
    bot.time = NOON + 0.1 * DAY
    clock, _, over = watching(bot, 1)
    await clock.start()
    await over.wait()
    await clock.stop()
    assert await deadline(bot, campaign) == before


@pytest.mark.parametrize("leap", [8 * HOUR, -2 * HOUR, DAY])
async def test_deadlines_move_by_what_the_clock_leaps_while_the_bot_sleeps(bot: Bot, leap: timedelta) -> None:
    """A laptop's lid was closed, or somebody set its clock: by the clock more or less time passed than was lived."""
    campaign = await bot.begin()
    before = await deadline(bot, campaign)
    began, lived = bot.time, [0.0]
    bot.runtime.lived = lambda: lived[0] + (bot.time - began).total_seconds()

    async def meanwhile() -> None:
        bot.time += leap
        lived[0] -= leap.total_seconds()

    clock, _, over = watching(bot, 3, meanwhile)
    await clock.start()
    await over.wait()
    await clock.stop()
    assert await deadline(bot, campaign) == before.later(leap)


async def test_time_that_was_lived_through_moves_nothing(bot: Bot) -> None:
    campaign = await bot.begin()
    before = await deadline(bot, campaign)

    async def meanwhile() -> None:
        bot.time += 8 * HOUR

    clock, _, over = watching(bot, 3, meanwhile)
    await clock.start()
    await over.wait()
    await clock.stop()
    assert await deadline(bot, campaign) == before


@pytest.mark.parametrize(("oversleeps", "moves"), [(OUTAGE.total_seconds(), False), (3_600.0, True)])
async def test_deadlines_move_by_the_time_in_which_the_process_stood_still(
    bot: Bot, monkeypatch: pytest.MonkeyPatch, oversleeps: float, *, moves: bool
) -> None:
    """A paused server: its clocks went on, and nobody woke for an hour."""
    campaign = await bot.begin()
    before = await deadline(bot, campaign)
    time, over, sleeps = [0.0], asyncio.Event(), [0]

    async def wait(_: asyncio.Event, seconds: float) -> None:
        sleeps[0] += 1
        late = oversleeps if sleeps[0] == 1 else 0.0
        time[0] += seconds + late
        bot.time += timedelta(seconds=seconds + late)
        if sleeps[0] == 3:
            over.set()
            await asyncio.Event().wait()

    monkeypatch.setattr(deadlines, "until_woken", wait)
    monkeypatch.setattr(deadlines, "monotonic", lambda: time[0])
    clock = DeadlineClock(bot.runtime, bot.services.closing)
    await clock.start()
    await over.wait()
    await clock.stop()
    assert await deadline(bot, campaign) == (before.later(timedelta(seconds=oversleeps)) if moves else before)


async def test_what_could_not_be_moved_at_once_is_moved_before_anything_falls(
    bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = await bot.begin()
    before = await deadline(bot, campaign)
    put_off, tries, slept = Deadlines.put_off, list[int](), list[timedelta]()

    async def stumble(self: Deadlines, by: timedelta) -> list[str]:
        tries.append(1)
        if len(tries) == 1:
            raise ZeroDivisionError
        return await put_off(self, by)

    async def meanwhile() -> None:
        slept.append(2 * DAY)
        bot.time += 2 * DAY

    def lived() -> float:
        return (bot.time - sum(slept, timedelta())).timestamp()

    monkeypatch.setattr(Deadlines, "put_off", stumble)
    bot.runtime.lived = lived
    clock, _, over = watching(bot, 4, meanwhile)
    await clock.start()
    await over.wait()
    await clock.stop()
    assert await deadline(bot, campaign) == before.later(2 * DAY)
    assert len(tries) == 2
