"""Calls to Discord: each once whatever crashes, as few as can be, direct messages at their pace."""

import asyncio
import contextlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import simcord
import sqlalchemy as sa

from bot import faults
from bot.delivery.calls.pace import AT_ONCE, SECONDS_EACH, DirectChannels
from bot.records.effects import Archive, BattleThread, Dismiss, Post, Provision, Rename, Revoke, Wake
from bot.records.files import FilmFile
from bot.store import database, tables
from tests.bot.delivery.frames import FRAMED, LISTED, shape, shown
from tests.bot.delivery.world import CAMPAIGN, SIDES, KillAt, Killed, World, build_client
from tests.bot.worlds.strict_threads import be_strict
from tests.databases import prepared_url
from tests.patience import PATIENCE

KEY = "P1/battle/1"
AGAIN = "P1/battle/2"
"""A battle that is void, and then fought again."""


async def campaign(world: World) -> None:
    """A bit of everything, with two posts of the same words, and two of the same frame."""
    await world.open_prompt("tok")
    await world.queue_setup()
    await world.post("public", "No contact.")
    await world.post("public", "No contact.")
    await world.put(Post(place="referee", content="A film.", files=(FilmFile(until=2),)))
    await world.post("side:alliance", "line\n" * 500, files=[{"kind": "text", "name": "a.txt", "text": "a"}])
    await world.put(
        Post(dm=world.ann.id, content="Plot.", card=FRAMED, prompt="tok", fallback="side:alliance"),
        Post(place="side:league", content="Look.", card=LISTED),
        Post(place="side:league", content="Look.", card=LISTED),
    )
    thread = {"key": KEY, "name": "Battle", "content": "Sheet.", "members": [world.ann.id, world.leo.id]}
    await world.queue(("battles", "thread", thread))
    await world.put(Post(place=f"battle:{KEY}", content="Begin."))
    lane = f"dm:{world.ann.id}"
    await world.queue((lane, "close_prompt", {"token": "tok", "content": "Closed.", "dm": world.ann.id}))
    async with world.store.write() as tx:
        for key in (KEY, AGAIN):
            await tx.battles.open(CAMPAIGN, key, 1, world.now())
        await tx.battles.close(CAMPAIGN, [KEY])
    await world.put(Archive(key=KEY, content="Over."))
    again = BattleThread(key=AGAIN, name="Raid", sides=("alliance", "league"), content="Sheet.")
    await world.put(again, Archive(key=AGAIN, content="Void."), again, Wake(key=AGAIN), Dismiss(user_id=world.leo.id))


def looks(world: World, thread_id: int) -> tuple[bool, bool, set[int]]:
    """Whether a thread is archived and locked, and who is in it beside the bot."""
    thread = world.env.backend.channels[thread_id]
    kept = thread.thread_metadata
    assert kept is not None
    return kept.archived, kept.locked, set(thread.thread_members) - {world.env.bot.user.id}


async def check(world: World, killed_at: str) -> None:
    assert set(await world.statuses()) == {"done"}, killed_at
    channels = [channel.name for channel in world.env.backend.channels.values() if channel.name]
    assert sorted(channels) == sorted(
        [f"Convoy [{CAMPAIGN}]", "bulletins", "battles", "referee", "alliance", "league"]
        + [name for name in channels if name.startswith(("Battle [", "Raid ["))]
    ), killed_at
    for called in ("Battle [", "Raid ["):
        assert len([name for name in channels if name.startswith(called)]) == 1, killed_at
    assert len([r for r in world.env.backend.guilds[world.guild.id].roles.values() if CAMPAIGN in r.name]) == 4
    assert await world.texts("public") == ["No contact.", "No contact."], killed_at
    long = world.messages_in(await world.place("side:alliance"))
    assert "\n".join(message.content for message in long).split("\n") == ["line"] * 500, killed_at
    assert [len(message.attachments) for message in long] == [0, 1], killed_at
    films = world.messages_in(await world.place("referee"))
    assert [[file["filename"] for file in one.attachments] for one in films] == [["battle.gif"]], killed_at
    assert world.texts_in(world.direct(world.ann)) == ["Closed."], killed_at
    framed = world.messages_in(await world.place("side:league"))
    assert [(shape(message), shown(message)) for message in framed] == [([17, 10, 13], ["list.txt"])] * 2, killed_at
    assert world.texts_in(await world.place(f"battle:{KEY}")) == [
        f"<@{world.ann.id}> <@{world.leo.id}>\nSheet.",
        "Begin.",
        "Over.",
    ], killed_at
    sheet = f"<@{world.ann.id}> <@{world.leo.id}>\nSheet."
    assert await world.texts(f"battle:{AGAIN}") == [sheet, "Void.", sheet], killed_at
    assert looks(world, await world.place(f"battle:{KEY}")) == (True, True, {world.ann.id}), killed_at
    assert looks(world, await world.place(f"battle:{AGAIN}")) == (False, False, {world.ann.id}), killed_at
    assert world.sees(world.ann, await world.place("side:alliance")), killed_at
    assert len(await world.prompt_messages("tok")) == 1, killed_at


async def undisturbed_life(folder: Path, kill_at: KillAt) -> list[tuple[str, int]]:
    """Every crash point passed by a life that nothing disturbs, by name and by which pass of it, in order of names."""
    store = await database.open_store(prepared_url(folder))
    env = simcord.Env(build_client())
    await env.start()
    be_strict(env.backend)
    world = World(env, store)
    await world.found()
    await campaign(world)
    passed = kill_at()
    await world.delivery.start()
    await world.deliver()
    points = [(name, nth + 1) for name, times in sorted(Counter(passed).items()) for nth in range(times)]
    await check(world, "never")
    await world.delivery.stop()
    await env.shutdown()
    await store.close()
    return points


async def one_life_and_another(folder: Path, kill_at: KillAt, name: str, nth: int) -> None:
    """Play until a crash point is passed for the n-th time, which kills; start again; check."""
    store = await database.open_store(prepared_url(folder))
    env = simcord.Env(build_client())
    await env.start()
    be_strict(env.backend)
    world = World(env, store)
    await world.found()
    await campaign(world)
    died = asyncio.Event()
    kill_at(name, nth)
    point = faults.point

    def dying(name: str) -> None:
        if died.is_set():
            raise Killed(name)  # the whole process is dead: no other lane does anything more
        try:
            point(name)
        except Killed:
            died.set()
            raise

    faults.point = dying
    with contextlib.suppress(Killed):
        await world.delivery.start()
    await asyncio.wait_for(died.wait(), PATIENCE)
    await world.delivery.stop(grace=0)
    kill_at()
    await world.restarted()
    await check(world, f"{name}, pass {nth}")
    await world.delivery.stop()
    await env.shutdown()
    await store.close()


@pytest.mark.parametrize(
    "first",
    [0, *(pytest.param(first, marks=pytest.mark.slow) for first in (1, 2, 3, 4))],
    ids="every fifth from {}".format,
)
async def test_killed_at_each_point_in_turn_everything_stands_exactly_once(tmp_path: Path, kill_at: KillAt, first: int):
    """The five together kill at each of some 220 points; the first alone at each fifth of them."""
    points = await undisturbed_life(tmp_path / "undisturbed", kill_at)
    assert len(points) > 100
    assert {"sending", "done", "place", "post"} <= {name.partition(".")[0] for name, _ in points}
    for number, (name, nth) in list(enumerate(points))[first::5]:
        await one_life_and_another(tmp_path / str(number), kill_at, name, nth)


# --- renaming ---------------------------------------------------------------------------------------------------------
# a side's role and channel take the name that the side has, whenever it changes, and with as few calls as can be.
LEAGUE = Rename(side="league")
RENAMED = (f"Lyran Star Empire [{CAMPAIGN}]", "lyran-star-empire")
AT_FIRST = (f"League [{CAMPAIGN}]", "league")


async def call(world: World, name: str = "Lyran Star Empire") -> None:
    """The league is called so from now on."""
    sides = [{"key": key, "name": name, "emblem": name[0]} for key, name in {**SIDES, "league": name}.items()]
    async with world.store.write() as tx:
        await tx.connection.execute(sa.update(tables.CampaignRow).values(sides=sides))


async def names_shown(world: World) -> tuple[str, str]:
    """How its role and channel are called."""
    roles = world.env.backend.guilds[world.guild.id].roles
    channel: Any = world.env.backend.channels[await world.place("side:league")]
    return roles[await world.place("role:league")].name, channel.name


def calls(world: World) -> list[str]:
    """The calls so far that gave something a name."""
    return [
        r.path for r in world.env.http_requests if r.method == "PATCH" and isinstance(r.json, dict) and "name" in r.json
    ]


async def test_role_and_channel_take_the_present_name_and_stay_closed(world: World) -> None:
    await call(world)
    await world.carried_out(LEAGUE)
    assert await names_shown(world) == RENAMED
    channel: Any = world.env.backend.channels[await world.place("side:league")]
    assert channel.topic == f"Lyran Star Empire only · plotroom:{CAMPAIGN}:side:league"
    assert world.sees(world.leo, channel.id)
    assert not world.sees(world.ann, channel.id)
    assert len(calls(world)) == 2


async def test_what_has_its_name_already_is_left_alone(world: World) -> None:
    """Discord lets a channel be renamed twice in ten minutes."""
    await world.carried_out(LEAGUE, LEAGUE)
    assert calls(world) == []
    await call(world)
    await world.carried_out(LEAGUE, LEAGUE, LEAGUE)
    assert len(calls(world)) == 2


async def test_names_that_came_and_went_before_they_were_delivered_cost_no_call(world: World) -> None:
    await world.delivery.stop()
    await call(world)
    await world.put(LEAGUE)
    await call(world, "League")
    await world.put(LEAGUE)
    await world.restarted()
    assert calls(world) == []
    assert await names_shown(world) == AT_FIRST


async def test_names_wait_until_there_are_places(bare: World) -> None:
    bare.env.inject_error("POST", "/guilds/*/roles", status=403, code=50013, times=2)
    await bare.put(Provision(), LEAGUE)
    await bare.settle()
    told = "".join(bare.texts_in(bare.direct(bare.referee)))
    assert "I may not do something I have to" in told
    assert "rename" not in told, "only what is to be made first is told of"
    for _ in range(2):
        await bare.delivery.nudge(bare.guild.id)
        await bare.settle()
    await bare.deliver()
    assert await names_shown(bare) == AT_FIRST
    assert calls(bare) == []


async def test_nothing_waits_for_a_name(world: World) -> None:
    """Its queue is its own: a side's secrets wait for those who lose its role, and for nothing here."""
    role = await world.place("role:league")
    world.env.inject_error("PATCH", f"/guilds/*/roles/{role}", status=403, code=50013, times=None)
    await call(world)
    await world.put(LEAGUE, Revoke(user_id=world.leo.id, role="side:league"), Post(place="side:league", content="Go."))
    await world.settle()
    assert "Go." in await world.texts("side:league")
    assert not world.sees(world.leo, await world.place("side:league"))


async def test_a_missing_permission_is_told_once_and_the_name_waits(world: World) -> None:
    channel = await world.place("side:league")
    world.env.inject_error("PATCH", f"/channels/{channel}", status=403, code=50013, times=2)
    await call(world)
    await world.put(LEAGUE)
    for _ in range(2):
        await world.settle()
        await world.delivery.nudge(world.guild.id)
    await world.deliver()
    assert await names_shown(world) == RENAMED
    told = "\n".join(await world.texts("referee"))
    assert told.count("I may not rename a side's role and channel. Grant my role **Manage Roles**") == 1
    assert "**Manage Channels**" in told


@pytest.mark.parametrize("key", ["role:league", "side:league"])
async def test_what_was_deleted_is_made_again_under_the_present_name(world: World, key: str) -> None:
    gone = await world.place(key)
    backend = world.env.backend
    if key.startswith("role"):
        backend.delete_role(world.guild.id, gone)
    else:
        backend.delete_channel(gone)
    await call(world)
    await world.carried_out(LEAGUE)
    assert await world.place(key) != gone
    assert await names_shown(world) == RENAMED


async def test_a_role_that_has_the_name_still_is_not_taken_for_another_sides(world: World) -> None:
    """Play went back and gave the name to the other side: who held it then must not see the other's channel."""
    await call(world, "Alliance")  # the other side's role is called so still
    world.env.backend.delete_role(world.guild.id, await world.place("role:league"))
    await world.carried_out(LEAGUE)
    assert await world.place("role:league") != await world.place("role:alliance")
    assert await names_shown(world) == (f"Alliance [{CAMPAIGN}]", "alliance")
    assert world.sees(world.leo, await world.place("side:league"))
    assert not world.sees(world.ann, await world.place("side:league"))
    assert not world.sees(world.leo, await world.place("side:alliance"))


@pytest.mark.parametrize("key", ["side:league", "role:@referee"])
async def test_a_place_that_was_forgotten_is_found_again_and_the_side_renamed(world: World, key: str) -> None:
    before = await world.place(key)
    await world.forget_place(key)
    await call(world)
    await world.carried_out(LEAGUE)
    assert await world.place(key) == before
    assert await names_shown(world) == RENAMED


@pytest.mark.parametrize(
    "point", [f"{name}.{when}" for name in ("rename_role", "rename_channel") for when in ("before", "after")]
)
async def test_killed_while_renaming_it_stands_once_after_the_next_start(world: World, kill_at: KillAt, point: str):
    await call(world)
    died = asyncio.Event()
    kill_at(point, 1)
    inner = faults.point

    def dying(name: str) -> None:
        try:
            inner(name)
        except Killed:
            died.set()
            raise

    faults.point = dying
    await world.put(LEAGUE)
    await asyncio.wait_for(died.wait(), PATIENCE)
    with contextlib.suppress(Killed):
        await world.delivery.stop(grace=0)
    kill_at()
    await world.restarted()
    assert await names_shown(world) == RENAMED
    assert len(calls(world)) == 2, "what was done before is not done again"
    assert set(await world.statuses()) == {"done"}


# --- direct messages are opened a few at once, then one by one, and each but once -------------------------------------
class PassingTime:
    """Time that passes only while somebody sleeps, and the channels that were opened when."""

    def __init__(self) -> None:
        self.at = 50.0
        self.opened: list[tuple[float, int]] = []

    def now(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.at += seconds

    async def open_one(self, user_id: int) -> int:
        self.opened.append((self.at, user_id))
        return 1_000 + user_id


def channels(world: PassingTime) -> DirectChannels:
    return DirectChannels(world.open_one, now=world.now, sleep=world.sleep)


async def test_many_are_spread_out_and_none_is_opened_twice() -> None:
    world = PassingTime()
    direct = channels(world)
    for user in range(AT_ONCE + 3):
        assert await direct.of(user) == 1_000 + user
    times = [at - 50.0 for at, _ in world.opened]
    assert times == [0.0] * AT_ONCE + [SECONDS_EACH, 2 * SECONDS_EACH, 3 * SECONDS_EACH]
    for user in range(AT_ONCE + 3):
        await direct.of(user)
    assert len(world.opened) == AT_ONCE + 3
    direct.forget(3)
    await direct.of(3)
    assert world.opened[-1][1] == 3


async def test_after_a_while_as_many_may_be_opened_at_once_again() -> None:
    world = PassingTime()
    direct = channels(world)
    for user in range(AT_ONCE):
        await direct.of(user)
    world.at += AT_ONCE * SECONDS_EACH
    before = world.at
    for user in range(100, 100 + AT_ONCE):
        await direct.of(user)
    assert world.at == before
