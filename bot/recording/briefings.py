"""Briefings: what a commander is told before the first order."""

import asyncio
from collections.abc import Sequence

from bot.cards.briefing import briefing_card
from bot.cards.told import button
from bot.recording.transaction import Recording
from bot.records.components import Card
from bot.records.effects import Post
from bot.records.places import side_place
from rules_engine.core.basics.counted import counted, verb


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


async def tell_of_letters(recording: Recording, side: str, reader: int) -> None:
    """Tell a new commander of a side that there are letters to and from it, if there are any, which are theirs now."""
    campaign = recording.campaign
    count = await recording.tx.letters.count(campaign.id, side)
    if not count:
        return
    there = counted(count, "letter")
    are = verb(count, "is", "are")
    text = f"✉️ **{campaign.title}**: there {are} {there} to and from your side; `/letters` lists them."
    card = Card(text, ((button(f"l|{campaign.id}|page|0.", "Letters"),),))
    await recording.put(Post(dm=reader, content=text, card=card, fallback=side_place(side)))
