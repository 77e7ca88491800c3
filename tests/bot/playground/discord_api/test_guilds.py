"""What the bot may hand out in a server."""

from __future__ import annotations

from bot.playground.world.permissions import Permission


async def test_the_bot_hands_out_no_more_than_it_has(scene, rest) -> None:
    guild = scene.guild["id"]
    everyone_may_ban = {"name": "x", "permissions": str(int(Permission.BAN_MEMBERS))}
    assert (await rest("POST", f"/guilds/{guild}/roles", everyone_may_ban))[1]["code"] == 50013
    deny = [{"id": guild, "type": 0, "allow": "0", "deny": str(int(Permission.BAN_MEMBERS))}]
    assert (await rest("POST", f"/guilds/{guild}/channels", {"name": "x", "permission_overwrites": deny}))[1][
        "code"
    ] == 50013
    above = await scene.setup("POST", f"/guilds/{guild}/roles", name="above")
    bot_role = scene.server.world.roles[guild][scene.guild["bot_role_id"]]
    bot_role.position, scene.server.world.roles[guild][above["id"]].position = 1, 2
    path = f"/guilds/{guild}/members/{scene.blake.user_id}/roles/{above['id']}"
    assert (await rest("PUT", path))[1]["code"] == 50013
