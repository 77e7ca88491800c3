"""Names of places: each where it lies on nothing and nobody takes it for another place's; at last beside a leader."""

from collections.abc import Collection, Iterable, Iterator
from math import cos, hypot, pi, sin
from typing import NamedTuple

from map_render.drawing import text
from map_render.drawing.sprites import Stroke, label, stroke
from map_render.theatre.courses import Drawn
from map_render.theatre.frame import Frame, Point
from map_render.theatre.grounds import name_reach, sign_box
from map_render.theatre.pieces import Site
from map_render.theatre.placing.room import CALLOUT, COUNTER, EVERYTHING, LINE, NAME, PLACE, Rect, Room, TakenRect
from rules_engine.core.basics.base import HexId

LONGEST_NAME = 10
"""Letters to which a name is cut where it finds no room."""
_LONGEST = 26
"""Letters above which a name is always cut."""
_MAIN, _USUAL, _SMALL = 46, 38, 32
"""Type sizes, drawn: of bases and large planets, of other places, and of these where there is little room, as of all
that stand away from their places."""
_AWAY = (1.5, 2.0, 2.6, 3.3, 4.2, 6.0)
"""How far from its place, in hex sizes, a name with a leader begins."""


class PlacedName(NamedTuple):
    """A place's name where it stands: its box, what is drawn, and its leader from there to the place, if it has one."""

    hex: HexId
    box: Rect
    drawn: tuple[Drawn, ...]
    leader: tuple[Point, Point] | None = None


def place_names(
    places: Iterable[Site], frame: Frame, room: Room, *, told: Collection[HexId] | None = None
) -> dict[HexId, PlacedName]:
    """The names of places by hex, the most important first: each below its hex, above it, or beside it.

    What finds no room is cut to ten letters. ``told`` is given when nothing large is placed any more: then names may
    also lie a little farther below, be smaller, or, but for places of which a callout tells already, stand some hexes
    away in small letters with a leader. A name for which all that is full is left out.
    """
    found: dict[HexId, PlacedName] = {}
    for place in sorted(places, key=lambda one: (one.rank, one.hex)):
        named = _with_owner(place, frame, room)
        if not named:
            continue
        writer = _Writer(place, named, frame, room)
        name = writer.beside(_MAIN if place.rank == 0 else _USUAL, farther=told is not None)
        if told is not None:
            if name is None and place.rank > 0:
                name = writer.beside(_SMALL, farther=True)
            if name is None and place.name and place.hex not in told:
                name = writer.away(_SMALL)
        if name is not None:
            found[place.hex] = name
    return found


def _with_owner(place: Site, frame: Frame, room: Room) -> str:
    """The name of a place; with its owner's letter, if a counter stands on the middle of the sign that tells whose it
    is."""
    if place.look is None or place.look.shape == "plate":
        return place.name
    box = sign_box(place, frame)
    covered = not room.is_free(box.grown((box.left - box.right) // 3), COUNTER)
    return f"{place.name} ({place.look.emblem})" if covered and place.name else place.name


class _Spot(NamedTuple):
    """Where a name may stand: its middle, its box, and whether a line or the sign of its own place is beneath, as
    bits."""

    middle: Point
    box: Rect
    beneath: int


class _Writer:
    """Finds a place for one name."""

    def __init__(self, place: Site, named: str, frame: Frame, room: Room) -> None:
        self.place, self.named, self.frame, self.room = place, named, frame, room
        self.whole = f"{named} {place.figure}".strip()
        cut = place.name[: LONGEST_NAME - 1].rstrip() + "…"
        self.short = place.name if len(place.name) <= LONGEST_NAME else cut
        self._looked_up: tuple[Rect, list[TakenRect]] = Rect(0, 0, 0, 0), []

    def beside(self, size: int, *, farther: bool) -> PlacedName | None:
        """The name, letters of that drawn size, beside its place; None if all is full there."""
        pixels = self.frame.px(size)
        tries = (
            (self.whole, EVERYTHING),
            (self.named, EVERYTHING),
            (self.whole, EVERYTHING & ~LINE),
            (self.short, EVERYTHING),
            (self.short, EVERYTHING & ~LINE),
        )
        under: dict[str, list[_Spot]] = {}
        for words, kinds in dict.fromkeys(tries):
            if len(words) > _LONGEST:
                continue
            looked: Iterable[_Spot] = under[words] if words in under else self._looked_at(words, pixels, farther)
            seen: list[_Spot] = []
            for spot in looked:
                if not spot.beneath & (LINE if kinds == EVERYTHING else PLACE):
                    return self._written(words, pixels, spot.box)
                seen.append(spot)
            under[words] = seen
        return None

    def away(self, size: int) -> PlacedName | None:
        """The name some hexes away, with a leader to its place; None if all is full there too."""
        pixels = self.frame.px(size)
        ends = self._ends()
        for words in dict.fromkeys((self.named, self.short)) if ends else ():
            across, down = self._half(words, pixels)
            x, y = self.frame.centres[self.place.hex]
            for out in (reach * self.frame.size for reach in _AWAY):
                for turn in (n * pi / 8 for n in range(16)):
                    to_x = round(x + cos(turn) * (out + across))
                    to_y = round(y + sin(turn) * (out + down))
                    box = Rect(to_x - across, to_y - down, to_x + across, to_y + down)
                    if not box.within(self.frame.field) or not self.room.is_free(box):
                        continue
                    if not self.room.is_free(box.grown(self.frame.px(30)), PLACE):
                        continue  # there it would seem to be another's
                    leader = self._leader(box, ends)
                    if leader:
                        self.room.take_line(*leader, self.frame.px(5), self.place.hex, CALLOUT)
                        return self._written(words, pixels, box, leader)
        return None

    def _written(self, words: str, pixels: int, box: Rect, leader: tuple[Point, Point] | None = None) -> PlacedName:
        self.room.take(box, NAME, self.place.hex)
        (x, y), drawn = box.middle, list[Drawn]()
        if leader:
            (from_x, from_y), (to_x, to_y) = leader
            line = stroke(Stroke(to_x - from_x, to_y - from_y, self.frame.px(4)), "quiet")
            drawn += [Drawn(sprite, from_x, from_y) for sprite in line]
        sprite = label(words, pixels, heavy=True, casing=self.frame.px(7))
        drawn.append(Drawn(sprite, x, y - text.capital_middle(pixels)))
        return PlacedName(self.place.hex, box, tuple(drawn), leader)

    def _half(self, words: str, pixels: int) -> Point:
        """Half the width and half the height that a name takes."""
        edge = self.frame.px(8)
        return text.width(words, pixels, heavy=True) // 2 + edge, round(0.74 * pixels) // 2 + edge

    def _looked_at(self, words: str, pixels: int, farther: bool) -> Iterator[_Spot]:
        """Where beside its place a name lies on nothing else."""
        across, down = self._half(words, pixels)
        first, top, last, bottom = self.frame.field
        spots = self._spots(words, pixels, farther)
        xs, ys = [x for x, _ in spots], [y for _, y in spots]
        near = self._near(Rect(min(xs) - across, min(ys) - down, max(xs) + across, max(ys) + down))
        for x, y in spots:
            left, high, right, low = x - across, y - down, x + across, y + down
            if left < first or high < top or right > last or low > bottom:
                continue
            beneath = 0
            for (one_left, one_top, one_right, one_bottom), kind, of in near:
                if one_left < right and left < one_right and one_top < low and high < one_bottom:
                    if kind != LINE and (kind != PLACE or of != self.place.hex):
                        break
                    beneath |= kind
            else:
                box = Rect(left, high, right, low)
                if not self._seems_anothers(box):
                    yield _Spot((x, y), box, beneath)

    def _near(self, around: Rect) -> list[TakenRect]:
        """What may lie beneath a name. All its places are near each other, the longest words come first, and nothing
        is taken meanwhile: so it is looked up once."""
        area, found = self._looked_up
        if not around.within(area):
            found = self.room.at(around)
            self._looked_up = around, found
        return found

    def _seems_anothers(self, box: Rect) -> bool:
        """Whether a name there would lie as near to another place as to its own."""
        own, (x, y) = sign_box(self.place, self.frame), box.middle
        gap = max(box.left - own.right, own.left - box.right, box.top - own.bottom, own.top - box.bottom, 0)
        far = 1.15 * hypot(x - own.middle[0], y - own.middle[1])
        for taken in self.room.at(box.grown(gap + self.frame.px(8)), PLACE):
            to_x, to_y = taken.box.middle
            if taken.of != self.place.hex and hypot(x - to_x, y - to_y) < far:
                return True
        return False

    def _spots(self, words: str, pixels: int, farther: bool) -> list[Point]:
        """Where the middle of a name's capitals may lie."""
        x, y = self.frame.centres[self.place.hex]
        reach = name_reach(self.place, self.frame)
        far = reach + round(0.6 * pixels)
        aside = reach + text.width(words, pixels, heavy=True) // 2 + round(0.25 * pixels)
        slide = round(0.8 * self.frame.size)
        return [
            (x, y + far), (x, y - far), (x + slide, y + far), (x - slide, y + far), (x + aside, y), (x - aside, y),
            (x + slide, y - far), (x - slide, y - far), (x, y + far + pixels), (x, y - far - pixels),
            (x + 2 * slide, y + far), (x - 2 * slide, y + far),
            (x + aside, y + pixels // 2), (x - aside, y + pixels // 2),
            *((x + side * slide, y + far + pixels // 2) for side in (0, -1, 1, -2, 2) if farther),
        ]  # fmt: skip

    def _ends(self) -> list[Point]:
        """Where a leader may end: on its hex where nobody's counter, word or box lies, or at the edge of a counter of
        this hex that stands on its middle."""
        x, y = self.frame.centres[self.place.hex]
        out, dot = 0.66 * self.frame.size, self.frame.px(8)
        turns = (n * pi / 8 for n in range(16))
        ends = [(round(x + out * cos(turn)), round(y + out * sin(turn))) for turn in turns]
        free = [at for at in ends if self._is_free(*at, dot)]
        for taken in self.room.at(Rect(x - dot, y - dot, x + dot, y + dot), COUNTER):
            (to_x, to_y), box = taken.box.middle, taken.box.grown(dot + 2)
            edge = [(x, to_y) for x in (box.left, box.right)] + [(to_x, y) for y in (box.top, box.bottom)]
            free += [at for at in edge if taken.of == self.place.hex and self._is_free(*at, dot)]
        return free

    def _is_free(self, x: int, y: int, half: int) -> bool:
        """Whether a leader may end there."""
        return self.room.is_free(Rect(x - half, y - half, x + half, y + half), COUNTER | NAME | CALLOUT)

    def _leader(self, box: Rect, ends: list[Point]) -> tuple[Point, Point] | None:
        """(start, end) of a short leader from a name that crosses no counter, word, box or other place's sign."""
        joined = [((min(max(x, box.left), box.right), min(max(y, box.top), box.bottom)), (x, y)) for x, y in ends]
        joined.sort(key=lambda one: hypot(one[0][0] - one[1][0], one[0][1] - one[1][1]))
        half, own = self.frame.px(6), frozenset({self.place.hex})
        for start, end in joined[:5]:
            if self.room.is_clear(start, end, half, COUNTER | NAME | CALLOUT, but=frozenset()) and self.room.is_clear(
                start, end, half, PLACE, but=own
            ):
                return start, end
        return None
