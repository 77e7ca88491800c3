"""What is acknowledged survives; what is seen, read and mentioned is counted."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import aiohttp
import pytest

from bot.playground import PlaygroundConfig, Seat, serve
from bot.playground.seats.seat import SeatRefusedError
from bot.playground.world.store import StoreError
from tests.bot.playground.conftest import make_scene
from tests.bot.playground.rest import Rest


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
        line = (await asyncio.wait_for(process.stdout.readline(), 20)).decode()
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
    assert await asyncio.wait_for(process.wait(), 10) == 0
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


async def test_default_avatars_are_pictures(live) -> None:
    user = await live.bot.fetch_user(int(live.blake.user_id))
    assert (await user.display_avatar.read()).startswith(b"\x89PNG")


async def test_the_request_log_holds_each_exchange(tmp_path: Path) -> None:
    log = tmp_path / "requests.jsonl"
    async with await serve(PlaygroundConfig(request_log=log)) as server:
        rest = Rest(server.url)
        await rest("GET", "/users/@me")
        await rest("POST", "/users/@me/channels", {"recipient_id": "1"})
        await rest.close()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("GET", "/users/@me", 200),
        ("POST", "/users/@me/channels", 400),
    ]
    assert lines[1]["request"] == {"recipient_id": "1"}
    assert lines[1]["response"]["code"] == 50033


async def test_mentions_ping_only_whom_they_may(scene, rest) -> None:
    general = scene.guild["general_channel_id"]
    blake, cleo = scene.blake.user_id, scene.cleo.user_id
    body = {"content": f"<@{blake}> <@{cleo}> @everyone", "allowed_mentions": {"parse": [], "users": [blake]}}
    message = (await rest("POST", f"/channels/{general}/messages", body))[1]
    assert [user["id"] for user in message["mentions"]] == [blake]
    assert not message["mention_everyone"]
    seen = await scene.blake.wait_for_message(lambda m: m["id"] == message["id"])
    assert seen["mentions_me"]
    assert seen["user_names"] == {blake: "Blake", cleo: "Cleo"}
    unread = await scene.blake.wait_for_event(lambda e: e["type"] == "unread")
    assert (unread["unread"], unread["mentions"]) == (1, 1)
    unread = await scene.cleo.wait_for_event(lambda e: e["type"] == "unread")
    assert (unread["unread"], unread["mentions"]) == (1, 0)
    await scene.blake.request("POST", "read", {"channel_id": general})
    assert (await scene.blake.channels())["general"]["unread"] == 0
    assert (await scene.cleo.channels())["general"]["unread"] == 1


async def test_missed_events_are_sent_again(scene, rest) -> None:
    general = scene.guild["general_channel_id"]
    seq = (await scene.blake.state())["seq"]
    await scene.blake.close()
    await rest("POST", f"/channels/{general}/messages", {"content": "missed"})
    async with Seat(scene.server.url, scene.blake.user_id) as fresh:
        assert fresh._session is not None
        url = f"{scene.server.url}/seat-api/{scene.blake.user_id}/events?since={seq}"
        async with fresh._session.ws_connect(url) as socket:
            types = [(await socket.receive_json())["type"] for _ in range(3)]
        assert types == ["hello", "message_create", "unread"]
        async with fresh._session.ws_connect(url.replace(f"since={seq}", "since=999999")) as socket:
            types = [(await socket.receive_json())["type"] for _ in range(2)]
        assert types == ["hello", "reload"]


async def test_unknown_keys_are_all_named(scene) -> None:
    with pytest.raises(SeatRefusedError, match="unknown keys: colour, size"):
        await scene.ada.request("POST", "/users", {"name": "zoe", "size": 1, "colour": 2})
