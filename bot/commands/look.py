"""``/forces``, ``/dossier``, ``/log``: what the caller may know, from a view and from nothing else."""

from discord import app_commands

from bot.cards.dossiers.card import dossier_card
from bot.cards.dossiers.seen import ALL
from bot.cards.forces_pages import forces_card
from bot.commands.context import (
    UsualAnswer,
    campaign_here,
    chosen,
    command,
    offers,
    own_campaigns,
    services_of,
)
from bot.delivery.compose import message_of
from bot.delivery.exit import reply
from bot.interactions.campaign_cards import log_card
from bot.interactions.forces_presses import forces_message, missions_button
from bot.interactions.guard import answers
from bot.interactions.showing import Interaction


@command(name="forces", description="Your side's forces and what it knows of others")
@app_commands.describe(
    about="Only what speaks of this: a name, a contact or a hex",
    campaign="Which campaign, if you are in several",
)
@app_commands.autocomplete(campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def forces(
    interaction: Interaction,
    about: app_commands.Range[str, 1, 60] | None = None,
    campaign: str | None = None,
) -> None:
    """List the forces."""
    found = await campaign_here(interaction, campaign)
    view = await services_of(interaction).queries.views.of_side(found.id, interaction.user.id)
    card = None if about else forces_card(found.id, view)
    message = message_of(card) if card else forces_message(view, about or "")
    await reply(interaction, message)


@offers
async def opponents(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """Of whom the caller's side may know something: all sides but its own, and outsiders."""
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    others = await services_of(interaction).queries.dossiers.others(found.id, interaction.user.id)
    return [(name, owner) for owner, name in others.items()]


@command(name="dossier", description="What your side knows of another: from where, how old, how sure")
@app_commands.describe(side="Of whom; all of them if you name none", campaign="Which campaign, if you are in several")
@app_commands.autocomplete(side=opponents, campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def dossier(
    interaction: Interaction, side: app_commands.Range[str, 1, 60] | None = None, campaign: str | None = None
) -> None:
    """Open the dossiers."""
    found = await campaign_here(interaction, campaign)
    seen = await services_of(interaction).queries.dossiers.of_side(found.id, interaction.user.id)
    place = seen.place_of(side) if side else ALL
    await reply(interaction, message_of(dossier_card(seen, place, missions=await missions_button(interaction, seen))))


@command(name="log", description="What your side was told")
@app_commands.describe(page="Which page; the newest comes first if you name none", campaign="Which campaign")
@app_commands.autocomplete(campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def show_log(
    interaction: Interaction, page: app_commands.Range[int, 1, 10_000] | None = None, campaign: str | None = None
) -> None:
    """Tell again what was told."""
    found = await campaign_here(interaction, campaign)
    log = services_of(interaction).queries.told_again
    shown = await log.page(found.id, interaction.user.id, page - 1 if page else None)
    await reply(interaction, message_of(log_card(found.id, shown)))
