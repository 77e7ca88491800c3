"""What lies on the chart: courses, marks and names of hexes, and counters. Drawn at every rendering."""

from PIL import Image

from map_render.drawing import text
from map_render.drawing.sprites import icon, label
from map_render.drawing.theme import Theme
from map_render.map.canvas import Canvas, stacks_of
from map_render.map.counters import draw_counters
from map_render.map.courses import draw_courses
from map_render.map.layout import Layout
from map_render.map.scene import Scene
from map_render.map.spots import layout_of
from rules_engine.core.knowledge.views import HexNote

MOST_MARKS = 3


def draw_pieces(picture: Image.Image, scene: Scene, layout: Layout, theme: Theme) -> None:
    """Stamp everything of the scene that lies in a hex shown."""
    canvas = Canvas(picture, scene, layout, theme, stacks_of(scene, layout, theme))
    draw_courses(canvas)
    for note in scene.board.hexes:
        if (note.marks or note.name) and note.hex in layout.centres:
            _draw_note(canvas, note)
    draw_counters(canvas)


def _draw_note(canvas: Canvas, note: HexNote) -> None:
    """A hex's marks and its name: in the middle of an empty hex; where counters stand, small and at the edge."""
    name, marks = canvas.place_words(note)
    look = canvas.scene.look_of(note.owner) if note.owner else None
    ink, emblem = (look.ink, look.emblem) if look else ("world", "")
    icons = [canvas.theme.mark_look(mark).icon for mark in marks[:MOST_MARKS]]
    if note.hex in canvas.stacks:
        _draw_aside(canvas, note, icons, ink, emblem)
        return
    layout, (x, y) = canvas.layout, canvas.layout.centres[note.hex]
    r = layout.px(0.28)
    size = max(9, round(r * 1.3))
    step = round(2.4 * r)
    first = x - (step * (len(icons) - 1) + (text.width(emblem, size, heavy=True) + r // 2 if emblem else 0)) // 2
    for place, sign in enumerate(icons):
        canvas.stamp(icon(sign, ink, r), first + step * place, y)
    if emblem and icons:
        letter = first + step * (len(icons) - 1) + round(1.5 * r) + text.width(emblem, size, heavy=True) // 2
        canvas.stamp(label(emblem, size, ink, heavy=True), letter, y - round(size * 0.62))
    size = layout.px(0.23)
    words = text.elide(text.plain(name), size, layout.px(1.66)) if size >= 9 else ""  # smaller letters cannot be read
    if words:
        canvas.stamp(label(words, size, "text", 12), x, y + layout.px(0.4))


def _draw_aside(canvas: Canvas, note: HexNote, icons: list[str], ink: str, emblem: str) -> None:
    """Signs where the counters of this hex leave room: the first sign, its owner's letter, the other signs."""
    layout, (x, y) = canvas.layout, canvas.layout.centres[note.hex]
    pieces = canvas.stacks[note.hex]
    plates = sum(map(canvas.is_plate, pieces))
    spots, r = layout_of(plates, len(pieces) - plates).marks, layout.px(0.13)
    signs = [*icons[:1], *([""] if emblem and icons else []), *icons[1:]]
    size = max(9, round(r * 1.7))
    for sign, (across, down) in zip(signs, spots, strict=False):
        if sign:
            canvas.stamp(icon(sign, ink, r), x + layout.px(across), y + layout.px(down))
        else:
            canvas.stamp(
                label(emblem, size, ink, heavy=True), x + layout.px(across), y + layout.px(down) - round(size * 0.6)
            )
