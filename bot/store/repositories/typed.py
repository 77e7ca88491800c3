"""Orders that people wrote in direct messages, until they are saved or their sheet is closed: a few of each."""

from collections.abc import Collection

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.records.prompts import TypedText
from bot.store.tables import TypedRow

MOST_KEPT = 8
"""Texts of one person that are kept; the oldest goes first."""

_FIND = select(TypedRow.message_id, TypedRow.token, TypedRow.text, TypedRow.saved).where(
    TypedRow.message_id == bindparam("of"), TypedRow.user_id == bindparam("user")
)
_OLD = (
    select(TypedRow.message_id)
    .where(TypedRow.user_id == bindparam("user"))
    .order_by(TypedRow.message_id.desc())
    .offset(MOST_KEPT)
)


class TypedTexts:
    """All that was written so."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def find(self, message_id: int, user_id: int) -> TypedText | None:
        """What this person wrote in this message, if it is still kept."""
        row = (await self._connection.execute(_FIND, {"of": message_id, "user": user_id})).first()
        return None if row is None else TypedText(row.message_id, row.token, row.text, row.saved)

    async def keep(self, user_id: int, typed: TypedText) -> None:
        """Keep what somebody wrote, in the place of what was kept of the same message."""
        await self._connection.execute(delete(TypedRow).where(TypedRow.message_id == typed.message_id))
        row = {"message_id": typed.message_id, "user_id": user_id, "token": typed.token, "text": typed.text}
        await self._connection.execute(insert(TypedRow), {**row, "saved": typed.saved})
        old = (await self._connection.execute(_OLD, {"user": user_id})).scalars().all()
        if old:
            await self._connection.execute(delete(TypedRow).where(TypedRow.message_id.in_(old)))

    async def is_saved(self, message_id: int) -> None:
        """It stands on its sheet now."""
        await self._connection.execute(update(TypedRow).where(TypedRow.message_id == message_id).values(saved=True))

    async def forget(self, tokens: Collection[str]) -> None:
        """Forget what was written for these prompts."""
        if tokens:
            await self._connection.execute(delete(TypedRow).where(TypedRow.token.in_(tokens)))
