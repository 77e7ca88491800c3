"""Setting the scene: people, servers, roles and channels as a page or a test makes them; what is refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground.seats.seat import SeatRefusedError


@pytest.fixture
def ids(scene) -> dict[str, str]:
    """What stands in a path for a name in braces."""
    return {
        "guild": scene.guild["id"],
        "general": scene.guild["general_channel_id"],
        "ada": scene.ada.user_id,
        "blake": scene.blake.user_id,
        "long": "x" * 101,
    }


REFUSED: list[tuple[str, str, dict[str, Any], str]] = [
    ("POST", "/users", {"name": "x"}, "bad_request"),
    ("POST", "/users", {"name": "two words"}, "bad_request"),
    ("POST", "/users", {"name": "Blake"}, "bad_request"),
    ("POST", "/guilds", {"name": "Harbour", "owner_id": "1"}, "unknown_user"),
    ("POST", "/guilds", {"name": "H", "owner_id": "{ada}"}, "bad_request"),
    ("POST", "/guilds", {"name": "Harbour", "owner_id": "{ada}", "bot_permissions": "all"}, "bad_request"),
    ("POST", "/guilds/1/members", {"user_id": "{blake}"}, "unknown_guild"),
    ("POST", "/guilds/{guild}/members", {"user_id": "{blake}"}, "bad_request"),
    ("PATCH", "/guilds/{guild}/members/1", {"nick": "x"}, "unknown_user"),
    ("PATCH", "/guilds/{guild}/members/{blake}", {"roles": ["1"]}, "unknown_role"),
    ("DELETE", "/guilds/{guild}/members/{ada}", {}, "forbidden"),
    ("PATCH", "/guilds/{guild}/roles/1", {"name": "x"}, "unknown_role"),
    ("POST", "/guilds/{guild}/roles", {"name": "{long}"}, "bad_request"),
    ("DELETE", "/guilds/{guild}/roles/{guild}", {}, "forbidden"),
    ("POST", "/guilds/{guild}/channels", {"name": "x", "kind": "stage"}, "bad_request"),
    ("POST", "/guilds/{guild}/channels", {"name": ""}, "bad_request"),
    ("PATCH", "/guilds/{guild}/channels/1", {"name": "x"}, "unknown_channel"),
    ("PATCH", "/guilds/{guild}/channels/{general}", {"parent_id": "1"}, "bad_request"),
]


@pytest.mark.parametrize("case", REFUSED, ids=[f"{one[0]} {one[1]} {one[3]}" for one in REFUSED])
async def test_what_cannot_be_is_refused_and_changes_nothing(scene, ids: dict[str, str], case) -> None:
    method, path, body, code = case
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
