"""What the announcement of a campaign says, as it stands in the transaction in which that changes."""

from bot.campaigns.directory import known
from bot.cards.joining.card import announcement_card
from bot.records.effects import Announcement
from bot.store.transaction import Transaction


async def announcement(tx: Transaction, campaign_id: str, channel: int = 0) -> Announcement:
    """The announcement as things stand now; ``channel`` is where it is posted for the first time."""
    campaign = known(await tx.campaigns.find(campaign_id))
    card = announcement_card(campaign, await tx.members.by_side(campaign_id))
    return Announcement(channel=channel, card=card)
