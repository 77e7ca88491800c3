"""Everything at once, for a referee who plays no side."""

from bot.campaigns.notices import holding
from bot.campaigns.permissions import require
from bot.campaigns.runtime import Runtime
from rules_engine.core.knowledge.views import OmniscientView


class OmniscientViews:
    """Shows the whole state of a campaign."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def view(self, campaign_id: str, user_id: int) -> OmniscientView:
        """Everything, for a referee who plays no side (or once the campaign is over)."""
        directory = self._runtime.directory
        campaign = await directory.info(campaign_id)
        require(await directory.caller(campaign_id, user_id), "omniscient", ended=campaign.status == "ended")
        async with holding(self._runtime, campaign_id) as adjudicator:
            return adjudicator.omniscient_view()
