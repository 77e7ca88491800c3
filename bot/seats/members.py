"""Seating somebody, and taking a seat away: with the role on Discord, the battles that are open, and a public notice.

What somebody has been is remembered for good, because nobody forgets a side's plans by leaving it.
"""

from bot.records.effects import Admit, Announcement, Dismiss, Grant, Post, Revoke
from bot.records.members import PastSeat
from bot.records.places import PUBLIC_PLACE, SPECTATOR, side_place
from bot.seats.announcing import announcement
from bot.seats.changing import SeatChange
from bot.seats.ships import pass_on
from rules_engine.core.basics.plain_text import without_unfit


def plain(text: str) -> str:
    """A name on one line, without the characters that no text may hold; people may call themselves anything."""
    return " ".join(without_unfit(text).split())


async def take_seat(change: SeatChange, user_id: int, name: str, side: str) -> None:
    """Seat somebody: the seat, the role, the side's open battles, and a post that says so."""
    tx, campaign = change.tx, change.campaign
    await tx.members.add(campaign.id, user_id, side=side, name=plain(name)[:100], at=change.now)
    together = await tx.members.seated(campaign.id, side)
    if change.under_way or (side != SPECTATOR and len(together) > 1):  # who sits alone before play learns nothing
        await tx.members.remember(campaign.id, together, PastSeat(side, change.under_way))
    who = "as a spectator" if side == SPECTATOR else f"and commands {campaign.side_names[side]}"
    joins = Post(place=PUBLIC_PLACE, content=f"<@{user_id}> joins {who}.")
    granted = Grant(user_id=user_id, role=_role(side))
    await tx.outbox.put(campaign.id, granted, joins, *await announced(change), now=change.now)
    if change.adjudicator is not None and side != SPECTATOR:
        battles = [ask.setup.key for ask in change.adjudicator.asks_for(side) if ask.setup is not None]
        admitted = [Admit(user_id=user_id, key=key) for key in battles]
        await tx.outbox.put(campaign.id, *admitted, now=change.now)


async def give_up_seat(change: SeatChange, user_id: int, side: str, heir: int | None = None) -> None:
    """Take somebody's seat: the seat, the ships (which their ``heir`` gets), the role, every battle's thread, and a
    post that says so."""
    tx, campaign = change.tx, change.campaign
    await tx.members.remove(campaign.id, user_id)
    await pass_on(change, user_id, side, heir)
    leaves = Post(place=PUBLIC_PLACE, content=f"<@{user_id}> leaves the campaign.")
    gone = [Revoke(user_id=user_id, role=_role(side)), Dismiss(user_id=user_id)]
    await tx.outbox.put(campaign.id, *gone, leaves, *await announced(change), now=change.now)


async def announced(change: SeatChange) -> list[Announcement]:
    """What has the announcement of a campaign say who sits where, as long as it takes players."""
    return [] if change.under_way else [await announcement(change.tx, change.campaign.id)]


def _role(side: str) -> str:
    """The role of a side's commanders, or of spectators, as delivery names it."""
    return side if side == SPECTATOR else side_place(side)
