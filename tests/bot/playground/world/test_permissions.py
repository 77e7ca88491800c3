"""Who sees and may do what: the evaluation itself, and what it means for private threads."""

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
