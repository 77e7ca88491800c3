"""Battles played by hand: which are open, so that their threads are awake, and which are over. Found by index."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, bindparam, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.records.battles import OpenBattle
from bot.records.places import battle_place
from bot.store.tables import BattleRow, CampaignRow, PlaceRow

_is_open = BattleRow.stirred_at.is_not(None)

# Made once, because they are asked again and again: making a statement takes longer than carrying it out.
_OPEN_OF = select(BattleRow.key).where(_is_open, BattleRow.campaign_id == bindparam("of")).order_by(BattleRow.key)
_QUIET = (
    select(BattleRow.campaign_id, BattleRow.key, BattleRow.stirred_at)
    .where(BattleRow.stirred_at < bindparam("before"))
    .order_by(BattleRow.stirred_at)
    .limit(bindparam("most"))
)

_WITH_THREADS = (
    select(BattleRow.campaign_id, BattleRow.key, BattleRow.stirred_at, PlaceRow.discord_id)
    .join(CampaignRow, CampaignRow.id == BattleRow.campaign_id)
    .join(
        PlaceRow,
        (PlaceRow.campaign_id == BattleRow.campaign_id) & (PlaceRow.key == battle_place("") + BattleRow.key),
    )
    .where(_is_open)
)


class Battles:
    """All battles that were ever opened. One that nobody wrote down here is neither open nor over."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def open(self, campaign_id: str, key: str, seq: int, now: datetime) -> bool:
        """A battle is to be fought since entry ``seq``; gives whether one of that key was opened before."""
        opened = {"opened_seq": seq, "stirred_at": now}
        changed = await self._connection.execute(update(BattleRow).where(_one(campaign_id, key)).values(opened))
        if not changed.rowcount:
            await self._connection.execute(insert(BattleRow), {"campaign_id": campaign_id, "key": key, **opened})
        return bool(changed.rowcount)

    async def open_of(self, campaign_id: str) -> list[str]:
        """The keys of a campaign's open battles."""
        return list((await self._connection.execute(_OPEN_OF, {"of": campaign_id})).scalars())

    async def close(self, campaign_id: str, keys: Collection[str]) -> None:
        """These battles are over."""
        theirs = (BattleRow.campaign_id == campaign_id) & BattleRow.key.in_(keys)
        await self._connection.execute(update(BattleRow).where(theirs).values(stirred_at=None))

    async def undo(self, campaign_id: str, *, after: int, but: Collection[str]) -> set[str]:
        """Play went back to entry ``after``: battles opened later are void, but for these. Gives their keys."""
        gone = (BattleRow.campaign_id == campaign_id) & (BattleRow.opened_seq > after) & BattleRow.key.not_in(list(but))
        keys = set((await self._connection.execute(select(BattleRow.key).where(gone))).scalars())
        await self._connection.execute(update(BattleRow).where(gone).values(opened_seq=None, stirred_at=None))
        return keys

    async def is_over(self, campaign_id: str, key: str) -> bool:
        """Whether a battle was opened, and is not open any more."""
        over = _one(campaign_id, key) & BattleRow.stirred_at.is_(None)
        return await self._connection.scalar(select(BattleRow.key).where(over)) is not None

    async def quiet(self, before: datetime, most: int) -> list[OpenBattle]:
        """The first of the open battles whose threads were last stirred before this moment."""
        rows = await self._connection.execute(_QUIET, {"before": before, "most": most})
        return [_battle(row) for row in rows]

    async def stir(self, battle: OpenBattle, now: datetime) -> bool:
        """Its thread is stirred now; False if that was done meanwhile, or the battle is over."""
        as_found = _one(battle.campaign_id, battle.key) & (BattleRow.stirred_at == battle.stirred_at)
        changed = await self._connection.execute(update(BattleRow).where(as_found).values(stirred_at=now))
        return bool(changed.rowcount)

    async def with_threads(self, guild_id: int, most: int) -> list[tuple[OpenBattle, int]]:
        """A server's open battles that have a thread, each with it; the first of them, by when they were stirred."""
        query = _WITH_THREADS.where(CampaignRow.guild_id == guild_id).order_by(BattleRow.stirred_at).limit(most)
        return [(_battle(row), row.discord_id) for row in await self._connection.execute(query)]


def _battle(row: Any) -> OpenBattle:
    return OpenBattle(row.campaign_id, row.key, row.stirred_at)


def _one(campaign_id: str, key: str) -> ColumnElement[bool]:
    return (BattleRow.campaign_id == campaign_id) & (BattleRow.key == key)
