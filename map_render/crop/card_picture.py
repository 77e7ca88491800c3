"""The picture of a card's map, drawn by its plan."""

from PIL import Image

from map_render.crop.card_map import BURST, DOT, PIN, RIM, CardPlan, card_plan
from map_render.crop.frame import CropFrame, whole_frame
from map_render.crop.ground import ground_of, ring, whole_ground
from map_render.crop.placing.lettering import write
from map_render.crop.signs import NEWS, contact_look, place_sprite, plate_look
from map_render.crop.stands import outlined, places_of
from map_render.drawing import text
from map_render.drawing.cache import kept
from map_render.drawing.contacts import ContactLook, contact
from map_render.drawing.plates import pin, plate
from map_render.drawing.scene import Scene
from map_render.drawing.sprites import burst, label, stamp, stroke
from map_render.drawing.theme import Theme
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.hexes import Grid

_FIFTH, _OTHER = 34, 20  # type sizes of row and column numbers
_EVERY = 5
_CLOSEST = 36  # pixels between rows or columns below which only every fifth is numbered


def draw_card_map(scene: Scene, theme: Theme, pins: tuple[HexId, ...], *, courses: bool) -> Image.Image:
    """The whole map as a card holds it, in palette numbers."""
    plan = card_plan(scene, theme, pins, courses=courses)
    grid = scene.board.grid
    picture = whole_ground(
        grid, ground_of(scene, outlined(places_of(scene, theme))), plan.frame.bounds.right, RIM, theme
    ).copy()
    _number_edges(picture, grid, plan.frame)
    for name in {*pins} & {one.sign.piece.hex for one in plan.spotted}:
        stamp(picture, ring(plan.frame.corners, 5, NEWS), *plan.frame.centres[name])
    for part in (0, 1):
        for leg in plan.legs:
            stamp(picture, stroke(leg.stroke, leg.ink, leg.fade)[part], leg.x, leg.y)
    for place, x, y, r in plan.marks:
        stamp(picture, place_sprite(place, r), x, y)
    _draw_signs(picture, plan, theme)
    for x, y in plan.bursts:
        stamp(picture, burst(BURST * 4 // 5, True), x, y)
    for one in plan.labels:
        write(picture, one.lines, one.box)
    for number, x, y in plan.pins:
        stamp(picture, pin(number, PIN), x, y)
    return picture


def _draw_signs(picture: Image.Image, plan: CardPlan, theme: Theme) -> None:
    for sign, x, y in plan.dots:
        shape = "plate" if sign.is_plate else sign.look.shape
        stamp(picture, contact(ContactLook(shape, sign.look.ink, DOT, old=sign.is_dim, fade=sign.fade)), x, y)
    for one in plan.spotted:
        x = (one.box.left + one.box.right) // 2
        if one.sign.is_plate:
            stamp(picture, plate(plate_look(one.sign, one.size, theme)), x, one.box.top + one.size // 2)
        else:
            sprite = contact(contact_look(one.sign, one.size, theme))
            stamp(picture, sprite, x, (one.box.top + one.box.bottom) // 2)


def _number_edges(picture: Image.Image, grid: Grid, frame: CropFrame) -> None:
    """Numbers of rows and columns on all four sides, every fifth large; the others where they find room."""
    for words, size, x, y in _edge_numbers(grid, frame.bounds.right):
        big = size == _FIFTH
        sprite = label(words, size, "text" if big else "quiet", heavy=big, casing=0)
        stamp(picture, sprite, x, y - text.capital_middle(size))


@kept(8)
def _edge_numbers(grid: Grid, width: int) -> tuple[tuple[str, int, int, int], ...]:
    """(words, type size, x, y) of each."""
    frame = whole_frame(grid, width, RIM)
    columns: dict[int, list[tuple[int, int]]] = {}
    rows: dict[int, list[tuple[int, int]]] = {}
    for name, centre in frame.centres.items():
        column, row = grid.column_row(name)
        columns.setdefault(column, []).append(centre)
        rows.setdefault(row, []).append(centre)
    _, _, right, bottom = frame.bounds
    found: list[tuple[str, int, int, int]] = []
    for lines, upright in ((columns, True), (rows, False)):
        step = abs(lines[max(lines)][0][not upright] - lines[min(lines)][0][not upright]) / max(1, len(lines) - 1)
        for number, centres in sorted(lines.items()):
            size = _FIFTH if number % _EVERY == 0 else _OTHER
            if size == _OTHER and step < _CLOSEST:
                continue
            words = str(number).zfill(grid.digits)
            half = text.width(words, size, heavy=True) // 2 + 6
            if upright:
                top = min(centres, key=lambda one: one[1])
                low = max(centres, key=lambda one: one[1])
                found += [(words, size, top[0], RIM // 2), (words, size, low[0], bottom - RIM // 2)]
            else:
                found += [(words, size, half, min(centres)[1]), (words, size, right - half, max(centres)[1])]
    return tuple(found)
