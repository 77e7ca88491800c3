"""What everybody was shown of a battle from its beginning to its end, for the film that is made of it."""

import asyncio
from collections.abc import Sequence

from bot.campaigns.runtime import Runtime
from rules_engine import rulebooks
from rules_engine.core.knowledge.tactical_scene import TacticalScene
from rules_engine.core.running.moments import scenes_of, thinned

MOST_MOMENTS = 120
"""Moments that a film may have: each takes about a tenth of a second to draw, and 60 kB."""


class FilmQueries:
    """Gives the scenes of films."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def shown_to_all(self, campaign_id: str, until: int) -> Sequence[TacticalScene]:
        """What the public pictures of a campaign showed, as its record up to an entry tells it; none of a campaign that
        is no battle flown by vectors. The record is played again beside the campaign in memory, which nobody waits for.

        Raises:
            Diverged: when the record does not play back as it was.
        """
        async with self._runtime.store.read() as tx:
            source = await tx.campaigns.source(campaign_id)
            entries = await tx.journal.entries(campaign_id)
        book = rulebooks.rulebook(source.rulebook)
        past = [entry for entry in entries if entry.seq <= until]
        return await asyncio.to_thread(lambda: thinned(list(scenes_of(book, past, source.seed)), MOST_MOMENTS))
