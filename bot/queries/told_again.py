"""What a side was told, told again."""

from sqlalchemy import select

from bot.campaigns.journal import cut_off, is_cut
from bot.campaigns.permissions import require
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry
from bot.recording.reports_as_posts import pages
from bot.store.tables import ReportRow
from rules_engine.core.knowledge.reports import Report


class ToldAgain:
    """Reads the reports of a campaign."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def pages(self, campaign_id: str, user_id: int) -> list[str]:
        """All that the user's side was told and that still stands, as message texts, oldest first.

        Raises:
            Sorry: when the user commands no side.
        """
        caller = await self._runtime.directory.caller(campaign_id, user_id)
        require(caller, "log")
        if caller.side is None:
            raise Sorry("You command no side of this campaign.", code="no-side")
        return list(pages(await self.reports_for(campaign_id, caller.side)))

    async def reports_for(self, campaign_id: str, side: str) -> list[Report]:
        """The reports to a side that still stand, oldest first. Whether anybody may read them the caller has asked."""
        async with self._runtime.store.read() as conn:
            cut = await cut_off(conn, campaign_id)
            rows = await conn.execute(
                select(ReportRow.seq, ReportRow.body)
                .where(ReportRow.campaign_id == campaign_id)
                .order_by(ReportRow.seq, ReportRow.number)
            )
            found = list(rows.mappings())
        reports = (Report.model_validate_json(row["body"]) for row in found if not is_cut(row["seq"], cut))
        return [report for report in reports if report.is_for(side)]
