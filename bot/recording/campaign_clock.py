"""The clock of one campaign, by which all its strands close: set when sheets open, stopped, started, moved. Its
deadlines fall in bot/deadlines.py."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from bot.recording.transaction import Recording
from bot.records.deadlines import Deadline
from rules_engine.core.running.tracked import TrackedDeed


async def set_clock(recording: Recording, strand: str, moment: datetime, opened_seq: int) -> None:
    """Let what was opened in a strand close at ``moment``."""
    opened = Deadline(recording.campaign.id, opened_seq, opened_at=recording.now, falls_at=moment, strand=strand)
    await recording.tx.deadlines.keep(opened.falling(moment, recording.campaign.settings.reminder_left))


async def drop_clocks_of_none(recording: Recording) -> None:
    """Let go of the deadlines of strands in which nothing is open any more, as of a battle that is not tracked now."""
    still_open = {*recording.adjudicator.strands()}
    for deadline in await recording.deadlines():
        if deadline.strand not in still_open:
            await recording.tx.deadlines.drop(recording.campaign.id, deadline.strand)


async def stop_clock(recording: Recording) -> None:
    """Keep the time that is left in each strand, and let the clock stand still."""
    for deadline in await recording.deadlines():
        await recording.tx.deadlines.keep(deadline.stopped(recording.now))


async def start_clock(recording: Recording) -> None:
    """Let the clock run again in each strand for the time that was left there."""
    for deadline in await recording.deadlines():
        if not _is_paused(recording, deadline.strand):
            await _start(recording, deadline)


async def _start(recording: Recording, deadline: Deadline) -> None:
    await recording.tx.deadlines.keep(deadline.started(recording.now, recording.campaign.settings.reminder_left))


def _is_paused(recording: Recording, strand: str) -> bool:
    """Whether the parties of a battle have stopped the clock of its tracker, whose strand that is."""
    battle = recording.adjudicator.battle_in(strand)
    now = recording.adjudicator.tracking(battle) if battle else None
    return now is not None and now.is_paused


async def keep_tracker_clocks(recording: Recording, deeds: Iterable[TrackedDeed]) -> list[str]:
    """Stop the clocks of trackers that are paused now, and start those that go on, while the campaign's runs; gives
    their strands."""
    kept: list[str] = []
    for deed in deeds:
        now = recording.adjudicator.tracking(deed.ask)
        deadline = None if now is None else await recording.tx.deadlines.of(recording.campaign.id, now.strand)
        if deadline is None or deed.did not in ("paused", "fallen silent", "gone on"):
            continue
        if deed.did == "gone on":
            await _start(recording, deadline)
        else:
            await recording.tx.deadlines.keep(deadline.stopped(recording.now))
        kept.append(deadline.strand)
    return kept


async def put_off_quietly(recording: Recording, deadline: Deadline, moment: datetime) -> None:
    """Move a deadline of which nobody need hear: that of a battle which its tracker is flying still."""
    await recording.tx.deadlines.keep(deadline.moved(moment, recording.campaign.settings.reminder_left))


async def move_clock(recording: Recording, by: timedelta, only: str | None = None) -> list[Deadline]:
    """Move all running deadlines, or those of one strand and of battles that are tracked in it, and remind again; gives
    them as they are now."""
    adjudicator = recording.adjudicator
    lies_in = {ask.id: ask.strand for ask in adjudicator.open_asks()}
    mine = [
        one
        for one in await recording.deadlines()
        if only in (None, one.strand) or lies_in.get(adjudicator.battle_in(one.strand)) == only
    ]
    return await _move(recording, by, mine)


async def move_clock_of_play(recording: Recording, by: timedelta) -> list[Deadline]:
    """The same for all but pieces of battles that are tracked, which nothing else waits for."""
    mine = [one for one in await recording.deadlines() if not recording.adjudicator.battle_in(one.strand)]
    return await _move(recording, by, mine)


async def _move(recording: Recording, by: timedelta, mine: Iterable[Deadline]) -> list[Deadline]:
    left = recording.campaign.settings.reminder_left
    moved = [one.moved(one.falls_at + by, left) for one in mine if one.falls_at is not None]
    for deadline in moved:
        await recording.tx.deadlines.keep(deadline)
    return moved


async def give_grace(recording: Recording, given: Deadline) -> None:
    """Write down the time that was given to a battle which nobody has settled, unless something else is open there."""
    deadline = await recording.tx.deadlines.of(recording.campaign.id, given.strand)
    if deadline is not None and deadline.opened_seq == given.opened_seq:
        await recording.tx.deadlines.keep(given)
