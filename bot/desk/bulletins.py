"""From reports to posts: what one step of play told each audience, in as few messages as will hold it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rules_engine.core.reports import Report

MOST = 1_900
"""Characters a message; Discord allows 2,000."""

Payload = dict[str, Any]


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


def posts_to(
    place: str, reports: Sequence[Report], files: Sequence[Payload] = (), *, heading: str = ""
) -> list[Payload]:
    """The posts that bring ``reports`` and ``files`` (a map, say) to one place; the files ride on the last one.

    Files without any report come under ``heading``.
    """
    texts = list(pages(reports))
    if files and not texts:
        texts = [heading]
    return [
        {"place": place, "content": text, "files": list(files) if number == len(texts) else []}
        for number, text in enumerate(texts, start=1)
    ]
