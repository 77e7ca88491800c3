"""What passes between discord.py and the playground keeps to Discord's published description, in both directions."""

from __future__ import annotations

import asyncio
import copy
import io
from dataclasses import asdict
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.discord_address import point_client_at
from bot.playground import PlaygroundConfig, PlaygroundServer, Seat, serve
from tests.bot.playground.ready import ReadyClient
from tests.contract.openapi import ENVIRONMENT, Contract, description_path
from tests.patience import PATIENCE

DESCRIPTION = description_path()
pytestmark = pytest.mark.skipif(
    DESCRIPTION is None, reason=f"Discord's OpenAPI description is not here: set {ENVIRONMENT} to its path"
)

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001"
    "a5f645400000000049454e44ae426082"
)


@pytest.fixture(scope="module")
def contract() -> Contract:
    assert DESCRIPTION is not None
    return Contract(DESCRIPTION)


def picture(name: str = "map.png") -> discord.File:
    return discord.File(io.BytesIO(PIXEL), name, description="A map of one hex")


class Everything(ReadyClient):
    """A client whose commands use every route that the project uses."""

    def __init__(self) -> None:
        super().__init__()
        self.tree = app_commands.CommandTree(self)
        self.done = asyncio.Event()

    async def setup_hook(self) -> None:
        tree = self.tree
        group = app_commands.Group(name="war", description="A group")

        @group.command(description="Answers with all kinds of things")
        @app_commands.choices(size=[app_commands.Choice(name="Small", value=1)])
        async def show(
            interaction: discord.Interaction, word: str, size: int = 1, paper: discord.Attachment | None = None
        ) -> None:
            view = discord.ui.View(timeout=None)
            view.add_item(discord.ui.Button(label="Press", custom_id="p", emoji="⚓"))
            view.add_item(discord.ui.Button(label="Read", url="https://example.org/rules"))
            view.add_item(discord.ui.UserSelect(custom_id="u", placeholder="Who"))
            embed = discord.Embed(title="Turn 1", description="Go", colour=0x123456, timestamp=discord.utils.utcnow())
            embed.add_field(name="Side", value="Blue").set_footer(text="f").set_author(name="a")
            embed.set_image(url="attachment://map.png")
            await interaction.response.send_message("shown", embed=embed, view=view, file=picture())
            await interaction.edit_original_response(content="edited")
            extra = await interaction.followup.send("more", ephemeral=True, wait=True)
            await extra.edit(content="changed")
            await extra.delete()
            await interaction.original_response()
            await interaction.delete_original_response()
            self.done.set()

        @show.autocomplete("word")
        async def word(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
            return [app_commands.Choice(name="Word", value="word")]

        @tree.command(description="Opens a form")
        async def form(interaction: discord.Interaction) -> None:
            modal = discord.ui.Modal(title="Form", custom_id="f1")
            modal.add_item(discord.ui.Label(text="Text", component=discord.ui.TextInput(custom_id="t")))
            modal.add_item(
                discord.ui.Label(text="File", component=discord.ui.FileUpload(custom_id="x", required=False))
            )
            modal.add_item(discord.ui.TextDisplay("Mind the gap"))
            await interaction.response.send_modal(modal)

        @tree.command(description="A layout")
        async def layout(interaction: discord.Interaction) -> None:
            view = discord.ui.LayoutView(timeout=None)
            section = discord.ui.Section(
                "**Map**", accessory=discord.ui.Button(label="Zoom", custom_id="z", style=discord.ButtonStyle.primary)
            )
            gallery = discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://map.png", description="A map"))
            view.add_item(discord.ui.Container(section, discord.ui.Separator(), gallery, accent_colour=0x00FF00))
            view.add_item(discord.ui.File("attachment://map.png"))
            await interaction.response.send_message(view=view, file=picture(), ephemeral=True)

        tree.add_command(group)
        await tree.sync()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if interaction.type is discord.InteractionType.component:
            await interaction.response.defer()
            self.done.set()
        elif interaction.type is discord.InteractionType.modal_submit:
            await interaction.response.send_message("thanks", ephemeral=True)


async def by_hand(client: Everything, guild_id: int, person_id: int) -> None:
    """Everything that a bot does of its own accord: roles, channels, overwrites, messages, pins, threads, DMs."""
    guild = client.get_guild(guild_id)
    assert guild is not None
    role = await guild.create_role(name="Blue", mentionable=True)
    await role.edit(colour=discord.Colour(0x0000FF))
    member = await guild.fetch_member(person_id)
    await member.add_roles(role)
    await member.remove_roles(role)
    overwrites = {
        guild.default_role: discord.PermissionOverwrite(view_channel=False),
        role: discord.PermissionOverwrite(view_channel=True),
        guild.me: discord.PermissionOverwrite(view_channel=True, send_messages=True),
    }
    category = await guild.create_category("Campaign", overwrites=overwrites)
    channel = await guild.create_text_channel("blue", category=category, topic="Plots")
    await channel.edit(topic="Secret plots")
    await channel.set_permissions(member, view_channel=True)
    await channel.set_permissions(member, overwrite=None)
    await guild.fetch_channels()
    message = await channel.send("hello", nonce="n1", allowed_mentions=discord.AllowedMentions.none())
    await message.edit(content="hello again", attachments=[picture("other.png")])
    await message.reply("a reply")
    await channel.fetch_message(message.id)
    await message.pin()
    assert [pin.id async for pin in channel.pins()] == [message.id]
    await message.unpin()
    assert len([entry async for entry in channel.history(limit=50)]) >= 2
    thread = await channel.create_thread(name="Battle", type=discord.ChannelType.private_thread, invitable=False)
    await thread.send("set up")
    await thread.edit(archived=True, locked=True)
    await thread.edit(archived=False, locked=False)
    open_thread = await message.create_thread(name="Talk")
    await open_thread.join()
    await guild.active_threads()
    dm = await member.create_dm()
    note = await dm.send("a private word", file=picture())
    await note.delete()
    await thread.delete()
    with pytest.raises(discord.NotFound):
        await client.fetch_channel(1)
    with pytest.raises(discord.HTTPException):
        await channel.send("x" * 2001)
    await channel.delete()
    await role.delete()
    emoji = await client.create_application_emoji(name="pin_1", image=PIXEL)
    assert [one.id for one in await client.fetch_application_emojis()] == [emoji.id]
    signed = discord.ui.View(timeout=None)
    signed.add_item(discord.ui.Button(label="Why?", custom_id="w", emoji=emoji))
    await dm.send(f"{emoji} Kiel", view=signed)
    await emoji.edit(name="pin_2")
    await emoji.delete()
    await client.application_info()
    await client.fetch_user(person_id)


async def act(client: Everything, seat: Seat) -> None:
    """What a person does with the commands."""
    await seat.complete("war show", "word", "w")
    await seat.command("war show", word="word", size=1, paper={"file": {"name": "a.txt", "base64": "YQ=="}})
    await asyncio.wait_for(client.done.wait(), PATIENCE)
    layout = (await seat.command("layout"))["message"]
    client.done.clear()
    assert (await seat.press(layout, label="Zoom"))["outcome"] == "deferred_update"
    await asyncio.wait_for(client.done.wait(), PATIENCE)
    opened = await seat.command("form")
    assert (await seat.fill_modal(opened["modal"], t="x"))["message"]["content"] == "thanks"


async def session() -> PlaygroundServer:
    """A whole scripted session; the server's recorder holds its traffic."""
    async with await serve(PlaygroundConfig(first_answer_within=PATIENCE)) as server:
        point_client_at(server.url)
        person = server.setup.create_user({"name": "ada"})
        guild = server.setup.create_guild({"name": "Harbour", "owner_id": person["id"]})
        server.world.commit()
        client = Everything()
        task = asyncio.create_task(client.start("playground-token"))
        async with Seat(server.url, person["id"], channel=guild["general_channel_id"]) as seat:
            await asyncio.wait_for(client.ready.wait(), PATIENCE)
            await by_hand(client, int(guild["id"]), int(person["id"]))
            await act(client, seat)
            await seat.request("POST", "/test/rate_limit", {"count": 1, "retry_after": 0.05})
            await client.fetch_user(int(person["id"]))
        await client.close()
        await task
        return server


async def test_a_whole_session_keeps_to_the_description(contract: Contract) -> None:
    exchanges = [asdict(exchange) for exchange in (await session()).recorder.exchanges]
    defects = [defect for exchange in exchanges for defect in contract.check(exchange)]
    assert defects == []
    routes = {f"{exchange['method']} {exchange['route']}" for exchange in exchanges}
    assert len(routes) >= 41
    assert {exchange["status"] for exchange in exchanges} >= {200, 201, 204, 400, 404, 429}


def exchange(**changes: Any) -> dict[str, Any]:
    body: dict[str, Any] = {
        "method": "POST",
        "route": "/channels/{channel_id}/messages",
        "path": "/api/v10/channels/5/messages",
        "query": {},
        "request": {"content": "hello", "nonce": "n"},
        "files": [],
        "status": 400,
        "response": {"message": "Invalid Form Body", "code": 50035},
    }
    return copy.deepcopy(body) | changes


def test_the_check_finds_what_is_wrong(contract: Contract) -> None:
    assert contract.check(exchange()) == []
    (missing,) = contract.check(exchange(response={"message": "no code"}))
    assert "'code' is a required property" in missing
    assert any("status 302" in text for text in contract.check(exchange(status=302, response=None)))
    assert contract.check(exchange(route="/channels/{channel_id}/telegrams")) == [
        "POST /channels/{channel_id}/telegrams: not in the description"
    ]
    wrong = contract.check(exchange(status=200, request={"content": 5}, response={"id": 7}))
    assert any("request $.content" in text for text in wrong)
    assert any("'author' is a required property" in text for text in wrong)
    assert any("$.id: 7 is not of type 'string'" in text for text in wrong)
