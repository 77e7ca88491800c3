"""Signposts of a part of a map: chips at its rim that say what lies beyond, in which direction and how many hexes
away."""

from collections.abc import Iterable, Iterator
from math import atan2, hypot, pi
from typing import NamedTuple

from map_render.drawing import text
from map_render.drawing.scene import Scene
from map_render.drawing.theme import Theme
from map_render.theatre.frame import Frame, Point
from map_render.theatre.pieces import Site, pieces_of
from map_render.theatre.placing.room import CALLOUT, Rect, Room
from rules_engine.core.basics.base import HexId

MOST = 4
"""The most signposts on a part."""
SIZE, HIGH = 46, 76
"""The type size on a signpost, and how high it is, drawn."""
LEAD, PIN = 84, 30
"""What its arrow takes before the words, and the radius of the pin of a numbered place, drawn."""
_LONGEST = 460
_FAR = 8
"""Hexes beyond which contacts are left to the whole map."""
_FARTHEST = 14
"""Hexes beyond which nothing is pointed to."""
_APART = pi / 5
"""What signposts without a number do not point nearer to each other than."""


class Outlying(NamedTuple):
    """What a signpost may point to: its hex, how far that is, words from long to short, its ink, and the number of its
    place (0: none)."""

    hex: HexId
    far: int
    wordings: tuple[str, ...]
    ink: str
    number: int = 0


class PlacedPost(NamedTuple):
    """A signpost in its place: what it points to, its box, words, and (dx, dy) of where its arrow points."""

    to: Outlying
    box: Rect
    words: str
    points: Point


def outlying_of(scene: Scene, theme: Theme, frame: Frame) -> list[Outlying]:
    """What of a whole map lies beyond the part of it in a frame, the most important first: numbered places, contacts
    near by, our forces and our places, others' places."""
    beyond = [name for name in scene.board.grid.hexes() if name not in frame.centres]
    pieces = pieces_of(scene, theme, beyond)
    sites = {one.hex: one for one in pieces.places}
    numbered = [
        Outlying(news.hexes[0], _far(scene, frame, news.hexes[0]), (text.plain(news.title),), "news", number)
        for number, news in scene.numbered
        if frame.centres.keys().isdisjoint(news.hexes) and news.hexes[0] in frame.everywhere
    ]
    told = {name for _, news in scene.numbered for name in news.hexes}
    contacts, ours = list[Outlying](), list[Outlying]()
    for stand in (one for one in pieces.stands if one.hex not in told):
        far = _far(scene, frame, stand.hex)
        if stand.others and far <= _FAR:
            owner, group = stand.others[0]
            codes = [one.label for one in group]
            contacts.append(Outlying(stand.hex, far, _wordings(sites.get(stand.hex), codes), scene.look_of(owner).ink))
        elif stand.ours:
            codes = [one.label for one in stand.ours]
            ours.append(Outlying(stand.hex, far, _wordings(sites.get(stand.hex), codes), "text"))
    taken = told | {one.hex for one in (*contacts, *ours)}
    empty = [_place(scene, frame, one) for one in pieces.places if one.name and one.look and one.hex not in taken]
    groups = (numbered, contacts, ours, empty)
    return [to for group in groups for to in sorted(group, key=lambda one: (one.far, one.hex)) if _is_near(to)]


def _is_near(to: Outlying) -> bool:
    return to.far <= _FARTHEST and any(to.wordings)


def _place(scene: Scene, frame: Frame, site: Site) -> Outlying:
    ours = site.look is None or site.look.shape == "plate"
    said = site.name if ours or site.look is None else f"{site.name} ({site.look.emblem})"
    return Outlying(site.hex, _far(scene, frame, site.hex), (said,), "text" if ours or not site.look else site.look.ink)


def _far(scene: Scene, frame: Frame, name: HexId) -> int:
    """How many hexes something is away from the nearest hex that is shown."""
    x, y = frame.everywhere[name]
    nearest = min(frame.centres, key=lambda one: hypot(frame.centres[one][0] - x, frame.centres[one][1] - y))
    return scene.board.grid.distance(name, nearest)


def _wordings(site: Site | None, labels: Iterable[str]) -> tuple[str, ...]:
    codes = [text.plain(label[:12], "?") for label in labels]
    said = " ".join(codes[:2] if len(codes) <= 2 else [codes[0], f"+{len(codes) - 1}"])
    return (f"{site.name} · {said}", said) if site and site.name else (said,)


def place_posts(things: Iterable[Outlying], frame: Frame, room: Room) -> list[PlacedPost]:
    """The signposts that find room at the rim, each as near as possible to where it points."""
    posts: list[PlacedPost] = []
    pointed: list[float] = []
    left, top, right, bottom = frame.sheet
    middle_x, middle_y = (left + right) // 2, (top + bottom) // 2
    for to in things:
        if len(posts) == MOST:
            break
        x, y = frame.everywhere[to.hex]
        angle = atan2(y - middle_y, x - middle_x)
        if not to.number and any(_between(angle, other) < _APART for other in pointed):
            continue
        post = _placed(to, (x - middle_x, y - middle_y), frame, room)
        if post:
            posts.append(post)
            pointed.append(angle)
            room.take(post.box, CALLOUT, f"post {to.hex}")
    return posts


def _between(one: float, other: float) -> float:
    apart = abs(one - other) % (2 * pi)
    return min(apart, 2 * pi - apart)


def _placed(to: Outlying, way: Point, frame: Frame, room: Room) -> PlacedPost | None:
    px, size = frame.px, frame.px(SIZE)
    lead = px(LEAD) + (2 * px(PIN) + px(14) if to.number else 0)
    for wording in to.wordings:
        if wording != to.wordings[-1] and text.width(wording, size) > px(_LONGEST):
            continue
        words = f"{text.elide(wording, size, px(_LONGEST))} · {to.far}"
        half_wide, half_high = (lead + text.width(words, size) + px(26)) // 2, px(HIGH) // 2
        for x, y in _along(frame, way, (half_wide, half_high)):
            box = Rect(x - half_wide, y - half_high, x + half_wide, y + half_high)
            if room.is_free(box.grown(px(8))):
                return PlacedPost(to, box, words, way)
    return None


def _along(frame: Frame, way: Point, half: Point) -> Iterator[Point]:
    """Middles of boxes of that half size along the rim of what is shown, from where a way out crosses it on; none on
    the other side."""
    left, top, right, bottom = frame.sheet
    inset = frame.px(10)
    middle_x, middle_y = (left + right) // 2, (top + bottom) // 2
    out_x, out_y = (right - left) // 2 - half[0] - inset, (bottom - top) // 2 - half[1] - inset
    if out_x <= 0 or out_y <= 0:
        return
    share = min(out_x / max(1, abs(way[0])), out_y / max(1, abs(way[1])))
    at_x, at_y = round(way[0] * share), round(way[1] * share)
    step = frame.px(20)
    rim = [(x, y) for x in range(-out_x, out_x + 1, step) for y in (-out_y, out_y)]
    rim += [(x, y) for y in range(-out_y, out_y + 1, step) for x in (-out_x, out_x)]
    ordered = sorted((hypot(x - at_x, y - at_y), x, y) for x, y in rim if x * way[0] + y * way[1] > 0)
    yield from ((middle_x + x, middle_y + y) for _, x, y in ordered)
