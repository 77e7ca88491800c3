"""The heading above a map and the legend below it."""

from typing import NamedTuple

from PIL import Image

from map_render.drawing import text
from map_render.drawing.cache import kept
from map_render.drawing.palette import BAND
from map_render.drawing.sprites import CounterBody, Sprite, Stroke, burst, counter, icon, label, stamp, stroke
from map_render.drawing.theme import TerrainLook, Theme
from map_render.map.canvas import Stacks, place_words, stacks_of
from map_render.map.chart import Corners, invented_rim, terrain
from map_render.map.courses import course_look, shown_legs
from map_render.map.heaps import Heap, members_of
from map_render.map.layout import Layout
from map_render.map.scene import OwnerLook, Scene
from rules_engine.core.knowledge.views import Counter

SMALLEST_TYPE = 14


class LegendLine(NamedTuple):
    """A line of the legend: its kind, what its sample shows (an owner's look, a grade, a glyph …; 0 where the kind says
    all), and its words. Hashable, so that legends are kept."""

    kind: str
    look: OwnerLook | TerrainLook | str | int
    words: str


def heading(scene: Scene, layout: Layout, theme: Theme) -> Image.Image:
    """The band above the map: whose map this is, the campaign, and the turn."""
    board = scene.board
    look = scene.look_of(scene.own) if scene.own else None
    title = look.name if look else {"public": "Public map", "everything": "Everything"}.get(scene.audience, "")
    words = (title, text.plain(board.campaign), text.plain(board.heading))
    return _heading(look, words, (layout.width, layout.top), layout.scale, theme)


@kept(32)
def _heading(
    look: OwnerLook | None, words: tuple[str, str, str], extent: tuple[int, int], scale: float, theme: Theme
) -> Image.Image:
    title, campaign, turn = words
    width, high = extent
    band = Image.new("L", extent, BAND)
    size = round(theme.sizes.heading * scale)
    left = round(size * 0.5)
    if look:
        badge = CounterBody(look.shape, look.ink, round(size * 0.62), look.emblem)
        stamp(band, counter(badge), left + round(size * 0.8), high // 2)
        left += round(size * 1.9)
    turn = text.elide(turn, size, round(width * 0.5))
    right = width - round(size * 0.5) - text.width(turn, size, heavy=True) if turn else width
    _left_aligned(band, turn, size, right, high // 2 - round(size * 0.66), heavy=True)
    room = right - left - size
    upper, lower = round(size * 0.86), round(size * 0.6)
    _left_aligned(band, text.elide(title, upper, round(room * 0.92)), upper, left, round(high * 0.06), heavy=True)
    _left_aligned(band, text.elide(campaign, lower, room), lower, left, round(high * 0.57))
    return band


def _left_aligned(band: Image.Image, words: str, size: int, x: int, y: int, *, heavy: bool = False) -> None:
    if words:
        sprite = label(words, size, "text", heavy=heavy, casing=0)
        stamp(band, sprite, x - sprite.dx, y)


# --- the legend -------------------------------------------------------------------------------------------------------

_LEVEL_WORDS = {0: "unidentified", 1: "found", 2: "partly known", 3: "well known", 4: "fully known"}
_COURSE_WORDS = {"plotted": "plotted course", "moved": "just moved", "route": "route", "seen": "seen to come from"}


def legend_lines(scene: Scene, layout: Layout, theme: Theme) -> tuple[LegendLine, ...]:
    """The lines of the legend: they explain what this map shows and nothing else."""
    stacks = stacks_of(scene, layout, theme)
    pieces = [piece for name in sorted(stacks) for piece in stacks[name]]
    return (
        *_owner_lines(scene, pieces, layout),
        *_counter_lines(scene, pieces, theme),
        *_heap_lines(scene, [piece for piece in pieces if isinstance(piece, Heap)]),
        *_course_lines(scene, layout),
        *_hex_lines(scene, stacks, layout, theme),
    )


def _owner_lines(scene: Scene, pieces: list[Counter], layout: Layout) -> list[LegendLine]:
    owners = {piece.owner for piece in pieces if piece.form != "battle"}
    owners |= {note.owner for note in scene.board.hexes if note.owner and note.marks and note.hex in layout.centres}
    return [
        LegendLine("owner", look, f"{look.name} (you)" if scene.own and look.key == scene.own else look.name)
        for look in map(scene.look_of, sorted(owners, key=scene.seat_order))
    ]


def _counter_lines(scene: Scene, pieces: list[Counter], theme: Theme) -> list[LegendLine]:
    levels: dict[int, str] = {}
    for piece in pieces:
        if piece.grade is not None:
            grade = min(piece.grade, 4)
            levels.setdefault(grade, text.plain(piece.level_name) or _LEVEL_WORDS[grade])
    lines = [LegendLine("level", grade, levels[grade]) for grade in sorted(levels)]
    if any(piece.age > 0 and piece.live for piece in pieces):
        lines.append(LegendLine("old", 0, "t ago: turns since seen"))
    if any(not piece.live for piece in pieces):
        lines.append(LegendLine("ghost", 0, "no longer held"))
    if any(piece.changed for piece in pieces):
        lines.append(LegendLine("ring", 0, "new or changed"))
    for word in sorted({theme.word(one.form) for piece in pieces for one in members_of(piece)}):
        look = theme.form_look(word)
        if look.glyph == "initial":
            lines.append(LegendLine("initial", text.plain(word, "?")[:1].upper(), text.plain(look.label, "other")))
        elif look.glyph != "none":
            lines.append(LegendLine("form", look.glyph, look.label))
    return lines


def _heap_lines(scene: Scene, heaps: list[Heap]) -> list[LegendLine]:
    whose = "owner" if any(one.owner in scene.outsider_looks for one in heaps) else "side"
    lines = [LegendLine("heap", 0, f"so many of one {whose}")] if heaps else []
    if any(one.live and not all(member.live for member in one.members) for one in heaps):
        lines.append(LegendLine("heap and lost", 0, "and so many no longer held"))
    return lines


def _course_lines(scene: Scene, layout: Layout) -> list[LegendLine]:
    kinds = {course.kind for course in scene.board.courses if shown_legs(course, layout)}
    return [LegendLine("course", kind, _COURSE_WORDS.get(kind, text.plain(kind, "way"))) for kind in sorted(kinds)]


def _hex_lines(scene: Scene, stacks: Stacks, layout: Layout, theme: Theme) -> list[LegendLine]:
    notes = [note for note in scene.board.hexes if note.hex in layout.centres]
    looks = {theme.word(note.terrain): theme.terrain_look(note.terrain) for note in notes}
    lines = [LegendLine("terrain", look, look.label) for _, look in sorted(looks.items()) if look is not None]
    seen = [place_words(theme, stacks.get(note.hex, []), note)[1] for note in notes]
    marks = {theme.word(mark) for drawn in seen for mark in drawn[:3]}
    lines += [LegendLine("mark", theme.mark_look(word).icon, theme.mark_look(word).label) for word in sorted(marks)]
    if any(note.invented for note in notes):
        lines.append(LegendLine("invented", 0, "made up, not in the book"))
    return lines


def legend(scene: Scene, layout: Layout, theme: Theme) -> Image.Image:
    """The legend as a strip as wide as the map; its height is 0 if there is nothing to explain."""
    room = max(theme.sizes.longest - layout.bottom, round(theme.sizes.legend * layout.scale * 3))
    return _legend(legend_lines(scene, layout, theme), (layout.width, room), layout.scale, theme, flat=layout.flat)


@kept(64)
def _legend(
    lines: tuple[LegendLine, ...], extent: tuple[int, int], scale: float, theme: Theme, *, flat: bool
) -> Image.Image:
    width, room = extent
    if not lines:
        return Image.new("L", (width, 0), BAND)
    size = max(14, round(theme.sizes.legend * scale))
    places = _set_out(lines, size, width)
    while (places[-1][1] + 1.4) * 1.75 * size > room and size > SMALLEST_TYPE:
        size -= 1
        places = _set_out(lines, size, width)
    row, pad, slot = round(size * 1.75), round(size * 0.6), round(size * 1.9)
    strip = Image.new("L", (width, (places[-1][1] + 1) * row + pad), BAND)
    for left, place, line, words in places:
        top = place * row
        middle = top + (row + pad) // 2
        for sprite in _sample(line, size, flat):
            stamp(strip, sprite, left + slot // 2 - round(size * 0.1), middle)
        written = label(words, size, casing=0)
        stamp(strip, written, left + slot - written.dx, middle - round(size * 0.62))
    return strip


def _set_out(lines: tuple[LegendLine, ...], size: int, room: int) -> list[tuple[int, int, LegendLine, str]]:
    """(x, row, line, words) of each line of the legend, in as many rows as it takes."""
    pad, slot = round(size * 0.6), round(size * 1.9)
    places: list[tuple[int, int, LegendLine, str]] = []
    x, row = pad, 0
    for line in lines:
        words = text.elide(text.plain(line.words[:80], "?"), size, room // 2)
        wide = slot + text.width(words, size) + size
        if x + wide > room - pad and x > pad:
            x, row = pad, row + 1
        places.append((x, row, line, words))
        x += wide
    return places


def _tile(r: int, flat: bool) -> Corners:
    long, short = round(r * 1.2), round(r * 0.6)
    across = round(r * 1.04)
    if flat:
        return ((-short, -across), (short, -across), (long, 0), (short, across), (-short, across), (-long, 0))
    return ((0, -long), (across, -short), (across, short), (0, long), (-across, short), (-across, -short))


def _course_sample(kind: str, r: int) -> tuple[Sprite, ...]:
    look = course_look(kind, round(r * 2.2))
    off = round(1.2 * r)
    lines = [Stroke(2 * off, 0, look.thick, look.dashed, look.head)]
    lines += [Stroke(0, 0, look.thick * 2.6)] if look.dots else []
    drawn = [sprite for line in lines for sprite in stroke(line, "text", look.fade)]
    return tuple(sprite._replace(dx=sprite.dx - off) for sprite in drawn)


def _sample(line: LegendLine, size: int, flat: bool) -> tuple[Sprite, ...]:
    """What is drawn before a line's words, anchored at its middle."""
    r = round(size * 0.6)
    match line.kind, line.look:
        case "owner", OwnerLook() as look:
            return (counter(CounterBody(look.shape, look.ink, r, look.emblem)),)
        case "level", int(grade):
            writing = "?" if grade == 0 else ""
            return (counter(CounterBody("diamond", "text", round(r * 1.1), writing, "", grade)),)
        case "old", _:
            return (counter(CounterBody("diamond", "text", r, fade=9)),)
        case "ghost", _:
            return (counter(CounterBody("diamond", "text", r, fade=12, ghost=True)),)
        case "ring", _:
            return (counter(CounterBody("disc", "quiet", round(r * 0.8), ringed=True)),)
        case "form", "battle":
            return (burst(r, False),)
        case "form", str(glyph):
            return (counter(CounterBody("disc", "text", round(r * 1.15), "", glyph)),)
        case "initial", str(letter):
            return (counter(CounterBody("disc", "text", round(r * 1.1), letter)),)
        case "heap", _:
            return (label("x6", round(r * 1.6), heavy=True)._replace(dy=-r),)
        case "heap and lost", _:
            return (label("+2", round(r * 1.6), heavy=True)._replace(dy=-r),)
        case "course", str(kind):
            return _course_sample(kind, r)
        case "terrain", TerrainLook() as look:
            return (terrain(look, _tile(round(r * 1.15), flat), round(r * 1.3), 0),)
        case "mark", str(sign):
            return (icon(sign, "world", round(r * 0.9)),)
        case "invented", _:
            return (invented_rim(_tile(round(r * 1.2), flat)),)
        case _:
            return ()
