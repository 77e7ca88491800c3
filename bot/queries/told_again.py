"""The log book: what a side was told, again."""

from collections.abc import Iterable

from sqlalchemy import select

from bot.campaigns.office import Office
from bot.campaigns.permissions import require
from bot.errors import Sorry
from bot.recording.reports_as_posts import pages
from bot.store.engine import Connection
from bot.store.tables import JournalRow, ReportRow
from rules_engine.core.journal import Entry, Rewound
from rules_engine.core.reports import Report


class Logbook:
    """Reading what was told."""

    def __init__(self, office: Office) -> None:
        self._office = office

    async def told(self, campaign_id: str, user_id: int) -> list[str]:
        """All that the user's side was told and that still stands, as message texts, oldest first.

        Raises:
            Sorry: when the user commands no side.
        """
        standing = await self._office.standing(campaign_id, user_id)
        require(standing, "log")
        if standing.side is None:
            raise Sorry("You command no side of this campaign.", code="no-side")
        return list(pages(await self.reports_for(campaign_id, standing.side)))

    async def reports_for(self, campaign_id: str, side: str) -> list[Report]:
        """The reports to a side that still stand, oldest first. Whether anybody may read them the caller has asked."""
        async with self._office.store.read() as conn:
            cut = await cut_off(conn, campaign_id)
            rows = await conn.execute(
                select(ReportRow.seq, ReportRow.body)
                .where(ReportRow.campaign_id == campaign_id)
                .order_by(ReportRow.seq, ReportRow.number)
            )
            found = list(rows.mappings())
        reports = (Report.model_validate_json(row["body"]) for row in found if not is_cut(row["seq"], cut))
        return [report for report in reports if report.is_for(side)]


async def cut_off(conn: Connection, campaign_id: str) -> list[tuple[int, int]]:
    """What rewinds undid, as (last entry kept, entry of the rewind)."""
    rows = await conn.execute(
        select(JournalRow.entry).where(JournalRow.campaign_id == campaign_id, JournalRow.kind == "rewound")
    )
    bodies = [(entry.seq, entry.body) for entry in map(Entry.model_validate_json, rows.scalars())]
    return [(body.to, seq) for seq, body in bodies if isinstance(body, Rewound)]


def is_cut(seq: int, cut: Iterable[tuple[int, int]]) -> bool:
    """Whether an entry lies on a branch that a rewind cut off."""
    return any(kept < seq < rewound for kept, rewound in cut)
