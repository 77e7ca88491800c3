"""The members of a campaign as rows: adding and removing them, with their Discord role and a public notice."""

import re
from datetime import datetime

from sqlalchemy import delete, insert, select

from bot.campaigns.info import CampaignInfo
from bot.campaigns.notices import post_to
from bot.campaigns.places import PUBLIC_PLACE, SETUP_QUEUE, SPECTATOR, side_place
from bot.store.connections import Connection
from bot.store.outbox import enqueue
from bot.store.tables import MemberRow

_PLAIN = re.compile(r"[^\S ]|[\u0000-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """A name without line breaks, control or direction characters."""
    return " ".join(_PLAIN.sub(" ", text).split())


async def seated(conn: Connection, campaign_id: str, side: str) -> list[int]:
    """Who sits on a side, or watches."""
    rows = await conn.execute(
        select(MemberRow.user_id)
        .where(MemberRow.campaign_id == campaign_id, MemberRow.side == side)
        .order_by(MemberRow.user_id)
    )
    return list(rows.scalars())


async def take_seat(
    conn: Connection, campaign: CampaignInfo, user_id: int, name: str, side: str, *, now: datetime
) -> None:
    """Seat somebody: the row, the role, and a post that says so."""
    await _forget(conn, campaign, user_id)
    await conn.execute(
        insert(MemberRow).values(
            campaign_id=campaign.id, user_id=user_id, side=side, name=plain(name)[:100], joined_at=now
        )
    )
    who = "as a spectator" if side == SPECTATOR else f"and commands {campaign.side_names[side]}"
    rows = [
        (SETUP_QUEUE, "grant", {"user_id": user_id, "role": _role(side)}),
        post_to(PUBLIC_PLACE, f"<@{user_id}> joins {who}."),
    ]
    await enqueue(conn, campaign.id, rows, now=now)


async def give_up_seat(conn: Connection, campaign: CampaignInfo, user_id: int, side: str, now: datetime) -> None:
    """Take somebody's seat: the row, the role, and a post that says so."""
    await _forget(conn, campaign, user_id)
    rows = [
        (SETUP_QUEUE, "revoke", {"user_id": user_id, "role": _role(side)}),
        post_to(PUBLIC_PLACE, f"<@{user_id}> leaves the campaign."),
    ]
    await enqueue(conn, campaign.id, rows, now=now)


async def _forget(conn: Connection, campaign: CampaignInfo, user_id: int) -> None:
    await conn.execute(delete(MemberRow).where(MemberRow.campaign_id == campaign.id, MemberRow.user_id == user_id))


def _role(side: str) -> str:
    """The role of a side's commanders, or of spectators, as delivery names it."""
    return side if side == SPECTATOR else side_place(side)
