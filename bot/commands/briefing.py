"""``/brief``: what a commander should know, with the map."""

from discord import app_commands

from bot.commands.context import campaign_here, command, own_campaigns, services_of
from bot.delivery.exit import defer, reply
from bot.interactions.guard import answers
from bot.interactions.showing import Interaction, drawn_message


@command(name="brief", description="What your side is to do, how one wins, your forces, and what the letters stand for")
@app_commands.describe(campaign="Which campaign, if you are in several")
@app_commands.autocomplete(campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def brief(interaction: Interaction, campaign: str | None = None) -> None:
    """Tell it again, as it stands now."""
    services = services_of(interaction)
    found = await campaign_here(interaction, campaign)
    briefed = await services.queries.views.briefing(found.id, interaction.user.id)
    await defer(interaction)
    await reply(interaction, await drawn_message(interaction, briefed.card, briefed.campaign))
