"""The record of the bot's requests."""

from __future__ import annotations

import json
from pathlib import Path

from bot.playground import PlaygroundConfig, serve
from tests.bot.playground.rest import Rest


async def test_the_request_log_holds_each_exchange(tmp_path: Path) -> None:
    log = tmp_path / "requests.jsonl"
    async with await serve(PlaygroundConfig(request_log=log)) as server:
        rest = Rest(server.url)
        await rest("GET", "/users/@me")
        await rest("POST", "/users/@me/channels", {"recipient_id": "1"})
        await rest.close()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("GET", "/users/@me", 200),
        ("POST", "/users/@me/channels", 400),
    ]
    assert lines[1]["request"] == {"recipient_id": "1"}
    assert lines[1]["response"]["code"] == 50033
