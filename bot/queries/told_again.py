"""What a side was told, told again."""

from bot.campaigns.permissions import require
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry
from rules_engine.core.knowledge.reports import Report


class ToldAgain:
    """Reads the reports of a campaign."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def reports(self, campaign_id: str, user_id: int) -> list[Report]:
        """All that the user's side was told and that still stands, oldest first.

        Raises:
            Sorry: when the user commands no side.
        """
        _, caller = await self._runtime.directory.seat(campaign_id, user_id)
        require(caller, "log")
        if caller.side is None:
            raise Sorry("You command no side of this campaign.", code="no-side")
        return await self.reports_for(campaign_id, caller.side)

    async def reports_for(self, campaign_id: str, side: str) -> list[Report]:
        """The reports to a side that still stand, oldest first. Whether anybody may read them the caller has asked."""
        async with self._runtime.store.read() as tx:
            reports = await tx.journal.reports(campaign_id)
        return [report for report in reports if report.is_for(side)]
