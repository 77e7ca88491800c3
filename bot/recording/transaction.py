"""One open transaction for one campaign: what everything that writes a transition down is given."""

from dataclasses import dataclass
from datetime import datetime

from bot.campaigns.loaded import AnyAdjudicator
from bot.records.campaigns import CampaignInfo
from bot.records.deadlines import Deadline
from bot.records.effects import Effect
from bot.records.members import CampaignMember
from bot.store.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Recording:
    """A transaction, the campaign it is about, that campaign in memory, and the time at which it is written."""

    tx: Transaction
    campaign: CampaignInfo
    adjudicator: AnyAdjudicator
    now: datetime

    @property
    def side_names(self) -> dict[str, str]:
        """The sides' names by key, as what is written down leaves them."""
        return {label.key: label.name for label in self.adjudicator.labels}

    async def put(self, *effects: Effect) -> None:
        """Put effects into the outbox, each into the queue of its destination."""
        await self.tx.outbox.put(self.campaign.id, *effects, now=self.now)

    async def commanders(self, side: str | None = None) -> list[CampaignMember]:
        """The commanders (of one side), by user id."""
        return await self.tx.members.commanders(self.campaign.id, side)

    async def deadlines(self) -> list[Deadline]:
        """The campaign's deadlines, in the order of their strands; none while nothing is open."""
        return await self.tx.deadlines.all_of(self.campaign.id)

    async def closes(self, strand: str) -> datetime | None:
        """When a strand closes; None while the clock stands still."""
        return await self.tx.deadlines.falls_at(self.campaign.id, strand)
