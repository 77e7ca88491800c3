"""Words beside counters and on terrain: numbers of contacts, how many stand under a sign, how old a sighting is."""

from map_render.drawing import text
from map_render.drawing.scene import Scene
from map_render.drawing.sprites import label
from map_render.drawing.theme import Theme
from map_render.theatre.courses import Drawn
from map_render.theatre.frame import Frame
from map_render.theatre.pieces import Old, Stand, is_plate
from map_render.theatre.placing.callout_places import PlacedCallout
from map_render.theatre.placing.room import NAME, Rect, Room
from map_render.theatre.placing.stand import PlacedGroup
from rules_engine.core.knowledge.views import Counter


def old_words(standing: list[PlacedGroup], frame: Frame, room: Room) -> list[Drawn]:
    """Beside each old sighting how old it is, and of how many it is one."""
    words: list[Drawn] = []
    for placed in standing:
        if not isinstance(placed.of, Old):
            continue
        least, most = placed.of.ages
        count = len(placed.of.members)
        ages = f"{least}–{most} t ago" if most > least else f"{most} t ago" if most else "lost"
        lines = [(f"×{count}", 46, "text", True), (ages, 36, "quiet", False)] if count > 1 else [
            (f"{text.plain(placed.of.members[0].label[:12])} {ages}", 38, "quiet", False)]  # fmt: skip
        words += _lines_beside(placed, lines, frame, room)
    return words


def _lines_beside(
    placed: PlacedGroup, lines: list[tuple[str, int, str, bool]], frame: Frame, room: Room
) -> list[Drawn]:
    """Lines of words beside a counter, to the right, left, below or above; fewer where there is little room."""
    body = placed.bodies[0].box
    x, y = body.middle
    while lines:
        sizes = [frame.px(size) for _, size, _, _ in lines]
        wide = max(text.width(words, size, heavy) for (words, _, _, heavy), size in zip(lines, sizes, strict=True))
        high = sum(round(0.95 * size) for size in sizes)
        reach, down = (body.right - body.left) // 2 + frame.px(8), (body.bottom - body.top) // 2 + frame.px(6)
        for middle_x, middle_y in (
            (x + reach + wide // 2, y), (x - reach - wide // 2, y),
            (x, y + down + high // 2), (x, y - down - high // 2),
            (x + reach + wide // 2, y + down), (x - reach - wide // 2, y + down), (x + reach + wide // 2, y - down),
        ):  # fmt: skip
            box = Rect(middle_x - wide // 2 - 3, middle_y - high // 2, middle_x + wide // 2 + 3, middle_y + high // 2)
            if box.within(frame.field) and room.is_free(box):
                room.take(box, NAME, placed.hex)
                found: list[Drawn] = []
                top = box.top
                for (words, _, ink, heavy), size in zip(lines, sizes, strict=True):
                    sprite = label(words, size, ink, heavy=heavy, casing=frame.px(6))
                    left = box.left + 3 if middle_x > x else box.right - 3 - text.width(words, size, heavy)
                    left = middle_x - text.width(words, size, heavy) // 2 if abs(middle_x - x) < 3 else left
                    found.append(Drawn(sprite, left - sprite.dx, top + round(0.475 * size) - text.capital_middle(size)))
                    top += round(0.95 * size)
                return found
        lines = lines[:-1]
    return []


_SAID = {"mines": "mines"}
"""What is written beside a contact in place of its number, by its sign."""


def contact_words(
    scene: Scene, theme: Theme, frame: Frame, room: Room, *, standing: list[PlacedGroup], placed: list[PlacedCallout]
) -> list[Drawn]:
    """The number of each contact that no callout names, and how many counters stand under one sign."""
    told = {one.callout.hex for one in placed}
    words: list[Drawn] = []
    for one in standing:
        if not isinstance(one.of, Stand) or one.hex in told:
            continue
        counters = {piece.id: piece for piece in one.of.counters}
        for body in one.bodies:
            said = _said(scene, theme, [counters[name] for name in body.part.ids])
            if said:
                words += _lines_beside(one._replace(bodies=(body,)), [(said, 40, "text", True)], frame, room)
    return words


def _said(scene: Scene, theme: Theme, under: list[Counter]) -> str:
    """What is written beside the sign of some counters."""
    count = len(under)
    if not under or is_plate(scene, under[0]) or under[0].label.startswith(scene.look_of(under[0].owner).name):
        return f"×{count}" if count > 1 else ""  # plates bear their codes, and whose others are shape and colour tell
    said = _SAID.get(theme.form_look(under[0].form).glyph, text.plain(under[0].label[:12]))
    return f"{said} +{count - 1}" if count > 1 else said


def terrain_words(scene: Scene, theme: Theme, frame: Frame, room: Room) -> list[Drawn]:
    """The name of each stretch of terrain, once, in the lower part of one of its hexes."""
    looks = {note.hex: theme.terrain_look(note.terrain) for note in scene.board.hexes if note.hex in frame.centres}
    words: list[Drawn] = []
    told: set[str] = set()
    size = frame.px(38)
    for name, look in looks.items():
        if look is None or name in told:
            continue
        stretch, ahead = {name}, [name]
        while ahead:
            near = [one for one in scene.board.grid.neighbours(ahead.pop()) if looks.get(one) == look]
            ahead += [one for one in near if one not in stretch]
            stretch.update(near)
        told |= stretch
        said = text.plain(look.label)[:16]
        wide = text.width(said, size)
        for x, y in (frame.centres[one] for one in sorted(stretch)):
            middle = y + round(0.5 * frame.size)
            box = Rect(x - wide // 2 - 3, middle - size // 2, x + wide // 2 + 3, middle + size // 2)
            if box.within(frame.field) and room.is_free(box):
                room.take(box, NAME)
                sprite = label(said, size, "quiet", casing=frame.px(5))
                words.append(Drawn(sprite, x, middle - text.capital_middle(size)))
                break
    return words
