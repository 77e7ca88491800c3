"""Holding a campaign, and halting one that cannot be played on."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

import structlog

from bot.campaigns.loaded import AnyAdjudicator, Halted
from bot.campaigns.runtime import Runtime
from bot.records.campaigns import CampaignStatus
from bot.records.effects import Post
from bot.records.places import PUBLIC_PLACE, REFEREE_PLACE

log = structlog.get_logger()

STANDS_STILL = (
    "⛔ **The campaign is halted, and its clock stands still.** Nothing is lost: every order that was saved stands. "
    "Its referee has been told what to do; until then nothing is asked of anybody."
)


PUT_BACK = (
    "Either put back the version of the bot that it was played with and use `/referee resume`, or go back to an "
    "earlier point with `/referee rewind`."
)
OTHER_RULES = (
    "**What can be done:** all sides are asked whether this turn is to begin anew by the rules that there are now; "
    "with the last consent it does. Or the host puts back the version of the bot that has the former rules, "
    "`/referee resume` lets the turn be finished there, and the bot is upgraded after it: between two turns a campaign "
    "is carried over to new rules by itself. Or the referee goes back with `/referee rewind`, as far as the record "
    "plays back."
)


FORMER_RULES_ALONE = (
    "**What can be done:** this version of the bot cannot go on from how the turn began, so nobody is asked whether it "
    "is to begin anew. The host puts back the version of the bot that has the former rules; there `/referee resume` "
    "goes on, and the campaign is played to its end."
)


async def halt(runtime: Runtime, campaign_id: str, reason: str, *, advice: str = PUT_BACK) -> None:
    """Stop a campaign that cannot be played on, and its clock, once; tell its referee why and what to do, and everybody
    that it stands still."""
    runtime.loaded.evict(campaign_id)
    async with runtime.store.write() as tx:
        if not await tx.campaigns.set_status(campaign_id, CampaignStatus.HALTED, reason):
            return
        for deadline in await tx.deadlines.all_of(campaign_id):
            await tx.deadlines.keep(deadline.stopped(runtime.now()))
        await tx.installation.stood_still(campaign_id, runtime.now())
        text = (
            f"⛔ **This campaign is halted.** {reason}\nNothing is lost: every order stands in the journal, and the "
            f"clock stands still. {advice}"
        )
        for place, content in ((REFEREE_PLACE, text), (PUBLIC_PLACE, STANDS_STILL)):
            await tx.outbox.put(campaign_id, Post(place=place, content=content), now=runtime.now())
    log.error("campaign halted", campaign=campaign_id)


@asynccontextmanager
async def holding(runtime: Runtime, campaign_id: str, head: str | None = None) -> AsyncGenerator[AnyAdjudicator, None]:
    """Hold a campaign in memory, alone; one that cannot be loaded is halted and its referee told. Trackers of battles
    that do not play back as they were flown are let go of first, and hold up nothing.

    ``head`` is the hash of the journal's last entry, if it was just read."""
    try:
        async with AsyncExitStack() as stack:
            held = await _held(runtime, stack, campaign_id, head)
            adjudicator = held
            if held.lost_battles():
                assert runtime.lets_go is not None
                adjudicator = await runtime.lets_go(runtime, campaign_id, held)
            yield adjudicator
    except Halted as halted:
        reason = f"Its record does not play back as it was played; {halted.reason}."
        if not halted.versions:
            await halt(runtime, halted.campaign_id, reason)
            raise
        can_go_on = runtime.can_begin_anew is None or await runtime.can_begin_anew(runtime, halted.campaign_id)
        advice = OTHER_RULES if can_go_on else FORMER_RULES_ALONE
        await halt(runtime, halted.campaign_id, f"{reason} {halted.versions}.", advice=advice)
        if can_go_on and runtime.asks_all_sides is not None:
            await runtime.asks_all_sides(halted.campaign_id)
        raise


async def _held(runtime: Runtime, stack: AsyncExitStack, campaign_id: str, head: str | None) -> AnyAdjudicator:
    """The campaign as it is played now: once carried over to other rules, if it could not be loaded otherwise."""
    try:
        return await stack.enter_async_context(runtime.loaded.use(campaign_id, head))
    except Halted as halted:
        if not halted.versions or runtime.carries_over is None or not await runtime.carries_over(runtime, campaign_id):
            raise
    return await stack.enter_async_context(runtime.loaded.use(campaign_id))
