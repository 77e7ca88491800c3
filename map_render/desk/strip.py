"""Times as bars: a row for each side or battle, with now and the deadline, legible at the 307 pixels of a card."""

from map_render.battle.page import Brush, Page
from map_render.desk.axis import Axis, axis_of, spoken
from map_render.drawing import text
from map_render.drawing.image import ALT_LIMIT, MapImage
from map_render.drawing.palette import side_ink
from map_render.drawing.shapes import FOE_SHAPES, MIDDLE, Pen, draw_shape
from map_render.drawing.theme import DEFAULT, Theme
from map_render.glance_words import words_of
from map_render.sections import Section, fitted
from rules_engine.core.knowledge.open_times import OpenTimes, TimeRow, TimeState

WIDE = 600
"""How wide the strip is; a card on a phone shows it about half as wide."""
MOST_ROWS = 7
"""One for each of seven sides."""
FILENAME = "times.png"

_LEFT, _RIGHT = 206, 582
"""Where the axis begins and ends."""
_HEAD, _PITCH, _BAR, _FOOT = 56, 62, 42, 46
_SIGN = 17
_NAME, _SMALLEST, _SAID, _TICK = 28, 22, 26, 24

_INKS: dict[TimeState, str] = {"ready": "world", "awaited": "quiet", "late": "fire", "differ": "news"}


def render_times(times: OpenTimes, *, theme: Theme = DEFAULT) -> MapImage:
    """The strip. Of more rows than find room the last are left out; the words that go with it have them."""
    page = Page(WIDE)
    rows = times.rows[:MOST_ROWS]
    axis = axis_of(times, _LEFT, _RIGHT)
    low = _HEAD + _PITCH * len(rows)
    for tick in axis.ticks:
        x = axis.at(tick.minute)
        page.lay((x - 1, 40, x + 1, low), lambda brush, x=x: brush.box((x - 1, 40, x + 1, low)), "quiet", 4)
        page.words(tick.words, x, 22, _TICK, "quiet", heavy=True, align="middle")
    _marks(page, times, axis, low)
    for number, row in enumerate(rows):
        _row(page, row, axis, _HEAD + _PITCH * number + _PITCH / 2 - 4)
    return page.image(low + _FOOT, theme, times_alt(times), FILENAME)


def times_alt(times: OpenTimes) -> str:
    """The strip in words, at most 1,024 characters: how each stands, and how long it has."""
    sections = [
        Section(words_of(row.name, 60), (words_of(row.says, 60), f"open for {spoken(-row.since)}"))
        for row in times.rows
    ]
    closes = "The clock stands still." if times.closes is None else f"It closes in {spoken(times.closes)}."
    if times.closes is not None and times.closes <= 0:
        closes = "It closes now."
    return fitted(closes, sections, ALT_LIMIT)


def _marks(page: Page, times: OpenTimes, axis: Axis, low: int) -> None:
    """Now and the deadline, as lines through all rows with a word below; the words do not cover each other."""
    now = axis.at(0)
    closes = None if times.closes is None else axis.at(times.closes)
    if closes is not None:
        _line(page, closes, 40, low, "news")
        room = text.width("closes", _TICK, heavy=True) / 2
        x = min(_RIGHT - room, max(now + room + 34, closes)) if closes > now else closes
        page.words("closes", min(x, WIDE - 8 - room), low + 20, _TICK, "news", heavy=True, align="middle")
    _line(page, now, 48, low, "text")
    tip = (now - 11, 38, now + 11, 54)
    page.lay(tip, lambda brush: brush.polygon([(now - 11, 38), (now + 11, 38), (now, 53)]), "text")
    page.words("now", now, low + 20, _TICK, "text", heavy=True, align="middle")


def _line(page: Page, x: float, top: float, low: float, ink: str) -> None:
    page.lay((x - 2, top, x + 2, low), lambda brush: brush.box((x - 1.5, top, x + 1.5, low)), ink)


def _row(page: Page, row: TimeRow, axis: Axis, y: float) -> None:
    """A name, and how its time runs."""
    x = 14
    if row.seat is not None:
        _sign(page, row, x + _SIGN, y)
        x += 2 * _SIGN + 10
    name, room = text.plain(row.name, "?"), _LEFT - x - 8
    size = text.shrunk(name, _NAME, _SMALLEST, room)
    page.words(text.elide(name, size, room, heavy=True), x, y, size, "text", heavy=True)
    ink, left = _INKS[row.state], axis.at(row.since)
    right = max(axis.at(row.until) if row.until is not None else _RIGHT, left + 24)
    box = (left, y - _BAR / 2, right, y + _BAR / 2)
    page.clear(box, lambda brush: brush.box(box, 8))
    if row.state in {"ready", "differ"}:
        page.lay(box, lambda brush: brush.frame(box, 8, 3), ink)
        _say(page, row, (left + right) / 2, y, ink)
        return
    gone = (left, box[1], max(left + 8, min(right, axis.at(0))), box[3])
    page.lay(gone, lambda brush: brush.box(gone, 8), "quiet", 7)
    rest = (gone[2], box[1], right, box[3])
    page.lay(rest, lambda brush: _dashed(brush, rest), ink)
    said = text.width(text.plain(row.says), _SAID, heavy=True)
    middle = (gone[2] + right) / 2 if right - gone[2] > said + 24 else (left + right) / 2
    _say(page, row, middle, y, "text" if row.state == "awaited" else ink)


def _say(page: Page, row: TimeRow, middle: float, y: float, ink: str) -> None:
    """How it stands, on a piece of paper of its own, so that no line runs through it; with a tick where it is done."""
    said = text.plain(row.says)
    tick = 30 if row.state == "ready" else 0
    said = text.elide(said, _SAID, _RIGHT - _LEFT - tick - 20, heavy=True)
    wide = text.width(said, _SAID, heavy=True) + tick
    left = min(max(middle - wide / 2, _LEFT + 8), _RIGHT - 8 - wide)
    paper = (left - 6, y - 15, left + wide + 6, y + 15)
    page.clear(paper, lambda brush: brush.box(paper, 6))
    if tick:
        page.lay(
            (left, y - 12, left + 24, y + 12),
            lambda brush: brush.line([(left + 2, y + 1), (left + 8, y + 8), (left + 20, y - 8)], 4.5),
            ink,
        )
    page.words(said, left + tick, y, _SAID, ink, heavy=True)


def _dashed(brush: Brush, box: tuple[float, float, float, float]) -> None:
    """The outline of the time that is left, in dashes."""
    left, top, right, low = box
    at = left
    while at < right:
        end = min(at + 10, right)
        brush.box((at, top, end, top + 3))
        brush.box((at, low - 3, end, low))
        at += 17
    for upper in (top, top + 17, top + 34):
        brush.box((right - 3, upper, right, min(upper + 10, low)))


def _sign(page: Page, row: TimeRow, x: float, y: float) -> None:
    """The letter of a side on its plate or shape, as the referee's map has it."""
    letters, seat = text.plain(row.emblem)[:2], row.seat or 0
    ink = side_ink(seat)
    if seat == 0:
        box = (x - _SIGN, y - _SIGN, x + _SIGN, y + _SIGN)
        page.lay(box, lambda brush: brush.box(box, 6), ink)
        page.words_on(letters, x, y, 26 if len(letters) == 1 else 20, ink)
        return
    shape = FOE_SHAPES[(seat - 1) % len(FOE_SHAPES)]
    r = _SIGN + 3
    pen = Pen(r + 4, r)
    draw_shape(pen, shape)
    page.stamp_mask(pen.mask(), round(x) - r - 4, round(y) - r - 4, ink)
    page.words_on(letters, x, y + MIDDLE.get(shape, 0.0) * r, 20 if len(letters) == 1 else 15, ink)
