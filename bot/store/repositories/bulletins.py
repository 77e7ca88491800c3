"""The bulletins that were posted, by token: what their buttons find again, months later too."""

from typing import Any

from sqlalchemy import Row, bindparam, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.records.bulletins import Bulletin, Fact
from bot.store.tables import BulletinRow

_OF = select(BulletinRow.__table__).where(BulletinRow.token == bindparam("of"))
_LAST = (
    select(BulletinRow.__table__)
    .where(
        BulletinRow.campaign_id == bindparam("of"),
        BulletinRow.side == bindparam("to"),
        BulletinRow.undone.is_(False),
    )
    .order_by(BulletinRow.seq.desc())
    .limit(1)
)


class Bulletins:
    """All bulletins."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def add(self, *bulletins: Bulletin) -> None:
        """Keep these."""
        if bulletins:
            await self._connection.execute(insert(BulletinRow), [_row(one) for one in bulletins])

    async def find(self, token: str) -> Bulletin | None:
        """The bulletin of that token."""
        row = (await self._connection.execute(_OF, {"of": token})).first()
        return None if row is None else _bulletin(row)

    async def last_to(self, campaign_id: str, side: str) -> Bulletin | None:
        """The last bulletin to a side that still stands."""
        row = (await self._connection.execute(_LAST, {"of": campaign_id, "to": side})).first()
        return None if row is None else _bulletin(row)

    async def undo(self, campaign_id: str, to: int) -> None:
        """The referee went back to just after the entry ``to``: what was told since then counts no longer."""
        cut = update(BulletinRow).where(BulletinRow.campaign_id == campaign_id, BulletinRow.seq > to)
        await self._connection.execute(cut.values(undone=True))


def _row(bulletin: Bulletin) -> dict[str, Any]:
    return {
        "token": bulletin.token,
        "campaign_id": bulletin.campaign_id,
        "side": bulletin.side,
        "since": bulletin.since,
        "until": bulletin.until,
        "seq": bulletin.seq,
        "first": bulletin.first,
        "last": bulletin.last,
        "facts": [one.document() for one in bulletin.facts],
        "said": [*bulletin.said],
        "score": bulletin.score,
        "undone": bulletin.is_undone,
    }


def _bulletin(row: Row[Any]) -> Bulletin:
    return Bulletin(
        token=row.token,
        campaign_id=row.campaign_id,
        side=row.side,
        since=row.since,
        until=row.until,
        seq=row.seq,
        first=row.first,
        last=row.last,
        facts=tuple(map(Fact.of, row.facts)),
        said=tuple(row.said),
        score=row.score,
        is_undone=row.undone,
    )
