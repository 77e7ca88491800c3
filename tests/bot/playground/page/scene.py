"""A server for the tests of the page: two sides with a private channel each, and a bot that answers in every way."""

from __future__ import annotations

import io
from typing import Any

import discord
from discord import app_commands
from PIL import Image, ImageDraw

from bot.playground import PlaygroundServer
from tests.bot.playground.ready import ReadyClient

Json = dict[str, Any]
_VIEW = 1 << 10
FORCES = ("TF1 Lance", "TF2 Buckler", "TF3 Pennant")


def chart(width: int = 900, height: int = 600) -> discord.File:
    """A picture to post."""
    image = Image.new("RGB", (width, height), "#0b1020")
    pen = ImageDraw.Draw(image)
    for x in range(0, width, 60):
        for y in range(0, height, 60):
            pen.regular_polygon((x + 30 * (y // 60 % 2), y, 26), 6, outline="#26324f")
    pen.ellipse((400, 260, 440, 300), fill="#e69f00")
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    buffer.seek(0)
    return discord.File(buffer, "map.png", description="Blue's map: TF1 at 0412, one contact to the east.")


class Controls(discord.ui.View):
    """Every style of button, and menus."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.add_item(discord.ui.Button(label="Rules", url="https://example.org/rules"))

    @discord.ui.button(label="Count 0", style=discord.ButtonStyle.primary, custom_id="count")
    async def count(self, interaction: discord.Interaction, button: discord.ui.Button[Any]) -> None:
        assert button.label is not None
        button.label = f"Count {int(button.label.split()[1]) + 1}"
        await interaction.response.edit_message(view=self)

    @discord.ui.button(label="Write orders", style=discord.ButtonStyle.success, custom_id="orders")
    async def orders(self, interaction: discord.Interaction, button: discord.ui.Button[Any]) -> None:
        await interaction.response.send_modal(Orders())

    @discord.ui.button(label="Deaf", style=discord.ButtonStyle.danger, custom_id="deaf")
    async def deaf(self, interaction: discord.Interaction, button: discord.ui.Button[Any]) -> None:
        """Leaves the press unanswered."""

    @discord.ui.button(label="Closed", style=discord.ButtonStyle.secondary, custom_id="closed", disabled=True)
    async def closed(self, interaction: discord.Interaction, button: discord.ui.Button[Any]) -> None:
        raise AssertionError("a disabled button was pressed")

    @discord.ui.select(
        placeholder="Posture",
        custom_id="posture",
        options=[
            discord.SelectOption(label="Cruise", value="cruise", description="ordinary speed"),
            discord.SelectOption(label="Silent", value="silent", description="harder to find", emoji="🌑"),
        ],
    )
    async def posture(self, interaction: discord.Interaction, select: discord.ui.Select[Any]) -> None:
        await interaction.response.send_message(f"posture is {select.values[0]}", ephemeral=True)

    @discord.ui.select(
        placeholder="Task forces",
        custom_id="forces",
        min_values=1,
        max_values=2,
        options=[discord.SelectOption(label=name, value=name[:3]) for name in FORCES],
    )
    async def forces(self, interaction: discord.Interaction, select: discord.ui.Select[Any]) -> None:
        await interaction.response.send_message(f"chosen {' and '.join(sorted(select.values))}", ephemeral=True)

    @discord.ui.select(cls=discord.ui.UserSelect, placeholder="Ally", custom_id="ally")
    async def ally(self, interaction: discord.Interaction, select: discord.ui.UserSelect[Any]) -> None:
        await interaction.response.send_message(f"ally is {select.values[0].mention}", ephemeral=True)


class Orders(discord.ui.Modal, title="Orders of the day"):
    """A field of five kinds."""

    course = discord.ui.Label(
        text="Course",
        description="Hexes, one after another",
        component=discord.ui.TextInput(custom_id="course", min_length=4, max_length=20, placeholder="0412 0413"),
    )
    text = discord.ui.Label(
        text="Remarks",
        component=discord.ui.TextInput(
            custom_id="text", style=discord.TextStyle.paragraph, required=False, max_length=200
        ),
    )
    force = discord.ui.Label(
        text="Task force",
        component=discord.ui.Select(
            custom_id="force", options=[discord.SelectOption(label=name, value=name[:3]) for name in FORCES]
        ),
    )
    speed = discord.ui.Label(
        text="Speed",
        component=discord.ui.RadioGroup(
            custom_id="speed",
            options=[
                discord.RadioGroupOption(label="Slow", value="slow"),
                discord.RadioGroupOption(label="Fast", value="fast", description="twice the fuel"),
            ],
        ),
    )
    ready = discord.ui.Label(text="Ready at once", component=discord.ui.Checkbox(custom_id="ready"))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        def of(label: discord.ui.Label[Any]) -> Any:
            return label.component

        if of(self.text).value == "stay silent":
            return
        words = [of(self.force).values[0], of(self.course).value, of(self.speed).value, f"ready={of(self.ready).value}"]
        await interaction.response.send_message(f"orders taken: {', '.join(words)}", ephemeral=True)


def add_commands(tree: app_commands.CommandTree[Any]) -> None:
    """The bot's commands."""
    plot = app_commands.Group(name="plot", description="Plots of your side", guild_only=True)

    @plot.command(description="Hand in the plot of one task force")
    @app_commands.describe(
        task_force="One of yours",
        speed="Hexes an impulse",
        posture="How it moves",
        note="For your own eyes",
        sheet="A file",
    )
    @app_commands.choices(posture=[app_commands.Choice(name=name, value=name.lower()) for name in ("Cruise", "Silent")])
    async def submit(  # noqa: PLR0917 - discord.py passes the options by name
        interaction: discord.Interaction,
        task_force: str,
        speed: app_commands.Range[int, 0, 6],
        posture: app_commands.Choice[str],
        note: str = "",
        sheet: discord.Attachment | None = None,
    ) -> None:
        extra = "" if sheet is None else f", {sheet.filename} of {sheet.size} bytes"
        await interaction.response.send_message(
            f"plot kept: {task_force}, speed {speed}, {posture.value}{extra}", ephemeral=True
        )

    @submit.autocomplete("task_force")
    async def forces(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        fitting = [name for name in FORCES if current.lower() in name.lower()]
        return [app_commands.Choice(name=name, value=name[:3]) for name in fitting]

    @plot.command(description="Look at the plots handed in so far")
    async def review(interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await interaction.followup.send("nothing handed in yet", ephemeral=True)

    tree.add_command(plot)

    @tree.command(name="map", description="Show the map of your side")
    async def show_map(interaction: discord.Interaction) -> None:
        embed = discord.Embed(title="Turn 3, impulse 2", description="One **contact** east of 0412.", colour=0xE69F00)
        embed.add_field(name="Fuel", value="12 of 20")
        embed.add_field(name="Initiative", value="Blue")
        embed.set_footer(text="PQ-17")
        await interaction.response.send_message("Your map, as of now.", file=chart(), embed=embed)

    @tree.command(description="Buttons and menus")
    async def controls(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("What shall be done?", view=Controls())

    @tree.command(description="Never answers")
    async def deaf(interaction: discord.Interaction) -> None:
        """Leaves the command unanswered."""


class PageBot(ReadyClient):
    """The bot of that server."""

    def __init__(self) -> None:
        super().__init__()
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        add_commands(self.tree)
        await self.tree.sync()


class PageScene:
    """A server with its people and channels (their ids, by name), and the bot for it."""

    def __init__(self, server: PlaygroundServer, bot: PageBot) -> None:
        self.server = server
        self.bot = bot
        setup = server.setup
        cast = (("ada", "Ada", "#0072b2", "referee"), ("blake", "Blake", "#d55e00", "commander of Blue"))
        cast += (("cleo", "Cleo", "#009e73", "commander of Red"), ("eve", "Eve", "#7f7f7f", "spectator"))
        self.users: dict[str, str] = {}
        for name, display, color, note in cast:
            body = {"name": name, "display": display, "avatar_color": color, "note": note}
            self.users[name] = setup.create_user(body)["id"]
        guild = setup.create_guild({"name": "Star Harbour", "owner_id": self.users["ada"]})
        self.guild: str = guild["id"]
        self.channels: dict[str, str] = {"general": guild["general_channel_id"]}
        for name in ("blake", "cleo", "eve"):
            setup.add_member(self.guild, {"user_id": self.users[name]})
        campaign = setup.create_channel(self.guild, {"name": "The Long Night", "kind": "category"})["id"]
        for side, name, color in (("blue", "blake", 0x56B4E9), ("red", "cleo", 0xE8705A)):
            role = setup.create_role(self.guild, {"name": side.title(), "color": color, "mentionable": True})["id"]
            setup.edit_member(self.guild, self.users[name], {"roles": [role]})
            overwrites = [{"id": self.guild, "type": 0, "allow": "0", "deny": str(_VIEW)}]
            overwrites += [
                {"id": who, "type": 0, "allow": str(_VIEW), "deny": "0"} for who in (role, guild["bot_role_id"])
            ]
            body = {
                "name": f"{side}-bridge",
                "parent_id": campaign,
                "topic": f"{side.title()} only",
                "overwrites": overwrites,
            }
            self.channels[side] = setup.create_channel(self.guild, body)["id"]
        server.world.commit()

    def hash(self, seat: str, channel: str) -> str:
        """The part of the page's address that names a seat and a channel."""
        return f"#/{self.users[seat]}/{self.channels[channel]}"
