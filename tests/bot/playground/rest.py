"""A bare REST client with the bot's token, for what discord.py would not send."""

from __future__ import annotations

import io
import json
from typing import Any

import aiohttp


class Rest:
    """`answer = await rest("POST", "/channels/1/messages", {...})` gives (status, JSON)."""

    def __init__(self, url: str, token: str = "playground-token") -> None:
        self._session = aiohttp.ClientSession(headers={"Authorization": f"Bot {token}"})
        self._base = f"{url}/api/v10"
        self.headers: dict[str, str] = {}

    async def __call__(
        self, method: str, path: str, body: Any = None, files: dict[str, bytes] | None = None
    ) -> tuple[int, Any]:
        data: Any = None
        headers: dict[str, str] = {}
        if files is not None:
            data = aiohttp.FormData(quote_fields=False)
            data.add_field("payload_json", json.dumps(body or {}), content_type="application/json")
            for i, (name, content) in enumerate(files.items()):
                data.add_field(
                    f"files[{i}]", io.BytesIO(content), filename=name, content_type="application/octet-stream"
                )
        elif body is not None:
            data = json.dumps(body)
            headers["Content-Type"] = "application/json"
        async with self._session.request(method, self._base + path, data=data, headers=headers) as response:
            self.headers = dict(response.headers)
            text = await response.text()
            return response.status, json.loads(text) if text else None

    async def close(self) -> None:
        await self._session.close()


def paths(errors: dict[str, Any], prefix: str = "") -> dict[str, str]:
    """A nested `errors` object as {path: first code}."""
    found: dict[str, str] = {}
    for key, entry in errors.items():
        if key == "_errors":
            found[prefix.rstrip(".")] = entry[0]["code"]
        else:
            found |= paths(entry, f"{prefix}{key}.")
    return found
