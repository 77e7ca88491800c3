"""A server with three people in it, and a real discord.py client that answers in every way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import discord
from discord import app_commands

from bot.playground import PlaygroundServer, Seat
from bot.playground.world.permissions import Permission
from tests.bot.playground.ready import ReadyClient
from tests.patience import PATIENCE

VIEW, SEND = int(Permission.VIEW_CHANNEL), int(Permission.SEND_MESSAGES)


class Pad(discord.ui.View):
    """Two buttons and a menu that show the ways of answering a press."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.button(label="Count", custom_id="count")
    async def count(self, interaction: discord.Interaction, button: discord.ui.Button[Any]) -> None:
        assert interaction.message is not None
        number = int(interaction.message.content.split()[-1]) + 1
        await interaction.response.edit_message(content=f"count {number}")

    @discord.ui.button(label="Off", custom_id="off", disabled=True)
    async def off(self, interaction: discord.Interaction, button: discord.ui.Button[Any]) -> None:
        raise AssertionError("a disabled button was pressed")

    @discord.ui.select(
        placeholder="Ship",
        custom_id="ship",
        options=[
            discord.SelectOption(label="Cruiser", value="ca"),
            discord.SelectOption(label="Destroyer", value="dd"),
        ],
    )
    async def ship(self, interaction: discord.Interaction, select: discord.ui.Select[Any]) -> None:
        await interaction.response.send_message(f"chosen {select.values[0]}", ephemeral=True)


class PlotModal(discord.ui.Modal, title="Plot"):
    """One field of every kind that a modal can hold five of."""

    course = discord.ui.Label(text="Course", component=discord.ui.TextInput(custom_id="course", max_length=20))
    speed = discord.ui.Label(
        text="Speed",
        component=discord.ui.Select(
            custom_id="speed",
            options=[discord.SelectOption(label="Slow", value="1"), discord.SelectOption(label="Fast", value="2")],
        ),
    )
    posture = discord.ui.Label(
        text="Posture",
        component=discord.ui.RadioGroup(
            custom_id="posture",
            options=[
                discord.RadioGroupOption(label="Cruise", value="cruise"),
                discord.RadioGroupOption(label="Silent", value="silent"),
            ],
        ),
    )
    sure = discord.ui.Label(text="Sure", component=discord.ui.Checkbox(custom_id="sure"))
    chart = discord.ui.Label(text="Chart", component=discord.ui.FileUpload(custom_id="chart", required=False))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        def of(label: discord.ui.Label[Any]) -> Any:
            return label.component

        files = [f"{entry.filename}={len(await entry.read())}" for entry in of(self.chart).values]
        values = [of(self.course).value, of(self.speed).values[0], of(self.posture).value, of(self.sure).value, *files]
        await interaction.response.send_message(" ".join(map(str, values)), ephemeral=True)


def add_commands(tree: app_commands.CommandTree[Any]) -> None:
    """The commands of the tests' bot."""

    @tree.command(description="Answers at once")
    async def ping(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("pong")

    @tree.command(description="Answers to the asker only")
    async def secret(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("for your eyes", ephemeral=True)

    @tree.command(description="Defers, then follows up")
    async def slow(interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await interaction.followup.send("first", ephemeral=True)
        await interaction.followup.send("second", ephemeral=True)

    @tree.command(description="Never answers")
    async def silent(interaction: discord.Interaction) -> None:
        await asyncio.Event().wait()

    @tree.command(description="Shows buttons")
    async def pad(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("count 0", view=Pad())

    @tree.command(description="Opens a form")
    async def form(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(PlotModal())

    @tree.command(description="Echoes typed options")
    @app_commands.describe(word="a word", number="a number", who="a person", paper="a file")
    async def echo(
        interaction: discord.Interaction,
        word: str,
        number: app_commands.Range[int, 1, 9] = 1,
        who: discord.Member | discord.User | None = None,
        paper: discord.Attachment | None = None,
    ) -> None:
        size = 0 if paper is None else len(await paper.read())
        await interaction.response.send_message(f"{word} {number} {who.name if who else '-'} {size}")

    @echo.autocomplete("word")
    async def word(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        known = ("alpha", "altair", "beta")
        return [app_commands.Choice(name=entry, value=entry) for entry in known if entry.startswith(current)]

    group = app_commands.Group(name="fleet", description="Fleet", guild_only=True)

    @group.command(description="Moves")
    async def move(interaction: discord.Interaction, to: str) -> None:
        await interaction.response.send_message(f"moved to {to}")

    tree.add_command(group)


class TestBot(ReadyClient):
    """The client."""

    __test__ = False

    def __init__(self) -> None:
        super().__init__()
        self.tree = app_commands.CommandTree(self)
        self.resumed = asyncio.Event()
        self.heard: list[str] = []

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Discord's pause before another IDENTIFY would only slow the tests."""

    async def setup_hook(self) -> None:
        add_commands(self.tree)
        await self.tree.sync()

    async def on_resumed(self) -> None:
        self.resumed.set()

    async def on_socket_event_type(self, name: str) -> None:
        self.heard.append(name)


@asynccontextmanager
async def running(client: discord.Client, token: str = "playground-token") -> AsyncIterator[discord.Client]:
    """A logged-in, connected client, closed afterwards."""
    task = asyncio.create_task(client.start(token))
    ready = asyncio.create_task(client.wait_until_ready() if not isinstance(client, TestBot) else client.ready.wait())
    try:
        await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE)
        if task.done():
            task.result()
        assert ready.done(), "the client never became ready"
        yield client
    finally:
        ready.cancel()
        await client.close()
        await asyncio.wait({task}, timeout=PATIENCE)
        task.cancel()


@dataclass
class Scene:
    """A playground with a guild: ada owns it, blake and cleo are members; the bot is in it with its usual role."""

    server: PlaygroundServer
    seats: dict[str, Seat]
    guild: dict[str, Any]
    stack: AsyncExitStack
    bot: TestBot = field(default_factory=TestBot)

    @property
    def ada(self) -> Seat:
        return self.seats["ada"]

    @property
    def blake(self) -> Seat:
        return self.seats["blake"]

    @property
    def cleo(self) -> Seat:
        return self.seats["cleo"]

    async def start_bot(self) -> TestBot:
        await self.stack.enter_async_context(running(self.bot))
        return self.bot

    async def setup(self, method: str, path: str, **body: Any) -> Any:
        return await self.ada.request(method, path, body)

    async def hidden_channel(self, *allowed: str) -> str:
        """A channel that only the named users (and the owner) see."""
        overwrites = [{"id": self.guild["id"], "type": 0, "allow": "0", "deny": str(VIEW)}]
        overwrites += [{"id": user, "type": 1, "allow": str(VIEW | SEND), "deny": "0"} for user in allowed]
        return (await self.setup("POST", f"/guilds/{self.guild['id']}/channels", name="hidden", overwrites=overwrites))[
            "id"
        ]


async def make_scene(server: PlaygroundServer, stack: AsyncExitStack) -> Scene:
    setup = server.setup
    users = {name: setup.create_user({"name": name}) for name in ("ada", "blake", "cleo")}
    guild = setup.create_guild({"name": "Harbour", "owner_id": users["ada"]["id"]})
    for name in ("blake", "cleo"):
        setup.add_member(guild["id"], {"user_id": users[name]["id"]})
    server.world.commit()
    seats = {
        name: await stack.enter_async_context(Seat(server.url, user["id"], channel=guild["general_channel_id"]))
        for name, user in users.items()
    }
    return Scene(server, seats, guild, stack)
