"""What every request to the REST API meets: the token, and Discord's codes for what is unknown or not allowed."""

from __future__ import annotations

from bot.playground.world.permissions import Permission
from tests.bot.playground.rest import Rest

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
