"""From what the outbox holds to what can be sent: cards to components, file specs to files with alt text.

Components are plain: a press is answered by what listens to interactions and knows their custom ids, so a view
needs no state, no timeout, and survives a restart. Pictures are drawn off the loop.
"""

import asyncio
import base64
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import discord

from bot.delivery.prepared import SIZE_LIMIT, Attachment, document, picture
from rules_engine.core.basics.base import Frozen
from rules_engine.core.knowledge.views import PublicView, SideView
from rules_engine.core.protocol.asks import BattleSetup, Remembered

_R = TypeVar("_R", bound=Frozen)

Rows = Sequence[Sequence[Mapping[str, Any]]]
"""Rows of components, as plain data."""

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


def view_of(card: Mapping[str, Any] | None) -> discord.ui.View | None:
    """The components of a card; None if it has none. Cards with the same rows share them, so nobody may change them.

    Raises :class:`Unfit`.
    """
    rows: Rows = card.get("rows", ()) if card else ()
    return _view(json.dumps(rows)) if any(rows) else None


def view_of_rows(rows: Rows) -> discord.ui.View | None:
    """The same of rows that nobody changes any more: the very same ones are known again at once.

    Raises :class:`Unfit`.
    """
    return _known_rows(rows) if any(rows) else None


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
    rows: list[list[dict[str, Any]]] = json.loads(written)
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


def _item(spec: Mapping[str, Any], row: int) -> discord.ui.Item[Any]:
    if spec["type"] == "button":
        return discord.ui.Button(
            custom_id=spec["id"],
            label=spec["label"],
            style=_STYLES[spec.get("style", "secondary")],
            disabled=spec.get("disabled", False),
            row=row,
        )
    return discord.ui.Select(
        custom_id=spec["id"],
        placeholder=spec.get("placeholder") or None,
        min_values=spec.get("min", 1),
        max_values=spec.get("max", 1),
        options=[
            discord.SelectOption(
                label=option["label"],
                value=option["value"],
                description=option.get("description") or None,
                default=option.get("default", False),
            )
            for option in spec["options"]
        ],
        row=row,
    )


def _defects(rows: Sequence[Sequence[Mapping[str, Any]]]) -> list[str]:
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
                limit(f"{path}.label", spec["label"], 1, 80)
                continue
            limit(f"{path}.placeholder", spec.get("placeholder") or "", 0, 150)
            options = spec["options"]
            if not 1 <= len(options) <= 25:
                defects.append(f"{path}.options: {len(options)}, must be 1 to 25")
            if not 0 <= spec.get("min", 1) <= spec.get("max", 1) <= len(options):
                defects.append(f"{path}: min and max must lie within the options")
            for z, option in enumerate(options):
                limit(f"{path}.options[{z}].label", option["label"], 1, 100)
                limit(f"{path}.options[{z}].value", option["value"], 1, 100)
                limit(f"{path}.options[{z}].description", option.get("description") or "", 0, 100)
    return defects


async def files_of(
    specs: Sequence[Mapping[str, Any]], limit: int = SIZE_LIMIT
) -> tuple[tuple[Attachment, ...], tuple[str, ...]]:
    """The files of a post, and what the message must say about them."""
    files: list[Attachment] = []
    notes: list[str] = []
    for spec in specs:
        made, note = await asyncio.to_thread(_file, spec, limit)
        files += made
        if note:
            notes.append(note)
    return distinct(files), tuple(notes)


def _file(spec: Mapping[str, Any], limit: int) -> tuple[tuple[Attachment, ...], str]:
    """Blocking: draw or decode one file."""
    import map_render  # noqa: PLC0415  Pillow is loaded by the first file, not at start

    match spec["kind"]:
        case "side_map":
            view = _read(SideView, spec["view"])
            image, words = map_render.render_side(view), lambda: map_render.describe(view)
        case "public_map":
            public = _read(PublicView, spec["view"])
            image, words = map_render.render_public(public), lambda: map_render.describe(public)
        case "sheet":
            sheet = _read(BattleSetup, spec["sheet"]).model_copy(update={"secret": {}})  # both sides see it
            image, words = map_render.render_battle(sheet), lambda: map_render.describe_battle(sheet)
        case "text":
            return document(spec["name"], spec["text"].encode(), limit)
        case "bytes":
            return document(spec["name"], base64.b64decode(spec["base64"], validate=True), limit)
        case kind:
            raise ValueError(f"files: unknown kind {kind!r}")
    return picture(image.filename, image.png, image.alt, limit, words)


def _read(model: type[_R], value: Any) -> _R:
    """A record from the JSON that the outbox kept (tuples came back as lists)."""
    return model.model_validate_json(json.dumps(value))


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
