"""The outbox: side effects on Discord, written in the transaction of what caused them, delivered afterwards.

A row is ``queued`` until the worker commits ``sending`` and only then calls Discord. ``done`` holds what came of it
in ``result``. A row that is found ``sending`` is in doubt: the call may have happened. Effects of several calls keep
what each call gave in ``result`` as they go, so that only the call behind the last recorded one is ever in doubt.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, Text, and_, bindparam, cast, delete, func, insert, or_, select, update

from bot.store.engine import Connection
from bot.store.tables import OutboxRow

UNFINISHED = ("queued", "sending")
_KEPT_KINDS = ("provision", "thread")  # read again when a deleted place must be made again

_table = OutboxRow.__table__
_insert = insert(OutboxRow)


@dataclass(frozen=True, slots=True)
class OutboxItem:
    """One row, as the worker handles it."""

    id: int
    campaign_id: str
    lane: str
    """Its queue's name, as the column is called."""
    kind: str
    payload: dict[str, Any]
    status: str
    attempts: int
    not_before: datetime | None
    created_at: datetime
    result: dict[str, Any]
    error: str

    @property
    def in_doubt(self) -> bool:
        """Whether a call for this row may have reached Discord without our knowing."""
        return self.status == "sending"


@dataclass(frozen=True, slots=True)
class OutboxQueue:
    """Posts of one campaign to one destination, delivered in order."""

    campaign_id: str
    name: str


async def enqueue(
    conn: Connection, campaign_id: str, rows: Sequence[tuple[str, str, Mapping[str, Any]]], *, now: datetime
) -> None:
    """Add ``(queue, kind, payload)`` rows. Call ``delivery.kick()`` once the transaction has been committed."""
    if rows:
        await conn.execute(
            _insert,
            [
                {
                    "campaign_id": campaign_id,
                    "lane": queue,
                    "kind": kind,
                    "payload": dict(payload),
                    "status": "queued",
                    "attempts": 0,
                    "created_at": now,
                    "error": "",
                }
                for queue, kind, payload in rows
            ],
        )


_heads = (
    select(func.min(OutboxRow.id))
    .where(OutboxRow.status.in_(UNFINISHED))
    .group_by(OutboxRow.campaign_id, OutboxRow.lane)
)
_due_queues = (
    select(OutboxRow.campaign_id, OutboxRow.lane)
    .where(OutboxRow.id.in_(_heads), or_(OutboxRow.not_before.is_(None), OutboxRow.not_before <= bindparam("now")))
    .order_by(OutboxRow.id)
)
_next_moment = select(func.min(OutboxRow.not_before)).where(
    OutboxRow.id.in_(_heads), OutboxRow.not_before > bindparam("now")
)
_head: Select[Any] = (
    select(_table)
    .where(
        OutboxRow.status.in_(UNFINISHED),
        OutboxRow.campaign_id == bindparam("campaign"),
        OutboxRow.lane == bindparam("lane"),
    )
    .order_by(OutboxRow.id)
    .limit(1)
)


async def due_queues(conn: Connection, now: datetime) -> list[OutboxQueue]:
    """The queues whose first unfinished row may be delivered now, oldest first."""
    return [OutboxQueue(*row) for row in (await conn.execute(_due_queues, {"now": now})).all()]


async def next_moment(conn: Connection, now: datetime) -> datetime | None:
    """When the first of the postponed queues falls due."""
    return await conn.scalar(_next_moment, {"now": now})


async def head(conn: Connection, queue: OutboxQueue) -> OutboxItem | None:
    """The first unfinished row of a queue, due or not."""
    row = (await conn.execute(_head, {"campaign": queue.campaign_id, "lane": queue.name})).mappings().first()
    return _item(row) if row else None


async def unfinished(conn: Connection) -> int:
    """How many rows are neither done nor given up."""
    return await conn.scalar(select(func.count()).select_from(OutboxRow).where(OutboxRow.status.in_(UNFINISHED)))


async def earlier_unfinished(conn: Connection, item: OutboxItem, kind: str, **fields: str) -> bool:
    """Whether an unfinished row of this kind (and payload fields) of the campaign was queued before ``item``."""
    query = select(OutboxRow.id).where(
        OutboxRow.status.in_(UNFINISHED),
        OutboxRow.campaign_id == item.campaign_id,
        OutboxRow.kind == kind,
        OutboxRow.id < item.id,
        *(OutboxRow.payload[field].as_string() == value for field, value in fields.items()),
    )
    return await conn.scalar(query.limit(1)) is not None


_cards_under_way = (  # on the way of a click, so without lists of values, which are written out each time
    select(OutboxRow.id)
    .where(
        or_(*(OutboxRow.status == status for status in UNFINISHED)),
        OutboxRow.campaign_id.concat("") == bindparam("campaign"),  # found by status: few rows are unfinished
        or_(OutboxRow.kind == "post", OutboxRow.kind == "refresh"),
        or_(
            OutboxRow.payload["prompt"].as_string() == bindparam("token"),
            OutboxRow.payload["token"].as_string() == bindparam("token"),
        ),
    )
    .limit(1)
)


async def card_under_way(conn: Connection, campaign_id: str, token: str) -> bool:
    """Whether an older card of this prompt has still to reach Discord, and would come after what is shown now."""
    return await conn.scalar(_cards_under_way, {"campaign": campaign_id, "token": token}) is not None


async def latest(conn: Connection, campaign_id: str, kind: str, **fields: str) -> OutboxItem | None:
    """The newest row of this kind, whatever its status: what a place was made from."""
    query = select(_table).where(
        OutboxRow.campaign_id == campaign_id,
        OutboxRow.kind == kind,
        *(OutboxRow.payload[field].as_string() == value for field, value in fields.items()),
    )
    row = (await conn.execute(query.order_by(OutboxRow.id.desc()).limit(1))).mappings().first()
    return _item(row) if row else None


async def accounts_for(conn: Connection, discord_id: int) -> bool:
    """Whether the result of any row names this Discord id. Looks through all rows: for the rare row in doubt."""
    query = select(OutboxRow.id).where(cast(OutboxRow.result, Text).contains(str(discord_id)))
    return await conn.scalar(query.limit(1)) is not None


async def mark_sending(conn: Connection, row_id: int) -> None:
    """From now on the call may have happened."""
    await conn.execute(
        update(OutboxRow).where(OutboxRow.id == row_id).values(status="sending", attempts=OutboxRow.attempts + 1)
    )


async def mark_progress(conn: Connection, row_id: int, result: Mapping[str, Any]) -> None:
    """Keep what the calls so far gave."""
    await conn.execute(update(OutboxRow).where(OutboxRow.id == row_id).values(result=dict(result)))


async def mark_done(conn: Connection, row_id: int, result: Mapping[str, Any]) -> None:
    """Delivered."""
    await conn.execute(
        update(OutboxRow)
        .where(OutboxRow.id == row_id)
        .values(status="done", result=dict(result), not_before=None, error="")
    )


async def mark_failed(conn: Connection, row_id: int, error: str) -> None:
    """Given up. ``error`` says why, without contents."""
    await conn.execute(
        update(OutboxRow).where(OutboxRow.id == row_id).values(status="failed", not_before=None, error=error)
    )


async def mark_later(conn: Connection, row_id: int, not_before: datetime, error: str, *, in_doubt: bool) -> None:
    """Try again at ``not_before``. ``in_doubt``: the failed call may have happened after all."""
    await conn.execute(
        update(OutboxRow)
        .where(OutboxRow.id == row_id)
        .values(status="sending" if in_doubt else "queued", not_before=not_before, error=error)
    )


async def mark_held(conn: Connection, item: OutboxItem) -> None:
    """Back to what it was: it was not its turn, and nothing was called."""
    await conn.execute(
        update(OutboxRow).where(OutboxRow.id == item.id).values(status=item.status, attempts=item.attempts)
    )


async def hurry(conn: Connection, campaign_ids: Sequence[str]) -> None:
    """Let the postponed rows of these campaigns be tried at once: a permission may have been granted."""
    await conn.execute(
        update(OutboxRow)
        .where(OutboxRow.status.in_(UNFINISHED), OutboxRow.campaign_id.in_(campaign_ids))
        .values(not_before=None)
    )


async def sweep(conn: Connection, before: datetime) -> None:
    """Forget delivered rows older than ``before``, but never the newest: ids must not be given twice."""
    newest = await conn.scalar(select(func.max(OutboxRow.id)))
    await conn.execute(
        delete(OutboxRow).where(
            and_(
                OutboxRow.status == "done",
                OutboxRow.created_at < before,
                OutboxRow.kind.not_in(_KEPT_KINDS),
                OutboxRow.id != newest,
            )
        )
    )


def _item(row: Mapping[Any, Any]) -> OutboxItem:
    columns: dict[str, Any] = {**row, "result": row["result"] or {}}
    return OutboxItem(**columns)
