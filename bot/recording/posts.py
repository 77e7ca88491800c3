"""The posts of a transition: what everybody was told, what each side was told, and the maps that go with it."""

import asyncio
from collections.abc import Sequence

from bot.campaigns.loaded import AnyAdjudicator
from bot.recording.bulletin import pins
from bot.recording.published import head_line
from bot.recording.reports_as_posts import posts_to
from bot.recording.transaction import Recording
from bot.records.effects import Post, PublicMapFile, SideMapFile
from bot.records.places import PUBLIC_PLACE, side_place
from rules_engine.core.basics.canonical_json import digest
from rules_engine.core.knowledge.views import PublicView, SideView
from rules_engine.core.running.transitions import Transition


async def post_public(recording: Recording, text: str) -> None:
    """Queue one post in the campaign's public channel."""
    await recording.put(Post(place=PUBLIC_PLACE, content=text))


async def post_reports(recording: Recording, transition: Transition) -> None:
    """Queue what the transition told, to each audience in its own place."""
    public_map = await _public_map(recording, transition)
    last = await head_line(recording, transition)
    await recording.put(*await asyncio.to_thread(_posts, recording.adjudicator, transition, public_map, last))


def _posts(
    adjudicator: AnyAdjudicator, transition: Transition, public_map: Sequence[PublicMapFile], last: str
) -> list[Post]:
    """Blocking: views of a large map take a while. ``last`` is what the public map, or else a post, ends with."""
    heading = f"**{adjudicator.now.label}**"
    public = [report for report in transition.reports if report.is_public()]
    shown = [pins(one.view.public.news) for one in public_map]
    made = posts_to(PUBLIC_PLACE, public, public_map, heading="\n".join(filter(None, [heading, *shown, last])))
    if last and not public_map:
        made.append(Post(place=PUBLIC_PLACE, content=last))
    for label in adjudicator.sides:
        own = [report for report in transition.reports if report.is_for(label.key) and not report.is_public()]
        maps = [posted_map(adjudicator.view(label.key))] if label.key in transition.maps_for else []
        shown = [pins(one.view.board.news) for one in maps]
        made += posts_to(side_place(label.key), own, maps, heading="\n".join(filter(None, [heading, *shown])))
    return made


def posted_map(view: SideView) -> SideMapFile:
    """A side's map as it is posted: ranges, which are drawn for those who ask, need not lie in the outbox."""
    return SideMapFile(view=view.model_copy(update={"board": view.board.model_copy(update={"ranges": ()})}))


async def _public_map(recording: Recording, transition: Transition) -> list[PublicMapFile]:
    """The public map, if it is due and shows anything that the one posted last did not."""
    if not transition.public_map:
        return []
    view, shown = await asyncio.to_thread(_public_view, recording.adjudicator)
    is_new = await recording.tx.installation.is_public_map_new(recording.campaign.id, shown)
    return [PublicMapFile(view=view)] if is_new else []


def _public_view(adjudicator: AnyAdjudicator) -> tuple[PublicView, str]:
    """The public view, and a digest of what its map shows."""
    view = adjudicator.public_view()
    board = view.public
    news = [board.news] if board.news else []
    return view, digest([board.hexes, board.counters, board.courses, *news])
