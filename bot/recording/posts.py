"""The posts of a transition: what everybody was told, what each side was told, and the maps that go with it."""

import asyncio
from collections.abc import Mapping, Sequence

from bot.campaigns.loaded import AnyAdjudicator
from bot.recording.bulletin import Telling, Told, as_posted, bulletin, pins, public_bulletin
from bot.recording.published import head_line
from bot.recording.reports_as_posts import pages, public_posts
from bot.recording.transaction import Recording
from bot.records.bulletins import Bulletin
from bot.records.effects import Post
from bot.records.files import FilmFile, PublicMapFile, WholeMapFile
from bot.records.places import PUBLIC_PLACE, side_place
from rules_engine.core.basics.canonical_json import digest
from rules_engine.core.knowledge.views import OmniscientView, PublicView
from rules_engine.core.records.journal import Edited, Rewound
from rules_engine.core.running.tracked import is_of_tracked
from rules_engine.core.running.transitions import Transition


async def post_public(recording: Recording, text: str) -> None:
    """Queue one post in the campaign's public channel."""
    await recording.put(Post(place=PUBLIC_PLACE, content=text))


async def post_end(recording: Recording, text: str) -> None:
    """Tell of the campaign's end with a map of everything, which is nobody's secret any more: in public, in each side's
    channel, and to each commander directly."""
    view = await asyncio.to_thread(recording.adjudicator.omniscient_view)
    maps = (WholeMapFile(view=OmniscientView(omniscient=as_posted(view.omniscient))),)
    await recording.put(Post(place=PUBLIC_PLACE, content=text, files=maps))
    by_side = await recording.tx.members.by_side(recording.campaign.id)
    for label in recording.adjudicator.sides:
        place = side_place(label.key)
        await recording.put(Post(place=place, content=text, files=maps))
        commanders = by_side.get(label.key, [])
        reads_there = await recording.tx.readers.in_channel(commanders)
        directly = [user for user in commanders if user not in reads_there]
        await recording.put(*(Post(dm=user, content=text, files=maps, fallback=place) for user in directly))


FILM = "🎞️ **Turn by turn.** All of it once more, as everybody saw it."


async def post_film(recording: Recording, until: int) -> None:
    """Queue the film of a campaign that ended with the entry ``until``, if it is one battle flown by vectors. It takes
    seconds to make, so that nothing should stand behind it in the public channel's queue."""
    view = await asyncio.to_thread(recording.adjudicator.public_view)
    if view.public.tactical is not None:
        await recording.put(Post(place=PUBLIC_PLACE, content=FILM, files=(FilmFile(until=until),)))


async def post_reports(recording: Recording, transition: Transition) -> None:
    """Queue what the transition told: to everybody at once, to each side when it is due to be told."""
    public_map = [] if ends(transition) else await _public_map(recording, transition)
    last = "" if ends(transition) else await head_line(recording, transition)
    public = await asyncio.to_thread(_public_posts, recording, transition, public_map, last)
    tellings = await _tellings(recording, transition)
    sides = await asyncio.to_thread(_bulletins, recording, transition, tellings)
    await recording.tx.bulletins.add(*(made for made, _ in (*public, *sides) if made is not None))
    await recording.put(*(post for _, post in (*public, *sides)))


def ends(transition: Transition) -> bool:
    """Whether a campaign ends with a transition: a map of everything follows then, and the hash of the whole record."""
    return transition.ending is not None and bool(transition.closed)


Posted = tuple[Bulletin | None, Post]
"""A post, and what must be kept for its buttons to find."""


def _public_posts(
    recording: Recording, transition: Transition, public_map: Sequence[PublicMapFile], last: str
) -> list[Posted]:
    """Blocking: views of a large map take a while. ``last`` is what the public map, or else a post, ends with."""
    heading = f"**{recording.adjudicator.now.label}**"
    told = [report for report in transition.reports if report.is_public()]
    made = public_posts(recording.campaign.id, transition.entry.seq, told)
    if public_map:
        made += [_shown_to_all(recording, transition, one, heading, last) for one in public_map]
    elif last:
        made.append((None, Post(place=PUBLIC_PLACE, content=last)))
    return made


def _shown_to_all(recording: Recording, transition: Transition, file: PublicMapFile, heading: str, last: str) -> Posted:
    """The public map: in a frame where it has numbered places, whose reports of this transition are behind them."""
    board = file.view.public
    text = "\n".join(filter(None, [heading, pins(board.news), last]))
    if not board.news:
        return None, Post(place=PUBLIC_PLACE, content=text, files=(file,))
    told = [one for one in transition.reports if one.is_public()]
    return public_bulletin(recording.campaign.id, transition.entry.seq, board, told, text=text, last=last)


async def _tellings(recording: Recording, transition: Transition) -> dict[str, Told]:
    """The sides that are told something now, with all that they were told since their last bulletin."""
    body, seq = transition.entry.body, transition.entry.seq
    sides = [label.key for label in recording.adjudicator.sides]
    asked = {side for ask in transition.opened if ask.awaited and not ask.beside for side in ask.parties}
    everybody = transition.ending is not None or isinstance(body, Rewound)
    due = [side for side in sides if everybody or side in asked or side in transition.maps_for]
    found: dict[str, Told] = {}
    for side in due:
        before = await recording.tx.bulletins.last_to(recording.campaign.id, side)
        since = -1 if before is None else before.seq
        until = body.to if isinstance(body, Rewound) else seq
        earlier = await recording.tx.journal.reports_between(recording.campaign.id, since, min(until, seq - 1))
        reports = [one for one in (*earlier, *transition.reports) if one.is_for(side) and not is_of_tracked(one)]
        if side in transition.maps_for or any(not report.is_public() for report in reports):
            found[side] = Told(since, until, tuple(reports), before)
    return found


def _bulletins(recording: Recording, transition: Transition, told: Mapping[str, Told]) -> list[Posted]:
    """Blocking. What the referee does is told at once, as it stands."""
    adjudicator, seq = recording.adjudicator, transition.entry.seq
    made: list[Posted] = []
    if isinstance(transition.entry.body, Edited):
        for label in adjudicator.sides:
            own = [one for one in transition.reports if one.is_for(label.key) and not one.is_public()]
            made += [(None, Post(place=side_place(label.key), content=text)) for text in pages(own)]
    for side, one in told.items():
        board = adjudicator.view(side).board
        telling = Telling(adjudicator.now.label, board, one, with_map=side in transition.maps_for)
        if telling.is_news or not ends(transition):  # that it is over, and how they stand, all read with the end
            leads_on = transition.ending is None
            made.append(bulletin(recording.campaign.id, side, seq, telling, leads_on=leads_on))
    return made


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
