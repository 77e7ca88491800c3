"""Where counters stand: each hex's block where it lies on no other, battles beside them, courses around them."""

from math import hypot

from map_render.crop.frame import CropFrame
from map_render.crop.placing.blocks import Block, blocks_of, joined_plates, joined_shapes
from map_render.crop.placing.captions import has_room_for_codes
from map_render.crop.placing.lettering import NOTE, TextLine, beside, find
from map_render.crop.placing.plan import CropPlan, Label
from map_render.crop.placing.room import around, brought_in
from map_render.crop.placing.ways import Way, legs_of, soft_boxes, ticks_of, ways_of
from map_render.crop.stands import HexStand, codes
from map_render.drawing.plates import PlateLook, plate_width
from map_render.drawing.scene import Scene
from rules_engine.core.basics.base import HexId

BURST = 46
"""Half the height of a battle's sign, in pixels."""

GHOST = 56
"""The height of the hollow counter at the end of a course, in pixels."""

_SHIFTS = (0.0, 0.2, -0.2, 0.4, -0.4)


def place_block(plan: CropPlan, stand: HexStand) -> None:
    """Put the signs of a hex where they lie on no others, with room for others' codes; what does not fit even joined
    is said in words."""
    x, y = plan.frame.centres[stand.hex]
    lift = -round(0.13 * plan.frame.size) if len(stand.plates) + len(stand.shapes) == 1 else 0
    far = _SHIFTS if stand.hex in plan.frame.focus else _SHIFTS[:3]
    for block in blocks_of(stand, plan.theme):
        for shift in _shifts(plan.frame, far):
            placed = block.at(x + shift[0], y + lift + shift[1])
            dx, dy = brought_in(placed.box, plan.room.bounds)
            if abs(dx) + abs(dy) > plan.frame.px(0.8):
                continue
            placed = placed.at(dx, dy)
            if not plan.room.are_free((one.box for one in placed.cells), 4):
                continue
            if not has_room_for_codes(plan, stand.hex, placed):
                continue
            _settle(plan, stand, placed)
            return
    _place_anywhere(plan, stand)


def _settle(plan: CropPlan, stand: HexStand, block: Block) -> None:
    plan.room.take(*(one.box for one in block.cells))
    plan.blocks[stand.hex] = block
    if block.joined:
        plan.leave(stand.hex, *block.joined)


def _place_anywhere(plan: CropPlan, stand: HexStand) -> None:
    """The joined signs of a hex at the nearest free spot within two hexes; if there is none, in words."""
    x, y = plan.frame.centres[stand.hex]
    blocks = [block for block in blocks_of(stand, plan.theme) if block.under or not stand.shapes]
    step = max(24, plan.frame.px(0.25))
    spots = sorted(
        ((dx * step, dy * step) for dx in range(-8, 9) for dy in range(-8, 9)), key=lambda at: (hypot(*at), at)
    )
    for block in blocks[-2:]:
        for dx, dy in spots:
            placed = block.at(x + dx, y + dy)
            if plan.room.are_free((one.box for one in placed.cells), 4):
                _settle(plan, stand, placed)
                return
    signs = [*joined_plates(stand.plates), *joined_shapes(stand.shapes)]
    plan.leave(stand.hex, *codes(signs))


def _shifts(frame: CropFrame, far: tuple[float, ...]) -> list[tuple[int, int]]:
    found = [(frame.px(dx), frame.px(dy)) for dx in far for dy in far]
    return sorted(found, key=lambda shift: (hypot(*shift), shift))


def place_burst(plan: CropPlan, name: HexId) -> None:
    """The sign of a battle: above the hex's counters, or wherever around them it covers nothing."""
    x, y = plan.frame.centres[name]
    box = plan.blocks[name].box if name in plan.blocks else around(x, y, 0, 0)
    middle_x, middle_y = (box.left + box.right) // 2, (box.top + box.bottom) // 2
    reach = BURST + 8
    up, down = middle_y - (middle_y - box.top) - reach, box.bottom + reach
    spots = [(middle_x, up), (box.right + reach, box.top), (box.left - reach, box.top), (middle_x, down)]
    spots += [
        (box.right + reach, middle_y),
        (box.left - reach, middle_y),
        (box.right + reach, up),
        (box.left - reach, up),
    ]
    for at_x, at_y in spots if name in plan.blocks else [(x, y), *spots]:
        taken = around(at_x, at_y, 2 * BURST + 8, 2 * BURST + 8)
        if plan.room.is_free(taken):
            plan.bursts.append((at_x, at_y))
            plan.room.take(taken)
            return
    plan.leave(name, "battle")


def place_ways(plan: CropPlan, scene: Scene) -> None:
    starts: dict[str, tuple[int, int]] = {}
    for cell in plan.cells():
        for piece in cell.sign.pieces:
            starts[piece.id] = ((cell.box.left + cell.box.right) // 2, (cell.box.top + cell.box.bottom) // 2)
    ways = ways_of(scene, plan.frame, starts)
    for way in ways:
        if way.course.kind in ("plotted", "route"):
            _place_ghost(plan, scene, way)
    obstacles = list(plan.room.taken)
    for way in ways:
        legs = legs_of(way, obstacles, plan.frame.bounds)
        plan.legs += legs
        plan.room.soft.add(*soft_boxes(legs))
        plan.ticks += [tick for tick in ticks_of(way) if plan.room.is_free(around(tick.x, tick.y, 20, 20))]
    for tick in plan.ticks:
        mark = around(tick.x, tick.y, 30, 30)
        plan.room.soft.add(mark)
        found = find(plan.room, [(TextLine(tick.said, NOTE, heavy=True),)], [spot for spot, _ in beside(mark, 2)])
        if found is not None:
            plan.labels.append(Label(*found))
            plan.room.take(found[1])


def _place_ghost(plan: CropPlan, scene: Scene, way: Way) -> None:
    """A hollow counter where a course ends, if nothing else stands there."""
    end = way.course.hexes[-1]
    if end in plan.blocks or end not in plan.frame.shown or len(way.points) < 2:  # no way at all
        return
    code = next((piece.label for piece in scene.board.counters if piece.id == way.course.counter), "")
    if not code or len(code) > 6:  # longer ones are no codes
        return
    x, y = (round(part) for part in way.points[-1])
    box = around(x, y, plate_width(PlateLook(code, "", way.ink, GHOST, hollow=True)), GHOST)
    if plan.room.is_free(box, 4):
        plan.ghosts.append((box, code, way.ink))
        plan.room.take(box)
