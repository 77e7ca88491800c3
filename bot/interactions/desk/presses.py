"""Presses on the referee's desk. Each goes through the rights and services of the command that does the same.

What a button was shown for is marked in its id; where that is over, nothing is done and the desk is shown as it stands.
"""

import asyncio
import secrets
from collections.abc import Sequence

from bot.cards.told import one_line, told_file
from bot.delivery.compose import message_of
from bot.delivery.drawing import Drawing, MapOrder
from bot.delivery.exit import defer, open_modal, reply, update_message
from bot.delivery.prepared import SIZE_LIMIT, Attachment, Message, document, picture
from bot.errors import Sorry
from bot.interactions.campaign_cards import resolve_card
from bot.interactions.desk.cards import CHANGED, HOURS, TIMES, decide_card, desk_card, sides_card
from bot.interactions.modals import text_modal
from bot.interactions.showing import Interaction, forged, is_callers_own
from bot.records.campaigns import CampaignStatus
from bot.referee.desk import Desk, account_mark
from bot.referee.disputes import SentAccount, WaitingBattle
from bot.services import Services

MOST_TOLD = 12
"""Things told that the log shows at once; all of them go along as a file."""
MOST_LINE = 110
MOST_RULING = 300
"""Characters of a reason for a ruling, as the command has it."""


class DeskPresses:
    """The desk's components and forms."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def pressed(self, interaction: Interaction, campaign_id: str, argument: str, values: Sequence[str]) -> None:
        """A button or the menu of sides."""
        what, _, marks = argument.partition(".")
        user_id, referee = interaction.user.id, self._services.referee
        match what:
            case "more":
                await self._more_time(interaction, campaign_id, marks)
            case "close":
                plan = await referee.clock.early_closing(campaign_id, user_id)
                await reply(interaction, message_of(resolve_card(campaign_id, plan)))
            case "pause" | "resume":
                await self._clock(interaction, campaign_id, what)
            case "decide":
                await self._decide(interaction, campaign_id, marks)
            case "rule":
                await self._ask_why(interaction, campaign_id, marks)
            case "sides":
                await reply(interaction, message_of(sides_card(await referee.desk.desk(campaign_id, user_id))))
            case "side" if len(values) == 1:
                await self._as_side(interaction, campaign_id, values[0])
            case "log":
                await self._log(interaction, campaign_id)
            case _:
                raise forged()

    async def _show(self, interaction: Interaction, campaign_id: str, note: str = "") -> None:
        """The desk as it stands, in the place of the one that was pressed if that is the caller's own."""
        message = await desk_message(interaction, await self._desk(interaction, campaign_id), note)
        await (update_message if is_callers_own(interaction) else reply)(interaction, message)

    async def _desk(self, interaction: Interaction, campaign_id: str) -> Desk:
        return await self._services.referee.desk.desk(campaign_id, interaction.user.id)

    async def _more_time(self, interaction: Interaction, campaign_id: str, mark: str) -> None:
        """Move the deadline that was shown, if it has not moved since."""
        desk = await self._desk(interaction, campaign_id)
        strand = next((one for one in desk.strands if one.mark == mark), None)
        if strand is None or desk.is_paused:
            await self._show(interaction, campaign_id, CHANGED)
            return
        await self._services.referee.clock.extend(
            campaign_id,
            interaction.user.id,
            HOURS,
            only=strand.token if strand.is_part else None,
            interaction_id=interaction.id,
        )
        told = "its parties are told" if strand.is_part else "everybody is told"
        await self._show(interaction, campaign_id, f"{HOURS} hours more; {told}.")

    async def _clock(self, interaction: Interaction, campaign_id: str, what: str) -> None:
        """Stop the clock or start it; nothing where it is so already."""
        desk = await self._desk(interaction, campaign_id)
        wanted = CampaignStatus.PAUSED if what == "pause" else CampaignStatus.RUNNING
        if desk.campaign.status is wanted:
            await self._show(interaction, campaign_id, CHANGED)
            return
        clock, user_id = self._services.referee.clock, interaction.user.id
        if what == "pause":
            await clock.pause(campaign_id, user_id, "", interaction.id)
        else:
            await clock.resume(campaign_id, user_id, interaction.id)
        await self._show(interaction, campaign_id)

    # --- battles -------------------------------------------------------------------------------------------------

    async def _decide(self, interaction: Interaction, campaign_id: str, mark: str) -> None:
        """The battle beside the desk, with a button for each account."""
        battle = await self._battle(interaction, campaign_id, mark)
        if battle is None:
            await self._show(interaction, campaign_id, CHANGED)
            return
        files, note = document("battle.txt", battle.text().encode())
        made = message_of(decide_card(campaign_id, mark, battle))
        text = "\n".join(filter(None, (made.text, note)))
        await reply(interaction, Message(text, files, made.view))

    async def _battle(self, interaction: Interaction, campaign_id: str, mark: str) -> WaitingBattle | None:
        user_id, referee = interaction.user.id, self._services.referee
        try:
            key = await referee.desk.battle(campaign_id, user_id, mark)
            return await referee.disputes.waiting(campaign_id, user_id, key)
        except Sorry as sorry:
            if sorry.code == "no-dispute":
                return None
            raise

    async def _account(
        self, interaction: Interaction, campaign_id: str, marks: str
    ) -> tuple[WaitingBattle, SentAccount] | None:
        """The battle and the account that a button speaks of; None where either is not what was shown."""
        mark, number, sent = _three(marks)
        battle = await self._battle(interaction, campaign_id, mark)
        if battle is None or number >= len(battle.accounts):
            return None
        account = battle.accounts[number]
        return (battle, account) if account.lines is not None and account_mark(account.lines) == sent else None

    async def _ask_why(self, interaction: Interaction, campaign_id: str, marks: str) -> None:
        """A ruling needs a reason; its form is sent back to :meth:`ruled`."""
        found = await self._account(interaction, campaign_id, marks)
        if found is None:
            await self._show(interaction, campaign_id, CHANGED)
            return
        modal = text_modal(
            f"n|{campaign_id}|rule.{marks}|{secrets.token_hex(4)}",
            title=f"{found[1].sender}’s account stands"[:45],
            label="Why?",
            help_text="The parties read this, and it stands in the journal.",
            most=MOST_RULING,
        )
        await open_modal(interaction, modal)

    async def ruled(self, interaction: Interaction, campaign_id: str, marks: str, reason: str) -> None:
        """The form of a ruling was sent back."""
        if not 0 < len(reason.strip()) <= MOST_RULING:
            raise Sorry(f"A reason has 1 to {MOST_RULING} characters; nothing was ruled.", code="bad-reason")
        found = await self._account(interaction, campaign_id, marks)
        if found is None:
            await self._show(interaction, campaign_id, CHANGED)
            return
        battle, account = found
        await defer(interaction, update=is_callers_own(interaction))
        await self._services.referee.rulings.rule(
            campaign_id,
            interaction.user.id,
            battle.key,
            text=None,
            account_of=account.sender,
            reason=reason.strip(),
            interaction_id=interaction.id,
        )
        await self._show(interaction, campaign_id, "Your ruling stands.")

    # --- looking -------------------------------------------------------------------------------------------------

    async def _as_side(self, interaction: Interaction, campaign_id: str, side: str) -> None:
        """The map that a side sees."""
        desk = self._services.referee.desk
        view = await desk.as_side(campaign_id, interaction.user.id, side)
        campaign = (await self._desk(interaction, campaign_id)).campaign
        await defer(interaction)
        drawing: Drawing = interaction.client.drawing
        order = MapOrder(await self._services.seats.map_themes.of(campaign, interaction.user.id))
        files: list[Attachment] = []
        for image in await asyncio.to_thread(drawing.pictures, view, order):
            files += picture(image.filename, image.png, image.alt, SIZE_LIMIT)[0]
        text = f"As **{campaign.side_names[side]}** sees it: {view.board.heading}"
        await reply(interaction, Message(text, tuple(files)))

    async def _log(self, interaction: Interaction, campaign_id: str) -> None:
        """What was told last and to whom, and all of it as a file."""
        told = await self._services.referee.desk.log(campaign_id, interaction.user.id)
        if not told:
            await reply(interaction, Message("Nobody has been told anything yet."))
            return
        names = (await self._desk(interaction, campaign_id)).campaign.side_names
        lines = [
            f"• {', '.join(names.get(one, 'everybody') for one in report.to)}: {one_line(report.text, MOST_LINE)}"
            for report in told[-MOST_TOLD:]
        ]
        file = Attachment("log.txt", told_file(told).encode())
        await reply(interaction, Message("\n".join(["Told last, and to whom:", *lines]), (file,)))


async def desk_message(interaction: Interaction, desk: Desk, note: str = "") -> Message:
    """The desk, with its strip of times drawn."""
    client = interaction.client
    card, times = desk_card(desk, note), desk.times
    if not times.rows:
        return message_of(card)
    theme = await client.services.seats.map_themes.of(desk.campaign, interaction.user.id)
    image = await asyncio.to_thread(client.drawing.times, times, theme=theme)
    return message_of(card, [Attachment(TIMES, image.png, image.alt)])


def _three(marks: str) -> tuple[str, int, str]:
    parts = marks.split(".")
    if len(parts) != 3 or not (parts[1].isascii() and parts[1].isdigit() and len(parts[1]) < 3):
        raise forged()
    return parts[0], int(parts[1]), parts[2]
