"""Letters that people have seen before they are sent: the last few of each person."""

from datetime import datetime

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.records.letters.letter import Draft, Handed
from bot.store.tables import LetterDraftRow

MOST_KEPT = 8
"""Drafts of one person that are kept; the oldest goes first."""


class LetterDrafts:
    """All drafts."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def keep(self, draft: Draft) -> None:
        """Keep this one."""
        row = {
            "token": draft.token,
            "campaign_id": draft.campaign_id,
            "user_id": draft.user_id,
            "at": draft.at,
            "receivers": list(draft.to),
            "text": draft.text,
            "handed": "" if draft.handed is None else draft.handed.model_dump_json(),
        }
        await self._connection.execute(insert(LetterDraftRow), row)
        mine = select(LetterDraftRow.token).where(LetterDraftRow.user_id == draft.user_id)
        order = (LetterDraftRow.at.desc(), LetterDraftRow.token.desc())
        old = (await self._connection.execute(mine.order_by(*order).offset(MOST_KEPT))).scalars().all()
        await self.drop(*old)

    async def find(self, token: str, user_id: int) -> Draft | None:
        """The draft of that token, if it is this user's."""
        query = select(LetterDraftRow.__table__).where(LetterDraftRow.token == token, LetterDraftRow.user_id == user_id)
        row = (await self._connection.execute(query)).first()
        if row is None:
            return None
        handed = Handed.model_validate_json(row.handed) if row.handed else None
        return Draft(row.token, row.campaign_id, row.user_id, row.at, tuple(row.receivers), row.text, handed)

    async def drop(self, *tokens: str) -> None:
        """Forget these: they are sent, or too old."""
        if tokens:
            await self._connection.execute(delete(LetterDraftRow).where(LetterDraftRow.token.in_(tokens)))

    async def forget_before(self, moment: datetime) -> None:
        """Forget all that were made before a moment."""
        await self._connection.execute(delete(LetterDraftRow).where(LetterDraftRow.at < moment))
