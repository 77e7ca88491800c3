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


async def test_who_comes_back_is_seen_by_any_command_any_direct_message_and_any_card(game: SimulatedServer) -> None:
    seconds = iter(range(10**9, 2 * 10**9, 1_000))
    game.bot.reconciler._seconds = lambda: next(seconds)

    async def goes_and_comes() -> None:
        game.guild.remove_member(game.leo)
        game.people["leo"] = game.guild.add_member(game.leo.user)
        assert roles_of(game, game.leo) == set()

    async def settled() -> None:
        await asyncio.gather(*game.bot.reconciler._tasks)
        await game.bot.delivery.idle()
        assert "Blue Fleet" in roles_of(game, game.leo)

    await goes_and_comes()
    await game.slash(game.leo, "help")
    await settled()
    await goes_and_comes()
    await game.dm_slash(game.leo, "help")
    await settled()
    await goes_and_comes()
    game.bot.delivery.delivered("", Post(dm=game.leo.user.id, prompt="a card"))
    await settled()
    await goes_and_comes()
    await game.restart()
    await settled()


async def test_who_holds_a_role_that_is_not_theirs_loses_it_when_they_do_anything(game: SimulatedServer) -> None:
    async with game.store.read() as tx:
        places = await tx.places.all_of(game.campaign)
    for who in (game.zoe, game.ann):
        game.env.backend.guilds[game.guild.id].members[who.user.id].role_ids.append(places["role:blue"])
        assert "Blue Fleet" in roles_of(game, who)
        await game.slash(who, "help")
        await asyncio.gather(*game.bot.reconciler._tasks)
        await game.bot.delivery.idle()
        assert "Blue Fleet" not in roles_of(game, who)
    assert "Red Fleet" in roles_of(game, game.ann)


async def test_the_referee_and_spectators_come_back_too(game: SimulatedServer) -> None:
    for who, role in ((game.rita, "Referee"), (game.sam, "Spectator")):
        game.guild.remove_member(who)
        back = game.guild.add_member(who.user)
        await look(game)
        assert role in roles_of(game, back)


# --- a deaf gateway ---------------------------------------------------------------------------------------------------
async def test_deadlines_move_by_what_was_not_heard_and_a_fresh_session_is_opened(game: SimulatedServer) -> None:
    ear = Ear(game)
    await look(game)
    before = await game.falls_at()
    ear.deaf = True
    await game.later(3 * MINUTE)
    ear.asked.clear()
    await look(game)
    assert ear.asked == [game.guild.id] * 2, "asked once more before it is believed"
    assert ear.sessions == 1
    await game.later(3 * MINUTE)
    await look(game)
    assert ear.sessions == 1, "not every time"
    await game.later(watch.SESSION_EVERY.total_seconds())
    await look(game)
    assert ear.sessions == 2
    ear.deaf = False
    await look(game)
    after = await game.falls_at()
    lost = 6 * MINUTE + watch.SESSION_EVERY.total_seconds()
    assert abs((after - before).total_seconds() - lost) < 2
    await game.later(1)
    assert f"<t:{int(after.timestamp())}" in game.prompt(game.ann, "Orders for turn 1").content
    await game.later(3 * MINUTE)
    await look(game)
    assert await game.falls_at() == after, "what is heard costs nothing"


async def test_time_that_was_not_lived_through_is_not_made_up_for_twice(game: SimulatedServer) -> None:
    """A machine sleeps, and wakes without a connection: the clock of deadlines knows of the sleep."""
    ear = Ear(game)
    await look(game)
    before = await game.falls_at()
    fell_asleep = game.bot.services.runtime.lived()
    game.bot.services.runtime.lived = lambda: fell_asleep
    await game.env.advance_time(8 * HOUR)
    ear.deaf = True
    await look(game)
    await game.later(0)
    after = await game.falls_at()
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


async def test_after_a_silence_far_longer_than_usual_the_referee_may_give_the_time_back(game: SimulatedServer) -> None:
    await game.bot.watch.silence.look()
    await quiet(game, silence.SHORTEST.total_seconds() - MINUTE)
    assert "has reached me" not in await game.texts("referee")
    await quiet(game, 2 * MINUTE)
    (word,) = [one for one in (await game.channel("referee")).history() if "has reached me" in one.content]
    await quiet(game, HOUR)
    assert (await game.texts("referee")).count("has reached me") == 1, "told once"
    before = await game.falls_at()
    await game.slash(game.ann, "help")  # they are heard again, after SHORTEST and an hour and a minute
    await game.env.advance_time(HOUR)
    (button,) = [one["custom_id"] for one in pressable(word)]
    notice = (await game.channel("public")).history()[0]
    for who in (game.zoe, game.ann, game.sam):
        assert said(await game.forge(who, notice, button)).startswith("Only")
    given = said(await game.rita.click(word, label="Give time back"))
    after = await game.falls_at()
    assert given == f"The deadline falls <t:{int(after.timestamp())}:F> now."
    assert abs((after - before).total_seconds() - (silence.SHORTEST.total_seconds() + HOUR + MINUTE)) < 5
    assert "Nobody could be heard for a while" in await game.texts("public")
    assert said(await game.rita.click(word, label="Give time back")) == "This time has been given back already."
    assert await game.falls_at() == after


async def test_what_is_usual_is_learnt_kept_and_forgotten(game: SimulatedServer) -> None:
    await game.bot.watch.silence.look()
    for _ in range(2):
        await game.env.advance_time(8 * HOUR)
        await game.slash(game.ann, "help")
    await quiet(game, 15 * HOUR)
    assert "has reached me" not in await game.texts("referee"), "eight hours are usual here"
    await game.restart()
    await quiet(game, 2 * HOUR)
    assert "has reached me" in await game.texts("referee")


def test_what_was_long_ago_is_usual_no_more() -> None:
    usual = silence.Usual(NOON)
    usual.heard(NOON + timedelta(hours=100))
    assert not usual.is_too_long(usual.last + timedelta(hours=199))
    for _ in range(1_000):
        usual.heard(usual.last + timedelta(minutes=1))
    assert usual.is_too_long(usual.last + silence.SHORTEST)
    assert not usual.is_too_long(usual.last + silence.SHORTEST - timedelta(seconds=1))


async def test_where_no_sheet_is_open_nobody_is_told(game: SimulatedServer) -> None:
    await game.bot.watch.silence.look()
    await game.slash(game.rita, "referee pause")
    await quiet(game, 10 * silence.SHORTEST.total_seconds() * silence.FAR_LONGER)
    assert "has reached me" not in await game.texts("referee")


# --- no deadline falls while nobody can be heard ----------------------------------------------------------------------
async def test_no_deadline_falls_while_it_is_not_known_that_people_can_be_heard(game: SimulatedServer) -> None:
    ear = Ear(game)
    await look(game)
    falls_at = await game.falls_at()
    ear.deaf = True
    left = (falls_at - game.now()).total_seconds()
    for seconds in (left + 1, 20 * MINUTE, HOUR):
        await game.later(seconds)
        assert "closed" not in await game.journal(), "nobody can say anything"
    ear.deaf = False
    await look(game)
    after = await game.falls_at()
    await game.later(1)
    assert "closed" not in await game.journal(), "they have the time that was left when they were heard last"
    assert abs((after - game.now()).total_seconds() - left) < 5
    await game.later(left)
    assert "closed" in await game.journal()


async def test_of_two_answers_that_come_together_the_second_lets_nothing_fall_that_the_first_still_moves(
    game: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ear = Ear(game)
    await look(game)
    falls_at = await game.falls_at()
    left = (falls_at - game.now()).total_seconds()
    ear.deaf = True
    for _ in range(2):
        await game.later(left + 1)
    ear.deaf = False
    put_off, began, may_go_on = game.bot.deadlines.put_off, asyncio.Event(), asyncio.Event()

    async def slowly(guild_id: int, by: timedelta) -> None:
        if not began.is_set():
            began.set()
            await may_go_on.wait()
        await put_off(guild_id, by)

    monkeypatch.setattr(game.bot.deadlines, "put_off", slowly)
    answers = [asyncio.create_task(game.bot.watch.look()) for _ in range(2)]
    await began.wait()
    await game.later(1)
    may_go_on.set()
    await asyncio.gather(*answers)
    await game.later(1)
    assert "closed" not in await game.journal(), "they have the time that was left when they were heard last"
    await game.later(left)
    assert "closed" in await game.journal()


async def test_time_that_could_not_be_given_back_at_once_is_given_back_with_the_next_answer(
    game: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ear = Ear(game)
    await look(game)
    falls_at = await game.falls_at()
    left = (falls_at - game.now()).total_seconds()

    async def fails(guild_id: int, by: timedelta) -> None:
        raise StoreUnavailable("the database is away")

    ear.deaf = True
    with monkeypatch.context() as away:
        away.setattr(game.bot.deadlines, "put_off", fails)
        await game.later(left + 1)
    ear.deaf = False
    await look(game)
    await game.later(1)
    assert "closed" not in await game.journal(), "they have the time that was left when they were heard last"
    await game.later(left)
    assert "closed" in await game.journal()


async def test_a_deadline_that_falls_asks_once_more_when_the_last_answer_is_old(game: SimulatedServer) -> None:
    ear = Ear(game)
    falls_at = await game.falls_at()
    await game.later((falls_at - game.now()).total_seconds() + 1)
    assert ear.asked == [game.guild.id]
    assert "closed" in await game.journal(), "who answers at once is heard"


async def test_a_silence_counts_from_the_start_when_nothing_was_ever_heard(game: SimulatedServer) -> None:
    await game.restart()
    ear = Ear(game)
    ear.deaf = True
    before = await game.falls_at()
    await game.later(216)
    await look(game)
    after = await game.falls_at()
    assert abs((after - before).total_seconds() - 216) < 2


async def test_looks_are_half_a_minute_apart_when_a_deadline_is_near(game: SimulatedServer) -> None:
    bot = game.bot.watch
    assert await bot._until_the_next_look() == watch.LOOK_EVERY.total_seconds()
    falls_at = await game.falls_at()
    await game.later((falls_at - game.now()).total_seconds() - 2 * MINUTE)
    assert await bot._until_the_next_look() == watch.NEAR_EVERY.total_seconds()


async def test_a_server_that_is_away_is_given_the_time_back_when_it_returns(game: SimulatedServer) -> None:
    ear = Ear(game)
    await look(game)
    before = await game.falls_at()
    ear.away = True
    await game.later((before - game.now()).total_seconds() + HOUR)
    assert "closed" not in await game.journal()
    assert ear.sessions == 0, "a fresh session would not bring it back"
    ear.away = False
    await look(game)
    after = await game.falls_at()
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


async def test_no_deadline_falls_early_when_the_hosts_clock_is_fast(game: SimulatedServer) -> None:
    Ear(game)
    falls_at = await game.falls_at()
    clock = game.bot.host_clock
    host = clock.host()
    clock.heard(host - timedelta(seconds=40), host, host)
    await game.later((falls_at - clock.now()).total_seconds() - 20)
    assert game.now() > falls_at, "by the host's clock it is over"
    assert "closed" not in await game.journal()
    await game.later(25)
    assert "closed" in await game.journal()
