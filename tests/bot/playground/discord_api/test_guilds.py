"""Servers: what the bot may hand out, its roles and their order, members."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground import PlaygroundConfig, serve
from bot.playground.world.permissions import Permission
from tests.bot.playground.rest import Rest
from tests.bot.playground.scene import make_scene

NAMES = int(Permission.MANAGE_NICKNAMES | Permission.MANAGE_ROLES | Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES)


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


async def test_a_server_is_shown_with_its_counts_if_they_are_asked_for(scene, rest) -> None:
    guild = scene.guild["id"]
    assert "approximate_member_count" not in (await rest("GET", f"/guilds/{guild}"))[1]
    shown = (await rest("GET", f"/guilds/{guild}?with_counts=true"))[1]
    assert (shown["name"], shown["approximate_member_count"]) == ("Harbour", 4)
    assert (await rest("GET", "/guilds/1"))[1]["code"] == 10004


async def test_a_role_is_made_changed_given_and_deleted(scene, rest) -> None:
    guild = scene.guild["id"]
    status, role = await rest("POST", f"/guilds/{guild}/roles", {"name": "Red", "colors": {"primary_color": 0xFF0000}})
    assert (status, role["name"], role["color"], role["position"]) == (200, "Red", 0xFF0000, 1)
    path = f"/guilds/{guild}/roles/{role['id']}"
    changed = (await rest("PATCH", path, {"name": "Blue", "color": 255, "hoist": True, "mentionable": True}))[1]
    assert (changed["name"], changed["color"], changed["hoist"], changed["mentionable"]) == ("Blue", 255, True, True)
    assert (await rest("GET", path))[1] == changed
    assert changed in (await rest("GET", f"/guilds/{guild}/roles"))[1]
    given = f"/guilds/{guild}/members/{scene.blake.user_id}"
    assert (await rest("PUT", f"{given}/roles/{role['id']}"))[0] == 204
    assert (await rest("PUT", f"{given}/roles/{role['id']}"))[0] == 204, "twice is once"
    assert (await rest("GET", given))[1]["roles"] == [role["id"]]
    hidden = {
        "name": "red",
        "permission_overwrites": [
            {"id": guild, "type": 0, "deny": str(int(Permission.VIEW_CHANNEL))},
            {"id": role["id"], "type": 0, "allow": str(int(Permission.VIEW_CHANNEL))},
        ],
    }
    channel = (await rest("POST", f"/guilds/{guild}/channels", hidden))[1]
    assert "red" in await scene.blake.channels()
    assert "red" not in await scene.cleo.channels()
    assert (await rest("DELETE", path))[0] == 204
    assert "red" not in await scene.blake.channels(), "with the role goes what it allowed"
    assert (await rest("GET", given))[1]["roles"] == []
    left = scene.server.world.channels[channel["id"]].overwrites
    assert [one["id"] for one in left] == [guild]
    assert (await rest("GET", path))[1]["code"] == 10011


async def test_roles_are_put_in_order_below_the_bots_own(scene, rest) -> None:
    guild = scene.guild["id"]
    one, two = [(await rest("POST", f"/guilds/{guild}/roles", {"name": name}))[1] for name in ("one", "two")]
    assert (two["position"], scene.server.world.roles[guild][one["id"]].position) == (1, 2)
    order = [{"id": one["id"], "position": 1}, {"id": two["id"], "position": 2}]
    roles = {role["id"]: role["position"] for role in (await rest("PATCH", f"/guilds/{guild}/roles", order))[1]}
    assert (roles[one["id"]], roles[two["id"]]) == (1, 2)
    own = scene.guild["bot_role_id"]
    assert (await rest("PATCH", f"/guilds/{guild}/roles", [{"id": own, "position": 1}]))[1]["code"] == 50013
    assert (await rest("PATCH", f"/guilds/{guild}/roles", [{"id": "1", "position": 1}]))[1]["code"] == 10011


async def test_roles_that_nobody_deletes(scene, rest) -> None:
    guild = scene.guild["id"]
    assert (await rest("DELETE", f"/guilds/{guild}/roles/{guild}"))[1]["code"] == 50028
    assert (await rest("DELETE", f"/guilds/{guild}/roles/{scene.guild['bot_role_id']}"))[1]["code"] == 50013
    assert (await rest("PUT", f"/guilds/{guild}/members/{scene.blake.user_id}/roles/{guild}"))[1]["code"] == 50028


async def test_a_server_has_250_roles_at_most(scene, rest) -> None:
    guild = scene.guild["id"]
    while len(scene.server.world.roles[guild]) < 250:
        scene.server.setup.create_role(guild, {"name": "r"})
    assert (await rest("POST", f"/guilds/{guild}/roles", {"name": "one more"}))[1]["code"] == 30005


async def test_a_member_is_renamed_and_given_roles_below_the_bots_own(scene, rest) -> None:
    guild = scene.guild["id"]
    await scene.setup("POST", f"/guilds/{guild}/bot", permissions=str(NAMES))
    role = (await rest("POST", f"/guilds/{guild}/roles", {"name": "Red", "permissions": "0"}))[1]
    path = f"/guilds/{guild}/members/{scene.blake.user_id}"
    member = (await rest("PATCH", path, {"nick": "Admiral", "roles": [role["id"]]}))[1]
    assert (member["nick"], member["roles"]) == ("Admiral", [role["id"]])
    assert (await rest("PATCH", path, {"nick": "x" * 33}))[1]["code"] == 50035
    assert (await rest("PATCH", path, {"roles": ["1"]}))[1]["code"] == 10011
    assert (await rest("PATCH", path, {"nick": None, "roles": []}))[1]["nick"] is None
    owner = f"/guilds/{guild}/members/{scene.ada.user_id}"
    assert (await rest("PATCH", owner, {"nick": "x"}))[1]["code"] == 50013, "the owner is above everybody"
    await scene.setup("POST", f"/guilds/{guild}/bot", permissions=str(int(Permission.VIEW_CHANNEL)))
    for fields in ({"nick": "x"}, {"roles": []}):
        assert (await rest("PATCH", path, fields))[1]["code"] == 50013


async def test_the_bot_renames_itself(scene, rest) -> None:
    guild = scene.guild["id"]
    mine = (await rest("PATCH", f"/guilds/{guild}/members/@me", {"nick": "Referee"}))[1]
    assert mine["nick"] == "Referee"
    assert mine["user"]["id"] == scene.server.world.bot_id


async def test_a_member_is_sent_away_by_who_may_and_is_above_him(scene, rest) -> None:
    guild = scene.guild["id"]
    path = f"/guilds/{guild}/members/{scene.blake.user_id}"
    assert (await rest("DELETE", path))[1]["code"] == 50013
    await scene.setup("POST", f"/guilds/{guild}/bot", permissions=str(NAMES | int(Permission.KICK_MEMBERS)))
    assert (await rest("DELETE", f"/guilds/{guild}/members/{scene.ada.user_id}"))[1]["code"] == 50013
    assert (await rest("DELETE", path))[0] == 204
    assert (await rest("GET", path))[1]["code"] == 10007
    assert "general" not in await scene.blake.channels()


async def test_the_bot_leaves(scene, rest) -> None:
    guild = scene.guild["id"]
    assert (await rest("DELETE", f"/users/@me/guilds/{guild}"))[0] == 204
    assert (await rest("GET", f"/guilds/{guild}"))[1]["code"] == 50001
    assert all(role.bot_id is None for role in scene.server.world.roles[guild].values()), "its role goes with it"


@pytest.mark.parametrize(("query", "found"), [("limit=1000", 4), ("limit=2", 2), ("", 1)])
async def test_all_members_are_listed_for_who_has_the_intent_for_it(stack, query: str, found: int) -> None:
    server = await stack.enter_async_context(await serve(PlaygroundConfig(privileged_intents=1 << 1)))
    scene = await make_scene(server, stack)
    rest: Any = Rest(server.url)
    listed = (await rest("GET", f"/guilds/{scene.guild['id']}/members?{query}"))[1]
    ids = [int(one["user"]["id"]) for one in listed]
    assert len(ids) == found
    assert ids == sorted(ids)
    after = (await rest("GET", f"/guilds/{scene.guild['id']}/members?limit=1000&after={ids[0]}"))[1]
    assert ids[0] not in {int(one["user"]["id"]) for one in after}
    assert (await rest("GET", f"/guilds/{scene.guild['id']}/members?limit=1001"))[1]["code"] == 50035
    await rest.close()


async def test_and_for_nobody_else(scene, rest) -> None:
    assert (await rest("GET", f"/guilds/{scene.guild['id']}/members?limit=10"))[1]["code"] == 50001
