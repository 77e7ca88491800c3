"""Worlds for the delivery tests, and the death of the process."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import simcord

from bot import faults
from bot.store.database import open_store
from tests.bot.delivery.world import KillAt, Killed, World, build_client
from tests.databases import prepared_url


@pytest.fixture
async def bare(tmp_path: Path) -> AsyncIterator[World]:
    """A world whose campaign has no places yet."""
    store = await open_store(prepared_url(tmp_path))
    env = simcord.Env(build_client())
    await env.start()
    world = World(env, store)
    await world.found()
    await world.delivery.start()
    yield world
    await world.delivery.stop(grace=1)
    await env.shutdown()
    await store.close()


@pytest.fixture
async def world(bare: World) -> World:
    """A world with all its places."""
    await bare.set_up()
    assert set(await bare.statuses()) == {"done"}
    return bare


@pytest.fixture
def kill_at(monkeypatch: pytest.MonkeyPatch) -> KillAt:
    """``kill_at(point, nth)``: passing that crash point for the n-th time from now on kills; gives the points passed.

    Lanes run side by side, so that points of different names follow each other as it happens; how often each is passed
    does not vary.
    """

    def arm(name: str | None = None, nth: int = 0) -> list[str]:
        passed: list[str] = []

        def point(here: str) -> None:
            passed.append(here)
            if here == name and passed.count(name) == nth:
                raise Killed(name)

        monkeypatch.setattr(faults, "point", point)
        return passed

    return arm
