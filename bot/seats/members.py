"""Seating somebody, and taking a seat away: with the role on Discord, and a public notice."""

from datetime import datetime

from bot.records.campaigns import CampaignInfo
from bot.records.effects import Grant, Post, Revoke
from bot.records.places import PUBLIC_PLACE, SPECTATOR, side_place
from bot.store.transaction import Transaction
from rules_engine.core.basics.plain_text import without_unfit


def plain(text: str) -> str:
    """A name on one line, without the characters that no text may hold; people may call themselves anything."""
    return " ".join(without_unfit(text).split())


async def take_seat(
    tx: Transaction, campaign: CampaignInfo, user_id: int, name: str, side: str, *, now: datetime
) -> None:
    """Seat somebody: the seat, the role, and a post that says so."""
    await tx.members.add(campaign.id, user_id, side=side, name=plain(name)[:100], at=now)
    who = "as a spectator" if side == SPECTATOR else f"and commands {campaign.side_names[side]}"
    joins = Post(place=PUBLIC_PLACE, content=f"<@{user_id}> joins {who}.")
    await tx.outbox.put(campaign.id, Grant(user_id=user_id, role=_role(side)), joins, now=now)


async def give_up_seat(tx: Transaction, campaign: CampaignInfo, user_id: int, side: str, now: datetime) -> None:
    """Take somebody's seat: the seat, the role, and a post that says so."""
    await tx.members.remove(campaign.id, user_id)
    leaves = Post(place=PUBLIC_PLACE, content=f"<@{user_id}> leaves the campaign.")
    await tx.outbox.put(campaign.id, Revoke(user_id=user_id, role=_role(side)), leaves, now=now)


def _role(side: str) -> str:
    """The role of a side's commanders, or of spectators, as delivery names it."""
    return side if side == SPECTATOR else side_place(side)
