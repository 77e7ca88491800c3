"""The list of a side's open sheets, the soonest to close first, with a menu that opens one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.records.components import Card, MenuSpec, OptionSpec

MOST_SHEETS = 25
"""Entries of a menu, as Discord has it."""


@dataclass(frozen=True, slots=True)
class ListedSheet:
    """An open sheet in a list: how far its side is with it, and when it closes (None: the clock stands still)."""

    token: str
    title: str
    done: str
    closes: datetime | None

    @property
    def line(self) -> str:
        """It as a line of text."""
        closes = f", closes <t:{int(self.closes.timestamp())}:R>" if self.closes is not None else ""
        return f"• **{self.title}**: {self.done}{closes}"


def campaign_component(campaign_id: str, verb: str, argument: object = "") -> str:
    """The id of a campaign's component."""
    return f"c|{campaign_id}|{verb}|{argument}"


def sheets_card(campaign_id: str, campaign: str, sheets: Sequence[ListedSheet]) -> Card:
    """The list, of at least one sheet."""
    in_order = sorted(sheets, key=lambda sheet: (sheet.closes is None, sheet.closes))
    listed = in_order[:MOST_SHEETS]
    lines = [f"**{campaign}**: {len(sheets)} sheets are open.", *(sheet.line for sheet in listed)]
    if len(in_order) > MOST_SHEETS:
        lines.append(f"• … {len(in_order) - MOST_SHEETS} more, which `/orders show` lists when these are done")
    options: list[OptionSpec] = [
        {"value": sheet.token, "label": sheet.title[:100], "description": sheet.done, "default": False}
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
    return Card("\n".join(lines)[:1_900], ((menu,),))
