"""A side's role and channel take the name that the side has, whenever it changes, and with as few calls as can be."""

import asyncio
import contextlib
from typing import Any

import pytest
import sqlalchemy as sa

from bot import faults
from bot.records.effects import Post, Provision, Rename, Revoke
from bot.store.tables import CampaignRow
from tests.bot.delivery.world import CAMPAIGN, SIDES, KillAt, Killed, World
from tests.patience import PATIENCE

LEAGUE = Rename(side="league")
RENAMED = (f"Lyran Star Empire [{CAMPAIGN}]", "lyran-star-empire")
AT_FIRST = (f"League [{CAMPAIGN}]", "league")


async def call(world: World, name: str = "Lyran Star Empire") -> None:
    """The league is called so from now on."""
    names = {**SIDES, "league": name}
    sides = [{"key": key, "name": name, "emblem": name[0]} for key, name in names.items()]
    async with world.store.write() as tx:
        await tx.connection.execute(sa.update(CampaignRow).values(sides=sides))


async def shown(world: World) -> tuple[str, str]:
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
    await world.put(LEAGUE)
    await world.deliver()
    assert await shown(world) == RENAMED
    channel: Any = world.env.backend.channels[await world.place("side:league")]
    assert channel.topic == f"Lyran Star Empire only · plotroom:{CAMPAIGN}:side:league"
    assert world.sees(world.leo, channel.id)
    assert not world.sees(world.ann, channel.id)
    assert len(calls(world)) == 2


async def test_what_has_its_name_already_is_left_alone(world: World) -> None:
    """Discord lets a channel be renamed twice in ten minutes."""
    await world.put(LEAGUE, LEAGUE)
    await world.deliver()
    assert calls(world) == []
    await call(world)
    await world.put(LEAGUE, LEAGUE, LEAGUE)
    await world.deliver()
    assert len(calls(world)) == 2


async def test_names_that_came_and_went_before_they_were_delivered_cost_no_call(world: World) -> None:
    await world.delivery.stop()
    await call(world)
    await world.put(LEAGUE)
    await call(world, "League")
    await world.put(LEAGUE)
    await world.restart()
    await world.deliver()
    assert calls(world) == []
    assert await shown(world) == AT_FIRST


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
    assert await shown(bare) == AT_FIRST
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
    assert await shown(world) == RENAMED
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
    await world.put(LEAGUE)
    await world.deliver()
    assert await world.place(key) != gone
    assert await shown(world) == RENAMED


async def test_a_role_that_has_the_name_still_is_not_taken_for_another_sides(world: World) -> None:
    """Play went back and gave the name to the other side: who held it then must not see the other's channel."""
    await call(world, "Alliance")  # the other side's role is called so still
    world.env.backend.delete_role(world.guild.id, await world.place("role:league"))
    await world.put(LEAGUE)
    await world.deliver()
    assert await world.place("role:league") != await world.place("role:alliance")
    assert await shown(world) == (f"Alliance [{CAMPAIGN}]", "alliance")
    assert world.sees(world.leo, await world.place("side:league"))
    assert not world.sees(world.ann, await world.place("side:league"))
    assert not world.sees(world.leo, await world.place("side:alliance"))


@pytest.mark.parametrize("key", ["side:league", "role:@referee"])
async def test_a_place_that_was_forgotten_is_found_again_and_the_side_renamed(world: World, key: str) -> None:
    before = await world.place(key)
    await world.forget_place(key)
    await call(world)
    await world.put(LEAGUE)
    await world.deliver()
    assert await world.place(key) == before
    assert await shown(world) == RENAMED


@pytest.mark.parametrize(
    "point", [f"{name}.{when}" for name in ("rename_role", "rename_channel") for when in ("before", "after")]
)
async def test_killed_while_renaming_it_stands_once_after_the_next_start(
    world: World, kill_at: KillAt, point: str
) -> None:
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
    await world.restart()
    await world.deliver()
    assert await shown(world) == RENAMED
    assert len(calls(world)) == 2, "what was done before is not done again"
    assert set(await world.statuses()) == {"done"}
