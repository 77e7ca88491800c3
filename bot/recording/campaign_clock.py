"""The clock of one campaign: set when sheets open, stopped, started, moved. Its deadlines fall in bot/deadlines.py."""

from datetime import datetime

from bot.recording.transaction import Recording
from bot.records.deadlines import Deadline


async def set_clock(recording: Recording, moment: datetime, opened_seq: int) -> None:
    """Let the open batch close at ``moment``."""
    opened = Deadline(recording.campaign.id, opened_seq, opened_at=recording.now, falls_at=moment)
    await recording.tx.deadlines.keep(opened.falling(moment, recording.campaign.settings.reminder_left))


async def stop_clock(recording: Recording) -> None:
    """Keep the time that is left, and let the clock stand still."""
    deadline = await recording.deadline()
    if deadline is not None:
        await recording.tx.deadlines.keep(deadline.stopped(recording.now))


async def start_clock(recording: Recording) -> datetime | None:
    """Let the clock run again for the time that was left; gives when it falls, or None if it did not stand still."""
    deadline = await recording.deadline()
    if deadline is None or deadline.left is None:
        return None
    started = deadline.started(recording.now, recording.campaign.settings.reminder_left)
    await recording.tx.deadlines.keep(started)
    return started.falls_at


async def move_clock(recording: Recording, before: datetime, moment: datetime) -> bool:
    """Move the deadline, and remind again; False if it is not at ``before`` any more."""
    deadline = await recording.deadline()
    if deadline is None or deadline.falls_at != before:
        return False
    await recording.tx.deadlines.keep(deadline.moved(moment, recording.campaign.settings.reminder_left))
    return True


async def give_grace(recording: Recording, opened_seq: int, moment: datetime) -> None:
    """Move the deadline of this very batch, and remind again."""
    deadline = await recording.deadline()
    if deadline is not None and deadline.opened_seq == opened_seq:
        await recording.tx.deadlines.keep(deadline.moved(moment, recording.campaign.settings.reminder_left))
