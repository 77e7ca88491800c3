"""Which ships each captain of a side has, and who of them has confirmed what is open."""

from collections.abc import Collection, Iterable

from sqlalchemy import bindparam, delete, insert, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.records.captains import ShipsShared
from bot.store.tables import CaptainRow, ConfirmedRow

# Made once, because they are asked at every click.
_SHIPS = select(CaptainRow.ship, CaptainRow.user_id).where(
    CaptainRow.campaign_id == bindparam("of"), CaptainRow.side == bindparam("of_side")
)
_CONFIRMED = select(ConfirmedRow.strand, ConfirmedRow.user_id).where(
    ConfirmedRow.campaign_id == bindparam("of"), ConfirmedRow.side == bindparam("of_side")
)


class Captains:
    """All captains."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def of(self, campaign_id: str, side: str) -> ShipsShared | None:
        """What is kept of a side's captains; None where no ship of it has one, as is usual."""
        of = {"of": campaign_id, "of_side": side}
        captains = {row.ship: row.user_id for row in await self._connection.execute(_SHIPS, of)}
        if not captains:
            return None
        confirmed: dict[str, frozenset[int]] = {}
        for row in await self._connection.execute(_CONFIRMED, of):
            confirmed[row.strand] = confirmed.get(row.strand, frozenset()) | {row.user_id}
        return ShipsShared(captains, confirmed)

    async def hand(self, campaign_id: str, side: str, ships: Collection[str], to: int | None) -> None:
        """Give ships to a captain, or (None) to nobody."""
        mine = (CaptainRow.campaign_id == campaign_id) & (CaptainRow.side == side) & CaptainRow.ship.in_(ships)
        await self._connection.execute(delete(CaptainRow).where(mine))
        if to is not None and ships:
            rows = [{"campaign_id": campaign_id, "side": side, "ship": ship, "user_id": to} for ship in ships]
            await self._connection.execute(insert(CaptainRow), rows)

    async def hand_all(self, campaign_id: str, out_id: int, to: int | None) -> bool:
        """Give all of a captain's ships to another, or (None) to nobody; False if there were none."""
        mine = (CaptainRow.campaign_id == campaign_id) & (CaptainRow.user_id == out_id)
        changing = delete(CaptainRow).where(mine) if to is None else update(CaptainRow).where(mine).values(user_id=to)
        return bool((await self._connection.execute(changing)).rowcount)

    async def confirm(self, campaign_id: str, side: str, strand: str, user_id: int, *, is_done: bool) -> None:
        """Remember that a captain has confirmed what is open in a strand, or has not after all."""
        row = {"campaign_id": campaign_id, "side": side, "strand": strand, "user_id": user_id}
        mine = (getattr(ConfirmedRow, name) == value for name, value in row.items())
        await self._connection.execute(delete(ConfirmedRow).where(*mine))
        if is_done:
            await self._connection.execute(insert(ConfirmedRow), row)

    async def forget_confirmed(self, campaign_id: str, strands: Iterable[tuple[str, str]]) -> None:
        """Forget what captains have confirmed of these strands, each given after its side."""
        mine = tuple_(ConfirmedRow.side, ConfirmedRow.strand).in_(sorted(strands))
        await self._connection.execute(delete(ConfirmedRow).where(ConfirmedRow.campaign_id == campaign_id, mine))
