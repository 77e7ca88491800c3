"""What moves and what stands: marks, names, courses and counters, stamped on the chart at every rendering."""

from PIL import Image

from map_render.drawing import text
from map_render.drawing.sprites import icon, label
from map_render.drawing.theme import Theme
from map_render.map.canvas import Desk, stacks_of
from map_render.map.counters import draw_counters, layout_of
from map_render.map.courses import draw_courses
from map_render.map.layout import Plan
from map_render.map.scene import Scene
from rules_engine.core.views import HexNote

MOST_MARKS = 3


def draw_pieces(canvas: Image.Image, scene: Scene, plan: Plan, theme: Theme) -> None:
    """Stamp everything of the scene that lies on a hex shown."""
    desk = Desk(canvas, scene, plan, theme, stacks_of(scene, plan, theme))
    draw_courses(desk)
    for note in scene.board.hexes:
        if (note.marks or note.name) and note.hex in plan.spots:
            _draw_note(desk, note)
    draw_counters(desk)


def _draw_note(desk: Desk, note: HexNote) -> None:
    """Marks in the middle of an empty hex, with its name; small and out of the way where counters stand."""
    name, marks = desk.place_words(note)
    figure = desk.scene.figure(note.owner) if note.owner else None
    ink, emblem = (figure.ink, figure.emblem) if figure else ("world", "")
    icons = [desk.theme.mark_look(mark).icon for mark in marks[:MOST_MARKS]]
    if note.hex in desk.stacks:
        _draw_aside(desk, note, icons, ink, emblem)
        return
    plan, (x, y) = desk.plan, desk.plan.spots[note.hex]
    r = plan.px(0.28)
    size = max(9, round(r * 1.3))
    step = round(2.4 * r)
    first = x - (step * (len(icons) - 1) + (text.width(emblem, size, heavy=True) + r // 2 if emblem else 0)) // 2
    for place, sign in enumerate(icons):
        desk.stamp(icon(sign, ink, r), first + step * place, y)
    if emblem and icons:
        letter = first + step * (len(icons) - 1) + round(1.5 * r) + text.width(emblem, size, heavy=True) // 2
        desk.stamp(label(emblem, size, ink, heavy=True), letter, y - round(size * 0.62))
    size = plan.px(0.23)
    words = text.elide(text.plain(name), size, plan.px(1.66)) if size >= 9 else ""  # else specks
    if words:
        desk.stamp(label(words, size, "text", 12), x, y + plan.px(0.4))


def _draw_aside(desk: Desk, note: HexNote, icons: list[str], ink: str, emblem: str) -> None:
    """Signs where the counters of this hex leave room: the first with its owner's letter, others after it."""
    plan, (x, y) = desk.plan, desk.plan.spots[note.hex]
    spots, r = layout_of(desk, note.hex).marks, plan.px(0.13)
    signs = [*icons[:1], *([""] if emblem and icons else []), *icons[1:]]
    size = max(9, round(r * 1.7))
    for sign, (across, down) in zip(signs, spots, strict=False):
        if sign:
            desk.stamp(icon(sign, ink, r), x + plan.px(across), y + plan.px(down))
        else:
            desk.stamp(label(emblem, size, ink, heavy=True), x + plan.px(across), y + plan.px(down) - round(size * 0.6))
