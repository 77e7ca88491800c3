"""A card made by hand of every kind of block, and what became of it on a message."""

from io import BytesIO
from typing import Any

from PIL import Image

from bot.delivery.prepared import Attachment
from bot.records.components import Block, ButtonSpec, Card, Layout, MenuSpec
from bot.records.files import TextFile
from tests.message_words import pieces

ACCENT = 0x5CB8EE


def button(custom_id: str, label: str = "Change") -> ButtonSpec:
    return {"type": "button", "id": custom_id, "label": label, "style": "secondary", "disabled": False}


MENU: MenuSpec = {
    "type": "select", "id": "p|tok|line|", "placeholder": "Another line",
    "options": [{"value": "a", "label": "A", "description": "", "default": False}], "min": 1, "max": 1,
}  # fmt: skip
ROW = (button("p|tok|ready|1", "Ready"), button("p|tok|text|", "Write them"))
BLOCKS: tuple[Block, ...] = (
    {"type": "text", "text": "## Contact at Scene Flow"},
    {"type": "text", "text": "E27 is near A12."},
    {"type": "rule"},
    {"type": "section", "text": "**A12** sails on\n0404 0405", "button": button("p|tok|change|0")},
    {"type": "row", "row": ROW},
    {"type": "row", "row": (MENU,)},
    {"type": "text", "text": "-# Saved. Closes in 2 hours."},
)
PICTURE: Block = {"type": "picture", "name": "map.png", "alt": "Scene Flow and six hexes around it."}
FRAMED = Card("**Contact** at Scene Flow.", (ROW,), Layout(BLOCKS, ACCENT))
"""Without a picture."""

PICTURED = Card("**Contact** at Scene Flow.", (ROW,), Layout((BLOCKS[0], PICTURE, *BLOCKS[1:]), ACCENT))


def png(colour: str = "navy") -> Attachment:
    """A picture that a message may carry, each colour another one."""
    drawn = BytesIO()
    Image.new("P", (8, 10), 1).save(drawn, "PNG") if colour == "black" else Image.new("RGB", (8, 10), colour).save(
        drawn, "PNG"
    )
    return Attachment("map.png", drawn.getvalue(), "A map.")


LISTED = Card("A list.", (), Layout((BLOCKS[0],), ACCENT), (TextFile(name="list.txt", text="all of it"),))
"""With a file that no block shows."""


def shape(message: Any) -> list[int]:
    """The types of a message's components, outer ones first."""
    return [one["type"] for one in pieces(message.components)]


def shown(message: Any) -> list[str]:
    """The names of the files that a message's components show."""
    carried = {file["url"]: file["filename"] for file in message.attachments}
    items = [item for one in pieces(message.components) for item in one.get("items", ())]
    media = [item["media"] for item in items] + [one["file"] for one in pieces(message.components) if "file" in one]
    return [carried[one["url"]] for one in media]
