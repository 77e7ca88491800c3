"""``/letter``, ``/letters``: what one side writes to another."""

from discord import app_commands

from bot.commands.context import (
    UsualAnswer,
    campaign_here,
    chosen,
    command,
    offers,
    offers_found,
    own_campaigns,
    services_of,
)
from bot.delivery.compose import message_of
from bot.delivery.exit import defer, open_modal, reply
from bot.delivery.prepared import Message
from bot.interactions.guard import answers
from bot.interactions.letters.presses import write_modal
from bot.interactions.showing import Interaction
from bot.letters.cards import sent_text
from bot.letters.corresponding import Writing
from bot.letters.names import ALL, MOST_TYPED
from bot.records.campaign_settings import LONGEST_LETTER

MOST_OFFERED = 25


@offers_found
async def receivers(interaction: Interaction, typed: str) -> list[UsualAnswer]:
    """The sides that the caller may write to; of several the last is completed."""
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    others = await services_of(interaction).letters.writing.receivers(found.id, interaction.user.id)
    before, comma, last = typed.rpartition(",")
    named = f"{before.strip()}, " if comma else ""
    everybody = [(f"{ALL} of them", ALL)] if len(others) > 1 and not comma else []
    known = [(f"{named}{name}", f"{named}{name}") for name in others.values() if name not in before]
    wanted = last.strip().casefold()
    return [one for one in (*known, *everybody) if wanted in one[0].rpartition(",")[2].casefold()][:MOST_OFFERED]


@offers
async def partners(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """The sides whose letters the caller may read."""
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    known = await services_of(interaction).letters.reading.partners(found.id, interaction.user.id)
    return [(name, name) for name in known.values()]


@command(name="letter", description="Write to another side in private; without text a form opens")
@app_commands.describe(
    to="To which side; to several with commas, each gets a copy and learns of no other",
    text="What you write; without it a form opens, which takes several lines",
    campaign="Which campaign, if you are in several",
)
@app_commands.autocomplete(to=receivers, campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def letter(
    interaction: Interaction,
    to: app_commands.Range[str, 1, MOST_TYPED],
    text: app_commands.Range[str, 1, LONGEST_LETTER] | None = None,
    campaign: str | None = None,
) -> None:
    """Write a letter."""
    await _write(interaction, to, text, campaign, "new")


async def _write(interaction: Interaction, to: str, text: str | None, wanted: str | None, verb: str) -> None:
    found = await campaign_here(interaction, wanted)
    writing = services_of(interaction).letters.writing
    sides = await writing.named(found.id, interaction.user.id, to)
    if text is None:
        most = found.settings.letter_length
        await open_modal(interaction, write_modal(found.id, sides, found.side_names, verb, most))
        return
    await defer(interaction)
    sent = await writing.write(found.id, interaction.user.id, sides, Writing(text), interaction_id=interaction.id)
    await reply(interaction, Message(sent_text(sent, found.side_names)))


@command(name="letters", description="What your side has written to others, and they to you")
@app_commands.describe(other="Only those with this side", campaign="Which campaign, if you are in several")
@app_commands.rename(other="with")
@app_commands.autocomplete(other=partners, campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def letters(
    interaction: Interaction,
    other: app_commands.Range[str, 1, 100] | None = None,
    campaign: str | None = None,
) -> None:
    """List the letters."""
    found = await campaign_here(interaction, campaign, only_in_play=False)
    card = await services_of(interaction).letters.reading.page(found.id, interaction.user.id, of=other or "")
    await reply(interaction, message_of(card))
