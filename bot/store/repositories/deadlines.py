"""The deadlines of all strands with open sheets. What is due is found by index, however many campaigns there are."""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import RowMapping, bindparam, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.records.deadlines import Deadline
from bot.records.prompts import PromptStatus
from bot.store.tables import CampaignRow, DeadlineRow, PromptRow

_table = DeadlineRow.__table__

# Made once, because it is asked at every click: making a statement takes longer than carrying it out.
_ONE = (DeadlineRow.campaign_id == bindparam("of")) & (DeadlineRow.strand == bindparam("strand"))
_FALLS_AT = select(DeadlineRow.falls_at).where(_ONE)


class Deadlines:
    """All deadlines. ``changed`` once any was written here: the clock must look again."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self.changed = False

    async def of(self, campaign_id: str, strand: str = "") -> Deadline | None:
        """The deadline of a campaign's strand; None while nothing is open there."""
        found = await self._connection.execute(select(_table).where(_ONE), {"of": campaign_id, "strand": strand})
        row = found.mappings().first()
        return None if row is None else _deadline(row)

    async def all_of(self, campaign_id: str) -> list[Deadline]:
        """A campaign's deadlines, in the order of their strands."""
        mine = select(_table).where(DeadlineRow.campaign_id == campaign_id).order_by(DeadlineRow.strand)
        return [_deadline(row) for row in (await self._connection.execute(mine)).mappings()]

    async def falls_at(self, campaign_id: str, strand: str = "") -> datetime | None:
        """When the deadline of a campaign's strand falls; None while the clock stands still."""
        return await self._connection.scalar(_FALLS_AT, {"of": campaign_id, "strand": strand})

    async def due(self, now: datetime, most: int, *, but: Collection[str] = ()) -> list[Deadline]:
        """The first of those that have fallen, or of which somebody must be reminded, of campaigns ``but`` these."""
        found: list[Deadline] = []
        for moment in (DeadlineRow.falls_at, DeadlineRow.remind_at):
            wanted = [moment <= now, *([DeadlineRow.campaign_id.not_in(but)] if but else [])]
            rows = await self._connection.execute(select(_table).where(*wanted).order_by(moment).limit(most))
            found += [_deadline(row) for row in rows.mappings()]
        return list(dict.fromkeys(found))[:most]

    async def guilds_of(self, campaign_ids: Collection[str]) -> dict[str, int]:
        """The servers of these campaigns."""
        query = select(CampaignRow.id, CampaignRow.guild_id).where(CampaignRow.id.in_(campaign_ids))
        return {row.id: row.guild_id for row in await self._connection.execute(query)}

    async def next_fall(self) -> datetime | None:
        """When one falls next."""
        return await self._connection.scalar(select(func.min(DeadlineRow.falls_at)))

    async def next_moment(self, *, but: Collection[str] = ()) -> datetime | None:
        """When one falls next, or somebody must be reminded, in all campaigns ``but`` these."""
        wanted = [DeadlineRow.campaign_id.not_in(but)] if but else []
        moments = [
            await self._connection.scalar(select(func.min(moment)).where(*wanted))
            for moment in (DeadlineRow.falls_at, DeadlineRow.remind_at)
        ]
        return min((moment for moment in moments if moment is not None), default=None)

    async def keep(self, deadline: Deadline) -> None:
        """Write a strand's deadline down, in the place of the one it had."""
        await self.drop(deadline.campaign_id, deadline.strand)
        await self._connection.execute(insert(DeadlineRow), _row(deadline))

    async def drop(self, campaign_id: str, strand: str | None = None) -> None:
        """Nothing is open any more in a strand of this campaign, or in any."""
        self.changed = True
        mine = DeadlineRow.campaign_id == campaign_id
        await self._connection.execute(
            delete(DeadlineRow).where(mine if strand is None else mine & (DeadlineRow.strand == strand))
        )

    async def with_open_prompts(self) -> list[str]:
        """The campaigns whose clock runs while sheets are open."""
        open_ones = select(PromptRow.campaign_id).where(PromptRow.status == PromptStatus.OPEN)
        query = select(DeadlineRow.campaign_id).where(DeadlineRow.falls_at.is_not(None)).distinct()
        found = await self._connection.execute(query.where(DeadlineRow.campaign_id.in_(open_ones)))
        return sorted(found.scalars())

    async def put_off(self, by: timedelta, *, guild_id: int | None = None) -> list[str]:
        """Put every running deadline (of a server) off; gives their campaigns."""
        self.changed = True
        runs = DeadlineRow.falls_at.is_not(None)
        if guild_id is not None:
            runs &= DeadlineRow.campaign_id.in_(select(CampaignRow.id).where(CampaignRow.guild_id == guild_id))
        running = await self._connection.execute(select(_table).where(runs))
        moved = [_deadline(row).later(by) for row in running.mappings()]
        if moved:
            await self._connection.execute(delete(DeadlineRow).where(runs))
            await self._connection.execute(insert(DeadlineRow), [_row(deadline) for deadline in moved])
        return sorted({deadline.campaign_id for deadline in moved})


def _deadline(row: RowMapping) -> Deadline:
    left: int | None = row["left_seconds"]
    to_end: int | None = row["to_end_seconds"]
    return Deadline(
        campaign_id=row["campaign_id"],
        opened_seq=row["opened_seq"],
        opened_at=row["opened_at"],
        falls_at=row["falls_at"],
        remind_at=row["remind_at"],
        reminded=row["reminded"],
        left=None if left is None else timedelta(seconds=left),
        strand=row["strand"],
        unsettled_at=row["unsettled_at"],
        to_end=None if to_end is None else timedelta(seconds=to_end),
    )


def _row(deadline: Deadline) -> dict[str, object]:
    return {
        "campaign_id": deadline.campaign_id,
        "opened_seq": deadline.opened_seq,
        "opened_at": deadline.opened_at,
        "falls_at": deadline.falls_at,
        "remind_at": deadline.remind_at,
        "reminded": deadline.reminded,
        "left_seconds": None if deadline.left is None else int(deadline.left.total_seconds()),
        "strand": deadline.strand,
        "unsettled_at": deadline.unsettled_at,
        "to_end_seconds": None if deadline.to_end is None else int(deadline.to_end.total_seconds()),
    }
