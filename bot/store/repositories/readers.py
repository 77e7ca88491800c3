"""How people want to read, in every campaign."""

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.tables import ReaderRow

_THEME = select(ReaderRow.theme).where(ReaderRow.user_id == bindparam("user"))


class Readers:
    """What readers have chosen for themselves."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def theme(self, user_id: int) -> str:
        """The theme of this user's maps; empty where none was chosen."""
        return await self._connection.scalar(_THEME, {"user": user_id}) or ""

    async def set_theme(self, user_id: int, theme: str) -> None:
        """Choose the theme of this user's maps; empty: none any more."""
        await self._connection.execute(delete(ReaderRow).where(ReaderRow.user_id == user_id))
        if theme:
            await self._connection.execute(insert(ReaderRow), {"user_id": user_id, "theme": theme})
