"""Cards that somebody has already, once they command sides in a second campaign: their headings name the campaign."""

from collections.abc import Iterable

import structlog

from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry
from bot.recording.prompts import refresh_for
from bot.recording.transaction import Recording
from bot.records.campaigns import IN_PLAY
from bot.records.places import REFEREE_ROLE, SPECTATOR

log = structlog.get_logger()


async def name_campaigns_in_cards(runtime: Runtime, begun: str, user_ids: Iterable[int]) -> None:
    """Have the open cards of these people in other campaigns leave again, now that they command a side of the campaign
    ``begun``, too. Who had several before has the names in them already.

    It is done behind the change itself and can fail without it: cards that are not reached name it the next time.
    """
    for user_id in user_ids:
        async with runtime.store.read() as tx:
            seats = {
                seat.campaign_id: seat.seat
                for seat in await tx.members.in_play()
                if seat.user_id == user_id and seat.seat not in {SPECTATOR, REFEREE_ROLE}
            }
        others = {campaign: side for campaign, side in seats.items() if campaign != begun}
        if begun in seats and len(others) == 1:
            for campaign_id, side in others.items():
                try:
                    await _refresh(runtime, campaign_id, side, user_id)
                except Sorry as sorry:
                    log.info("cards not named", campaign=campaign_id, code=sorry.code)


async def _refresh(runtime: Runtime, campaign_id: str, side: str, user_id: int) -> None:
    async with holding(runtime, campaign_id) as adjudicator, runtime.store.write() as tx:
        campaign = await tx.campaigns.find(campaign_id)
        if campaign is not None and campaign.status in IN_PLAY:
            await refresh_for(Recording(tx, campaign, adjudicator, runtime.now()), side, user_id)
