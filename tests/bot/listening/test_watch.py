"""The gateway is asked, deadlines move by what it did not hear, and who comes back gets what they had."""

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from bot.listening import silence, watch
from bot.listening.host_clock import HostClock
from bot.records.effects import Post
from bot.store.errors import StoreUnavailable
from bot.store.tables import OutboxRow
from tests.bot.seats.test_consent import members_of, to_battle
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.message_words import pressable

HOUR, MINUTE = 3600.0, 60.0
NOON = datetime(2026, 8, 1, 12, 0, tzinfo=UTC)


class Ear:
    """A gateway that hears when the test says so."""

    def __init__(self, here: SimulatedServer) -> None:
        self.deaf = self.away = False
        self.sessions = 0
        self.asked: list[int] = []
        self._real = here.bot.watch._gateway
        here.bot.watch._gateway = self

    async def members(self, guild_id: int, user_ids: list[int]) -> dict[int, frozenset[int]] | None:
        self.asked.append(guild_id)
        if self.deaf:
            raise TimeoutError
        if self.away:
            return None
        return await self._real.members(guild_id, user_ids)

    async def begin_anew(self) -> None:
        self.sessions += 1


async def look(here: SimulatedServer) -> None:
    """One look of the watch, and what follows from it."""
    await here.bot.watch.look()
    await here.bot.delivery.idle()
    await here.env.settle()  # the clock may be at what has moved


# --- who comes back ---------------------------------------------------------------------------------------------------
def roles_of(here: SimulatedServer, who: Any) -> set[str]:
    """The names of somebody's roles on the server."""
    backend = here.env.backend
    member = backend.guilds[here.guild.id].members.get(who.user.id)
    if member is None:
        return set()
    return {backend.guilds[here.guild.id].roles[role].name.split(" [")[0] for role in member.role_ids}


async def test_who_leaves_the_server_and_returns_gets_role_channels_and_battles_back(here: SimulatedServer) -> None:
    thread = await to_battle(here)
    await look(here)
    assert "Blue Fleet" in roles_of(here, here.leo)
    here.guild.remove_member(here.leo)
    here.env.backend.get_channel(thread.id).thread_members.pop(here.leo.user.id, None)
    await look(here)
    assert roles_of(here, here.leo) == set()
    here.people["leo"] = here.guild.add_member(here.leo.user)
    assert roles_of(here, here.leo) == set()
    await look(here)
    assert "Blue Fleet" in roles_of(here, here.leo)
    assert here.leo.user.id in await members_of(here, thread)
    before = await here.rows(OutboxRow.id, OutboxRow.kind == "reconcile")
    await look(here)
    assert await here.rows(OutboxRow.id, OutboxRow.kind == "reconcile") == before, "nobody lacks anything"


async def test_who_comes_back_is_seen_by_any_command_any_direct_message_and_any_card(here: SimulatedServer) -> None:
    await here.begin()
    seconds = iter(range(10**9, 2 * 10**9, 1_000))
    here.bot.reconciler._seconds = lambda: next(seconds)

    async def goes_and_comes() -> None:
        here.guild.remove_member(here.leo)
        here.people["leo"] = here.guild.add_member(here.leo.user)
        assert roles_of(here, here.leo) == set()

    async def settled() -> None:
        await asyncio.gather(*here.bot.reconciler._tasks)
        await here.bot.delivery.idle()
        assert "Blue Fleet" in roles_of(here, here.leo)

    await goes_and_comes()
    await here.slash(here.leo, "help")
    await settled()
    await goes_and_comes()
    await here.dm_slash(here.leo, "help")
    await settled()
    await goes_and_comes()
    here.bot.delivery.delivered("", Post(dm=here.leo.user.id, prompt="a card"))
    await settled()
    await goes_and_comes()
    await here.restart()
    await settled()


async def test_who_holds_a_role_that_is_not_theirs_loses_it_when_they_do_anything(here: SimulatedServer) -> None:
    campaign = await here.begin()
    async with here.store.read() as tx:
        places = await tx.places.all_of(campaign)
    for who in (here.zoe, here.ann):
        here.env.backend.guilds[here.guild.id].members[who.user.id].role_ids.append(places["role:blue"])
        assert "Blue Fleet" in roles_of(here, who)
        await here.slash(who, "help")
        await asyncio.gather(*here.bot.reconciler._tasks)
        await here.bot.delivery.idle()
        assert "Blue Fleet" not in roles_of(here, who)
    assert "Red Fleet" in roles_of(here, here.ann)


async def test_the_referee_and_spectators_come_back_too(here: SimulatedServer) -> None:
    await here.begin()
    for who, role in ((here.rita, "Referee"), (here.sam, "Spectator")):
        here.guild.remove_member(who)
        back = here.guild.add_member(who.user)
        await look(here)
        assert role in roles_of(here, back)


# --- a deaf gateway ---------------------------------------------------------------------------------------------------
async def test_deadlines_move_by_what_was_not_heard_and_a_fresh_session_is_opened(here: SimulatedServer) -> None:
    await here.begin()
    ear = Ear(here)
    await look(here)
    before = await here.falls_at()
    assert before is not None
    ear.deaf = True
    await here.later(3 * MINUTE)
    ear.asked.clear()
    await look(here)
    assert ear.asked == [here.guild.id] * 2, "asked once more before it is believed"
    assert ear.sessions == 1
    await here.later(3 * MINUTE)
    await look(here)
    assert ear.sessions == 1, "not every time"
    await here.later(watch.SESSION_EVERY.total_seconds())
    await look(here)
    assert ear.sessions == 2
    ear.deaf = False
    await look(here)
    after = await here.falls_at()
    assert after is not None
    lost = 6 * MINUTE + watch.SESSION_EVERY.total_seconds()
    assert abs((after - before).total_seconds() - lost) < 2
    await here.later(1)
    assert f"<t:{int(after.timestamp())}" in here.prompt(here.ann, "Orders for turn 1").content
    await here.later(3 * MINUTE)
    await look(here)
    assert await here.falls_at() == after, "what is heard costs nothing"


async def test_time_that_was_not_lived_through_is_not_made_up_for_twice(here: SimulatedServer) -> None:
    """A machine sleeps, and wakes without a connection: the clock of deadlines knows of the sleep."""
    await here.begin()
    ear = Ear(here)
    await look(here)
    before = await here.falls_at()
    assert before is not None
    fell_asleep = here.bot.services.runtime.lived()
    here.bot.services.runtime.lived = lambda: fell_asleep
    await here.env.advance_time(8 * HOUR)
    ear.deaf = True
    await look(here)
    await here.later(0)
    after = await here.falls_at()
    assert after is not None
    assert abs((after - before).total_seconds() - 8 * HOUR) < 2, "once, by the clock; the watch heard nothing it missed"


async def test_a_server_without_play_is_not_asked(here: SimulatedServer) -> None:
    await here.found()
    ear = Ear(here)
    await look(here)
    assert ear.asked == []


# --- silence ----------------------------------------------------------------------------------------------------------
async def quiet(here: SimulatedServer, seconds: float) -> None:
    """Time in which nobody sends anything."""
    await here.env.advance_time(seconds)
    await here.bot.watch.silence.look()
    await here.bot.delivery.idle()


async def test_after_a_silence_far_longer_than_usual_the_referee_may_give_the_time_back(here: SimulatedServer) -> None:
    await here.begin()
    await here.bot.watch.silence.look()
    await quiet(here, silence.SHORTEST.total_seconds() - MINUTE)
    assert "has reached me" not in await here.texts("referee")
    await quiet(here, 2 * MINUTE)
    (word,) = [one for one in (await here.channel("referee")).history() if "has reached me" in one.content]
    await quiet(here, HOUR)
    assert (await here.texts("referee")).count("has reached me") == 1, "told once"
    before = await here.falls_at()
    assert before is not None
    await here.slash(here.ann, "help")  # they are heard again, after SHORTEST and an hour and a minute
    await here.env.advance_time(HOUR)
    (button,) = [one["custom_id"] for one in pressable(word)]
    notice = (await here.channel("public")).history()[0]
    for who in (here.zoe, here.ann, here.sam):
        assert said(await here.forge(who, notice, button)).startswith("Only")
    given = said(await here.rita.click(word, label="Give time back"))
    after = await here.falls_at()
    assert after is not None
    assert given == f"The deadline falls <t:{int(after.timestamp())}:F> now."
    assert abs((after - before).total_seconds() - (silence.SHORTEST.total_seconds() + HOUR + MINUTE)) < 5
    assert "Nobody could be heard for a while" in await here.texts("public")
    assert said(await here.rita.click(word, label="Give time back")) == "This time has been given back already."
    assert await here.falls_at() == after


async def test_what_is_usual_is_learnt_kept_and_forgotten(here: SimulatedServer) -> None:
    await here.begin()
    await here.bot.watch.silence.look()
    for _ in range(2):
        await here.env.advance_time(8 * HOUR)
        await here.slash(here.ann, "help")
    await quiet(here, 15 * HOUR)
    assert "has reached me" not in await here.texts("referee"), "eight hours are usual here"
    await here.restart()
    await quiet(here, 2 * HOUR)
    assert "has reached me" in await here.texts("referee")


def test_what_was_long_ago_is_usual_no_more() -> None:
    usual = silence.Usual(NOON)
    usual.heard(NOON + timedelta(hours=100))
    assert not usual.is_too_long(usual.last + timedelta(hours=199))
    for _ in range(1_000):
        usual.heard(usual.last + timedelta(minutes=1))
    assert usual.is_too_long(usual.last + silence.SHORTEST)
    assert not usual.is_too_long(usual.last + silence.SHORTEST - timedelta(seconds=1))


async def test_where_no_sheet_is_open_nobody_is_told(here: SimulatedServer) -> None:
    await here.begin()
    await here.bot.watch.silence.look()
    await here.slash(here.rita, "referee pause")
    await quiet(here, 10 * silence.SHORTEST.total_seconds() * silence.FAR_LONGER)
    assert "has reached me" not in await here.texts("referee")


# --- no deadline falls while nobody can be heard ----------------------------------------------------------------------
async def test_no_deadline_falls_while_it_is_not_known_that_people_can_be_heard(here: SimulatedServer) -> None:
    await here.begin()
    ear = Ear(here)
    await look(here)
    falls_at = await here.falls_at()
    assert falls_at is not None
    ear.deaf = True
    left = (falls_at - here.now()).total_seconds()
    for seconds in (left + 1, 20 * MINUTE, HOUR):
        await here.later(seconds)
        assert "closed" not in await here.journal(), "nobody can say anything"
    ear.deaf = False
    await look(here)
    after = await here.falls_at()
    assert after is not None
    await here.later(1)
    assert "closed" not in await here.journal(), "they have the time that was left when they were heard last"
    assert abs((after - here.now()).total_seconds() - left) < 5
    await here.later(left)
    assert "closed" in await here.journal()


async def test_of_two_answers_that_come_together_the_second_lets_nothing_fall_that_the_first_still_moves(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.begin()
    ear = Ear(here)
    await look(here)
    falls_at = await here.falls_at()
    assert falls_at is not None
    left = (falls_at - here.now()).total_seconds()
    ear.deaf = True
    for _ in range(2):
        await here.later(left + 1)
    ear.deaf = False
    put_off, began, may_go_on = here.bot.deadlines.put_off, asyncio.Event(), asyncio.Event()

    async def slowly(guild_id: int, by: timedelta) -> None:
        if not began.is_set():
            began.set()
            await may_go_on.wait()
        await put_off(guild_id, by)

    monkeypatch.setattr(here.bot.deadlines, "put_off", slowly)
    answers = [asyncio.create_task(here.bot.watch.look()) for _ in range(2)]
    await began.wait()
    await here.later(1)
    may_go_on.set()
    await asyncio.gather(*answers)
    await here.later(1)
    assert "closed" not in await here.journal(), "they have the time that was left when they were heard last"
    await here.later(left)
    assert "closed" in await here.journal()


async def test_time_that_could_not_be_given_back_at_once_is_given_back_with_the_next_answer(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.begin()
    ear = Ear(here)
    await look(here)
    falls_at = await here.falls_at()
    assert falls_at is not None
    left = (falls_at - here.now()).total_seconds()

    async def fails(guild_id: int, by: timedelta) -> None:
        raise StoreUnavailable("the database is away")

    ear.deaf = True
    with monkeypatch.context() as away:
        away.setattr(here.bot.deadlines, "put_off", fails)
        await here.later(left + 1)
    ear.deaf = False
    await look(here)
    await here.later(1)
    assert "closed" not in await here.journal(), "they have the time that was left when they were heard last"
    await here.later(left)
    assert "closed" in await here.journal()


async def test_a_deadline_that_falls_asks_once_more_when_the_last_answer_is_old(here: SimulatedServer) -> None:
    await here.begin()
    ear = Ear(here)
    falls_at = await here.falls_at()
    assert falls_at is not None
    await here.later((falls_at - here.now()).total_seconds() + 1)
    assert ear.asked == [here.guild.id]
    assert "closed" in await here.journal(), "who answers at once is heard"


async def test_a_silence_counts_from_the_start_when_nothing_was_ever_heard(here: SimulatedServer) -> None:
    await here.begin()
    await here.restart()
    ear = Ear(here)
    ear.deaf = True
    before = await here.falls_at()
    assert before is not None
    await here.later(216)
    await look(here)
    after = await here.falls_at()
    assert after is not None
    assert abs((after - before).total_seconds() - 216) < 2


async def test_looks_are_half_a_minute_apart_when_a_deadline_is_near(here: SimulatedServer) -> None:
    await here.begin()
    bot = here.bot.watch
    assert await bot._until_the_next_look() == watch.LOOK_EVERY.total_seconds()
    falls_at = await here.falls_at()
    assert falls_at is not None
    await here.later((falls_at - here.now()).total_seconds() - 2 * MINUTE)
    assert await bot._until_the_next_look() == watch.NEAR_EVERY.total_seconds()


async def test_a_server_that_is_away_is_given_the_time_back_when_it_returns(here: SimulatedServer) -> None:
    await here.begin()
    ear = Ear(here)
    await look(here)
    before = await here.falls_at()
    assert before is not None
    ear.away = True
    await here.later((before - here.now()).total_seconds() + HOUR)
    assert "closed" not in await here.journal()
    assert ear.sessions == 0, "a fresh session would not bring it back"
    ear.away = False
    await look(here)
    after = await here.falls_at()
    assert after is not None
    assert after - before > timedelta(hours=1)


# --- the host's clock -------------------------------------------------------------------------------------------------
def test_a_clock_that_is_right_is_left_as_it_is_when_answers_come_a_little_later() -> None:
    clock = HostClock(lambda: NOON)
    for late in (0.0, 0.4, 1.2, 3.0):
        clock.heard(NOON, NOON + timedelta(seconds=0.5), NOON + timedelta(seconds=0.5 + late))
    assert clock.now() == NOON


@pytest.mark.parametrize("fast", [40, -40, 3_600, 3])
def test_a_clock_that_is_off_is_set_right_when_discord_says_what_time_it_is(fast: int) -> None:
    host = NOON + timedelta(seconds=fast)
    clock = HostClock(lambda: host)
    assert clock.now() == host, "until something is heard"
    clock.heard(NOON, host, host + timedelta(seconds=0.2))
    assert abs(clock.now() - NOON) <= timedelta(seconds=0.6)


def test_a_clock_that_is_set_meanwhile_is_followed_and_a_slow_answer_is_not_believed() -> None:
    host = NOON + timedelta(seconds=40)
    clock = HostClock(lambda: host)
    clock.heard(NOON, host, host + timedelta(seconds=0.2))
    clock.heard(NOON, host, host + timedelta(seconds=30))
    assert abs(clock.now() - NOON) <= timedelta(seconds=0.6)
    host = NOON + timedelta(minutes=1)
    clock.heard(NOON + timedelta(minutes=1), host, host + timedelta(seconds=0.2))
    assert clock.now() == host


async def test_the_time_is_read_from_answers_of_a_server() -> None:
    past = datetime.now(UTC) - timedelta(seconds=40)

    async def answer(_: web.Request) -> web.Response:
        return web.Response(headers={"Date": format_datetime(past, usegmt=True)})

    app = web.Application()
    app.router.add_get("/", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0]
    clock = HostClock(lambda: datetime.now(UTC))
    async with aiohttp.ClientSession(trace_configs=[clock.trace()]) as session:
        await session.get(f"http://{host}:{port}/")
    await runner.cleanup()
    assert 38 < clock.ahead.total_seconds() < 42


async def test_no_deadline_falls_early_when_the_hosts_clock_is_fast(here: SimulatedServer) -> None:
    await here.begin()
    Ear(here)
    falls_at = await here.falls_at()
    assert falls_at is not None
    clock = here.bot.host_clock
    host = clock.host()
    clock.heard(host - timedelta(seconds=40), host, host)
    await here.later((falls_at - clock.now()).total_seconds() - 20)
    assert here.now() > falls_at, "by the host's clock it is over"
    assert "closed" not in await here.journal()
    await here.later(25)
    assert "closed" in await here.journal()
