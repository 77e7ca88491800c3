"""One open transaction for one campaign: what everything that writes a transition down is given."""

from dataclasses import dataclass
from datetime import datetime

from bot.campaigns.loaded import AnyAdjudicator
from bot.records.campaigns import CampaignInfo
from bot.records.deadlines import Deadline
from bot.records.effects import Effect, Post
from bot.records.members import CampaignMember
from bot.records.places import kind_of
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
        """Put effects into the outbox, each into the queue of its destination. What is for somebody who has asked for
        it there goes to the side's channel instead of a direct message."""
        readers = {reader for effect in effects if (reader := _commander(effect)) is not None}
        aside = await self.tx.readers.in_channel(readers) if readers else frozenset[int]()
        placed = [
            effect.model_copy(update={"in_channel": True}) if _commander(effect) in aside else effect
            for effect in effects
        ]
        await self.tx.outbox.put(self.campaign.id, *placed, now=self.now)

    async def commanders(self, side: str | None = None) -> list[CampaignMember]:
        """The commanders (of one side), by user id."""
        return await self.tx.members.commanders(self.campaign.id, side)

    async def deadlines(self) -> list[Deadline]:
        """The campaign's deadlines, in the order of their strands; none while nothing is open."""
        return await self.tx.deadlines.all_of(self.campaign.id)

    async def closes(self, strand: str) -> datetime | None:
        """When a strand closes; None while the clock stands still."""
        return await self.tx.deadlines.falls_at(self.campaign.id, strand)


def _commander(effect: Effect) -> int | None:
    """Whom a post is for as a side's commander, if it is one that the side's channel may hold."""
    if not isinstance(effect, Post) or kind_of(effect.fallback or "")[0] != "side":
        return None
    return effect.dm
