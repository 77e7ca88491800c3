"""``/help``, ``/rulings`` and ``/quiet``: reminders and cards as one wants them."""

from discord import app_commands

from bot.campaigns.directory import WhichCampaign
from bot.cards.cards import next_button
from bot.commands.context import (
    EVERYWHERE,
    GUILD_INSTALL,
    campaign_here,
    campaigns_here,
    command,
    own_campaigns,
    services_of,
)
from bot.commands.status import help_text, several_text
from bot.delivery.compose import view_of
from bot.delivery.exit import reply
from bot.delivery.prepared import Attachment, Message
from bot.errors import Sorry
from bot.interactions.guard import answers
from bot.interactions.showing import Interaction, drawn_message
from bot.records.campaigns import IN_PLAY, CampaignStatus
from bot.records.components import Card
from rules_engine import rulebooks

IN_CHANNEL, BY_MESSAGE = "channel", "message"
"""Where a commander's cards come."""

NOTHING_WAITS = "Nothing waits for you; what comes next comes by itself. `/orders show` opens what you are done with."

HALTED = "**{}** is halted: nothing is asked there until its referee has mended it."

MOST_RULINGS = 12
"""Rulings in a message; all of them go along as a file."""


@command(name="help", description="What you can do next")
@app_commands.describe(campaign="Which campaign, if you are in several")
@app_commands.autocomplete(campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def show_help(interaction: Interaction, campaign: str | None = None) -> None:
    """Say what comes next."""
    services = services_of(interaction)
    try:
        found = await campaign_here(interaction, campaign, only_in_play=False)
    except WhichCampaign:
        text = await several_text(services, interaction.user.id, interaction.guild_id, commands=True)
        await reply(interaction, Message(text, view=view_of(Card("", ((next_button(),),)))))
        return
    except Sorry as sorry:
        if campaign or sorry.code != "no-campaign":
            raise
        found = None
    await reply(interaction, Message(await help_text(services, interaction.user.id, found)))


@command(name="next", description="Whatever waits for you next, in any of your campaigns")
@app_commands.describe(campaign="Only in this campaign")
@app_commands.autocomplete(campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def show_next(interaction: Interaction, campaign: str | None = None) -> None:
    """Open the sheet that closes first, of those that wait."""
    waiting = services_of(interaction).queries.waiting
    named = [await campaign_here(interaction, campaign)] if campaign else None
    sheets = [one for one in await waiting.sheets(interaction.user.id, named) if one.waits]
    # Never in the place of the message that was pressed: another sheet stands there, and is shown anew there.
    if sheets:
        message = (await drawn_message(interaction, sheets[0].card, sheets[0].campaign)).titled(sheets[0].named)
    else:
        mine = named or await services_of(interaction).campaigns.of_user(interaction.user.id)
        halted = [one.title for one in mine if one.status is CampaignStatus.HALTED]
        goes_on = any(one.status in IN_PLAY for one in mine) or not halted
        nothing = [NOTHING_WAITS] if goes_on else []
        message = Message("\n".join([*nothing, *(HALTED.format(title) for title in halted)]))
    await reply(interaction, message)


@command(name="rulings", description="How unclear rules of the rulebook are read")
@app_commands.describe(search="A word or a rule number", campaign="Which campaign, if there are several")
@app_commands.autocomplete(campaign=campaigns_here)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def rulings(interaction: Interaction, search: str | None = None, campaign: str | None = None) -> None:
    """List the rulings."""
    found = await campaign_here(interaction, campaign)
    book = rulebooks.rulebook(found.rulebook)
    word = (search or "").casefold()
    listed = [
        f"**{note.id}** ({note.rules}): {note.text}"
        for note in book.rulings
        if word in f"{note.id} {note.rules} {note.text}".casefold()
    ]
    if not listed:
        await reply(interaction, Message(f"No ruling of {book.title} " + ("speaks of that." if word else "so far.")))
        return
    files = ()
    if len(listed) > MOST_RULINGS:
        files = (Attachment("rulings.txt", "\n\n".join(listed).replace("**", "").encode()),)
    more = f"\n-# {len(listed)} in all, in the file" if files else ""
    await reply(interaction, Message("\n".join(listed[:MOST_RULINGS]) + more, files=files))


class QuietCommands(app_commands.Group):
    """The group."""

    def __init__(self) -> None:
        super().__init__(
            name="quiet",
            description="When reminders leave you alone, and where your cards come",
            allowed_contexts=EVERYWHERE,
            allowed_installs=GUILD_INSTALL,
        )

    @app_commands.command(name="hours", description="No reminders between these hours (UTC)")
    @app_commands.describe(start="From this hour, 0 to 23 (UTC)", end="Until this hour, 0 to 23 (UTC)")
    @answers
    async def hours(
        self, interaction: Interaction, start: app_commands.Range[int, 0, 23], end: app_commands.Range[int, 0, 23]
    ) -> None:
        """Set the hours."""
        if start == end:
            raise Sorry("Start and end are the same hour; `/quiet off` lets reminders through again.", code="bad-hours")
        await services_of(interaction).seats.quiet_hours.choose(
            interaction.user.id, start=start, end=end, interaction_id=interaction.id
        )
        text = f"No reminders from {start:02}:00 to {end:02}:00 UTC. Orders are still asked for at any hour."
        await reply(interaction, Message(text))

    @app_commands.command(name="cards", description="Have your cards in your side's channel, or by direct message")
    @app_commands.describe(where="Where everything that is for you as a commander comes")
    @app_commands.choices(
        where=[
            app_commands.Choice(name="my side's channel", value=IN_CHANNEL),
            app_commands.Choice(name="direct messages", value=BY_MESSAGE),
        ]
    )
    @answers
    async def cards(self, interaction: Interaction, where: app_commands.Choice[str]) -> None:
        """Choose where cards come."""
        in_channel = where.value == IN_CHANNEL
        await services_of(interaction).seats.card_places.choose(
            interaction.user.id, in_channel=in_channel, interaction_id=interaction.id
        )
        place = "in your side's channel, and you are pinged there" if in_channel else "by direct message"
        await reply(interaction, Message(f"From now on your cards and reminders come {place}, in every campaign."))

    @app_commands.command(name="off", description="Reminders at any hour again")
    @answers
    async def off(self, interaction: Interaction) -> None:
        """Lift them."""
        await services_of(interaction).seats.quiet_hours.choose(
            interaction.user.id, start=None, end=None, interaction_id=interaction.id
        )
        await reply(interaction, Message("Reminders may come at any hour."))
