"""Finding campaigns and people: which campaign is meant, what somebody is to it, which of its places a channel is."""

from collections.abc import Collection, Sequence
from typing import TypeVar

from bot import spoken_of
from bot.campaigns.permissions import Caller, SeatRole, caller_of, require
from bot.errors import Sorry
from bot.records.campaigns import IN_PLAY, CampaignInfo, CampaignStatus
from bot.records.members import has_played
from bot.store.database import Store
from bot.store.transaction import Transaction

_T = TypeVar("_T")

MENDING = (
    ", and the clock stands still; your channel says why. `/referee resume` tries it again, `/referee rewind` goes "
    "back to an earlier point."
)
"""What its referee reads of a campaign that is halted."""


class WhichCampaign(Sorry):
    """Several campaigns could be meant; whoever asks may choose one of these."""

    def __init__(self, campaigns: Sequence[CampaignInfo]) -> None:
        self.campaigns = tuple(campaigns)
        names = ", ".join(f"“{one.title}”" for one in campaigns[:10])
        text = f"You are in several campaigns: {names}. Say which one with the `campaign` option."
        super().__init__(text, code="which")


class CampaignDirectory:
    """All campaigns of this bot, and who belongs to them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def info(self, campaign_id: str) -> CampaignInfo:
        """The campaign of that id.

        Raises:
            Sorry: when there is none.
        """
        async with self._store.read() as tx:
            return known(await tx.campaigns.find(campaign_id))

    async def seat(self, campaign_id: str, user_id: int) -> tuple[CampaignInfo, Caller]:
        """The campaign of that id, and what a user is to it.

        Raises:
            Sorry: when there is none.
        """
        async with self._store.read() as tx:
            return await seat_in(tx, campaign_id, user_id)

    async def permitted(
        self, campaign_id: str, user_id: int, action: str, statuses: Collection[CampaignStatus]
    ) -> CampaignInfo:
        """The campaign, for somebody who may do ``action`` in it now.

        Raises:
            Sorry: when the right is missing, or the campaign's status is none of ``statuses``.
        """
        campaign, caller = await self.seat(campaign_id, user_id)
        require(caller, action)
        if campaign.status not in statuses:
            is_mending = campaign.status is CampaignStatus.HALTED and user_id == campaign.referee_id
            raise Sorry(
                f"The campaign is {campaign.status}{MENDING if is_mending else '.'}", code=f"status-{campaign.status}"
            )
        return campaign

    async def of_user(self, user_id: int) -> list[CampaignInfo]:
        """The campaigns that a user belongs to, newest first."""
        async with self._store.read() as tx:
            return await tx.campaigns.of_user(user_id)

    async def in_server(self, guild_id: int) -> list[CampaignInfo]:
        """The campaigns of a server, newest first."""
        async with self._store.read() as tx:
            return await tx.campaigns.in_server(guild_id)

    async def find(
        self,
        user_id: int,
        *,
        guild_id: int | None,
        channels: Sequence[int],
        wanted: str | None,
        seats: bool = False,
        referees: bool = False,
    ) -> CampaignInfo:
        """The campaign that a user means: the named one, the channel's own, or the only one it can be; in direct
        messages also the only one in play in which they have a seat, or (``referees``) which they referee; not where
        the ``seats`` themselves are spoken of.

        ``channels`` are the channel and its parent. A campaign of another server is never found from here.

        Raises:
            WhichCampaign: when there are several.
            Sorry: when there is none.
        """
        if wanted:
            named = await (self.in_server(guild_id) if guild_id else self.of_user(user_id))
            for campaign in named:
                if wanted in (campaign.id, campaign.title):
                    return _spoken_of(campaign)
            names = ", ".join(f"“{campaign.title}”" for campaign in named[:10]) or "none yet"
            raise Sorry(f"There is no campaign of that name here. There is: {names}.", code="unknown-campaign")
        async with self._store.read() as tx:
            here, theirs = await tx.campaigns.at_or_of_user(channels, user_id)
            seated = await tx.members.commanded(user_id) if guild_id is None and len(theirs) > 1 else ()
        if here is not None:
            return _spoken_of(here)
        mine = [one for one in theirs if guild_id is None or one.guild_id == guild_id]
        open_ones = [one for one in mine if one.status is not CampaignStatus.ENDED] or mine
        if len(open_ones) == 1:
            return _spoken_of(open_ones[0])
        if not open_ones:
            raise Sorry(
                "You are in no campaign here yet. `/campaign list` shows what is going on; `/campaign join` takes a "
                "seat.",
                code="no-campaign",
            )
        if guild_id is None and not seats:
            own = {one.id for one in open_ones if one.referee_id == user_id} if referees else set(seated)
            played = [one for one in open_ones if one.status in IN_PLAY and one.id in own]
            if len(played) == 1:
                return _spoken_of(played[0])
        raise WhichCampaign(open_ones)

    async def places(self, campaign_id: str, channels: Sequence[int]) -> set[str]:
        """Which of a campaign's places these channels are."""
        async with self._store.read() as tx:
            return await tx.places.keys_of(campaign_id, channels)


async def seat_in(tx: Transaction, campaign_id: str, user_id: int) -> tuple[CampaignInfo, Caller]:
    """The campaign of that id and what a user is to it, within a transaction.

    Raises:
        Sorry: when there is none.
    """
    campaign, side = known(await tx.campaigns.find_seat(campaign_id, user_id))
    played = user_id == campaign.referee_id and has_played(await tx.members.past(campaign_id, user_id))
    caller = caller_of(campaign, user_id, side, has_played=played)
    note_spoken_of(campaign, caller, is_one_of_several=await tx.members.commands_several(user_id))
    return campaign, caller


def note_spoken_of(campaign: CampaignInfo, caller: Caller, *, is_one_of_several: bool) -> None:
    """Answers to this input say this campaign's name, to who has a seat in it: a stranger may have guessed its id."""
    if SeatRole.STRANGER not in caller.roles:
        spoken_of.campaign(campaign.id, campaign.title, is_one_of_several=is_one_of_several)


def _spoken_of(campaign: CampaignInfo) -> CampaignInfo:
    spoken_of.campaign(campaign.id, campaign.title)
    return campaign


def known(found: _T | None) -> _T:
    """What was found, or a polite refusal."""
    if found is None:
        raise Sorry("There is no such campaign.", code="unknown-campaign")
    return found
