"""How large a card in a frame is: what Discord counts, and how high a phone shows it, about. Knows no discord.py."""

import json
from collections.abc import Sequence
from math import ceil
from typing import Any

from bot.records.components import Block, Component, Layout
from bot.records.signs.marks import as_seen

MOST_COMPONENTS = 39
MOST_TEXT = 3_800
MOST_BYTES = 9_000
"""Discord answers larger messages than about 9.5 kB with an error; what it is told beside the blocks counts too."""


def fits(layout: Layout) -> bool:
    """Whether Discord takes it."""
    return (
        components_of(layout) <= MOST_COMPONENTS
        and sum(len(words) for words in words_of(layout)) <= MOST_TEXT
        and bytes_of(layout) <= MOST_BYTES
    )


def components_of(layout: Layout) -> int:
    """How many components it counts as, its frame included."""
    return 1 + sum(_count(block) for block in layout.blocks)


def _count(block: Block) -> int:
    match block["type"]:
        case "section":
            return 3
        case "row":
            return 1 + len(block["row"])
        case _:
            return 1


def words_of(layout: Layout) -> list[str]:
    """The texts of its blocks."""
    return [block["text"] for block in layout.blocks if block["type"] in {"text", "section"}]  # type: ignore[typeddict-item]


def bytes_of(layout: Layout) -> int:
    """How many bytes of components it makes, about."""
    return len(json.dumps([_payload(block) for block in layout.blocks], separators=(",", ":"))) + 80


def _payload(block: Block) -> Any:
    match block["type"]:
        case "text":
            return {"type": 10, "content": block["text"]}
        case "section":
            words = [{"type": 10, "content": block["text"]}]
            return {"type": 9, "components": words, "accessory": _component(block["button"])}
        case "picture":
            media = {"url": f"attachment://{block['name']}"}
            item = {"media": media, "description": block["alt"], "spoiler": False}
            return {"type": 12, "items": [item]}
        case "rule":
            return {"type": 14, "divider": True, "spacing": 1}
        case "row":
            return {"type": 1, "components": [_component(one) for one in block["row"]]}


def _component(one: Component) -> Any:
    sign = {"name": "x" * 20, "id": "0" * 19}
    if one["type"] == "button":
        button = {"type": 2, "style": 1, "label": one["label"], "custom_id": one["id"], "disabled": one["disabled"]}
        return {**button, "emoji": sign} if one.get("sign") else button
    options = [
        {**{key: value for key, value in option.items() if value and key != "sign"}}
        | ({"emoji": sign} if option.get("sign") else {})
        for option in one["options"]
    ]
    return {
        "type": 3,
        "custom_id": one["id"],
        "placeholder": one["placeholder"],
        "options": options,
        "min_values": one["min"],
        "max_values": one["max"],
        "disabled": False,
    }


# --- how high it is ---------------------------------------------------------------------------------------------------

_WIDE, _BESIDE = 42, 27
"""Letters in a line of a frame on a phone, and of one with a button beside it."""
_LINE, _SMALL_LINE, _HEAD_LINE, _GAP = 21, 17, 28, 8


def height(layout: Layout, picture_height: int = 210) -> int:
    """How high it is on a phone that is 412 pixels wide, about."""
    return 32 + sum(_height(block, picture_height) + _GAP for block in layout.blocks)


def _height(block: Block, picture_height: int) -> int:
    match block["type"]:
        case "text":
            return sum(_line_height(line, _WIDE) for line in block["text"].split("\n"))
        case "section":
            return max(40, sum(_line_height(line, _BESIDE) for line in block["text"].split("\n")))
        case "picture":
            return picture_height
        case "rule":
            return 1
        case "row":
            if any(one["type"] == "select" for one in block["row"]):
                return 44
            return 40 * _rows_of_buttons([one["label"] for one in block["row"] if one["type"] == "button"])


def _line_height(line: str, wide: int) -> int:
    line = as_seen(line)
    if line.startswith("## "):
        return _HEAD_LINE * max(1, ceil((len(line) - 3) / (wide * 0.64)))
    if line.startswith("-# "):
        return _SMALL_LINE * max(1, ceil((len(line) - 3) / (wide * 1.15)))
    return _LINE * max(1, ceil(len(line) / wide))


def _rows_of_buttons(labels: Sequence[str]) -> int:
    """In how many rows a phone lays these buttons."""
    count, left = 0, 0
    for label in labels:
        wide = 38 + 7 * len(label)
        if wide > left:
            count, left = count + 1, 307
        left -= wide
    return count
