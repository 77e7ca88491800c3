"""Categories and threads: how many channels, who joins, when a thread archives itself, what an archived one refuses."""

from __future__ import annotations

from tests.bot.playground.rest import paths


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
