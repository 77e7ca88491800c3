"""Finding campaigns and people: which campaign is meant, what somebody is to it, and which of its places a channel is.

What is found is remembered until one of the tables it came from is written.
"""

from collections.abc import Collection, Sequence

from sqlalchemy import select

from bot.campaigns.info import CampaignInfo
from bot.campaigns.permissions import Caller, SeatRole, require
from bot.campaigns.places import SPECTATOR
from bot.errors import Sorry
from bot.store.connections import Connection
from bot.store.engine import Store
from bot.store.tables import CampaignRow, MemberRow, PlaceRow


class CampaignDirectory:
    """All campaigns of this bot, and who belongs to them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def info(self, campaign_id: str) -> CampaignInfo:
        """The campaign of that id.

        Raises:
            Sorry: when there is none.
        """

        async def read() -> CampaignInfo:
            async with self._store.glance() as conn:
                return await info_of(conn, campaign_id)

        return await self._store.memory.recall(("campaign", campaign_id), ("campaign",), read)

    async def caller(self, campaign_id: str, user_id: int) -> Caller:
        """What a user is to a campaign."""

        async def read() -> Caller:
            async with self._store.glance() as conn:
                return await caller_of(conn, campaign_id, user_id)

        key = ("caller", campaign_id, user_id)
        return await self._store.memory.recall(key, ("campaign", "member"), read)

    async def permitted(self, campaign_id: str, user_id: int, action: str, statuses: Collection[str]) -> CampaignInfo:
        """The campaign, for somebody who may do ``action`` in it now.

        Raises:
            Sorry: when the right is missing, or the campaign's status is none of ``statuses``.
        """
        campaign = await self.info(campaign_id)
        require(await self.caller(campaign_id, user_id), action)
        if campaign.status not in statuses:
            raise Sorry(f"The campaign is {campaign.status}.", code=f"status-{campaign.status}")
        return campaign

    async def of_user(self, user_id: int) -> list[CampaignInfo]:
        """The campaigns that a user belongs to, newest first."""

        async def read() -> list[CampaignInfo]:
            mine = select(MemberRow.campaign_id).where(MemberRow.user_id == user_id)
            query = select(CampaignRow).where((CampaignRow.id.in_(mine)) | (CampaignRow.referee_id == user_id))
            async with self._store.glance() as conn:
                rows = await conn.execute(query.order_by(CampaignRow.created_at.desc()))
                return [CampaignInfo.of(row) for row in rows.mappings()]

        return list(await self._store.memory.recall(("campaigns of", user_id), ("campaign", "member"), read))

    async def in_server(self, guild_id: int) -> list[CampaignInfo]:
        """The campaigns of a server, newest first."""

        async def read() -> list[CampaignInfo]:
            query = select(CampaignRow).where(CampaignRow.guild_id == guild_id)
            async with self._store.glance() as conn:
                rows = await conn.execute(query.order_by(CampaignRow.created_at.desc()))
                return [CampaignInfo.of(row) for row in rows.mappings()]

        return list(await self._store.memory.recall(("campaigns in", guild_id), ("campaign",), read))

    async def find(
        self, user_id: int, *, guild_id: int | None, channels: Sequence[int], wanted: str | None
    ) -> CampaignInfo:
        """The campaign that a user means: the named one, the channel's own, or the only one it can be.

        ``channels`` are the channel and its parent. A campaign of another server is never found from here.

        Raises:
            Sorry: saying how to name one.
        """
        if wanted:
            known = await (self.in_server(guild_id) if guild_id else self.of_user(user_id))
            for campaign in known:
                if wanted in (campaign.id, campaign.title):
                    return campaign
            names = ", ".join(f"“{campaign.title}”" for campaign in known[:10]) or "none yet"
            raise Sorry(f"There is no campaign of that name here. There is: {names}.", code="unknown-campaign")
        campaign_id = await self._at(tuple(channels))
        if campaign_id is not None:
            return await self.info(campaign_id)
        mine = [one for one in await self.of_user(user_id) if guild_id is None or one.guild_id == guild_id]
        open_ones = [one for one in mine if one.status != "ended"] or mine
        if len(open_ones) == 1:
            return open_ones[0]
        if not open_ones:
            raise Sorry(
                "You are in no campaign here yet. `/campaign list` shows what is going on; `/campaign join` takes a "
                "seat.",
                code="no-campaign",
            )
        names = ", ".join(f"“{one.title}”" for one in open_ones[:10])
        raise Sorry(f"You are in several campaigns: {names}. Say which one with the `campaign` option.", code="which")

    async def _at(self, channels: tuple[int, ...]) -> str | None:
        """The campaign that these channels belong to."""

        async def read() -> str | None:
            async with self._store.glance() as conn:
                here = await conn.execute(select(PlaceRow.campaign_id).where(PlaceRow.discord_id.in_(channels)))
                return here.scalar()

        return await self._store.memory.recall(("campaign at", channels), ("place",), read)

    async def places(self, campaign_id: str, channels: Sequence[int]) -> set[str]:
        """Which of a campaign's places these channels are."""
        async with self._store.glance() as conn:
            rows = await conn.execute(
                select(PlaceRow.key).where(PlaceRow.campaign_id == campaign_id, PlaceRow.discord_id.in_(list(channels)))
            )
            return set(rows.scalars())


async def info_of(conn: Connection, campaign_id: str) -> CampaignInfo:
    """The campaign of that id, within a transaction. Raises Sorry when there is none."""
    row = (await conn.execute(select(CampaignRow).where(CampaignRow.id == campaign_id))).mappings().first()
    if row is None:
        raise Sorry("There is no such campaign.", code="unknown-campaign")
    return CampaignInfo.of(row)


async def caller_of(conn: Connection, campaign_id: str, user_id: int) -> Caller:
    """What a user is to a campaign, within a transaction. Unknown means stranger."""
    referee_id = (await conn.execute(select(CampaignRow.referee_id).where(CampaignRow.id == campaign_id))).scalar()
    mine = select(MemberRow.side).where(MemberRow.campaign_id == campaign_id, MemberRow.user_id == user_id)
    side = (await conn.execute(mine)).scalar()
    roles: set[SeatRole] = set()
    if referee_id == user_id:
        roles.add(SeatRole.REFEREE)
    if side == SPECTATOR:
        roles.add(SeatRole.SPECTATOR)
        side = None
    elif side is not None:
        roles.add(SeatRole.COMMANDER)
    return Caller(user_id, campaign_id, frozenset(roles or {SeatRole.STRANGER}), side)
