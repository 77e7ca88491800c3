"""The tracker of battles, as their parties ask for it: how each stands, and what they wish of it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast, get_args

import structlog

from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.cards.tracking import battle_name, mark_of, tracker_card
from bot.errors import Sorry, explain
from bot.recording.battle_threads import UNTRACKED
from bot.recording.commit import commit_transitions, judged_again
from bot.recording.transition import tracker_options
from bot.records.campaigns import CampaignInfo, CampaignStatus
from bot.records.components import Card
from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.records.journal import Wish
from rules_engine.core.running.tracking import BEGINNINGS, TrackingNow
from rules_engine.core.running.transitions import NotOpen, RuleFailure

log = structlog.get_logger()

NO_BATTLE = "No battle of yours can be tracked now."
NOT_HERE = "That battle is over, or not yours."
FAILED = "The tracker failed, and nothing was changed: go on by hand. The bot's host finds out why in its log."
OFF = "Battles are not tracked in this campaign; its referee can change that with `/campaign settings`."


@dataclass(frozen=True)
class TrackedStanding:
    """How the tracker of a battle stands, for one of its parties: ``side``, of those by ``names``. ``mark`` stands for
    the battle in components; ``filled_in`` is what the tracker would fill into the account."""

    campaign: CampaignInfo
    ask: AnyAsk
    mark: str
    side: Side
    names: Mapping[Side, str]
    now: TrackingNow
    filled_in: Sheet
    remarks: Sequence[str] = ()

    @property
    def card(self) -> Card:
        """Its card."""
        return tracker_card(
            self.campaign.id,
            battle_name(self.ask),
            self.mark,
            side=self.side,
            names=self.names,
            now=self.now,
            may_begin=self.campaign.settings.tracker != "off",
            remarks=self.remarks,
            fills_in=bool(self.filled_in),
        )


class BattleTracking:
    """Takes the wishes of parties of battles."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def standing(self, campaign_id: str, user_id: int) -> list[TrackedStanding]:
        """All open battles of the user's side that can be tracked.

        Raises:
            Sorry: when there is none.
        """
        campaign, side = await self._party(campaign_id, user_id)
        async with holding(self._runtime, campaign.id, campaign.head) as adjudicator:
            found = [
                _standing(campaign, adjudicator, ask, side)
                for ask in adjudicator.asks_for(side)
                if adjudicator.tracking(ask.id) is not None
            ]
            failed = any(ask.untracked for ask in adjudicator.asks_for(side))
        if not found:
            raise Sorry(UNTRACKED if failed else NO_BATTLE, code="no-battle")
        return found

    @judged_again
    async def wish(
        self,
        campaign_id: str,
        user_id: int,
        mark: str,
        wish: str,
        *,
        wanted: bool,
        interaction_id: int | None = None,
    ) -> TrackedStanding:
        """Say what the user's side wishes of the tracker of a battle, or take it back; what all that must wish it wish
        is done at once.

        Raises:
            Sorry: when it makes no sense as the battle stands; nothing is changed.
        """
        if wish not in get_args(Wish):
            raise Sorry(NOT_HERE, code="no-battle")
        campaign, side = await self._party(campaign_id, user_id)
        runtime, wished = self._runtime, cast(Wish, wish)
        async with holding(runtime, campaign.id, campaign.head) as adjudicator:
            ask = battle_of_mark(adjudicator, side, mark)
            if wished in BEGINNINGS and campaign.settings.tracker == "off":
                raise Sorry(OFF, code="tracker-off")
            options = tracker_options(campaign) if wished in BEGINNINGS else None
            try:
                transition = await asyncio.to_thread(
                    adjudicator.track,
                    side,
                    ask.id,
                    wished,
                    wanted=wanted,
                    options=options,
                    by=str(user_id),
                    at=runtime.stamp(),
                )
            except Refused as refused:
                raise Sorry(explain(refused.refusals), code="no-wish") from None
            except NotOpen:
                raise Sorry(NOT_HERE, code="no-battle") from None
            except RuleFailure as failure:
                runtime.loaded.evict(campaign.id)
                log.error("tracker failed", campaign=campaign.id, error=str(failure))
                raise Sorry(FAILED, code="tracker-failed") from None
            await commit_transitions(runtime, campaign, adjudicator, [transition], interaction_id=interaction_id)
            return _standing(campaign, adjudicator, ask, side)

    async def _party(self, campaign_id: str, user_id: int) -> tuple[CampaignInfo, Side]:
        """The campaign in play, and the side that the user commands there."""
        campaign = await self._runtime.directory.permitted(campaign_id, user_id, "track", {CampaignStatus.RUNNING})
        _, caller = await self._runtime.directory.seat(campaign.id, user_id)
        if caller.side is None:
            raise Sorry("You command no side of this campaign.", code="no-side")
        return campaign, caller.side


def battle_of_mark(adjudicator: AnyAdjudicator, side: Side, mark: str) -> AnyAsk:
    """The battle of a side that is meant. Raises Sorry when it is over, or another's."""
    for ask in adjudicator.asks_for(side):
        if mark_of(ask.id) == mark and adjudicator.tracking(ask.id) is not None:
            return ask
    raise Sorry(NOT_HERE, code="no-battle")


def _standing(campaign: CampaignInfo, adjudicator: AnyAdjudicator, ask: AnyAsk, side: Side) -> TrackedStanding:
    now = adjudicator.tracking(ask.id)
    assert now is not None
    names = {label.key: label.name for label in adjudicator.labels}
    return TrackedStanding(
        campaign,
        ask,
        mark_of(ask.id),
        side,
        names,
        now,
        adjudicator.filled_in(ask.id),
        adjudicator.tracked_remarks(ask.id),
    )
