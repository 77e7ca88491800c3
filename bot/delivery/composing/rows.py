"""Buttons and menus: from plain data to discord.py's, within Discord's limits.

Components are plain: a press is answered by what listens to interactions and knows their custom ids, so a view
needs no state, no timeout, and survives a restart.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import discord

from bot.records.components import Card, Component, Rows
from rules_engine.core.protocol.asks import Remembered

_STYLES = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


MOST_VIEWS = 128
"""Components remembered; a view takes some 30 kB at most."""


class Unfit(ValueError):
    """Components that Discord would refuse. The message lists every defect, each with its place in the card."""


def view_of(card: Card | None) -> discord.ui.View | None:
    """The components of a card; None if it has none. Cards with the same rows share them, so nobody may change them.

    Raises :class:`Unfit`.
    """
    return _known_rows(card.rows) if card is not None and any(card.rows) else None


class _Shared(discord.ui.View):
    """Components that nobody changes: what is sent for them is made once."""

    _sent: list[dict[str, Any]] | None = None

    def to_components(self) -> list[dict[str, Any]]:
        """As Discord takes them."""
        if self._sent is None:
            self._sent = super().to_components()
        return self._sent


@lru_cache(maxsize=MOST_VIEWS)
def _view(written: str) -> discord.ui.View:
    """The components of rows in JSON. Most cards are shown again and again, with only their text changed."""
    rows: Rows = json.loads(written)
    defects = list(_defects(rows))
    if defects:
        raise Unfit("; ".join(defects))
    view = _Shared(timeout=None)
    for number, row in enumerate(rows):
        for spec in row:
            view.add_item(item_of(spec, number))
    view.stop()  # so that discord.py does not keep it: interactions are routed by custom id elsewhere
    return view


_known_rows: Remembered[Rows, discord.ui.View] = Remembered(lambda rows: _view(json.dumps(rows)), most=32)
"""The very same rows are known again at once."""


def item_of(spec: Component, row: int | None = None) -> discord.ui.Item[Any]:
    """A button or a menu, in that row of a view."""
    if spec["type"] == "button":
        return discord.ui.Button(
            custom_id=spec["id"],
            label=spec["label"],
            style=_STYLES[spec["style"]],
            disabled=spec["disabled"],
            row=row,
        )
    return discord.ui.Select(
        custom_id=spec["id"],
        placeholder=spec["placeholder"] or None,
        min_values=spec["min"],
        max_values=spec["max"],
        options=[
            discord.SelectOption(
                label=option["label"],
                value=option["value"],
                description=option["description"] or None,
                default=option["default"],
            )
            for option in spec["options"]
        ],
        row=row,
    )


# --- defects ------------------------------------------------------------------------------------------------------


def _defects(rows: Rows) -> Iterator[str]:
    """Every way in which the rows break Discord's limits."""
    if len(rows) > 5:
        yield f"rows: {len(rows)}, at most 5"
    yield from used_twice(spec["id"] for row in rows for spec in row)
    for y, row in enumerate(rows):
        yield from defects_of_row(f"rows[{y}]", row)


def used_twice(ids: Iterable[str]) -> Iterator[str]:
    """The custom ids that more than one component has."""
    all_ids = list(ids)
    yield from (f"{name!r}: used twice" for name in sorted({name for name in all_ids if all_ids.count(name) > 1}))


def defects_of_row(path: str, row: Sequence[Component]) -> Iterator[str]:
    """Every way in which one row breaks Discord's limits."""
    kinds = [spec["type"] for spec in row]
    if kinds not in (["select"], ["button"] * len(kinds)) or not 1 <= len(kinds) <= 5:
        yield f"{path}: must be one select or one to five buttons"
    for x, spec in enumerate(row):
        yield from defects_of_component(f"{path}[{x}]", spec)


def defects_of_component(path: str, spec: Component) -> Iterator[str]:
    """Every way in which a button or a menu breaks Discord's limits."""
    yield from beyond(f"{path}.id", spec["id"], 1, 100)
    if spec["type"] == "button":
        yield from beyond(f"{path}.label", spec["label"], 1, 80)
        return
    yield from beyond(f"{path}.placeholder", spec["placeholder"], 0, 150)
    options = spec["options"]
    if not 1 <= len(options) <= 25:
        yield f"{path}.options: {len(options)}, must be 1 to 25"
    if not 0 <= spec["min"] <= spec["max"] <= len(options):
        yield f"{path}: min and max must lie within the options"
    for z, option in enumerate(options):
        yield from beyond(f"{path}.options[{z}].label", option["label"], 1, 100)
        yield from beyond(f"{path}.options[{z}].value", option["value"], 1, 100)
        yield from beyond(f"{path}.options[{z}].description", option["description"], 0, 100)


def beyond(path: str, text: str, least: int, most: int) -> Iterator[str]:
    """What is wrong with a text's length, if something is."""
    if not least <= len(text) <= most:
        yield f"{path}: {len(text)} characters, must be {least} to {most}"
