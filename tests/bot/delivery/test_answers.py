"""Direct answers to interactions: for the caller's eyes, whole, without pings, without state in discord.py."""

from typing import Any

import discord
from simcord.backend.models import Message as Stored

from bot.delivery import exit as way_out
from bot.delivery.compose import view_of
from bot.delivery.prepared import Attachment, Message
from bot.records.components import Card
from tests.bot.delivery.world import World

CARD = Card("Plot.", (({"type": "button", "id": "p|tok|go|", "label": "Go", "style": "primary", "disabled": False},),))


async def pressed(world: World, answer: Any) -> Any:
    """Ann presses the button in her channel, and ``answer`` handles it; gives what came of it."""

    async def on_interaction(interaction: discord.Interaction[Any]) -> None:
        await answer(interaction)

    world.env.bot.on_interaction = on_interaction  # type: ignore[attr-defined]
    await world.post("side:alliance", "Plot.", card=CARD)
    await world.deliver()
    channel = await world.place("side:alliance")
    handle = next(one for one in world.guild.channels.values() if one.id == channel)
    (message,) = handle.history()
    return await world.ann.click(message, custom_id="p|tok|go|")


async def test_a_reply_is_for_the_caller_only(world: World) -> None:
    result = await pressed(world, lambda i: way_out.reply(i, Message(f"Saved. <@{world.leo.id}>")))
    assert result.response.content.startswith("Saved.")
    assert result.response.ephemeral


async def test_a_long_reply_comes_whole_and_every_part_is_for_the_caller_only(world: World) -> None:
    text = "\n".join(f"line {n} {'x' * 60}" for n in range(60))
    message = Message(text, files=(Attachment("full.txt", b"all"),), view=view_of(CARD))
    result = await pressed(world, lambda i: way_out.reply(i, message))
    parts = [result.response, *result.followups]
    assert len(parts) > 1
    assert all(part.ephemeral for part in parts)
    assert "\n".join(part.content for part in parts) == text


async def test_a_reply_after_a_defer_is_a_followup_for_the_caller_only(world: World) -> None:
    async def answer(interaction: discord.Interaction[Any]) -> None:
        await way_out.defer(interaction)
        await way_out.reply(interaction, Message("Done."))

    result = await pressed(world, answer)
    said = [part for part in (result.response, *result.followups) if part and part.content == "Done."]
    assert [part.ephemeral for part in said] == [True]


async def test_a_pressed_message_is_replaced(world: World) -> None:
    await pressed(world, lambda i: way_out.update_message(i, Message("Saved.")))
    (message,) = world.messages_in(await world.place("side:alliance"))
    assert (message.content, message.components) == ("Saved.", [])


async def test_a_pressed_message_is_replaced_after_a_silent_defer(world: World) -> None:
    async def answer(interaction: discord.Interaction[Any]) -> None:
        await way_out.defer(interaction, update=True)
        await way_out.update_message(interaction, Message("Saved.", view=view_of(CARD)))

    await pressed(world, answer)
    (message,) = world.messages_in(await world.place("side:alliance"))
    assert isinstance(message, Stored)
    assert message.content == "Saved."
    assert message.components


async def test_neither_views_nor_modals_are_kept_by_the_client(world: World) -> None:
    """What discord.py keeps under a custom id could be answered by another user's form."""

    class Form(discord.ui.Modal, title="Plot"):
        answer: discord.ui.TextInput[Any] = discord.ui.TextInput(label="Where to?")

    await pressed(world, lambda i: way_out.open_modal(i, Form(custom_id="p|tok|modal")))
    store = world.env.bot._connection._view_store
    assert not store._modals
    assert not store._views
