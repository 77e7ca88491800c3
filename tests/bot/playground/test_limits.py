"""Discord's sizes, nonces and rates."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground.discord_api.command_limits import check_commands
from bot.playground.world.errors import ApiError
from bot.playground.world.modals import check_modal
from tests.bot.playground.rest import paths


def button(**changes: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": "go", **changes}


def row(*components: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(components)}


def options(count: int) -> list[dict[str, Any]]:
    return [{"label": f"o{i}", "value": str(i)} for i in range(count)]


BAD_MESSAGES: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"content": "x" * 2001}, {"content": "BASE_TYPE_MAX_LENGTH"}),
    ({"content": "x", "flags": "loud"}, {"flags": "NUMBER_TYPE_COERCE"}),
    ({"embeds": [{"title": "x"}] * 11}, {"embeds": "BASE_TYPE_BAD_LENGTH"}),
    ({"embeds": [{"description": "x" * 3001}] * 2}, {"embeds": "MAX_EMBED_SIZE_EXCEEDED"}),
    ({"embeds": [{"title": "x" * 257}]}, {"embeds.0.title": "BASE_TYPE_MAX_LENGTH"}),
    ({"embeds": [{"fields": [{"name": "", "value": "v"}]}]}, {"embeds.0.fields.0.name": "BASE_TYPE_REQUIRED"}),
    ({"components": [row(button(custom_id=f"b{i}")) for i in range(6)]}, {"components": "BASE_TYPE_BAD_LENGTH"}),
    (
        {"components": [row(*(button(custom_id=f"b{i}") for i in range(6)))]},
        {"components.0.components": "COMPONENT_LAYOUT_WIDTH_EXCEEDED"},
    ),
    (
        {"components": [row(button(), button())]},
        {"components.0.components.1.custom_id": "COMPONENT_CUSTOM_ID_DUPLICATED"},
    ),
    (
        {"components": [row(button(label="x" * 81, custom_id="y" * 101))]},
        {
            "components.0.components.0.label": "BASE_TYPE_MAX_LENGTH",
            "components.0.components.0.custom_id": "BASE_TYPE_BAD_LENGTH",
        },
    ),
    (
        {"components": [row({"type": 3, "custom_id": "s", "options": options(26)})]},
        {"components.0.components.0.options": "BASE_TYPE_BAD_LENGTH"},
    ),
    ({"nonce": "x" * 26, "content": "x"}, {"nonce": "BASE_TYPE_BAD_LENGTH"}),
    ({"enforce_nonce": True, "content": "x"}, {"nonce": "BASE_TYPE_REQUIRED"}),
    (
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        {"allowed_mentions.parse": "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"},
    ),
    (
        {"content": "x", "flags": 1 << 15, "components": [{"type": 10, "content": "y"}]},
        {"content": "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"},
    ),
]


@pytest.mark.parametrize(
    ("body", "expected"), BAD_MESSAGES, ids=[next(iter(entry[1].values())) for entry in BAD_MESSAGES]
)
async def test_a_message_over_a_limit_is_50035_with_the_path(scene, rest, body, expected) -> None:
    status, answer = await rest("POST", f"/channels/{scene.guild['general_channel_id']}/messages", body)
    assert (status, answer["code"]) == (400, 50035)
    assert paths(answer["errors"]) == expected


async def test_the_limits_themselves_pass(scene, rest) -> None:
    body = {
        "content": "x" * 2000,
        "nonce": "n" * 25,
        "components": [
            row(*(button(custom_id=f"{r}.{b}".ljust(100, "x"), label="y" * 80) for b in range(5))) for r in range(4)
        ]
        + [row({"type": 3, "custom_id": "s", "options": options(25)})],
    }
    assert (await rest("POST", f"/channels/{scene.guild['general_channel_id']}/messages", body))[0] == 200


async def test_an_empty_message_is_50006_and_a_large_file_40005(scene, rest) -> None:
    path = f"/channels/{scene.guild['general_channel_id']}/messages"
    assert (await rest("POST", path, {}))[1]["code"] == 50006
    limit = scene.server.config.attachment_limit
    status, body = await rest("POST", path, {}, files={"big.bin": bytes(limit + 1)})
    assert (status, body["code"]) == (413, 40005)
    status, body = await rest(
        "POST", path, {"attachments": [{"id": 0, "description": "zeros"}]}, files={"fits.bin": bytes(limit)}
    )
    assert status == 200
    assert (body["attachments"][0]["size"], body["attachments"][0]["description"]) == (limit, "zeros")
    assert await scene.blake.read_file(body["attachments"][0]) == bytes(limit)


async def test_the_same_nonce_returns_the_same_message_for_five_minutes(scene, rest) -> None:
    path = f"/channels/{scene.guild['general_channel_id']}/messages"
    body = {"content": "once", "nonce": "n-1", "enforce_nonce": True}
    first = (await rest("POST", path, body))[1]
    again = (await rest("POST", path, body | {"content": "twice"}))[1]
    assert (again["id"], again["content"]) == (first["id"], "once")
    other = (await rest("POST", path, body | {"nonce": "n-2"}))[1]
    assert other["id"] != first["id"]
    scene.server.clock.advance(301)
    assert (await rest("POST", path, body))[1]["id"] not in (first["id"], other["id"])


async def test_a_bucket_runs_out_and_fills_again(scene, rest) -> None:
    path = f"/channels/{scene.guild['general_channel_id']}/messages"
    limit, window = scene.server.config.route_limits["POST /channels/{channel_id}/messages"]
    for left in range(limit - 1, -1, -1):
        assert (await rest("POST", path, {"content": "x"}))[0] == 200
        assert rest.headers["X-RateLimit-Remaining"] == str(left)
    status, body = await rest("POST", path, {"content": "x"})
    assert status == 429
    assert 0 < body["retry_after"] <= window
    assert not body["global"]
    assert rest.headers["Via"]
    assert rest.headers["Content-Type"] == "application/json"
    scene.server.clock.advance(window)
    assert (await rest("POST", path, {"content": "x"}))[0] == 200


async def test_fifty_requests_a_second_in_all(scene, rest) -> None:
    scene.server.clock.monotonic = lambda: 1000.0
    answers = [await rest("GET", f"/users/{scene.blake.user_id}") for _ in range(40)]
    answers += [await rest("GET", "/users/@me") for _ in range(11)]
    assert [status for status, _ in answers] == [200] * 50 + [429]
    assert answers[-1][1]["global"]


async def test_channels_a_category_holds_fifty(scene, rest) -> None:
    guild = scene.guild["id"]
    category = await scene.setup("POST", f"/guilds/{guild}/channels", name="full", kind="category")
    for i in range(50):
        await scene.setup("POST", f"/guilds/{guild}/channels", name=f"c{i}", parent_id=category["id"])
    status, body = await rest("POST", f"/guilds/{guild}/channels", {"name": "c50", "parent_id": category["id"]})
    assert (status, body["code"]) == (400, 50035)
    assert paths(body["errors"]) == {"parent_id": "CHANNEL_PARENT_MAX_CHANNELS"}


def command(**changes: Any) -> dict[str, Any]:
    return {"name": "go", "description": "Goes", **changes}


def sub(name: str) -> dict[str, Any]:
    return {"type": 1, "name": name, "description": "s"}


BAD_COMMANDS: list[tuple[dict[str, Any], dict[str, str]]] = [
    (command(name="Go"), {"0.name": "APPLICATION_COMMAND_INVALID_NAME"}),
    (command(name="x" * 33), {"0.name": "BASE_TYPE_BAD_LENGTH"}),
    (command(description=""), {"0.description": "BASE_TYPE_REQUIRED"}),
    (command(options=[sub(f"s{i}") for i in range(26)]), {"0.options": "BASE_TYPE_BAD_LENGTH"}),
    (
        command(
            options=[
                {"type": 3, "name": "a", "description": "a"},
                {"type": 3, "name": "b", "description": "b", "required": True},
            ]
        ),
        {"0.options.1.required": "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"},
    ),
    (
        command(
            options=[
                {
                    "type": 3,
                    "name": "a",
                    "description": "a",
                    "choices": [{"name": f"{i}", "value": f"{i}"} for i in range(26)],
                }
            ]
        ),
        {"0.options.0.choices": "BASE_TYPE_BAD_LENGTH"},
    ),
    (
        # 25 subcommands of (2 + 100) characters in each of 4 groups: 10,200 and more
        command(
            options=[
                {
                    "type": 2,
                    "name": f"g{g}",
                    "description": "g",
                    "options": [{"type": 1, "name": f"s{i}", "description": "d" * 100} for i in range(25)],
                }
                for g in range(4)
            ]
        ),
        {"0": "APPLICATION_COMMAND_TOO_LARGE"},
    ),
]


@pytest.mark.parametrize(("body", "expected"), BAD_COMMANDS)
def test_a_command_over_a_limit(body, expected) -> None:
    with pytest.raises(ApiError) as refusal:
        check_commands([body])
    assert paths(refusal.value.errors or {}) == expected


def test_a_hundred_commands_and_no_more() -> None:
    check_commands([command(name=f"c{i}") for i in range(100)])
    with pytest.raises(ApiError) as refusal:
        check_commands([command(name=f"c{i}") for i in range(101)])
    assert refusal.value.code == 30032


def test_modals_are_limited() -> None:
    text = {"type": 18, "label": "L", "component": {"type": 4, "custom_id": "t", "style": 1}}
    with pytest.raises(ApiError) as refusal:
        check_modal({"custom_id": "m", "title": "x" * 46, "components": [text] * 6})
    assert paths(refusal.value.errors or {}) == {
        "data.title": "BASE_TYPE_BAD_LENGTH",
        "data.components": "BASE_TYPE_BAD_LENGTH",
    }
    with pytest.raises(ApiError) as refusal:
        check_modal({"custom_id": "m", "title": "x", "components": [text, text]})
    assert paths(refusal.value.errors or {}) == {
        "data.components.1.component.custom_id": "COMPONENT_CUSTOM_ID_DUPLICATED"
    }
