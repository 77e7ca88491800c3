"""From what the outbox holds to what can be sent: cards to components, file specs to files with alt text.

Components are plain: a press is answered by what listens to interactions and knows their custom ids, so a view
needs no state, no timeout, and survives a restart. Pictures are drawn off the loop.
"""

import asyncio
import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import discord

from bot.delivery.drawing import Drawing, MapOrder
from bot.delivery.prepared import SIZE_LIMIT, Attachment, document, picture
from bot.records.components import ButtonSpec, Card, Component, OptionSpec, Rows
from bot.records.effects import (
    BattleDetailsFile,
    BattleFile,
    FileSpec,
    OwnUnitsFile,
    PublicMapFile,
    SideMapFile,
    TextFile,
    UnreadableFile,
)
from bot.records.signs import SIGNS
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
            view.add_item(_item(spec, number))
    view.stop()  # so that discord.py does not keep it: interactions are routed by custom id elsewhere
    return view


_known_rows: Remembered[Rows, discord.ui.View] = Remembered(lambda rows: _view(json.dumps(rows)), most=32)
"""The very same rows are known again at once."""


def _item(spec: Component, row: int) -> discord.ui.Item[Any]:
    if spec["type"] == "button":
        return discord.ui.Button(
            custom_id=spec["id"],
            label=spec["label"],
            style=_STYLES[spec["style"]],
            disabled=spec["disabled"],
            emoji=_emoji(spec),
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
                emoji=_emoji(option),
            )
            for option in spec["options"]
        ],
        row=row,
    )


def _emoji(spec: ButtonSpec | OptionSpec) -> discord.PartialEmoji | None:
    """A sign by its name alone: which emoji it is shows when it leaves (see :mod:`bot.delivery.signs`)."""
    name = spec.get("sign", "")
    return discord.PartialEmoji(name=name) if name in SIGNS else None


def _beside(spec: ButtonSpec | OptionSpec) -> str:
    """What stands before the words where its sign is not known."""
    sign = SIGNS.get(spec.get("sign", ""))
    return f"{sign.instead} " if sign is not None and sign.instead else ""


def _defects(rows: Rows) -> list[str]:
    """Every way in which the rows break Discord's limits."""
    defects: list[str] = []

    def limit(path: str, text: str, least: int, most: int) -> None:
        if not least <= len(text) <= most:
            defects.append(f"{path}: {len(text)} characters, must be {least} to {most}")

    if len(rows) > 5:
        defects.append(f"rows: {len(rows)}, at most 5")
    ids = [spec["id"] for row in rows for spec in row]
    defects += [f"{name!r}: used twice" for name in sorted({name for name in ids if ids.count(name) > 1})]
    for y, row in enumerate(rows):
        kinds = [spec["type"] for spec in row]
        if kinds not in (["select"], ["button"] * len(kinds)) or not 1 <= len(kinds) <= 5:
            defects.append(f"rows[{y}]: must be one select or one to five buttons")
        for x, spec in enumerate(row):
            path = f"rows[{y}][{x}]"
            limit(f"{path}.id", spec["id"], 1, 100)
            if spec["type"] == "button":
                limit(f"{path}.label", f"{_beside(spec)}{spec['label']}", 1, 80)
                continue
            limit(f"{path}.placeholder", spec["placeholder"], 0, 150)
            options = spec["options"]
            if not 1 <= len(options) <= 25:
                defects.append(f"{path}.options: {len(options)}, must be 1 to 25")
            if not 0 <= spec["min"] <= spec["max"] <= len(options):
                defects.append(f"{path}: min and max must lie within the options")
            for z, option in enumerate(options):
                limit(f"{path}.options[{z}].label", f"{_beside(option)}{option['label']}", 1, 100)
                limit(f"{path}.options[{z}].value", option["value"], 1, 100)
                limit(f"{path}.options[{z}].description", option["description"], 0, 100)
    return defects


async def files_of(
    specs: Sequence[FileSpec], drawing: Drawing, limit: int = SIZE_LIMIT, *, theme: str = ""
) -> tuple[tuple[Attachment, ...], tuple[str, ...]]:
    """The files of a post, drawn with the theme of that name, and what the message must say about them."""
    files: list[Attachment] = []
    notes: list[str] = []
    for spec in specs:
        made, note = await asyncio.to_thread(_file, spec, drawing, limit, theme)
        files += made
        if note:
            notes.append(note)
    return distinct(files), tuple(notes)


def _file(spec: FileSpec, drawing: Drawing, limit: int, theme: str) -> tuple[tuple[Attachment, ...], str]:
    """Blocking: draw or write one file."""
    import map_render  # noqa: PLC0415  Pillow is loaded by the first file, not at start

    match spec:
        case SideMapFile(view=view) | PublicMapFile(view=view):
            made = [(image, lambda: map_render.describe(view)) for image in drawing.pictures(view, MapOrder(theme))]
        case BattleFile(sheet=setup):
            shown = setup.common()  # both sides see it
            made = [(drawing.battle(shown, theme=theme), lambda: map_render.describe_battle(shown))]
        case BattleDetailsFile(sheet=setup):
            shown = setup.common()
            details = drawing.battle_details(shown, theme=theme)
            made = [] if details is None else [(details, lambda: map_render.describe_battle(shown))]
        case OwnUnitsFile(sheet=setup, side=side):
            own = drawing.own_units(setup, side, theme=theme)
            made = [] if own is None else [(own, lambda: own.alt)]
        case TextFile(name=name, text=text):
            return document(name, text.encode(), limit)
        case UnreadableFile():
            raise ValueError("a file that is not understood")
    pictures = [picture(image.filename, image.png, image.alt, limit, words) for image, words in made]
    notes = dict.fromkeys(note for _, note in pictures if note)
    return tuple(file for files, _ in pictures for file in files), "\n".join(notes)


def distinct(files: Sequence[Attachment]) -> tuple[Attachment, ...]:
    """The files under names that differ, as Discord's clients show them."""
    seen: dict[str, int] = {}
    named: list[Attachment] = []
    for file in files:
        seen[file.name] = seen.get(file.name, 0) + 1
        count = seen[file.name]
        stem, dot, ending = file.name.rpartition(".")
        name = file.name if count == 1 else f"{stem}-{count}{dot}{ending}"
        named.append(Attachment(name, file.data, file.alt))
    return tuple(named)
