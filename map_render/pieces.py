"""What moves and what stands: marks, names, courses and counters, stamped on the chart at every rendering."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from PIL import Image

from map_render import text
from map_render.palette import FULL
from map_render.plan import Plan
from map_render.scene import Figure, Scene, age_tag, fade_of, step_of
from map_render.sprites import Body, Stroke, burst, counter, half_height, icon, label, stamp, stroke
from map_render.theme import Theme
from rules_engine.core.base import HexId
from rules_engine.core.views import Counter, Course

MOST_IN_A_HEX = 3


class _Place(NamedTuple):
    """A place in a hex for one of a number of counters: offset and size in hex sizes."""

    x: float
    y: float
    r: float


_PLACES: dict[int, tuple[_Place, ...]] = {
    1: (_Place(0, -0.12, 0.5),),
    2: (_Place(-0.4, -0.2, 0.335), _Place(0.4, 0.1, 0.335)),
    3: (_Place(-0.4, -0.34, 0.29), _Place(0.42, -0.1, 0.29), _Place(-0.3, 0.38, 0.29)),
}


def draw_pieces(canvas: Image.Image, scene: Scene, plan: Plan, theme: Theme) -> None:
    """Stamp everything of the scene that lies on a hex shown."""
    stacks = stacks_of(scene, plan)
    _draw_notes(canvas, scene, plan, theme, stacks)
    _draw_courses(canvas, scene, plan, stacks)
    for name in sorted(stacks):
        _draw_stack(canvas, scene, plan, theme, stacks[name], plan.spots[name])


def stacks_of(scene: Scene, plan: Plan) -> dict[HexId, list[Counter]]:
    """The counters of each hex shown, most telling first: ours and others in turn, what changed before what did not."""
    stacks: dict[HexId, list[Counter]] = {}
    for piece in scene.board.counters:
        if piece.hex in plan.spots:
            stacks.setdefault(piece.hex, []).append(piece)
    return {name: _ranked(scene, pieces) for name, pieces in stacks.items()}


def _ranked(scene: Scene, pieces: list[Counter]) -> list[Counter]:
    if len(pieces) == 1:
        return pieces
    ordered = sorted(pieces, key=lambda one: (one.form != "battle", not one.changed, not one.live, one.age, one.id))
    seen: dict[bool, int] = {True: 0, False: 0}
    ranks: list[tuple[int, bool, Counter]] = []
    for piece in ordered:
        own = scene.is_own(piece)
        ranks.append((seen[own], not own, piece))
        seen[own] += 1
    return [piece for _, _, piece in sorted(ranks, key=lambda rank: rank[:2])]


# --- hexes ------------------------------------------------------------------------------------------------------------


def _draw_notes(
    canvas: Image.Image, scene: Scene, plan: Plan, theme: Theme, stacks: dict[HexId, list[Counter]]
) -> None:
    for note in scene.board.hexes:
        if not (note.marks or note.name) or note.hex not in plan.spots:
            continue
        x, y = plan.spots[note.hex]
        taken = note.hex in stacks
        r = plan.px(0.14 if taken else 0.3)
        level = y + plan.px(0.64 if taken else 0.0)
        figure = scene.figure(note.owner) if note.owner else None
        ink = figure.ink if figure else "world"
        step = round(2.5 * r)
        signs = note.marks[:3]
        emblem = figure.emblem if figure else ""
        size = max(9, round(r * (1.5 if taken else 1.15)))
        wide = step * len(signs) + (text.width(emblem, size) if emblem else 0)
        across = x - wide // 2 + step // 2
        for mark in signs:
            stamp(canvas, icon(theme.mark_look(mark).icon, ink, r), across, level)
            across += step
        if emblem:
            across += (text.width(emblem, size) - step) // 2
            stamp(canvas, label(emblem, size, ink, heavy=True), across, level - round(size * 0.62))
        if note.name:
            _draw_name(canvas, plan, note.name, x, y, taken)


def _draw_name(canvas: Image.Image, plan: Plan, name: str, x: int, y: int, taken: bool) -> None:
    size = plan.px(0.23 if not taken else 0.19)
    if size < 9:
        return
    words = text.elide(text.plain(name), size, plan.px(1.66))
    if words:
        stamp(canvas, label(words, size, "text", 12), x, y + plan.px(0.42 if not taken else 0.76))


# --- courses ----------------------------------------------------------------------------------------------------------

COURSE_KINDS = ("route", "moved", "plotted")


def course_look(kind: str, ink: str, size: int) -> tuple[float, bool, bool, str, int]:
    """(thickness, dashed, with head, ink, strength) of a kind of course."""
    match kind:
        case "plotted":
            return max(3.0, size * 0.085), False, True, ink, FULL
        case "moved":
            return max(2.0, size * 0.055), True, False, ink, 12
        case _:
            return max(2.0, size * 0.045), True, False, "quiet", FULL


def _draw_courses(canvas: Image.Image, scene: Scene, plan: Plan, stacks: dict[HexId, list[Counter]]) -> None:
    owners = {piece.id: piece.owner for piece in scene.board.counters}
    rank = {kind: place for place, kind in enumerate(COURSE_KINDS)}
    taken: dict[frozenset[HexId], int] = {}
    for course in sorted(scene.board.courses, key=lambda one: (rank.get(one.kind, 0), one.counter, one.hexes)):
        owner = owners.get(course.counter, scene.own)
        ink = scene.figure(owner).ink if owner else "text"
        _draw_course(canvas, plan, course, ink, stacks, taken)


def _draw_course(
    canvas: Image.Image,
    plan: Plan,
    course: Course,
    ink: str,
    stacks: dict[HexId, list[Counter]],
    taken: dict[frozenset[HexId], int],
) -> None:
    thick, dashed, head, colour, fade = course_look(course.kind, ink, plan.size)
    legs = [
        (start, end)
        for start, end in zip(course.hexes, course.hexes[1:], strict=False)
        if start != end and start in plan.spots and end in plan.spots
    ]
    if not legs:
        return
    # Courses that share a leg run side by side.
    aside = max(taken.get(frozenset(leg), 0) for leg in legs)
    for leg in legs:
        taken[frozenset(leg)] = aside + 1
    shift = round((-1) ** aside * ((aside + 1) // 2) * (thick + 5))
    sprites: list[tuple[int, int, Stroke]] = []
    for place, (start, end) in enumerate(legs):
        (x, y), (to_x, to_y) = plan.spots[start], plan.spots[end]
        dx, dy = to_x - x, to_y - y
        last = place == len(legs) - 1
        if last and head and end in stacks:
            dx, dy = round(dx * 0.62), round(dy * 0.62)
        sprites.append((x + shift, y + shift, Stroke(dx, dy, thick, dashed, head and last)))
    for part in (0, 1):
        for x, y, line in sprites:
            stamp(canvas, stroke(line, colour, fade)[part], x, y)


# --- counters ---------------------------------------------------------------------------------------------------------


def body_of(piece: Counter, figure: Figure, theme: Theme, r: int) -> Body:
    """How a counter's body looks."""
    glyph = theme.form_look(piece.form).glyph
    step = None if figure.shape == "plate" and piece.level is None else step_of(piece.level, piece.level_name)
    writing = ""
    if figure.shape == "plate":
        writing = text.plain(piece.label, text.plain(piece.id, "?"))
    elif step == 0:
        writing, glyph = "?", "none"
    elif glyph == "initial":
        writing = text.plain(piece.form, "?")[:1].upper()
    elif glyph == "none":
        writing = figure.emblem
    return Body(figure.shape, figure.ink, r, writing, glyph, step, fade_of(piece), not piece.live, piece.changed)


def _draw_stack(
    canvas: Image.Image, scene: Scene, plan: Plan, theme: Theme, pieces: Sequence[Counter], spot: tuple[int, int]
) -> None:
    places = _PLACES[min(len(pieces), MOST_IN_A_HEX)]
    x, y = spot
    for piece, place in zip(pieces, places, strict=False):
        _draw_counter(canvas, scene, plan, theme, piece, place, x + plan.px(place.x), y + plan.px(place.y), len(pieces))
    hidden = len(pieces) - len(places)
    if hidden > 0:
        sign = label(f"+{hidden}", max(12, plan.px(0.34)), "text", heavy=True, casing=5)
        stamp(canvas, sign, x + plan.px(0.44), y + plan.px(0.36))


def _draw_counter(
    canvas: Image.Image,
    scene: Scene,
    plan: Plan,
    theme: Theme,
    piece: Counter,
    place: _Place,
    x: int,
    y: int,
    crowd: int,
) -> None:
    r = max(4, plan.px(place.r))
    figure = scene.figure(piece.owner)
    if theme.form_look(piece.form).glyph == "battle":
        stamp(canvas, burst(r, piece.changed), x, y)
        below = y + round(r * 1.25)
        lines = [(text.plain(piece.label), 0.56, "text", True)]
    else:
        body = body_of(piece, figure, theme, r)
        stamp(canvas, counter(body), x, y)
        below = y + half_height(body) + round(r * (0.3 if piece.changed else 0.06))
        # A plate carries its label; a contact wears it below.
        name = "" if figure.shape == "plate" else text.plain(piece.label, text.plain(piece.id))
        lines = [(name, 0.72, "text", True)]
    tag = age_tag(piece)
    if tag:
        lines.append((tag, 0.5, "text", False))
    if piece.sub and crowd < MOST_IN_A_HEX:
        lines.append((text.plain(piece.sub), 0.46, "text", False))
    _draw_lines(canvas, lines, r, x, below, plan.px(1.6 if crowd == 1 else 0.84))


def _draw_lines(
    canvas: Image.Image, lines: Iterable[tuple[str, float, str, bool]], r: int, x: int, below: int, room: int
) -> None:
    for words, share, ink, heavy in lines:
        size = max(11, round(r * share))
        shown = text.elide(words, size, room) if words else ""
        if shown:
            stamp(canvas, label(shown, size, ink, heavy=heavy), x, below)
            below += round(size * 1.08)
