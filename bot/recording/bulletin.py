"""A side's bulletin: what it was told since the one before, at a glance, with its map; the rest is behind buttons.

A side is told when it is asked something or its map is due, and then all at once. Play may rest in between because
somebody else is asked, and posts must not show whether it did.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from bot.cards.bulletins import BulletinFrame, bulletin_layout, split_change
from bot.cards.cards import next_button
from bot.cards.frames import accent_of
from bot.cards.told import PINS, bulletin_ids, bulletin_rows, one_line
from bot.records.bulletins import ALL, Bulletin, Fact
from bot.records.components import Card
from bot.records.effects import Post
from bot.records.files import CardMapFile, SideMapFile
from bot.records.places import PUBLIC_PLACE, side_place
from rules_engine.core.knowledge.glance import MOST_NEWS, News
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.told_of import is_about, reports_of
from rules_engine.core.knowledge.views import Board, PublicView, SideView

MOST_LINE = 110
"""Characters of a report beside the facts: three lines on a phone."""

TOLD_AT_ONCE = "referee"
"""The kind of reports of corrections."""

PASSING = "new"
"""A word about a fact that goes by itself when the turn is over: that it is gone is no news."""


def pins(news: Sequence[News]) -> str:
    """A line for each numbered place, in the order of the pins; empty where there are none."""
    return "\n".join(_pinned(place, fact) for place, fact in enumerate(facts_of(news)))


def facts_of(news: Sequence[News]) -> tuple[Fact, ...]:
    """The numbered places, as a bulletin keeps them."""
    return tuple(Fact(one.hexes, one.fact, one.aside) for one in news)


class HowItStands(NamedTuple):
    """How somebody stands, in a few words: the ``score``, and the ``rest``, such as what wins and own figures."""

    score: str
    rest: str


@dataclass(frozen=True, slots=True)
class Told:
    """What a side was told by the entries after ``since`` up to ``until``, and the last bulletin ``before`` (None:
    there was none)."""

    since: int
    until: int
    reports: tuple[Report, ...] = ()
    before: Bulletin | None = None


@dataclass(frozen=True)
class Telling:
    """What a bulletin is made of: the point of campaign time (``label``), what the side's board shows, what it was
    ``told``, and whether its map comes along (``with_map``). Without it no places are numbered."""

    label: str
    board: Board
    told: Told
    with_map: bool = True

    @property
    def known(self) -> tuple[Fact, ...]:
        """The places that it has read of."""
        return self.told.before.facts if self.told.before is not None else ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The numbered places; without a map those that it has read of."""
        return facts_of(self.board.news) if self.with_map else self.known

    @cached_property
    def fresh(self) -> list[int]:
        """Those of which the bulletin before did not tell the same."""
        facts = enumerate(self.facts)
        return [place for place, fact in facts if not any(_tells_as_much(one, fact) for one in self.known)]

    @cached_property
    def own(self) -> list[Report]:
        """The reports that stand neither in the public channel nor in a post of their own."""
        return [one for one in self.told.reports if not one.is_public() and one.kind != TOLD_AT_ONCE]

    @property
    def stood(self) -> HowItStands:
        """How the side stood by its last bulletin."""
        score, _, rest = (self.told.before.score if self.told.before is not None else "").partition("\n")
        return HowItStands(score, rest)

    @property
    def title(self) -> str:
        """What is above all: the first place of which something new is told; "" for none."""
        return self.board.news[self.fresh[0]].title if self.fresh else ""

    @property
    def has_changed(self) -> bool:
        """Whether the side's score is another one than in its last bulletin."""
        return bool(self.stood.score) and self.stood.score != standing(self.board).score

    @property
    def is_news(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.fresh or self.lines or self.own or self.has_changed)

    @property
    def left(self) -> int:
        """How many of its own reports neither a new fact nor a line tells."""
        about = [hex_id for place in self.fresh for hex_id in self.facts[place].hexes]
        said = {*self.lines, *(self.told.before.said if self.told.before is not None else ())}
        return sum(not is_about(about, one) and one_line(one.text, MOST_LINE) not in said for one in self.own)

    def stands(self, heavy: str = "") -> str:
        """How the side stands, its score with its change between ``heavy`` marks; nothing that goes without saying."""
        now, stood = standing(self.board), self.stood
        is_told = self.has_changed or not stood.score or self.board.header.track is not None
        score, change = split_change(now.score, stood.score if self.has_changed else "")
        rest = now.rest if now.rest != stood.rest or (heavy and is_told) else ""
        told = f"{heavy}{score}{heavy}{change}" if is_told and score else ""
        return ", ".join(filter(None, [told, rest]))

    @cached_property
    def lines(self) -> list[str]:
        """What finds room beside the facts of the rest, in the order in which it was told: nothing that these say, nor
        the bulletin before. What shows something of others comes first, then what dice decided, then what is newest."""
        said = self.told.before.said if self.told.before is not None else ()
        about = [hex_id for place in self.fresh for hex_id in self.facts[place].hexes]
        rest: dict[str, tuple[bool, bool]] = {}
        for report in self.own:
            line = one_line(report.text, MOST_LINE)
            if line not in said and not is_about(about, report):
                weight = bool(report.facts), bool(report.why is not None and report.why.dice)
                rest[line] = max(weight, rest.get(line, weight))
        newest = sorted(enumerate(rest), key=lambda one: (rest[one[1]], one[0]), reverse=True)
        return [line for _, line in sorted(newest[: MOST_NEWS - len(self.fresh)])]


def _tells_as_much(before: Fact, now: Fact) -> bool:
    return before.text == now.text and (before.aside == now.aside or (before.aside, now.aside) == (PASSING, ""))


def bulletin(
    campaign_id: str,
    side: str,
    seq: int,
    telling: Telling,
    *,
    leads_on: bool = True,
) -> tuple[Bulletin, Post]:
    """The bulletin to a side at the entry ``seq``, and its post: a frame with its map, or one line with its map where
    nothing happened. ``leads_on`` if the side may have something to do now."""
    facts, lines, reports = telling.facts, telling.lines, telling.told.reports
    made = Bulletin(
        token=secrets.token_urlsafe(9),
        campaign_id=campaign_id,
        side=side,
        since=telling.told.since,
        until=telling.told.until,
        seq=seq,
        facts=facts,
        said=tuple(lines),
        score="\n".join(standing(telling.board)),
    )
    explained = [place for place in telling.fresh if reports_of(facts[place].hexes, facts[place].text, reports)]
    told = len(reports) if telling.own or explained else 0
    text = bulletin_text(telling)
    place = side_place(side)
    view = SideView(side=side, board=as_posted(telling.board))
    if not telling.is_news:
        files = (SideMapFile(view=view),) if telling.with_map else ()
        return made, Post(place=place, content=text, files=files)
    frame = BulletinFrame(
        label=telling.label,
        title=telling.title,
        stands=telling.stands(heavy="**"),
        facts=facts,
        fresh=tuple(telling.fresh),
        explained=frozenset(explained),
        lines=tuple(lines),
        left=telling.left,
        told=told,
        has_map=telling.with_map,
        leads_on=leads_on,
    )
    seat = [one.key for one in telling.board.sides].index(side)
    layout = bulletin_layout(frame, bulletin_ids(made.token), next_button(), accent_of(seat))
    pins_at = tuple(fact.hexes[0] for fact in facts)
    maps = (CardMapFile(side=side, pins=pins_at, view=view),) if telling.with_map else ()
    card = Card(text, bulletin_rows(made.token, explained, told), layout, maps)
    return made, Post(place=place, content=text, card=card)


def public_bulletin(
    campaign_id: str, seq: int, board: Board, reports: Sequence[Report], *, text: str, last: str
) -> tuple[Bulletin, Post]:
    """The public map with its numbered places at the entry ``seq``, which told these public ``reports``, and its post:
    ``text``, which becomes a frame that ends with ``last``."""
    facts = facts_of(board.news)
    numbers = [one.number for one in reports]
    first, end = (min(numbers), max(numbers)) if numbers else (ALL, 0)
    made = Bulletin(secrets.token_urlsafe(9), campaign_id, "", seq - 1, seq, seq, first, end, facts)
    explained = [place for place, fact in enumerate(facts) if reports_of(fact.hexes, fact.text, reports)]
    stands = standing(board)
    frame = BulletinFrame(
        label=board.heading,
        title=board.news[0].title,
        stands=", ".join(filter(None, [stands.score, stands.rest])),
        facts=facts,
        fresh=tuple(range(len(facts))),
        explained=frozenset(explained),
        has_map=True,
        notes=(last.removeprefix("-# "),) if last else (),
    )
    layout = bulletin_layout(frame, bulletin_ids(made.token), next_button(), accent_of(None))
    pins_at = tuple(fact.hexes[0] for fact in facts)
    maps = (CardMapFile(side="", pins=pins_at, view=PublicView(public=as_posted(board))),)
    card = Card(text, bulletin_rows(made.token, explained, 0), layout, maps)
    return made, Post(place=PUBLIC_PLACE, content=text, card=card)


def as_posted(board: Board) -> Board:
    """A board as it is posted: ranges, which are drawn for those who ask, need not lie in the outbox."""
    return board.model_copy(update={"ranges": ()})


def bulletin_text(telling: Telling) -> str:
    """A headline, the facts that matter and how the side stands; one line if nothing happened."""
    facts, fresh, lines = telling.facts, telling.fresh, telling.lines
    if not telling.is_news:
        return " · ".join(filter(None, [f"**{telling.label}**", "nothing new", standing(telling.board).score]))
    text = [" · ".join(filter(None, [f"**{telling.label}**", telling.stands()]))]
    if fresh:
        text = [f"## {_pinned(fresh[0], facts[fresh[0]], heavy='')}", *text]
    text += [_pinned(place, facts[place]) for place in fresh[1:]]
    text += [f"• {line}" for line in lines]
    return "\n".join(text)


def _pinned(place: int, fact: Fact, heavy: str = "**") -> str:
    return f"{PINS[place]} {heavy}{fact.text}{heavy}{f' · {fact.aside}' if fact.aside else ''}"


def standing(board: Board) -> HowItStands:
    """How a board's reader stands: by its score or the track, else by what is counted of each."""
    header = board.header
    rest = [said for one in header.figures if (said := f"{one.value} {one.said}") != header.score]
    if header.score:
        return HowItStands(header.score, ", ".join(rest))
    if header.track is not None:
        track = header.track
        return HowItStands(f"{track.label} {track.number or track.value}", ", ".join(filter(None, [track.said, *rest])))
    counts = ", ".join(f"{board.name_of(one.owner)} {one.count}" for one in header.tallies)
    return HowItStands(f"{header.tallied} {counts}".strip() if counts else "", ", ".join(rest))
