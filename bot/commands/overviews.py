"""``/economy`` and ``/plots``: what the side of the caller owns, place by place, with its budget as a file; and where
all that moves of it goes next."""

import discord
from discord import app_commands

from bot.cards.overviews.economy import economy_card
from bot.cards.overviews.plots import plots_card
from bot.commands.context import campaign_here, command, own_campaigns, services_of
from bot.commands.words import check_upload, orders_text
from bot.delivery.compose import message_of
from bot.delivery.exit import defer, reply
from bot.errors import Sorry
from bot.interactions.giving_back import WRITTEN
from bot.interactions.guard import answers
from bot.interactions.overviews.plots_presses import show_plots
from bot.interactions.showing import Interaction, show


@command(name="economy", description="What your side makes, stores and builds, and what it may lose; its budget")
@app_commands.describe(
    budget="Your budget as a text file: its good lines are taken, each other says what is wrong",
    campaign="Which campaign, if you are in several",
)
@app_commands.autocomplete(campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def show_economy(
    interaction: Interaction, budget: discord.Attachment | None = None, campaign: str | None = None
) -> None:
    """Show the economy, or take a budget."""
    services = services_of(interaction)
    found = await campaign_here(interaction, campaign)
    if budget is None:
        data = await services.queries.economy.of_side(found.id, interaction.user.id)
        await reply(interaction, message_of(economy_card(data)))
        return
    check_upload(budget.size)
    prompt = await services.queries.economy.budget(found.id, interaction.user.id)
    await defer(interaction)
    try:
        content = await budget.read()
    except discord.HTTPException:
        raise Sorry("Discord did not give me that file; send it again.", code="file-lost") from None
    check_upload(len(content))
    text = orders_text(content)
    interaction.extras[WRITTEN] = text
    filling = services.orders.filling
    taken = await filling.write_budget(prompt.token, interaction.user.id, text, interaction_id=interaction.id)
    await show(interaction, taken)


@command(name="plots", description="All that moves of your side by hex, and where each goes next")
@app_commands.describe(campaign="Which campaign, if you are in several")
@app_commands.autocomplete(campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def plots(interaction: Interaction, campaign: str | None = None) -> None:
    """Show the plots of the first open sheet that has any."""
    found = await campaign_here(interaction, campaign)
    prompts = await services_of(interaction).orders.prompts.open_prompts(found.id, interaction.user.id)
    for prompt in prompts:
        if plots_card(prompt.state, prompt.draft) is not None:
            await show_plots(interaction, prompt)
            return
    raise Sorry("Nothing of your side is asked where it goes now; `/orders show` shows what is open.", code="no-sheet")
