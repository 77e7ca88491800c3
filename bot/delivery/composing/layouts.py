"""Frames of blocks: from plain data to discord.py's layouts, within Discord's limits.

A message that was a frame once stays one: what is said in it afterwards, a word alone perhaps, is made a frame too.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import discord

from bot.delivery.composing.made_layout import MadeLayout
from bot.delivery.composing.rows import (
    Unfit,
    beyond,
    defects_of_component,
    defects_of_row,
    item_of,
    used_twice,
)
from bot.delivery.prepared import ALT_LIMIT, Attachment, Message
from bot.records.components import Block, Layout

MOST_COMPONENTS = 40
MOST_CHARACTERS = 4_000
MOST_BYTES = 9_500
"""Of components as JSON: above some 10 kB Discord answers with the same failure each time."""

MOST_LAYOUTS = 64
"""Frames remembered, some 50 kB each at most."""

_ATTACHED = "attachment://"


def layout_of(layout: Layout | None, names: Sequence[str] = ()) -> MadeLayout | None:
    """The frame of a card whose message carries files of these ``names``; None if it has none. Files that no block
    shows stand below it, since Discord hides what nothing shows.

    Raises :class:`Unfit`.
    """
    return None if layout is None else _frame(json.dumps([layout.blocks, layout.accent]), tuple(names))


@lru_cache(maxsize=MOST_LAYOUTS)
def _frame(written: str, names: tuple[str, ...]) -> MadeLayout:
    blocks, accent = json.loads(written)
    defects = list(_defects(blocks, names))
    if defects:
        raise Unfit("; ".join(defects))
    shown = tuple(block["name"] for block in blocks if block["type"] == "picture")
    rest = [name for name in names if name not in shown]
    box = discord.ui.Container[Any](*map(_item, blocks), accent_colour=accent)
    sent = [box.to_component_dict(), *map(_file, rest)]
    if len(heavy := _as_sent(sent)) > MOST_BYTES:
        raise Unfit(f"layout: {len(heavy)} bytes of components, at most {MOST_BYTES}")
    return MadeLayout(sent, (*shown, *rest))


def plain_layout(message: Message) -> MadeLayout:
    """The frame, without an edge, of a message that is none: its words, each picture on a line of its own, other files
    and rows."""
    others = [file.name for file in message.files if not _is_picture(file)]
    words: list[Any] = [{"type": 10, "content": message.text}] if message.text else []
    pictures = [_gallery(file) for file in message.files if _is_picture(file)]
    rows = message.view.to_components() if message.view else []
    return MadeLayout([*words, *pictures, *map(_file, others), *rows], tuple(file.name for file in message.files))


def with_wide_pictures(message: Message) -> Message:
    """The message; one with several pictures as a frame without an edge, since clients show those of an ordinary
    message side by side, half as wide on a phone. One that Discord would not take as a frame stays as it is."""
    pictures = sum(_is_picture(file) for file in message.files)
    if message.layout or pictures < 2 or not message.text or len(message.parts()) > 1:
        return message
    made = plain_layout(message)
    return replace(message, layout=made) if len(_as_sent(made.to_components())) <= MOST_BYTES else message


def _gallery(file: Attachment) -> dict[str, Any]:
    return {**discord.ui.MediaGallery[Any](_media(file.name, file.alt)).to_component_dict()}


def _is_picture(file: Attachment) -> bool:
    return file.name.endswith(".png")


def _media(name: str, alt: str) -> discord.MediaGalleryItem:
    return discord.MediaGalleryItem(f"{_ATTACHED}{name}", description=alt or None)


def _file(name: str) -> dict[str, Any]:
    return {**discord.ui.File[Any](f"{_ATTACHED}{name}").to_component_dict()}


def _item(block: Block) -> discord.ui.Item[Any]:
    if block["type"] == "text":
        return discord.ui.TextDisplay(block["text"])
    if block["type"] == "section":
        return discord.ui.Section(block["text"], accessory=item_of(block["button"]))
    if block["type"] == "picture":
        return discord.ui.MediaGallery(_media(block["name"], block["alt"]))
    if block["type"] == "row":
        return discord.ui.ActionRow(*map(item_of, block["row"]))
    return discord.ui.Separator()


# --- defects ------------------------------------------------------------------------------------------------------


def _defects(blocks: Sequence[Block], names: Sequence[str]) -> Iterator[str]:
    """Every way in which blocks break Discord's limits, in a message with files of these names."""
    if not blocks:
        yield "blocks: none, must be at least 1"
    yield from used_twice(_ids(blocks))
    for number, block in enumerate(blocks):
        yield from _defects_of(f"blocks[{number}]", block, names)
    count = 1 + sum(map(_components, blocks)) + len({*names} - {*_pictures(blocks)})
    if count > MOST_COMPONENTS:
        yield f"layout: {count} components, at most {MOST_COMPONENTS}"
    length = sum(map(_characters, blocks))
    if length > MOST_CHARACTERS:
        yield f"layout: {length} characters, at most {MOST_CHARACTERS}"


def _defects_of(path: str, block: Block, names: Sequence[str]) -> Iterator[str]:
    if block["type"] == "text" or block["type"] == "section":
        yield from beyond(f"{path}.text", block["text"].strip(), 1, MOST_CHARACTERS)
    if block["type"] == "section":
        yield from defects_of_component(f"{path}.button", block["button"])
    elif block["type"] == "picture":
        yield from beyond(f"{path}.alt", block["alt"], 1, ALT_LIMIT)
        if block["name"] not in names:
            yield f"{path}.name: the message carries no file {block['name']!r}"
    elif block["type"] == "row":
        yield from defects_of_row(f"{path}.row", block["row"])


def _characters(block: Block) -> int:
    return len(block["text"]) if block["type"] == "text" or block["type"] == "section" else 0


def _components(block: Block) -> int:
    """How many components Discord counts in a block."""
    if block["type"] == "row":
        return 1 + len(block["row"])
    return 3 if block["type"] == "section" else 1


def _ids(blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        if block["type"] == "section":
            yield block["button"]["id"]
        elif block["type"] == "row":
            yield from (spec["id"] for spec in block["row"])


def _pictures(blocks: Sequence[Block]) -> Iterator[str]:
    return (block["name"] for block in blocks if block["type"] == "picture")


def _as_sent(components: list[dict[str, Any]]) -> str:
    """As discord.py writes it, in ASCII."""
    return json.dumps(components, separators=(",", ":"))
