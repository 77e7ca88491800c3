"""A side's own forces and what it knows of others, page by page: heads alone first, all of one where it is chosen.

Made of one view and of nothing else. A component's id is ``c|<campaign>|forces|<kind>.<page>``, or
``c|<campaign>|force|`` for the menu of what is told in full.
"""

import re
from collections.abc import Iterator, Sequence

from bot.cards.sheets import campaign_component
from bot.cards.told import button
from bot.errors import shortened
from bot.records.components import Card, Component, MenuSpec, OptionSpec
from bot.records.signs.catalogue import force_sign, pin_sign
from bot.records.signs.marks import as_seen, sign, signs_in, without_signs
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.views import Board, Counter, SideView

MOST_ROWS = 30
"""Rows of a page on a phone: with its buttons it fills the screen, and no more."""
ROW = 42
"""Characters of a row on a phone."""
MOST_OFFERED = 25
"""Entries of a menu, as Discord has it."""
MOST_HEAD = 120
"""Characters of an entry that is told in short."""
MOST_LINE = 700
"""Characters of a line that is told in full."""
MOST_SENT = 1_900
"""Characters of a page with all that its signs may become."""
MOST_LABEL = 98
"""Characters of an entry of a menu, a sign's own letter beside it."""
LONGEST_WORD = 60
"""Characters of what may be asked about."""

HEADS, WHOLE = "heads", "whole"
"""Kinds of pages: what stands at the head of each entry, or everything."""

Block = list[str]
"""An entry: its head, and what is indented below it."""


def forces_card(campaign_id: str, view: SideView, kind: str = HEADS, page: int = 0) -> Card:
    """A page. A list that fits one page is told whole, with nothing to press."""
    text = forces_text(view)
    if fits_a_page(text):
        return Card(text)
    pages = forces_pages(view, short=kind != WHOLE)
    page = max(0, min(page, len(pages) - 1))
    foot = f"\n-# page {page + 1} of {len(pages)}" if len(pages) > 1 else ""
    other, label = (HEADS, "In short") if kind == WHOLE else (WHOLE, "In full")

    def turn(name: str, to: int) -> Component:
        made_id = campaign_component(campaign_id, "forces", f"{kind}.{to}")
        return button(made_id, name, is_disabled=not 0 <= to < len(pages))

    turns = [turn("Back", page - 1), turn("On", page + 1)] if len(pages) > 1 else []
    more = button(campaign_component(campaign_id, "forces", f"{other}.0"), label)
    file = button(campaign_component(campaign_id, "forces", "file.0"), "As a file")
    rows: list[tuple[Component, ...]] = [(*turns, more, file)]
    if kind == HEADS and (offered := _offered(view, pages[page])):
        rows.insert(0, (_menu(campaign_id, offered),))
    return Card(f"{pages[page]}{foot}", tuple(rows))


def forces_text(view: SideView, about: str = "") -> str:
    """All of it, or what has ``about`` in it."""
    wanted = about.strip()
    lines = _lines(view, wanted)
    return "\n".join([_heading(view), *lines]) if lines or not wanted else _nothing(wanted)


def forces_pages(view: SideView, about: str = "", *, short: bool = False) -> list[str]:
    """The same in pages, each with the heading of what it begins in the middle of; ``short``: heads alone."""
    pages: list[str] = []
    page, title = "", ""
    is_begun = True
    for line in _lines(view, about.strip(), short=short):
        if line.startswith("__"):
            title, is_begun = line, False
            continue
        row = _cut(line, MOST_HEAD if short else MOST_LINE)
        piece = row if is_begun else f"{title}\n{row}"
        if page and not fits_a_page(f"{page}\n{piece}"):
            pages.append(page)
            page = ""
        page = f"{page}\n{piece}" if page else f"{_heading(view)}\n{title}\n{row}"
        is_begun = True
    return [*pages, page] if page else [forces_text(view, about)]


def fits_a_page(text: str) -> bool:
    """Whether a text is one page to its reader, to whom a sign is two letters, and Discord takes it."""
    rows = sum(max(1, -(-len(as_seen(line)) // ROW)) for line in text.split("\n"))
    return rows <= MOST_ROWS and len(text) <= MOST_SENT


def _cut(line: str, most: int) -> str:
    """A line in so many characters as it is read. Its signs stand first, and are kept."""
    return shortened(line, most + len(line) - len(as_seen(line)))


def _heading(view: SideView) -> str:
    return f"**{view.board.heading}**"


def _nothing(about: str) -> str:
    return f"Nothing of yours, or known to you, has “{about[:40]}” in it."


def _lines(view: SideView, about: str = "", *, short: bool = False) -> list[str]:
    lines: list[str] = []
    for title, blocks in _sections(view, short=short):
        wanted = "" if _is_title(about, title) else about
        told = [kept for block in blocks if (kept := _kept(block, wanted, short=short))]
        lines += [f"__{title}__", *(f"• {row}" for block in told for row in block)] if told else []
    return lines


def _is_title(about: str, title: str) -> bool:
    return about.casefold() == title.casefold()


def _sections(view: SideView, *, short: bool = False) -> Iterator[tuple[str, list[Block]]]:
    board = view.board
    outsiders = {one.key for one in board.outsiders}
    own: list[Block] = []
    contacts: list[Block] = []
    for one in board.counters:
        pins = [pin_sign(place) for place, news in enumerate(board.news) if one.hex in news.hexes]
        if one.owner == view.side and one.level is None:
            own.append([_with_signs(pins, _counter_line(board, one, short=short))])
        else:
            owner = board.name_of(one.owner) if one.owner in outsiders else ""
            form = force_sign(board, view.side, one.owner, one.grade)
            contacts.append([_with_signs([*pins, form], _counter_line(board, one, owner, short=short))])
    yield "Own counters", own
    yield "Contacts", contacts
    for panel in board.panels:
        yield panel.title, _blocks(panel.rows)


def _with_signs(names: Sequence[str], line: str) -> str:
    """A line with the pin of its place, and the form of a force that is somebody else's, as on the map."""
    return " ".join([*filter(None, map(sign, names)), line])


def _blocks(rows: Sequence[str]) -> list[Block]:
    """Rows with those that are indented below them."""
    blocks: list[Block] = []
    for row in rows:
        if row.startswith(" ") and blocks:
            blocks[-1].append(row)
        else:
            blocks.append([row])
    return blocks


def _kept(block: Block, about: str, *, short: bool) -> Block:
    """What of a block is told: its head alone, or what speaks of something, below its head."""
    if short:
        return block[:1]
    if not about:
        return block
    wanted = re.compile(rf"(?<!\w){re.escape(about)}(?!\w)", re.IGNORECASE)
    if wanted.search(block[0]):
        return block
    below = [row for row in block[1:] if wanted.search(row)]
    return [block[0], *below] if below else []


def _counter_line(board: Board, counter: Counter, owner: str = "", *, short: bool = False) -> str:
    details = () if short else counter.details
    where = f"hex {counter.hex}" if board.places.is_numbered else board.places.called(counter.hex)
    words = [f"**{counter.label}** {counter.sub}".strip(), owner, where, counter.level_name, *details]
    age = f" ({counted(counter.age, 'turn')} ago)" if counter.age and not counter.live else ""
    return f"{', '.join(word for word in words if word)}{age}"


def _offered(view: SideView, page: str) -> list[tuple[str, str, str]]:
    """What can be told alone: the headings, and of a page each of which there is more to tell.

    Of each the word to ask about, its head, and the sign beside it.
    """
    lines = set(page.split("\n"))
    offered: dict[str, tuple[str, str]] = {title: (title, "") for title, whole in _sections(view) if whole}
    for (_, heads), (_, whole) in zip(_sections(view, short=True), _sections(view), strict=True):
        for head, block in zip(heads, whole, strict=True):
            plain = without_signs(head[0]).replace("**", "")
            word = _WORD.match(plain)
            line = f"• {head[0]}"
            is_cut = block != head[:1] or _cut(line, MOST_HEAD) != line
            if _cut(line, MOST_HEAD) in lines and is_cut and word:
                offered.setdefault(word[0][:LONGEST_WORD], (plain, ["", *signs_in(head[0])][-1]))
    return [(word, *of) for word, of in offered.items()][:MOST_OFFERED]


_WORD = re.compile(r"\w+")


def _menu(campaign_id: str, offered: Sequence[tuple[str, str, str]]) -> MenuSpec:
    options: list[OptionSpec] = [
        {"value": word, "label": shortened(head, MOST_LABEL), "description": "", "default": False, "sign": named}
        for word, head, named in offered
    ]
    return {
        "type": "select",
        "id": campaign_component(campaign_id, "force"),
        "placeholder": "All of one …",
        "options": options,
        "min": 1,
        "max": 1,
    }
