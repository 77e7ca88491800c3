"""Captions of counters: the codes of others' with what is known of them, and the posture of ours."""

from map_render.crop.box import Box
from map_render.crop.placing.blocks import Block, PlacedSign
from map_render.crop.placing.lettering import (
    CODE,
    NOTE,
    Lines,
    Spot,
    TextLine,
    beside,
    centred,
    extent,
    find,
    shortened,
    wrapped,
)
from map_render.crop.placing.plan import CropPlan, Label
from map_render.crop.stands import CropSign
from rules_engine.core.basics.base import HexId


def has_room_for_codes(plan: CropPlan, name: HexId, block: Block) -> bool:
    """Whether each shape's code can stand beside it, all of them at once."""
    if block.under:
        return True
    before = len(plan.room.taken)
    plan.room.take(*(one.box for one in block.cells))
    fits = all(reserve(plan, name, cell) is not None for cell in block.cells if not cell.sign.is_plate)
    plan.room.taken.keep(before)
    return fits


def reserve(plan: CropPlan, name: HexId, cell: PlacedSign) -> tuple[Lines, Box] | None:
    """Take room for a shape's code."""
    found = find(plan.room, [code_of(cell.sign)], [spot for spot, _ in label_spots(plan, name, cell)])
    found = found or at_corner(plan, cell)
    if found is not None:
        plan.room.take(found[1])
    return found


def at_corner(plan: CropPlan, cell: PlacedSign) -> tuple[Lines, Box] | None:
    """Room for a code in the empty corner beside the upper tip of a diamond, or the lower one."""
    if cell.sign.look.shape != "diamond" or cell.box not in plan.room.taken:
        return None
    box, lines = cell.box, code_of(cell.sign)
    x, y = (box.left + box.right) // 2, box.top + cell.size // 2
    out, down = round(0.32 * cell.size), round(0.2 * cell.size)
    corners: list[Spot] = [
        lambda wide, high: Box(x + out, y - down - high, x + out + wide, y - down),
        lambda wide, high: Box(x - out - wide, y - down - high, x - out, y - down),
        lambda wide, high: Box(x + out, y + down, x + out + wide, y + down + high),
        lambda wide, high: Box(x - out - wide, y + down, x - out, y + down + high),
    ]
    plan.room.taken.remove(box)
    found = find(plan.room, [lines], corners)
    plan.room.take(box)
    return found


def code_of(sign: CropSign) -> Lines:
    """The line with a sign's code."""
    ink, fade = ("text", 15) if not sign.is_dim else ("text", 12)
    return (TextLine(sign.code, CODE, heavy=True, ink=ink, fade=fade),)


def label_spots(plan: CropPlan, name: HexId, cell: PlacedSign) -> list[tuple[Spot, str]]:
    """Where a shape's label may stand: if its hex has a ring, outside of that or below and above; else beside it."""
    box = cell.box
    right, left, below, above = beside(box, 6)
    if name not in plan.rings:
        return [right, left, below, above]
    x = plan.frame.centres[name][0]
    reach = round(1.06 * max(corner for corner, _ in plan.frame.corners)) + 4
    wide = box._replace(left=min(box.left, x - reach), right=max(box.right, x + reach))
    outer_right, outer_left, _, _ = beside(wide, 4)
    return [outer_right, outer_left, below, above]


def place_codes(plan: CropPlan, name: HexId) -> None:
    """The codes of others' counters, with what is known of them where there is room for it."""
    block = plan.blocks[name]
    cells = [cell for cell in block.cells if not cell.sign.is_plate]
    if block.under:
        return
    kept = [reserve(plan, name, cell) for cell in cells]  # each keeps a place before any gets a better one
    for cell, found in zip(cells, kept, strict=True):
        if found is None:
            plan.leave(name, cell.sign.code)
            continue
        code, box = found
        plan.room.taken.remove(box)
        spots = label_spots(plan, name, cell)[: 2 if name in plan.rings else 4]
        fade = 15 if not cell.sign.is_dim else 10
        variants = [(*code, *(TextLine(line, NOTE, fade=fade) for line in lines)) for lines in wrapped(cell.sign.note)]
        # On their side of the hex first, even across a course.
        better = find(plan.room, variants, [spots[0][0]]) or find(plan.room, variants, [spot for spot, _ in spots[1:]])
        lines, at = better or at_corner(plan, cell) or found
        align = next((how for spot, how in spots if spot(*extent(lines)) == at), "middle")
        plan.labels.append(Label(lines, at, align))
        plan.room.take(at)
        if len(lines) == 1 and cell.sign.note:
            plan.noteless.append((name, cell))


def place_notes(plan: CropPlan, name: HexId) -> None:
    """The posture of our own forces: below or above one that stands alone, beside several."""
    plates = [cell for cell in plan.blocks[name].cells if cell.sign.is_plate]
    if name in plan.rings and len(plan.blocks[name].cells) > 1:
        return
    for cell in plates:
        if not cell.sign.note:
            continue
        right, left, below, above = beside(cell.box, 6)
        spots = [below, *_below_aside(cell.box), above, right, left] if len(plates) == 1 else [right, left]
        found = find(plan.room, [(TextLine(cell.sign.note, NOTE),)], [spot for spot, _ in spots])
        if found is not None:
            align = next((how for spot, how in spots if spot(*extent(found[0])) == found[1]), "middle")
            plan.labels.append(Label(*found, align))
            plan.room.take(found[1])


def place_note_below(plan: CropPlan, name: HexId, cell: PlacedSign) -> None:
    """What is known of another's counter, somewhere below it in its hex; not across the ring around that."""
    frame, variants = plan.frame, [(TextLine(note, NOTE),) for note in shortened(cell.sign.note)]
    x, middle = (cell.box.left + cell.box.right) // 2, frame.centres[name]
    alone = sum(not one.sign.is_plate for one in plan.blocks[name].cells) == 1
    aside = (x, (x + middle[0]) // 2) if alone else (x,)
    spots = [centred(at, cell.box.bottom + down) for down in range(20, frame.px(1.0), 12) for at in aside]
    if name in plan.rings:
        inside = [(lines, spot) for lines in variants for spot in spots if frame.has_inside(name, spot(*extent(lines)))]
        tries = [find(plan.room, [lines], [spot]) for lines, spot in inside]
        found = next((one for one in tries if one is not None), None)
    else:
        found = find(plan.room, variants, spots)
    if found is not None and middle[1] + frame.px(1.1) > found[1].bottom:
        plan.labels.append(Label(*found))
        plan.room.take(found[1])


def _below_aside(box: Box) -> list[tuple[Spot, str]]:
    """Spots below a box, at its left and at its right end."""
    top = box.bottom + 4
    return [
        (lambda wide, high: Box(box.left - 20, top, box.left - 20 + wide, top + high), "middle"),
        (lambda wide, high: Box(box.right + 20 - wide, top, box.right + 20, top + high), "middle"),
    ]
