"""The sides' names where they are kept, told and shown: they follow what play has made of them."""

from collections.abc import Sequence

from bot.campaigns.directory import known
from bot.recording.posts import post_public
from bot.recording.transaction import Recording
from bot.records.effects import Rename
from rules_engine.core.basics.base import SideLabel

RENAMED = "-# Roles and channels take these names. What was said before keeps the names that it was said with."


async def name_sides(recording: Recording) -> None:
    """Keep the sides' present names with the campaign, if they changed; tell everybody, and rename roles and channels.

    They are compared with what is kept, not with what the caller has read of the campaign, which may be older.
    """
    if not recording.adjudicator.names_sides:
        return
    labels = recording.adjudicator.labels
    kept = known(await recording.tx.campaigns.find(recording.campaign.id)).sides
    if labels == kept:
        return
    await recording.tx.campaigns.set_sides(recording.campaign.id, labels)
    await post_public(recording, "\n".join([*_told(kept, labels), RENAMED]))
    renamed = [after.key for before, after in zip(kept, labels, strict=True) if before.name != after.name]
    await recording.put(*[Rename(side=side) for side in renamed])


def _told(before: Sequence[SideLabel], after: Sequence[SideLabel]) -> list[str]:
    """Who is called what from now on, a line for each side that changed."""
    return [
        f"🏷️ {one.name} is now **{other.name}** ({other.emblem} on maps)."
        for one, other in zip(before, after, strict=True)
        if one != other
    ]
