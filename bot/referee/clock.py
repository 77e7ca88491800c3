"""The clock of a campaign in the referee's hands: pausing, going on, moving the deadline, closing early, settings."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import update

from bot.campaigns.notices import holding, post_to
from bot.campaigns.places import PUBLIC_PLACE
from bot.campaigns.runtime import Runtime
from bot.campaigns.settings import CampaignSettings
from bot.closing.batch import BatchCloser
from bot.errors import Sorry
from bot.recording.commit import mark_seen, remarking
from bot.recording.deadline_row import deadline_of, falls_at, move_deadline, start_clock, stop_clock
from bot.recording.prompts import refresh_open_prompts
from bot.store.outbox import enqueue
from bot.store.tables import CampaignRow

LONGEST_EXTENSION_DAYS = 21
"""One extension; many of them cannot push a deadline out of sight unnoticed, since each is announced."""


@dataclass(frozen=True)
class EarlyClosing:
    """What would be closed before its deadline: the sheets of the sides that are not done; and which batch it is."""

    waiting: tuple[tuple[str, tuple[str, ...]], ...]
    opened_seq: int


class RefereeClock:
    """What a referee does about time."""

    def __init__(self, runtime: Runtime, closer: BatchCloser) -> None:
        self._runtime = runtime
        self._closer = closer

    async def pause(self, campaign_id: str, user_id: int, reason: str, interaction_id: int | None = None) -> None:
        """Stop the clock; the time that is left is kept."""
        campaign = await self._runtime.directory.permitted(campaign_id, user_id, "pause", {"running"})
        text = f"⏸️ The campaign is paused; the clock stands still. {reason}".strip()
        remark = ("pause", reason)
        async with remarking(
            self._runtime, campaign, user_id, remark=remark, text=text, interaction_id=interaction_id
        ) as recording:
            paused = update(CampaignRow).where(CampaignRow.id == campaign_id).values(status="paused")
            await recording.conn.execute(paused)
            await stop_clock(recording)
            await refresh_open_prompts(recording, None)

    async def resume(self, campaign_id: str, user_id: int, interaction_id: int | None = None) -> None:
        """Start the clock again with the time that was left; a halted campaign is tried again."""
        runtime = self._runtime
        campaign = await runtime.directory.permitted(campaign_id, user_id, "resume", {"paused", "halted"})
        if campaign.status == "halted":
            runtime.loaded.evict(campaign_id)
            async with holding(runtime, campaign_id):
                pass
        text = "▶️ The campaign goes on."
        async with remarking(
            runtime, campaign, user_id, remark=("resume", ""), text=text, interaction_id=interaction_id
        ) as recording:
            running = update(CampaignRow).where(CampaignRow.id == campaign_id)
            await recording.conn.execute(running.values(status="running", status_note=""))
            moment = await start_clock(recording)
            if moment is not None:
                await refresh_open_prompts(recording, moment)

    async def extend(self, campaign_id: str, user_id: int, hours: float, interaction_id: int | None = None) -> datetime:
        """Move the deadline; returns when it falls now."""
        runtime = self._runtime
        campaign = await runtime.directory.permitted(campaign_id, user_id, "extend", {"running"})
        if not 0 < hours <= LONGEST_EXTENSION_DAYS * 24:
            raise Sorry(f"Extend by more than 0 and at most {LONGEST_EXTENSION_DAYS * 24} hours.", code="bad-hours")
        async with runtime.store.read() as conn:
            before = await falls_at(conn, campaign_id)
        if before is None:
            raise Sorry("No deadline is running.", code="no-deadline")
        moment = before + timedelta(hours=hours)
        text = f"🕰️ The deadline moves to <t:{int(moment.timestamp())}:F>."
        remark = ("extend", f"{hours:g} hours")
        async with remarking(
            runtime, campaign, user_id, remark=remark, text=text, interaction_id=interaction_id
        ) as recording:
            if not await move_deadline(recording, before, moment):
                raise Sorry("The deadline has just moved or fallen; look again.", code="no-deadline")
            await refresh_open_prompts(recording, moment)
        return moment

    async def early_closing(self, campaign_id: str, user_id: int) -> EarlyClosing:
        """What would be closed before its deadline; shown before it is done."""
        runtime = self._runtime
        campaign = await runtime.directory.permitted(campaign_id, user_id, "resolve", {"running"})
        async with holding(runtime, campaign_id) as adjudicator:
            waiting = tuple(
                (campaign.side_names[label.key], tuple(ask.title for ask in adjudicator.asks_for(label.key)))
                for label in adjudicator.sides
                if adjudicator.asks_for(label.key) and not adjudicator.is_done(label.key)
            )
            async with runtime.store.glance() as conn:
                row = await deadline_of(conn, campaign_id)
            return EarlyClosing(waiting, 0 if row is None else row["opened_seq"])

    async def close_early(self, campaign_id: str, user_id: int, *, opened_seq: int) -> bool:
        """Close the batch that was opened by that entry now, as if its deadline had fallen; whether play went on.

        Raises:
            Sorry: when another is open by now.
        """
        plan = await self.early_closing(campaign_id, user_id)
        if plan.opened_seq != opened_seq:
            raise Sorry("Play has gone on since this was listed; look at the list again.", code="plan-moved")
        return await self._closer.close(campaign_id, "referee", by=str(user_id), opened_seq=opened_seq)

    async def change_settings(
        self, campaign_id: str, user_id: int, changes: dict[str, float | bool], interaction_id: int | None = None
    ) -> CampaignSettings:
        """Change how long things may take, from the next deadline on; returns what then holds."""
        runtime = self._runtime
        statuses = {"gathering", "running", "paused"}
        campaign = await runtime.directory.permitted(campaign_id, user_id, "settings", statuses)
        settings = campaign.settings.changed(changes)
        row = update(CampaignRow).where(CampaignRow.id == campaign_id).values(settings=settings.model_dump(mode="json"))
        text = f"⏱️ From the next deadline on: {settings.said()}"
        if campaign.status != "gathering":
            remark = ("settings", settings.said())
            async with remarking(
                runtime, campaign, user_id, remark=remark, text=text, interaction_id=interaction_id
            ) as recording:
                await recording.conn.execute(row)
            return settings
        async with runtime.store.write() as conn:
            await mark_seen(runtime, conn, interaction_id)
            await conn.execute(row)
            await enqueue(conn, campaign_id, [post_to(PUBLIC_PLACE, text)], now=runtime.now())
        runtime.deliver()
        return settings
