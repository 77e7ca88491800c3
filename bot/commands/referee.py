"""``/referee``: the clock, rulings, edits, going back, handing out."""

import discord
from discord import app_commands

from bot.commands.context import (
    EVERYWHERE,
    GUILD_INSTALL,
    UsualAnswer,
    campaign_here,
    chosen,
    drawing_of,
    offers,
    offers_found,
    own_campaigns,
    services_of,
)
from bot.commands.status import awaited_text
from bot.commands.words import minutes_of
from bot.delivery.compose import message_of
from bot.delivery.drawing import MapOrder
from bot.delivery.exit import defer, reply
from bot.delivery.prepared import Message, document
from bot.errors import Sorry
from bot.interactions.campaign_cards import correction_card, moved_text, resolve_card, rewind_card
from bot.interactions.desk.presses import desk_message
from bot.interactions.guard import answers
from bot.interactions.maps import map_message
from bot.interactions.showing import Interaction
from bot.records.campaigns import CampaignInfo
from bot.records.proposals import ABSENCE
from bot.seats.consent import take_back_card
from bot.seats.seats import ChairOffer

Reason = app_commands.Range[str, 1, 300]

MOST_COMPLETED = 100
"""Characters of a completion's value; what is longer must be typed."""


@offers
async def disputes_open(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """The battles that wait for agreement, for their referee."""
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    waiting = await services_of(interaction).referee.rulings.open_disputes(found.id, interaction.user.id)
    return [(title, key) for key, title in waiting]


@offers
async def sides(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """The campaign's sides."""
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    return [(name, key) for key, name in found.side_names.items()]


@offers
async def points(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """Where one may go back to."""
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    known = await services_of(interaction).referee.rewinding.points(found.id, interaction.user.id)
    return [(f"{seq}: {when}" if when else str(seq), str(seq)) for seq, when in known]


@offers
async def strands(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """What is open side by side, each with a deadline of its own, for a referee who may know it."""
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    known = await services_of(interaction).referee.clock.open_strands(found.id, interaction.user.id)
    return [(title, key) for key, title in known]


@offers_found
async def paths(interaction: Interaction, typed: str) -> list[UsualAnswer]:
    """What may be corrected, step by step, for a referee who may see everything."""
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    listed = await services_of(interaction).referee.corrections.paths(found.id, interaction.user.id, typed)
    return [(one.shown, one.text) for one in listed if len(one.text) <= MOST_COMPLETED]


@offers_found
async def values(interaction: Interaction, typed: str) -> list[UsualAnswer]:
    """What may stand at the path that was chosen, for the same referee."""
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    corrections = services_of(interaction).referee.corrections
    path = str(chosen(interaction, "path") or "")
    listed = await corrections.values(found.id, interaction.user.id, path, typed)
    return [(one.shown, one.text) for one in listed if len(one.text) <= MOST_COMPLETED]


def offered_message(asked: ChairOffer, to: discord.User, campaign: CampaignInfo) -> Message:
    """What somebody reads who has offered the referee's chair."""
    if asked.proposal is None:
        return Message(f"{to.mention} is the referee of **{campaign.title}** now.")
    text = f"It waits for the consent of {asked.waits}. Until then you can take it back."
    return message_of(take_back_card(text, asked.proposal))


class RefereeCommands(app_commands.Group):
    """The group."""

    def __init__(self) -> None:
        super().__init__(
            name="referee",
            description="What the referee of a campaign does",
            allowed_contexts=EVERYWHERE,
            allowed_installs=GUILD_INSTALL,
        )

    @app_commands.command(name="pause", description="Stop the clock; the time that is left is kept")
    @app_commands.describe(reason="Everybody reads this", campaign="Which campaign, if you have several")
    @app_commands.autocomplete(campaign=own_campaigns)
    @answers
    async def pause(self, interaction: Interaction, reason: Reason = "", campaign: str | None = None) -> None:
        """Stop the clock."""
        found = await campaign_here(interaction, campaign)
        await services_of(interaction).referee.clock.pause(found.id, interaction.user.id, reason, interaction.id)
        await reply(interaction, Message(f"**{found.title}** is paused."))

    @app_commands.command(name="resume", description="Start the clock again, or try a halted campaign again")
    @app_commands.describe(campaign="Which campaign, if you have several")
    @app_commands.autocomplete(campaign=own_campaigns)
    @answers
    async def resume(self, interaction: Interaction, campaign: str | None = None) -> None:
        """Start the clock."""
        await defer(interaction)
        found = await campaign_here(interaction, campaign)
        await services_of(interaction).referee.clock.resume(found.id, interaction.user.id, interaction.id)
        await reply(interaction, Message(f"**{found.title}** goes on."))

    @app_commands.command(name="extend", description="Move the deadline")
    @app_commands.describe(
        by="How much longer, e.g. 12h or 2d",
        only="Only this, where several things close by themselves; its parties are told",
        campaign="Which campaign, if you have several",
    )
    @app_commands.autocomplete(only=strands, campaign=own_campaigns)
    @answers
    async def extend(
        self, interaction: Interaction, by: str, only: str | None = None, campaign: str | None = None
    ) -> None:
        """Move the deadline."""
        found = await campaign_here(interaction, campaign)
        hours = minutes_of(by) / 60
        await defer(interaction)  # who was told that there is no answer gives it again, and it would count twice
        falls_at = await services_of(interaction).referee.clock.extend(
            found.id, interaction.user.id, hours, only=only, interaction_id=interaction.id
        )
        await reply(interaction, Message(moved_text(falls_at)))

    @app_commands.command(name="resolve-now", description="Close what is open as if its deadline had fallen")
    @app_commands.describe(campaign="Which campaign, if you have several")
    @app_commands.autocomplete(campaign=own_campaigns)
    @answers
    async def resolve_now(self, interaction: Interaction, campaign: str | None = None) -> None:
        """List what would be closed, with a button that confirms it."""
        found = await campaign_here(interaction, campaign)
        plan = await services_of(interaction).referee.clock.early_closing(found.id, interaction.user.id)
        await reply(interaction, message_of(resolve_card(found.id, plan)))

    @app_commands.command(name="late", description="Whom play waits for, with what, since when and until when")
    @app_commands.describe(campaign="Which campaign, if you have several")
    @app_commands.autocomplete(campaign=own_campaigns)
    @answers
    async def late(self, interaction: Interaction, campaign: str | None = None) -> None:
        """List who is not done."""
        found = await campaign_here(interaction, campaign)
        awaited = await services_of(interaction).referee.awaited.awaited(found.id, interaction.user.id)
        await reply(interaction, Message(awaited_text(awaited)))

    @app_commands.command(name="status", description="Your desk: what waits, who is late, and what you may do about it")
    @app_commands.describe(campaign="Which campaign, if you have several")
    @app_commands.autocomplete(campaign=own_campaigns)
    @answers
    async def status(self, interaction: Interaction, campaign: str | None = None) -> None:
        """Lay the desk out."""
        found = await campaign_here(interaction, campaign)
        desk = await services_of(interaction).referee.desk.desk(found.id, interaction.user.id)
        await defer(interaction)
        await reply(interaction, await desk_message(interaction, desk))

    # --- going back ----------------------------------------------------------------------------------------------

    @app_commands.command(name="rewind", description="Go back to a journal entry; first shows who has seen what since")
    @app_commands.describe(
        to="The journal entry that stays last; the latest are offered", campaign="Which campaign, if you have several"
    )
    @app_commands.autocomplete(to=points, campaign=own_campaigns)
    @answers
    async def rewind(
        self, interaction: Interaction, to: app_commands.Range[str, 1, 100], campaign: str | None = None
    ) -> None:
        """List what would be undone, with a button that confirms it."""
        if not (to.isascii() and to.isdigit() and len(to) < 8):
            raise Sorry("Give the number of the journal entry that stays last; the list offers some.", code="bad-entry")
        found = await campaign_here(interaction, campaign)
        plan = await services_of(interaction).referee.rewinding.plan(found.id, interaction.user.id, int(to))
        await reply(interaction, message_of(rewind_card(found.id, plan, found.side_names)))

    # --- correcting ----------------------------------------------------------------------------------------------

    @app_commands.command(
        name="edit", description="Correct the record by hand; first shows old and new, and who is told"
    )
    @app_commands.describe(
        path="What to set: names with dots, offered step by step, e.g. task_forces.A1.hex",
        value="The new value, as you would write it: 1515, 7/2, yes, none, A1, A2",
        reason="Stands in the journal; sides that see the change may read it",
        remove="Take the entry out instead",
        campaign="Which campaign, if you have several",
    )
    @app_commands.autocomplete(path=paths, value=values, campaign=own_campaigns)
    @answers
    async def edit(
        self,
        interaction: Interaction,
        *,
        path: app_commands.Range[str, 1, 200],
        reason: Reason,
        value: str = "",
        remove: bool = False,
        campaign: str | None = None,
    ) -> None:
        """Show what the correction would do, with a button that makes it."""
        if not value and not remove:
            raise Sorry("Say the new value, or choose `remove`; `none` or `-` empties a text.", code="no-value")
        await defer(interaction)
        found = await campaign_here(interaction, campaign)
        shown = await services_of(interaction).referee.corrections.prepare(
            found.id, interaction.user.id, path, value, reason, remove=remove, interaction_id=interaction.id
        )
        await reply(interaction, message_of(correction_card(found.id, shown)))

    @app_commands.command(name="battle", description="A battle that waits: set-up, accounts, where they differ")
    @app_commands.describe(battle="Which battle, if several wait", campaign="Which campaign, if you have several")
    @app_commands.autocomplete(battle=disputes_open, campaign=own_campaigns)
    @answers
    async def battle(self, interaction: Interaction, battle: str | None = None, campaign: str | None = None) -> None:
        """Show a battle to a referee, who sees no thread of it."""
        await defer(interaction)
        found = await campaign_here(interaction, campaign)
        waiting = await services_of(interaction).referee.disputes.waiting(found.id, interaction.user.id, battle)
        files, note = document("battle.txt", waiting.text().encode())
        await reply(interaction, Message("\n".join(filter(None, [waiting.summary(), note])), files=files))

    @app_commands.command(name="disputes", description="The battles that wait for agreement")
    @app_commands.describe(campaign="Which campaign, if you have several")
    @app_commands.autocomplete(campaign=own_campaigns)
    @answers
    async def disputes(self, interaction: Interaction, campaign: str | None = None) -> None:
        """List the disputes."""
        found = await campaign_here(interaction, campaign)
        waiting = await services_of(interaction).referee.rulings.open_disputes(found.id, interaction.user.id)
        rows = [f"• **{title}** (`{key}`)" for key, title in waiting]
        how = "Read one with `/referee battle`, settle it with `/referee ruling`."
        text = "\n".join([*rows, how]) if rows else "No battle waits for agreement."
        await reply(interaction, Message(text))

    @app_commands.command(name="ruling", description="Settle a battle by one side's account or by your own sheet")
    @app_commands.describe(
        battle="Which battle",
        reason="The parties read this",
        account_of="The side whose account stands",
        text="Or the result, as `line: field value; field value`",
        campaign="Which campaign, if you have several",
    )
    @app_commands.autocomplete(battle=disputes_open, account_of=sides, campaign=own_campaigns)
    @answers
    async def ruling(
        self,
        interaction: Interaction,
        *,
        battle: str,
        reason: Reason,
        account_of: str | None = None,
        text: str | None = None,
        campaign: str | None = None,
    ) -> None:
        """Settle a battle."""
        found = await campaign_here(interaction, campaign)
        if (account_of is None) == (text is None):
            raise Sorry("Give either `account_of` or `text`.", code="bad-ruling")
        await services_of(interaction).referee.rulings.rule(
            found.id,
            interaction.user.id,
            battle,
            text=text,
            account_of=account_of,
            reason=reason,
            interaction_id=interaction.id,
        )
        await reply(interaction, Message("Your ruling stands."))

    # --- people --------------------------------------------------------------------------------------------------

    @app_commands.command(name="substitute", description="Hand a commander's seat to somebody else")
    @app_commands.describe(
        leaving="Who gives the seat up", arriving="Who takes it", campaign="Which campaign, if you have several"
    )
    @app_commands.autocomplete(campaign=own_campaigns)
    @answers
    async def substitute(
        self, interaction: Interaction, leaving: discord.User, arriving: discord.User, campaign: str | None = None
    ) -> None:
        """Hand a seat over."""
        if arriving.bot:
            raise Sorry("A bot cannot command a side.", code="bot-seat")
        found = await campaign_here(interaction, campaign)
        seat, waits = await services_of(interaction).seats.seats.substitute(
            found.id,
            by=interaction.user.id,
            out_id=leaving.id,
            in_id=arriving.id,
            in_name=arriving.display_name,
            interaction_id=interaction.id,
        )
        if waits:
            hours = int(ABSENCE.total_seconds() // 3600)
            text = (
                f"It waits for the consent of {waits}. If {leaving.mention} neither answers nor sends any orders for "
                f"{hours} hours, give this command again, and it is done without them."
            )
        else:
            text = f"{arriving.mention} commands {seat} now, instead of {leaving.mention}."
        await reply(interaction, Message(text))

    @app_commands.command(
        name="hand-ships", description="Hand all ships of a captain who is away to another of the side"
    )
    @app_commands.describe(
        captain="Whose ships",
        to="Who has them from now on; leave it out to make them everybody's",
        campaign="Which campaign, if you have several",
    )
    @app_commands.autocomplete(campaign=own_campaigns)
    @answers
    async def hand_ships(
        self,
        interaction: Interaction,
        captain: discord.User,
        to: discord.User | None = None,
        campaign: str | None = None,
    ) -> None:
        """Hand a captain's ships on."""
        found = await campaign_here(interaction, campaign)
        done = await services_of(interaction).seats.ships.hand_all(
            found.id,
            by=interaction.user.id,
            out_id=captain.id,
            to=None if to is None else to.id,
            interaction_id=interaction.id,
        )
        await reply(interaction, Message(f"{done}."))

    @app_commands.command(name="hand-over", description="Ask somebody to be the referee in your place, or take it back")
    @app_commands.describe(
        to="Who is to be the referee, and must accept: somebody on the server who commands no side; none: take it back",
        campaign="Which campaign, if you have several",
    )
    @app_commands.autocomplete(campaign=own_campaigns)
    @answers
    async def hand_over(
        self, interaction: Interaction, to: discord.User | None = None, campaign: str | None = None
    ) -> None:
        """Offer the chair, or take the offer back."""
        if to is not None and to.bot:
            raise Sorry("A bot cannot be the referee.", code="bot-seat")
        found = await campaign_here(interaction, campaign)
        seats = services_of(interaction).seats.seats
        await defer(interaction)  # Discord is asked who is on the server
        if to is None:
            text = await seats.take_back(found.id, by=interaction.user.id, interaction_id=interaction.id)
            await reply(interaction, Message(text))
            return
        asked = await seats.hand_over(found.id, by=interaction.user.id, to=to.id, interaction_id=interaction.id)
        await reply(interaction, offered_message(asked, to, found))

    # --- looking and handing out ---------------------------------------------------------------------------------

    @app_commands.command(name="omniscient", description="The map with everything on it, if you play no side")
    @app_commands.describe(campaign="Which campaign, if you have several")
    @app_commands.autocomplete(campaign=own_campaigns)
    @answers
    async def omniscient(self, interaction: Interaction, campaign: str | None = None) -> None:
        """Everything."""
        found = await campaign_here(interaction, campaign)
        view = await services_of(interaction).referee.omniscient.view(found.id, interaction.user.id)
        await defer(interaction)
        theme = await services_of(interaction).seats.map_themes.of(found, interaction.user.id)
        await reply(interaction, await map_message(drawing_of(interaction), view, MapOrder(theme)))

    @app_commands.command(name="export", description="The whole record, for `plotroom verify`")
    @app_commands.describe(campaign="Which campaign, if you have several")
    @app_commands.autocomplete(campaign=own_campaigns)
    @answers
    async def export(self, interaction: Interaction, campaign: str | None = None) -> None:
        """Hand out the record."""
        await defer(interaction)
        found = await campaign_here(interaction, campaign)
        text = await services_of(interaction).referee.record.export(found.id, interaction.user.id)
        files, note = document(f"plotroom-{found.id}.jsonl", text.encode())
        words = "The whole record. `plotroom verify FILE` replays it and checks every roll and every hash."
        await reply(interaction, Message(f"{words} {note}".strip(), files=files))
