"""The announcement of a new campaign where it was created: posted once, and kept as things stand until it begins."""

import discord

from bot.delivery.compose import message_of
from bot.delivery.doubt import find_message, nonce_of
from bot.delivery.job import OutboxJob, Write, log
from bot.delivery.prepared import Message
from bot.delivery.trouble import GiveUp, TroubleKind, classify
from bot.records.effects import Announcement
from bot.store.transaction import Transaction

NOT_THERE = {TroubleKind.GONE, TroubleKind.NO_MESSAGE, TroubleKind.FORBIDDEN, TroubleKind.ARCHIVED}
"""What lets an announcement go unsaid: its channel is no place of the campaign's, so nothing there is mended."""


async def announce(job: OutboxJob, effect: Announcement) -> None:
    """Post the announcement, or have the one that stands say what this one says. One that somebody has deleted stays
    deleted."""
    async with job.store.read() as tx:
        stands = await tx.installation.announcement(job.home.id)
    message = message_of(effect.card)
    if stands is not None:
        await _edit(job, *stands, message)
    elif effect.channel:
        await _post(job, effect.channel, message)


async def _post(job: OutboxJob, channel_id: int, message: Message) -> None:
    async def call() -> list[int]:
        return [channel_id, await job.exit.post(channel_id, message, nonce_of(job, "p"))]

    async def find() -> list[int] | None:
        return await find_message(job, channel_id, message, "p")

    def at(sent: list[int]) -> Write:
        async def write(tx: Transaction) -> None:
            await tx.installation.keep_announcement(job.home.id, sent[0], sent[1])

        return write

    try:
        await job.once("p", call, find=find, also=at)
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind not in NOT_THERE:
            raise
        raise GiveUp(
            f"not-announced:{trouble.code}",
            f"I may not write in <#{channel_id}>, so {job.home.title} is not announced there. Players find it with "
            "`/campaign list` and `/campaign join`.",
        ) from error


async def _edit(job: OutboxJob, channel_id: int, message_id: int, message: Message) -> None:
    try:
        await job.exit.edit(channel_id, message_id, message)
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind not in NOT_THERE:
            raise
        log.info("announcement.gone", row=job.item.id, campaign=job.home.id, trouble=trouble.label)
        if trouble.kind in {TroubleKind.GONE, TroubleKind.NO_MESSAGE}:
            async with job.store.write("announcement") as tx:
                await tx.installation.forget_announcement(job.home.id)
