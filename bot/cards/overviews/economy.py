"""A side's economy as a card: figures, what it stands to lose, and its places, as many to a page as a phone shows.

Made of one side's own economy and of nothing else. Components are ``c|<campaign>|economy|page.<number>`` and
``…|file.0``; the budget's buttons are those of its sheet (``p|<token>|budget|``).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.cards.frame_sizes import height
from bot.cards.frames import FramePart, accent_of, fixed, framed, heading, rows, rule, small, text
from bot.cards.menus import cut
from bot.cards.prompts.state import component_id
from bot.cards.sheets import campaign_component
from bot.cards.told import button
from bot.records.components import Card, Component, Layout
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.economy.holdings import Economy, EconomyPlace, QueuedWork

TALLEST = 650
"""Pixels of a page on a phone that is 412 wide, its buttons left out."""
MOST_LINE = 160
"""Letters of a line on a page; the file has all of them."""
MOST_LETTERS = 2_600
"""Letters of a page."""
MOST_LOSSES = 6
"""Losses that are told one by one on the first page."""
MOST_SAID = 1_900
"""Letters of the message that is posted before it becomes a frame."""
NOTHING = "Your side owns nothing that would be counted here."


@dataclass(frozen=True)
class EconomyCardData:
    """What a card of an economy is made from: whose it is, with the place among the seats (None: unknown), and the
    token of the open sheet that holds its budget, if there is one."""

    campaign_id: str
    campaign: str
    economy: Economy
    place: int | None = None
    budget: str = ""


def economy_card(data: EconomyCardData, page: int = 0) -> Card:
    """A page of it."""
    pages = economy_pages(data.economy)
    page = max(0, min(page, len(pages) - 1))

    def turn(label: str, to: int) -> Component:
        made_id = campaign_component(data.campaign_id, "economy", f"page.{to}")
        return button(made_id, label, is_disabled=not 0 <= to < len(pages))

    buttons: list[Component] = [turn("Back", page - 1), turn("On", page + 1)] if len(pages) > 1 else []
    if data.budget:
        buttons.append(button(component_id(data.budget, "budget"), "Write the budget", style="primary"))
        buttons.append(button(component_id(data.budget, "card"), "Open the sheet"))
    buttons.append(button(campaign_component(data.campaign_id, "economy", "file.0"), "As a file"))
    foot = f"{data.campaign}, page {page + 1} of {len(pages)}" if len(pages) > 1 else data.campaign
    parts = [
        fixed(heading("Your economy")),
        *_parted(pages[page]),
        fixed(*rows(*buttons)),
        fixed(small([cut(foot, MOST_LINE)])),
    ]
    layout = framed(parts, accent_of(data.place) if data.place is not None else None)
    said = "\n".join([f"**{data.campaign}: your economy**", *(line for block in pages[page] for line in block)])
    return Card(cut(said, MOST_SAID), (tuple(buttons),), layout)


def _parted(blocks: Sequence[Sequence[str]]) -> list[FramePart]:
    parts: list[FramePart] = []
    for block in blocks:
        parts += [fixed(rule())] if parts else []
        parts.append(fixed(text("\n".join(block))))
    return parts


def economy_pages(economy: Economy) -> list[list[list[str]]]:
    """Its pages, each of blocks of lines: the whole first, then place after place. A place that is longer than a page
    goes on, under its name, on the next."""
    first = [f"{one.name}: **{one.value}**" for one in economy.figures]
    losses = [f"⚠️ {cut(one, MOST_LINE)}" for one in economy.losses[:MOST_LOSSES]]
    left = len(economy.losses) - len(losses)
    losses += [f"⚠️ {counted(left, 'more warning')}; the file has all of them."] if left > 0 else []
    blocks = [block for block in (first, losses, *map(_place_lines, economy.places)) if block]
    pages: list[list[list[str]]] = []
    page: list[list[str]] = []
    for block in blocks or [[NOTHING]]:
        part = [block[0]]
        for line in block[1:]:
            if part[1:] and not _fits([*page, [*part, line]]):
                if _fits([*page, part]) or not page:
                    pages.append([*page, part])
                    page = []
                    part = [f"{block[0]} (goes on)", line]
                    continue
                pages.append(page)
                page = []
            part.append(line)
        if page and not _fits([*page, part]):
            pages.append(page)
            page = []
        page.append(part)
    return [*pages, page]


def _fits(blocks: Sequence[Sequence[str]]) -> bool:
    layout = Layout(tuple(text("\n".join(block)) for block in blocks))
    letters = sum(len(line) + 1 for block in blocks for line in block)
    return height(layout) <= TALLEST and letters <= MOST_LETTERS


def _place_lines(place: EconomyPlace) -> list[str]:
    head = f"**{place.hex}** {place.name}".strip()
    figures = [" · ".join(f"{one.name} {one.value}" for one in place.figures)] if place.figures else []
    return [cut(head, MOST_LINE), *(cut(line, MOST_LINE) for line in figures), *map(_work_line, place.queue)]


def _work_line(work: QueuedWork) -> str:
    return cut(f"• {_work_words(work)}", MOST_LINE)


def _work_words(work: QueuedWork) -> str:
    named = f"{work.key} " if work.key else ""
    ready = [] if work.ready is None else [f"turn {work.ready} at the earliest"]
    said = ", ".join(filter(None, [work.done, *ready]))
    return f"{named}{work.what}" + (f": {said}" if said else "")


def economy_text(data: EconomyCardData) -> str:
    """All of it in words, for a file."""
    economy = data.economy
    lines = [f"{data.campaign}: your economy", *(f"{one.name}: {one.value}" for one in economy.figures)]
    if economy.losses:
        lines += ["", "What will be lost", *(f"- {one}" for one in economy.losses)]
    for place in economy.places:
        lines += ["", f"{place.hex} {place.name}".strip()]
        lines += [f"  {one.name}: {one.value}" for one in place.figures]
        lines += [f"  - {_work_words(work)}" for work in place.queue]
    return "\n".join(lines if not economy.is_empty() else [*lines, NOTHING]) + "\n"
