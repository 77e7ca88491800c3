"""What clients of other libraries rely on: frames compressed or of bytes, pages, deletion of many, files in blocks."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import aiohttp
import pytest

from bot.playground.world.model import COMPONENTS_V2, HAS_THREAD
from tests.bot.playground.rest import Rest, paths
from tests.bot.playground.scene import Scene
from tests.contract.test_openapi import PIXEL

IDENTIFY = {"op": 2, "d": {"token": "Bot playground-token", "intents": 1 | 1 << 9, "properties": {}}}
GALLERY = {"type": 12, "items": [{"media": {"url": "attachment://map.png"}}]}
WORDS = {"type": 10, "content": "Turn 1"}
V2 = COMPONENTS_V2


class Wire:
    """A client that asked for one compressed stream, and sends its frames as bytes."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.stream = zlib.decompressobj()

    async def send(self, frame: Any) -> None:
        await self.socket.send_bytes(json.dumps(frame).encode())

    async def next(self, name: str) -> Any:
        """The data of the next event of that name."""
        while True:
            piece = await self.socket.receive_bytes()
            assert piece.endswith(b"\x00\x00\xff\xff"), "a client knows a whole frame by its end"
            frame = json.loads(self.stream.decompress(piece))
            if name in (frame["t"], str(frame["op"])):
                return frame["d"]


async def test_frames_are_one_compressed_stream_where_a_client_asks_for_it(scene: Scene, rest: Rest) -> None:
    channel = scene.guild["general_channel_id"]
    url = f"{scene.server.gateway_url}?v=10&encoding=json&compress=zlib-stream"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        wire = Wire(socket)
        assert (await wire.next("10"))["heartbeat_interval"] > 0
        await wire.send(IDENTIFY)
        assert (await wire.next("READY"))["user"]["id"] == scene.server.world.bot_id
        sent = [(await rest("POST", f"/channels/{channel}/messages", {"content": one}))[1]["id"] for one in ("a", "b")]
        assert [(await wire.next("MESSAGE_CREATE"))["id"] for _ in sent] == sent
        assert (await rest("POST", f"/channels/{channel}/messages/bulk-delete", {"messages": sent}))[0] == 204
        gone = await wire.next("MESSAGE_DELETE_BULK")
        assert gone == {"channel_id": channel, "guild_id": scene.guild["id"], "ids": sent}
        await wire.send({"op": 1, "d": None})
        await wire.next("11")


async def test_a_client_that_sends_what_is_no_json_is_cut_off(scene: Scene) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(scene.server.gateway_url) as socket:
        await socket.receive()
        await socket.send_bytes(b"\xff\xfe")
        await socket.receive()
        assert socket.close_code == 4002


async def test_pages_of_servers_members_and_threads(scene: Scene, rest: Rest) -> None:
    guild, (_, first) = scene.guild["id"], await rest("GET", "/users/@me/guilds?with_counts=true")
    people = len(scene.server.world.members[guild])
    assert [(one["id"], one["approximate_member_count"]) for one in first] == [(guild, people)]
    assert "approximate_member_count" not in (await rest("GET", "/users/@me/guilds"))[1][0]
    assert (await rest("GET", f"/users/@me/guilds?after={guild}"))[1] == []
    assert (await rest("GET", f"/users/@me/guilds?before={guild}"))[1] == []
    assert paths((await rest("GET", "/users/@me/guilds?limit=x"))[1]["errors"]).keys() == {"limit"}
    _, found = await rest("GET", f"/guilds/{guild}/members/search?query=AD&limit=5")
    assert [one["user"]["id"] for one in found] == [scene.ada.user_id]
    assert (await rest("GET", f"/guilds/{guild}/members/search"))[0] == 400
    _, role = await rest("POST", f"/guilds/{guild}/roles", {"name": "Blue", "permissions": "0"})
    await rest("PUT", f"/guilds/{guild}/members/{scene.ada.user_id}/roles/{role['id']}")
    _, counts = await rest("GET", f"/guilds/{guild}/roles/member-counts")
    assert counts[role["id"]] == 1
    assert guild not in counts, "everybody holds that one"


async def test_a_thread_tells_its_people_by_pages(scene: Scene, rest: Rest) -> None:
    channel = scene.guild["general_channel_id"]
    _, thread = await rest("POST", f"/channels/{channel}/threads", {"name": "Battle", "type": 12})
    at = f"/channels/{thread['id']}/thread-members"
    await rest("PUT", f"{at}/{scene.ada.user_id}")
    everybody = sorted((scene.ada.user_id, scene.server.world.bot_id), key=int)
    assert [one["user_id"] for one in (await rest("GET", at))[1]] == everybody
    (page,) = (await rest("GET", f"{at}?with_member=true&limit=1"))[1]
    assert (page["user_id"], page["member"]["user"]["id"]) == (everybody[0], everybody[0])
    (rest_of_them,) = (await rest("GET", f"{at}?with_member=true&limit=1&after={everybody[0]}"))[1]
    assert rest_of_them["user_id"] == everybody[1]


async def test_files_that_blocks_show_are_listed_with_the_blocks_alone(scene: Scene, rest: Rest) -> None:
    at = f"/channels/{scene.guild['general_channel_id']}/messages"
    body = {"flags": V2, "components": [WORDS, GALLERY]}
    _, sent = await rest("POST", at, body, {"map.png": PIXEL})
    media = sent["components"][1]["items"][0]["media"]
    assert (sent["attachments"], media["url"].rpartition("/")[2]) == ([], "map.png")
    _, words = await rest("PATCH", f"{at}/{sent['id']}", {"components": [WORDS]})
    assert [one["id"] for one in words["attachments"]] == [media["attachment_id"]], "nothing shows it any more"
    _, again = await rest("PATCH", f"{at}/{sent['id']}", body | {"attachments": [{"id": media["attachment_id"]}]})
    assert again["components"][1]["items"][0]["media"]["attachment_id"] == media["attachment_id"]
    assert again["attachments"] == []


@pytest.mark.parametrize("kept", [{}, {"attachments": []}])
async def test_blocks_cannot_show_a_file_that_is_not_there(scene: Scene, rest: Rest, kept: dict[str, Any]) -> None:
    at = f"/channels/{scene.guild['general_channel_id']}/messages"
    status, refused = await rest("POST", at, {"flags": V2, "components": [GALLERY]} | kept)
    code = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
    assert (status, set(paths(refused["errors"]).values())) == (400, {code})
    assert (await rest("GET", at))[1] == []
    _, sent = await rest("POST", at, {"flags": V2, "components": [GALLERY]}, {"map.png": PIXEL})
    status, _ = await rest("PATCH", f"{at}/{sent['id']}", {"components": [GALLERY], "attachments": []})
    assert status == 400, "an edit may not drop what it shows"


async def test_an_edit_takes_the_flag_of_blocks_from_no_message(scene: Scene, rest: Rest) -> None:
    at = f"/channels/{scene.guild['general_channel_id']}/messages"
    _, sent = await rest("POST", at, {"flags": V2, "components": [WORDS]})
    _, edited = await rest("PATCH", f"{at}/{sent['id']}", {"flags": 0, "components": [WORDS]})
    assert edited["flags"] & V2
    assert (await rest("PATCH", f"{at}/{sent['id']}", {"flags": 0, "content": "words"}))[0] == 400


async def test_an_edit_takes_the_mark_of_its_thread_from_no_message(scene: Scene, rest: Rest) -> None:
    at = f"/channels/{scene.guild['general_channel_id']}/messages"
    _, sent = await rest("POST", at, {"content": "Battle"})
    await rest("POST", f"{at}/{sent['id']}/threads", {"name": "Talk"})
    _, edited = await rest("PATCH", f"{at}/{sent['id']}", {"content": "Battle in 0405", "flags": 0})
    assert edited["flags"] & HAS_THREAD


@pytest.mark.parametrize(("kind", "status"), [("jpg", 201), ("jpeg", 201), ("png", 201), ("svg+xml", 400)])
async def test_the_kinds_of_pictures_that_emojis_are_made_of(scene: Scene, rest: Rest, kind: str, status: int) -> None:
    image = f"data:image/{kind};base64,{base64.b64encode(PIXEL).decode()}"
    application = scene.server.world.application_id
    answer = await rest("POST", f"/applications/{application}/emojis", {"name": "pin_1", "image": image})
    assert answer[0] == status
