"""Briefings: what a commander is told before the first order."""

import asyncio
from collections.abc import Sequence

from bot.cards.briefing import briefing_card
from bot.recording.transaction import Recording
from bot.records.effects import Post
from bot.records.places import side_place


async def brief(recording: Recording, side: str, readers: Sequence[int]) -> None:
    """Send these commanders of a side its briefing, with the map."""
    adjudicator, campaign = recording.adjudicator, recording.campaign
    briefing = await asyncio.to_thread(adjudicator.briefing, side)
    if not briefing.objective:  # a rulebook that has nothing to say
        return
    names = recording.side_names
    card = briefing_card(
        briefing,
        campaign_id=campaign.id,
        campaign=campaign.title,
        side=side,
        name=names[side],
        place=[*names].index(side),
    )
    await recording.put(*[Post(dm=one, content=card.content, card=card, fallback=side_place(side)) for one in readers])
