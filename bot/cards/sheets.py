"""The list of a side's open sheets, the soonest to close first, strand by strand, with a menu that opens one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from bot.cards.cards import MOST_CONTENT
from bot.cards.menus import MOST_LABEL, cut
from bot.cards.sentences import leading
from bot.cards.strands import strand_heading
from bot.records.components import Card, MenuSpec, OptionSpec

MOST_SHEETS = 25
"""Entries of a menu, as Discord has it."""


@dataclass(frozen=True, slots=True)
class ListedSheet:
    """An open sheet in a list: how far its side is with it, and when it closes (None: the clock stands still).
    ``strand`` is the name of the strand that it closes with, where its side is asked in several at once."""

    token: str
    title: str
    done: str
    closes: datetime | None
    strand: str = ""


def campaign_component(campaign_id: str, verb: str, argument: object = "") -> str:
    """The id of a campaign's component."""
    return f"c|{campaign_id}|{verb}|{argument}"


def sheet_lines(sheets: Iterable[ListedSheet]) -> list[str]:
    """Sheets as lines of text, the soonest to close first; those of one strand below its name and its clock."""
    lines: list[str] = []
    for strand, together in groupby(_in_order(sheets), lambda sheet: (sheet.strand, sheet.closes)):
        lines += [strand_heading(*strand)] if strand[0] else []
        lines += [_line(sheet) for sheet in together]
    return lines


def _in_order(sheets: Iterable[ListedSheet]) -> list[ListedSheet]:
    return sorted(sheets, key=lambda sheet: (sheet.closes is None, sheet.closes, sheet.strand))


def _line(sheet: ListedSheet) -> str:
    closes = "" if sheet.strand or sheet.closes is None else f", closes <t:{int(sheet.closes.timestamp())}:R>"
    return f"• {leading(f'**{sheet.title}**', sheet.done)}{closes}"


def sheets_card(campaign_id: str, campaign: str, sheets: Sequence[ListedSheet]) -> Card:
    """The list, of at least one sheet."""
    listed = _in_order(sheets)[:MOST_SHEETS]
    lines = [f"**{campaign}**: {len(sheets)} sheets are open.", *sheet_lines(listed)]
    if len(sheets) > MOST_SHEETS:
        lines.append(f"• … {len(sheets) - MOST_SHEETS} more, which `/orders show` lists when these are done")
    options: list[OptionSpec] = [
        {"value": sheet.token, "label": sheet.title[:100], "description": _described(sheet), "default": False}
        for sheet in listed
    ]
    menu: MenuSpec = {
        "type": "select",
        "id": campaign_component(campaign_id, "open"),
        "placeholder": "Open …",
        "options": options,
        "min": 1,
        "max": 1,
    }
    return Card(_whole_lines("\n".join(lines)), ((menu,),))


def _described(sheet: ListedSheet) -> str:
    """What the menu says of a sheet besides its title."""
    return cut(f"{sheet.strand}: {sheet.done}", MOST_LABEL) if sheet.strand else sheet.done


def _whole_lines(text: str) -> str:
    """As many lines of a text as find room; the menu has the others, too."""
    return text if len(text) <= MOST_CONTENT else text[: MOST_CONTENT + 1].rpartition("\n")[0]
