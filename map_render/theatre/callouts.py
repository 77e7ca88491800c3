"""Callouts: what stands in a numbered or contested hex, row by row, on empty hexes beside it, joined by a leader."""

from collections.abc import Iterable
from typing import NamedTuple

from PIL import Image, ImageDraw

from map_render.drawing import text
from map_render.drawing.contacts import contact
from map_render.drawing.palette import CALLOUT, GRID, RIM
from map_render.drawing.plates import pin, plate, plate_width
from map_render.drawing.scene import Scene
from map_render.drawing.sprites import Sprite, label, stamp
from map_render.drawing.theme import Theme
from map_render.theatre.frame import Frame
from map_render.theatre.groups import contact_of, plate_of
from map_render.theatre.pieces import Pieces, Site, Stand, is_old, is_plate
from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.glance import MOST_NEWS
from rules_engine.core.knowledge.views import Counter

WIDTHS = ((640, 8), (540, 8), (480, 8), (480, 24), (430, 24))
"""How wide a callout may be, drawn, and in how many parts of its length it slides to find a place: where it finds none
it is drawn narrower, with fewer words, and slides finer."""
LEAST = 360
_MOST_SIGNS = 3
_WORDS, _ASIDE, _NOTE = 52, 42, 38
_PAD, _TOP_ROW, _ROW = 16, 104, 96
"""Air around what is written, where the first row begins, and how high each is."""
_Signs = tuple[tuple[tuple[Sprite, int], ...], int]


class CalloutRow(NamedTuple):
    """A row of a callout: its counters, what is said of them, and a quiet word at its right edge. ``shorter`` says the
    same with fewer codes, for codes are never cut."""

    counters: tuple[Counter, ...]
    words: str
    aside: str
    shorter: tuple[str, ...] = ()


class Callout(NamedTuple):
    """A callout: the number of its place (None: it has no news), its hex, its title, rows and note."""

    number: int | None
    hex: HexId
    title: str
    rows: tuple[CalloutRow, ...]
    note: str

    def names(self, place: Site) -> bool:
        """Whether its title has the name of a place."""
        return bool(place.name) and place.hex == self.hex and place.name in self.title

    def said(self) -> str:
        """All its rows in words, for where it finds no place."""
        return " · ".join(" ".join(part for part in (row.words, row.aside) if part) for row in self.rows)


def callouts_of(scene: Scene, pieces: Pieces) -> list[Callout]:
    """The callouts of a scene: of numbered places that hold more than one counter, then of other contested hexes; three
    at most."""
    stands = {stand.hex: stand for stand in pieces.stands}
    names = {place.hex: place.name for place in pieces.places if place.name}
    found: list[Callout] = []
    told: set[HexId] = set()
    for number, news in scene.numbered:
        here = [stands[name] for name in dict.fromkeys(news.hexes) if name in stands]
        told.update(news.hexes)
        past = [one for old in pieces.old for one in old.members if one.hex in news.hexes]
        counters = [*(one for stand in here for one in stand.counters), *past]
        if len(counters) > 1 or (counters and news.note):
            title = text.plain(news.title) or names.get(news.hexes[0], "")
            said = f"{title} {news.hexes[0]}" if news.hexes[0] not in title else title
            found.append(Callout(number, news.hexes[0], said, tuple(_rows(scene, here, past)), text.plain(news.note)))
    for stand in pieces.stands:
        crowded = stand.contested or len(stand.counters) > 2
        if crowded and stand.hex not in told and len(found) < MOST_NEWS:
            title = f"{names.get(stand.hex, '')} {stand.hex}".strip()
            found.append(Callout(None, stand.hex, title, tuple(_rows(scene, [stand])), ""))
    return found


def _rows(scene: Scene, stands: list[Stand], past: Iterable[Counter] = ()) -> Iterable[CalloutRow]:
    ours = tuple(sorted((one for stand in stands for one in stand.ours), key=lambda one: (-(one.ships or 0), one.id)))
    if ours:
        known = [one.ships for one in ours if one.ships is not None]
        more = f" +{len(ours) - _MOST_SIGNS}" if len(ours) > _MOST_SIGNS else ""
        words = counted(sum(known), "ship") if known else ""
        yield CalloutRow(ours, f"{words}{more}".strip(), "")
    owners: dict[str, list[Counter]] = {}
    for stand in stands:
        for owner, group in stand.others:
            owners.setdefault(owner, []).extend(group)
    for one in past:
        owners.setdefault(one.owner, []).append(one)
    for owner in sorted(owners, key=scene.seat_order):
        group = owners[owner]
        labels = [text.plain(one.label[:12], "?") for one in group]
        said, *shorter = (_listed(labels, most) for most in range(min(_MOST_SIGNS, len(labels)), 0, -1))
        yield CalloutRow(tuple(group), said, _seen(group), tuple(shorter))


def _listed(labels: list[str], most: int) -> str:
    """The first codes, and how many more there are: ``E27 E30 +2``."""
    more = f" +{len(labels) - most}" if len(labels) > most else ""
    return " ".join(labels[:most]) + more


def _seen(group: list[Counter]) -> str:
    known = [one.ships for one in group if one.ships is not None]
    if not known:
        least = min(one.age for one in group)
        return f"{least} t ago" if least else ""
    return f"{sum(known)} seen" if len(known) == len(group) else f"{sum(known) + len(group) - len(known)}+"


def cut(words: str, size: int, room: int, *, heavy: bool = False) -> str:
    """Words that fit: without the part after a dot, then without "ships", then without a hex number, then cut."""
    tries = [words, words.rsplit(" · ", 1)[0], words.replace(" ships", "").replace(" ship", "")]
    head, _, last = words.rpartition(" ")
    tries += [head] if head and last.isdigit() else []
    for one in tries:
        if text.width(one, size, heavy) <= room:
            return one
    return text.elide(tries[-1], size, room, heavy)


# --- the picture ------------------------------------------------------------------------------------------------------


class _RowLook(NamedTuple):
    signs: tuple[tuple[Sprite, int], ...]
    words: str
    left: int
    aside: str


class CalloutLook(NamedTuple):
    """A callout laid out: its width and height in pixels, and what is written where that has been cut to fit."""

    extent: tuple[int, int]
    head: int
    title: str
    rows: tuple[_RowLook, ...]
    note: str


def looks_of(scene: Scene, theme: Theme, frame: Frame, callout: Callout) -> Iterable[tuple[CalloutLook, int]]:
    """The ways to lay out a callout, the best first, and in how many parts of its length each slides to find a
    place."""
    signs = [_signs(scene, theme, frame, row) for row in callout.rows]
    before: list[tuple[CalloutLook, int]] = []
    for widest, parts in WIDTHS:
        look = (_laid_out(callout, signs, frame, frame.px(widest)), parts)
        if look not in before:
            before.append(look)
            yield look


def _laid_out(callout: Callout, signs: list[_Signs], frame: Frame, widest: int) -> CalloutLook:
    """The box of a callout, as wide as what it says needs, but not wider than ``widest`` pixels."""
    px = frame.px
    size, small, pad = px(_WORDS), px(_NOTE), px(_PAD)
    room = widest - 2 * pad
    head = px(88) if callout.number else 0
    title = cut(callout.title, size, room - head, heavy=True)
    widths = [head + text.width(title, size, heavy=True)]
    rows: list[_RowLook] = []
    for row, (sprites, signs_wide) in zip(callout.rows, signs, strict=True):
        left = signs_wide + px(20)
        fitting = (said for said in (row.words, *row.shorter) if text.width(said, size, heavy=True) <= room - left)
        words = next(fitting, None) or cut(row.words, size, room - left, heavy=True)
        taken = left + text.width(words, size, heavy=True)
        aside = row.aside if taken + px(30) + text.width(row.aside, px(_ASIDE)) <= room else ""
        widths.append(taken + (px(30) + text.width(aside, px(_ASIDE)) if aside else 0))
        rows.append(_RowLook(sprites, words, left, aside))
    note = cut(callout.note, small, room)
    widths.append(text.width(note, small))
    wide = min(widest, max(px(LEAST), max(widths) + 2 * pad))
    high = px(_TOP_ROW) + px(_ROW) * len(rows) + (px(50) if note else px(0)) + px(8)
    return CalloutLook((wide, high), head, title, tuple(rows), note)


def draw_callout(callout: Callout, look: CalloutLook, frame: Frame, theme: Theme) -> Image.Image:
    """The picture of a callout as it is laid out."""
    px, (wide, high) = frame.px, look.extent
    size, pad, row_high = px(_WORDS), px(_PAD), px(_ROW)
    image = Image.new("L", look.extent, CALLOUT)
    if callout.number:
        stamp(image, pin(callout.number, px(40)), pad + px(34), px(56))
    _write(image, look.title, size, pad + look.head, px(56), heavy=True)
    draw = ImageDraw.Draw(image)
    for place, row in enumerate(look.rows):
        top = px(_TOP_ROW) + place * row_high
        draw.line((pad, top, wide - pad, top), RIM if theme.paper < "#8" else GRID, max(1, px(3)))
        middle = top + row_high // 2
        for sprite, x in row.signs:
            stamp(image, sprite, pad + x, middle)
        _write(image, row.words, size, pad + row.left, middle, heavy=True)
        if row.aside:
            left = wide - pad - text.width(row.aside, px(_ASIDE))
            _write(image, row.aside, px(_ASIDE), left, middle, ink="quiet")
    _write(image, look.note, px(_NOTE), pad, high - px(36), ink="quiet")
    return image


def _signs(scene: Scene, theme: Theme, frame: Frame, row: CalloutRow) -> _Signs:
    """(sprite, x) of a row's counters, and how wide they are together."""
    signs: list[tuple[Sprite, int]] = []
    x = 0
    for one in row.counters[:_MOST_SIGNS]:
        if is_plate(scene, one):
            look = plate_of(scene, theme, (one,), frame.px(66))._replace(docked=False, whole=None)
            wide = plate_width(look)
            signs.append((plate(look), x + wide // 2))
        else:
            r = frame.px(40)
            sign = contact_of(scene, theme, one, r, old=is_old(scene, one))
            wide = 2 * r + frame.px(6)
            signs.append((contact(sign), x + wide // 2))
        x += wide + frame.px(10)
    return tuple(signs), max(0, x - frame.px(10))


def _write(
    image: Image.Image, words: str, size: int, x: int, middle: int, *, ink: str = "text", heavy: bool = False
) -> None:
    if words:
        sprite = label(words, size, ink, heavy=heavy, casing=0)
        stamp(image, sprite, x - sprite.dx, middle - text.capital_middle(size))
