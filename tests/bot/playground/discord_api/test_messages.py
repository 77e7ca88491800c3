"""Messages, pins and emojis of the application."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from io import BytesIO
from typing import Any

import aiohttp
import discord
import pytest
from PIL import Image

from bot.delivery.drawing import Drawing
from bot.delivery.exit import Exit
from bot.delivery.signs.keeper import SignKeeper
from bot.delivery.signs.table import Signs
from bot.playground.world.permissions import Permission
from bot.records.signs.catalogue import SIGNS
from tests.bot.playground.rest import paths
from tests.expected.kept import cases

VIEW, SEND = int(Permission.VIEW_CHANNEL), int(Permission.SEND_MESSAGES)


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


async def posted(rest: Any, channel: str, *texts: str) -> list[dict[str, Any]]:
    return [(await rest("POST", f"/channels/{channel}/messages", {"content": text}))[1] for text in texts]


async def test_history_comes_newest_first_in_pages(scene, rest) -> None:
    general = scene.guild["general_channel_id"]
    ids = [one["id"] for one in await posted(rest, general, "1", "2", "3", "4", "5")]

    async def read(query: str) -> str:
        return "".join(one["content"] for one in (await rest("GET", f"/channels/{general}/messages?{query}"))[1])

    assert await read("") == "54321"
    assert await read("limit=2") == "54"
    assert await read(f"limit=2&before={ids[3]}") == "32"
    assert await read(f"limit=2&after={ids[1]}") == "43"
    assert await read(f"limit=3&around={ids[2]}") == "432"
    for wrong in ("0", "101", "many"):
        assert (await rest("GET", f"/channels/{general}/messages?limit={wrong}"))[1]["code"] == 50035


async def test_without_the_right_to_history_there_is_none(scene, rest) -> None:
    guild, general = scene.guild["id"], scene.guild["general_channel_id"]
    (message,) = await posted(rest, general, "1")
    await scene.setup("POST", f"/guilds/{guild}/bot", permissions=str(VIEW | SEND))
    scene.server.world.roles[guild][guild].permissions = VIEW | SEND  # else everybody may read it
    assert (await rest("GET", f"/channels/{general}/messages")) == (200, [])
    assert (await rest("GET", f"/channels/{general}/messages/{message['id']}"))[1]["code"] == 50013
    reply = {"content": "x", "message_reference": {"message_id": message["id"]}}
    assert (await rest("POST", f"/channels/{general}/messages", reply))[1]["code"] == 50013


async def test_a_reply_shows_what_it_replies_to(scene, rest) -> None:
    general = scene.guild["general_channel_id"]
    (message,) = await posted(rest, general, "Battle!")
    body = {"content": "Where?", "message_reference": {"message_id": message["id"]}}
    reply = (await rest("POST", f"/channels/{general}/messages", body))[1]
    assert (reply["type"], reply["referenced_message"]["content"]) == (19, "Battle!")
    assert (await rest("DELETE", f"/channels/{general}/messages/{message['id']}"))[0] == 204
    assert (await rest("GET", f"/channels/{general}/messages/{reply['id']}"))[1]["referenced_message"] is None


async def test_a_nonce_keeps_a_message_from_being_posted_twice(scene, rest) -> None:
    general = scene.guild["general_channel_id"]
    body = {"content": "once", "nonce": "7", "enforce_nonce": True}
    one = (await rest("POST", f"/channels/{general}/messages", body))[1]
    two = (await rest("POST", f"/channels/{general}/messages", {**body, "content": "twice"}))[1]
    assert (one["id"], one["nonce"], two["content"]) == (two["id"], "7", "once")


async def test_links_are_embedded_and_files_attached_by_who_may(scene, rest) -> None:
    guild, general = scene.guild["id"], scene.guild["general_channel_id"]
    talk = VIEW | SEND | int(Permission.READ_MESSAGE_HISTORY)
    scene.server.world.roles[guild][guild].permissions = talk
    await scene.setup("POST", f"/guilds/{guild}/bot", permissions=str(talk))
    body = {"content": "see", "embeds": [{"title": "Map"}]}
    assert (await rest("POST", f"/channels/{general}/messages", body))[1]["embeds"] == []
    assert (await rest("POST", f"/channels/{general}/messages", {"content": "x"}, files={"a.txt": b"a"}))[1][
        "code"
    ] == 50013
    await scene.setup("POST", f"/guilds/{guild}/bot", permissions=str(talk | int(Permission.EMBED_LINKS)))
    assert (await rest("POST", f"/channels/{general}/messages", body))[1]["embeds"][0]["title"] == "Map"


async def test_nobody_posts_in_a_category_or_where_he_may_not(scene, rest) -> None:
    guild, general = scene.guild["id"], scene.guild["general_channel_id"]
    category = await scene.setup("POST", f"/guilds/{guild}/channels", name="c", kind="category")
    assert (await rest("POST", f"/channels/{category['id']}/messages", {"content": "x"}))[1]["code"] == 50008
    scene.server.world.roles[guild][guild].permissions = VIEW
    await scene.setup("POST", f"/guilds/{guild}/bot", permissions=str(VIEW))
    assert (await rest("POST", f"/channels/{general}/messages", {"content": "x"}))[1]["code"] == 50013
    assert (await rest("POST", f"/channels/{general}/typing"))[1]["code"] == 50013


async def test_only_ones_own_messages_are_edited_and_never_to_nothing(scene, rest) -> None:
    general = scene.guild["general_channel_id"]
    (mine,) = await posted(rest, general, "draft")
    path = f"/channels/{general}/messages"
    edited = (await rest("PATCH", f"{path}/{mine['id']}", {"content": "final"}))[1]
    assert (edited["content"], edited["edited_timestamp"] is not None) == ("final", True)
    assert (await rest("PATCH", f"{path}/{mine['id']}", {"content": ""}))[1]["code"] == 50006
    theirs = (await scene.blake.say("hello"))["id"]
    assert (await rest("PATCH", f"{path}/{theirs}", {"content": "x"}))[1]["code"] == 50005
    await rest("POST", f"/channels/{general}/threads", {"name": "t", "type": 11})
    told = (await rest("GET", f"{path}?limit=1"))[1][0]
    assert (await rest("PATCH", f"{path}/{told['id']}", {"content": "x"}))[1]["code"] == 50021


async def test_others_messages_are_deleted_by_who_manages_messages(scene, rest) -> None:
    guild, general = scene.guild["id"], scene.guild["general_channel_id"]
    theirs = (await scene.blake.say("hello"))["id"]
    await scene.setup("POST", f"/guilds/{guild}/bot", permissions=str(VIEW | SEND))
    assert (await rest("DELETE", f"/channels/{general}/messages/{theirs}"))[1]["code"] == 50013
    manage = VIEW | SEND | int(Permission.MANAGE_MESSAGES)
    await scene.setup("POST", f"/guilds/{guild}/bot", permissions=str(manage))
    assert (await rest("DELETE", f"/channels/{general}/messages/{theirs}"))[0] == 204
    assert (await rest("DELETE", f"/channels/{general}/messages/{theirs}"))[1]["code"] == 10008
    dm = (await rest("POST", "/users/@me/channels", {"recipient_id": scene.blake.user_id}))[1]["id"]
    await posted(rest, dm, "psst")
    said = (await scene.blake.say("what?", channel=dm))["id"]
    assert (await rest("DELETE", f"/channels/{dm}/messages/{said}"))[1]["code"] == 50003


async def test_several_messages_are_deleted_at_once(scene, rest) -> None:
    general = scene.guild["general_channel_id"]
    manage = VIEW | SEND | int(Permission.MANAGE_MESSAGES | Permission.READ_MESSAGE_HISTORY)
    await scene.setup("POST", f"/guilds/{scene.guild['id']}/bot", permissions=str(manage))
    ids = [one["id"] for one in await posted(rest, general, "1", "2", "3")]
    path = f"/channels/{general}/messages/bulk-delete"
    assert (await rest("POST", path, {"messages": ids[:1]}))[1]["code"] == 50035
    assert (await rest("POST", path, {"messages": [*ids[:2], "1"]}))[0] == 204
    assert [one["content"] for one in (await rest("GET", f"/channels/{general}/messages"))[1]] == ["3"]


async def test_pins_are_listed_the_newest_first_and_told_of(scene, rest) -> None:
    general = scene.guild["general_channel_id"]
    pins = VIEW | SEND | int(Permission.PIN_MESSAGES | Permission.READ_MESSAGE_HISTORY)
    await scene.setup("POST", f"/guilds/{scene.guild['id']}/bot", permissions=str(pins))
    one, two = await posted(rest, general, "1", "2")
    for message in (one, two, one):
        scene.server.clock.advance(1)
        assert (await rest("PUT", f"/channels/{general}/messages/pins/{message['id']}"))[0] == 204
    listed = (await rest("GET", f"/channels/{general}/messages/pins"))[1]
    assert [item["message"]["content"] for item in listed["items"]] == ["2", "1"]
    page = (await rest("GET", f"/channels/{general}/messages/pins?limit=1"))[1]
    assert page["has_more"]
    before = page["items"][0]["pinned_at"].replace("+", "%2B")
    older = (await rest("GET", f"/channels/{general}/messages/pins?before={before}"))[1]
    assert [item["message"]["content"] for item in older["items"]] == ["1"]
    told = [m for m in (await rest("GET", f"/channels/{general}/messages"))[1] if m["type"] == 6]
    assert [m["message_reference"]["message_id"] for m in told] == [two["id"], one["id"]], "pinned twice is told once"
    assert (await rest("PUT", f"/channels/{general}/messages/pins/{told[0]['id']}"))[1]["code"] == 50021
    assert (await rest("DELETE", f"/channels/{general}/messages/pins/{two['id']}"))[0] == 204
    left = (await rest("GET", f"/channels/{general}/messages/pins"))[1]
    assert [item["message"]["content"] for item in left["items"]] == ["1"]


async def test_a_channel_has_250_pins_at_most(scene, rest) -> None:
    general = scene.guild["general_channel_id"]
    pins = VIEW | SEND | int(Permission.PIN_MESSAGES | Permission.READ_MESSAGE_HISTORY)
    await scene.setup("POST", f"/guilds/{scene.guild['id']}/bot", permissions=str(pins))
    (message,) = await posted(rest, general, "one more")
    for number in range(250):
        stored = scene.server.world.message(general, message["id"])
        copy = replace(stored, id=str(number + 1), pinned_at="2026-01-01T00:00:00+00:00")
        scene.server.world.messages[general][copy.id] = copy
    assert (await rest("PUT", f"/channels/{general}/messages/pins/{message['id']}"))[1]["code"] == 30003


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
async def test_what_one_person_alone_sees_is_no_message_for_the_bot_to_fetch(live, rest, method: str) -> None:
    shown = await live.blake.command("secret")
    general = live.guild["general_channel_id"]
    message = shown["message"]["id"]
    body = {"content": "x"} if method == "PATCH" else None
    assert (await rest(method, f"/channels/{general}/messages/{message}", body))[1]["code"] == 10008


async def test_a_file_that_an_embed_shows_is_listed_with_the_embed_alone(scene, rest) -> None:
    general = scene.guild["general_channel_id"]
    body = {
        "embeds": [{"title": "Map", "image": {"url": "attachment://map.png"}}],
        "attachments": [{"id": 0}, {"id": 1}],
    }
    files = {"map.png": b"png", "notes.txt": b"x"}
    shown = (await rest("POST", f"/channels/{general}/messages", body, files=files))[1]
    assert [one["filename"] for one in shown["attachments"]] == ["notes.txt"]
    assert shown["embeds"][0]["image"]["url"].endswith("map.png")
    assert "attachment_id" not in shown["embeds"][0]["image"]


# --- emojis of the application: uploaded, named, shown, and refused where they are not there --------------------------
def png(side: int = 8, noise: int = 0) -> bytes:
    data = BytesIO()
    Image.new("RGBA", (side, side), (255, 0, 0, 255)).save(data, "PNG")
    return data.getvalue() + bytes(noise)


def image(data: bytes) -> str:
    return f"data:image/png;base64,{b64encode(data).decode()}"


@pytest.fixture
def all_of(scene) -> str:
    return f"/applications/{scene.server.world.application_id}/emojis"


async def test_one_is_made_listed_renamed_and_deleted(scene, rest, all_of: str) -> None:
    status, made = await rest("POST", all_of, {"name": "pin_1", "image": image(png())})
    assert (status, made["name"], made["user"]["id"]) == (201, "pin_1", scene.server.world.bot_id)
    assert (await rest("GET", all_of))[1] == {"items": [made]}
    one = f"{all_of}/{made['id']}"
    assert (await rest("GET", one))[1] == made
    assert (await rest("PATCH", one, {"name": "pin_2"}))[1]["name"] == "pin_2"
    async with aiohttp.ClientSession() as session:
        address = f"{scene.server.url}/cdn/emojis/{made['id']}.png"
        async with session.get(address) as answer:
            assert (answer.status, answer.content_type, await answer.read()) == (200, "image/png", png())
        assert (await rest("DELETE", one))[0] == 204
        async with session.get(address) as answer:
            assert answer.status == 404
    assert (await rest("GET", one))[1]["code"] == 10014
    assert (await rest("DELETE", one))[0] == 404
    assert (await rest("GET", "/applications/1/emojis"))[1]["code"] == 10002


@cases("body, where, code", "", made="body")
async def test_what_discord_refuses(rest, all_of: str, body: dict[str, str], where: str, code: str) -> None:
    await rest("POST", all_of, {"name": "taken", "image": image(png())})
    status, answer = await rest("POST", all_of, body)
    assert (status, answer["code"], paths(answer["errors"])) == (400, 50035, {where: code})


async def test_two_thousand_are_enough(rest, all_of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.playground.discord_api.emojis.MOST", 1)
    await rest("POST", all_of, {"name": "one", "image": image(png())})
    assert (await rest("POST", all_of, {"name": "two", "image": image(png())}))[1]["code"] == 30008


async def test_a_button_with_one_that_is_not_there_is_refused(scene, rest, all_of: str) -> None:
    made = (await rest("POST", all_of, {"name": "pin_1", "image": image(png())}))[1]
    channel = f"/channels/{scene.guild['general_channel_id']}/messages"

    def body(emoji_id: str) -> dict[str, object]:
        emoji = {"id": emoji_id, "name": "pin_1"}
        button = {"type": 2, "style": 1, "custom_id": "a", "label": "Why?", "emoji": emoji}
        option = {"label": "A6", "value": "a", "emoji": emoji}
        menu = {"type": 3, "custom_id": "b", "options": [option]}
        return {"content": "x", "components": [{"type": 1, "components": [one]} for one in (button, menu)]}

    status, message = await rest("POST", channel, body(made["id"]))
    assert status == 200
    assert message["components"][0]["components"][0]["emoji"]["id"] == made["id"]
    answer = (await rest("POST", channel, body("77")))[1]
    assert (answer["code"], paths(answer["errors"])) == (
        50035,
        {"components.emoji.id": "BUTTON_COMPONENT_INVALID_EMOJI"},
    )
    assert (await rest("PATCH", f"{channel}/{message['id']}", body("77")))[0] == 400


async def test_they_are_there_again_after_a_restart(reopen) -> None:
    async with await reopen() as server:
        made = server.world.application_id
        client = discord.Client(intents=discord.Intents.none())
        await client.login("playground-token")
        first = await Exit(client).create_emoji("pin_1", png())
        await client.close()
    async with await reopen() as server:
        assert [(one.id, one.name) for one in server.world.emojis.values()] == [(str(first.id), "pin_1")]
        assert server.world.application_id == made


async def test_the_bot_keeps_its_signs_there(scene) -> None:
    """With the real client, whose words about refusals the bot reads."""
    client = discord.Client(intents=discord.Intents.none())
    await client.login("playground-token")
    exit_, signs = Exit(client), Signs()
    client.signs = signs  # type: ignore[attr-defined]

    async def never(_: object, seconds: float) -> None:
        raise AssertionError(f"a wait of {seconds} s")

    keeper = SignKeeper(exit_, signs, Drawing().sign, never)
    keeper.pause = 0.0
    scene.server.limiter._config.route_limits["POST /applications/{application_id}/emojis"] = (100, 1.0)
    await keeper._look()
    assert len(scene.server.world.emojis) == len(SIGNS) == len(signs.ids)
    gone = scene.server.world.emojis[str(signs.ids["pin_1"])]
    scene.server.world.remove(gone)
    from bot.delivery.compose import view_of
    from bot.delivery.prepared import Message
    from bot.records.components import Card

    button = {"type": "button", "id": "b", "label": "Why?", "style": "primary", "disabled": False, "sign": "pin_1"}
    message = Message("x", view=view_of(Card("x", ((button,),))))
    posted = await exit_.post(int(scene.guild["general_channel_id"]), message, "n")
    there = scene.server.world.messages[scene.guild["general_channel_id"]][str(posted)]
    assert there.components[0]["components"][0]["label"] == "❶ Why?"
    assert signs.lost.is_set()
    await client.close()
