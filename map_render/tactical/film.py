"""The moments of a battle flown by vectors, one after the other, as one animated picture, or as few as its size allows.

It is a GIF: of animated pictures Discord's clients play no other that is attached to a message. A moment has neither
rows nor legend, and all moments show the same part of the sheet, if that is not too small.
"""

import io
from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image

from map_render.battle.page import Page
from map_render.drawing import text
from map_render.drawing.image import ALT_LIMIT, coloured
from map_render.drawing.palette import BAND
from map_render.drawing.theme import DEFAULT, Theme
from map_render.glance_words import words_of
from map_render.sections import Section, fitted
from map_render.tactical.picture import draw_tactical
from map_render.tactical.plan import TacticalSizes
from map_render.tactical.planning import plan_tactical
from map_render.tactical.sheet import Shown, TacticalSheet, fitted_sheet, sheet_for
from map_render.tactical_words import opening_words, units_by_side
from map_render.theatre.placing.room import Rect
from rules_engine.core.knowledge.tactical_scene import TacticalScene

SMALL_ENOUGH = 8_000_000
"""Bytes that one animated picture may have."""
WIDE, HIGH, HEADER = 1000, 900, 100
MOMENT, LAST = 1_200, 4_000
"""Milliseconds for which a moment is shown, and the last one."""
_LEAST_ROW = 14
_TITLE, _WHEN = 44, 48
_SIZES = (
    (8, TacticalSizes(r=40, chip=46, vector=34, ghost=26, arrow=10, ghosts=1, posts=8, compass=60, pin=24)),
    (999, TacticalSizes(r=30, chip=38, vector=0, ghost=20, arrow=8, ghosts=1, posts=8, compass=52, pin=22)),
)


class FilmPart(NamedTuple):
    """An animated picture, its words for readers who do not see it, and a neutral name."""

    gif: bytes
    alt: str
    filename: str


def render_tactical_film(
    scenes: Sequence[TacticalScene], *, theme: Theme = DEFAULT, limit: int = SMALL_ENOUGH
) -> tuple[FilmPart, ...]:
    """The moments of a battle in their order; none of no moments. What would be larger than ``limit`` is shared out
    among several pictures; a single moment is never left out."""
    if not scenes:
        return ()
    frames = [_frame(scene, theme, sheet) for scene, sheet in zip(scenes, _sheets(scenes), strict=True)]
    parts = _parts(frames, limit)
    names = ["battle.gif"] if len(parts) == 1 else [f"battle-{number}.gif" for number in range(1, len(parts) + 1)]
    ends = [sum(len(some) for some, _ in parts[: n + 1]) for n in range(len(parts))]
    shown = [scenes[end - len(some) : end] for (some, _), end in zip(parts, ends, strict=True)]
    return tuple(FilmPart(gif, film_alt(some), name) for (_, gif), some, name in zip(parts, shown, names, strict=True))


def film_alt(scenes: Sequence[TacticalScene]) -> str:
    """A part in at most 1,024 characters: from when to when, and where each unit began and ended."""
    first, last = scenes[0], scenes[-1]
    before = {unit.code: unit.hex for unit in first.units}
    begun = f"turn {first.turn}, impulse {first.impulse}" if first.turn else "the set-up"
    opening = f"{len(scenes)} moments from {begun} on. The last: {opening_words(last)}."
    sections = [
        Section(
            name,
            tuple(
                f"{words_of(unit.code, 20)} {_began(before.get(unit.code))}ends in {unit.hex}, facing {unit.facing}"
                for unit in units
            ),
        )
        for name, units in units_by_side(last)
    ]
    gone = tuple(words_of(code, 20) for code in before if code not in {unit.code for unit in last.units})
    return fitted(opening, [*sections, *([Section("No more there", gone)] if gone else [])], ALT_LIMIT)


def _began(name: str | None) -> str:
    return f"from {name} " if name else ""


def _sheets(scenes: Sequence[TacticalScene]) -> list[TacticalSheet]:
    """The part of the sheet that each moment shows: one for all, unless the battle goes too far for that."""
    field = Rect(0, HEADER, WIDE, HIGH)
    r = _sizes(max(len(scene.units) for scene in scenes)).r
    shown = {Shown(unit.hex, r + 20) for scene in scenes for unit in scene.units}
    common = fitted_sheet(sorted(shown), field) if shown else None
    if common is not None and common.row >= _LEAST_ROW:
        return [common for _ in scenes]
    return [sheet_for(scene, field, r) for scene in scenes]


def _sizes(units: int) -> TacticalSizes:
    return next(sizes for most, sizes in _SIZES if units <= most)


def _frame(scene: TacticalScene, theme: Theme, sheet: TacticalSheet) -> Image.Image:
    # What one side alone knows is no part of what stays in the thread; pins have their sentences on other pictures.
    common = scene.with_values(plots=(), news=())
    plan = plan_tactical(common, lambda _: sheet, _sizes(len(scene.units)))
    page = Page(1)
    page.picture = draw_tactical(plan, theme, (WIDE, HIGH))
    page.picture.paste(BAND, (0, 0, WIDE, HEADER))
    when = f"T{scene.turn} · {scene.impulse}/32" if scene.turn else "Set-up"
    taken = page.words(when, WIDE - 20, 44, _WHEN, heavy=True, align="right")
    room = WIDE - 60 - taken
    title = text.plain(scene.title)
    size = text.shrunk(title, _TITLE, 32, room)
    page.words(text.elide(title, size, room, heavy=True), 20, 44, size, heavy=True)
    page.lay((20, 80, WIDE - 20, 90), lambda brush: brush.box((20, 82, WIDE - 20, 88)), "quiet", 5)
    if scene.impulse:
        end = 20 + (WIDE - 40) * scene.impulse / 32
        page.lay((20, 80, WIDE - 20, 90), lambda brush: brush.box((20, 82, end, 88)), "text")
    return coloured(page.picture, theme)


def _parts(frames: Sequence[Image.Image], limit: int) -> list[tuple[Sequence[Image.Image], bytes]]:
    """The frames as one animated picture, or halved until each part is small enough."""
    made = _animated(frames)
    if len(made) <= limit or len(frames) == 1:
        return [(frames, made)]
    half = len(frames) // 2
    return [*_parts(frames[:half], limit), *_parts(frames[half:], limit)]


def _animated(frames: Sequence[Image.Image]) -> bytes:
    buffer = io.BytesIO()
    durations = [MOMENT] * (len(frames) - 1) + [LAST]
    frames[0].save(
        buffer, "GIF", save_all=True, append_images=list(frames[1:]), duration=durations, loop=0, optimize=False,
        disposal=1,
    )  # fmt: skip
    return buffer.getvalue()
