"""Showing cards: in the message that was used if it is the caller's own, else to the caller alone."""

from typing import Any

import discord

from bot.cards.cards import prompt_card
from bot.cards.prompts.orders import orders_card
from bot.delivery.compose import message_of
from bot.delivery.composing.making import Audience
from bot.delivery.exit import edit_answer, reply, update_message
from bot.delivery.prepared import Attachment, Message
from bot.errors import Sorry
from bot.orders.find_prompt import PromptFinder
from bot.orders.open_prompt import Answer, OpenPrompt, PlayedOn
from bot.records.campaigns import CampaignInfo
from bot.records.components import Card
from bot.records.prompts import PromptCopy
from rules_engine.core.knowledge.views import SideView

Interaction = discord.Interaction[Any]


async def drawn_message(
    interaction: Interaction, card: Card, campaign: CampaignInfo, *, in_channel: bool = False
) -> Message:
    """A card of a campaign with its files, for the caller alone or (``in_channel``) for all who see where they pressed.

    Its maps show what the side sees now.
    """
    return (await _drawn(interaction, card, campaign, in_channel=in_channel))[0]


async def _drawn(
    interaction: Interaction,
    card: Card,
    campaign: CampaignInfo,
    *,
    in_channel: bool,
    in_haste: bool = False,
    seen: SideView | None = None,
    theme: str | None = None,
) -> tuple[Message, bool]:
    """The same, and whether its pictures are current; ``in_haste`` they may lack what the side saved last. ``seen`` is
    what the caller's side sees and ``theme`` that of the caller's maps, where those have just been looked up."""
    if not card.files:
        return message_of(card), True
    client = interaction.client
    audience = Audience(interaction.user.id)
    if in_channel:
        here = await client.services.campaigns.places(campaign.id, [interaction.channel_id or 0])
        audience = Audience(place=next(iter(here), ""))
    if theme is None:
        theme = await client.services.seats.map_themes.of(campaign, interaction.user.id)
    made = await client.files.made(card.files, campaign.id, audience, theme, in_haste=in_haste, seen=seen)
    return message_of(card, made.files, made.notes), made.current


async def _answer(interaction: Interaction, card: Card, prompt: OpenPrompt, *, update: bool) -> None:
    """Show a card at once, with pictures as they are at hand; those that must be drawn come a moment later."""
    in_channel = update and not is_callers_own(interaction)
    campaign, seen = prompt.campaign, prompt.view
    message, current = await _drawn(
        interaction, card, campaign, in_channel=in_channel, in_haste=True, seen=seen, theme=prompt.theme
    )
    pressed = interaction.message if update else None
    is_kept = pressed is not None and interaction.guild_id is None and not pressed.flags.ephemeral
    if pressed is not None and is_kept and pressed.id not in prompt.copies:
        copy = PromptCopy(pressed.channel.id, pressed.id, interaction.user.id)
        await interaction.client.services.orders.prompts.stands_in(prompt.token, copy)
    if not current and pressed is not None:
        current = await interaction.client.services.orders.pictures.to(prompt, card, pressed.id)
    title = "" if in_channel else prompt.named
    message = message.titled(title)
    await (update_message if update else reply)(interaction, message)
    shown = message.layout

    async def bring() -> None:
        later, _ = await _drawn(interaction, card, campaign, in_channel=in_channel)
        if shown is not None:
            await edit_answer(interaction, later.titled(title), instead_of=shown)

    # Of several answers that somebody asks for at once the last one gets its picture.
    interaction.client.late.put(interaction.user.id if pressed is None else pressed.id, None if current else bring)


def forged() -> Sorry:
    """The answer to an id that this bot cannot have sent."""
    return Sorry("This is not something I offered. `/orders show` shows your sheets as they are.", code="forged")


def is_callers_own(interaction: Interaction) -> bool:
    """Whether the pressed message is seen by the caller alone: a direct message, or an answer for their eyes only."""
    message = interaction.message
    return message is not None and (interaction.guild_id is None or message.flags.ephemeral)


async def show(
    interaction: Interaction, answer: Answer, *, prompts: PromptFinder | None = None, page: int = 0, find: str = ""
) -> None:
    """Show a prompt's card, or that play has gone on: in the message that was used, or to the caller alone.

    A message in a channel is changed only when it is known (by ``prompts``) as one of this prompt's copies, so that a
    forged press on any other message cannot lay a sheet open there.
    """
    if isinstance(answer, PlayedOn):
        # The card's message in a channel is left to the outbox, which closes it for everybody.
        message = Message(answer.text)
        await (update_message if is_callers_own(interaction) else reply)(interaction, message)
        return
    card = prompt_card(answer.state, page=page, find=find) if page or find else answer.card
    pressed = interaction.message
    update = is_callers_own(interaction)
    if not update and pressed is not None and prompts is not None:
        update = pressed.id in answer.copies or await prompts.is_copy(answer.token, pressed.id)
    await _answer(interaction, card, answer, update=update)


async def show_orders(interaction: Interaction, prompt: OpenPrompt, page: int) -> None:
    """A page of the whole sheet: in the message that was used if it is the caller's own, else to the caller alone."""
    message = message_of(orders_card(prompt.state, page))
    await (update_message if is_callers_own(interaction) else reply)(interaction, message)


async def send_sheet(interaction: Interaction, prompt: OpenPrompt) -> None:
    """The whole sheet as a file, for the caller alone."""
    text = (
        f"Here is **{prompt.ask.title}** as it stands. Edit the file and send it back with `/orders upload`, or "
        "paste it into “Write them”. Lines that you leave out stay as they are."
    )
    await reply(interaction, Message(text, files=(Attachment("orders.txt", prompt.text().encode()),)))
