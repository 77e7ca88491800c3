"""``/orders``, ``/missions`` and ``/battle``: a side's sheets; and ``/tracker``, which fills in a battle's."""

import discord
from discord import app_commands

from bot.cards.cards import MOST_CONTENT, page_of_series
from bot.cards.sheets import sheet_lines, sheets_card
from bot.commands.context import (
    EVERYWHERE,
    GUILD_INSTALL,
    UsualAnswer,
    campaign_here,
    channels_of,
    chosen,
    command,
    offers,
    own_campaigns,
    services_of,
)
from bot.commands.status import OUT_OF_PLAY
from bot.commands.words import check_upload, orders_text
from bot.delivery.compose import message_of
from bot.delivery.exit import defer, reply
from bot.delivery.prepared import Message
from bot.errors import Sorry
from bot.interactions.giving_back import WRITTEN
from bot.interactions.guard import answers
from bot.interactions.prompt_presses import open_text
from bot.interactions.showing import Interaction, show
from bot.orders.open_prompt import OpenPrompt
from bot.records.components import Card
from rules_engine.core.knowledge.views import STANDING_ORDERS

CHANGED_BY = "Change them on the sheet of orders."
NONE_STAND = "None: nothing is done without being asked."
NOTHING = "Nothing is asked of your side now; what comes next comes by itself."


@offers
async def own_sheets(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """The caller's open sheets."""
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    prompts = await services_of(interaction).orders.prompts.open_prompts(found.id, interaction.user.id)
    return [(prompt.ask.title[:100], prompt.token) for prompt in prompts]


async def sheets_of(interaction: Interaction, campaign: str | None, kind: str | None = None) -> list[OpenPrompt]:
    """The caller's open sheets in the campaign that is meant."""
    found = await campaign_here(interaction, campaign)
    return await services_of(interaction).orders.prompts.open_prompts(found.id, interaction.user.id, kind)


async def one_sheet(interaction: Interaction, campaign: str | None, sheet: str | None) -> OpenPrompt:
    """The sheet that is meant: the named one, or the only one.

    Raises:
        Sorry: when there is none, or more than one and none was named.
    """
    prompts = await sheets_of(interaction, campaign)
    if sheet:
        prompts = [one for one in prompts if sheet == one.token or sheet.casefold() == one.ask.title.casefold()]
        if not prompts:
            raise Sorry("You have no open sheet of that name; `/orders show` lists them.", code="unknown-sheet")
    if not prompts:
        raise await nothing_asked(interaction, campaign)
    if len(prompts) > 1:
        titles = ", ".join(f"“{one.ask.title}”" for one in prompts[:10])
        raise Sorry(f"Several sheets are open: {titles}. Say which one with the `sheet` option.", code="which-sheet")
    return prompts[0]


async def nothing_asked(interaction: Interaction, campaign: str | None) -> Sorry:
    """What somebody is told whose side has no open sheet: whether there will be one again."""
    found = await campaign_here(interaction, campaign)
    services = services_of(interaction)
    _, caller = await services.campaigns.seat(found.id, interaction.user.id)
    is_out = caller.side in await services.queries.views.out_of_play(found)
    return Sorry(OUT_OF_PLAY if is_out else NOTHING, code="no-sheet")


async def show_sheets(interaction: Interaction, prompts: list[OpenPrompt]) -> None:
    """One sheet as its card; several as a list to choose from."""
    if len(prompts) == 1:
        await show(interaction, prompts[0])
    else:
        of = prompts[0].campaign
        await reply(interaction, message_of(sheets_card(of.id, of.title, [one.listed for one in prompts])))


class OrdersCommands(app_commands.Group):
    """The group."""

    def __init__(self) -> None:
        super().__init__(
            name="orders",
            description="Your side's orders",
            allowed_contexts=EVERYWHERE,
            allowed_installs=GUILD_INSTALL,
        )

    @app_commands.command(name="show", description="Open your side's sheets, and change them here")
    @app_commands.describe(sheet="Which sheet, if several are open", campaign="Which campaign, if you are in several")
    @app_commands.autocomplete(sheet=own_sheets, campaign=own_campaigns)
    @answers
    async def show(self, interaction: Interaction, sheet: str | None = None, campaign: str | None = None) -> None:
        """Open the sheets."""
        if sheet:
            await show(interaction, await one_sheet(interaction, campaign, sheet))
        elif prompts := await sheets_of(interaction, campaign):
            await show_sheets(interaction, prompts)
        else:
            raise await nothing_asked(interaction, campaign)

    @app_commands.command(name="upload", description="Hand in a sheet as a text file")
    @app_commands.describe(
        file="The sheet, as plain text (at most 256 kB)",
        sheet="Which sheet, if several are open",
        campaign="Which campaign, if you are in several",
    )
    @app_commands.autocomplete(sheet=own_sheets, campaign=own_campaigns)
    @answers
    async def upload(
        self,
        interaction: Interaction,
        file: discord.Attachment,
        sheet: str | None = None,
        campaign: str | None = None,
    ) -> None:
        """Hand in a file."""
        check_upload(file.size)
        prompt = await one_sheet(interaction, campaign, sheet)
        await defer(interaction)
        try:
            content = await file.read()
        except discord.HTTPException:
            raise Sorry("Discord did not give me that file; send it again.", code="file-lost") from None
        check_upload(len(content))
        filling = services_of(interaction).orders.filling
        text = orders_text(content)
        interaction.extras[WRITTEN] = text
        filled = await filling.write(prompt.token, interaction.user.id, text, interaction_id=interaction.id)
        await show(interaction, filled)

    @app_commands.command(name="text", description="Type a whole sheet in one box")
    @app_commands.describe(sheet="Which sheet, if several are open", campaign="Which campaign, if you are in several")
    @app_commands.autocomplete(sheet=own_sheets, campaign=own_campaigns)
    @answers
    async def text(self, interaction: Interaction, sheet: str | None = None, campaign: str | None = None) -> None:
        """Type a sheet."""
        prompt = await one_sheet(interaction, campaign, sheet)
        returned = await services_of(interaction).orders.prompts.returned(prompt.token, interaction.user.id)
        await open_text(interaction, prompt, returned)

    @app_commands.command(name="standing", description="What your side does without being asked, in plain words")
    @app_commands.describe(campaign="Which campaign, if you are in several")
    @app_commands.autocomplete(campaign=own_campaigns)
    @answers
    async def standing(self, interaction: Interaction, campaign: str | None = None) -> None:
        """Read the side's standing orders back."""
        found = await campaign_here(interaction, campaign)
        view = await services_of(interaction).queries.views.of_side(found.id, interaction.user.id)
        panel = view.board.panel(STANDING_ORDERS)
        if panel is None:
            raise Sorry("This campaign's rules know no standing orders.", code="no-standing-orders")
        rows = "\n".join(f"• {row}" for row in panel.rows or (NONE_STAND,))
        await reply(interaction, Message(f"**{STANDING_ORDERS}**\n{rows}\n-# {CHANGED_BY}"))

    @app_commands.command(name="ready", description="Say that your side is done, or not after all")
    @app_commands.describe(done="No: you are not ready after all", campaign="Which campaign, if you are in several")
    @app_commands.autocomplete(campaign=own_campaigns)
    @answers
    async def ready(self, interaction: Interaction, done: bool = True, campaign: str | None = None) -> None:
        """Be ready with everything that is open, strand by strand."""
        prompts = [one for one in await sheets_of(interaction, campaign) if not one.ask.is_shared]
        if not prompts:
            raise await nothing_asked(interaction, campaign)
        say = services_of(interaction).orders.readiness.say
        strands = {one.ask.strand: one for one in reversed(prompts)}
        if len(strands) == 1:
            first = prompts[0]
            await show(
                interaction, await say(first.token, interaction.user.id, is_ready=done, interaction_id=interaction.id)
            )
            return
        await defer(interaction)
        lines: list[str] = []
        for one in reversed(strands.values()):
            try:
                answer = await say(one.token, interaction.user.id, is_ready=done)
            except Sorry as sorry:  # it closed meanwhile; the others are still open
                lines.append(str(sorry))
            else:
                lines += sheet_lines([answer.listed]) if isinstance(answer, OpenPrompt) else [answer.text]
        await reply(interaction, Message("\n".join(lines)[:MOST_CONTENT]))


MISSIONS = "missions"
"""The topic of sheets that order missions, among other things or alone; and the series of their lines."""


@command(name="missions", description="Open your side's sheets of missions")
@app_commands.describe(campaign="Which campaign, if you are in several")
@app_commands.autocomplete(campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def missions(interaction: Interaction, campaign: str | None = None) -> None:
    """Open the missions."""
    prompts = [prompt for prompt in await sheets_of(interaction, campaign) if MISSIONS in prompt.ask.topics]
    if not prompts:
        raise Sorry("No missions can be ordered now.", code="no-sheet")
    if len(prompts) == 1:
        await show(interaction, prompts[0], page=page_of_series(prompts[0].state, MISSIONS))
    else:
        await show_sheets(interaction, prompts)


@command(name="battle", description="Your side's account of a battle played by hand")
@app_commands.describe(campaign="Which campaign, if you are in several")
@app_commands.autocomplete(campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def battle(interaction: Interaction, campaign: str | None = None) -> None:
    """Open the account; in a battle's thread, that battle's."""
    found = await campaign_here(interaction, campaign)
    services = services_of(interaction)
    prompts = await services.orders.prompts.open_prompts(found.id, interaction.user.id)
    battles = [one for one in prompts if one.ask.pace == "battle"]
    here = await services.campaigns.places(found.id, channels_of(interaction))
    this = [one for one in battles if one.ask.setup is not None and f"battle:{one.ask.setup.key}" in here]
    if not battles:
        raise Sorry("No battle of yours waits for an account.", code="no-sheet")
    await show_sheets(interaction, this or battles)


MOST_BATTLES = 2
"""Battles on one card; each has at most two rows of buttons."""


@command(
    name="tracker", description="Let the bot keep positions and vectors of a battle, or not; take back, stop the clock"
)
@app_commands.describe(campaign="Which campaign, if you are in several")
@app_commands.autocomplete(campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def tracker(interaction: Interaction, campaign: str | None = None) -> None:
    """Show how it stands; in a battle's thread, that battle's."""
    found = await campaign_here(interaction, campaign)
    services = services_of(interaction)
    await defer(interaction)
    battles = await services.orders.tracking.standing(found.id, interaction.user.id)
    here = await services.campaigns.places(found.id, channels_of(interaction))
    this = [one for one in battles if one.ask.setup is not None and f"battle:{one.ask.setup.key}" in here]
    cards = [one.card for one in (this or battles)[:MOST_BATTLES]]
    whole = Card("\n\n".join(one.content for one in cards), tuple(row for one in cards for row in one.rows))
    await reply(interaction, message_of(whole))
