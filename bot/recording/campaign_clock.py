"""The clock of one campaign, by which all its strands close: set when sheets open, stopped, started, moved. Its
deadlines fall in bot/deadlines.py."""

from datetime import datetime, timedelta

from bot.recording.transaction import Recording
from bot.records.deadlines import Deadline


async def set_clock(recording: Recording, strand: str, moment: datetime, opened_seq: int) -> None:
    """Let what was opened in a strand close at ``moment``."""
    opened = Deadline(recording.campaign.id, opened_seq, opened_at=recording.now, falls_at=moment, strand=strand)
    await recording.tx.deadlines.keep(opened.falling(moment, recording.campaign.settings.reminder_left))


async def stop_clock(recording: Recording) -> None:
    """Keep the time that is left in each strand, and let the clock stand still."""
    for deadline in await recording.deadlines():
        await recording.tx.deadlines.keep(deadline.stopped(recording.now))


async def start_clock(recording: Recording) -> None:
    """Let the clock run again in each strand for the time that was left there."""
    for deadline in await recording.deadlines():
        await recording.tx.deadlines.keep(deadline.started(recording.now, recording.campaign.settings.reminder_left))


async def move_clock(recording: Recording, by: timedelta, only: str | None = None) -> list[Deadline]:
    """Move all running deadlines, or that of one strand, and remind again; gives them as they are now."""
    left = recording.campaign.settings.reminder_left
    mine = [one for one in await recording.deadlines() if only in (None, one.strand)]
    moved = [one.moved(one.falls_at + by, left) for one in mine if one.falls_at is not None]
    for deadline in moved:
        await recording.tx.deadlines.keep(deadline)
    return moved


async def give_grace(recording: Recording, strand: str, opened_seq: int, moment: datetime) -> None:
    """Move the deadline of what that very entry opened in a strand, and remind again."""
    deadline = await recording.tx.deadlines.of(recording.campaign.id, strand)
    if deadline is not None and deadline.opened_seq == opened_seq:
        await recording.tx.deadlines.keep(deadline.moved(moment, recording.campaign.settings.reminder_left))
