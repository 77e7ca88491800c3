"""Deadlines fall here: one task sleeps until the earliest, reminds those who are late, and closes their sheets.

Deadlines are rows; this task holds nothing that a restart could lose. When the bot itself was down, every running
deadline moves by the outage.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import delete, insert, select, update

from bot.campaigns.info import CampaignInfo
from bot.campaigns.notices import holding
from bot.campaigns.places import side_place
from bot.campaigns.runtime import Runtime
from bot.closing.batch import BatchCloser
from bot.errors import Sorry
from bot.faults import point
from bot.recording.prompts import refresh_open_prompts
from bot.recording.transaction import Recording
from bot.store.tables import CampaignRow, DeadlineRow, SeenInteractionRow, SettingRow

log = structlog.get_logger()

ALIVE = "alive"
ALIVE_EVERY = timedelta(seconds=30)
OUTAGE = timedelta(minutes=3)
"""A silence longer than this was an outage; shorter ones are restarts nobody noticed."""
FORGET_INTERACTIONS = timedelta(hours=1)


class DeadlineClock:
    """The one task that watches deadlines. ``wait`` waits at most that many seconds, or until woken."""

    def __init__(
        self,
        runtime: Runtime,
        closing: BatchCloser,
        *,
        wait: Callable[[asyncio.Event, float], Awaitable[None]] | None = None,
    ) -> None:
        self._runtime = runtime
        self._closing = closing
        self._woken = asyncio.Event()
        self._wait = wait or _wait
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Move deadlines by the outage, then watch."""
        moved = await self._after_outage()
        self._task = asyncio.create_task(self._run(moved), name="clock")

    async def stop(self) -> None:
        """Stop watching; deadlines stay in their rows."""
        if self._task is None:
            return
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        try:
            await self._sign_of_life()
        except Exception:  # the database may be why the bot stops; the last sign of it is a little older then
            log.warning("no sign of life at the end", exc_info=True)

    def wake(self) -> None:
        """A deadline was set, moved or met."""
        self._woken.set()

    async def tick(self) -> float:
        """Do all that is due; returns the seconds until something is again."""
        now = self._runtime.now()
        async with self._runtime.store.read() as conn:
            rows = (
                (
                    await conn.execute(
                        select(DeadlineRow, CampaignRow)
                        .join(CampaignRow, CampaignRow.id == DeadlineRow.campaign_id)
                        .where(DeadlineRow.falls_at.is_not(None), CampaignRow.status == "running")
                        .order_by(DeadlineRow.falls_at)
                    )
                )
                .mappings()
                .all()
            )
        next_due = ALIVE_EVERY.total_seconds()
        for row in rows:
            campaign = CampaignInfo.of(row)
            if row["falls_at"] <= now:
                await self._fall(row)
                next_due = 0.0
                continue
            remind_at = _reminder(row, campaign)
            if not row["reminded"] and remind_at <= now:
                await self._remind(row, campaign)
            elif not row["reminded"]:
                next_due = min(next_due, (remind_at - now).total_seconds())
            next_due = min(next_due, (row["falls_at"] - now).total_seconds())
        return max(0.0, next_due)

    async def _run(self, moved: dict[str, datetime]) -> None:
        for campaign_id, falls_at in moved.items():
            try:
                await self._refresh(campaign_id, falls_at)
            except Exception:  # its cards are right again at the next press; the deadlines matter more
                log.warning("cards not refreshed", campaign=campaign_id, exc_info=True)
        while True:
            self._woken.clear()
            try:
                await self._sign_of_life()
                delay = await self.tick()
            except Exception:
                log.exception("clock failed; trying again")
                delay = 5.0
            await self._wait(self._woken, delay)

    async def _refresh(self, campaign_id: str, falls_at: datetime) -> None:
        """Have a campaign's open cards show its moved deadline."""
        runtime = self._runtime
        campaign = await runtime.directory.info(campaign_id)
        async with holding(runtime, campaign_id) as adjudicator, runtime.store.write() as conn:
            await refresh_open_prompts(Recording(conn, campaign, adjudicator, runtime.now()), falls_at)
        runtime.deliver()

    async def _fall(self, row: Any) -> None:
        point("deadline.falls")
        try:
            await self._closing.close(row["campaign_id"], "deadline", by="clock", opened_seq=row["opened_seq"])
        except Sorry as sorry:
            log.warning("deadline could not close", campaign=row["campaign_id"], code=sorry.code)
            async with self._runtime.store.write() as conn:
                await conn.execute(
                    update(DeadlineRow)
                    .where(DeadlineRow.campaign_id == row["campaign_id"])
                    .values(falls_at=self._runtime.now() + timedelta(minutes=5))
                )

    async def _remind(self, row: Any, campaign: CampaignInfo) -> None:
        """Remind those who are late, and nobody else, of what exactly is missing."""
        runtime = self._runtime
        async with holding(runtime, campaign.id) as adjudicator:
            late = [
                label.key
                for label in adjudicator.sides
                if adjudicator.asks_for(label.key) and not adjudicator.is_done(label.key)
            ]
            titles = {side: [ask.title for ask in adjudicator.asks_for(side)] for side in late}
            hour = runtime.now().hour
            async with runtime.store.write() as conn:
                await conn.execute(
                    update(DeadlineRow).where(DeadlineRow.campaign_id == campaign.id).values(reminded=True)
                )
                recording = Recording(conn, campaign, adjudicator, runtime.now())
                for side in late:
                    text = (
                        f"⏳ **{campaign.title}**: <t:{int(row['falls_at'].timestamp())}:R> your side's time is up. "
                        f"Not ready yet: {', '.join(f'“{title}”' for title in titles[side])}."
                    )
                    await recording.queue(
                        [
                            {"dm": member["user_id"], "content": text, "files": [], "fallback": side_place(side)}
                            for member in await recording.members(side)
                            if not _quiet(member, hour)
                        ]
                    )
        runtime.deliver()

    async def _sign_of_life(self) -> None:
        now = self._runtime.now()
        async with self._runtime.store.write() as conn:
            changed = await conn.execute(
                update(SettingRow).where(SettingRow.key == ALIVE).values(value=now.isoformat())
            )
            if not changed.rowcount:
                await conn.execute(insert(SettingRow).values(key=ALIVE, value=now.isoformat()))
            await conn.execute(delete(SeenInteractionRow).where(SeenInteractionRow.at < now - FORGET_INTERACTIONS))

    async def _after_outage(self) -> dict[str, datetime]:
        """Move running deadlines by the time in which the bot was down; gives when they fall now, by campaign."""
        moved: dict[str, datetime] = {}
        now = self._runtime.now()
        async with self._runtime.store.write() as conn:
            alive = (await conn.execute(select(SettingRow.value).where(SettingRow.key == ALIVE))).scalar()
            if alive is not None:
                outage = now - datetime.fromisoformat(alive)
                if outage > OUTAGE:
                    rows = await conn.execute(select(DeadlineRow).where(DeadlineRow.falls_at.is_not(None)))
                    for row in rows.mappings().all():
                        moved[row["campaign_id"]] = falls_at = row["falls_at"] + outage
                        mine = DeadlineRow.campaign_id == row["campaign_id"]
                        await conn.execute(update(DeadlineRow).where(mine).values(falls_at=falls_at))
                    log.warning("deadlines moved by an outage", seconds=int(outage.total_seconds()))
                await conn.execute(update(SettingRow).where(SettingRow.key == ALIVE).values(value=now.isoformat()))
            else:
                await conn.execute(insert(SettingRow).values(key=ALIVE, value=now.isoformat()))
        return moved


def _reminder(row: Any, campaign: CampaignInfo) -> datetime:
    whole: timedelta = row["falls_at"] - row["opened_at"]
    return row["falls_at"] - whole * campaign.settings.reminder_left


def _quiet(member: Any, hour: int) -> bool:
    """Whether this hour (UTC) lies in the member's quiet hours."""
    start, end = member["quiet_from"], member["quiet_to"]
    if start is None or end is None or start == end:
        return False
    return start <= hour < end if start < end else hour >= start or hour < end


async def _wait(woken: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(woken.wait(), max(seconds, 0.01))
