"""Cards as plain data: a text and the rows of buttons and menus below it, or blocks, as Discord has them.

Knows no discord.py.
"""

from dataclasses import dataclass
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from bot.records.files import FileSpec

ButtonStyle = Literal["primary", "secondary", "success", "danger"]


class ButtonSpec(TypedDict):
    """A button; ``id`` is its custom id, ``sign`` the name of a sign that stands before its words."""

    type: Literal["button"]
    id: str
    label: str
    style: ButtonStyle
    disabled: bool
    sign: NotRequired[str]


class OptionSpec(TypedDict):
    """An entry of a menu; ``default`` if it is chosen already, ``sign`` the name of a sign before its words."""

    value: str
    label: str
    description: str
    default: bool
    sign: NotRequired[str]


class MenuSpec(TypedDict):
    """A menu of entries, of which ``min`` to ``max`` may be chosen."""

    type: Literal["select"]
    id: str
    placeholder: str
    options: list[OptionSpec]
    min: int
    max: int


Component = ButtonSpec | MenuSpec

Rows = tuple[tuple[Component, ...], ...]
"""Rows of components. They are shared: nobody may change them."""


class TextBlock(TypedDict):
    """Words, in Discord's marks."""

    type: Literal["text"]
    text: str


class SectionBlock(TypedDict):
    """Words with one button beside them."""

    type: Literal["section"]
    text: str
    button: ButtonSpec


class PictureBlock(TypedDict):
    """A picture that the message carries as a file of that ``name``, with what it shows in words."""

    type: Literal["picture"]
    name: str
    alt: str


class RuleBlock(TypedDict):
    """A thin line between blocks."""

    type: Literal["rule"]


class RowBlock(TypedDict):
    """A row of buttons, or one menu."""

    type: Literal["row"]
    row: tuple[Component, ...]


Block = TextBlock | SectionBlock | PictureBlock | RuleBlock | RowBlock


@dataclass(frozen=True)
class Layout:
    """A message made of blocks in a frame, from above to below; ``accent`` is the colour of its edge (0xRRGGBB).

    Discord takes 40 components, 4,000 characters and about 9.5 kB; blocks count, and each button and menu in them.
    """

    blocks: tuple[Block, ...]
    accent: int | None = None


@dataclass(frozen=True)
class Card:
    """A message to be: text and rows of components.

    One with a ``layout`` is posted as ``content`` and ``rows``, which notify, and becomes the layout at once. ``files``
    are what its pictures are made from when it leaves.
    """

    content: str
    rows: Rows = ()
    layout: Layout | None = None
    files: tuple[FileSpec, ...] = ()
