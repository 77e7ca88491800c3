"""What waits for somebody, in all their campaigns: the sheets that nothing was said to first, the soonest to close."""

from collections.abc import Sequence

from bot.campaigns.runtime import Runtime
from bot.orders.find_prompt import PromptFinder
from bot.orders.open_prompt import OpenPrompt
from bot.records.campaigns import IN_PLAY, CampaignInfo

MOST_CAMPAIGNS = 10
"""Campaigns of one person that are looked at, the newest first."""


class WaitingSheets:
    """Looks through the open sheets of one person."""

    def __init__(self, runtime: Runtime, finder: PromptFinder) -> None:
        self._runtime = runtime
        self._finder = finder

    async def commanded(self, user_id: int, campaigns: Sequence[CampaignInfo] | None = None) -> list[CampaignInfo]:
        """Those campaigns (of all, or of ``campaigns``) in play in which somebody commands a side."""
        known = await self._runtime.directory.of_user(user_id) if campaigns is None else campaigns
        found: list[CampaignInfo] = []
        for campaign in [one for one in known if one.status in IN_PLAY][:MOST_CAMPAIGNS]:
            _, caller = await self._runtime.directory.seat(campaign.id, user_id)
            found += [campaign] if caller.side is not None else []
        return found

    async def sheets(self, user_id: int, campaigns: Sequence[CampaignInfo] | None = None) -> list[OpenPrompt]:
        """The open sheets of somebody's sides: those that wait first, then those that they are done with."""
        found: list[OpenPrompt] = []
        for campaign in await self.commanded(user_id, campaigns):
            found += await self._finder.open_prompts(campaign.id, user_id)
        return sorted(found, key=lambda one: (not one.waits, one.state.closes is None, one.state.closes))

    async def first_waiting(self, user_id: int, campaigns: Sequence[CampaignInfo]) -> list[CampaignInfo]:
        """These campaigns, those first that wait for somebody, and of them the soonest to close; else as they were."""
        order = {campaign.id: len(campaigns) + number for number, campaign in enumerate(campaigns)}
        waiting = [one for one in await self.sheets(user_id, campaigns) if one.waits]
        for number, one in reversed(list(enumerate(waiting))):
            order[one.campaign.id] = number - len(waiting)
        return sorted(campaigns, key=lambda campaign: order[campaign.id])
