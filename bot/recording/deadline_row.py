"""The row of a campaign's deadline: set when sheets open, moved, stopped, started. It falls in bot/deadlines.py."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, insert, select, update

from bot.recording.transaction import Recording
from bot.store.connections import Connection
from bot.store.tables import DeadlineRow


async def deadline_of(conn: Connection, campaign_id: str) -> Any:
    """The row, or None while nothing is open."""
    query = select(DeadlineRow).where(DeadlineRow.campaign_id == campaign_id)
    return (await conn.execute(query)).mappings().first()


async def falls_at(conn: Connection, campaign_id: str) -> datetime | None:
    """When the deadline falls; None while the clock stands still."""
    return await conn.scalar(select(DeadlineRow.falls_at).where(DeadlineRow.campaign_id == campaign_id))


async def set_deadline(recording: Recording, moment: datetime, opened_seq: int) -> None:
    """Start the clock of the open batch."""
    await drop_deadline(recording)
    await recording.conn.execute(
        insert(DeadlineRow).values(
            campaign_id=recording.campaign.id,
            opened_seq=opened_seq,
            opened_at=recording.now,
            falls_at=moment,
            reminded=False,
        )
    )


async def drop_deadline(recording: Recording) -> None:
    """Nothing is open any more."""
    await recording.conn.execute(delete(DeadlineRow).where(DeadlineRow.campaign_id == recording.campaign.id))


async def stop_clock(recording: Recording) -> None:
    """Keep the time that is left, and let the clock stand still."""
    moment = await falls_at(recording.conn, recording.campaign.id)
    if moment is None:
        return
    left = max(0, int((moment - recording.now).total_seconds()))
    await recording.conn.execute(_of(recording).values(falls_at=None, left_seconds=left))


async def start_clock(recording: Recording) -> datetime | None:
    """Let the clock run again for the time that was left; gives when it falls, or None if it did not stand still."""
    query = select(DeadlineRow.left_seconds).where(DeadlineRow.campaign_id == recording.campaign.id)
    left = (await recording.conn.execute(query)).scalar()
    if left is None:
        return None
    moment = recording.now + timedelta(seconds=left)
    await recording.conn.execute(_of(recording).values(falls_at=moment, left_seconds=None))
    return moment


async def move_deadline(recording: Recording, before: datetime, moment: datetime) -> bool:
    """Move the deadline, and remind again; False if it is not at ``before`` any more."""
    moving = _of(recording).where(DeadlineRow.falls_at == before).values(falls_at=moment, reminded=False)
    return bool((await recording.conn.execute(moving)).rowcount)


async def give_grace(recording: Recording, opened_seq: int, moment: datetime) -> None:
    """Move the deadline of this very batch, and remind again."""
    moving = _of(recording).where(DeadlineRow.opened_seq == opened_seq)
    await recording.conn.execute(moving.values(falls_at=moment, reminded=False))


def _of(recording: Recording) -> Any:
    return update(DeadlineRow).where(DeadlineRow.campaign_id == recording.campaign.id)
