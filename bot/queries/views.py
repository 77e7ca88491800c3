"""What somebody may see of a campaign now."""

from bot.campaigns.notices import holding
from bot.campaigns.permissions import SeatRole, require
from bot.campaigns.runtime import Runtime
from bot.cards.briefing import briefing_text
from bot.errors import Sorry
from bot.records.campaigns import CampaignInfo, CampaignStatus
from bot.records.places import side_place
from rules_engine.core.knowledge.views import OmniscientView, PublicView, SideView

_NO_PLAY = frozenset({CampaignStatus.GATHERING, CampaignStatus.HALTED})


class ViewQueries:
    """Gives views, each to those who may have it."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def of_side(self, campaign_id: str, user_id: int) -> SideView:
        """What the user's side knows."""
        campaign, caller = await self._runtime.directory.seat(campaign_id, user_id)
        if caller.side is None:
            raise Sorry("You command no side of this campaign.", code="no-side")
        async with holding(self._runtime, campaign.id, campaign.head) as adjudicator:
            return adjudicator.view(caller.side)

    async def shown_in(self, campaign_id: str, side: str, place: str) -> SideView:
        """What a side knows, for a place that only those who command it see.

        Raises:
            Sorry: for any other place, and while somebody who has left the side may see that one still.
        """
        campaign = await self._runtime.directory.info(campaign_id)
        if place != side_place(side) or side not in campaign.side_names:
            raise Sorry("This place is not for that side alone.", code="no-side")
        async with self._runtime.store.read() as tx:
            if await tx.outbox.has_queued(campaign_id, "revoke", place):
                raise Sorry("Somebody who left the side may still see this place.", code="no-side")
        async with holding(self._runtime, campaign.id, campaign.head) as adjudicator:
            return adjudicator.view(side)

    async def briefing(self, campaign_id: str, user_id: int) -> tuple[str, SideView]:
        """What the user's side should know, in words, and its view."""
        campaign, caller = await self._runtime.directory.seat(campaign_id, user_id)
        side = caller.side
        if side is None:
            raise Sorry("You command no side of this campaign.", code="no-side")
        async with holding(self._runtime, campaign.id, campaign.head) as adjudicator:
            briefing, view = adjudicator.briefing(side), adjudicator.view(side)
            name = next(label.name for label in adjudicator.labels if label.key == side)
        return briefing_text(briefing, campaign=campaign.title, side=name), view

    async def widest(self, campaign_id: str, user_id: int) -> SideView | PublicView | OmniscientView:
        """The most that this user may see: an own side's view, everything for a referee who plays no side
        and has played none, else the public view."""
        campaign, caller = await self._runtime.directory.seat(campaign_id, user_id)
        require(caller, "map")
        async with holding(self._runtime, campaign.id, campaign.head) as adjudicator:
            if caller.side is not None:
                return adjudicator.view(caller.side)
            looks = SeatRole.REFEREE in caller.roles and not caller.plays_and_referees
            if looks or campaign.status is CampaignStatus.ENDED:
                return adjudicator.omniscient_view()
            return adjudicator.public_view()

    async def heading(self, campaign: CampaignInfo) -> str:
        """The public heading of a campaign in play; empty where it has none."""
        if campaign.status in _NO_PLAY:
            return ""
        async with self._runtime.loaded.use(campaign.id, campaign.head) as adjudicator:
            return adjudicator.public_view().public.heading

    async def out_of_play(self, campaign: CampaignInfo) -> frozenset[str]:
        """The sides that are out of play, which is public; none where no play can be looked at."""
        if campaign.status in _NO_PLAY:
            return frozenset()
        async with self._runtime.loaded.use(campaign.id, campaign.head) as adjudicator:
            return frozenset(side for side in campaign.side_names if adjudicator.is_out(side))
