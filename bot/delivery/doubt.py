"""Rows in doubt: did the call that was being made when the process died reach Discord?

A message is looked for among the bot's own messages in its channel: one that no other row accounts for and that has
our nonce or, since Discord does not always give nonces back, exactly our text and file names, whichever signs were
known when it was sent. Roles, channels and threads carry markers and are always looked for before they are made, so
they are never in doubt.
"""

import hashlib
import hmac
from datetime import timedelta

import discord

from bot.delivery.job import OutboxJob
from bot.delivery.prepared import Message
from bot.delivery.signs.table import Signs
from bot.records.signs.marks import bare

SKEW = timedelta(hours=1)
"""How far our clock may be from Discord's; looking too far back only costs a page more."""


def nonce_of(job: OutboxJob, step: str) -> str:
    """What Discord knows a message by before it has an id: at most 25 characters, the same after a restart.

    Others may read it, and rows are counted over all sides and campaigns, so it tells nobody its row.
    """
    row = f"{job.home.id}.{job.item.id}.{step}"
    return hmac.new(job.shared.secret.encode(), row.encode(), hashlib.sha256).hexdigest()[:25]


def _is_said(text: str, sent: str, signs: Signs) -> bool:
    """Whether a message that was sent says a text, in which signs are marks still."""
    return sent.strip() == signs.text(text).strip() or bare(sent) == bare(text)


async def find_message(job: OutboxJob, channel_id: int, part: Message, step: str) -> list[int] | None:
    """``[channel, message]`` if this part stands there already."""
    since = job.item.created_at - SKEW
    names = tuple(file.name for file in part.files)
    for sent in await job.exit.own_messages(channel_id, discord.utils.time_snowflake(since)):
        if sent.nonce is not None:
            if sent.nonce == nonce_of(job, step):
                return [channel_id, sent.id]
        elif _is_said(part.text, sent.text, job.exit.signs) and sent.file_names == names:
            async with job.store.read() as tx:
                if not await tx.outbox.accounts_for(sent.id):
                    return [channel_id, sent.id]
    return None
