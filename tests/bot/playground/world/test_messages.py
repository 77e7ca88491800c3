"""Messages as they are kept: repeated nonces, and whom a mention pings."""

from __future__ import annotations


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
