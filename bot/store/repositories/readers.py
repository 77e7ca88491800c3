"""How people want to read, in every campaign."""

from collections.abc import Collection

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.tables import ReaderRow

_THEME = select(ReaderRow.theme).where(ReaderRow.user_id == bindparam("user"))
_TYPED_FOR = select(ReaderRow.typed_for).where(ReaderRow.user_id == bindparam("user"))
_NOTHING_CHOSEN = (ReaderRow.theme == "") & ~ReaderRow.in_channel & (ReaderRow.typed_for == "")


class Readers:
    """What readers have chosen for themselves."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def theme(self, user_id: int) -> str:
        """The theme of this user's maps; empty where none was chosen."""
        return await self._connection.scalar(_THEME, {"user": user_id}) or ""

    async def set_theme(self, user_id: int, theme: str) -> None:
        """Choose the theme of this user's maps; empty: none any more."""
        await self._choose(user_id, theme=theme)

    async def in_channel(self, user_ids: Collection[int]) -> frozenset[int]:
        """Those of these users who want what is theirs in their side's channel rather than by direct message."""
        chosen = select(ReaderRow.user_id).where(ReaderRow.user_id.in_(user_ids), ReaderRow.in_channel)
        return frozenset(await self._connection.scalars(chosen))

    async def set_in_channel(self, user_id: int, wanted: bool) -> None:
        """Choose the side's channel, or direct messages again."""
        await self._choose(user_id, in_channel=wanted)

    async def typed_for(self, user_id: int) -> str:
        """The campaign that this user's plain messages are for where they fit several; empty where none was chosen."""
        return await self._connection.scalar(_TYPED_FOR, {"user": user_id}) or ""

    async def set_typed_for(self, user_id: int, campaign_id: str) -> None:
        """Choose it; empty: none any more."""
        await self._choose(user_id, typed_for=campaign_id)

    async def _choose(self, user_id: int, **chosen: object) -> None:
        mine = ReaderRow.user_id == user_id
        changed = await self._connection.execute(update(ReaderRow).where(mine).values(chosen))
        if not changed.rowcount:
            row = {"user_id": user_id, "theme": "", "in_channel": False, "typed_for": "", **chosen}
            await self._connection.execute(insert(ReaderRow), row)
        await self._connection.execute(delete(ReaderRow).where(mine, _NOTHING_CHOSEN))
