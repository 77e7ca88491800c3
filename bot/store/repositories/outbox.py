"""The outbox: effects on Discord, written in the transaction of what caused them, delivered afterwards.

A row is ``queued`` until the worker commits ``sending`` and only then calls Discord. ``done`` holds what came of it
in ``result``. A row that is found ``sending`` is in doubt: the call may have happened. Effects of several calls keep
what each call gave in ``result`` as they go, so that only the call behind the last recorded one is ever in doubt.
"""

import asyncio
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import RowMapping, Text, and_, bindparam, cast, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.records.components import Card
from bot.records.effects import BattleThread, Effect, Post, Refresh, effect_of, kept_of
from bot.records.outbox import UNFINISHED, OutboxItem, OutboxQueue, OutboxStatus, StepResult
from bot.store.tables import CampaignRow, OutboxRow

_KEPT_KINDS = ("provision", "thread")  # read again when a deleted place must be made again

_table = OutboxRow.__table__
_is_unfinished = OutboxRow.status.in_(UNFINISHED)

_heads = select(func.min(OutboxRow.id)).where(_is_unfinished).group_by(OutboxRow.campaign_id, OutboxRow.lane)
"""The first unfinished effect of each queue."""

# Made once, because they are asked at every click or effect: making a statement takes longer than carrying it out.
_DUE_QUEUES = (
    select(OutboxRow.campaign_id, OutboxRow.lane)
    .where(OutboxRow.id.in_(_heads), or_(OutboxRow.not_before.is_(None), OutboxRow.not_before <= bindparam("now")))
    .order_by(OutboxRow.id)
)
_NEXT_MOMENT = select(func.min(OutboxRow.not_before)).where(
    OutboxRow.id.in_(_heads), OutboxRow.not_before > bindparam("now")
)
_FIRST_OF = (
    select(_table)
    .where(_is_unfinished, OutboxRow.campaign_id == bindparam("of"), OutboxRow.lane == bindparam("queue"))
    .order_by(OutboxRow.id)
    .limit(1)
)
_POSTPONED = (
    select(OutboxRow.id)
    .join(CampaignRow, CampaignRow.id == OutboxRow.campaign_id)
    .where(_is_unfinished, OutboxRow.not_before.is_not(None), CampaignRow.guild_id == bindparam("of"))
    .limit(1)
)
_MARK = update(OutboxRow).where(OutboxRow.id == bindparam("of"))
_IS_REDRAWN = (OutboxRow.kind == "redraw", OutboxRow.status == OutboxStatus.SENDING)
"""Until it is sent it is no hindrance to anything: it changes no words."""

_CARD_UNDER_WAY = (
    select(OutboxRow.id)
    .where(
        _is_unfinished,
        OutboxRow.campaign_id == bindparam("of"),
        or_(OutboxRow.kind.in_(("post", "refresh")), and_(*_IS_REDRAWN)),
        OutboxRow.about == bindparam("token"),
    )
    .limit(1)
)
_REDRAWN = (
    select(OutboxRow.id)
    .where(*_IS_REDRAWN, OutboxRow.campaign_id == bindparam("of"), OutboxRow.about == bindparam("token"))
    .limit(1)
)


class Outbox:
    """All effects. ``queued`` once any was put in here: delivery must look again."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self.queued = False

    async def put(
        self,
        campaign_id: str,
        *effects: Effect,
        now: datetime,
        queue: str | None = None,
        not_before: datetime | None = None,
    ) -> None:
        """Put effects in, each into the queue of its destination, or all into ``queue``."""
        if not effects:
            return
        self.queued = True
        # Views of a large map take a while to be written out.
        with_files = any(_has_files(effect) for effect in effects)
        kept = await asyncio.to_thread(_all_kept, effects) if with_files else _all_kept(effects)
        rows = [
            {
                "campaign_id": campaign_id,
                "lane": queue or effect.queue,
                "kind": effect.kind,
                "about": effect.about,
                "payload": payload,
                "status": OutboxStatus.QUEUED.value,
                "attempts": 0,
                "not_before": not_before,
                "created_at": now,
                "error": "",
            }
            for effect, payload in zip(effects, kept, strict=True)
        ]
        await self._connection.execute(insert(OutboxRow), rows)

    # --- what is to be done ------------------------------------------------------------------------------------------

    async def due_queues(self, now: datetime) -> list[OutboxQueue]:
        """The queues whose first unfinished effect may be delivered now, oldest first."""
        return [OutboxQueue(*row) for row in await self._connection.execute(_DUE_QUEUES, {"now": now})]

    async def next_moment(self, now: datetime) -> datetime | None:
        """When the first of the postponed queues falls due."""
        return await self._connection.scalar(_NEXT_MOMENT, {"now": now})

    async def first_of(self, queue: OutboxQueue) -> OutboxItem | None:
        """The first unfinished effect of a queue, due or not."""
        found = await self._connection.execute(_FIRST_OF, {"of": queue.campaign_id, "queue": queue.name})
        row = found.mappings().first()
        return None if row is None else _item(row)

    async def count_unfinished(self) -> int:
        """How many effects are neither done nor given up."""
        query = select(func.count()).select_from(OutboxRow).where(_is_unfinished)
        return await self._connection.scalar(query) or 0

    async def is_behind(self, item: OutboxItem, kind: str, about: str | None = None) -> bool:
        """Whether an unfinished effect of this kind (and about this) of the campaign was queued before ``item``."""
        query = select(OutboxRow.id).where(
            _is_unfinished,
            OutboxRow.campaign_id == item.campaign_id,
            OutboxRow.kind == kind,
            OutboxRow.id < item.id,
        )
        query = query if about is None else query.where(OutboxRow.about == about)
        return await self._connection.scalar(query.limit(1)) is not None

    async def is_card_under_way(self, campaign_id: str, token: str) -> bool:
        """Whether an older card of this prompt has still to reach Discord, and would come after what is shown now."""
        return await self._connection.scalar(_CARD_UNDER_WAY, {"of": campaign_id, "token": token}) is not None

    async def is_redrawn(self, campaign_id: str, token: str) -> bool:
        """Whether pictures of this prompt are on their way to Discord at this moment."""
        return await self._connection.scalar(_REDRAWN, {"of": campaign_id, "token": token}) is not None

    async def is_followed(self, item: OutboxItem) -> bool:
        """Whether another effect waits in the same queue behind this one."""
        query = select(OutboxRow.id).where(
            _is_unfinished,
            OutboxRow.campaign_id == item.campaign_id,
            OutboxRow.lane == item.queue.name,
            OutboxRow.id > item.id,
        )
        return await self._connection.scalar(query.limit(1)) is not None

    async def count_behind(self, item: OutboxItem) -> int:
        """How many posts wait in the same queue behind this effect."""
        query = select(func.count()).where(
            _is_unfinished,
            OutboxRow.campaign_id == item.campaign_id,
            OutboxRow.lane == item.queue.name,
            OutboxRow.kind == "post",
            OutboxRow.id > item.id,
        )
        return await self._connection.scalar(query) or 0

    async def is_outdone(self, item: OutboxItem) -> bool:
        """Whether a newer effect of the same kind about the same waits in the same queue behind this one."""
        query = select(OutboxRow.id).where(
            _is_unfinished,
            OutboxRow.campaign_id == item.campaign_id,
            OutboxRow.lane == item.queue.name,
            OutboxRow.kind == item.effect.kind,
            OutboxRow.about == item.effect.about,
            OutboxRow.id > item.id,
        )
        return await self._connection.scalar(query.limit(1)) is not None

    async def has_queued(self, campaign_id: str, kind: str, about: str | None = None) -> bool:
        """Whether an effect of that kind (and about this) has still to be carried out for a campaign."""
        query = select(OutboxRow.id).where(OutboxRow.campaign_id == campaign_id, OutboxRow.kind == kind)
        query = query if about is None else query.where(OutboxRow.about == about)
        return await self._connection.scalar(query.where(_is_unfinished).limit(1)) is not None

    async def has_waiting(self, campaign_id: str, kind: str, about: str, *, hurry: bool) -> bool:
        """Whether an effect of that kind about this waits and is not under way; it is tried at once if to ``hurry``."""
        waiting = update(OutboxRow).where(
            OutboxRow.status == OutboxStatus.QUEUED,
            OutboxRow.campaign_id == campaign_id,
            OutboxRow.kind == kind,
            OutboxRow.about == about,
        )
        moment = None if hurry else OutboxRow.not_before
        changed = await self._connection.execute(waiting.values(not_before=moment))
        self.queued = self.queued or changed.rowcount > 0
        return changed.rowcount > 0

    async def is_founding(self, campaign_id: str) -> bool:
        """Whether places or roles are being made or given for a campaign now, and nothing was refused."""
        query = select(OutboxRow.id).where(
            _is_unfinished,
            OutboxRow.campaign_id == campaign_id,
            OutboxRow.kind.in_(("provision", "grant")),
            OutboxRow.not_before.is_(None),
        )
        return await self._connection.scalar(query.limit(1)) is not None

    async def is_to_be_given(self, campaign_id: str, token: str, user_id: int) -> bool:
        """Whether a prompt's card is still to be posted for this user, or in a channel for all (0)."""
        query = select(OutboxRow.kind, OutboxRow.payload).where(
            _is_unfinished,
            OutboxRow.campaign_id == campaign_id,
            OutboxRow.kind == "post",
            OutboxRow.about == token,
        )
        effects = [effect_of(row.kind, row.payload) for row in await self._connection.execute(query)]
        return any(isinstance(effect, Post) and (effect.dm or 0) == user_id for effect in effects)

    async def newest_card(self, campaign_id: str, token: str, user_id: int) -> Card | None:
        """The newest card of a prompt that went to this user, or to all, if it is still known."""
        query = select(OutboxRow.kind, OutboxRow.payload).where(
            OutboxRow.campaign_id == campaign_id, OutboxRow.kind.in_(("post", "refresh")), OutboxRow.about == token
        )
        for row in await self._connection.execute(query.order_by(OutboxRow.id.desc())):
            effect = effect_of(row.kind, row.payload)
            if isinstance(effect, Post | Refresh) and effect.dm in (None, user_id) and effect.card is not None:
                return effect.card
        return None

    async def latest(
        self, campaign_id: str, kind: str, about: str, *, before: OutboxItem | None = None
    ) -> Effect | None:
        """The newest effect of this kind about this (of those put in ``before`` another one), whatever became of it:
        what a place was made from."""
        query = select(OutboxRow.kind, OutboxRow.payload).where(
            OutboxRow.campaign_id == campaign_id, OutboxRow.kind == kind, OutboxRow.about == about
        )
        query = query if before is None else query.where(OutboxRow.id < before.id)
        row = (await self._connection.execute(query.order_by(OutboxRow.id.desc()).limit(1))).first()
        return None if row is None else effect_of(row.kind, row.payload)

    async def since(self, campaign_id: str, queue: str, moment: datetime) -> list[Effect]:
        """What was put into a queue after ``moment``, whatever became of it."""
        query = select(OutboxRow.kind, OutboxRow.payload).where(
            OutboxRow.campaign_id == campaign_id, OutboxRow.lane == queue, OutboxRow.created_at > moment
        )
        return [effect_of(row.kind, row.payload) for row in await self._connection.execute(query)]

    async def accounts_for(self, discord_id: int) -> bool:
        """Whether what came of any effect names this Discord id. Looks through all: for the rare one in doubt."""
        query = select(OutboxRow.id).where(cast(OutboxRow.result, Text).contains(str(discord_id)))
        return await self._connection.scalar(query.limit(1)) is not None

    # --- what became of it -------------------------------------------------------------------------------------------

    async def sending(self, item: OutboxItem) -> None:
        """From now on the call may have happened."""
        await self._mark(item, status=OutboxStatus.SENDING, attempts=item.attempts + 1)

    async def progressed(self, item: OutboxItem, results: Mapping[str, StepResult]) -> None:
        """Keep what the calls so far gave."""
        await self._mark(item, result=dict(results))

    async def done(self, item: OutboxItem, results: Mapping[str, StepResult]) -> None:
        """Delivered."""
        await self._mark(item, status=OutboxStatus.DONE, result=dict(results), not_before=None, error="")

    async def failed(self, item: OutboxItem, error: str) -> None:
        """Given up. ``error`` says why, without contents."""
        await self._mark(item, status=OutboxStatus.FAILED, not_before=None, error=error)

    async def give_up_waiting(self, campaign_id: str) -> None:
        """Give up whatever waits for a campaign and was not called yet: it is of no use any more."""
        waiting = update(OutboxRow).where(OutboxRow.status == OutboxStatus.QUEUED, OutboxRow.campaign_id == campaign_id)
        await self._connection.execute(waiting.values(status=OutboxStatus.FAILED, not_before=None, error="cancelled"))

    async def later(self, item: OutboxItem, not_before: datetime, error: str, *, in_doubt: bool) -> None:
        """Try again at ``not_before``. ``in_doubt``: the failed call may have happened after all."""
        status = OutboxStatus.SENDING if in_doubt else OutboxStatus.QUEUED
        await self._mark(item, status=status, not_before=not_before, error=error)

    async def held(self, item: OutboxItem) -> None:
        """Back to what it was: it was not its turn, and nothing was called."""
        await self._mark(item, status=item.status, attempts=item.attempts)

    async def _mark(self, item: OutboxItem, **values: object) -> None:
        await self._connection.execute(_MARK, {"of": item.id, **values})

    async def is_postponed(self, guild_id: int) -> bool:
        """Whether an effect of a server's campaigns waits for its moment."""
        return await self._connection.scalar(_POSTPONED, {"of": guild_id}) is not None

    async def hurry(self, guild_id: int) -> None:
        """Let the postponed effects of a server's campaigns be tried at once: a permission may have been granted."""
        theirs = select(CampaignRow.id).where(CampaignRow.guild_id == guild_id)
        hurrying = update(OutboxRow).where(_is_unfinished, OutboxRow.campaign_id.in_(theirs))
        await self._connection.execute(hurrying.values(not_before=None))

    async def hurry_refused(self, campaign_id: str) -> None:
        """Let what Discord refused for a campaign be tried at once: what it lacked was mended."""
        refused = or_(OutboxRow.error.startswith("forbidden:"), OutboxRow.error.startswith("open:"))
        hurrying = update(OutboxRow).where(_is_unfinished, OutboxRow.campaign_id == campaign_id, refused)
        await self._connection.execute(hurrying.values(not_before=None))

    async def sweep(self, before: datetime) -> None:
        """Forget what was delivered before this moment, but never the newest: ids must not be given twice."""
        newest = await self._connection.scalar(select(func.max(OutboxRow.id)))
        old = (OutboxRow.status == OutboxStatus.DONE) & (OutboxRow.created_at < before)
        kept = OutboxRow.kind.in_(_KEPT_KINDS) | (OutboxRow.id == newest)
        await self._connection.execute(delete(OutboxRow).where(old, ~kept))


def _has_files(effect: Effect) -> bool:
    in_card = isinstance(effect, Post) and effect.card is not None and effect.card.files
    return bool(in_card or (isinstance(effect, Post | BattleThread) and effect.files))


def _all_kept(effects: Iterable[Effect]) -> list[dict[str, Any]]:
    return [kept_of(effect) for effect in effects]


def _item(row: RowMapping) -> OutboxItem:
    return OutboxItem(
        id=row["id"],
        queue=OutboxQueue(row["campaign_id"], row["lane"]),
        effect=effect_of(row["kind"], row["payload"]),
        status=OutboxStatus(row["status"]),
        attempts=row["attempts"],
        not_before=row["not_before"],
        created_at=row["created_at"],
        results=row["result"] or {},
    )
