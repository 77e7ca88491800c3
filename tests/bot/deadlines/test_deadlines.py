"""Deadlines: their moments, reminders and quiet hours, and threads that are kept awake."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.deadlines import STIR_EVERY, TOGETHER, DeadlineClock
from bot.records import deadlines, effects
from bot.store.database import open_store
from tests.bot.store.samples import founded
from tests.bot.worlds.simulated_server import SimulatedServer, use_toy
from tests.bot.worlds.two_bots import NOON, Bot, before_writing
from tests.databases import POSTGRESQL, SQLITE, prepared_url
from tests.expected.kept import cases


async def test_a_silent_side_takes_its_default_at_the_deadline(game: SimulatedServer) -> None:
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7")
    await game.later(24 * 3600 + 60)
    assert "closed" in await game.journal()
    assert await game.open_titles() == [("red", "The spoils")]
    assert any("Closed at its deadline." in one.content for one in game.dms(game.leo))


async def test_reminders_go_to_those_who_are_late_and_name_what_is_missing(game: SimulatedServer) -> None:
    await game.press(game.leo, "Orders for turn 1", "Ready")
    await game.later(19 * 3600)
    reminded = [one.content for one in game.dms(game.ann) if "time is up" in one.content]
    assert len(reminded) == 1
    assert "“Orders for turn 1”, “Missions”." in reminded[0]
    assert not any("time is up" in one.content for one in game.dms(game.leo))


async def test_quiet_hours_keep_reminders_away(game: SimulatedServer) -> None:
    hour = (game.now().hour + 19) % 24
    await game.slash(game.ann, "quiet hours", start=(hour - 2) % 24, end=(hour + 3) % 24)
    await game.later(19 * 3600)
    assert not any("time is up" in one.content for one in game.dms(game.ann))
    assert any("time is up" in one.content for one in game.dms(game.leo))


# --- what pausing, moving and reminding make of a deadline, worked by hand --------------------------------------------
# The sheets opened at noon; a quarter of the time is left when people are reminded, unless a test says otherwise.
QUARTER = 0.25


def at(clock: str) -> datetime:
    """A time of day, e.g. ``"13:30"`` or ``"13:30:05"``."""
    return datetime(2026, 8, 1, *map(int, clock.split(":")), tzinfo=UTC)  # type: ignore[arg-type]


OPENED = deadlines.Deadline("c1", 7, opened_at=at("12:00"), falls_at=at("16:00"), remind_at=at("15:00"))
TOLD = replace(OPENED, remind_at=None, reminded=True)


# --- falling ----------------------------------------------------------------------------------------------------------
@cases("falls, share, reminds", "")
def test_people_are_reminded_when_that_share_of_the_time_since_opening_is_left(falls: str, share: float, reminds: str):
    fresh = deadlines.Deadline("c1", 7, opened_at=at("12:00"), falls_at=None)
    assert fresh.falling(at(falls), share) == replace(fresh, falls_at=at(falls), remind_at=at(reminds))


def test_who_was_reminded_is_not_reminded_again_by_a_deadline_that_falls_at_another_time() -> None:
    assert TOLD.falling(at("20:00"), QUARTER) == replace(TOLD, falls_at=at("20:00"))


def test_a_deadline_that_falls_has_no_time_that_is_kept() -> None:
    standing = replace(OPENED, falls_at=None, remind_at=None, left=timedelta(hours=1))
    assert standing.falling(at("16:00"), QUARTER) == OPENED


# --- moving -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("before", [OPENED, TOLD])
def test_a_deadline_that_is_moved_reminds_again_by_the_whole_time_since_opening(before: deadlines.Deadline) -> None:
    """Noon to 20:00 are eight hours; two are left at 18:00."""
    assert before.moved(at("20:00"), QUARTER) == replace(OPENED, falls_at=at("20:00"), remind_at=at("18:00"))


def test_a_clock_that_stands_still_is_moved_into_running() -> None:
    standing = OPENED.stopped(at("13:00"))
    assert standing.moved(at("20:00"), QUARTER) == replace(OPENED, falls_at=at("20:00"), remind_at=at("18:00"))


# --- standing still and going on --------------------------------------------------------------------------------------
@cases("now, left", made="now, left")
def test_a_clock_that_is_stopped_keeps_the_time_that_was_left_in_whole_seconds(now: datetime, left: timedelta) -> None:
    assert OPENED.stopped(now) == replace(OPENED, falls_at=None, remind_at=None, left=left)
    assert TOLD.stopped(now) == replace(TOLD, falls_at=None, left=left)


def test_a_clock_that_stands_still_cannot_be_stopped_again() -> None:
    standing = OPENED.stopped(at("13:00"))
    assert standing.stopped(at("14:00")) is standing


def test_a_clock_that_goes_on_has_the_time_that_was_left() -> None:
    """Three hours were left; from 20:00 on they last until 23:00, of the eleven since noon 2:45 are a quarter."""
    going_on = OPENED.stopped(at("13:00")).started(at("20:00"), QUARTER)
    assert going_on == replace(OPENED, falls_at=at("23:00"), remind_at=at("20:15"))


def test_a_clock_that_goes_on_reminds_nobody_twice() -> None:
    assert TOLD.stopped(at("15:30")).started(at("20:00"), QUARTER) == replace(TOLD, falls_at=at("20:30"))


def test_a_clock_without_time_left_falls_as_it_goes_on() -> None:
    assert OPENED.stopped(at("17:00")).started(at("20:00"), 0.0).falls_at == at("20:00")


def test_a_clock_that_runs_cannot_be_started() -> None:
    assert OPENED.started(at("13:00"), QUARTER) is OPENED


# --- reminding and putting off ----------------------------------------------------------------------------------------
def test_who_was_told_is_told_once() -> None:
    assert OPENED.told() == TOLD
    assert TOLD.told() == TOLD


def test_an_outage_puts_off_the_deadline_and_its_reminder() -> None:
    assert OPENED.later(timedelta(minutes=90)) == replace(OPENED, falls_at=at("17:30"), remind_at=at("16:30"))
    assert TOLD.later(timedelta(minutes=90)) == replace(TOLD, falls_at=at("17:30"))


def test_an_outage_takes_nothing_from_a_clock_that_stands_still() -> None:
    standing = OPENED.stopped(at("13:00"))
    assert standing.later(timedelta(days=1)) == standing


# --- threads of open battles are kept awake: each once, a few at a time, and those at rest are not read ---------------
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
            if item is not None and item.campaign_id == campaign and isinstance(item.effect, effects.Wake):
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
