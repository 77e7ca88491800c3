"""From reports to posts: what one transition told each audience, in one message for each point of campaign time."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from bot.records.effects import FileSpec, Post
from rules_engine.core.knowledge.reports import Report

MOST = 1_900
"""Characters a message; Discord allows 2,000."""


def lines_of(report: Report) -> str:
    """One report: what happened, and why in small print."""
    why = f"\n-# {report.why.text()}" if report.why else ""
    return f"{report.text}{why}"


def pages(reports: Iterable[Report]) -> Iterator[str]:
    """The reports as message texts, in order, with a heading whenever campaign time moves on."""
    page = ""
    label = None
    for report in reports:
        text = lines_of(report)
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


def posts_to(place: str, reports: Sequence[Report], files: Sequence[FileSpec] = (), *, heading: str = "") -> list[Post]:
    """The posts that bring ``reports`` to one place, and then ``files`` (a map, say) under ``heading``.

    What was told at one point of campaign time never shares a post with what was told at another, nor with a file:
    play may have rested in between because somebody else was asked something, and posts must not show whether it did.
    """
    moments = groupby(reports, key=lambda report: report.when.label)
    texts = [text for _, told in moments for text in pages(told)]
    posts = [Post(place=place, content=text) for text in texts]
    return [*posts, Post(place=place, content=heading, files=tuple(files))] if files else posts
