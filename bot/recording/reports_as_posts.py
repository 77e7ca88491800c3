"""From reports to posts: what one transition told everybody, in one message for each point of campaign time."""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from bot.cards.told import told_rows
from bot.records.bulletins import Bulletin
from bot.records.components import Card
from bot.records.effects import Post
from bot.records.places import PUBLIC_PLACE
from rules_engine.core.knowledge.reports import Report

MOST = 1_900
"""Characters a message; Discord allows 2,000."""


def pages(reports: Iterable[Report]) -> Iterator[str]:
    """The reports as message texts, in order, with a heading whenever campaign time moves on."""
    page = ""
    label = None
    for report in reports:
        text = report.text
        if report.when.label and report.when.label != label:
            label = report.when.label
            text = f"**{label}**\n{text}"
        for piece in _pieces(text):
            if page and len(page) + len(piece) + 1 > MOST:
                yield page
                page = ""
            page = f"{page}\n{piece}" if page else piece
    if page:
        yield page


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces that fit a message, cut at line ends where there are any."""
    while len(text) > MOST:
        cut = text.rfind("\n", 1, MOST)
        cut = cut if cut > 0 else MOST
        yield text[:cut]
        text = text[cut:].lstrip("\n")
    yield text


def public_posts(campaign_id: str, seq: int, reports: Sequence[Report]) -> list[tuple[Bulletin | None, Post]]:
    """The posts that tell everybody what the entry ``seq`` told, each with what its buttons need to be kept.

    What was told at one point of campaign time never shares a post with what was told at another: play may have rested
    in between because somebody was asked something, and posts must not show whether it did.
    """
    made: list[tuple[Bulletin | None, Post]] = []
    for _, moment in groupby(reports, key=lambda report: report.when.label):
        told = list(moment)
        texts = list(pages(told))
        made += [(None, Post(place=PUBLIC_PLACE, content=text)) for text in texts[:-1]]
        token = secrets.token_urlsafe(9)
        rows = told_rows(token, told)
        kept = Bulletin(token, campaign_id, "", seq - 1, seq, seq, told[0].number, told[-1].number) if rows else None
        card = Card(texts[-1], rows) if rows else None
        made.append((kept, Post(place=PUBLIC_PLACE, content=texts[-1], card=card)))
    return made
