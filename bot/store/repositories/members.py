"""Who belongs to each campaign."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import ColumnElement, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.records.campaigns import CampaignStatus
from bot.records.members import CampaignMember, PastSeat, SeatInPlay
from bot.records.places import REFEREE_ROLE, SPECTATOR
from bot.store.repositories.campaigns import COMMANDED_IN_PLAY
from bot.store.tables import CampaignRow, MemberRow, PastSeatRow

_COMMANDED_IN_PLAY = select(COMMANDED_IN_PLAY)
_COLUMNS = (MemberRow.user_id, MemberRow.side, MemberRow.quiet_from, MemberRow.quiet_to)


class Members:
    """All seats that are taken."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def commanders(self, campaign_id: str, side: str | None = None) -> list[CampaignMember]:
        """The commanders (of one side), by user id; spectators are not among them."""
        query = select(*_COLUMNS).where(MemberRow.campaign_id == campaign_id).order_by(MemberRow.user_id)
        query = query.where(MemberRow.side == side if side else MemberRow.side != SPECTATOR)
        return [CampaignMember(*row) for row in await self._connection.execute(query)]

    async def seated(self, campaign_id: str, side: str) -> list[int]:
        """Who sits on a side, or watches, by user id."""
        query = select(MemberRow.user_id).where(MemberRow.campaign_id == campaign_id, MemberRow.side == side)
        return list((await self._connection.execute(query.order_by(MemberRow.user_id))).scalars())

    async def commanded(self, user_id: int) -> list[str]:
        """The campaigns in which somebody commands a side."""
        query = select(MemberRow.campaign_id).where(MemberRow.user_id == user_id, MemberRow.side != SPECTATOR)
        return list((await self._connection.execute(query)).scalars())

    async def commands_several(self, user_id: int) -> bool:
        """Whether somebody commands sides in more than one campaign under way."""
        return (await self._connection.scalar(_COMMANDED_IN_PLAY, {"user": user_id}) or 0) > 1

    async def by_side(self, campaign_id: str) -> dict[str, list[int]]:
        """The commanders of each side in the order in which they joined."""
        query = select(MemberRow.side, MemberRow.user_id).where(
            MemberRow.campaign_id == campaign_id, MemberRow.side != SPECTATOR
        )
        found: dict[str, list[int]] = {}
        for side, user_id in await self._connection.execute(query.order_by(MemberRow.joined_at, MemberRow.user_id)):
            found.setdefault(side, []).append(user_id)
        return found

    async def in_play(self) -> list[SeatInPlay]:
        """Every seat of the campaigns under way, the referees' too."""
        return await self._seats(CampaignRow.status.in_((CampaignStatus.RUNNING, CampaignStatus.PAUSED)))

    async def not_over(self, guild_id: int | None = None, user_id: int | None = None) -> list[SeatInPlay]:
        """Every seat of the campaigns that have not ended (of a server, of somebody), the referees' too."""
        wanted = CampaignRow.status != CampaignStatus.ENDED
        return await self._seats(wanted if guild_id is None else wanted & (CampaignRow.guild_id == guild_id), user_id)

    async def _seats(self, under_way: ColumnElement[bool], user_id: int | None = None) -> list[SeatInPlay]:
        seats = select(CampaignRow.guild_id, CampaignRow.id, MemberRow.user_id, MemberRow.side)
        seats = seats.join(MemberRow, MemberRow.campaign_id == CampaignRow.id).where(under_way)
        chairs = select(CampaignRow.guild_id, CampaignRow.id, CampaignRow.referee_id).where(under_way)
        if user_id is not None:
            seats, chairs = seats.where(MemberRow.user_id == user_id), chairs.where(CampaignRow.referee_id == user_id)
        found = [SeatInPlay(*row) for row in await self._connection.execute(seats)]
        for guild_id, campaign_id, referee_id in await self._connection.execute(chairs):
            found.append(SeatInPlay(guild_id, campaign_id, referee_id, REFEREE_ROLE))
        return found

    async def add(self, campaign_id: str, user_id: int, *, side: str, name: str, at: datetime) -> None:
        """Seat somebody, who has no other seat in the campaign from then on."""
        await self.remove(campaign_id, user_id)
        row = {"campaign_id": campaign_id, "user_id": user_id, "side": side, "name": name, "joined_at": at}
        await self._connection.execute(insert(MemberRow), row)

    async def remove(self, campaign_id: str, user_id: int) -> None:
        """Take somebody's seat."""
        mine = (MemberRow.campaign_id == campaign_id) & (MemberRow.user_id == user_id)
        await self._connection.execute(delete(MemberRow).where(mine))

    async def set_quiet_hours(self, user_id: int, start: int | None, end: int | None) -> bool:
        """Set the hours (UTC) in which this user is sent no reminders, everywhere; False if they have no seat."""
        changing = update(MemberRow).where(MemberRow.user_id == user_id).values(quiet_from=start, quiet_to=end)
        return bool((await self._connection.execute(changing)).rowcount)

    # --- what people have been ---------------------------------------------------------------------------------------

    async def past(self, campaign_id: str, user_id: int) -> frozenset[PastSeat]:
        """What somebody has been to a campaign, seats that they still have included."""
        query = select(PastSeatRow.seat, PastSeatRow.in_play)
        mine = (PastSeatRow.campaign_id == campaign_id) & (PastSeatRow.user_id == user_id)
        return frozenset(PastSeat(*row) for row in await self._connection.execute(query.where(mine)))

    async def remember(self, campaign_id: str, user_ids: Iterable[int], seat: PastSeat) -> None:
        """Remember for good that these people have been that."""
        for user_id in user_ids:
            mine = (PastSeatRow.campaign_id == campaign_id) & (PastSeatRow.user_id == user_id)
            known = delete(PastSeatRow).where(mine, PastSeatRow.seat == seat.seat)
            if PastSeat(seat.seat, in_play=True) in await self.past(campaign_id, user_id):
                continue
            await self._connection.execute(known)
            row = {"campaign_id": campaign_id, "user_id": user_id, "seat": seat.seat, "in_play": seat.in_play}
            await self._connection.execute(insert(PastSeatRow), row)
