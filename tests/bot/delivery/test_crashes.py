"""The process is killed at every commit and every call in turn; afterwards everything stands exactly once."""

import asyncio
import contextlib
from collections import Counter
from pathlib import Path

import pytest
import simcord

from bot import faults
from bot.records.effects import Archive, BattleThread, Dismiss, Post, Wake
from bot.records.files import FilmFile
from bot.store.database import open_store
from tests.bot.delivery.frames import FRAMED, LISTED, shape, shown
from tests.bot.delivery.world import CAMPAIGN, KillAt, Killed, World, build_client
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
    store = await open_store(prepared_url(folder))
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
    store = await open_store(prepared_url(folder))
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
    await world.restart()
    await world.deliver()
    await check(world, f"{name}, pass {nth}")
    await world.delivery.stop()
    await env.shutdown()
    await store.close()


@pytest.mark.parametrize(
    "first",
    [0, *(pytest.param(first, marks=pytest.mark.slow) for first in (1, 2, 3, 4))],
    ids="every fifth from {}".format,
)
async def test_killed_at_each_point_in_turn_everything_stands_exactly_once(
    tmp_path: Path, kill_at: KillAt, first: int
) -> None:
    """The five together kill at each of some 220 points; the first alone at each fifth of them."""
    points = await undisturbed_life(tmp_path / "undisturbed", kill_at)
    assert len(points) > 100
    assert {"sending", "done", "place", "post"} <= {name.partition(".")[0] for name, _ in points}
    for number, (name, nth) in list(enumerate(points))[first::5]:
        await one_life_and_another(tmp_path / str(number), kill_at, name, nth)
