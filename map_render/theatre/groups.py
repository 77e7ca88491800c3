"""Groups: how the counters of one hex are drawn together, own on the left, others on the right, none over another."""

from collections.abc import Iterable
from typing import NamedTuple

from map_render.drawing import text
from map_render.drawing.contacts import ContactLook, contact
from map_render.drawing.palette import FULL
from map_render.drawing.plates import PlateLook, bar_height, plate, plate_width
from map_render.drawing.scene import Scene
from map_render.drawing.shapes import GLYPHS, CounterShape
from map_render.drawing.sprites import Sprite, burst
from map_render.drawing.theme import Theme
from map_render.theatre.boxes import TITLE, box_of_counters, title_height
from map_render.theatre.frame import Frame
from map_render.theatre.pieces import Old, Stand
from map_render.theatre.placing.room import Rect
from rules_engine.core.knowledge.views import Counter


class Part(NamedTuple):
    """One counter of a group: its sprite, where it stands in the group, its body as a box, its shape, whether it is
    somebody else's, and the counters it stands for."""

    sprite: Sprite
    x: int
    y: int
    box: Rect
    shape: CounterShape
    foe: bool
    ids: tuple[str, ...]


_OTHERWISE, _BELOW, _UNCOUNTED = 0.6, 3.0, 10.0
"""What it costs to be drawn otherwise than is best, with theirs below ours, and with no number of ships."""


class Grouping(NamedTuple):
    """A way in which a hex may be drawn: its counters, and how much worse it is than the best, as if it stood so many
    hexes farther away. The first part of what is ``boxed`` is the box."""

    parts: list[Part]
    cost: float = 0.0
    boxed: bool = False


class Maker:
    """Makes the groups in which counters are drawn."""

    def __init__(self, scene: Scene, theme: Theme, frame: Frame) -> None:
        self.scene, self.theme, self.frame = scene, theme, frame

    def ways(self, stand: Stand) -> list[Grouping]:
        """The ways in which a hex may be drawn, the best first."""
        foes = self._foes(stand)
        high = self.frame.plate
        if foes or len(stand.ours) < 2:
            return [self._finished(way, stand) for way in self._with_foes(stand, foes)]
        ways: list[list[Part]] = []
        single = [[self.plate((one,), docked=place == 0)] for place, one in enumerate(stand.ours)]
        if len(single) <= 2:
            ways.append(_row(single, round(0.12 * high)))
        if len(single) <= (3 if self.frame.size > high else 2):
            ways.append(_column(single, round(0.16 * high)))
        ways.append([self.plate(stand.ours)])
        return [self._finished(Grouping(way, _OTHERWISE * place), stand) for place, way in enumerate(ways)]

    def boxed(self, stand: Stand) -> list[Grouping]:
        """The ways in which a hex may be drawn beside it where it has no room: in a box with its number."""
        return [way._replace(parts=self._in_box(way.parts, stand.hex), boxed=True) for way in self.ways(stand)]

    def _in_box(self, parts: list[Part], title: str) -> list[Part]:
        pad, head = self.frame.px(12), title_height(self.frame)
        inside = _around(parts)
        wide = max(inside.right - inside.left, text.width(title, self.frame.px(TITLE), heavy=True)) + 2 * pad
        high = inside.bottom - inside.top + head + pad
        box = Rect(-(wide // 2), -(high // 2), wide - wide // 2, high - high // 2)
        panel = Part(box_of_counters(title, (wide, high), self.frame), 0, 0, box, "plate", foe=False, ids=())
        x, down = inside.middle[0], box.bottom - pad - inside.bottom
        return [panel, *(part._replace(x=part.x - x, y=part.y + down) for part in parts)]

    def _finished(self, way: Grouping, stand: Stand) -> Grouping:
        parts = _balanced(way.parts) if stand.contested else _centred(way.parts)
        return way._replace(parts=self._with_burst(parts, stand))

    def _with_foes(self, stand: Stand, foes: list[Part]) -> Iterable[Grouping]:
        """Ours on the left and theirs on the right; where there is no room for that, ours above and theirs below or the
        other way round, and at last with no number of ships, which the callout says."""
        high = self.frame.plate
        gap = round(0.06 * high)
        beside = _row([[one] for one in self._signs(stand)], gap)
        if not stand.ours:
            yield Grouping(foes)
            if len(foes) > 1:
                yield Grouping(beside, _OTHERWISE)
            return
        together_costs = _OTHERWISE
        if foes and 1 < len(stand.ours) <= 2 and self.frame.size > high:
            together_costs = 2 * _OTHERWISE
            ours = _column([[self.plate((one,), round(0.86 * high))] for one in stand.ours], round(0.14 * high))
            yield Grouping(_row([ours, _level(foes, ours)], gap))
        for ships in (True, False)[: len(foes) + 1]:
            together = [self.plate(stand.ours, ships=ships)]
            least = together_costs if ships else _UNCOUNTED
            yield Grouping(_row([together, foes], gap), least)
            if foes:
                rows = [_centred(together), _centred(beside)]
                yield Grouping(_column(rows, 0), least + _BELOW)
                yield Grouping(_column(rows[::-1], 0), least + _BELOW + _OTHERWISE)

    def plate(self, ours: tuple[Counter, ...], high: int = 0, *, docked: bool = True, ships: bool = True) -> Part:
        """One plate for all of these, with the code of the largest and the number of ships of all."""
        first = ours[0]
        look = plate_of(self.scene, self.theme, ours, high or self.frame.plate)
        look = look._replace(docked=look.docked and docked, ships=look.ships if ships else "")
        sprite, wide = plate(look), plate_width(look)
        low = bar_height(look.high) if look.whole is not None and look.whole < 100 else 0
        box = Rect(-(wide // 2) - 3, -(look.high // 2) - 3, wide - wide // 2 + 3, look.high - look.high // 2 + 3 + low)
        return Part(sprite, 0, 0, box, "plate", foe=first.owner != self.scene.own, ids=tuple(one.id for one in ours))

    def contact(self, some: tuple[Counter, ...], r: int, *, old: bool = False) -> Part:
        """One sign for contacts of one owner, that of the newest and best known."""
        look = contact_of(self.scene, self.theme, some[0], r, old=old, new=any(one.changed for one in some))
        reach = round(r * (1.3 if look.new else 1.06))
        return Part(
            contact(look),
            0,
            0,
            Rect(-reach, -reach, reach, reach),
            look.shape,
            foe=True,
            ids=tuple(one.id for one in some),
        )

    def _foes(self, stand: Stand) -> list[Part]:
        """A sign for each other owner, in columns of two."""
        signs = self._signs(stand)
        if len(signs) <= 1:
            return signs
        return _row([_column([[one] for one in signs[n : n + 2]], 0) for n in range(0, len(signs), 2)], 4)

    def _signs(self, stand: Stand) -> list[Part]:
        return [self.contact(group, self.frame.contact) for _, group in stand.others]

    def _with_burst(self, parts: list[Part], stand: Stand) -> list[Part]:
        """The parts, with the sign of a battle above them and behind no counter."""
        if not stand.battle:
            return parts
        r = self.frame.px(46)
        top = min((part.y + part.box.top for part in parts), default=0)
        y = top - round(0.8 * r) if parts else 0
        sign = Part(burst(r, True), 0, y, Rect(-r, -r, r, r), "disc", foe=False, ids=())
        return [*parts, sign]

    def old(self, of: Old) -> list[Grouping]:
        """How gathered sightings are drawn."""
        r = round(0.88 * self.frame.contact)
        return [Grouping([self.contact(of.members, r, old=True)])]


def plate_of(scene: Scene, theme: Theme, ours: tuple[Counter, ...], high: int) -> PlateLook:
    """The plate of some own counters in one hex."""
    first = ours[0]
    known = [one.ships for one in ours if one.ships is not None]
    left = [(one.whole, one.ships or 1) for one in ours if one.whole is not None]
    whole = round(sum(part * ships for part, ships in left) / sum(ships for _, ships in left)) if left else None
    glyph = theme.form_look(first.form).glyph
    size = round(0.68 * high)
    code = text.elide(
        _code_of(text.plain(first.label[:40], text.plain(first.id[:12], "?"))), size, 4 * high, heavy=True
    )
    ships = str(sum(known)) if known else ""
    glyph = glyph if glyph in GLYPHS else ""
    ink = scene.look_of(first.owner).ink
    return PlateLook(code, ships[:4], ink, high, whole, all(one.docked for one in ours), glyph=glyph)


def _code_of(label: str) -> str:
    """What stands on a plate: the label, or of several long words their initials (Police Cutter: PC)."""
    words = label.split()
    return label if len(label) <= 7 or len(words) < 2 else "".join(word[0] for word in words[:3]).upper()


def contact_of(
    scene: Scene, theme: Theme, one: Counter, r: int, *, old: bool = False, new: bool = False
) -> ContactLook:
    """The sign of a contact."""
    look, glyph = scene.look_of(one.owner), theme.form_look(one.form).glyph
    shape: CounterShape = "disc" if glyph == "mines" else look.shape
    if shape == "plate":
        shape = "disc"
    writing = "?" if one.grade == 0 and glyph != "mines" and not look.is_lettered else look.emblem
    sign = ""
    named = one.grade != 0 or glyph == "mines"  # a minefield that is found is known to be one
    if glyph in GLYPHS and glyph not in ("none", "dot") and named and not look.is_lettered:
        writing, sign = "", glyph
    grade = None if glyph == "mines" and not old else one.grade
    return ContactLook(
        shape, look.ink, r if glyph != "mines" else round(0.7 * r), writing, grade, old, new, sign, 10 if old else FULL
    )


def _row(groups: list[list[Part]], gap: int) -> list[Part]:
    """Groups beside each other."""
    out: list[Part] = []
    x = 0
    for group in groups:
        if group:
            left = min(part.x + part.box.left for part in group)
            right = max(part.x + part.box.right for part in group)
            out += [part._replace(x=part.x + x - left) for part in group]
            x += right - left + gap
    return out


def _column(groups: list[list[Part]], gap: int) -> list[Part]:
    """Groups below each other."""
    out: list[Part] = []
    y = 0
    for group in groups:
        if group:
            top = min(part.y + part.box.top for part in group)
            bottom = max(part.y + part.box.bottom for part in group)
            out += [part._replace(y=part.y + y - top) for part in group]
            y += bottom - top + gap
    return out


def _level(parts: list[Part], beside: list[Part]) -> list[Part]:
    """The parts with their middle as high as that of those beside them."""
    top, bottom = min(p.y + p.box.top for p in beside), max(p.y + p.box.bottom for p in beside)
    return [part._replace(y=part.y + (top + bottom) // 2) for part in parts]


def _centred(parts: list[Part]) -> list[Part]:
    """The parts with their middle at the origin."""
    if not parts:
        return parts
    x, y = _around(parts).middle
    return [part._replace(x=part.x - x, y=part.y - y) for part in parts]


def _balanced(parts: list[Part]) -> list[Part]:
    """The parts with those farthest apart equally far from the origin, so that as many middles as can be lie in a
    hex."""
    xs, ys = [part.x for part in parts], [part.y for part in parts]
    x, y = (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
    return [part._replace(x=part.x - x, y=part.y - y) for part in parts]


def _around(parts: list[Part]) -> Rect:
    """The box around parts, of which there is at least one."""
    lefts, tops, rights, bottoms = zip(*(part.box.moved(part.x, part.y) for part in parts), strict=True)
    return Rect(min(lefts), min(tops), max(rights), max(bottoms))
