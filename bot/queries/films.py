"""What the readers of a place were shown of a battle from its beginning to its end, for the film that is made of it."""

import asyncio
from collections.abc import Sequence

from bot.campaigns.runtime import Runtime
from bot.records.effects import BattleThread
from bot.records.files import FilmFile
from bot.records.places import kind_of
from rules_engine import rulebooks
from rules_engine.core.knowledge.tactical_scene import TacticalScene
from rules_engine.core.running.moments import FlownBattle, flown_battle, is_film_due, scenes_of, thinned

MOST_MOMENTS = 120
"""Moments that a film may have: each takes about a tenth of a second to draw, and 60 kB."""
LEAST_TURNS = 1
"""Turns of a tracked battle that are worth a film."""


class FilmQueries:
    """Gives the scenes of films."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def scenes(self, campaign_id: str, film: FilmFile, place: str) -> Sequence[TacticalScene] | None:
        """What a film for a place shows; None where there is to be none, and no word of it either. The record is
        played again beside the campaign in memory, which nobody waits for.

        Raises:
            Diverged: when the record does not play back as it was.
        """
        if film.battle:
            return await self._shown_in_battle(campaign_id, film.battle, film.until, place)
        return await self.shown_to_all(campaign_id, film.until)

    async def shown_to_all(self, campaign_id: str, until: int) -> Sequence[TacticalScene]:
        """What the public pictures of a campaign showed, as its record up to an entry tells it; none of a campaign that
        is no battle flown by vectors.

        Raises:
            Diverged: when the record does not play back as it was.
        """
        async with self._runtime.store.read() as tx:
            source = await tx.campaigns.source(campaign_id)
            past = await tx.journal.entries(campaign_id, until=until)
        book = rulebooks.rulebook(source.rulebook)
        return await asyncio.to_thread(lambda: thinned(list(scenes_of(book, past, source.seed)), MOST_MOMENTS))

    async def _shown_in_battle(
        self, campaign_id: str, ask_id: str, until: int, place: str
    ) -> Sequence[TacticalScene] | None:
        """What the parties of a battle that was tracked were shown of it until its ask closed with an entry; None for
        less than a turn, for what a rewind has undone or a film has shown before, and where the place is not the
        thread of these parties."""
        kind, key = kind_of(place)
        async with self._runtime.store.read() as tx:
            source = await tx.campaigns.source(campaign_id)
            # Battles open and end within a turn: the last boundary before this one's end lies before it.
            snapshot = await tx.journal.latest_snapshot(campaign_id, before=until)
            landmarks = await tx.journal.landmarks(campaign_id)
            past = await tx.journal.to_play_on(campaign_id, landmarks, snapshot, until - 1)
            since = await tx.journal.entries(campaign_id, 1 if snapshot is None else snapshot.seq)
            thread = await tx.outbox.latest(campaign_id, "thread", key)
        book, tracker = rulebooks.rulebook(source.rulebook), rulebooks.tracker()

        def look() -> FlownBattle | None:
            if not is_film_due(since, ask_id, until):
                return None
            return flown_battle(book, past, source.seed, ask_id, tracker=tracker, snapshot=snapshot)

        flown = await asyncio.to_thread(look)
        readers = {*thread.sides} if kind == "battle" and isinstance(thread, BattleThread) else set[str]()
        if flown is None or flown.turns < LEAST_TURNS or flown.key != key or readers != {*flown.parties}:
            return None
        return thinned(flown.scenes, MOST_MOMENTS)
