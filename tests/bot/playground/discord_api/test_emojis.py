"""Emojis of the application: uploaded, named, shown, and refused where they are not there."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO

import aiohttp
import discord
import pytest
from PIL import Image

from bot.delivery.drawing import Drawing
from bot.delivery.exit import Exit
from bot.delivery.signs.keeper import SignKeeper
from bot.delivery.signs.table import Signs
from bot.records.signs.catalogue import SIGNS
from tests.bot.playground.rest import paths


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


@pytest.mark.parametrize(
    ("body", "where", "code"),
    [
        ({"name": "a", "image": image(png())}, "name", "BASE_TYPE_BAD_LENGTH"),
        ({"name": "a" * 33, "image": image(png())}, "name", "BASE_TYPE_BAD_LENGTH"),
        ({"name": "a-b", "image": image(png())}, "name", "STRING_TYPE_REGEX"),
        ({"name": "taken", "image": image(png())}, "name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN"),
        ({"image": image(png())}, "name", "BASE_TYPE_REQUIRED"),
        ({"name": "ab"}, "image", "BASE_TYPE_REQUIRED"),
        ({"name": "ab", "image": "data:image/png;base64,AAAA"}, "image", "IMAGE_INVALID"),
        ({"name": "ab", "image": "https://example.org/a.png"}, "image", "IMAGE_INVALID"),
        ({"name": "ab", "image": image(png(noise=256 * 1024))}, "image", "BINARY_TYPE_MAX_SIZE"),
    ],
)
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
