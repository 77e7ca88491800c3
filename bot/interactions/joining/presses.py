"""What happens when somebody presses **Join**, chooses a seat, or cancels a campaign that gathers players. Ids may be
forged: every right is checked again."""

from collections.abc import Sequence

from bot.cards.joining.card import joined_text, seats_card
from bot.delivery.compose import message_of
from bot.delivery.exit import reply, update_message
from bot.delivery.prepared import Message
from bot.errors import Sorry
from bot.interactions.showing import Interaction, forged, is_callers_own
from bot.records.campaigns import CampaignInfo, CampaignStatus
from bot.services import Services


class JoinPresses:
    """Buttons and menus by which people join. They work on the campaign's own server alone, as the command does."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def pressed(self, interaction: Interaction, campaign_id: str, verb: str, values: Sequence[str]) -> None:
        """A button of one campaign, a campaign of a menu, or a seat."""
        if verb == "join" and not campaign_id and len(values) == 1:
            await self._offer(interaction, values[0])
        elif verb == "join" and campaign_id and not values:
            await self._offer(interaction, campaign_id)
        elif verb == "seat" and len(values) == 1:
            await self._take(interaction, campaign_id, values[0])
        else:
            raise forged()

    async def cancel(self, interaction: Interaction, campaign_id: str, argument: str) -> None:
        """A button of the question whether a campaign is to be cancelled."""
        if argument not in {"yes", "no"}:
            raise forged()
        campaign = await self._here(interaction, campaign_id)
        text = f"Nothing was changed of **{campaign.title}**."
        if argument == "yes":
            await self._services.seats.founding.cancel(
                campaign.id, user_id=interaction.user.id, interaction_id=interaction.id
            )
            text = (
                f"**{campaign.title}** is cancelled, and its title is free again. "
                "Its channels stay; you may delete them."
            )
        await (update_message if is_callers_own(interaction) else reply)(interaction, Message(text))

    async def _offer(self, interaction: Interaction, campaign_id: str) -> None:
        campaign = await self._here(interaction, campaign_id)
        seated = await self._services.seats.seats.by_side(campaign)
        await reply(interaction, message_of(seats_card(campaign, seated)))

    async def _take(self, interaction: Interaction, campaign_id: str, side: str) -> None:
        campaign = await self._here(interaction, campaign_id)
        seat, waits = await self._services.seats.seats.join(
            campaign.id,
            user_id=interaction.user.id,
            name=interaction.user.display_name,
            side=side,
            interaction_id=interaction.id,
        )
        message = Message(joined_text(campaign, seat, waits))
        await (update_message if is_callers_own(interaction) else reply)(interaction, message)

    async def _here(self, interaction: Interaction, campaign_id: str) -> CampaignInfo:
        """The campaign, of this server and not over.

        Raises:
            Sorry: when there is none.
        """
        campaign = await self._services.campaigns.info(campaign_id)
        if campaign.guild_id != interaction.guild_id:
            raise Sorry("There is no such campaign.", code="unknown-campaign")
        if campaign.status is CampaignStatus.ENDED:
            raise Sorry(f"**{campaign.title}** is over, so nobody joins it any more.", code="ended")
        return campaign
