"""What people wrote for open prompts and got back, because it was not accepted: kept for each until it is mended."""

from collections.abc import Collection

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.records.prompts import Returned
from bot.store.tables import ReturnedRow

_ALL = select(ReturnedRow.user_id, ReturnedRow.text, ReturnedRow.lines, ReturnedRow.why).where(
    ReturnedRow.token == bindparam("of")
)
_OF = select(ReturnedRow.text, ReturnedRow.lines, ReturnedRow.why).where(
    ReturnedRow.token == bindparam("of"), ReturnedRow.user_id == bindparam("user")
)
_FORGET = delete(ReturnedRow).where(ReturnedRow.token == bindparam("of"), ReturnedRow.user_id == bindparam("user"))


class ReturnedTexts:
    """All that was given back."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def of(self, token: str, user_id: int) -> Returned:
        """What of a user's was not accepted for a prompt."""
        row = (await self._connection.execute(_OF, {"of": token, "user": user_id})).first()
        return Returned() if row is None else Returned(row.text, row.lines, tuple(row.why))

    async def for_prompt(self, token: str) -> dict[int, Returned]:
        """What was not accepted for a prompt, by user."""
        rows = await self._connection.execute(_ALL, {"of": token})
        return {row.user_id: Returned(row.text, row.lines, tuple(row.why)) for row in rows}

    async def keep(self, token: str, user_id: int, returned: Returned) -> None:
        """Keep this for a user in the place of what was kept."""
        await self._connection.execute(_FORGET, {"of": token, "user": user_id})
        if returned:
            row = {"token": token, "user_id": user_id, "text": returned.text, "lines": returned.lines}
            await self._connection.execute(insert(ReturnedRow), {**row, "why": list(returned.why)})

    async def forget(self, tokens: Collection[str]) -> None:
        """Forget what was kept for these prompts."""
        if tokens:
            await self._connection.execute(delete(ReturnedRow).where(ReturnedRow.token.in_(tokens)))
