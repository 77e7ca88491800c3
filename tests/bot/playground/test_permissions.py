"""Who sees and may do what: the evaluation itself, and Discord's error codes on REST."""

from __future__ import annotations

import pytest

from bot.playground.seats.seat import SeatRefusedError
from bot.playground.world import permissions
from bot.playground.world.permissions import ALL, Overwrite, Permission

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


async def hide(scene, *allowed: str) -> str:
    """A channel that only the named users (and the owner) see."""
    overwrites = [{"id": scene.guild["id"], "type": 0, "allow": "0", "deny": str(VIEW)}]
    overwrites += [{"id": user, "type": 1, "allow": str(VIEW | SEND), "deny": "0"} for user in allowed]
    body = {"name": "hidden", "overwrites": overwrites}
    return (await scene.ada.request("POST", f"/guilds/{scene.guild['id']}/channels", body))["id"]


async def test_the_bot_meets_discords_codes(scene, rest) -> None:
    hidden = await hide(scene, scene.blake.user_id)
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
    from tests.bot.playground.rest import Rest

    wrong = Rest(scene.server.url, "wrong")
    assert await wrong("GET", "/users/@me") == (401, {"message": "401: Unauthorized", "code": 0})
    await wrong.close()


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


async def test_a_seat_sees_only_its_channels_and_learns_of_changes(scene) -> None:
    hidden = await hide(scene, scene.blake.user_id)
    names = {seat: set(await scene.seats[seat].channels()) for seat in ("ada", "blake", "cleo")}
    assert names == {"ada": {"general", "hidden"}, "blake": {"general", "hidden"}, "cleo": {"general"}}
    with pytest.raises(SeatRefusedError) as refusal:
        await scene.cleo.say("let me in", channel=hidden)
    assert refusal.value.code == "unknown_channel"
    path = f"/guilds/{scene.guild['id']}/channels/{hidden}"
    await scene.setup("PATCH", path, overwrites=[{"id": scene.guild["id"], "type": 0, "allow": "0", "deny": "0"}])
    event = await scene.cleo.wait_for_event(lambda e: e["type"] == "channel_create")
    assert event["channel"]["name"] == "hidden"
    await scene.setup("PATCH", path, overwrites=[{"id": scene.guild["id"], "type": 0, "allow": "0", "deny": str(VIEW)}])
    gone = await scene.cleo.wait_for_event(lambda e: e["type"] == "channel_delete")
    assert gone["channel_id"] == hidden


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


async def test_closed_dms_refuse_with_50007_and_strangers_with_50278(scene, rest) -> None:
    blake = scene.blake.user_id
    channel = (await rest("POST", "/users/@me/channels", {"recipient_id": blake}))[1]["id"]
    assert (await rest("POST", f"/channels/{channel}/messages", {"content": "psst"}))[0] == 200
    await scene.blake.wait_for_message(lambda m: m["content"] == "psst")
    assert list(await scene.blake.channels())[-1] == "Plotroom"
    await scene.blake.set_dms(are_open=False)
    status, body = await rest("POST", f"/channels/{channel}/messages", {"content": "psst"})
    assert (status, body["code"]) == (403, 50007)
    await scene.blake.set_dms(are_open=True)
    await scene.setup("DELETE", f"/guilds/{scene.guild['id']}/members/{blake}")
    assert (await rest("POST", f"/channels/{channel}/messages", {"content": "psst"}))[1]["code"] == 50278
