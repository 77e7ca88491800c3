"""What the referee is told when Discord lets something not through: which permission is missing, and where."""

from datetime import datetime, timedelta

import discord
from sqlalchemy import select

from bot.delivery.job import CampaignOnDiscord
from bot.delivery.provision import NEEDED
from bot.delivery.trouble import Trouble, TroubleKind
from bot.store import outbox
from bot.store.engine import Connection
from bot.store.outbox import OutboxItem
from bot.store.tables import OutboxRow

TOLD_FOR = timedelta(hours=6)
"""The same trouble is not told again for this long."""

QUEUE = "trouble"


async def tell(conn: Connection, campaign_id: str, text: str, now: datetime) -> None:
    """Queue a notice to the referee, unless the same one was given lately."""
    lately = select(OutboxRow.payload).where(
        OutboxRow.campaign_id == campaign_id, OutboxRow.lane == QUEUE, OutboxRow.created_at > now - TOLD_FOR
    )
    if all(payload["content"] != text for (payload,) in (await conn.execute(lately)).all()):
        await outbox.enqueue(conn, campaign_id, [(QUEUE, "notice", {"content": text})], now=now)


def to_the_referee(client: discord.Client, item: OutboxItem, home: CampaignOnDiscord, trouble: Trouble) -> str:
    """What to grant or make room for, and where."""
    if trouble.kind is TroubleKind.FULL:
        return (
            "This server has reached Discord's limit of roles, channels or threads. Delete or archive some that "
            "are no longer needed. I keep trying; nothing is lost."
        )
    if item.kind in {"grant", "revoke"}:
        return (
            "I may not give or take roles. Grant my role **Manage Roles** and drag it above this campaign's roles "
            f"(those marked {home.tag}) in Server Settings → Roles. I keep trying; nothing is lost."
        )
    where = "this server (Server Settings → Roles)"
    if item.kind == "post" and item.payload.get("place"):
        where = f"the place “{item.payload['place']}” of {home.title} {home.tag} (its channel's permissions)"
    return (
        f"I may not do something I have to in {where}. I need: {', '.join(missing(client, home.guild_id))}. "
        "I keep trying; nothing is lost."
    )


def missing(client: discord.Client, guild_id: int) -> list[str]:
    """The permissions that the bot lacks on a server; all that it needs if none is seen to be lacking."""
    guild = client.get_guild(guild_id)
    lacking = NEEDED
    me = guild.me if guild is not None else None  # also None while Discord has not sent the bot's own membership
    if me is not None:
        lacking = discord.Permissions(NEEDED.value & ~me.guild_permissions.value)
    names = [name for name, wanted in (lacking if lacking.value else NEEDED) if wanted]
    return [f"**{name.replace('_', ' ').title()}**" for name in names]
