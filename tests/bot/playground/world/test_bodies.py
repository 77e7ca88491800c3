"""Discord's limits for messages, each defect under its path."""

from __future__ import annotations

from typing import Any

import pytest

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
