"""Cards as plain data: a text and the rows of buttons and menus below it, as Discord has them. Knows no discord.py."""

from dataclasses import dataclass
from typing import Literal

from typing_extensions import TypedDict

ButtonStyle = Literal["primary", "secondary", "success", "danger"]


class ButtonSpec(TypedDict):
    """A button; ``id`` is its custom id."""

    type: Literal["button"]
    id: str
    label: str
    style: ButtonStyle
    disabled: bool


class OptionSpec(TypedDict):
    """An entry of a menu; ``default`` if it is chosen already."""

    value: str
    label: str
    description: str
    default: bool


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


@dataclass(frozen=True)
class Card:
    """A message to be: text and rows of components."""

    content: str
    rows: Rows = ()
