"""A side's bulletin: what it was told since the one before, at a glance, with its map; the rest is behind buttons.

A side is told when it is asked something or its map is due, and then all at once. Play may rest in between because
somebody else is asked, and posts must not show whether it did.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.cards.told import PINS, bulletin_rows, one_line
from bot.records.bulletins import Bulletin, Fact
from bot.records.components import Card
from bot.records.effects import Post
from bot.records.files import FileSpec
from bot.records.places import side_place
from rules_engine.core.knowledge.glance import MOST_NEWS, News
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.told_of import is_about, reports_of
from rules_engine.core.knowledge.views import Board

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


@dataclass(frozen=True, slots=True)
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

    @property
    def fresh(self) -> list[int]:
        """Those of which the bulletin before did not tell the same."""
        facts = enumerate(self.facts)
        return [place for place, fact in facts if not any(_tells_as_much(one, fact) for one in self.known)]

    @property
    def own(self) -> list[Report]:
        """The reports that stand neither in the public channel nor in a post of their own."""
        return [one for one in self.told.reports if not one.is_public() and one.kind != TOLD_AT_ONCE]

    @property
    def stood(self) -> HowItStands:
        """How the side stood by its last bulletin."""
        score, _, rest = (self.told.before.score if self.told.before is not None else "").partition("\n")
        return HowItStands(score, rest)

    def lines(self) -> list[str]:
        """What finds room beside the facts of the rest, in the order in which it was told: nothing that these say, nor
        the bulletin before. What shows something of others comes first, then what is newest."""
        said = self.told.before.said if self.told.before is not None else ()
        about = [hex_id for place in self.fresh for hex_id in self.facts[place].hexes]
        rest: dict[str, bool] = {}
        for report in self.own:
            line = one_line(report.text, MOST_LINE)
            if line not in said and not is_about(about, report):
                rest[line] = bool(report.facts) or rest.get(line, False)
        newest = sorted(enumerate(rest), key=lambda one: (rest[one[1]], one[0]), reverse=True)
        return [line for _, line in sorted(newest[: MOST_NEWS - len(self.fresh)])]


def _tells_as_much(before: Fact, now: Fact) -> bool:
    return before.text == now.text and (before.aside == now.aside or (before.aside, now.aside) == (PASSING, ""))


def bulletin(
    campaign_id: str, side: str, seq: int, telling: Telling, files: Sequence[FileSpec] = ()
) -> tuple[Bulletin, Post]:
    """The bulletin to a side at the entry ``seq``, and its post."""
    facts, lines, reports = telling.facts, telling.lines(), telling.told.reports
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
    rows = bulletin_rows(made.token, explained, len(reports) if telling.own or explained else 0)
    text = bulletin_text(telling)
    card = Card(text, rows) if rows else None
    return made, Post(place=side_place(side), content=text, files=tuple(files), card=card)


def bulletin_text(telling: Telling) -> str:
    """A headline, the facts that matter and how the side stands; one line if nothing happened."""
    facts, fresh, lines = telling.facts, telling.fresh, telling.lines()
    now, stood = standing(telling.board), telling.stood
    change = f" (was {stood.score})" if stood.score and stood.score != now.score else ""
    if not (fresh or lines or telling.own or change):
        return " · ".join(filter(None, [f"**{telling.label}**", "nothing new", now.score]))
    is_told = bool(change) or not stood.score or telling.board.header.track is not None
    stands = [f"{now.score}{change}" if is_told else "", now.rest if now.rest != stood.rest else ""]
    text = [" · ".join(filter(None, [f"**{telling.label}**", ", ".join(filter(None, stands))]))]
    if fresh:
        text = [f"## {_pinned(fresh[0], facts[fresh[0]], heavy='')}", *text]
    text += [_pinned(place, facts[place]) for place in fresh[1:]]
    text += [f"• {line}" for line in lines]
    return "\n".join(text)


def _pinned(place: int, fact: Fact, heavy: str = "**") -> str:
    return f"{PINS[place]} {heavy}{fact.text}{heavy}{f' · {fact.aside}' if fact.aside else ''}"


def standing(board: Board) -> HowItStands:
    """How a board's reader stands: by points, else by what is counted of each."""
    header = board.header
    rest = [f"{one.value} {one.said}" for one in header.figures]
    if header.track is not None:
        track = header.track
        return HowItStands(f"{track.label} {track.number or track.value}", ", ".join(filter(None, [track.said, *rest])))
    counts = ", ".join(f"{board.name_of(one.owner)} {one.count}" for one in header.tallies)
    return HowItStands(f"{header.tallied} {counts}".strip() if counts else "", ", ".join(rest))
