"""Servers and channels: roles, members, overwrites and threads; what the bot may do there."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground import PlaygroundConfig, serve
from bot.playground.world.permissions import Permission
from tests.bot.playground.rest import Rest
from tests.bot.playground.scene import make_scene
from tests.expected.kept import cases

VIEW, SEND = int(Permission.VIEW_CHANNEL), int(Permission.SEND_MESSAGES)
MANAGE = int(Permission.MANAGE_CHANNELS | Permission.MANAGE_ROLES | Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES)


async def made(rest: Any, guild: str, **fields: Any) -> dict[str, Any]:
    status, channel = await rest("POST", f"/guilds/{guild}/channels", fields)
    assert status == 201, channel
    return channel


async def test_a_channel_is_made_changed_and_deleted(scene, rest) -> None:
    guild = scene.guild["id"]
    category = await made(rest, guild, name="War Room", type=4)
    channel = await made(rest, guild, name="Red Fleet", topic="orders", parent_id=category["id"])
    assert (category["name"], channel["name"], channel["parent_id"]) == ("War Room", "red-fleet", category["id"])
    status, changed = await rest(
        "PATCH", f"/channels/{channel['id']}", {"name": "Blue Fleet", "topic": None, "rate_limit_per_user": 5}
    )
    assert status == 200
    assert (changed["name"], changed["topic"], changed["rate_limit_per_user"]) == ("blue-fleet", None, 5)
    assert changed["parent_id"] == category["id"], "what is not named stays"
    event = await scene.blake.wait_for_event(lambda e: e["type"] == "channel_update")
    assert event["channel"]["name"] == "blue-fleet"
    assert (await rest("DELETE", f"/channels/{category['id']}"))[0] == 200
    assert (await rest("GET", f"/channels/{channel['id']}"))[1]["parent_id"] is None
    assert (await rest("DELETE", f"/channels/{channel['id']}"))[1]["id"] == channel["id"]
    assert (await rest("GET", f"/channels/{channel['id']}"))[1]["code"] == 10003
    assert "blue-fleet" not in await scene.blake.channels()


@cases("fields, path, code", made="fields")
async def test_a_change_with_a_defect_changes_nothing(scene, rest, fields: dict[str, Any], path: str, code: str):
    channel = await made(rest, scene.guild["id"], name="fleet", topic="orders")
    if fields.get("parent_id") == "general":
        fields = {"parent_id": scene.guild["general_channel_id"]}
    status, body = await rest("PATCH", f"/channels/{channel['id']}", {"topic": "changed", **fields})
    assert (status, body["code"]) == (400, 50035)
    assert body["errors"][path]["_errors"][0]["code"] == code
    assert (await rest("GET", f"/channels/{channel['id']}"))[1]["topic"] == "orders"


async def test_each_kind_of_channel_has_what_belongs_to_it(scene, rest) -> None:
    guild = scene.guild["id"]
    voice = await made(rest, guild, name="Bridge Talk", type=2)
    assert (voice["name"], voice["bitrate"], voice["user_limit"]) == ("Bridge Talk", 64000, 0)
    category = await made(rest, guild, name="War Room", type=4)
    assert not {"topic", "bitrate", "last_message_id"} & set(category)
    text = await made(rest, guild, name="fleet", default_auto_archive_duration=60)
    assert (text["topic"], text["default_auto_archive_duration"]) == (None, 60)
    thread = (await rest("POST", f"/channels/{text['id']}/threads", {"name": "t", "type": 12, "invitable": False}))[1]
    assert (thread["thread_metadata"]["auto_archive_duration"], thread["thread_metadata"]["invitable"]) == (60, False)
    assert (thread["member"]["user_id"], thread["member_count"]) == (scene.server.world.bot_id, 1)


async def test_a_channel_of_no_kind_that_there_is_cannot_be_made(scene, rest) -> None:
    status, body = await rest("POST", f"/guilds/{scene.guild['id']}/channels", {"name": "x", "type": 99})
    assert (status, body["errors"]["type"]["_errors"][0]["code"]) == (400, "BASE_TYPE_CHOICES")


async def test_channels_are_put_in_order_together(scene, rest) -> None:
    guild = scene.guild["id"]
    one, two = await made(rest, guild, name="one"), await made(rest, guild, name="two")
    order = [{"id": one["id"], "position": 9}, {"id": two["id"], "position": 8}]
    assert (await rest("PATCH", f"/guilds/{guild}/channels", order))[0] == 204
    positions = {c["id"]: c["position"] for c in (await rest("GET", f"/guilds/{guild}/channels"))[1]}
    assert (positions[one["id"]], positions[two["id"]]) == (9, 8)
    assert (await rest("PATCH", f"/guilds/{guild}/channels", [{"id": "1", "position": 1}]))[1]["code"] == 10003


# --- overwrites ----------------------------------------------------------------------------------------------------
async def test_an_overwrite_shuts_people_out_and_its_end_lets_them_in(scene, rest) -> None:
    channel = await made(rest, scene.guild["id"], name="secret")
    path = f"/channels/{channel['id']}/permissions/{scene.blake.user_id}"
    assert (await rest("PUT", path, {"type": 1, "allow": "0", "deny": str(VIEW)}))[0] == 204
    assert "secret" not in await scene.blake.channels()
    assert "secret" in await scene.cleo.channels()
    kept = (await rest("GET", f"/channels/{channel['id']}"))[1]["permission_overwrites"]
    assert kept == [{"id": scene.blake.user_id, "type": 1, "allow": "0", "deny": str(VIEW)}]
    assert (await rest("PUT", path, {"type": 1, "allow": str(VIEW), "deny": "0"}))[0] == 204
    assert len((await rest("GET", f"/channels/{channel['id']}"))[1]["permission_overwrites"]) == 1, (
        "replaced, not added"
    )
    assert (await rest("DELETE", path))[0] == 204
    assert "secret" in await scene.blake.channels()
    assert (await rest("DELETE", path))[1]["code"] == 10009


async def test_an_overwrite_is_of_a_role_or_a_member_that_there_is(scene, rest) -> None:
    channel = await made(rest, scene.guild["id"], name="secret")
    for target, kind in (("1", 0), ("1", 1), (scene.blake.user_id, 0)):
        path = f"/channels/{channel['id']}/permissions/{target}"
        assert (await rest("PUT", path, {"type": kind, "deny": str(VIEW)}))[1]["code"] == 10009


async def test_the_bot_changes_in_overwrites_only_what_it_may_do_itself(scene, rest) -> None:
    guild = scene.guild["id"]
    channel = await made(rest, guild, name="secret")
    kick = str(int(Permission.KICK_MEMBERS))
    await scene.setup("POST", f"/guilds/{guild}/bot", permissions=str(MANAGE))
    path = f"/channels/{channel['id']}/permissions/{scene.blake.user_id}"
    assert (await rest("PUT", path, {"type": 1, "allow": kick, "deny": "0"}))[1]["code"] == 50013
    roles = str(int(Permission.MANAGE_ROLES))
    assert (await rest("PUT", path, {"type": 1, "allow": roles, "deny": "0"}))[1]["code"] == 50013
    assert (await rest("PUT", path, {"type": 1, "allow": str(SEND), "deny": "0"}))[0] == 204
    whole = {"permission_overwrites": [{"id": scene.blake.user_id, "type": 1, "allow": kick, "deny": "0"}]}
    assert (await rest("PATCH", f"/channels/{channel['id']}", whole))[1]["code"] == 50013
    without = MANAGE & ~int(Permission.MANAGE_ROLES)
    await scene.setup("POST", f"/guilds/{guild}/bot", permissions=str(without))
    assert (await rest("PATCH", f"/channels/{channel['id']}", {"permission_overwrites": []}))[1]["code"] == 50013
    assert (await rest("PATCH", f"/channels/{channel['id']}", {"topic": "x"}))[0] == 200


async def test_direct_messages_are_no_channel_to_be_changed(scene, rest) -> None:
    channel = (await rest("POST", "/users/@me/channels", {"recipient_id": scene.blake.user_id}))[1]["id"]
    assert (await rest("PATCH", f"/channels/{channel}", {"name": "x"}))[1]["code"] == 50003
    assert (await rest("DELETE", f"/channels/{channel}"))[0] == 200
    assert (await rest("GET", f"/channels/{channel}"))[0] == 200, "closed for the bot's list alone"


# --- threads -------------------------------------------------------------------------------------------------------
async def opened(scene, rest, **fields: Any) -> dict[str, Any]:
    path = f"/channels/{scene.guild['general_channel_id']}/threads"
    status, thread = await rest("POST", path, {"name": "battle", **fields})
    assert status == 201, thread
    return thread


async def test_a_public_thread_is_announced_and_a_private_one_is_not(scene, rest) -> None:
    general = scene.guild["general_channel_id"]
    await opened(scene, rest, type=12, name="private")
    thread = await opened(scene, rest, type=11, name="public")
    said = (await rest("GET", f"/channels/{general}/messages"))[1]
    assert [(one["type"], one["content"]) for one in said] == [(18, "public")]
    assert said[0]["message_reference"]["channel_id"] == thread["id"]
    assert (await rest("POST", f"/channels/{general}/threads", {"name": "x", "type": 10}))[1]["code"] == 50035


async def test_a_message_has_one_thread_which_has_its_id(scene, rest) -> None:
    general = scene.guild["general_channel_id"]
    message = (await rest("POST", f"/channels/{general}/messages", {"content": "Battle!"}))[1]
    path = f"/channels/{general}/messages/{message['id']}/threads"
    status, thread = await rest("POST", path, {"name": "battle"})
    assert (status, thread["id"], thread["type"]) == (201, message["id"], 11)
    assert (await rest("GET", f"/channels/{general}/messages/{message['id']}"))[1]["thread"]["id"] == message["id"]
    assert (await rest("POST", path, {"name": "again"}))[1]["code"] == 160004
    inside = (await rest("POST", f"/channels/{thread['id']}/messages", {"content": "x"}))[1]
    assert (await rest("POST", f"/channels/{thread['id']}/messages/{inside['id']}/threads", {"name": "y"}))[1][
        "code"
    ] == 50024


async def test_who_is_in_a_thread_is_listed_added_and_removed(scene, rest) -> None:
    thread = await opened(scene, rest, type=12)
    path = f"/channels/{thread['id']}/thread-members"
    bot = scene.server.world.bot_id
    assert (await rest("PUT", f"{path}/{scene.blake.user_id}"))[0] == 204
    assert [one["user_id"] for one in (await rest("GET", path))[1]] == [bot, scene.blake.user_id]
    assert (await rest("GET", f"{path}/{scene.blake.user_id}"))[1]["user_id"] == scene.blake.user_id
    assert (await rest("GET", f"{path}/{scene.cleo.user_id}"))[1]["code"] == 10007
    assert "battle" in await scene.blake.channels()
    assert (await rest("DELETE", f"{path}/{scene.blake.user_id}"))[0] == 204
    assert "battle" not in await scene.blake.channels()
    assert (await rest("DELETE", f"{path}/{scene.blake.user_id}"))[1]["code"] == 10007
    assert (await rest("DELETE", f"{path}/@me"))[0] == 204
    assert (await rest("PUT", f"{path}/@me"))[0] == 204
    assert [one["user_id"] for one in (await rest("GET", path))[1]] == [bot]
    general = scene.guild["general_channel_id"]
    assert (await rest("GET", f"/channels/{general}/thread-members"))[1]["code"] == 50024


async def test_only_members_who_see_the_channel_are_added_to_its_thread(scene, rest) -> None:
    hidden = await scene.hidden_channel(scene.blake.user_id, scene.server.world.bot_id)
    status, thread = await rest("POST", f"/channels/{hidden}/threads", {"name": "battle"})
    assert status == 201
    path = f"/channels/{thread['id']}/thread-members"
    stranger = scene.server.setup.create_user({"name": "dora"})["id"]
    for user, code in (("1", 10013), (stranger, 10007), (scene.cleo.user_id, 50001)):
        assert (await rest("PUT", f"{path}/{user}"))[1]["code"] == code
    assert (await rest("PUT", f"{path}/{scene.blake.user_id}"))[0] == 204


async def test_archived_threads_are_listed_by_kind_and_the_newest_first(scene, rest) -> None:
    general = scene.guild["general_channel_id"]
    threads = [await opened(scene, rest, type=kind, name=f"t{n}") for n, kind in enumerate((11, 12, 11))]
    active = (await rest("GET", f"/guilds/{scene.guild['id']}/threads/active"))[1]
    assert [one["name"] for one in active["threads"]] == ["t2", "t1", "t0"]
    assert {one["id"] for one in active["members"]} == {one["id"] for one in threads}
    for thread in threads:
        scene.server.clock.advance(60)
        assert (await rest("PATCH", f"/channels/{thread['id']}", {"archived": True}))[0] == 200
    assert (await rest("GET", f"/guilds/{scene.guild['id']}/threads/active"))[1]["threads"] == []
    public = (await rest("GET", f"/channels/{general}/threads/archived/public"))[1]
    assert [one["name"] for one in public["threads"]] == ["t2", "t0"]
    assert not public["has_more"]
    page = (await rest("GET", f"/channels/{general}/threads/archived/public?limit=1"))[1]
    assert ([one["name"] for one in page["threads"]], page["has_more"]) == (["t2"], True)
    before = page["threads"][0]["thread_metadata"]["archive_timestamp"].replace("+", "%2B")
    older = (await rest("GET", f"/channels/{general}/threads/archived/public?before={before}"))[1]
    assert [one["name"] for one in older["threads"]] == ["t0"]
    private = (await rest("GET", f"/channels/{general}/threads/archived/private"))[1]
    assert [one["name"] for one in private["threads"]] == ["t1"]


async def test_without_the_right_to_manage_threads_the_bot_changes_its_own_and_only_some_of_that(scene, rest) -> None:
    guild, general = scene.guild["id"], scene.guild["general_channel_id"]
    thread = await opened(scene, rest, type=12)
    path = f"/channels/{thread['id']}"
    talk = (
        VIEW
        | SEND
        | int(Permission.CREATE_PRIVATE_THREADS | Permission.SEND_MESSAGES_IN_THREADS | Permission.READ_MESSAGE_HISTORY)
    )
    await scene.setup("POST", f"/guilds/{guild}/bot", permissions=str(talk))
    assert (await rest("PATCH", path, {"name": "Battle of 0405"}))[1]["name"] == "Battle of 0405"
    assert (await rest("PATCH", path, {"locked": True}))[1]["code"] == 50013
    assert (await rest("PATCH", path, {"archived": True}))[0] == 200
    assert (await rest("PATCH", path, {"name": "x"}))[1]["code"] == 50083
    assert (await rest("PATCH", path, {"archived": False}))[0] == 200
    assert (await rest("PATCH", path, {"auto_archive_duration": 61}))[1]["code"] == 50035
    scene.server.world.channels[thread["id"]].locked = True
    assert (await rest("PATCH", path, {"name": "x"}))[1]["code"] == 160005
    assert (await rest("POST", f"{path}/messages", {"content": "x"}))[1]["code"] == 160005
    assert (await rest("DELETE", path))[1]["code"] == 50013
    assert (await rest("GET", f"/channels/{general}/threads/archived/private"))[1]["code"] == 50013
    await scene.setup("POST", f"/guilds/{guild}/bot", permissions=str(VIEW))
    scene.server.world.roles[guild][guild].permissions = VIEW  # else everybody may
    assert (await rest("POST", f"/channels/{general}/threads", {"name": "x"}))[1]["code"] == 50013
    assert (await rest("PUT", f"{path}/thread-members/{scene.blake.user_id}"))[1]["code"] == 50013


async def test_who_may_not_manage_threads_removes_people_from_his_own_private_ones_alone(scene, rest) -> None:
    private, public = await opened(scene, rest, type=12), await opened(scene, rest, type=11)
    for thread in (private, public):
        await rest("PUT", f"/channels/{thread['id']}/thread-members/{scene.blake.user_id}")
    talk = VIEW | SEND | int(Permission.SEND_MESSAGES_IN_THREADS)
    await scene.setup("POST", f"/guilds/{scene.guild['id']}/bot", permissions=str(talk))
    assert (await rest("DELETE", f"/channels/{public['id']}/thread-members/{scene.blake.user_id}"))[1]["code"] == 50013
    assert (await rest("DELETE", f"/channels/{private['id']}/thread-members/{scene.blake.user_id}"))[0] == 204


# --- servers: what the bot may hand out, its roles and their order, members -------------------------------------------
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
    assert [one["id"] for one in scene.server.world.channels[channel["id"]].overwrites] == [guild]
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
    ids = [int(one["user"]["id"]) for one in (await rest("GET", f"/guilds/{scene.guild['id']}/members?{query}"))[1]]
    assert len(ids) == found
    assert ids == sorted(ids)
    after = (await rest("GET", f"/guilds/{scene.guild['id']}/members?limit=1000&after={ids[0]}"))[1]
    assert ids[0] not in {int(one["user"]["id"]) for one in after}
    assert (await rest("GET", f"/guilds/{scene.guild['id']}/members?limit=1001"))[1]["code"] == 50035
    await rest.close()


async def test_and_for_nobody_else(scene, rest) -> None:
    assert (await rest("GET", f"/guilds/{scene.guild['id']}/members?limit=10"))[1]["code"] == 50001
