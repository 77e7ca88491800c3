"""Everything at once, for a referee who plays no side."""

from bot.campaigns.notices import holding
from bot.campaigns.permissions import require
from bot.campaigns.runtime import Runtime
from bot.records.campaigns import CampaignStatus
from rules_engine.core.knowledge.views import OmniscientView


class OmniscientViews:
    """Shows the whole state of a campaign."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def view(self, campaign_id: str, user_id: int) -> OmniscientView:
        """Everything, for a referee who plays no side (or once the campaign is over)."""
        directory = self._runtime.directory
        campaign, caller = await directory.seat(campaign_id, user_id)
        require(caller, "omniscient", ended=campaign.status is CampaignStatus.ENDED)
        async with holding(self._runtime, campaign_id) as adjudicator:
            return adjudicator.omniscient_view()
