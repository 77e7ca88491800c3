"""Menus of people, roles and channels, on messages and in forms; every kind of form field."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.playground.seats.seat import SeatRefusedError


def names(values: list[Any]) -> str:
    return ",".join(f"{type(value).__name__}:{value.name}" for value in values)


class Chooser(discord.ui.View):
    """One menu of each kind."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.select(cls=discord.ui.UserSelect, custom_id="user", max_values=2)
    async def user(self, interaction: discord.Interaction, select: discord.ui.UserSelect[Any]) -> None:
        await interaction.response.send_message(names(select.values))

    @discord.ui.select(cls=discord.ui.RoleSelect, custom_id="role")
    async def role(self, interaction: discord.Interaction, select: discord.ui.RoleSelect[Any]) -> None:
        await interaction.response.send_message(names(select.values))

    @discord.ui.select(cls=discord.ui.MentionableSelect, custom_id="both", max_values=2)
    async def both(self, interaction: discord.Interaction, select: discord.ui.MentionableSelect[Any]) -> None:
        await interaction.response.send_message(names(select.values))

    @discord.ui.select(
        cls=discord.ui.ChannelSelect, custom_id="channel", channel_types=[discord.ChannelType.text], min_values=0
    )
    async def channel(self, interaction: discord.Interaction, select: discord.ui.ChannelSelect[Any]) -> None:
        await interaction.response.send_message(names(select.values) or "none")


class Survey(discord.ui.Modal, title="Survey"):
    """Menus and boxes inside a form."""

    who = discord.ui.Label(text="Who", component=discord.ui.UserSelect(custom_id="who"))
    where = discord.ui.Label(text="Where", component=discord.ui.ChannelSelect(custom_id="where", required=False))
    boxes = discord.ui.Label(
        text="Boxes",
        component=discord.ui.CheckboxGroup(
            custom_id="boxes",
            required=False,
            options=[discord.CheckboxGroupOption(label=text, value=text.lower()) for text in ("One", "Two", "Three")],
        ),
    )
    hint = discord.ui.TextDisplay("Think twice")

    async def on_submit(self, interaction: discord.Interaction) -> None:
        def of(label: discord.ui.Label[Any]) -> Any:
            return label.component

        text = f"{names(of(self.who).values)} {names(of(self.where).values) or '-'} {of(self.boxes).values}"
        await interaction.response.send_message(text)


@pytest.fixture
async def choosing(scene):
    @scene.bot.tree.command(description="Shows menus")
    async def choose(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("choose", view=Chooser())

    @scene.bot.tree.command(description="Opens a survey")
    async def survey(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Survey())

    @scene.bot.tree.command(description="Opens a form too late")
    async def tardy(interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True)
        state = interaction.client._connection  # discord.py refuses by itself, so the raw route is taken
        keys = {"id": interaction.id, "token": interaction.token}
        route = discord.http.Route("POST", "/interactions/{id}/{token}/callback", **keys)
        form = {"type": 9, "data": {"custom_id": "x", "title": "x", "components": []}}
        with pytest.raises(discord.HTTPException) as refusal:
            await state.http.request(route, json=form)
        await interaction.followup.send(str(refusal.value.code))

    await scene.start_bot()
    return scene


async def test_people_roles_and_channels_reach_the_bot_as_objects(choosing) -> None:
    live = choosing
    role = await live.setup("POST", f"/guilds/{live.guild['id']}/roles", name="Blue")
    menu = (await live.blake.command("choose"))["message"]

    async def chosen(custom_id: str, *values: str) -> str:
        return (await live.blake.select(menu, *values, custom_id=custom_id))["message"]["content"]

    assert await chosen("user", live.ada.user_id, live.cleo.user_id) == "Member:ada,Member:cleo"
    assert await chosen("role", role["id"]) == "Role:Blue"
    assert await chosen("both", role["id"], live.cleo.user_id) in ("Role:Blue,Member:cleo", "Member:cleo,Role:Blue")
    assert await chosen("channel", live.guild["general_channel_id"]) == "AppCommandChannel:general"
    assert await chosen("channel") == "none"
    for custom_id, wrong in (("role", live.cleo.user_id), ("user", role["id"]), ("channel", "5")):
        with pytest.raises(SeatRefusedError) as refusal:
            await live.blake.select(menu, wrong, custom_id=custom_id)
        assert refusal.value.code == "invalid_option"
    with pytest.raises(SeatRefusedError, match="choose 1 to 1 different values"):
        await live.blake.select(menu, role["id"], role["id"], custom_id="role")


async def test_menus_and_boxes_in_a_form(choosing) -> None:
    live = choosing
    modal = (await live.blake.command("survey"))["modal"]
    assert [field["kind"] for field in modal["fields"]] == [
        "user_select",
        "channel_select",
        "checkbox_group",
        "display",
    ]
    answer = await live.blake.fill_modal(modal, by_label={"Boxes": ["One", "Three"]}, who=[live.cleo.user_id])
    assert answer["message"]["content"] == "Member:cleo - ['one', 'three']"


async def test_a_form_cannot_follow_a_deferral(choosing) -> None:
    answer = await choosing.blake.command("tardy")
    assert answer["outcome"] == "deferred"
    message = await choosing.blake.wait_for_message(lambda m: m["id"] == answer["message"]["id"] and not m["loading"])
    assert message["content"] == "40060"
