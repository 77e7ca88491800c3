"""Bodies: counters in their places, and whether two of them lie on each other."""

from math import hypot
from typing import NamedTuple

from map_render.drawing.shapes import CounterShape
from map_render.theatre.groups import Part
from map_render.theatre.placing.room import Rect
from rules_engine.core.basics.base import HexId


class PlacedPart(NamedTuple):
    """A counter in its place, in pixels, and the box around it."""

    part: Part
    x: int
    y: int
    hex: HexId
    box: Rect

    def meets(self, other: "PlacedPart") -> bool:
        """Whether the two bodies lie on each other."""
        return bodies_meet(self.part.shape, self.box, other.part.shape, other.box)


_SQUARE = ("plate", "horned")
"""Shapes that reach into the corners of their boxes."""


def bodies_meet(shape: CounterShape, box: Rect, other_shape: CounterShape, other: Rect) -> bool:
    """Whether bodies of these shapes meet; corners of what is round are no body."""
    if not box.meets(other):
        return False
    if shape in _SQUARE and other_shape in _SQUARE:
        return True
    if shape in _SQUARE or other_shape in _SQUARE:
        flat, sharp, sharp_shape = (box, other, other_shape) if shape in _SQUARE else (other, box, shape)
        x, y = sharp.middle
        r = (sharp.right - sharp.left) / 2
        across, down = max(flat.left - x, x - flat.right, 0), max(flat.top - y, y - flat.bottom, 0)
        return across + down < r if sharp_shape == "diamond" else hypot(across, down) < r
    (x, y), (to_x, to_y) = box.middle, other.middle
    together = (box.right - box.left + other.right - other.left) / 2
    return hypot(to_x - x, to_y - y) < 0.9 * together
