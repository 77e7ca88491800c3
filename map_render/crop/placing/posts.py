"""Signposts: chips at the rim of a crop that say what lies beyond it, in which direction and how many hexes away."""

from collections.abc import Iterable
from math import atan2, cos, pi, sin
from typing import NamedTuple

from map_render.crop.box import Box
from map_render.crop.frame import CropFrame
from map_render.crop.placing.lettering import NOTE
from map_render.crop.placing.room import CropRoom, around
from map_render.crop.signs import NEWS
from map_render.crop.stands import HexStand, PlaceSign
from map_render.drawing import text
from map_render.drawing.scene import Scene
from rules_engine.core.basics.base import HexId

MOST = 4
"""The most signposts on a crop."""

HIGH = 50
"""Pixels that a signpost is high."""

SIZE = NOTE + 2
"""The type size on a signpost."""

LEAD = 58
"""Pixels that its arrow takes before the words."""

PIN = 18
"""The radius of the pin on a signpost that points to a numbered place."""

_APART = pi / 5  # signposts of less weight do not point in nearly the same direction
_FAR = 8  # hexes beyond which contacts of others are left to the map
_FARTHEST = 12  # hexes beyond which nothing is pointed to
_RIM = 12
_LONGEST = 330
_ALMOST_NOTHING = 1e-9


class Goal(NamedTuple):
    """What a signpost may point to: the hex, wordings from long to short without the distance, its ink, and the number
    of its place (0: none)."""

    hex: HexId
    wordings: tuple[str, ...]
    ink: str
    number: int = 0


class Signpost(NamedTuple):
    """A signpost: its box, words, where it points (in sixteenths of a turn, clockwise from the right), ink, number."""

    box: Box
    words: str
    turn: int
    ink: str
    number: int = 0

    @property
    def arrow(self) -> tuple[int, int]:
        """(dx, dy) of where it points."""
        return round(1000 * cos(self.turn * pi / 8)), round(1000 * sin(self.turn * pi / 8))


def goals_of(
    scene: Scene, frame: CropFrame, stands: dict[HexId, HexStand], places: dict[HexId, PlaceSign], drawn: set[HexId]
) -> list[Goal]:
    """What may be pointed to, the most important first: other numbered places, contacts near by, our forces and places,
    others' places."""
    board = scene.board
    away = {name: far_from(scene, frame, name) for name in (*stands, *places)}
    goals: list[Goal] = []
    distant: list[Goal] = []
    for number, news in enumerate(board.news, 1):
        beyond = [name for name in news.hexes if name in board.grid]
        if beyond and not any(name in drawn or name in frame.focus for name in beyond):
            title, battle = (
                _without_number(news.title, places),
                any(stands[name].battle for name in beyond if name in stands),
            )
            words = (f"{title} · battle", title) if battle and "battle" not in title.lower() else (title,)
            far_off = far_from(scene, frame, beyond[0])
            if far_off > _FARTHEST:
                continue
            (goals if far_off <= _FAR else distant).append(Goal(beyond[0], words, NEWS, number))
    told = {name for news in board.news for name in news.hexes}
    far = sorted((name for name in stands if name not in drawn and name not in told), key=lambda one: (away[one], one))
    for name in far:
        here = [one for one in stands[name].shapes if not one.is_dim and one.piece.form != "minefield"]
        if here and away[name] <= _FAR:
            goals.append(Goal(name, _wordings(places.get(name), [one.code for one in here]), here[0].look.ink))
    known = [*goals, *_known(scene, stands, places, drawn, away), *distant]
    return [goal for goal in known if goal.hex not in frame.focus]


def _known(
    scene: Scene,
    stands: dict[HexId, HexStand],
    places: dict[HexId, PlaceSign],
    drawn: set[HexId],
    away: dict[HexId, int],
) -> list[Goal]:
    """Our forces and places, and others' places: those near by first, forces in a place before others."""
    own = next((look.key for look in scene.side_looks.values() if look.shape == "plate"), "")
    ranked: list[tuple[tuple[bool, int, int, HexId], Goal]] = []
    for name in sorted({*stands, *places} - drawn):
        place, plates = places.get(name), stands[name].plates if name in stands else []
        theirs = place is not None and place.look is not None and place.look.key != own
        if plates:
            rank, goal = 0 if place else 2, Goal(name, _wordings(place, [one.code for one in plates]), "text")
        elif place is None or not place.name or place.look is None:
            continue
        elif theirs:
            rank, goal = 1, Goal(name, (f"{place.name} ({place.look.emblem})",), place.look.ink)
        else:
            rank, goal = 3, Goal(name, (place.name,), "text")
        ranked.append(((away[name] > _FAR, rank, away[name], name), goal))
    return [goal for (_, _, far, _), goal in sorted(ranked, key=lambda one: one[0]) if far <= _FARTHEST]


def _without_number(title: str, places: dict[HexId, PlaceSign]) -> str:
    """A title without the hex number after a place's name."""
    words = text.plain(title)
    head, _, tail = words.rpartition(" ")
    return head if tail in places and places[tail].name == head else words


def far_from(scene: Scene, frame: CropFrame, name: HexId) -> int:
    """How many hexes away something is from what the crop is about."""
    return min(scene.board.grid.distance(name, one) for one in frame.focus)


def _wordings(place: PlaceSign | None, found: list[str]) -> tuple[str, ...]:
    short = found[:2] if len(found) <= 2 else [found[0], f"+{len(found) - 1}"]  # two codes fit
    said = " ".join(short)
    if place is None or not place.name:
        return (said,)
    return f"{place.name} · {said}", said


def posts_of(room: CropRoom, scene: Scene, frame: CropFrame, goals: Iterable[Goal]) -> list[Signpost]:
    """The signposts that find room at the rim, each as near as possible to where it points."""
    posts: list[Signpost] = []
    pointed: list[tuple[HexId, float]] = []
    left, top, right, bottom = frame.bounds
    middle = ((left + right) // 2, (top + bottom) // 2)
    for goal in goals:
        if len(posts) == MOST:
            break
        x, y = frame.centres[goal.hex]
        angle = atan2(y - middle[1], x - middle[0])
        if any(name == goal.hex for name, _ in pointed):
            continue
        if not goal.number and any(_between(angle, other) < _APART for _, other in pointed):
            continue
        post = _placed(room, frame, goal, angle, far_from(scene, frame, goal.hex))
        if post is not None:
            posts.append(post)
            pointed.append((goal.hex, angle))
            room.take(post.box)
    return posts


def _between(one: float, other: float) -> float:
    apart = abs(one - other) % (2 * pi)
    return min(apart, 2 * pi - apart)


def _placed(room: CropRoom, frame: CropFrame, goal: Goal, angle: float, far: int) -> Signpost | None:
    left, top, right, bottom = frame.bounds
    lead = LEAD + (2 * PIN + 8 if goal.number else 0)
    for wording in goal.wordings:
        if wording != goal.wordings[-1] and text.width(wording, SIZE) > _LONGEST:
            continue
        words = f"{text.elide(wording, SIZE, _LONGEST)} · {far}"
        wide = text.width(words, SIZE) + lead + 22
        room_x, room_y = (right - left - wide) // 2 - _RIM, (bottom - top - HIGH) // 2 - _RIM
        if room_x < 0:
            continue
        for x, y in _along(angle, room_x, room_y, sides=goal.number > 0):
            box = around((left + right) // 2 + x, (top + bottom) // 2 + y, wide, HIGH)
            if room.is_free(box, 4):
                return Signpost(box, words, round(angle * 8 / pi) % 16, goal.ink, goal.number)
    return None


def _along(angle: float, half_wide: int, half_high: int, *, sides: bool) -> Iterable[tuple[int, int]]:
    """Points of a rectangle's rim around the origin: along its top or bottom, whichever is nearer to a direction, those
    nearest to it first; then along its ``sides``, as near to that corner as can be."""
    ux, uy = cos(angle), sin(angle)
    upright = -1 if uy < 0 else 1
    share = min(
        half_wide / abs(ux) if abs(ux) > _ALMOST_NOTHING else float("inf"),
        half_high / abs(uy) if abs(uy) > _ALMOST_NOTHING else float("inf"),
    )
    at = round(ux * share)
    rim = sorted((abs(x - at), x) for x in range(-half_wide, half_wide + 1, 12))
    found = [(x, upright * half_high) for off, x in rim if off <= half_wide]
    if not sides:
        return found
    aside = -half_wide if ux < 0 else half_wide
    return [*found, *((aside, upright * y) for y in range(half_high, half_high // 3, -12))]
