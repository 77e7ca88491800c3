"""Where each campaign is on Discord: its category, channels, roles and threads, by key (:mod:`bot.records.places`)."""

from collections.abc import Collection

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.records.campaigns import CampaignStatus
from bot.store.tables import CampaignRow, PlaceRow

# Made once, because it is asked at every effect: making a statement takes longer than carrying it out.
_FIND = select(PlaceRow.discord_id).where(PlaceRow.campaign_id == bindparam("of"), PlaceRow.key == bindparam("called"))


class Places:
    """All places that were made."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def find(self, campaign_id: str, key: str) -> int | None:
        """The Discord id of a place, as far as we know."""
        return await self._connection.scalar(_FIND, {"of": campaign_id, "called": key})

    async def all_of(self, campaign_id: str) -> dict[str, int]:
        """The Discord ids of a campaign's places by key."""
        query = select(PlaceRow.key, PlaceRow.discord_id).where(PlaceRow.campaign_id == campaign_id)
        return {row.key: row.discord_id for row in await self._connection.execute(query)}

    async def roles_among(self, guild_id: int, roles: Collection[int]) -> list[tuple[str, str, int]]:
        """Which of these roles are a campaign's that has not ended: its id, the role's key, the role."""
        query = select(PlaceRow.campaign_id, PlaceRow.key, PlaceRow.discord_id).join(
            CampaignRow, CampaignRow.id == PlaceRow.campaign_id
        )
        theirs = (PlaceRow.discord_id.in_(roles), PlaceRow.key.startswith("role:", autoescape=True))
        on = (CampaignRow.guild_id == guild_id, CampaignRow.status != CampaignStatus.ENDED)
        return [(*row,) for row in await self._connection.execute(query.where(*theirs, *on))]

    async def keys_of(self, campaign_id: str, channels: Collection[int]) -> set[str]:
        """Which of a campaign's places these channels are."""
        query = select(PlaceRow.key).where(PlaceRow.campaign_id == campaign_id, PlaceRow.discord_id.in_(channels))
        return set((await self._connection.execute(query)).scalars())

    async def settle(self, campaign_id: str, key: str, discord_id: int) -> None:
        """Remember where a place is."""
        mine = (PlaceRow.campaign_id == campaign_id) & (PlaceRow.key == key)
        await self._connection.execute(delete(PlaceRow).where(mine))
        row = {"campaign_id": campaign_id, "key": key, "discord_id": discord_id}
        await self._connection.execute(insert(PlaceRow), row)

    async def rename(self, campaign_id: str, key: str, new: str) -> None:
        """What was one place is another one from now on, and nothing is in its stead."""
        mine = (PlaceRow.campaign_id == campaign_id) & (PlaceRow.key == key)
        earlier = (PlaceRow.campaign_id == campaign_id) & (PlaceRow.key == new)
        await self._connection.execute(delete(PlaceRow).where(earlier))
        await self._connection.execute(update(PlaceRow).where(mine).values(key=new))

    async def forget(self, campaign_id: str, discord_id: int) -> None:
        """Forget a place that is gone."""
        gone = (PlaceRow.campaign_id == campaign_id) & (PlaceRow.discord_id == discord_id)
        await self._connection.execute(delete(PlaceRow).where(gone))
