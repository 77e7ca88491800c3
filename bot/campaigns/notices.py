"""Telling a place of a campaign something, and halting a campaign that cannot be played on."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import structlog
from sqlalchemy import update

from bot.campaigns.loaded import AnyAdjudicator, Halted
from bot.campaigns.places import REFEREE_PLACE
from bot.campaigns.runtime import Runtime
from bot.store.outbox import enqueue
from bot.store.tables import CampaignRow

log = structlog.get_logger()


def post_to(place: str, text: str) -> tuple[str, str, dict[str, Any]]:
    """A post of a text alone, as the outbox takes it."""
    return place, "post", {"place": place, "content": text, "files": []}


async def tell(runtime: Runtime, campaign_id: str, place: str, text: str) -> None:
    """Queue one post, in a transaction of its own."""
    async with runtime.store.write() as conn:
        await enqueue(conn, campaign_id, [post_to(place, text)], now=runtime.now())
    runtime.deliver()


async def halt(runtime: Runtime, campaign_id: str, reason: str) -> None:
    """Stop a campaign that cannot be played on, once, and tell its referee what to do."""
    runtime.loaded.evict(campaign_id)
    async with runtime.store.write() as conn:
        changed = await conn.execute(
            update(CampaignRow)
            .where(CampaignRow.id == campaign_id, CampaignRow.status != "halted")
            .values(status="halted", status_note=reason)
        )
        if not changed.rowcount:
            return
        text = (
            f"⛔ **This campaign is halted.** {reason}\nNothing is lost: every order stands in the journal. "
            "Either put back the version of the bot that it was played with and use `/referee resume`, or go back "
            "to an earlier point with `/referee rewind`."
        )
        await enqueue(conn, campaign_id, [post_to(REFEREE_PLACE, text)], now=runtime.now())
    log.error("campaign halted", campaign=campaign_id)
    runtime.deliver()
    runtime.deadlines_changed()


@asynccontextmanager
async def holding(runtime: Runtime, campaign_id: str) -> AsyncGenerator[AnyAdjudicator, None]:
    """Hold a campaign in memory, alone; one that cannot be loaded is halted and its referee told."""
    try:
        async with runtime.loaded.use(campaign_id) as adjudicator:
            yield adjudicator
    except Halted as halted:
        await halt(runtime, halted.campaign_id, halted.reason)
        raise
