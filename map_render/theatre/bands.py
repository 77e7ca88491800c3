"""The header above a theatre and the facts below it."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from PIL import Image, ImageDraw

from map_render.drawing import text
from map_render.drawing.cache import kept
from map_render.drawing.contacts import ContactLook, contact
from map_render.drawing.palette import BAND, GRID, PLATE, RIM, index, mapped
from map_render.drawing.plates import PlateLook, pin, plate
from map_render.drawing.scene import OwnerLook, Scene
from map_render.drawing.sprites import label, stamp
from map_render.drawing.theme import Theme
from rules_engine.core.knowledge.glance import Header, News, Track

FACT, ASIDE = 66, 46
"""Type sizes of a fact and of the word beside it, drawn."""
_HALF = bytes([0] * 110 + [255] * 146)


class Banded(Protocol):
    """The frame of a map with bands: how wide it is, where its field lies, and where the legend begins."""

    @property
    def unit(self) -> float:
        """Pixels for a length of 1 on a map that is 2,400 wide."""
        ...

    @property
    def width(self) -> int:
        """Pixels that it is wide."""
        ...

    @property
    def field(self) -> tuple[int, int, int, int]:
        """(left, top, right, bottom) of the part that shows the map."""
        ...

    @property
    def legend(self) -> int:
        """Where the facts end and the legend begins."""
        ...

    def px(self, drawn: float, /) -> int:
        """Pixels for a length of a map that is 2,400 wide."""
        ...


class Head(NamedTuple):
    """What the header says, hashable so that it is kept."""

    look: OwnerLook | None
    title: str
    below: str
    turn: str
    day: str
    header: Header
    tallied: tuple[tuple[OwnerLook, int], ...]


def head_of(scene: Scene) -> Head:
    """What the header of a scene says; where the view has none, what its heading and campaign say."""
    board, header = scene.board, scene.board.header
    look = scene.look_of(scene.own) if scene.own else None
    title = look.name if look else {"public": "Public map", "everything": "Everything"}.get(scene.audience, "")
    turn, day = header.turn, header.day
    if not turn:
        turn, _, day = board.heading.partition(" (") if " (" in board.heading else board.heading.partition(", ")
        day = day.replace(")", "")
    below = text.plain(header.scenario or board.campaign)
    tallied = tuple((scene.look_of(tally.owner), tally.count) for tally in header.tallies)
    return Head(look, title, below, text.plain(turn), text.plain(day), header, tallied)


@kept(32)
def draw_head(head: Head, frame: Banded, theme: Theme) -> Image.Image:
    """The header as a strip as wide as the theatre."""
    pen = _Pen(Image.new("L", (frame.width, frame.field[1]), BAND), frame)
    left = 46
    if head.look:
        emblem = head.look.emblem
        badge = PlateLook(emblem, "", head.look.ink, frame.px(112))
        if head.look.shape == "plate":
            wide = max(frame.px(150), text.width(emblem, frame.px(76), heavy=True) + frame.px(56))
            _badge(pen, badge, wide)
        left = 228
    right = 2400 - 48
    room_right = 700
    turn_size = _fit(head.turn, 112, 60, frame, room_right, heavy=True)
    turn = text.elide(head.turn, frame.px(turn_size), frame.px(room_right), heavy=True)
    day = text.elide(head.day, frame.px(54), frame.px(room_right))
    pen.write(turn, turn_size, right, 74, heavy=True, align="right")
    pen.write(day, 54, right, 154, "quiet", align="right")
    taken_right = max(pen.wide(turn, turn_size, heavy=True), pen.wide(day, 54)) + 48
    middle = head.header.steps or head.header.track or head.tallied or head.header.figures
    room = (790 if middle else 2400 - taken_right) - left - 30
    size = _fit(head.title, 84, 60, frame, room, heavy=True)
    title = text.elide(head.title, frame.px(size), frame.px(room), heavy=True)
    pen.write(title, size, left, 70, heavy=True)
    pen.write(text.elide(head.below, frame.px(54), frame.px(room)), 54, left, 148, "quiet")
    start = max(800, left + 60 + max(pen.wide(title, size, heavy=True), 0))
    if head.header.steps:
        _steps(pen, head.header, start)
    if head.header.track:
        _track(pen, head.header.track, head.look, start, 2400 - taken_right)
    elif head.tallied or head.header.figures:
        _tallies(pen, head, start, 2400 - taken_right)
    return pen.band


class _Pen:
    """A band to write on, in lengths of the theatre that is 2,400 wide."""

    def __init__(self, band: Image.Image, frame: Banded) -> None:
        self.band, self.frame = band, frame
        self.draw = ImageDraw.Draw(band)

    def wide(self, words: str, size: float, *, heavy: bool = False) -> int:
        """The width of words, in drawn lengths."""
        return round(text.width(words, self.frame.px(size), heavy) / self.frame.unit)

    def write(
        self,
        words: str,
        size: float,
        x: float,
        middle: float,
        ink: str = "text",
        *,
        heavy: bool = False,
        align: str = "left",
    ) -> None:
        """Words with the middle of their capitals at a height."""
        if not words:
            return
        pixels = self.frame.px(size)
        sprite = label(words, pixels, ink, heavy=heavy, casing=0)
        wide = text.width(words, pixels, heavy)
        start = {"left": 0, "right": -wide, "middle": -wide // 2}[align]
        at = self.frame.px(x) + start - sprite.dx, self.frame.px(middle) - text.capital_middle(pixels)
        stamp(self.band, sprite, *at)

    def box(
        self,
        x: float,
        y: float,
        to_x: float,
        to_y: float,
        *,
        fill: int | None,
        line: int | None = None,
        round_by: float = 16,
    ) -> None:
        """A box with round corners."""
        px = self.frame.px
        corners = (px(x), px(y), px(to_x), px(to_y))
        self.draw.rounded_rectangle(corners, px(round_by), fill, line, px(4) if line else 0)


def _badge(pen: _Pen, badge: PlateLook, wide: int) -> None:
    frame = pen.frame
    x, y, high = frame.px(46), frame.px(43), frame.px(112)
    pen.draw.rounded_rectangle((x, y, x + wide, y + high), frame.px(16), index(badge.ink))
    size = frame.px(84)
    letters, _ = text.masks(badge.code, size, heavy=True)
    at = (x + wide // 2 - letters.width // 2, y + high // 2 - text.capital_middle(size))
    pen.band.paste(PLATE, at, mapped(letters, _HALF))


def _fit(words: str, size: int, smallest: int, frame: Banded, room: float, *, heavy: bool) -> int:
    while size > smallest and text.width(words, frame.px(size), heavy) > frame.px(room):
        size -= 4
    return size


def _steps(pen: _Pen, header: Header, start: float) -> None:
    x = start
    for place, step in enumerate(header.steps[:9]):
        words = text.plain(step[:8], "?")
        wide = max(84, pen.wide(words, 54, heavy=True) + 56)
        if place == header.step:
            pen.box(x, 28, x + wide, 102, fill=index("news"))
            ink_words = label(words, pen.frame.px(54), "text", heavy=True, casing=0)
            letters, _ = text.masks(words, pen.frame.px(54), heavy=True)
            at = pen.frame.px(x + wide / 2) + ink_words.dx, pen.frame.px(65) - text.capital_middle(pen.frame.px(54))
            pen.band.paste(PLATE, at, mapped(letters, _HALF))
        else:
            pen.box(x, 28, x + wide, 102, fill=None, line=RIM)
            pen.write(words, 54, x + wide / 2, 65, "quiet", heavy=True, align="middle")
        x += wide + 14


def _track(pen: _Pen, track: Track, look: OwnerLook | None, start: float, end: float) -> None:
    """A bar from the least to the most with zero, the mark to reach and the value, and the value in digits."""
    ink = look.ink if look else "text"
    number = text.plain(track.number) or f"{track.value:+d}".replace("-", "−").replace("+0", "0")
    value = f"{text.plain(track.label)} {number}"
    wide, said = pen.wide(value, 66, heavy=True), pen.wide(track.said, 54)
    far = min(start + 600, end - 60 - wide - (24 + said if track.said else 0))
    if far - start < 160:
        far = start + 160
    span = max(1, track.most - track.least)

    def at(number: int) -> float:
        return start + 12 + (far - start - 24) * (min(max(number, track.least), track.most) - track.least) / span

    pen.box(start, 138, far, 156, fill=GRID, round_by=9)
    zero, now = at(max(track.least, min(0, track.most))), at(track.value)
    low, high = sorted((zero, now))
    pen.draw.rectangle((pen.frame.px(low), pen.frame.px(140), pen.frame.px(high), pen.frame.px(154)), index(ink))
    pen.draw.rectangle(
        (pen.frame.px(zero - 3), pen.frame.px(126), pen.frame.px(zero + 3), pen.frame.px(168)), index("text")
    )
    if track.aim is not None:
        aim = at(track.aim)
        pen.draw.rectangle(
            (pen.frame.px(aim - 3), pen.frame.px(128), pen.frame.px(aim + 3), pen.frame.px(168)), index("text")
        )
        triangle = [(aim - 18, 112), (aim + 18, 112), (aim, 138)]
        pen.draw.polygon([(pen.frame.px(x), pen.frame.px(y)) for x, y in triangle], index("text"))
    pen.draw.ellipse((pen.frame.px(now - 18), pen.frame.px(129), pen.frame.px(now + 18), pen.frame.px(165)), index(ink))
    pen.write(value, 66, far + 48, 140, heavy=True)
    if far + 48 + wide + 24 + said <= end:
        pen.write(track.said, 54, far + 48 + wide + 24, 144, "quiet")


def _tallies(pen: _Pen, head: Head, start: float, end: float) -> None:
    x = start
    size = 84 if len(head.tallied) <= 4 else 60
    step = 112 if size == 84 else 84
    shown = head.tallied
    for look, count in shown:
        words = str(count)
        wide = step + pen.wide(words, size, heavy=True) + (44 if size == 84 else 26)
        if x + wide > end:
            break
        at = pen.frame.px(x + step / 2 - 8), pen.frame.px(72)
        if look.shape == "plate":
            stamp(pen.band, plate(PlateLook(look.emblem, "", look.ink, pen.frame.px(size * 0.8))), *at)
        else:
            body = ContactLook(look.shape, look.ink, pen.frame.px(size * 0.58), look.emblem, 4)
            stamp(pen.band, contact(body), *at)
        pen.write(words, size, x + step, 70, heavy=True)
        x += wide
    if head.tallied:
        pen.write(
            text.elide(text.plain(head.header.tallied), pen.frame.px(46), pen.frame.px(max(100, end - start))),
            46,
            start,
            150,
            "quiet",
        )
        x = max(x, start + pen.wide(head.header.tallied, 46) + 50)
    for figure in head.header.figures:
        said, value = text.plain(figure.said), text.plain(figure.value)
        wide = max(pen.wide(said, 46), pen.wide(value, 84, heavy=True))
        if x + wide > end:
            break
        pen.write(value, 84, x, 70, heavy=True)
        pen.write(said, 46, x, 150, "quiet")
        x += wide + 50


def draw_facts(numbered: Iterable[tuple[int, News]], frame: Banded, theme: Theme) -> Image.Image:
    """The rows of pin and sentence below the map, each with a word beside it."""
    rows = ((number, text.plain(one.fact), text.plain(one.aside)) for number, one in numbered)
    return _facts(tuple(rows), frame, theme)


@kept(32)
def _facts(rows: tuple[tuple[int, str, str], ...], frame: Banded, theme: Theme) -> Image.Image:
    pen = _Pen(Image.new("L", (frame.width, frame.legend - frame.field[3]), BAND), frame)
    for place, (number, sentence, aside) in enumerate(rows):
        middle = 70 + 93 * place
        stamp(pen.band, pin(number, frame.px(36)), frame.px(90), frame.px(middle))
        room = 2400 - 160 - 48
        size = _fit(sentence, FACT, 56, frame, room, heavy=True)
        fact = text.elide(sentence, frame.px(size), frame.px(room), heavy=True)
        pen.write(fact, size, 160, middle, heavy=True)
        if pen.wide(fact, size, heavy=True) + pen.wide(aside, ASIDE) + 60 <= room:
            pen.write(aside, ASIDE, 2352, middle, "quiet", align="right")
    return pen.band
