"""What people write and read in their seats, and how the scene is set."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground import Seat
from bot.playground.seats.seat import SeatRefusedError, file
from bot.playground.world.permissions import Permission
from tests.expected.kept import cases

VIEW, SEND = int(Permission.VIEW_CHANNEL), int(Permission.SEND_MESSAGES)
HISTORY = int(Permission.READ_MESSAGE_HISTORY)


async def refused(seat: Any, path: str, /, **body: Any) -> str:
    """The code with which something is refused."""
    with pytest.raises(SeatRefusedError) as refusal:
        await seat.request("POST", path, body)
    return refusal.value.code


async def test_a_message_is_written_replied_to_changed_and_deleted(scene) -> None:
    general = scene.guild["general_channel_id"]
    said = await scene.blake.say("attack at dwan", files=[file("plan.txt", b"0405")])
    assert [one["filename"] for one in said["attachments"]] == ["plan.txt"]
    assert await scene.cleo.read_file(said["attachments"][0]) == b"0405"
    reply = await scene.cleo.say("when?", reply_to=said)
    assert [one["content"] for one in await scene.ada.messages()] == ["attack at dwan", "when?"]
    at = {"channel_id": general, "message_id": said["id"]}
    assert await refused(scene.cleo, "edit_message", **at, content="retreat") == "forbidden"
    assert await refused(scene.cleo, "delete_message", **at) == "forbidden"
    await scene.blake.request("POST", "edit_message", {**at, "content": "attack at dawn"})
    changed = await scene.cleo.wait_for_event(lambda e: e["type"] == "message_update")
    assert changed["message"]["content"] == "attack at dawn"
    await scene.blake.request("POST", "delete_message", at)
    await scene.ada.request("POST", "delete_message", {"channel_id": general, "message_id": reply["id"]})
    assert await scene.blake.messages() == [], "the owner may delete what others wrote"
    assert await refused(scene.blake, "delete_message", **at) == "unknown_message"


async def test_who_may_not_write_attach_or_read_back_is_told_so_or_sees_nothing(scene) -> None:
    guild, general = scene.guild["id"], scene.guild["general_channel_id"]
    everyone = scene.server.world.roles[guild][guild]
    await scene.blake.say("before")
    everyone.permissions = VIEW | SEND
    assert (
        await refused(scene.blake, "message", channel_id=general, content="x", attachments=[file("a", b"a")])
        == "forbidden"
    )
    assert await scene.blake.messages() == []
    everyone.permissions = VIEW | HISTORY
    assert await refused(scene.blake, "message", channel_id=general, content="x") == "forbidden"
    assert [one["content"] for one in await scene.blake.messages()] == ["before"]


async def test_messages_are_read_in_pages(scene) -> None:
    general = scene.guild["general_channel_id"]
    ids = [(await scene.blake.say(f"{number}"))["id"] for number in range(5)]

    async def read(**query: str) -> tuple[str, bool]:
        page = await scene.blake.request("GET", "messages", None, {"channel": general, **query})
        return "".join(one["content"] for one in page["messages"]), page["more"]

    assert await read() == ("01234", False)
    assert await read(limit="2") == ("34", True)
    assert await read(limit="2", before=ids[2]) == ("01", False)
    assert await read(limit="2", after=ids[0]) == ("12", True)
    with pytest.raises(SeatRefusedError) as refusal:
        await read(limit="many")
    assert refusal.value.code == "bad_request"


async def test_what_only_you_see_is_dismissed_by_you(live) -> None:
    shown = (await live.blake.command("secret"))["message"]
    public = (await live.blake.command("ping"))["message"]
    at = {"channel_id": shown["channel_id"], "message_id": shown["id"]}
    assert await refused(live.cleo, "dismiss", **at) == "unknown_message"
    assert await refused(live.blake, "dismiss", channel_id=shown["channel_id"], message_id=public["id"]) == "forbidden"
    await live.blake.request("POST", "dismiss", at)
    assert [one["content"] for one in await live.blake.messages()] == ["pong"]


async def test_two_people_write_to_each_other(scene) -> None:
    channel = await scene.blake.open_dm(scene.cleo.user_id)
    assert (await scene.cleo.open_dm(scene.blake.user_id))["id"] == channel["id"]
    await scene.blake.say("psst", channel=channel["id"])
    assert [one["content"] for one in await scene.cleo.messages(channel["id"])] == ["psst"]
    await scene.cleo.set_dms(are_open=False)
    assert await refused(scene.blake, "message", channel_id=channel["id"], content="hello?") == "dms_closed"
    for nobody in (scene.blake.user_id, "1"):
        assert await refused(scene.blake, "open_dm", user_id=nobody) == "unknown_user"
    assert await refused(scene.ada, "message", channel_id=channel["id"], content="x") == "unknown_channel"


async def test_people_join_and_leave_threads_that_are_open(scene, rest) -> None:
    general = scene.guild["general_channel_id"]
    thread = (await rest("POST", f"/channels/{general}/threads", {"name": "battle", "type": 11}))[1]
    await scene.blake.request("POST", "thread_join", {"channel_id": thread["id"]})
    assert (await scene.blake.channels())["battle"]["joined"]
    await scene.blake.request("POST", "thread_leave", {"channel_id": thread["id"]})
    members = (await rest("GET", f"/channels/{thread['id']}/thread-members"))[1]
    assert [one["user_id"] for one in members] == [scene.server.world.bot_id]
    assert await refused(scene.blake, "thread_join", channel_id=general) == "bad_request"
    await rest("PATCH", f"/channels/{thread['id']}", {"archived": True})
    assert await refused(scene.blake, "thread_join", channel_id=thread["id"]) == "archived"


async def test_commands_are_refused_where_discord_offers_none(live, rest) -> None:
    general = live.guild["general_channel_id"]
    go = {"path": "ping", "channel_id": general}
    assert await refused(live.blake, "command", **{**go, "guild_id": "1"}) == "unknown_channel"
    assert await refused(live.blake, "command", **{**go, "options": [1]}) == "bad_request"
    assert await refused(live.blake, "command", **{**go, "path": "nothing"}) == "unknown_command"
    assert await refused(live.blake, "autocomplete", **{**go, "path": "echo"}) == "bad_request"
    between = await live.blake.open_dm(live.cleo.user_id)
    assert await refused(live.blake, "command", path="ping", channel_id=between["id"]) == "unknown_command"
    thread = (await rest("POST", f"/channels/{general}/threads", {"name": "battle", "type": 11}))[1]
    await rest("PATCH", f"/channels/{thread['id']}", {"archived": True})
    assert await refused(live.blake, "command", path="ping", channel_id=thread["id"]) == "archived"
    live.server.world.roles[live.guild["id"]][live.guild["id"]].permissions = VIEW | SEND
    assert await refused(live.blake, "command", **go) == "forbidden"


async def test_a_menu_is_no_button_and_a_button_no_menu(live) -> None:
    pad = (await live.blake.command("pad"))["message"]
    at = {"channel_id": pad["channel_id"], "message_id": pad["id"]}
    assert await refused(live.blake, "press", **at, custom_id="ship") == "unknown_component"
    assert await refused(live.blake, "select", **at, custom_id="count", values=["1"]) == "unknown_component"
    assert await refused(live.blake, "press", **at, custom_id="gone") == "unknown_component"


async def test_a_form_is_filled_in_by_who_has_it_open(live) -> None:
    form = (await live.blake.command("form"))["modal"]
    body = {"interaction_id": form["interaction_id"], "values": {}}
    assert await refused(live.cleo, "modal", **body) == "unknown_modal"
    assert await refused(live.blake, "modal", **{**body, "values": {"nothing": "x"}}) == "invalid_option"
    await live.blake.dismiss_modal(form)
    assert await refused(live.blake, "modal", **body) == "unknown_modal"


# --- setup ------------------------------------------------------------------------------------------------------------
# setting the scene: people, servers, roles and channels as a page or a test makes them; what is refused by name.
@pytest.fixture
def ids(scene) -> dict[str, str]:
    """What stands in a path for a name in braces."""
    return {
        "guild": scene.guild["id"], "general": scene.guild["general_channel_id"], "ada": scene.ada.user_id,
        "blake": scene.blake.user_id, "long": "x" * 101,
    }  # fmt: skip


@cases("method, path, body, code")
async def test_what_cannot_be_is_refused_and_changes_nothing(
    scene, ids: dict[str, str], *, method: str, path: str, body: dict[str, Any], code: str
) -> None:
    filled = {key: value.format(**ids) if isinstance(value, str) else value for key, value in body.items()}
    before = await scene.ada.state()
    with pytest.raises(SeatRefusedError) as refusal:
        await scene.setup(method, path.format(**ids), **filled)
    assert refusal.value.code == code
    assert await scene.ada.state() == before


async def test_a_server_may_be_without_the_bot_until_it_is_invited(scene) -> None:
    bare = await scene.setup("POST", "/guilds", name="Quiet", owner_id=scene.ada.user_id, with_bot=False)
    assert bare["bot_role_id"] is None
    bot = scene.server.world.bot_id
    assert bot not in scene.server.world.members[bare["id"]]
    invited = await scene.setup("POST", f"/guilds/{bare['id']}/bot")
    assert bot in scene.server.world.members[bare["id"]]
    again = await scene.setup("POST", f"/guilds/{bare['id']}/bot", permissions="1024")
    assert again["bot_role_id"] == invited["bot_role_id"]
    assert scene.server.world.roles[bare["id"]][again["bot_role_id"]].permissions == 1024


async def test_people_are_renamed_given_roles_and_sent_away(scene) -> None:
    guild = scene.guild["id"]
    role = await scene.setup("POST", f"/guilds/{guild}/roles", name="Red", permissions="0", color=255)
    await scene.setup("PATCH", f"/guilds/{guild}/members/{scene.blake.user_id}", nick="Admiral", roles=[role["id"]])
    member = scene.server.world.members[guild][scene.blake.user_id]
    assert (member.nick, member.roles) == ("Admiral", [role["id"]])
    changed = await scene.setup("PATCH", f"/guilds/{guild}/roles/{role['id']}", name="Blue")
    assert (changed["name"], changed["color"]) == ("Blue", 255)
    await scene.setup("DELETE", f"/guilds/{guild}/roles/{role['id']}")
    assert member.roles == []
    await scene.setup("PATCH", f"/guilds/{guild}/members/{scene.blake.user_id}", nick="")
    assert member.nick is None
    await scene.setup("DELETE", f"/guilds/{guild}/members/{scene.blake.user_id}")
    assert scene.blake.user_id not in scene.server.world.members[guild]
    stranger = await scene.setup("POST", "/users", name="dora")
    await scene.setup("POST", f"/guilds/{guild}/members", user_id=stranger["id"], nick="Spy")
    assert scene.server.world.members[guild][stranger["id"]].nick == "Spy"


async def test_channels_and_threads_are_changed_and_deleted(scene, rest) -> None:
    guild = scene.guild["id"]
    category = await scene.setup("POST", f"/guilds/{guild}/channels", name="War", kind="category")
    channel = await scene.setup("POST", f"/guilds/{guild}/channels", name="fleet", parent_id=category["id"])
    deny = [{"id": guild, "type": 0, "allow": "0", "deny": "1024"}]
    await scene.setup("PATCH", f"/guilds/{guild}/channels/{channel['id']}", topic="orders", overwrites=deny)
    assert "fleet" not in await scene.blake.channels()
    await scene.setup("PATCH", f"/guilds/{guild}/channels/{channel['id']}", overwrites=[])
    assert (await scene.blake.channels())["fleet"]["topic"] == "orders"
    general = scene.guild["general_channel_id"]
    thread = (await rest("POST", f"/channels/{general}/threads", {"name": "battle", "type": 11}))[1]
    await scene.setup("PATCH", f"/guilds/{guild}/channels/{thread['id']}", archived=True, locked=True)
    stored = scene.server.world.channels[thread["id"]]
    assert (stored.archived, stored.locked) == (True, True)
    await scene.setup("DELETE", f"/guilds/{guild}/channels/{general}")
    assert thread["id"] not in scene.server.world.channels, "a channel's threads go with it"
    await scene.setup("DELETE", f"/guilds/{guild}/channels/{category['id']}")
    assert scene.server.world.channels[channel["id"]].parent_id is None


# --- what a seat is told: channels that come into sight and go out of it, and what it missed --------------------------
SEES = int(Permission.VIEW_CHANNEL)


async def test_a_seat_sees_only_its_channels_and_learns_of_changes(scene) -> None:
    hidden = await scene.hidden_channel(scene.blake.user_id)
    names = {seat: set(await scene.seats[seat].channels()) for seat in ("ada", "blake", "cleo")}
    assert names == {"ada": {"general", "hidden"}, "blake": {"general", "hidden"}, "cleo": {"general"}}
    with pytest.raises(SeatRefusedError) as refusal:
        await scene.cleo.say("let me in", channel=hidden)
    assert refusal.value.code == "unknown_channel"
    path = f"/guilds/{scene.guild['id']}/channels/{hidden}"
    await scene.setup("PATCH", path, overwrites=[{"id": scene.guild["id"], "type": 0, "allow": "0", "deny": "0"}])
    assert (await scene.cleo.wait_for_event(lambda e: e["type"] == "channel_create"))["channel"]["name"] == "hidden"
    await scene.setup("PATCH", path, overwrites=[{"id": scene.guild["id"], "type": 0, "allow": "0", "deny": str(SEES)}])
    assert (await scene.cleo.wait_for_event(lambda e: e["type"] == "channel_delete"))["channel_id"] == hidden


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
