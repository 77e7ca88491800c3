"""What a seat does with commands, buttons, menus and forms, through discord.py and back."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.playground.seats.seat import SeatRefusedError, file


async def test_a_command_is_answered_in_public(live) -> None:
    answer = await live.blake.command("ping")
    assert answer["outcome"] == "message"
    assert (answer["message"]["content"], answer["message"]["command_line"]) == ("pong", "/ping")
    assert answer["message"]["command_user"]["display"] == "Blake"
    assert 0 < answer["t_callback"] - answer["t_dispatch"] < 3e9
    assert [m["content"] for m in await live.cleo.messages()] == ["pong"]


async def test_an_ephemeral_answer_is_seen_by_its_reader_only(live) -> None:
    assert (await live.blake.command("secret"))["message"]["ephemeral"]
    assert [m["content"] for m in await live.blake.messages()] == ["for your eyes"]
    assert await live.cleo.messages() == []
    assert await live.ada.messages() == []
    await live.cleo.command("ping")
    await live.cleo.wait_for_message(lambda m: m["content"] == "pong")
    assert [e for e in live.cleo.events if e["type"] == "message_create" and e["message"]["ephemeral"]] == []


async def test_the_first_follow_up_fills_the_deferred_answer(live) -> None:
    assert (await live.blake.command("slow"))["outcome"] == "deferred"
    await live.blake.wait_for_message(lambda m: m["content"] == "second")
    found = [(m["content"], m["ephemeral"], m["loading"]) for m in await live.blake.messages()]
    assert found == [("first", True, False), ("second", True, False)]


async def test_an_action_without_an_answer_fails_when_its_time_is_over(live) -> None:
    started = await live.blake.command("silent", wait=False)
    half = live.server.config.first_answer_within / 2
    await live.ada.request("POST", "/test/clock", {"advance": half})
    await live.blake.state()  # time for what was told to come
    assert not [e for e in live.blake.events if e["type"] == "interaction_failed"]
    await live.ada.request("POST", "/test/clock", {"advance": half})
    event = await live.blake.wait_for_event(lambda e: e["type"] == "interaction_failed")
    assert (event["interaction_id"], event["text"]) == (started["interaction_id"], "The application did not respond")


async def test_a_button_updates_its_message_for_all(live) -> None:
    pad = (await live.blake.command("pad"))["message"]
    answer = await live.cleo.press(pad, label="Count")
    assert answer["outcome"] == "update"
    assert answer["message"]["content"] == "count 1"
    again = await live.blake.wait_for_message(lambda m: m["content"] == "count 1")
    assert (await live.blake.press(again, custom_id="count"))["message"]["content"] == "count 2"


async def test_a_disabled_button_refuses(live) -> None:
    pad = (await live.blake.command("pad"))["message"]
    with pytest.raises(SeatRefusedError) as refusal:
        await live.blake.press(pad, label="Off")
    assert refusal.value.code == "disabled"


async def test_nobody_presses_what_they_cannot_see(live) -> None:
    hidden = (await live.blake.command("secret"))["message"]
    body = {"channel_id": hidden["channel_id"], "message_id": hidden["id"], "custom_id": "x"}
    with pytest.raises(SeatRefusedError) as refusal:
        await live.cleo.request("POST", "press", body)
    assert refusal.value.code == "unknown_message"


async def test_a_menu_takes_only_its_options(live) -> None:
    pad = (await live.blake.command("pad"))["message"]
    assert (await live.blake.select(pad, "Destroyer"))["message"]["content"] == "chosen dd"
    with pytest.raises(SeatRefusedError) as refusal:
        await live.blake.select(pad, "battleship")
    assert refusal.value.code == "invalid_option"


async def test_a_form_with_every_kind_of_field(live) -> None:
    opened = await live.blake.command("form")
    assert opened["outcome"] == "modal"
    modal = opened["modal"]
    kinds = [field["kind"] for field in modal["fields"]]
    assert kinds == ["text", "string_select", "radio_group", "checkbox", "file_upload"]
    assert (await live.blake.state())["modals"][0]["interaction_id"] == modal["interaction_id"]
    chart = [file("chart.txt", b"12345")]
    answer = await live.blake.fill_modal(modal, course="0412", speed=["Fast"], posture="silent", sure=True, chart=chart)
    assert answer["message"]["content"] == "0412 2 silent True chart.txt=5"
    assert (await live.blake.state())["modals"] == []
    with pytest.raises(SeatRefusedError) as refusal:
        await live.blake.fill_modal(modal, course="again")
    assert refusal.value.code == "unknown_modal"


async def test_a_form_is_checked_before_it_is_sent(live) -> None:
    modal = (await live.blake.command("form"))["modal"]
    with pytest.raises(SeatRefusedError, match="Course: must have 0 to 20 characters"):
        await live.blake.fill_modal(modal, course="x" * 21, speed=["1"], posture="silent")
    with pytest.raises(SeatRefusedError, match="Posture: must be one of cruise, silent"):
        await live.blake.fill_modal(modal, course="1", speed=["1"], posture="loud")
    with pytest.raises(SeatRefusedError) as refusal:
        await live.cleo.fill_modal(modal, course="1", speed=["1"], posture="silent")
    assert refusal.value.code == "unknown_modal"


async def test_options_of_all_kinds_reach_the_bot(live) -> None:
    paper = {"file": file("orders.bin", b"\x00" * 1000)}
    answer = await live.blake.command("echo", word="hi", number=7, who=live.cleo.user_id, paper=paper)
    assert answer["message"]["content"] == "hi 7 cleo 1000"
    with pytest.raises(SeatRefusedError, match="number: must be from 1 to 9"):
        await live.blake.command("echo", word="hi", number=10)
    with pytest.raises(SeatRefusedError, match="needs word"):
        await live.blake.command("echo")
    with pytest.raises(SeatRefusedError, match="no option sword"):
        await live.blake.command("echo", word="hi", sword=1)


async def test_completions(live) -> None:
    choices = await live.blake.complete("echo", "word", "al")
    assert choices == [{"name": "alpha", "value": "alpha"}, {"name": "altair", "value": "altair"}]


async def test_subcommands_and_where_they_are_offered(live) -> None:
    assert (await live.blake.command("fleet move", to="0412"))["message"]["content"] == "moved to 0412"
    state = await live.blake.state()
    assert "fleet move" in [entry["path"] for entry in state["guilds"][0]["commands"]]
    assert "fleet move" not in [entry["path"] for entry in state["dm_commands"]]
    dm = await live.blake.open_dm(live.server.world.bot_id)
    assert (await live.blake.command("ping", channel=dm["id"]))["message"]["content"] == "pong"
    with pytest.raises(SeatRefusedError) as refusal:
        await live.blake.command("fleet move", channel=dm["id"], to="0412")
    assert refusal.value.code == "unknown_command"


# --- menus of people, roles and channels, on messages and in forms; every kind of form field --------------------------
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
    found = [field["kind"] for field in modal["fields"]]
    assert found == ["user_select", "channel_select", "checkbox_group", "display"]
    answer = await live.blake.fill_modal(modal, by_label={"Boxes": ["One", "Three"]}, who=[live.cleo.user_id])
    assert answer["message"]["content"] == "Member:cleo - ['one', 'three']"


async def test_a_form_cannot_follow_a_deferral(choosing) -> None:
    answer = await choosing.blake.command("tardy")
    assert answer["outcome"] == "deferred"
    message = await choosing.blake.wait_for_message(lambda m: m["id"] == answer["message"]["id"] and not m["loading"])
    assert message["content"] == "40060"


# --- the seat API's own checks ----------------------------------------------------------------------------------------
async def test_unknown_keys_are_all_named(scene) -> None:
    with pytest.raises(SeatRefusedError, match="unknown keys: colour, size"):
        await scene.ada.request("POST", "/users", {"name": "zoe", "size": 1, "colour": 2})
