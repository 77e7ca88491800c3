"""Blocks: how the signs of one hex stand together. Ours are columns on the left, others' columns on the right.

Nothing of a block lies on anything else of it, and nobody in the hex is left out.
"""

from collections.abc import Iterator
from typing import NamedTuple

from map_render.crop.box import Box
from map_render.crop.placing.room import around, hull, moved
from map_render.crop.signs import plate_look
from map_render.crop.stands import CropSign, HexStand, codes, heaped
from map_render.drawing.plates import bar_height, plate_width
from map_render.drawing.text import CAPITAL
from map_render.drawing.theme import Theme

LARGE, MIDDLE, SMALL = (78, 116), (78, 88), (70, 86)
"""(height of a plate, width of a shape) in pixels; at the least 34 px of a phone's 400."""

UNDER = 36
"""The type size of a code that stands under its shape."""

_GAP = 8


class PlacedSign(NamedTuple):
    """A sign in its place: the box that it takes, and its height (plates) or width (shapes)."""

    sign: CropSign
    box: Box
    size: int


class Block(NamedTuple):
    """The signs of a hex, around its middle. ``under`` says that codes stand under the shapes, which are higher by it;
    ``joined`` are the codes of counters that were joined with others."""

    cells: tuple[PlacedSign, ...]
    under: bool = False
    joined: tuple[str, ...] = ()

    def at(self, x: int, y: int) -> "Block":
        """The block around that point."""
        return self._replace(cells=tuple(one._replace(box=moved(one.box, x, y)) for one in self.cells))

    @property
    def box(self) -> Box:
        """All of it."""
        return hull(one.box for one in self.cells)


def blocks_of(stand: HexStand, theme: Theme) -> Iterator[Block]:
    """The ways in which a hex's signs may stand, the best first."""
    if not stand.plates and not stand.shapes:
        return
    lines = max(len(stand.plates), len(stand.shapes))
    if lines <= 3:  # as many large plates as a hex is high
        size = LARGE if len(stand.shapes) <= 2 else MIDDLE  # as many large shapes
        yield _block(stand.plates, stand.shapes, (size, 3), theme, under=False)
    if stand.shapes:
        yield _block(stand.plates, stand.shapes, (MIDDLE, 2 if lines <= 4 else 3), theme, under=True)
    if lines <= 4:
        yield _block(stand.plates, stand.shapes, (SMALL, 4), theme, under=False)
    for rows in (2, 3, 4):
        yield _block(stand.plates, stand.shapes, (SMALL, rows), theme, under=bool(stand.shapes))
    plates, shapes = joined_plates(stand.plates), joined_shapes(stand.shapes)
    lost = [one for one in (*plates, *shapes) if len(one.pieces) > 1 and one not in stand.shapes]
    if lost:
        for rows in (2, 3):
            block = _block(plates, shapes, (SMALL, rows), theme, under=bool(shapes))
            yield block._replace(joined=tuple(codes(lost)))


def joined_plates(signs: list[CropSign]) -> list[CropSign]:
    """Our plates in a hex as one, with all their ships; what has none, such as mines, adds none."""
    if len(signs) < 2:  # one needs no joining
        return list(signs)
    pieces = tuple(piece for one in signs for piece in one.pieces)
    known = [one.ships for one in pieces if one.ships is not None]
    unknown = any(one.ships is None and one.form == signs[0].piece.form for one in pieces)
    docked = all(one.docked for one in pieces if one.form == signs[0].piece.form)
    ships = None if unknown else sum(known)
    lead = signs[0].piece.model_copy(update={"ships": ships, "whole": None, "docked": docked})
    return [signs[0]._replace(piece=lead, code=f"{signs[0].code}+{len(signs) - 1}", note="", pieces=pieces)]


def joined_shapes(signs: list[CropSign]) -> list[CropSign]:
    """Others' signs in a hex as one for each owner, those that are there now apart from older ones."""
    groups: dict[tuple[str, bool], list[CropSign]] = {}
    for one in signs:
        groups.setdefault((one.look.key, one.is_dim), []).append(one)
    return [found[0] if len(found) == 1 else heaped(found) for found in groups.values()]


def _block(
    plates: list[CropSign], shapes: list[CropSign], scale: tuple[tuple[int, int], int], theme: Theme, *, under: bool
) -> Block:
    (height, across), rows = scale
    wide = [plate_width(plate_look(one, height, theme)) for one in plates]
    left = [
        (one, (width, height + (0 if one.is_whole else bar_height(height))))
        for one, width in zip(plates, wide, strict=True)
    ]
    below = round(UNDER * CAPITAL) + 14 if under else 0
    right = [(one, (across, across + below)) for one in shapes]
    ours, others = _columns(left, rows), _columns(right, rows)
    # The two innermost columns are in the middle of the hex together; columns of one kind are all together.
    edge = (_wide(ours[:1] if others else ours) - _wide(others[:1] if ours else others)) // 2
    between = _GAP if ours and others else 0
    cells = _placed(ours, edge - between // 2, -1, height) + _placed(others, edge + between - between // 2, 1, across)
    return Block(tuple(cells), under)


Sized = tuple[CropSign, tuple[int, int]]


def _columns(signs: list[Sized], rows: int) -> list[list[Sized]]:
    """Signs in columns of nearly equal length, none longer than ``rows``."""
    if not signs:
        return []
    count = -(-len(signs) // rows)
    length = -(-len(signs) // count)
    return [signs[n : n + length] for n in range(0, len(signs), length)]


def _wide(columns: list[list[Sized]]) -> int:
    """Pixels that columns take side by side."""
    return sum(max(wide for _, (wide, _) in column) for column in columns) + _GAP * max(0, len(columns) - 1)


def _placed(columns: list[list[Sized]], start: int, way: int, size: int) -> list[PlacedSign]:
    """Columns side by side from an edge to the left (-1) or to the right (1), each around the middle of the hex."""
    cells: list[PlacedSign] = []
    x = start
    for column in columns:
        wide = max(width for _, (width, _) in column)
        middle = x + way * wide // 2
        y = -(sum(high for _, (_, high) in column) + _GAP * (len(column) - 1)) // 2
        for sign, (width, high) in column:
            cells.append(PlacedSign(sign, around(middle, y + high // 2, width, high), size))
            y += high + _GAP
        x += way * (wide + _GAP)
    return cells
