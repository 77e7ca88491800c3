"""The clock of a campaign in the referee's hands: pausing, going on, moving the deadline, closing early."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.closing.batch import BatchCloser
from bot.errors import Sorry
from bot.recording.campaign_clock import move_clock, start_clock, stop_clock
from bot.recording.commit import Remark, judged_again, remarking
from bot.recording.prompts import refresh_open_prompts
from bot.records.campaigns import CampaignStatus

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

    @judged_again
    async def pause(self, campaign_id: str, user_id: int, reason: str, interaction_id: int | None = None) -> None:
        """Stop the clock; the time that is left is kept."""
        campaign = await self._runtime.directory.permitted(campaign_id, user_id, "pause", {CampaignStatus.RUNNING})
        text = f"⏸️ The campaign is paused; the clock stands still. {reason}".strip()
        remark = Remark(user_id, "pause", reason, told=text)
        async with remarking(self._runtime, campaign, remark, interaction_id) as recording:
            await recording.tx.campaigns.set_status(campaign_id, CampaignStatus.PAUSED)
            await stop_clock(recording)
            await refresh_open_prompts(recording, None)

    @judged_again
    async def resume(self, campaign_id: str, user_id: int, interaction_id: int | None = None) -> None:
        """Start the clock again with the time that was left; a halted campaign is tried again."""
        runtime = self._runtime
        campaign = await runtime.directory.permitted(
            campaign_id, user_id, "resume", {CampaignStatus.PAUSED, CampaignStatus.HALTED}
        )
        if campaign.status is CampaignStatus.HALTED:
            runtime.loaded.evict(campaign_id)
            async with holding(runtime, campaign_id):
                pass
        remark = Remark(user_id, "resume", "", told="▶️ The campaign goes on.")
        async with remarking(runtime, campaign, remark, interaction_id) as recording:
            await recording.tx.campaigns.set_status(campaign_id, CampaignStatus.RUNNING)
            moment = await start_clock(recording)
            if moment is not None:
                await refresh_open_prompts(recording, moment)

    @judged_again
    async def extend(self, campaign_id: str, user_id: int, hours: float, interaction_id: int | None = None) -> datetime:
        """Move the deadline; returns when it falls now."""
        runtime = self._runtime
        campaign = await runtime.directory.permitted(campaign_id, user_id, "extend", {CampaignStatus.RUNNING})
        if not 0 < hours <= LONGEST_EXTENSION_DAYS * 24:
            raise Sorry(f"Extend by more than 0 and at most {LONGEST_EXTENSION_DAYS * 24} hours.", code="bad-hours")
        async with runtime.store.read() as tx:
            before = await tx.deadlines.falls_at(campaign_id)
        if before is None:
            raise Sorry("No deadline is running.", code="no-deadline")
        moment = before + timedelta(hours=hours)
        text = f"🕰️ The deadline moves to <t:{int(moment.timestamp())}:F>."
        remark = Remark(user_id, "extend", f"{hours:g} hours", told=text)
        async with remarking(runtime, campaign, remark, interaction_id) as recording:
            if not await move_clock(recording, before, moment):
                raise Sorry("The deadline has just moved or fallen; look again.", code="no-deadline")
            await refresh_open_prompts(recording, moment)
        return moment

    @judged_again
    async def give_back(
        self, campaign_id: str, user_id: int, *, since: int, until: int, interaction_id: int | None = None
    ) -> datetime:
        """Move the deadline by a time in which nobody could be heard, once; both in seconds since 1970. Returns when
        it falls now."""
        runtime = self._runtime
        campaign = await runtime.directory.permitted(campaign_id, user_id, "extend", {CampaignStatus.RUNNING})
        silent = timedelta(seconds=until - since)
        async with runtime.store.read() as tx:
            before = await tx.deadlines.falls_at(campaign_id)
        if before is None:
            raise Sorry("No deadline is running.", code="no-deadline")
        if not timedelta() < silent <= timedelta(days=LONGEST_EXTENSION_DAYS):
            raise Sorry("That was too long ago; use `/referee extend`.", code="bad-hours")
        moment = before + silent
        text = f"🕰️ Nobody could be heard for a while. The deadline moves to <t:{int(moment.timestamp())}:F>."
        remark = Remark(user_id, "extend", f"{silent.total_seconds() / 3600:.1f} hours given back", told=text)
        async with remarking(runtime, campaign, remark, interaction_id) as recording:
            if not await recording.tx.installation.give_back_once(campaign_id, since):
                raise Sorry("This time has been given back already.", code="given-back")
            if not await move_clock(recording, before, moment):
                raise Sorry("The deadline has just moved or fallen; look again.", code="no-deadline")
            await refresh_open_prompts(recording, moment)
        return moment

    async def early_closing(self, campaign_id: str, user_id: int) -> EarlyClosing:
        """What would be closed before its deadline; shown before it is done."""
        runtime = self._runtime
        campaign = await runtime.directory.permitted(campaign_id, user_id, "resolve", {CampaignStatus.RUNNING})
        async with holding(runtime, campaign_id) as adjudicator:
            waiting = tuple(
                (campaign.side_names[label.key], tuple(ask.title for ask in adjudicator.asks_for(label.key)))
                for label in adjudicator.sides
                if adjudicator.asks_for(label.key) and not adjudicator.is_done(label.key)
            )
            async with runtime.store.read() as tx:
                deadline = await tx.deadlines.of(campaign_id)
            return EarlyClosing(waiting, 0 if deadline is None else deadline.opened_seq)

    async def close_early(self, campaign_id: str, user_id: int, *, opened_seq: int) -> bool:
        """Close the batch that was opened by that entry now, as if its deadline had fallen; whether play went on.

        Raises:
            Sorry: when another is open by now.
        """
        plan = await self.early_closing(campaign_id, user_id)
        if plan.opened_seq != opened_seq:
            raise Sorry("Play has gone on since this was listed; look at the list again.", code="plan-moved")
        return await self._closer.close(campaign_id, "referee", by=str(user_id), opened_seq=opened_seq)
