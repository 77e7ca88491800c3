"""Holding a campaign, and halting one that cannot be played on."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import structlog

from bot.campaigns.loaded import AnyAdjudicator, Halted
from bot.campaigns.runtime import Runtime
from bot.records.campaigns import CampaignStatus
from bot.records.effects import Post
from bot.records.places import REFEREE_PLACE

log = structlog.get_logger()


async def halt(runtime: Runtime, campaign_id: str, reason: str) -> None:
    """Stop a campaign that cannot be played on, and its clock, once, and tell its referee what to do."""
    runtime.loaded.evict(campaign_id)
    async with runtime.store.write() as tx:
        if not await tx.campaigns.set_status(campaign_id, CampaignStatus.HALTED, reason):
            return
        for deadline in await tx.deadlines.all_of(campaign_id):
            await tx.deadlines.keep(deadline.stopped(runtime.now()))
        text = (
            f"⛔ **This campaign is halted.** {reason}\nNothing is lost: every order stands in the journal, and the "
            "clock stands still. Either put back the version of the bot that it was played with and use "
            "`/referee resume`, or go back to an earlier point with `/referee rewind`."
        )
        await tx.outbox.put(campaign_id, Post(place=REFEREE_PLACE, content=text), now=runtime.now())
    log.error("campaign halted", campaign=campaign_id)


@asynccontextmanager
async def holding(runtime: Runtime, campaign_id: str, head: str | None = None) -> AsyncGenerator[AnyAdjudicator, None]:
    """Hold a campaign in memory, alone; one that cannot be loaded is halted and its referee told.

    ``head`` is the hash of the journal's last entry, if it was just read."""
    try:
        async with runtime.loaded.use(campaign_id, head) as adjudicator:
            yield adjudicator
    except Halted as halted:
        await halt(runtime, halted.campaign_id, halted.reason)
        raise
