"""A box on a crop, in pixels."""

from typing import NamedTuple


class Box(NamedTuple):
    """A box in pixels, such as the letters of a line fill."""

    left: int
    top: int
    right: int
    bottom: int
