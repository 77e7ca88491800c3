"""What people write in direct messages: how far it was read; orders in it until they are saved or the sheet closes."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.records.campaigns import IN_PLAY
from bot.records.prompts import PromptStatus, TypedText
from bot.store.tables import CampaignRow, HeardRow, MemberRow, PromptMessageRow, PromptRow, TypedRow

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


_PLAYED = select(CampaignRow.id).where(CampaignRow.status.in_(IN_PLAY))
_IN_PLAY = (
    select(MemberRow.user_id)
    .where(MemberRow.campaign_id.in_(_PLAYED))
    .union(select(CampaignRow.referee_id).where(CampaignRow.status.in_(IN_PLAY)))
)
_HEARD = select(HeardRow.user_id, HeardRow.channel_id, HeardRow.message_id).where(HeardRow.user_id.in_(_IN_PLAY))
_ASKED = (
    select(MemberRow.user_id, func.min(PromptRow.created_at, type_=PromptRow.created_at.type).label("since"))
    .join(PromptRow, (PromptRow.campaign_id == MemberRow.campaign_id) & (PromptRow.side == MemberRow.side))
    .where(PromptRow.status == PromptStatus.OPEN)
    .group_by(MemberRow.user_id)
)
_CARDS = (
    select(PromptMessageRow.user_id, func.max(PromptMessageRow.channel_id).label("channel_id"))
    .join(PromptRow, PromptRow.token == PromptMessageRow.token)
    .where(PromptRow.status == PromptStatus.OPEN, PromptMessageRow.user_id != 0)
    .group_by(PromptMessageRow.user_id)
)


@dataclass(frozen=True, slots=True)
class Unread:
    """Where somebody in play may have written what was not read: behind the message ``read`` (0: none was) of their
    channel, and no older than ``since``, when the first of the sheets that are open to them was opened (None: none
    is)."""

    user_id: int
    channel_id: int
    read: int
    since: datetime | None


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

    # --- how far people were heard ------------------------------------------------------------------------------

    async def unread(self, user_id: int | None = None) -> list[Unread]:
        """Everybody in play, or this person, whose channel is known."""
        heard, asked, cards = _HEARD, _ASKED, _CARDS
        if user_id is not None:
            heard = heard.where(HeardRow.user_id == user_id)
            asked = asked.where(MemberRow.user_id == user_id)
            cards = cards.where(PromptMessageRow.user_id == user_id)
        since = {row.user_id: row.since for row in await self._connection.execute(asked)}
        found = {
            row.user_id: Unread(row.user_id, row.channel_id, 0, since[row.user_id])
            for row in await self._connection.execute(cards)
            if row.user_id in since
        }
        for row in await self._connection.execute(heard):
            found[row.user_id] = Unread(row.user_id, row.channel_id, row.message_id, since.get(row.user_id))
        return [found[one] for one in sorted(found)]

    async def is_heard(self, user_id: int, channel_id: int, message_id: int) -> None:
        """What somebody wrote was read up to this message."""
        mine = HeardRow.user_id == user_id
        before = await self._connection.scalar(select(HeardRow.message_id).where(mine))
        values = {"channel_id": channel_id, "message_id": max(message_id, before or 0)}
        if before is None:
            await self._connection.execute(insert(HeardRow), {"user_id": user_id, **values})
        else:
            await self._connection.execute(update(HeardRow).where(mine).values(values))
