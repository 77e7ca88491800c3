"""Names of systems: each on the side where most room is between its lanes, and none upon anything else."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import atan2, cos, pi, sin
from typing import NamedTuple

from map_render.drawing import text
from map_render.drawing.cache import kept
from map_render.drawing.scene import Scene
from map_render.drawing.sprites import Sprite, label
from map_render.lanes.frame import LaneFrame
from map_render.lanes.galaxies import GalaxyFrame
from map_render.lanes.graph import LaneGraph
from map_render.lanes.pieces import LaneSite
from map_render.lanes.placing.beside import edge_of
from map_render.lanes.signs import reach_of
from map_render.theatre.placing.room import EVERYTHING, LINE, NAME, Rect, Room
from rules_engine.core.basics.base import HexId

CAPITAL, OWNED, FREE, REGION, GALAXY = 58, 41, 34, 54, 50
"""Type sizes, drawn: of a capital's name, of another system's of somebody, of one of nobody, of a sector, and of a
galaxy."""
LONGEST_NAME = 10
"""Letters to which a name is cut where it finds no room."""
_AWAY = (26, 48, 76, 110, 150, 200)
"""How far from its system a name with a line may begin."""
_LONGEST = 18
"""Letters above which it is always cut."""
_PREFERRED = (pi / 2, 0.0, pi, -pi / 2, pi / 4, 3 * pi / 4, -pi / 4, -3 * pi / 4)
"""Below, right, left, above, then aslant."""


class WordLook(NamedTuple):
    """Words in a type size, in pixels, and an ink."""

    words: str
    size: int
    ink: str
    heavy: bool


class PlacedWord(NamedTuple):
    """A name where it stands: of which place it is, its box, its sprite with the anchor, and the line to its place."""

    of: HexId
    words: str
    box: Rect
    sprite: Sprite
    x: int
    y: int
    leader: tuple[tuple[int, int], tuple[int, int]] | None = None


def place_names(
    sites: Iterable[LaneSite], graph: LaneGraph, frame: LaneFrame, room: Room, turns: Mapping[HexId, Sequence[float]]
) -> list[PlacedWord]:
    """The names of systems, the most important first; one that finds no room even when it is cut is left out."""
    found: list[PlacedWord] = []
    for site in sorted(sites, key=lambda one: (not one.is_capital, one.look is None, one.id)):
        size = CAPITAL if site.is_capital else OWNED if site.look else FREE
        ink, heavy = ("text", True) if site.look else ("quiet", False)
        cut = site.name if len(site.name) <= LONGEST_NAME else f"{site.name[: LONGEST_NAME - 1].rstrip()}…"
        whole = site.name if len(site.name) <= _LONGEST else cut
        sides = _sides(tuple(turns.get(site.id, ())))
        tries = ((whole, size, EVERYTHING), (whole, size, EVERYTHING & ~LINE), (cut, size, EVERYTHING & ~LINE))
        tries += ((cut, round(0.8 * size), EVERYTHING & ~LINE),)
        for words, drawn, kinds in dict.fromkeys(tries):
            look = WordLook(words, frame.px(drawn * frame.swell), ink, heavy)
            word = _written(site, look, frame, sides, lambda box, kinds=kinds: room.is_free(box, kinds))
            word = word or (_led(site, look, frame, room) if drawn < size else None)
            if word:
                room.take(word.box, NAME, site.id)
                found.append(word)
                break
    return found


def _led(site: LaneSite, look: WordLook, frame: LaneFrame, room: Room) -> PlacedWord | None:
    """A name that stands away from its system, with a line to it."""
    words, size, ink, heavy = look
    half, high = text.width(words, size, heavy) // 2 + frame.px(5), round(0.4 * size) + frame.px(4)
    reach = frame.px(reach_of(site))
    x, y = frame.spots[site.id]
    for out in _AWAY:
        for turn in (n * pi / 8 for n in range(16)):
            far = reach + frame.px(out)
            to_x, to_y = round(x + cos(turn) * (far + half)), round(y + sin(turn) * (far + high))
            box = Rect(to_x - half, to_y - high, to_x + half, to_y + high)
            if not box.within(frame.field) or not room.is_free(box, EVERYTHING & ~LINE):
                continue
            start = edge_of(box, (x, y))
            end = round(x + cos(turn) * reach), round(y + sin(turn) * reach)
            if room.is_clear(start, end, frame.px(3), EVERYTHING & ~LINE, but=frozenset({site.id})):
                room.take_line(start, end, frame.px(4), site.id, NAME)
                sprite = label(words, size, ink, heavy=heavy, casing=frame.px(7))
                top = to_y - text.capital_middle(size)
                return PlacedWord(site.id, words, box, sprite, to_x, top, (start, end))
    return None


def _written(
    site: LaneSite, look: WordLook, frame: LaneFrame, sides: Sequence[float], is_free: Callable[[Rect], bool]
) -> PlacedWord | None:
    words, size, ink, heavy = look
    half, high = text.width(words, size, heavy) // 2 + frame.px(5), round(0.4 * size) + frame.px(4)
    reach = frame.px(reach_of(site))
    x, y = frame.spots[site.id]
    for out in (frame.px(5), frame.px(22)):
        for turn in sides:
            to_x, to_y = _at(turn, reach + out, half, high)
            box = Rect(x + to_x - half, y + to_y - high, x + to_x + half, y + to_y + high)
            if box.within(frame.field) and is_free(box):
                sprite = label(words, size, ink, heavy=heavy, casing=frame.px(7))
                return PlacedWord(site.id, words, box, sprite, x + to_x, y + to_y - text.capital_middle(size))
    return None


def _at(turn: float, far: int, half: int, high: int) -> tuple[int, int]:
    """The middle of a name in that direction from a sign. Names beside a sign lie level with it; those aslant begin
    or end at its corner."""
    x, y = cos(turn), sin(turn)
    across = (
        round(x * (far + half)) if abs(x) > 0.9 or abs(y) > 0.9 else round((1 if x > 0 else -1) * (0.6 * far + half))
    )
    return across, round(y * (far + high) if abs(y) > 0.1 else 0)


@kept(512)
def _sides(turns: tuple[float, ...]) -> list[float]:
    """The directions for a name, those first that lie farthest from all lanes. Do not change what is returned."""

    def room(side: float) -> float:
        return min((abs(atan2(sin(side - one), cos(side - one))) for one in turns), default=pi)

    # Beyond a right angle it makes no difference: then the usual side is taken.
    return sorted(_PREFERRED, key=lambda one: (-round(min(room(one), pi / 2) * 4), _PREFERRED.index(one)))


def place_galaxies(frames: Iterable[GalaxyFrame], frame: LaneFrame, room: Room) -> list[PlacedWord]:
    """The names of galaxies on the lines around them: at the top, else at the bottom, where nothing else is."""
    found: list[PlacedWord] = []
    size = frame.px(GALAXY)
    for one in frames:
        words = text.plain(one.name)[:_LONGEST].upper()
        half, high = text.width(words, size, True) // 2 + frame.px(10), round(0.45 * size) + frame.px(4)
        left, right = one.box.left + half + frame.px(50), one.box.right - half - frame.px(50)
        steps = range(left, max(left, right) + 1, max(1, frame.px(60)))
        tries = [Rect(x - half, y - high, x + half, y + high) for y in (one.box.top, one.box.bottom) for x in steps]
        moved = (box.moved(0, max(0, frame.field[1] + frame.px(6) - box.top)) for box in tries)
        free = next((box for box in moved if box.within(frame.field) and room.is_free(box, EVERYTHING & ~LINE)), None)
        if free:
            room.take(free, NAME, f"galaxy {one.name}")
            sprite = label(words, size, "quiet", 9, heavy=True, casing=frame.px(12))
            x, y = free.middle
            found.append(PlacedWord("", words, free, sprite, x, y - text.capital_middle(size)))
    return found


def place_regions(scene: Scene, frame: LaneFrame, room: Room, frames: Sequence[GalaxyFrame]) -> list[PlacedWord]:
    """The names of sectors, large and faint, amid their systems where nothing else is, within the line around their
    galaxy; none where there is but one."""
    chart = scene.board.chart
    if chart is None or len(chart.regions) < 2:
        return []
    found: list[PlacedWord] = []
    size = frame.px(REGION)
    for one in chart.regions:
        spots = [frame.spots[name] for name in one.systems if name in frame.spots]
        words = text.plain(one.name)[:_LONGEST].upper()
        if len(spots) < 2 or not words or one.level != "sector":
            continue
        x, y = sum(spot[0] for spot in spots) // len(spots), sum(spot[1] for spot in spots) // len(spots)
        half, high = text.width(words, size, True) // 2 + frame.px(8), round(0.45 * size) + frame.px(6)
        tries = (
            (x + round(far * frame.px(50) * cos(n * step)), y + round(far * frame.px(40) * sin(n * step)))
            for step in (pi / 4, pi / 8)
            for far in range(9)
            for n in range(round(2 * pi / step))
        )
        boxes = (Rect(a - half, b - high, a + half, b + high) for a, b in tries)
        around = next((other.box for other in frames if Rect(x, y, x, y).within(other.box)), frame.field)
        free = next((box for box in boxes if box.within(around) and room.is_free(box)), None)
        if free:
            room.take(free, NAME, f"sector {one.name}")
            sprite = label(words, size, "quiet", 6, heavy=True, casing=0)
            x, y = free.middle
            found.append(PlacedWord("", words, free, sprite, x, y - text.capital_middle(size)))
    return found
