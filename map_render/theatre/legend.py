"""The legend: one line, only signs that are on this map and that nobody could guess."""

from typing import NamedTuple

from PIL import Image

from map_render.drawing import text
from map_render.drawing.cache import kept
from map_render.drawing.contacts import ContactLook, contact
from map_render.drawing.palette import MARGIN
from map_render.drawing.scene import OwnerLook, Scene
from map_render.drawing.shapes import CounterShape
from map_render.drawing.sprites import Sprite, Stroke, burst, label, stamp, stroke
from map_render.drawing.terrain import invented_rim, terrain
from map_render.drawing.theme import TerrainLook, Theme
from map_render.theatre.frame import DRAWN, Frame
from map_render.theatre.ground import OwnedHex, swatch
from map_render.theatre.pieces import Pieces

SIZE = 36
MOST_ROWS = 1
_AHEAD = ("plotted", "route")
_SLOT, _GAP, _EDGE = 84, 34, 46


class Sign(NamedTuple):
    """A sign of the legend and its words: what kind it is, and how it looks (an owner, an ink, a terrain …)."""

    kind: str
    look: OwnerLook | TerrainLook | OwnedHex | str | int
    words: str


def entries_of(
    scene: Scene, pieces: Pieces, space: tuple[OwnedHex, ...], ranges: tuple[str, ...], theme: Theme
) -> tuple[Sign, ...]:
    """What the legend of a scene explains."""
    counters = [one for stand in pieces.stands for one in stand.counters]
    ways = [one for one in scene.board.courses if sum(name in scene.board.grid for name in one.hexes) > 1]
    kinds = {course.kind for course in ways}
    own = scene.look_of(scene.own).ink if scene.own else next((look.ink for look in scene.side_looks.values()), "text")
    found: list[Sign] = []
    if any(one.ships is not None for stand in pieces.stands for one in stand.ours):
        found.append(Sign("words", 0, "plate: name, ships"))
    looks = [look for look in (*scene.side_looks.values(), *scene.outsider_looks.values()) if look.shape != "plate"]
    there = {one.owner for one in scene.board.counters} | {note.owner for note in scene.board.hexes}
    if len(looks) > 1:
        found += [Sign("owner", look, look.name) for look in looks if look.key in there]
    foe = next((look for look in looks if any(one.grade in (2, 3) and one.owner == look.key for one in counters)), None)
    if foe:
        found.append(Sign("known", foe, "filled: known in part"))
    if pieces.old:
        found.append(Sign("old", scene.look_of(pieces.old[0].owner), "not seen this turn"))
    flown = [one.stages[0].after if one.stages else one.kind != "route" for one in ways if one.kind in _AHEAD]
    if any(flown):
        found.append(Sign("now", own, "this turn"))
    if "route" in kinds or any(len(course.stages) > 1 for course in ways):
        found.append(Sign("later", own, "later"))
    found += [Sign("range", own, text.plain(word)[:20]) for word in ranges]
    theirs = next((spot for spot in space if not spot.own), None)
    if theirs and len(looks) < 2:
        found.append(Sign("space", theirs, "theirs, as known"))
    if any(stand.battle for stand in pieces.stands):
        found.append(Sign("battle", 0, "battle"))
    found += _terrain_entries(scene, theme)
    if kinds & {"moved", "seen"}:
        found.append(Sign("trail", own, "came from"))
    return tuple(found)


def _terrain_entries(scene: Scene, theme: Theme) -> list[Sign]:
    written = {note.terrain for note in scene.board.hexes}
    words = {theme.word(word): theme.terrain_look(word) for word in written}
    found = [Sign("terrain", look, look.label) for _, look in sorted(words.items()) if look is not None]
    if any(note.invented for note in scene.board.hexes):
        found.append(Sign("invented", 0, "made up, not in the book"))
    return found


class SignSpot(NamedTuple):
    """An entry in its place: drawn pixels from the left, and its row."""

    entry: Sign
    x: int
    row: int


def set_out(entries: tuple[Sign, ...]) -> tuple[SignSpot, ...]:
    """Every entry in its place; what does not fit is left out."""
    spots: list[SignSpot] = []
    x, row = _EDGE, 0
    for entry in entries:
        slot = 0 if entry.kind == "words" else _SLOT
        wide = slot + text.width(text.plain(entry.words[:40], "?"), SIZE)
        if x + wide > DRAWN - _EDGE:
            if row + 1 >= MOST_ROWS or x == _EDGE:
                continue
            x, row = _EDGE, row + 1
        spots.append(SignSpot(entry, x, row))
        x += wide + _GAP
    return tuple(spots)


def rows_of(spots: tuple[SignSpot, ...]) -> int:
    """How many rows there are."""
    return spots[-1].row + 1 if spots else 0


@kept(64)
def draw_legend(spots: tuple[SignSpot, ...], frame: Frame, theme: Theme) -> Image.Image:
    """The legend as a strip below everything."""
    strip = Image.new("L", (frame.width, frame.height - frame.legend), MARGIN)
    size = frame.px(SIZE)
    for spot in spots:
        middle = frame.px(44 + 86 * spot.row)
        x = frame.px(spot.x)
        slot = 0 if spot.entry.kind == "words" else frame.px(_SLOT)
        for sprite, across in _sample(spot.entry, frame, theme):
            stamp(strip, sprite, x + across, middle)
        words = label(text.plain(spot.entry.words[:40], "?"), size, "quiet", casing=0)
        stamp(strip, words, x + slot - words.dx, middle - text.capital_middle(size))
    return strip


def _sample(entry: Sign, frame: Frame, theme: Theme) -> list[tuple[Sprite, int]]:
    """(sprite, x) of what stands before an entry's words."""
    r, middle = frame.px(28), frame.px(36)
    match entry.kind, entry.look:
        case "old" | "known" | "new" | "owner", OwnerLook() as look:
            return [(contact(_contact(entry.kind, look, r)), middle)]
        case (("now" | "later" | "trail"), str(ink)):
            thick = {"now": 12, "later": 7, "trail": 6}[entry.kind]
            line = Stroke(frame.px(64), 0, frame.px(thick), entry.kind == "later", dotted=entry.kind == "trail")
            return [(sprite, frame.px(4)) for sprite in stroke(line, ink)]
        case "space", OwnedHex() as spot:
            return [(swatch(spot, (frame.px(64), frame.px(44)), frame.px(6)), frame.px(4))]
        case "range", str(ink):
            line = Stroke(frame.px(64), 0, frame.px(5), dotted=True)
            return [(sprite, frame.px(4)) for sprite in stroke(line, ink)]
        case "battle", _:
            return [(burst(frame.px(26), True), middle)]
        case "terrain", TerrainLook() as look:
            small = tuple((round(x * 0.55), round(y * 0.55)) for x, y in _tile(frame))
            return [(terrain(look, small, frame.px(36), 0), middle)]
        case "invented", _:
            small = tuple((round(x * 0.55), round(y * 0.55)) for x, y in _tile(frame))
            return [(invented_rim(small), middle)]
        case _:
            return []


def _contact(kind: str, look: OwnerLook, r: int) -> ContactLook:
    shape: CounterShape = look.shape if look.shape != "plate" else "diamond"
    match kind:
        case "old":
            return ContactLook(shape, look.ink, r, "?", 0, old=True, fade=10)
        case "known":
            return ContactLook(shape, look.ink, r, "", 3)
        case "new":
            return ContactLook(shape, look.ink, round(0.8 * r), "", 0, new=True)
        case _:
            return ContactLook(shape, look.ink, r, look.emblem, 4)


def _tile(frame: Frame) -> tuple[tuple[int, int], ...]:
    scale = frame.px(60) / frame.size
    return tuple((round(x * scale), round(y * scale)) for x, y in frame.corners)
