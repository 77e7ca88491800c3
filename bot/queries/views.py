"""What somebody may see of a campaign now."""

from collections.abc import Iterable
from dataclasses import dataclass

import structlog

from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.permissions import SeatRole, require
from bot.campaigns.runtime import Runtime
from bot.cards.briefing import briefing_card, briefing_text
from bot.errors import Sorry
from bot.records.campaigns import CampaignInfo, CampaignStatus
from bot.records.components import Card
from bot.records.places import battle_place, kind_of, side_place
from rules_engine.core.knowledge.briefing import Briefing
from rules_engine.core.knowledge.views import OmniscientView, PublicView, SideView
from rules_engine.core.running.transitions import NotOpen

log = structlog.get_logger()

_NO_PLAY = frozenset({CampaignStatus.GATHERING, CampaignStatus.HALTED})


@dataclass(frozen=True)
class Briefed:
    """What a side should know of a campaign: its key, its name and its place among the seats, and the briefing."""

    campaign: CampaignInfo
    side: str
    name: str
    place: int
    briefing: Briefing

    @property
    def card(self) -> Card:
        """It on one screen."""
        return briefing_card(
            self.briefing,
            campaign_id=self.campaign.id,
            campaign=self.campaign.title,
            side=self.side,
            name=self.name,
            place=self.place,
        )

    @property
    def text(self) -> str:
        """All of it in words."""
        return briefing_text(self.briefing, campaign=self.campaign.title, side=self.name)


def _seen(adjudicator: AnyAdjudicator, side: str, battle: str) -> SideView:
    """What a side knows, of a battle that is tracked or of all. Raises Sorry for a battle that is not, or not its."""
    try:
        return adjudicator.tactical_view(side, battle) if battle else adjudicator.view(side)
    except NotOpen:
        raise Sorry("That battle is not tracked any more.", code="not-tracked") from None


class ViewQueries:
    """Gives views, each to those who may have it."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def of_side(self, campaign_id: str, user_id: int, battle: str = "") -> SideView:
        """What the user's side knows: of the campaign, or of a ``battle`` that is tracked, by its ask's id."""
        campaign, caller = await self._runtime.directory.seat(campaign_id, user_id)
        if caller.side is None:
            raise Sorry("You command no side of this campaign.", code="no-side")
        async with holding(self._runtime, campaign.id, campaign.head) as adjudicator:
            return _seen(adjudicator, caller.side, battle)

    async def of_tracked_in(
        self, campaign_id: str, user_id: int, places: Iterable[str]
    ) -> SideView | OmniscientView | None:
        """What the user's side knows of the tracked battle of its own whose thread is among these places, or all of it
        for a referee who plays no side and has played none; None where there is none."""
        threads = {*places}
        if not any(kind_of(place)[0] == "battle" for place in threads):
            return None
        campaign, caller = await self._runtime.directory.seat(campaign_id, user_id)
        side = caller.side
        looks = SeatRole.REFEREE in caller.roles and not caller.plays_and_referees
        if campaign.status is not CampaignStatus.RUNNING or (side is None and not looks):
            return None
        async with holding(self._runtime, campaign.id, campaign.head) as adjudicator:
            for ask in adjudicator.open_asks() if side is None else adjudicator.asks_for(side):
                now = adjudicator.tracking(ask.id)
                here = ask.setup is not None and battle_place(ask.setup.key) in threads
                if here and now is not None and now.runs:
                    return (
                        adjudicator.omniscient_tactical_view(ask.id)
                        if side is None
                        else adjudicator.tactical_view(side, ask.id)
                    )
        return None

    async def shown_to(
        self, campaign_id: str, side: str, user_id: int, place: str = "", battle: str = ""
    ) -> SideView | None:
        """What a side knows, for one user or else for all who see a place; None unless they command that side."""
        try:
            view = await (
                self.of_side(campaign_id, user_id, battle)
                if user_id
                else self.shown_in(campaign_id, side, place, battle)
            )
        except Sorry as sorry:
            log.info("view not shown", campaign=campaign_id, code=sorry.code)
            return None
        return view if view.side == side else None

    async def shown_in(self, campaign_id: str, side: str, place: str, battle: str = "") -> SideView:
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
            return _seen(adjudicator, side, battle)

    async def public(self, campaign_id: str) -> PublicView:
        """What everybody may see."""
        campaign = await self._runtime.directory.info(campaign_id)
        async with holding(self._runtime, campaign.id, campaign.head) as adjudicator:
            return adjudicator.public_view()

    async def briefing(self, campaign_id: str, user_id: int) -> Briefed:
        """What the user's side should know."""
        campaign, caller = await self._runtime.directory.seat(campaign_id, user_id)
        side = caller.side
        if side is None:
            raise Sorry("You command no side of this campaign.", code="no-side")
        async with holding(self._runtime, campaign.id, campaign.head) as adjudicator:
            names = {label.key: label.name for label in adjudicator.labels}
            return Briefed(campaign, side, names[side], [*names].index(side), adjudicator.briefing(side))

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
        if campaign.status in _NO_PLAY or campaign.never_began:
            return ""
        async with self._runtime.loaded.use(campaign.id, campaign.head) as adjudicator:
            return adjudicator.public_view().public.heading

    async def out_of_play(self, campaign: CampaignInfo) -> frozenset[str]:
        """The sides that are out of play, which is public; none where no play can be looked at."""
        if campaign.status in _NO_PLAY or campaign.never_began:
            return frozenset()
        async with self._runtime.loaded.use(campaign.id, campaign.head) as adjudicator:
            return frozenset(side for side in campaign.side_names if adjudicator.is_out(side))
