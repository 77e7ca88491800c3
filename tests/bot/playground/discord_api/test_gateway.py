"""The gateway as the real client sees it; what every request meets, rate limits, and the record of requests."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest

from bot.delivery.gateway import ServerGateway
from bot.playground import PlaygroundConfig, serve
from bot.playground.world.permissions import Permission
from tests.bot.playground.rest import Rest
from tests.bot.playground.scene import TestBot, running
from tests.expected.kept import cases
from tests.patience import PATIENCE


async def test_a_wrong_token_is_refused_on_rest_and_gateway(scene) -> None:
    with pytest.raises(discord.LoginFailure):
        async with running(TestBot(), token="wrong"):
            pass
    async with aiohttp.ClientSession() as session, session.ws_connect(scene.server.gateway_url) as socket:
        assert (await socket.receive_json())["op"] == 10
        await socket.send_json({"op": 2, "d": {"token": "wrong", "intents": 1, "properties": {}}})
        await socket.receive()
        assert socket.close_code == 4004


async def test_privileged_intents_are_refused(scene) -> None:
    client = discord.Client(intents=discord.Intents.all())
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with running(client):
            pass


async def test_after_a_dropped_socket_the_client_resumes_and_misses_nothing(live) -> None:
    (session,) = live.server.gateway.sessions.values()
    before = session.id
    await live.ada.request("POST", "/test/drop_gateway", {"resumable": True})
    # While the bot is away, somebody acts: the event waits in the buffer.
    assert (await live.blake.command("ping"))["message"]["content"] == "pong"
    await asyncio.wait_for(live.bot.resumed.wait(), PATIENCE)
    assert list(live.server.gateway.sessions) == [before]


async def test_a_forgotten_session_is_identified_again(live) -> None:
    (before,) = live.server.gateway.sessions
    live.bot.ready.clear()
    await live.ada.request("POST", "/test/drop_gateway", {"resumable": False})
    await asyncio.wait_for(live.bot.ready.wait(), PATIENCE)
    (after,) = live.server.gateway.sessions
    assert after != before
    assert (await live.blake.command("ping"))["message"]["content"] == "pong"


async def test_a_deaf_session_is_told_nothing_until_a_fresh_one_is_begun(live) -> None:
    """Connected, heartbeats answered, no events: what the bot does then, with discord.py as it is."""
    gateway, guild = ServerGateway(live.bot), int(live.guild["id"])
    ada = int(live.ada.user_id)
    assert set(await gateway.members(guild, [ada, 1]) or ()) == {ada}
    assert await gateway.members(1, [ada]) is None
    (before,) = live.server.gateway.sessions
    await live.ada.request("POST", "/test/deafen_gateway", {})
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await gateway.members(guild, [ada])
    live.bot.ready.clear()
    await gateway.begin_anew()
    await asyncio.wait_for(live.bot.ready.wait(), PATIENCE)
    sessions = live.server.gateway.sessions
    assert before not in [key for key, session in sessions.items() if session.connection is not None]
    assert set(await gateway.members(guild, [ada]) or ()) == {ada}
    assert (await live.blake.command("ping"))["message"]["content"] == "pong"


async def test_opcode_7_makes_the_client_reconnect(live) -> None:
    await live.ada.request("POST", "/test/reconnect_gateway", {})
    await asyncio.wait_for(live.bot.resumed.wait(), PATIENCE)


async def test_resuming_with_an_unknown_session_is_invalid(scene) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(scene.server.gateway_url) as socket:
        await socket.receive_json()
        await socket.send_json({"op": 6, "d": {"token": "playground-token", "session_id": "x", "seq": 3}})
        frame = await socket.receive_json()
        assert (frame["op"], frame["d"]) == (9, False)
        await socket.send_json({"op": 1, "d": None})
        assert (await socket.receive_json())["op"] == 11


async def test_a_429_and_a_500_on_demand_are_ridden_out(live) -> None:
    channel = live.bot.get_channel(int(live.guild["general_channel_id"]))
    route = "POST /channels/{channel}/messages"
    await live.ada.request("POST", "/test/rate_limit", {"count": 2, "retry_after": 0.02, "route": route})
    await channel.send("at last")
    statuses = [
        e.status for e in live.server.recorder.exchanges if e.method == "POST" and e.route.endswith("/messages")
    ]
    assert statuses == [429, 429, 200]
    await live.ada.request("POST", "/test/error", {"count": 1, "status": 503, "route": route})
    with pytest.raises(discord.DiscordServerError):
        await channel.send("lost")


async def test_a_connection_cut_after_the_request_was_carried_out(live) -> None:
    channel = live.bot.get_channel(int(live.guild["general_channel_id"]))
    await live.ada.request("POST", "/test/cut", {"when": "after", "route": "POST /channels/{c}/messages"})
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await channel.send("done, but the answer is lost")
    assert [m["content"] for m in await live.blake.messages()] == ["done, but the answer is lost"]
    await live.ada.request("POST", "/test/cut", {"when": "before", "route": "POST /channels/{c}/messages"})
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await channel.send("never arrived")
    assert len(await live.blake.messages()) == 1


async def test_an_interaction_delivered_twice_is_answered_once(live) -> None:
    await live.ada.request("POST", "/test/duplicate_interaction", {"count": 1})
    await live.blake.command("ping")
    callbacks = []
    while len(callbacks) < 2:
        callbacks = [e for e in live.server.recorder.exchanges if e.route.endswith("/callback")]
        await asyncio.sleep(0)
    assert sorted(e.status for e in callbacks) == [200, 400]
    assert next(e for e in callbacks if e.status == 400).response["code"] == 40060


async def test_shards_hear_of_their_own_guilds_only(scene) -> None:
    guild_id = int(scene.guild["id"])
    own = (guild_id >> 22) % 2
    for shard, expected in ((own, [str(guild_id)]), (1 - own, [])):
        async with aiohttp.ClientSession() as session, session.ws_connect(scene.server.gateway_url) as socket:
            await socket.receive_json()
            await socket.send_json({"op": 2, "d": {"token": "playground-token", "intents": 1, "shard": [shard, 2]}})
            ready = await socket.receive_json()
            assert [guild["id"] for guild in ready["d"]["guilds"]] == expected
            assert ready["d"]["shard"] == [shard, 2]


async def test_members_are_sent_on_request(live) -> None:
    found = await live.bot.get_guild(int(live.guild["id"])).query_members(user_ids=[int(live.blake.user_id)])
    assert [member.name for member in found] == ["blake"]


async def test_the_bot_is_kicked_and_invited_again(live) -> None:
    guild_id = int(live.guild["id"])
    removed = asyncio.ensure_future(live.bot.wait_for("guild_remove", timeout=PATIENCE))
    joined = asyncio.ensure_future(live.bot.wait_for("guild_join", timeout=PATIENCE))
    await asyncio.sleep(0)
    await live.setup("DELETE", f"/guilds/{guild_id}/members/{live.bot.user.id}")
    assert (await removed).id == guild_id
    assert (await live.blake.state())["guilds"][0]["commands"] == []
    await live.setup("POST", f"/guilds/{guild_id}/bot")
    assert (await joined).id == guild_id
    assert (await live.blake.command("ping"))["message"]["content"] == "pong"


async def test_changes_reach_the_clients_cache(live) -> None:
    guild = live.bot.get_guild(int(live.guild["id"]))
    path = f"/guilds/{live.guild['id']}"
    waiting = {
        name: asyncio.ensure_future(live.bot.wait_for(name, timeout=PATIENCE))
        for name in ("guild_role_create", "guild_channel_create", "guild_channel_update", "guild_channel_delete")
    }
    await asyncio.sleep(0)
    role = await live.setup("POST", f"{path}/roles", name="Blue", color=255)
    assert (await waiting["guild_role_create"]).id == int(role["id"])
    channel = await live.setup("POST", f"{path}/channels", name="Blue Plots")
    assert (await waiting["guild_channel_create"]).name == "blue-plots"
    assert guild.get_channel(int(channel["id"])).permissions_for(guild.me).send_messages
    await live.setup("PATCH", f"{path}/channels/{channel['id']}", topic="secret")
    assert (await waiting["guild_channel_update"])[1].topic == "secret"
    await live.setup("DELETE", f"{path}/channels/{channel['id']}")
    assert (await waiting["guild_channel_delete"]).id == int(channel["id"])


async def test_the_client_agrees_about_permissions(live) -> None:
    """discord.py computes permissions from what it was sent; the playground must come to the same."""
    guild = live.bot.get_guild(int(live.guild["id"]))
    updated = asyncio.ensure_future(live.bot.wait_for("guild_channel_update", timeout=PATIENCE))
    await asyncio.sleep(0)
    path = f"/guilds/{live.guild['id']}/channels/{live.guild['general_channel_id']}"
    deny = {"id": live.guild["id"], "type": 0, "allow": "0", "deny": str((1 << 11) | (1 << 15))}
    allow = {"id": live.guild["bot_role_id"], "type": 0, "allow": str(1 << 11), "deny": "0"}
    await live.setup("PATCH", path, overwrites=[deny, allow])
    channel = (await updated)[1]
    world = live.server.world
    for user_id in (world.bot_id, live.ada.user_id, live.blake.user_id):
        theirs = channel.permissions_for(await guild.fetch_member(int(user_id))).value
        # discord.py leaves the voice permissions out in text channels, where they mean nothing
        named = sum(bit.value for bit in Permission) & ~(Permission.CONNECT | Permission.SPEAK)
        assert world.permissions(user_id, world.channels[str(channel.id)]) & named == theirs & named


@cases("frames, code", made="frames")
async def test_a_frame_that_discord_would_not_take_ends_the_connection(scene, frames: list[Any], code: int) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(scene.server.gateway_url) as socket:
        assert (await socket.receive_json())["op"] == 10
        for frame in frames:
            await socket.send_str(frame if isinstance(frame, str) else json.dumps(frame))
        async for _ in socket:
            pass
        assert socket.close_code == code


async def test_a_heartbeat_is_answered_and_presence_taken(scene) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(scene.server.gateway_url) as socket:
        await socket.receive_json()
        await socket.send_json({"op": 2, "d": {"token": "playground-token", "intents": 1}})
        assert [(await socket.receive_json())["t"] for _ in range(2)] == ["READY", "GUILD_CREATE"]
        await socket.send_json({"op": 3, "d": {"status": "idle"}})
        await socket.send_json({"op": 1, "d": 2})
        assert (await socket.receive_json())["op"] == 11


async def test_members_are_found_by_name_and_the_whole_list_needs_its_intent(scene) -> None:
    guild = scene.guild["id"]

    async def asked(**data: Any) -> dict[str, Any] | None:
        """The answer to a request for members, if there is one before two heartbeats are answered."""
        await socket.send_json({"op": 8, "d": {"guild_id": guild, **data}})
        answers: list[dict[str, Any]] = []
        for _ in range(2):
            await socket.send_json({"op": 1, "d": None})
            while (answer := await socket.receive_json())["op"] != 11:
                answers.append(answer)
        return answers[0]["d"] if answers else None

    async with aiohttp.ClientSession() as session, session.ws_connect(scene.server.gateway_url) as socket:
        await socket.receive_json()
        await socket.send_json({"op": 2, "d": {"token": "playground-token", "intents": 1}})
        for _ in range(2):
            await socket.receive_json()
        assert await asked(query="", limit=0) is None
        assert await asked(guild_id="1", query="b") is None
        found = await asked(query="bl", limit=5, nonce="n")
        assert found is not None
        assert ([one["user"]["username"] for one in found["members"]], found["nonce"]) == (["blake"], "n")
        found = await asked(user_ids=[scene.cleo.user_id, "1"])
        assert found is not None
        assert ([one["user"]["username"] for one in found["members"]], found["not_found"]) == (["cleo"], ["1"])


async def test_a_session_that_lost_too_much_must_begin_again(live) -> None:
    (session,) = live.server.gateway.sessions.values()
    frame = {"token": "playground-token", "session_id": session.id}
    async with aiohttp.ClientSession() as client, client.ws_connect(live.server.gateway_url) as socket:
        await socket.receive_json()
        await socket.send_json({"op": 6, "d": {**frame, "seq": session.seq + 5}})
        assert await socket.receive_json() == {"op": 9, "d": False, "s": None, "t": None}
        session.buffer.popleft()
        await socket.send_json({"op": 6, "d": {**frame, "seq": 0}})
        assert (await socket.receive_json())["op"] == 9
        assert session.id not in live.server.gateway.sessions


async def test_of_peoples_messages_a_bot_without_the_intent_gets_no_words(scene) -> None:
    """But of those that mention it, and its own. Members come with what is said in a server."""
    bot = scene.server.world.bot_id
    async with aiohttp.ClientSession() as session, session.ws_connect(scene.server.gateway_url) as socket:
        await socket.receive_json()
        await socket.send_json({"op": 2, "d": {"token": "playground-token", "intents": 1 | 1 << 9}})
        for _ in range(2):
            await socket.receive_json()
        await scene.blake.say("attack at dawn")
        await scene.blake.say(f"<@{bot}> and <@{scene.cleo.user_id}>: now")
        plain, mentioning = [(await socket.receive_json())["d"] for _ in range(2)]
    assert (plain["content"], plain["guild_id"]) == ("", scene.guild["id"])
    assert plain["member"]["nick"] is None
    assert "user" not in plain["member"]
    assert mentioning["content"].endswith("now")
    assert {one["id"]: "member" in one for one in mentioning["mentions"]} == {bot: True, scene.cleo.user_id: True}


# --- what every request to the REST API meets: the token, and Discord's codes for what is unknown or not allowed ------
VIEW = int(Permission.VIEW_CHANNEL)


async def test_the_bot_meets_discords_codes(scene, rest) -> None:
    hidden = await scene.hidden_channel(scene.blake.user_id)
    general = scene.guild["general_channel_id"]
    assert (await rest("GET", "/channels/1"))[1]["code"] == 10003
    status, body = await rest("GET", f"/channels/{hidden}")
    assert (status, body["code"]) == (403, 50001)
    assert (await rest("POST", f"/channels/{hidden}/messages", {"content": "x"}))[1]["code"] == 50001
    assert (await rest("GET", f"/channels/{general}/messages/1"))[1]["code"] == 10008
    assert (await rest("GET", f"/guilds/{scene.guild['id']}/members/1"))[1]["code"] == 10013
    assert (await rest("PUT", f"/guilds/{scene.guild['id']}/members/{scene.blake.user_id}/roles/1"))[1]["code"] == 10011
    await scene.setup("POST", f"/guilds/{scene.guild['id']}/bot", permissions=str(VIEW))
    for method, path in (
        ("POST", f"/guilds/{scene.guild['id']}/channels"),
        ("POST", f"/guilds/{scene.guild['id']}/roles"),
        ("PATCH", f"/channels/{general}"),
        ("DELETE", f"/channels/{general}"),
    ):
        status, body = await rest(method, path, {"name": "x"} if method != "DELETE" else None)
        assert (status, body["code"]) == (403, 50013), (method, path)


async def test_a_wrong_token_is_401(scene) -> None:
    wrong = Rest(scene.server.url, "wrong")
    assert await wrong("GET", "/users/@me") == (401, {"message": "401: Unauthorized", "code": 0})
    await wrong.close()


# --- Discord's rate limits: by route, and overall ---------------------------------------------------------------------
async def test_a_bucket_runs_out_and_fills_again(scene, rest) -> None:
    path = f"/channels/{scene.guild['general_channel_id']}/messages"
    limit, window = scene.server.config.route_limits["POST /channels/{channel_id}/messages"]
    for left in range(limit - 1, -1, -1):
        assert (await rest("POST", path, {"content": "x"}))[0] == 200
        assert rest.headers["X-RateLimit-Remaining"] == str(left)
    status, body = await rest("POST", path, {"content": "x"})
    assert status == 429
    assert 0 < body["retry_after"] <= window
    assert not body["global"]
    assert rest.headers["Via"]
    assert rest.headers["Content-Type"] == "application/json"
    scene.server.clock.advance(window)
    assert (await rest("POST", path, {"content": "x"}))[0] == 200


async def test_fifty_requests_a_second_in_all(scene, rest) -> None:
    scene.server.clock.monotonic = lambda: 1000.0
    answers = [await rest("GET", f"/users/{scene.blake.user_id}") for _ in range(40)]
    answers += [await rest("GET", "/users/@me") for _ in range(11)]
    assert [status for status, _ in answers] == [200] * 50 + [429]
    assert answers[-1][1]["global"]


# --- the record of the bot's requests ---------------------------------------------------------------------------------
async def test_the_request_log_holds_each_exchange(tmp_path: Path) -> None:
    log = tmp_path / "requests.jsonl"
    async with await serve(PlaygroundConfig(request_log=log)) as server:
        rest = Rest(server.url)
        await rest("GET", "/users/@me")
        await rest("POST", "/users/@me/channels", {"recipient_id": "1"})
        await rest.close()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    found = [(line["method"], line["route"], line["status"]) for line in lines]
    assert found == [("GET", "/users/@me", 200), ("POST", "/users/@me/channels", 400)]
    assert lines[1]["request"] == {"recipient_id": "1"}
    assert lines[1]["response"]["code"] == 50033
