"""Closing the sheets that are open together, those of a strand: when all are done, at the deadline, or by the
referee's word.

What closes because the last answer came is recorded together with that answer, by what accepted it: so
:func:`close_if_done` gives the transition to be recorded, and :meth:`BatchCloser.close` records its own.
"""

import asyncio
from collections.abc import Sequence
from typing import Literal, NoReturn

import structlog

from bot.battles.accounts import is_flown, tell_unsettled, told_of_its_end
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import halt, holding
from bot.campaigns.runtime import Runtime
from bot.closing.silence import after_silence
from bot.errors import Sorry
from bot.recording.commit import commit_transitions, judged_again
from bot.records.campaigns import CampaignInfo, CampaignStatus
from bot.records.effects import Post
from bot.records.places import side_place
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.tracked import strand_of
from rules_engine.core.running.transitions import NotSettled, RuleFailure, Transition

log = structlog.get_logger()

Reason = Literal["all ready", "deadline", "referee"]

CLOSED_EARLY_IN = (
    "⏩ The referee closed {} before the deadline. Where you had saved nothing, the stated default was taken."
)

CLOSED_EARLY = (
    "⏩ The referee closed the open sheets before their deadline. For those who had saved nothing, the stated default "
    "was taken."
)


def may_close(campaign: CampaignInfo, adjudicator: AnyAdjudicator, strand: str) -> bool:
    """Whether nothing more is awaited in a strand, so that it may close before its deadline."""
    theirs = [ask for ask in adjudicator.open_asks() if ask.strand == strand]
    early = campaign.settings.early_close or all(ask.pace in ("battle", "tactical") for ask in theirs)
    return early and bool(theirs) and adjudicator.all_done(strand)


async def close_if_done(
    runtime: Runtime,
    campaign: CampaignInfo,
    adjudicator: AnyAdjudicator,
    accepted: Sequence[Transition],
    *,
    strand: str,
    reason: Reason = "all ready",
    by: str = "clock",
    interaction_id: int | None = None,
) -> Transition | None:
    """Close a strand in memory if nothing more is awaited there; the transition in which play went on, or None.

    Only while holding the campaign. ``accepted`` is what was accepted before and is not recorded yet.

    Raises:
        Sorry: when the rules failed: ``accepted`` is recorded then, and the campaign halted.
    """
    if not may_close(campaign, adjudicator, strand):
        return None
    try:
        return await _close(runtime, campaign, adjudicator, reason, strand=strand, by=by)
    except NotSettled:
        return None
    except RuleFailure as failure:
        await _rules_failed(runtime, campaign, accepted, interaction_id, failure, strand=strand)


class BatchCloser:
    """Closes strands that are not waited for any longer."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    @judged_again
    async def close(
        self,
        campaign_id: str,
        reason: Literal["deadline", "referee"],
        *,
        by: str,
        strand: str = "",
        opened_seq: int | None = None,
    ) -> bool:
        """Close a strand now. A late or doubled deadline (``opened_seq`` of what is closed already) does nothing.

        Returns:
            Whether play went on. When accounts of a battle are missing or differ the referee is told and the clock
            runs on.
        """
        runtime = self._runtime
        campaign = await runtime.directory.info(campaign_id)
        if campaign.status is not CampaignStatus.RUNNING:
            return False
        async with holding(runtime, campaign.id) as adjudicator:
            async with runtime.store.read() as tx:
                deadline = await tx.deadlines.of(campaign_id, strand)
            if deadline is None or opened_seq not in (None, deadline.opened_seq):
                return False
            asks = [ask for ask in adjudicator.open_asks() if ask.strand == strand]
            try:
                transition = await _close(runtime, campaign, adjudicator, reason, strand=strand, by=by)
            except NotSettled as unsettled:
                ended = [ask for ask in unsettled.asks if not is_flown(adjudicator, ask)]
                if reason == "deadline" and deadline.is_last and ended:
                    return await self._end_by_rule(campaign, adjudicator, ended, strand)
                await tell_unsettled(runtime, campaign, adjudicator, unsettled.asks, deadline, reason=reason)
                return False
            except RuleFailure as failure:
                await _rules_failed(runtime, campaign, (), None, failure, strand=strand)
            first = CLOSED_EARLY if reason == "referee" and not strand else ""
            told = _told_to_parties(asks) if reason == "referee" and strand else []
            done = [transition, *await after_silence(runtime, adjudicator, strand)]
            await commit_transitions(runtime, campaign, adjudicator, done, first=first, told=told)
        return True

    async def _end_by_rule(
        self, campaign: CampaignInfo, adjudicator: AnyAdjudicator, ended: Sequence[AnyAsk], strand: str
    ) -> bool:
        """Let battles whose accounts nobody agreed on for too long end as their book states; the record first, as a
        ruling of the clock's. Returns whether play went on: not where another battle there is being flown."""
        runtime = self._runtime
        done: list[Transition] = []
        for ask, (document, says) in [(ask, adjudicator.stated_end(ask.id)) for ask in ended]:  # all before the first
            done.append(adjudicator.rule(ask.id, document, by="clock", reason=says, at=runtime.stamp()))
        told = told_of_its_end(campaign, ended)
        went_on = True
        try:
            done.append(await _close(runtime, campaign, adjudicator, "deadline", strand=strand, by="clock"))
            done += await after_silence(runtime, adjudicator, strand)
        except NotSettled:
            went_on = False
        except RuleFailure as failure:
            await _rules_failed(runtime, campaign, done, None, failure, strand=strand)
        await commit_transitions(runtime, campaign, adjudicator, done, told=told)
        return went_on


def _told_to_parties(asks: Sequence[AnyAsk]) -> list[Post]:
    """That a strand was closed early, in its parties' own places: nobody else knows that there is one."""
    theirs: dict[str, list[str]] = {}
    for ask in asks:
        for side in ask.parties:
            theirs.setdefault(side, []).append(f"“{ask.title}”")
    return [
        Post(place=side_place(side), content=CLOSED_EARLY_IN.format(", ".join(titles)))
        for side, titles in sorted(theirs.items())
    ]


async def _close(
    runtime: Runtime, campaign: CampaignInfo, adjudicator: AnyAdjudicator, reason: Reason, *, strand: str, by: str
) -> Transition:
    """Close a strand and play on, off the loop: many turns may go by before anybody is asked again.

    The nonce is made here, when all that the rolls belong to is in.

    Raises as :meth:`Adjudicator.close` does.
    """
    settings = campaign.settings
    return await asyncio.to_thread(
        adjudicator.close,
        reason,
        by=by,
        at=runtime.stamp(),
        strand=strand,
        patient=not settings.early_close,
        orders_wait=settings.early_close and not settings.orders_at_once,
        nonce=runtime.nonce(),
    )


async def _rules_failed(
    runtime: Runtime,
    campaign: CampaignInfo,
    accepted: Sequence[Transition],
    interaction_id: int | None,
    failure: RuleFailure,
    *,
    strand: str,
) -> NoReturn:
    """The rules raised an error: keep what was accepted, then halt this campaign alone; or if it was the tracker of a
    battle, let go of that, for it holds up nothing else."""
    adjudicator = await runtime.loaded.reload(campaign.id)
    for transition in accepted:
        adjudicator.repeat(transition.entry)
    lost = adjudicator.lost_battles()
    gone = [adjudicator.let_go(battle, by="clock", at=runtime.stamp()) for battle in lost]
    if battle := adjudicator.battle_in(strand):
        log.error("tracker failed", campaign=campaign.id, error=str(failure))
        gone.append(adjudicator.track("", battle, "drop", by="clock", at=runtime.stamp()))
    if accepted or gone:
        kept = [*accepted, *gone]
        await commit_transitions(runtime, campaign, adjudicator, kept, interaction_id=interaction_id)
    if battle or strand in map(strand_of, lost):
        raise Sorry("What you sent is saved, but the tracker failed: this battle goes on by hand.", code="tracker")
    await halt(runtime, campaign.id, f"The rules failed while playing on ({failure}).")
    raise Sorry("Your orders are saved, but play could not go on; the referee has been told.", code="halted")
