"""The bot to compare with: discord.py, and nothing behind it. It gives fixed answers of the same size and shape.

python -m tests.bench.bare_bot URL TOKEN ANSWERS.json
"""

import asyncio
import json
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import discord
from discord import app_commands

from bot.discord_address import point_client_at

Json = dict[str, Any]


def view_of(components: list[Json]) -> discord.ui.View:
    """Rows of buttons and menus as they came over the wire."""
    view = discord.ui.View(timeout=None)
    for number, row in enumerate(components):
        for one in row["components"]:
            view.add_item(_button(one, number) if one["type"] == 2 else _menu(one, number))
    view.stop()
    return view


def _button(one: Json, row: int) -> discord.ui.Button[Any]:
    style = discord.ButtonStyle(one["style"])
    return discord.ui.Button(custom_id=one["custom_id"], label=one["label"], style=style, row=row)


def _menu(one: Json, row: int) -> discord.ui.Select[Any]:
    options = [
        discord.SelectOption(label=each["label"], value=each["value"], description=each.get("description"))
        for each in one["options"]
    ]
    return discord.ui.Select(custom_id=one["custom_id"], placeholder=one.get("placeholder"), options=options, row=row)


def modal_of(fields: list[Json]) -> discord.ui.Modal:
    """A form with these fields."""
    modal = discord.ui.Modal(title="Form", custom_id="form", timeout=None)
    for one in fields:
        control: discord.ui.Item[Any]
        if one["kind"] == "string_select":
            options = [discord.SelectOption(label=each["label"], value=each["value"]) for each in one["options"]]
            least, most = one.get("min_values", 1), one.get("max_values", 1)
            required = bool(one.get("required", True))
            control = discord.ui.Select(
                custom_id=one["custom_id"], options=options, min_values=least, max_values=most, required=required
            )
        elif one["kind"] == "radio_group":
            radio = [discord.RadioGroupOption(label=each["label"], value=each["value"]) for each in one["options"]]
            control = discord.ui.RadioGroup(custom_id=one["custom_id"], options=radio)
        else:
            control = discord.ui.TextInput(custom_id=one["custom_id"], default=one.get("value"), required=False)
        modal.add_item(discord.ui.Label(text=one["label"], component=control))
    modal.stop()
    return modal


class Blocks(discord.ui.LayoutView):
    """A frame of blocks as it came over the wire, with the pictures that it shows."""

    def __init__(self, answer: Json) -> None:
        super().__init__(timeout=None)
        self.stop()
        self._sent: list[Json] = answer["components"]
        self.files = [discord.File(BytesIO(bytes(one["size"])), one["filename"]) for one in answer["files"]]

    def to_components(self) -> list[Json]:
        """As they are sent."""
        return self._sent

    def has_components_v2(self) -> bool:
        """Always."""
        return True


def said(answer: Json, files: str) -> Json:
    """The options that give an answer of this text, these components and files of these sizes."""
    if answer.get("is_layout"):
        blocks = Blocks(answer)
        return {"content": None, "view": blocks, **({files: blocks.files} if blocks.files else {})}
    view = {"view": view_of(answer["components"])} if answer["components"] else {}
    return {"content": answer["content"], **view}


class BareBot(discord.Client):
    """Commands that say something, a panel with components, and a form."""

    def __init__(self, answers: dict[str, Json]) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None, chunk_guilds_at_startup=False)
        self._answers = answers
        self.tree = app_commands.CommandTree(self)
        for name in answers:
            self.tree.add_command(self._command(name))

    def _command(self, name: str) -> app_commands.Command[Any, ..., None]:
        async def say(interaction: discord.Interaction) -> None:
            answer = self._answers[name]
            await interaction.response.send_message(**said(answer, "files"), ephemeral=name != "panel")

        return app_commands.Command(name=name, description="Say something", callback=say)

    async def setup_hook(self) -> None:
        """Register the commands."""
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Menus open the form; buttons and the form change the panel."""
        if interaction.type not in {discord.InteractionType.component, discord.InteractionType.modal_submit}:
            return
        data: Json = dict(interaction.data or {})
        panel = self._answers["panel"]
        if data.get("values"):
            await interaction.response.send_modal(modal_of(panel["fields"]))
            return
        # The pictures stay, as Plotroom's do while nothing on them changes.
        await interaction.response.edit_message(**said({**panel, "files": []}, "attachments"))


async def main(url: str, token: str, answers: dict[str, Json]) -> None:
    """Run until stopped."""
    point_client_at(url)
    async with BareBot(answers) as bot:
        await bot.start(token)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], json.loads(Path(sys.argv[3]).read_text(encoding="utf-8"))))
