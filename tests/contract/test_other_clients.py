"""Clients of Discord that others wrote do with the playground what they do with Discord."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.playground import PlaygroundConfig, PlaygroundServer, Seat, serve
from bot.playground.world.model import Message
from tests.checkout import ROOT
from tests.contract.test_openapi import PIXEL
from tests.patience import PATIENCE

HERE = Path(__file__).parent / "clients"
NODE, PYTHON = shutil.which("node"), ROOT / "build" / "clients" / "bin" / "python"
COMMANDS: dict[str, list[str] | None] = {
    "discord.js": [NODE, str(HERE / "discord_js.js")] if NODE and (HERE / "node_modules/discord.js").is_dir() else None,
    "oceanic.js": [NODE, str(HERE / "oceanic.js")] if NODE and (HERE / "node_modules/oceanic.js").is_dir() else None,
    "hikari": [str(PYTHON), str(HERE / "hikari_client.py")] if PYTHON.exists() else None,
}
TOKEN = f"{base64.b64encode(b'1456074443980800000').decode()}.GplayG.ground-of-tests"
"""hikari takes no token of another form than Discord's."""


@dataclass
class Bot:
    """A bot of another library beside the playground, and what it has said."""

    server: PlaygroundServer
    process: asyncio.subprocess.Process
    seat: Seat
    guild_id: str
    person_id: str
    said: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])

    async def says(self, what: str) -> dict[str, Any]:
        """Wait until it has said something."""
        assert self.process.stdout is not None
        while what not in self.said:
            line = await asyncio.wait_for(self.process.stdout.readline(), PATIENCE)
            assert line, f"it ended before it said {what}"
            one = json.loads(line)
            self.said[one["what"]] = one
        return self.said[what]

    def messages(self, channel: str) -> list[Message]:
        """What stands in the channel of this name."""
        world = self.server.world
        (found,) = (one for one in world.channels.values() if one.name == channel)
        return list(world.messages[found.id].values())


@pytest.fixture(params=COMMANDS)
async def bot(request: pytest.FixtureRequest) -> AsyncIterator[Bot]:
    """Each of them, started."""
    command = COMMANDS[request.param]
    if command is None:
        pytest.skip(f"{request.param} is not installed here: make clients")
    async with AsyncExitStack() as stack:
        config = PlaygroundConfig(token=TOKEN, first_answer_within=PATIENCE)
        server = await stack.enter_async_context(await serve(config))
        person = server.setup.create_user({"name": "ada"})
        guild = server.setup.create_guild({"name": "Harbour", "owner_id": person["id"]})
        server.world.commit()
        seat = await stack.enter_async_context(Seat(server.url, person["id"], channel=guild["general_channel_id"]))
        given = (server.url, TOKEN, guild["id"], person["id"], base64.b64encode(PIXEL).decode())
        process = await asyncio.create_subprocess_exec(
            *command,
            *given,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=sys.stderr,
            env={**os.environ, "NO_COLOR": "1"},
        )
        assert process.stdin is not None
        try:
            yield Bot(server, process, seat, guild["id"], person["id"])
            process.stdin.close()
            assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def test_it_does_by_itself_what_it_does_on_discord(bot: Bot):
    assert (await bot.says("commands"))["names"] == ["count", "form"]
    places = await bot.says("places")
    assert (places["found"], places["guilds"]) == ([bot.person_id], ["Harbour"])
    assert places["holders"] in (1, None), "not every client asks who holds which role"
    message = await bot.says("message")
    assert (message["listed"], message["pinned"]) == (["map.png"], True)
    layout = await bot.says("layout")
    assert layout["listed"] == 0, "files that blocks show are listed nowhere else"
    assert layout["media"].endswith("/map.png")
    if layout["refused"] is not None:  # None where a client names no file that it does not send
        assert "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND" in layout["refused"]
    edited = await bot.says("layout edited")
    assert edited["media"] == layout["attachment"], "the picture was not sent again"
    gone = await bot.says("deleted at once")
    assert gone["ids"] == gone["sent"]
    thread = await bot.says("thread")
    assert thread["archived"]
    assert len(thread["page"]) == 1
    await bot.says("done")
    contents = [one.content for one in bot.messages("blue") if one.type == 0]
    assert contents == ["hello again", ""]
    kept = [one["filename"] for one in bot.messages("blue")[-1].attachments]
    assert kept == (["map.png", "orders.txt"] if edited["keeps"] else [])
    assert [one.content for one in bot.messages("Battle")] == ["Set up"]
    assert all(one.status != 404 for one in bot.server.recorder.exchanges), "it asked for what is not there"


async def test_people_use_its_commands_buttons_and_forms(bot: Bot):
    await bot.says("done")
    offered = await bot.seat.complete("count", "place", "h")
    assert [one["value"] for one in offered] == ["harbour"]
    counted = (await bot.seat.command("count", place="harbour"))["message"]
    assert counted["content"] == "count 0 harbour"
    assert (await bot.seat.press(counted, label="More"))["message"]["content"] == "count 1"
    opened = await bot.seat.command("form")
    thanked = await bot.seat.fill_modal(opened["modal"], words="steady")
    assert thanked["outcome"].startswith("deferred")
    followed = await bot.seat.wait_for_message(lambda one: one["content"] == "and more")
    assert followed["ephemeral"]
