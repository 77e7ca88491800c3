"""What the page's scripts believe of the seat API's JSON (`seat_api.d.ts`) is what the server sends."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.playground import Seat
from tests.bot.playground.page.scene import PageScene, chart

pytestmark = pytest.mark.asyncio(loop_scope="session")

HERE = Path(__file__).parent
TYPES = HERE.parents[3] / "bot/playground/seat_api.js"

#: Events of every kind but `hello` and `reload`, which come to a new window only, and what changes a server.
EVENTS = {
    "message_create",
    "message_update",
    "message_delete",
    "channel_create",
    "channel_update",
    "channel_delete",
    "pins_update",
    "interaction",
    "interaction_failed",
    "modal",
    "modal_closed",
    "unread",
}


class Layout(discord.ui.LayoutView):
    """A component of every kind that a message lays out."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        look = discord.ui.Button[Any](label="Look", custom_id="look", emoji="🌑")
        self.add_item(
            discord.ui.Container(
                discord.ui.TextDisplay("**Turn 3**"),
                discord.ui.Separator(),
                discord.ui.Section(discord.ui.TextDisplay("Blue to plot"), accessory=look),
                discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://map.png", description="the map")),
                discord.ui.File("attachment://orders.txt"),
                accent_colour=0xE69F00,
            )
        )


async def play(scene: PageScene) -> dict[str, list[Any]]:
    """Use the playground in every way that its page shows; what Blake's seat was sent, by the name of its type."""
    general = scene.channels["general"]
    place = await scene.bot.fetch_channel(int(general))
    assert isinstance(place, discord.TextChannel)
    async with Seat(scene.server.url, scene.users["blake"], channel=general) as blake:
        said = await blake.say("the **order** of the day")
        controls = (await blake.command("controls"))["message"]
        opened = await blake.press(controls, label="Write orders")
        await blake.request("POST", "modal_dismiss", {"interaction_id": opened["modal"]["interaction_id"]})
        await blake.press(controls, label="Write orders")
        await blake.press(controls, label="Deaf", wait=False)
        scene.server.clock.advance(scene.server.config.first_answer_within + 1)
        mapped = await blake.command("map")
        files = [chart(), discord.File(HERE / "scene.py", "orders.txt")]
        await place.send(view=Layout(), files=files)
        pinned = await place.send("pinned", reference=await place.fetch_message(int(said["id"])))
        await pinned.pin()
        thread = await pinned.create_thread(name="Battle of 0412")
        await thread.send("come here")
        await thread.edit(archived=True)
        await (await place.send("a slip")).delete()
        await (await place.send("a draft")).edit(content="done")
        await (await scene.bot.fetch_user(int(scene.users["blake"]))).send("a word in private")
        await thread.delete()
        state = await blake.state()
        await blake.wait_for_event(lambda event: event["type"] == "channel_delete")
        return {
            "State": [state],
            "Message": [message for channel in blake_channels(state) for message in await blake.messages(channel)],
            "Answer": [opened, mapped],
            "SeatEvent": blake.events,
        }


def blake_channels(state: dict[str, Any]) -> list[str]:
    """The ids of all channels in a state that hold messages."""
    channels = [*state["dms"], *(channel for guild in state["guilds"] for channel in guild["channels"])]
    return [channel["id"] for channel in channels if channel["kind"] != "category"]


def complaints(tmp_path: Path, sent: dict[str, list[Any]]) -> str:
    """What TypeScript says of values that are passed where one of these types is wanted."""
    lines = [f'import type {{ {", ".join(sent)} }} from "{os.path.relpath(TYPES, tmp_path)}";']
    for kind, values in sent.items():
        # A type parameter lets a value hold more than the page reads, but neither less nor anything else.
        lines.append(f"function is{kind}<Sent extends {kind}>(sent: Sent): void {{ void sent; }}")
        lines += [f"is{kind}({json.dumps(value)});" for value in values]
    script = tmp_path / "sent.ts"
    script.write_text("\n".join(lines), encoding="utf-8")
    run = subprocess.run(
        [
            HERE / "node_modules/.bin/tsc",
            "--noEmit",
            "--strict",
            "--target",
            "es2023",
            "--module",
            "esnext",
            "--moduleResolution",
            "bundler",
            "--types",
            "",
            script,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode == 0) == (run.stdout == ""), run.stderr
    return run.stdout


@pytest.mark.skipif(not (HERE / "node_modules/.bin/tsc").exists(), reason="no TypeScript here (make page-check)")
async def test_what_the_server_sends_is_what_the_page_believes(scene: PageScene, tmp_path: Path) -> None:
    sent = await play(scene)
    assert {event["type"] for event in sent["SeatEvent"]} >= EVENTS
    assert complaints(tmp_path, sent) == ""
    spoilt = json.loads(json.dumps(sent["State"][0]))
    spoilt["guilds"][0]["channels"][0]["kind"] = "forum"
    assert '"forum"' in complaints(tmp_path, {"State": [spoilt]})
