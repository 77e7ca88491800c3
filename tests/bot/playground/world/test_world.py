"""The playground's world: categories and threads, messages, permissions, and its store."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import aiohttp
import pytest

from bot.playground import PlaygroundConfig, Seat, serve
from bot.playground.seats.seat import SeatRefusedError
from bot.playground.world import permissions, store
from bot.playground.world.permissions import ALL, Overwrite, Permission
from tests.bot.playground.rest import Rest, paths
from tests.bot.playground.scene import make_scene
from tests.patience import PATIENCE


async def test_channels_a_category_holds_fifty(scene, rest) -> None:
    guild = scene.guild["id"]
    category = await scene.setup("POST", f"/guilds/{guild}/channels", name="full", kind="category")
    for i in range(50):
        await scene.setup("POST", f"/guilds/{guild}/channels", name=f"c{i}", parent_id=category["id"])
    status, body = await rest("POST", f"/guilds/{guild}/channels", {"name": "c50", "parent_id": category["id"]})
    assert (status, body["code"]) == (400, 50035)
    assert paths(body["errors"]) == {"parent_id": "CHANNEL_PARENT_MAX_CHANNELS"}


async def thread_of(scene, rest, **fields) -> dict:
    path = f"/channels/{scene.guild['general_channel_id']}/threads"
    status, thread = await rest("POST", path, {"name": "battle", "type": 12, **fields})
    assert status == 201
    return thread


async def test_a_mention_brings_a_person_in(scene, rest) -> None:
    thread = await thread_of(scene, rest)
    body = {"content": f"<@{scene.cleo.user_id}> your move"}
    await rest("POST", f"/channels/{thread['id']}/messages", body)
    event = await scene.cleo.wait_for_event(lambda e: e["type"] == "channel_create")
    assert event["channel"]["kind"] == "private_thread"
    assert (await scene.cleo.channels())["battle"]["joined"]
    assert "battle" not in await scene.blake.channels()


async def test_a_mention_that_does_not_ping_brings_nobody_in(scene, rest) -> None:
    thread = await thread_of(scene, rest)
    body = {"content": f"<@{scene.cleo.user_id}>", "allowed_mentions": {"parse": []}}
    await rest("POST", f"/channels/{thread['id']}/messages", body)
    members = (await rest("GET", f"/channels/{thread['id']}/thread-members"))[1]
    assert [member["user_id"] for member in members] == [scene.server.world.bot_id]


async def test_an_idle_thread_archives_itself_and_a_message_opens_it(scene, rest) -> None:
    thread = await thread_of(scene, rest, auto_archive_duration=60)
    await rest("POST", f"/channels/{thread['id']}/messages", {"content": "set up"})
    scene.server.clock.advance(59 * 60)
    assert not (await rest("GET", f"/channels/{thread['id']}"))[1]["thread_metadata"]["archived"]
    scene.server.clock.advance(2 * 60)
    assert (await rest("GET", f"/channels/{thread['id']}"))[1]["thread_metadata"]["archived"]
    await rest("POST", f"/channels/{thread['id']}/messages", {"content": "still there?"})
    assert not (await rest("GET", f"/channels/{thread['id']}"))[1]["thread_metadata"]["archived"]


async def test_an_archived_thread_refuses_edits_and_members(scene, rest) -> None:
    thread = await thread_of(scene, rest)
    path = f"/channels/{thread['id']}"
    message = (await rest("POST", f"{path}/messages", {"content": "x"}))[1]
    assert (await rest("PATCH", path, {"archived": True}))[0] == 200
    assert (await rest("PATCH", f"{path}/messages/{message['id']}", {"content": "y"}))[1]["code"] == 50083
    assert (await rest("PUT", f"{path}/thread-members/{scene.blake.user_id}"))[1]["code"] == 50083
    assert (await rest("PATCH", path, {"name": "z"}))[1]["code"] == 50083
    assert (await rest("PATCH", path, {"archived": True, "locked": True}))[1]["code"] == 50083
    assert (await rest("DELETE", f"{path}/thread-members/{scene.blake.user_id}"))[1]["code"] == 50083
    opened = (await rest("PATCH", path, {"archived": False, "locked": True}))[1]["thread_metadata"]
    assert (opened["archived"], opened["locked"]) == (False, True)


async def test_silence_is_counted_from_when_the_time_for_it_becomes_another(scene, rest) -> None:
    thread = await thread_of(scene, rest, auto_archive_duration=60)
    path = f"/channels/{thread['id']}"
    scene.server.clock.advance(50 * 60)
    await rest("PATCH", path, {"auto_archive_duration": 60})  # it is that already
    await rest("PATCH", path, {"locked": False, "archived": False})
    scene.server.clock.advance(11 * 60)
    assert (await rest("GET", path))[1]["thread_metadata"]["archived"]
    await rest("PATCH", path, {"archived": False})
    scene.server.clock.advance(50 * 60)
    for minutes in (1440, 60):
        await rest("PATCH", path, {"auto_archive_duration": minutes})
    scene.server.clock.advance(59 * 60)
    assert not (await rest("GET", path))[1]["thread_metadata"]["archived"]
    scene.server.clock.advance(2 * 60)
    assert (await rest("GET", path))[1]["thread_metadata"]["archived"]


async def test_private_threads_cannot_stand_in_a_category(scene, rest) -> None:
    category = await scene.setup("POST", f"/guilds/{scene.guild['id']}/channels", name="c", kind="category")
    assert (await rest("POST", f"/channels/{category['id']}/threads", {"name": "x"}))[1]["code"] == 50024
    general = scene.guild["general_channel_id"]
    assert (await rest("POST", f"/channels/{general}/threads", {"name": "x" * 101}))[1]["code"] == 50035


# --- messages as they are kept: repeated nonces, and whom a mention pings ---------------------------------------------
async def test_the_same_nonce_returns_the_same_message_for_five_minutes(scene, rest) -> None:
    path = f"/channels/{scene.guild['general_channel_id']}/messages"
    body = {"content": "once", "nonce": "n-1", "enforce_nonce": True}
    first = (await rest("POST", path, body))[1]
    again = (await rest("POST", path, body | {"content": "twice"}))[1]
    assert (again["id"], again["content"]) == (first["id"], "once")
    other = (await rest("POST", path, body | {"nonce": "n-2"}))[1]
    assert other["id"] != first["id"]
    scene.server.clock.advance(301)
    assert (await rest("POST", path, body))[1]["id"] not in (first["id"], other["id"])


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


# --- who sees and may do what: the evaluation itself, and what it means for private threads ---------------------------
VIEW, SEND, FILES = int(Permission.VIEW_CHANNEL), int(Permission.SEND_MESSAGES), int(Permission.ATTACH_FILES)
GUILD, RED, BLUE, ME = "1", "2", "3", "9"


def overwrite(entity: str, allow: int = 0, deny: int = 0) -> Overwrite:
    return Overwrite(id=entity, type=1 if entity == ME else 0, allow=allow, deny=deny)


@pytest.mark.parametrize(
    ("overwrites", "roles", "expected"),
    [
        pytest.param([], [], VIEW | SEND, id="the base alone"),
        pytest.param([overwrite(GUILD, deny=VIEW)], [RED], SEND, id="everyone is denied"),
        pytest.param(
            [overwrite(GUILD, deny=VIEW), overwrite(RED, allow=VIEW)], [RED], VIEW | SEND, id="a role brings it back"
        ),
        pytest.param(
            [overwrite(RED, allow=FILES), overwrite(BLUE, deny=FILES)],
            [RED, BLUE],
            VIEW | SEND | FILES,
            id="among roles allow wins",
        ),
        pytest.param(
            [overwrite(RED, allow=FILES), overwrite(ME, deny=FILES)],
            [RED],
            VIEW | SEND,
            id="the member's own comes last",
        ),
        pytest.param([overwrite(BLUE, deny=SEND)], [RED], VIEW | SEND, id="a role that one has not does nothing"),
    ],
)
def test_overwrites_in_their_order(overwrites: list[Overwrite], roles: list[str], expected: int) -> None:
    assert permissions.in_channel(VIEW | SEND, overwrites, guild_id=GUILD, member_id=ME, role_ids=roles) == expected


def test_owner_and_administrator_pass_everything() -> None:
    assert permissions.base(0, [], owner=True) == ALL
    assert permissions.base(VIEW, [int(Permission.ADMINISTRATOR)], owner=False) == ALL
    denied = [overwrite(ME, deny=VIEW)]
    assert permissions.in_channel(ALL, denied, guild_id=GUILD, member_id=ME, role_ids=[]) == ALL


def test_without_view_nothing_is_left_and_without_sending_no_files() -> None:
    assert permissions.implied(SEND | FILES, thread=False) == 0
    assert permissions.implied(VIEW | FILES, thread=False) == VIEW
    in_threads = int(Permission.SEND_MESSAGES_IN_THREADS)
    assert permissions.implied(VIEW | FILES | in_threads, thread=True) == VIEW | FILES | in_threads


async def test_private_threads_are_for_their_members_and_thread_managers(scene, rest) -> None:
    general = scene.guild["general_channel_id"]
    status, thread = await rest("POST", f"/channels/{general}/threads", {"name": "plot", "type": 12})
    assert status == 201
    assert "plot" not in await scene.blake.channels()
    assert "plot" in await scene.ada.channels()
    assert (await rest("PUT", f"/channels/{thread['id']}/thread-members/{scene.blake.user_id}"))[0] == 204
    assert "plot" in await scene.blake.channels()
    assert "plot" not in await scene.cleo.channels()
    await rest("PATCH", f"/channels/{thread['id']}", {"archived": True, "locked": True})
    assert (await rest("PUT", f"/channels/{thread['id']}/thread-members/{scene.cleo.user_id}"))[1]["code"] == 50083
    with pytest.raises(SeatRefusedError) as refusal:
        await scene.blake.say("hello", channel=thread["id"])
    assert refusal.value.code == "forbidden"
    with pytest.raises(SeatRefusedError) as refusal:
        await scene.blake.command("ping", channel=thread["id"])
    assert refusal.value.code == "archived"


# --- what was acknowledged is there again after a restart, and a file that cannot be used is refused ------------------
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
        assert {**await blake.state(), "seq": 0, "application": None} == {**before, "seq": 0, "application": None}
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
    with pytest.raises(store.StoreError, match="cannot open"):
        await serve(PlaygroundConfig(state=path))
    assert path.read_text().startswith("this is no database")


async def test_one_playground_a_file(tmp_path: Path) -> None:
    async with await serve(PlaygroundConfig(state=tmp_path / "s.db")):
        with pytest.raises(store.StoreError, match="locked"):
            await serve(PlaygroundConfig(state=tmp_path / "s.db"))
