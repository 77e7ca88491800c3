"""What moves and what stands: marks, names, courses and counters, stamped on the chart at every rendering."""

from dataclasses import dataclass
from typing import NamedTuple

from PIL import Image

from map_render import text
from map_render.palette import FULL
from map_render.plan import Plan
from map_render.scene import Figure, Scene, age_tag, fade_of, step_of
from map_render.sprites import Body, Sprite, Stroke, burst, counter, half_height, icon, label, stamp, stroke
from map_render.theme import Theme
from rules_engine.core.base import HexId
from rules_engine.core.views import Counter, Course, HexNote

MOST_IN_A_HEX = 3
MOST_MARKS = 3
MOST_SUB_LINES = 2


class _Place(NamedTuple):
    """A place in a hex for one of a number of counters: offset and size in hex sizes."""

    x: float
    y: float
    r: float


_ALONE = (_Place(0, -0.06, 0.5),)
_TWO_PLATES = (_Place(0, -0.32, 0.37), _Place(0, 0.38, 0.37))
_TWO = (_Place(-0.42, -0.22, 0.34), _Place(0.42, 0.08, 0.34))
_MANY = (_Place(-0.42, -0.36, 0.3), _Place(0.42, -0.36, 0.3), _Place(0, 0.3, 0.3))


def draw_pieces(canvas: Image.Image, scene: Scene, plan: Plan, theme: Theme) -> None:
    """Stamp everything of the scene that lies on a hex shown."""
    desk = _Desk(canvas, scene, plan, theme, stacks_of(scene, plan))
    for note in scene.board.hexes:
        if (note.marks or note.name) and note.hex in plan.spots:
            _draw_note(desk, note)
    _draw_courses(desk)
    for name in sorted(desk.stacks):
        _draw_stack(desk, name)


@dataclass(frozen=True)
class _Desk:
    """What everything here is drawn on and from."""

    canvas: Image.Image
    scene: Scene
    plan: Plan
    theme: Theme
    stacks: dict[HexId, list[Counter]]

    def stamp(self, sprite: Sprite, x: int, y: int) -> None:
        stamp(self.canvas, sprite, x, y)

    def is_plate(self, piece: Counter) -> bool:
        return not self.is_battle(piece) and self.scene.figure(piece.owner).shape == "plate"

    def is_battle(self, piece: Counter) -> bool:
        return self.theme.form_look(piece.form).glyph == "battle"


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


def _draw_note(desk: _Desk, note: HexNote) -> None:
    """Marks in the middle of an empty hex; small at its foot, beside the label, where counters stand."""
    scene, plan, pieces = desk.scene, desk.plan, desk.stacks.get(note.hex, [])
    x, y = plan.spots[note.hex]
    figure = scene.figure(note.owner) if note.owner else None
    ink, emblem = (figure.ink, figure.emblem) if figure else ("world", "")
    icons = [desk.theme.mark_look(mark).icon for mark in note.marks[:MOST_MARKS]]
    lone_plate = len(pieces) == 1 and desk.is_plate(pieces[0])
    beside = bool(pieces) and not lone_plate
    r = plan.px(0.12 if beside else 0.1 if pieces else 0.28)
    level = y + plan.px(0.58 if beside else 0.68 if pieces else 0.0)
    size = max(9, round(r * (1.7 if pieces else 1.3)))
    if beside:
        across = [x + plan.px(share) for share in (-0.62, -0.36, 0.62)]
        letter = x + plan.px(0.38)
    else:
        step = round(2.4 * r)
        first = x - (step * (len(icons) - 1) + (text.width(emblem, size, heavy=True) + r // 2 if emblem else 0)) // 2
        across = [first + step * place for place in range(MOST_MARKS)]
        letter = across[len(icons) - 1] + round(1.5 * r) + text.width(emblem, size, heavy=True) // 2
    for spot, name in zip(across, icons, strict=False):
        desk.stamp(icon(name, ink, r), spot, level)
    if emblem and icons:
        desk.stamp(label(emblem, size, ink, heavy=True), letter, level - round(size * 0.62))
    quiet_foot = not pieces or (len(pieces) == 1 and not age_tag(pieces[0]) and (lone_plate or not pieces[0].sub))
    if note.name and quiet_foot:
        _draw_name(desk, note, taken=bool(pieces))


def _draw_name(desk: _Desk, note: HexNote, *, taken: bool) -> None:
    plan = desk.plan
    size = plan.px(0.17 if taken else 0.23)
    words = text.elide(text.plain(note.name), size, plan.px(1.1 if taken else 1.66)) if size >= 9 else ""
    if words:
        x, y = plan.spots[note.hex]
        desk.stamp(label(words, size, "text", 12), x, y + plan.px(0.77 if taken else 0.4))


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


def shown_legs(course: Course, plan: Plan) -> list[tuple[HexId, HexId]]:
    """The legs of a course of which at least one end is shown."""
    return [
        (start, end)
        for start, end in zip(course.hexes, course.hexes[1:], strict=False)
        if start != end and (start in plan.spots or end in plan.spots) and _known(plan, start) and _known(plan, end)
    ]


def _known(plan: Plan, name: HexId) -> bool:
    return name in plan.spots or name in plan.beyond


def _spot(plan: Plan, name: HexId) -> tuple[int, int]:
    return plan.spots[name] if name in plan.spots else plan.beyond[name]


def _draw_courses(desk: _Desk) -> None:
    scene = desk.scene
    owners = {piece.id: piece.owner for piece in scene.board.counters}
    rank = {kind: place for place, kind in enumerate(COURSE_KINDS)}
    taken: dict[frozenset[HexId], int] = {}
    for course in sorted(scene.board.courses, key=lambda one: (rank.get(one.kind, 0), one.counter, one.hexes)):
        owner = owners.get(course.counter, scene.own)
        _draw_course(desk, course, scene.figure(owner).ink if owner else "text", taken)


def _draw_course(desk: _Desk, course: Course, ink: str, taken: dict[frozenset[HexId], int]) -> None:
    plan = desk.plan
    thick, dashed, head, colour, fade = course_look(course.kind, ink, plan.size)
    legs = shown_legs(course, plan)
    if not legs:
        return
    # Courses that share a leg run side by side.
    aside = max(taken.get(frozenset(leg), 0) for leg in legs)
    for leg in legs:
        taken[frozenset(leg)] = aside + 1
    shift = round((-1) ** aside * ((aside + 1) // 2) * (thick + 5))
    sprites: list[tuple[int, int, Stroke]] = []
    for start, end in legs:
        (x, y), (to_x, to_y) = _spot(plan, start), _spot(plan, end)
        ends = head and end == course.hexes[-1] and (start, end) == legs[-1] and end in plan.spots
        # Short of a counter that the arrow points at, and of hexes that are not shown.
        reach = 0.62 if (ends and end in desk.stacks) or end not in plan.spots else 1.0
        skip = 0.38 if start not in plan.spots else 0.0
        dx, dy = to_x - x, to_y - y
        x, y = x + round(dx * skip) + shift, y + round(dy * skip) + shift
        share = reach - skip
        sprites.append((x, y, Stroke(round(dx * share), round(dy * share), thick, dashed, ends)))
    for part in (0, 1):
        for x, y, line in sprites:
            desk.stamp(stroke(line, colour, fade)[part], x, y)


# --- counters ---------------------------------------------------------------------------------------------------------


def body_of(piece: Counter, figure: Figure, theme: Theme, r: int) -> Body:
    """How a counter's body looks."""
    glyph = theme.form_look(piece.form).glyph
    step = None if figure.shape == "plate" and piece.level is None else step_of(piece.level, piece.level_name)
    writing = ""
    if figure.shape == "plate":
        writing = text.plain(piece.label[:40], text.plain(piece.id[:40], "?"))
    elif step == 0:
        writing, glyph = "?", "none"
    elif glyph == "initial":
        writing = text.plain(piece.form, "?")[:1].upper()
    elif glyph == "none":
        writing = figure.emblem
    return Body(figure.shape, figure.ink, r, writing, glyph, step, fade_of(piece), not piece.live, piece.changed)


def _draw_stack(desk: _Desk, name: HexId) -> None:
    plan, pieces, spot = desk.plan, desk.stacks[name], desk.plan.spots[name]
    plates = all(desk.is_plate(piece) for piece in pieces)
    match len(pieces):
        case 1:
            places = _ALONE
        case 2:
            places = _TWO_PLATES if plates else _TWO
        case _:
            places = _MANY
    placed = [
        (piece, max(4, plan.px(_radius(desk, piece, place))), spot[0] + plan.px(place.x), spot[1] + plan.px(place.y))
        for piece, place in zip(pieces, places, strict=False)
    ]
    # All bodies before all labels: a label may lie on a neighbour, never under it.
    below = [_draw_body(desk, piece, r, (x, y)) for piece, r, x, y in placed]
    room = plan.px(1.6 if len(pieces) == 1 or places is _TWO_PLATES else 0.84)
    for (piece, r, x, _), foot in zip(placed, below, strict=True):
        lines = _lines_of(desk, piece, r, room)
        for words, size, heavy in lines:
            desk.stamp(label(words, size, heavy=heavy), x, foot)
            foot += round(size * 1.06)  # noqa: PLW2901  # the next line stands below
    hidden = len(pieces) - len(places)
    if hidden > 0:
        sign = label(f"+{hidden}", max(12, plan.px(0.32)), heavy=True, casing=5)
        desk.stamp(sign, spot[0] + plan.px(0.56), spot[1] + plan.px(0.3))


def _radius(desk: _Desk, piece: Counter, place: _Place) -> float:
    """Rings take room, too: what is ringed is drawn a little smaller, so that the hex's number stays free."""
    if desk.is_plate(piece):
        return place.r
    return place.r * (0.84 if piece.changed else 0.94)


def _draw_body(desk: _Desk, piece: Counter, r: int, spot: tuple[int, int]) -> int:
    """Stamp a body; returns where its labels begin."""
    x, y = spot
    if desk.is_battle(piece):
        desk.stamp(burst(r, piece.changed), x, y)
        return y + round(r * 1.2)
    body = body_of(piece, desk.scene.figure(piece.owner), desk.theme, r)
    desk.stamp(counter(body), x, y)
    return y + half_height(body) + round(r * (0.32 if piece.changed else 0.06))


def _lines_of(desk: _Desk, piece: Counter, r: int, room: int) -> list[tuple[str, int, bool]]:
    """(words, type size, heavy) of the lines under a counter."""
    crowd = len(desk.stacks[piece.hex])
    small = max(11, round(r * 0.46))
    lines: list[tuple[str, int, bool]] = []
    if not desk.is_plate(piece):
        # A plate carries its label; others wear it below.
        size = max(11, round(r * (0.56 if desk.is_battle(piece) else 0.76)))
        lines.append(
            (text.elide(text.plain(piece.label[:80], text.plain(piece.id[:80])), size, round(room * 0.9)), size, True)
        )
    lines.append((age_tag(piece), max(11, round(r * 0.52)), False))
    if piece.sub and crowd < len(_MANY):
        wrapped = text.wrap(text.plain(piece.sub)[:80], small, room)
        if len(wrapped) > 1 and crowd > 1:
            wrapped = [text.elide(text.plain(piece.sub), small, room)]
        if len(wrapped) > MOST_SUB_LINES:
            wrapped = [*wrapped[: MOST_SUB_LINES - 1], text.elide(" ".join(wrapped[MOST_SUB_LINES - 1 :]), small, room)]
        lines += [(line, small, False) for line in wrapped]
    return [line for line in lines if line[0]]
