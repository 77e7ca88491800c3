"""The picture of a theatre: ground, places, courses, counters, names, callouts and bands, drawn as planned."""

from math import hypot

from PIL import Image, ImageChops

from map_render.drawing import text
from map_render.drawing.cache import kept
from map_render.drawing.palette import CALLOUT, PAPER, index, mapped
from map_render.drawing.plates import pin
from map_render.drawing.scene import Scene
from map_render.drawing.shapes import Pen, cut
from map_render.drawing.sprites import Sprite, SpriteMaker, Stroke, arrow, label, stamp, stroke
from map_render.drawing.theme import Theme
from map_render.theatre import bands, courses, grounds, legend
from map_render.theatre.boxes import boxed
from map_render.theatre.compass import draw_compass, draw_scale
from map_render.theatre.frame import Frame, Point
from map_render.theatre.ground import ground
from map_render.theatre.numbers import number_sign, number_size
from map_render.theatre.pieces import Stand
from map_render.theatre.placing.plan import TheatrePlan, plan_theatre
from map_render.theatre.placing.posts import LEAD, PIN, SIZE, PlacedPost
from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.glance import News


def paint_theatre(
    scene: Scene, theme: Theme, ranges: tuple[str, ...] = (), area: tuple[HexId, ...] = ()
) -> Image.Image:
    """The picture of a scene's map, or of the part of it around an area, in palette numbers.

    Raises:
        UnknownHex: for an area with hexes that are not on the map.
    """
    return paint_plan(plan_theatre(scene, theme, ranges, area), theme, ranges)


def paint_plan(plan: TheatrePlan, theme: Theme, ranges: tuple[str, ...] = ()) -> Image.Image:
    """The picture of a theatre as it is planned, in palette numbers."""
    scene, frame, board = plan.scene, plan.frame, plan.scene.board
    picture = ground(board.grid, frame, plan.ground, theme).copy()
    for box in plan.hidden:
        picture.paste(PAPER, box.grown(2))
    _draw_ranges(picture, scene, frame, ranges)
    size = number_size(frame)
    for name, at in plan.numbers:
        for half in number_sign(name, size):
            stamp(picture, half, *at)
    _draw_trails(picture, plan)
    for place in plan.pieces.places:
        own = place.look is not None and place.look.shape == "plate"
        stamp(picture, grounds.sign_of(place, frame, own), *frame.centres[place.hex])
    _draw_courses(picture, plan)
    _draw_counters(picture, plan)
    for drawn in (*plan.ghosts, *(one for name in plan.names for one in name.drawn), *plan.words):
        stamp(picture, drawn.sprite, drawn.x, drawn.y)
    _draw_callouts(picture, plan)
    for post in plan.posts:
        _draw_post(picture, post, frame)
    if plan.compass:
        draw_compass(picture, frame, plan.compass)
    if plan.scale:
        draw_scale(picture, frame, plan.scale)
    _draw_bands(picture, scene, theme, plan)
    return picture


def _draw_ranges(picture: Image.Image, scene: Scene, frame: Frame, ranges: tuple[str, ...]) -> None:
    ink = scene.look_of(scene.own).ink if scene.own else "text"
    for one in scene.board.ranges:
        if one.kind not in ranges:
            continue
        reached, inside = set(one.hexes), set(one.hexes) & set(frame.centres)
        for name in sorted(inside):
            _faint(picture, frame, name, ink)
        for name in sorted(inside):
            x, y = frame.centres[name]
            for side in range(6):
                start, end = frame.corners[side], frame.corners[(side + 1) % 6]
                across = (x + start[0] + end[0], y + start[1] + end[1])
                near = [other for other in scene.board.grid.neighbours(name) if other in reached]
                if any(
                    abs(frame.everywhere[o][0] - across[0]) + abs(frame.everywhere[o][1] - across[1]) < frame.size
                    for o in near
                ):
                    continue
                line = Stroke(end[0] - start[0], end[1] - start[1], frame.px(6), dotted=True)
                for sprite in stroke(line, ink):
                    stamp(picture, sprite, x + start[0], y + start[1])


def _faint(picture: Image.Image, frame: Frame, name: str, ink: str) -> None:
    """The faintest tint, where the paper of a hex shows."""
    area = _area(frame.corners)
    half = area.width // 2
    at = frame.centres[name][0] - half, frame.centres[name][1] - half
    under = picture.crop((*at, at[0] + 2 * half, at[1] + 2 * half))
    bare = mapped(under, bytes([255 if number == PAPER else 0 for number in range(256)]))
    picture.paste(index(ink, 1), at, ImageChops.multiply(area, bare))


@kept(16)
def _area(corners: tuple[Point, ...]) -> Image.Image:
    half = max(max(abs(x), abs(y)) for x, y in corners) + 2
    pen = Pen(half, 1.0)
    pen.polygon(corners)
    return mapped(pen.mask(), bytes([0] * 128 + [255] * 128))


def _starts(plan: TheatrePlan) -> dict[str, Point]:
    """Where each counter is drawn."""
    return {name: body.box.middle for one in plan.standing for body in one.bodies for name in body.part.ids}


def _draw_trails(picture: Image.Image, plan: TheatrePlan) -> None:
    """Where counters came from, beneath the signs of places."""
    frame, starts = plan.frame, _starts(plan)
    trails = [line for line in plan.lines if line.trail]
    for line in trails:
        for casing, core, x, y in courses.strokes_of(line, frame, starts.get(line.course.counter)):
            stamp(picture, casing, x, y)
            stamp(picture, core, x, y)
    for line in trails:
        x, y = line.corners[0]
        if line.hexes[0] in frame.centres:
            stamp(picture, _ring(frame.px(11), frame.px(4), line.ink), round(x), round(y))


def _draw_courses(picture: Image.Image, plan: TheatrePlan) -> None:
    frame, starts = plan.frame, _starts(plan)
    sprites: list[tuple[Sprite, Sprite, int, int]] = []
    for line in plan.lines:
        if line.trail:
            continue
        sprites += courses.strokes_of(line, frame, starts.get(line.course.counter))
        sprites += [courses.draw_tick(tick, line.ink, frame) for tick in courses.ticks_of(line, frame)]
    for placed in plan.standing:
        if placed.leader:
            (x, y), (to_x, to_y) = placed.leader
            sprites.append((*stroke(Stroke(to_x - x, to_y - y, frame.px(8)), "quiet"), x, y))
            sprites.append((*stroke(Stroke(0, 0, frame.px(20)), "quiet"), to_x, to_y))
        elif not placed.boxed and hypot(*placed.aside) > 0.86 * frame.size and not placed.is_in_hex(frame):
            x, y = frame.centres[placed.hex]
            at = placed.bodies[0].box.middle
            sprites.append((*stroke(Stroke(at[0] - x, at[1] - y, frame.px(4)), "quiet"), x, y))
            sprites.append((*stroke(Stroke(0, 0, frame.px(16)), "quiet"), x, y))
    for casing, _, x, y in sprites:
        stamp(picture, casing, x, y)
    for _, core, x, y in sprites:
        stamp(picture, core, x, y)


@kept(32)
def _ring(r: int, thick: int, ink: str) -> Sprite:
    half = r + 4
    full, ring = Pen(half, r), Pen(half, r)
    full.disc(0, 0, 1.2)
    ring.ring(0, 0, 1.0, thick / r)
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(full.mask())
    maker.lay(ring.mask(), ink, grow=False)
    return maker.sprite(-half, -half)


@kept(16)
def _hex_ring(corners: tuple[Point, ...], thick: int) -> Sprite:
    """The ring of a contested hex."""
    half = max(max(abs(x), abs(y)) for x, y in corners) + thick + 6

    def hexagon(more: float) -> Image.Image:
        pen = Pen(half, 1.0)
        far = max(abs(y) for _, y in corners)
        pen.polygon([(x * (1 + more / far), y * (1 + more / far)) for x, y in corners])
        return pen.mask()

    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(cut(hexagon(thick * 0.5 + 4), hexagon(-thick - 4)))
    maker.lay(cut(hexagon(thick * 0.3), hexagon(-thick * 0.8)), "news", grow=False)
    return maker.sprite(-half, -half)


def _draw_counters(picture: Image.Image, plan: TheatrePlan) -> None:
    for placed in plan.standing:
        if isinstance(placed.of, Stand) and (placed.of.contested or placed.of.battle):
            stamp(picture, _hex_ring(plan.frame.corners, plan.frame.px(10)), *plan.frame.centres[placed.hex])
    order = sorted(plan.standing, key=lambda placed: isinstance(placed.of, Stand))
    for foe in (False, True):
        for placed in order:
            for body in placed.bodies:
                if body.part.foe == foe:
                    stamp(picture, body.part.sprite, body.x, body.y)


def _draw_callouts(picture: Image.Image, plan: TheatrePlan) -> None:
    frame = plan.frame
    for one in plan.callouts:
        (x, y), (to_x, to_y) = one.start, one.end
        line = Stroke(to_x - x, to_y - y, frame.px(8))
        ink = "news" if one.callout.number else "quiet"
        for sprite in stroke(line, ink):
            stamp(picture, sprite, x, y)
        for sprite in stroke(Stroke(0, 0, frame.px(20)), ink):
            stamp(picture, sprite, to_x, to_y)
    for one in plan.callouts:
        stamp(picture, one.image, one.box.left, one.box.top)
    for number, at in plan.pins:
        stamp(picture, pin(number, plan.frame.px(40)), *at)


def _draw_post(picture: Image.Image, post: PlacedPost, frame: Frame) -> None:
    box, px = post.box, frame.px
    stamp(picture, boxed(Image.new("L", (box.right - box.left, box.bottom - box.top), CALLOUT), frame), *box[:2])
    y, left, size = (box.top + box.bottom) // 2, box.left + px(LEAD), px(SIZE)
    stamp(picture, arrow(*post.points, px(22), post.to.ink), box.left + px(44), y)
    if post.to.number:
        stamp(picture, pin(post.to.number, px(PIN)), left + px(PIN), y)
        left += 2 * px(PIN) + px(14)
    words = label(post.words, size, casing=0)
    stamp(picture, words, left - words.dx, y - text.capital_middle(size))


def _draw_bands(picture: Image.Image, scene: Scene, theme: Theme, plan: TheatrePlan) -> None:
    frame = plan.frame
    picture.paste(bands.draw_head(bands.head_of(scene), frame, theme), (0, 0))
    if scene.numbered:
        rows = {one.number: one.said() for one in plan.homeless}
        news = [(number, _with_rows(one, rows.get(number, ""))) for number, one in scene.numbered]
        picture.paste(bands.draw_facts(news, frame, theme), (0, frame.field[3]))
    if frame.height > frame.legend:
        picture.paste(legend.draw_legend(plan.legend, frame, theme), (0, frame.legend))


def _with_rows(news: News, rows: str) -> News:
    """A fact with the rows of its callout that found no place on the map."""
    return news.model_copy(update={"aside": rows}) if rows else news
