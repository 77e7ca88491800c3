"""Rows in doubt: did the call that was being made when the process died reach Discord?

A message is looked for among the bot's own messages in its channel: one that no other row accounts for and that has
our nonce or, since Discord does not always give nonces back, exactly our text and file names; or, where it is a layout
by now, that layout's, or buttons of ours, for a press may have changed its words already. Texts are the same whichever
signs were known when they were sent. Roles, channels and threads carry markers and are always looked for before they
are made, so they are never in doubt.
"""

import hashlib
import hmac
from datetime import timedelta

import discord

from bot.delivery.exit import Sent
from bot.delivery.job import OutboxJob
from bot.delivery.prepared import Message
from bot.records.signs.marks import bare

SKEW = timedelta(hours=1)
"""How far our clock may be from Discord's; looking too far back only costs a page more."""


def nonce_of(job: OutboxJob, step: str) -> str:
    """What Discord knows a message by before it has an id: at most 25 characters, the same after a restart.

    Others may read it, and rows are counted over all sides and campaigns, so it tells nobody its row.
    """
    row = f"{job.home.id}.{job.item.id}.{step}"
    return hmac.new(job.shared.secret.encode(), row.encode(), hashlib.sha256).hexdigest()[:25]


async def find_message(job: OutboxJob, channel_id: int, part: Message, step: str) -> list[int] | None:
    """``[channel, message]`` if this part stands there already."""
    since = job.item.created_at - SKEW
    for sent in await job.exit.own_messages(channel_id, discord.utils.time_snowflake(since)):
        if sent.nonce is not None:
            if sent.nonce == nonce_of(job, step):
                return [channel_id, sent.id]
        elif _looks_like(sent, part):
            async with job.store.read() as tx:
                if not await tx.outbox.accounts_for(sent.id):
                    return [channel_id, sent.id]
    return None


def _looks_like(sent: Sent, part: Message) -> bool:
    """Whether a message is this part, as it was posted or as its layout, untouched or pressed since."""
    names = tuple(file.name for file in part.files)
    if not sent.is_layout:
        return bare(sent.text) == bare(part.text) and sent.file_names == (() if part.layout else names)
    words = "" if part.layout is None else bare(part.layout.words)
    has_files = sorted({*sent.file_names}) == sorted(names)  # blocks show them in an order of their own
    return (bool(words) and bare(sent.text) == words and has_files) or not sent.ids.isdisjoint(part.ids)
