"""Who is the referee: how the chair is offered, and given to somebody else when its holder is gone or says nothing.

A campaign's referee changes in :func:`seat_referee` alone.
"""

from datetime import datetime, timedelta

from bot.campaigns.directory import seat_in
from bot.errors import Sorry
from bot.records.campaigns import CampaignInfo, CampaignStatus
from bot.records.effects import Grant, Post, Revoke
from bot.records.members import EVERYTHING, PastSeat, has_played
from bot.records.places import PUBLIC_PLACE, REFEREE_ROLE
from bot.records.proposals import HandOver, Succession, user_party
from bot.seats.changing import SeatChange
from bot.seats.consent import parties_of_sides
from bot.seats.members import announced
from bot.store.transaction import Transaction

SILENCE = timedelta(days=14)
"""A referee for whom something waits, and who says nothing for so long, can be replaced."""

STATUSES_THAT_WAIT = frozenset({CampaignStatus.GATHERING, CampaignStatus.PAUSED, CampaignStatus.HALTED})
"""A campaign that only its referee can start, resume or mend."""


async def parties_to_hand_over(change: SeatChange, wanted: HandOver, by: int) -> tuple[str, ...]:
    """Who must agree before a referee's chair goes to somebody else: that person, and the other sides where the
    referee has played, for the successor may look at everything.

    Raises:
        Sorry: when it cannot go to them.
    """
    _, caller = await seat_in(change.tx, change.campaign.id, by)
    await check_successor(change, wanted.to, by)
    receiver = (user_party(wanted.to),)
    if change.under_way and caller.plays_and_referees:
        return (*parties_of_sides(await change.others_seated(caller.side)), *receiver)
    return receiver


async def parties_to_succeed(change: SeatChange, wanted: Succession, by: int) -> tuple[str, ...]:
    """Who must agree before another referee is named in the place of one who is gone or silent: all other sides, unless
    the server's owner names them, and the successor.

    Raises:
        Sorry: when the referee is neither gone nor silent, or the successor cannot be the referee.
    """
    campaign = change.campaign
    if wanted.of != campaign.referee_id:
        raise Sorry("Somebody else is the referee by now, so nobody has to be named.", code="stale")
    _, caller = await seat_in(change.tx, campaign.id, by)
    await check_successor(change, wanted.to, by)
    await _check_chair_is_empty(change)
    receiver = () if wanted.to == by else (user_party(wanted.to),)
    if by == change.owner:
        return receiver
    return (*parties_of_sides(await change.others_seated(caller.side)), *receiver)


async def seat_referee(change: SeatChange, to: int, how: str) -> None:
    """Make somebody the referee: the record, the role on Discord, and a public notice."""
    campaign, tx = change.campaign, change.tx
    before = campaign.referee_id
    await tx.campaigns.set_referee(campaign.id, to)
    await tx.installation.heard_referee(campaign.id, change.now)
    if change.under_way:
        await remember_the_referee(tx, campaign, to)
    await tx.outbox.put(
        campaign.id,
        Revoke(user_id=before, role=REFEREE_ROLE),
        Grant(user_id=to, role=REFEREE_ROLE),
        Post(place=PUBLIC_PLACE, content=f"<@{to}> is the referee now, instead of <@{before}>."),
        *await announced(change),
        now=change.now,
    )
    change.text = f"{to} is the referee instead of {before}{how}"


async def remember_the_referee(tx: Transaction, campaign: CampaignInfo, user_id: int) -> None:
    """The referee of a campaign that is played can look at everything from now on, unless they play or have played."""
    past = await tx.members.past(campaign.id, user_id)
    if not has_played(past):
        await tx.members.remember(campaign.id, [user_id], PastSeat(EVERYTHING, in_play=True))


async def silent_since(tx: Transaction, campaign: CampaignInfo) -> datetime | None:
    """Since when something waits for a referee who has said nothing; None while nothing waits."""
    waits_since = await _waits_since(tx, campaign)
    if waits_since is None:
        return None
    heard = (
        await tx.journal.last_word_of(campaign.id, campaign.referee_id),
        await tx.installation.referee_heard(campaign.id),
    )
    return max([waits_since, *(moment for moment in heard if moment is not None)])


async def _waits_since(tx: Transaction, campaign: CampaignInfo) -> datetime | None:
    """Since when the campaign waits for its referee: to be started, resumed or mended, or for a ruling on a battle
    whose deadline has fallen."""
    if campaign.status in STATUSES_THAT_WAIT:
        return await tx.installation.stands_still_since(campaign.id) or await tx.campaigns.created_at(campaign.id)
    fallen = [one.unsettled_at for one in await tx.deadlines.all_of(campaign.id) if one.unsettled_at is not None]
    return min(fallen, default=None)


async def check_successor(change: SeatChange, to: int, by: int) -> None:
    """Whether somebody can be the referee. Raises Sorry when not."""
    campaign = change.campaign
    if campaign.status is CampaignStatus.ENDED:
        raise Sorry("This campaign is over, so its referee stays who it was.", code="ended")
    _, successor = await seat_in(change.tx, campaign.id, to)
    if to in change.away:
        raise Sorry(f"<@{to}> is not on this campaign's server, so they cannot be its referee.", code="not-here")
    if successor.side is not None:
        raise Sorry("That member commands a side here, so they cannot be the referee.", code="referee-seat")
    if to == campaign.referee_id:
        who = "You are" if to == by else "That member is"
        raise Sorry(f"{who} the referee already.", code="seated")


async def _check_chair_is_empty(change: SeatChange) -> None:
    """Whether the referee is not on the server, or silent while something waits. Raises Sorry when neither is so."""
    campaign = change.campaign
    if campaign.referee_id in change.away:
        return
    since = await silent_since(change.tx, campaign)
    if since is not None and change.now - since >= SILENCE:
        return
    moment = "" if since is None else f" Something waits since <t:{int(since.timestamp())}:f>."
    raise Sorry(
        f"<@{campaign.referee_id}> is on this server. Somebody else can be named once the referee has left it, or has "
        f"said nothing for {SILENCE.days} days while something waits for them.{moment}",
        code="referee-there",
    )
