"""What becomes of a battle's tracker to which nobody says anything: it waits, or is let go of, and says so.

So nobody is coasted along for ever, and the battle's own deadline falls in the end. The clock does it, by entries of
its own in the journal, so that a replay does the same whatever the time.
"""

import asyncio

from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.runtime import Runtime
from bot.cards.tracking import MOST_SILENT
from rules_engine.core.records.journal import Wish
from rules_engine.core.running.tracking import TrackingNow
from rules_engine.core.running.transitions import Transition


async def after_silence(runtime: Runtime, adjudicator: AnyAdjudicator, strand: str) -> list[Transition]:
    """What follows when a piece was flown by the clock in a strand, if that is a tracker's; only while holding the
    campaign."""
    battle = adjudicator.battle_in(strand)
    now = adjudicator.tracking(battle) if battle else None
    wish = None if now is None else _wish(now)
    if wish is None:
        return []
    return [await asyncio.to_thread(adjudicator.track, "", battle, wish, by="clock", at=runtime.stamp())]


def _wish(now: TrackingNow) -> Wish | None:
    if now.is_over or now.is_paused:
        return None
    if now.stands_still:
        return "drop"
    return "pause" if now.silent >= MOST_SILENT else None
