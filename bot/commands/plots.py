"""``/plots``: all that moves of the caller's side, by hex, with menus of where it goes next."""

from discord import app_commands

from bot.cards.overviews.plots import plots_card
from bot.commands.context import campaign_here, command, own_campaigns, services_of
from bot.errors import Sorry
from bot.interactions.guard import answers
from bot.interactions.overviews.plots_presses import show_plots
from bot.interactions.showing import Interaction


@command(name="plots", description="All your fleets by hex, and where each goes next")
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
    raise Sorry("No fleets of your side are asked for a course now; `/orders show` shows what is.", code="no-sheet")
