"""Briefings: what a commander is told before the first order."""

import asyncio
from collections.abc import Sequence

from bot.cards.briefing import briefing_text
from bot.recording.posts import posted_map
from bot.recording.transaction import Recording
from bot.records.effects import Post
from bot.records.places import side_place


async def brief(recording: Recording, side: str, readers: Sequence[int]) -> None:
    """Send these commanders of a side its briefing, with the map."""
    adjudicator = recording.adjudicator
    briefing, view = await asyncio.to_thread(lambda: (adjudicator.briefing(side), adjudicator.view(side)))
    if not briefing.objective:  # a rulebook that has nothing to say
        return
    text = briefing_text(briefing, campaign=recording.campaign.title, side=recording.side_names[side])
    files = (posted_map(view),)
    await recording.put(*[Post(dm=one, content=text, files=files, fallback=side_place(side)) for one in readers])
