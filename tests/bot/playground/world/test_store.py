"""What was acknowledged is there again after a restart, and a file that cannot be used is refused."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import aiohttp
import pytest

from bot.playground import PlaygroundConfig, Seat, serve
from bot.playground.world.store import StoreError
from tests.bot.playground.rest import Rest
from tests.bot.playground.scene import make_scene
from tests.patience import PATIENCE


async def test_everything_is_there_again_after_a_restart(reopen, stack) -> None:
    server = await reopen()
    scene = await make_scene(server, stack)
    rest = Rest(server.url)
    general = scene.guild["general_channel_id"]
    await rest("PUT", f"/applications/{server.world.application_id}/commands", [{"name": "go", "description": "Goes"}])
    body = {"content": "kept", "nonce": "n1", "enforce_nonce": True}
    message = (await rest("POST", f"/channels/{general}/messages", body, files={"a.txt": b"abc"}))[1]
    await rest("PUT", f"/channels/{general}/messages/pins/{message['id']}")
    await scene.blake.set_dms(are_open=False)
    server.clock.advance(60)
    before = await scene.blake.state()
    await stack.aclose()
    await rest.close()
    await server.stop()

    server = await reopen()
    rest = Rest(server.url)
    async with Seat(server.url, scene.blake.user_id, channel=general) as blake:
        after = await blake.state()
        assert {**after, "seq": 0, "application": None} == {**before, "seq": 0, "application": None}
        kept = await blake.messages()
        assert [m["content"] for m in kept] == ["kept", ""]
        assert server.world.blobs
        status, again = await rest("POST", f"/channels/{general}/messages", body)
        assert (status, again["id"]) == (200, message["id"])
        newer = (await rest("POST", f"/channels/{general}/messages", {"content": "newer"}))[1]
        assert int(newer["id"]) > max(int(m["id"]) for m in kept)
    await rest.close()
    await server.stop()


async def test_a_killed_server_has_lost_nothing_acknowledged(tmp_path: Path, stack) -> None:
    async def start() -> tuple[asyncio.subprocess.Process, str]:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot.playground", "--port", "0", "--state", str(tmp_path / "s.db"), "--seed-demo",
            stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        stack.callback(lambda: process.returncode is None and process.kill())
        assert process.stdout is not None
        line = (await asyncio.wait_for(process.stdout.readline(), PATIENCE)).decode()
        return process, line.removeprefix("playground: ").strip()

    process, url = await start()
    rest = Rest(url)
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{url}/seat-api/seats") as answer:
            user = (await answer.json())[0]["id"]
        async with session.get(f"{url}/seat-api/{user}/state") as answer:
            channel = (await answer.json())["guilds"][0]["channels"][0]["id"]
    sent = [(await rest("POST", f"/channels/{channel}/messages", {"content": str(i)}))[1]["id"] for i in range(20)]
    os.kill(process.pid, signal.SIGKILL)
    await process.wait()
    await rest.close()

    process, url = await start()
    rest = Rest(url)
    found = (await rest("GET", f"/channels/{channel}/messages?limit=100"))[1]
    assert [message["id"] for message in reversed(found)] == sent
    process.terminate()
    assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
    await rest.close()


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    path.write_text("this is no database, and long enough to be recognised as none" * 20)
    with pytest.raises(StoreError, match="cannot open"):
        await serve(PlaygroundConfig(state=path))
    assert path.read_text().startswith("this is no database")


async def test_one_playground_a_file(tmp_path: Path) -> None:
    async with await serve(PlaygroundConfig(state=tmp_path / "s.db")):
        with pytest.raises(StoreError, match="locked"):
            await serve(PlaygroundConfig(state=tmp_path / "s.db"))
