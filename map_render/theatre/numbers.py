"""Numbers on a theatre: of rows and columns on all four sides, and of hexes where nothing covers them."""

from collections.abc import Iterable

from PIL import Image

from map_render.drawing.cache import kept
from map_render.drawing.palette import FULL, covered
from map_render.drawing.sprites import Sprite, inked, label, stamp
from map_render.drawing.text import capital_middle, masks, metrics, width
from map_render.theatre.frame import Frame, Point
from map_render.theatre.pieces import Pieces
from map_render.theatre.placing.room import EVERYTHING, NAME, Rect, Room
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.hexes import Grid

ROOMY = 80
"""Drawn pixels from a hex's middle to its corner from which on every hex has its number."""


def draw_numbers(picture: Image.Image, grid: Grid, frame: Frame) -> None:
    """Row and column numbers on all four sides, every fifth and the first large."""
    for words, large, (x, y) in numbers_of(grid, frame):
        size = frame.px(50 if large else 34)
        sign = label(words, size, "text" if large else "quiet", FULL, heavy=large, casing=0)
        stamp(picture, sign, x, y - capital_middle(size))


@kept(16)
def numbers_of(grid: Grid, frame: Frame) -> tuple[tuple[str, bool, Point], ...]:
    """(number, whether it is large, middle) of the row and column numbers."""
    columns: dict[int, list[Point]] = {}
    rows: dict[int, list[Point]] = {}
    for name, centre in frame.centres.items():
        column, row = grid.column_row(name)
        columns.setdefault(column, []).append(centre)
        rows.setdefault(row, []).append(centre)
    left, top, right, bottom = frame.sheet
    found: list[tuple[int, int, Point]] = []
    for column, centres in sorted(columns.items()):
        x = round(sum(x for x, _ in centres) / len(centres))
        found += [(column, len(columns), (x, y)) for y in (top - frame.px(31), bottom + frame.px(31))]
    for row, centres in sorted(rows.items()):
        y = round(sum(y for _, y in centres) / len(centres))
        found += [(row, len(rows), (x, y)) for x in (left - frame.px(52), right + frame.px(52))]
    large = [(number % 5 == 0 or (every < 16 and number == 1), number, at) for number, every, at in found]
    room_for_all = frame.size >= frame.px(30)
    return tuple((str(number).zfill(grid.digits), big, at) for big, number, at in large if big or room_for_all)


@kept(16)
def number_boxes(grid: Grid, frame: Frame) -> tuple[Rect, ...]:
    """The boxes of the row and column numbers."""
    found: list[Rect] = []
    for words, large, (x, y) in numbers_of(grid, frame):
        size = frame.px(50 if large else 34)
        half = width(words, size, large) // 2
        found.append(Rect(x - half, y - size // 2, x + half, y + size // 2))
    return tuple(found)


def take_numbers(grid: Grid, frame: Frame, room: Room) -> None:
    """Note where row and column numbers are."""
    for box in number_boxes(grid, frame):
        room.take(box, NAME, "number")


def number_size(frame: Frame) -> int:
    """The type size of hex numbers."""
    return max(frame.px(22), round(0.21 * frame.size) if frame.size >= frame.px(ROOMY) else 0)


def hex_numbers(grid: Grid, frame: Frame, pieces: Pieces, room: Room) -> Iterable[tuple[str, Point]]:
    """(hex, middle) of hex numbers: within one hex of something, or everywhere on roomy maps, where nothing lies."""
    size = number_size(frame)
    if size < 12:
        return
    if frame.size >= frame.px(ROOMY):
        near = set(frame.centres)
    else:
        something = {*(place.hex for place in pieces.places), *(stand.hex for stand in pieces.stands)}
        near = {one for name in something for one in (name, *grid.neighbours(name))}.intersection(frame.centres)
    for name in sorted(near):
        at, box = _spot(name, size, frame)
        if room.is_free(box, EVERYTHING):
            yield name, at


@kept(4096)
def _spot(name: HexId, size: int, frame: Frame) -> tuple[Point, Rect]:
    """The middle and the box of a hex's number."""
    (x, y), half_high = frame.centres[name], round(0.4 * size)
    at, half_wide = y - round((0.7 if frame.flat else 0.66) * frame.size), number_width(name, size) // 2 + 2
    return (x, at), Rect(x - half_wide, at - half_high, x + half_wide, at + half_high)


@kept(1024)
def number_sign(number: str, size: int) -> tuple[Sprite, Sprite]:
    """A hex's number, anchored at its middle; of two halves that many numbers share, as maps have hundreds."""
    half = (len(number) + 1) // 2
    left, up = -(number_width(number, size) // 2) - 1, -capital_middle(size)
    first, last = _digits(number[:half], size), _digits(number[half:], size)
    return first._replace(dx=left, dy=up), last._replace(dx=left + number_width(number[:half], size), dy=up)


@kept(256)
def _digits(digits: str, size: int) -> Sprite:
    """Some digits beside each other, anchored at their top left corner."""
    cover = Image.new("L", (number_width(digits, size) + 4, sum(metrics(size))), 0)
    x = 0
    for digit in digits:
        letters, _ = masks(digit, size)
        cover.paste(letters, (x, 0), covered(letters))
        x += width(digit, size)
    return inked(cover, "quiet", 13, 0, 0)


@kept(1024)
def number_width(number: str, size: int) -> int:
    """The width of a hex's number in pixels."""
    return sum(width(digit, size) for digit in number)
