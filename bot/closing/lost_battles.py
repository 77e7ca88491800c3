"""Letting go of tracked battles that do not play back as they were flown, because their tracker is another one now.

A tracker holds up nothing but its own battle: that goes on by hand, and all else in its campaign as before.
"""

import structlog

from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.runtime import Runtime
from bot.recording.commit import TRIES, commit_transitions
from bot.store.errors import Overtaken

log = structlog.get_logger()


async def let_go_of_lost(runtime: Runtime, campaign_id: str, adjudicator: AnyAdjudicator) -> AnyAdjudicator:
    """Write down that these battles are tracked no more, and tell their parties, once; gives the campaign as it stands
    then. Only while holding it.

    Raises:
        Overtaken: when others wrote meanwhile, again and again.
    """
    for attempt in range(1, TRIES + 1):
        battles = adjudicator.lost_battles()
        if not battles:
            break
        log.error("tracked battles do not play back", campaign=campaign_id, battles=battles)
        campaign = await runtime.directory.info(campaign_id)
        gone = [adjudicator.let_go(battle, by="clock", at=runtime.stamp()) for battle in battles]
        try:
            await commit_transitions(runtime, campaign, adjudicator, gone)
        except Overtaken:  # perhaps another process has done it
            if attempt == TRIES:
                raise
            adjudicator = await runtime.loaded.reload(campaign_id)
        else:
            runtime.loaded.put(campaign_id, adjudicator)
            break
    return adjudicator
