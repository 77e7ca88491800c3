"""What a seat is told: channels that come into sight and go out of it, and what it missed."""

from __future__ import annotations

import pytest

from bot.playground import Seat
from bot.playground.seats.seat import SeatRefusedError
from bot.playground.world.permissions import Permission

VIEW = int(Permission.VIEW_CHANNEL)


async def test_a_seat_sees_only_its_channels_and_learns_of_changes(scene) -> None:
    hidden = await scene.hidden_channel(scene.blake.user_id)
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
