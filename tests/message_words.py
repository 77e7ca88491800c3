"""What a message says, whatever it is made of: ordinary words, or blocks in a frame."""

from collections.abc import Iterator, Mapping
from typing import Any

import discord

IS_LAYOUT = 1 << 15
"""Discord's flag of a message that is made of blocks."""


def words_of(message: Any) -> str:
    """All words of a message, from above to below. It may be simcord's, discord.py's or, as JSON, the playground's."""
    is_json = isinstance(message, Mapping)
    content = message.get("content") if is_json else message.content
    components = message.get("components") if is_json else message.components
    texts = [one["content"] for one in pieces(components or []) if one["type"] == 10]
    return "\n".join(filter(None, [content, *texts]))


def as_read(message: discord.Message) -> discord.Message:
    """The same with all its words as content, as its reader takes them in."""
    message.content = words_of(message)
    return message


def pieces(components: Any) -> Iterator[Mapping[str, Any]]:
    """Every component, outer ones first, in the order in which they are read."""
    for one in components:
        one = one if isinstance(one, Mapping) else one.to_dict()  # noqa: PLW2901  discord.py's own
        yield one
        yield from pieces(one.get("components") or [])
        if one.get("accessory"):
            yield from pieces([one["accessory"]])


def pressable(message: Any) -> list[Mapping[str, Any]]:
    """The buttons and menus of a message, as Discord keeps them."""
    components = message["components"] if isinstance(message, Mapping) else message.components
    return [one for one in pieces(components or []) if "custom_id" in one]
