"""Clusters: the counters of one system or of one group under way, drawn beside each other as one piece."""

from collections.abc import Callable
from typing import NamedTuple

from map_render.drawing import text
from map_render.drawing.contacts import contact, reach_of
from map_render.drawing.plates import bar_height, plate, plate_width
from map_render.drawing.scene import Scene
from map_render.drawing.sprites import Sprite, burst, label
from map_render.drawing.theme import Theme
from map_render.lanes.frame import LaneFrame
from map_render.theatre.groups import contact_of, plate_of
from map_render.theatre.pieces import Stand, is_old
from map_render.theatre.placing.room import Rect
from rules_engine.core.knowledge.views import Counter

MOST_PLATES, MOST_SIGNS = 4, 3
"""Own plates, and signs of one other owner, that are drawn one by one; more are one for all."""
CODE, NOTE = 50, 38
"""Type sizes of a contact's number and of what is said of a group, drawn."""


class Bit(NamedTuple):
    """A part of a cluster: its sprite, where its anchor lies, and its box, both from the cluster's middle."""

    sprite: Sprite
    x: int
    y: int
    box: Rect


class Cluster(NamedTuple):
    """Counters that stand together, around their middle, and the counters that they are."""

    bits: tuple[Bit, ...]
    box: Rect
    ids: tuple[str, ...]


class ClusterMaker:
    """Makes clusters for one map; ``brief`` ones without what is said of them."""

    def __init__(self, scene: Scene, theme: Theme, frame: LaneFrame, *, brief: bool = False) -> None:
        self.scene, self.theme, self.frame, self.brief = scene, theme, frame, brief

    def ways(self, stand: Stand, said: str = "") -> list[Cluster]:
        """The ways in which the counters of a stand may be drawn with what is ``said`` of them, the best first: ours at
        the left and theirs at the right, or ours above theirs; each of theirs, or one sign for all of one owner."""
        few = all(len(some) == 1 for _, some in stand.others)
        forms = [(MOST_SIGNS, False), *([] if few else [(1, False)])]
        if stand.others and (stand.ours or len(stand.others) > 1):
            forms += [(most, True) for most, _ in forms]
        made = [self._cluster(stand, said, most, stacked=stacked) for most, stacked in forms]
        return [one for one in made if one is not None]

    def _cluster(self, stand: Stand, said: str, most: int, *, stacked: bool) -> Cluster | None:
        gap = self.frame.px(8)
        plates = self._plates(stand)
        ours = [_column([_row(plates[at : at + 2], gap) for at in range(0, len(plates), 2)], gap)] if plates else []
        theirs = [self._signs(some, most) for _, some in stand.others]
        if said and not self.brief:
            theirs.append([self._word(said, CODE if not stand.others else NOTE, "text")])
        if stand.battle:
            ours.append([self._burst()])
        if stacked and ours:
            bits = _column([_row(ours, gap), _row(theirs, gap)], gap)
        elif stacked:
            bits = _column(theirs, gap)
        else:
            bits = _row([*ours, *theirs], gap)
        if not bits:
            return None
        x, y = _around(bits).middle
        moved = tuple(bit._replace(x=bit.x - x, y=bit.y - y, box=bit.box.moved(-x, -y)) for bit in bits)
        return Cluster(moved, _around(list(moved)), tuple(one.id for one in stand.counters))

    def _plates(self, stand: Stand) -> list[list[Bit]]:
        ours = stand.ours
        if len(ours) <= MOST_PLATES:
            return [[self._plate((one,))] for one in ours]
        rest = ours[MOST_PLATES - 1 :]
        return [*([self._plate((one,))] for one in ours[: MOST_PLATES - 1]), [self._plate(rest, f"+{len(rest)}")]]

    def _plate(self, some: tuple[Counter, ...], code: str = "") -> Bit:
        look = plate_of(self.scene, self.theme, some, self.frame.plate)
        look = look._replace(code=code or look.code)
        wide, high = plate_width(look), look.high
        low = bar_height(high) if look.whole is not None and look.whole < 100 else 0
        box = Rect(-(wide // 2) - 3, -(high // 2) - 3, wide - wide // 2 + 3, high - high // 2 + 3 + low)
        return Bit(plate(look), 0, 0, box)

    def _signs(self, some: tuple[Counter, ...], most: int) -> list[Bit]:
        """Signs of one owner below each other, each with its number; of more than that the first, and how many there
        are."""
        if len(some) <= most:
            return _column([self._sign(one, text.plain(one.label[:12], "?")) for one in some], 0)
        return self._sign(some[0], f"×{len(some)}")

    def _sign(self, one: Counter, code: str) -> list[Bit]:
        old = is_old(self.scene, one)
        r = self.frame.px(36) if old else self.frame.contact
        look = contact_of(self.scene, self.theme, one, r, old=old, new=one.changed)
        reach = reach_of(look)
        sign = Bit(contact(look), 0, 0, Rect(-reach, -reach, reach, reach))
        age = f"{code} {one.age} t" if one.age else code
        word = self._word(age, NOTE, "quiet") if old else self._word(age, CODE, "text")
        if old and self.brief:
            return [sign]
        return _row([[sign], [word]], self.frame.px(2))

    def _word(self, words: str, drawn: int, ink: str) -> Bit:
        size = self.frame.px(drawn)
        heavy = ink == "text"
        sprite = label(words, size, ink, heavy=heavy, casing=self.frame.px(7))
        half, high = text.width(words, size, heavy) // 2 + 2, round(0.4 * size) + 2
        return Bit(sprite, 0, -text.capital_middle(size), Rect(-half, -high, half, high))

    def _burst(self) -> Bit:
        r = self.frame.px(40)
        return Bit(burst(r, True), 0, 0, Rect(-r, -r, r, r))


def _laid(groups: list[list[Bit]], gap: int, place: Callable[[Rect, int], tuple[int, int, int]]) -> list[Bit]:
    out: list[Bit] = []
    at = 0
    for group in filter(None, groups):
        x, y, far = place(_around(group), at)
        out += [bit._replace(x=bit.x + x, y=bit.y + y, box=bit.box.moved(x, y)) for bit in group]
        at += far + gap
    return out


def _row(groups: list[list[Bit]], gap: int) -> list[Bit]:
    """Groups beside each other, their middles level."""
    return _laid(groups, gap, lambda box, at: (at - box.left, -box.middle[1], box.right - box.left))


def _column(groups: list[list[Bit]], gap: int) -> list[Bit]:
    """Groups below each other, their left edges in line."""
    return _laid(groups, gap, lambda box, at: (-box.left, at - box.top, box.bottom - box.top))


def _around(bits: list[Bit]) -> Rect:
    lefts, tops, rights, bottoms = zip(*(bit.box for bit in bits), strict=True)
    return Rect(min(lefts), min(tops), max(rights), max(bottoms))
