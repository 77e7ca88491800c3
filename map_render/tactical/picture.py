"""The picture of a battle flown by vectors, at one moment: where ships are, face, drift and will be."""

from math import hypot

from PIL import Image

from map_render.battle.page import Page
from map_render.battle.signs import pin
from map_render.drawing import text
from map_render.drawing.image import MapImage, coloured, encode
from map_render.drawing.palette import BAND, PAPER
from map_render.drawing.sprites import arrow, label, stamp
from map_render.drawing.theme import DEFAULT, Theme
from map_render.tactical import bands
from map_render.tactical.ground import compass_sprite, draw_numbers, draw_terrain, paint_ground, rim_numbers
from map_render.tactical.lines import (
    DrawnPlan,
    draw_between,
    draw_drift,
    draw_ghosts,
    draw_label_leaders,
    draw_leader,
    draw_plot,
    draw_trail,
)
from map_render.tactical.looks import UnitLook, chip_sprite, unit_sprite
from map_render.tactical.plan import (
    EVENT,
    GROUND_NAME,
    RimPost,
    TacticalPlan,
    said_range,
    sizes_for,
)
from map_render.tactical.planning import plan_tactical
from map_render.tactical.sheet import Point, sheet_for
from map_render.tactical_words import tactical_alt
from map_render.theatre.placing.room import Rect
from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.tactical_scene import TacticalScene

FIELD = 1190
"""The height of the part that shows the sheet."""


def render_tactical(scene: TacticalScene, *, theme: Theme = DEFAULT) -> MapImage:
    """The picture of a scene, 1,600 pixels wide, made to be read at 400."""
    image = coloured(paint_tactical(scene, theme), theme)
    return MapImage(encode(image), image.width, image.height, tactical_alt(scene), "battle-map.png")


def planned(scene: TacticalScene, afar: tuple[HexId, ...] = ()) -> TacticalPlan:
    """Where everything stands on a scene's picture."""
    sizes = sizes_for(len(scene.units))
    field = bands.field_rect(bands.HEADER, FIELD)
    return plan_tactical(scene, lambda r: sheet_for(scene, field, r), sizes, afar)


def paint_tactical(scene: TacticalScene, theme: Theme, afar: tuple[HexId, ...] = ()) -> Image.Image:
    """The picture in palette numbers; how far it is to what lies beyond it is said from the nearest hex of ``afar``."""
    plan = planned(scene, afar)
    below = bands.HEADER + FIELD
    rows = below + bands.facts_high(scene)
    legend = rows + bands.rows_high(scene)
    high = legend + bands.LEGEND
    page = Page(bands.WIDTH)
    page.picture = draw_tactical(plan, theme, (bands.WIDTH, high))
    bands.draw_header(page, scene)
    page.picture.paste(BAND, (0, below, bands.WIDTH, legend))
    bands.draw_facts(page, scene, below)
    bands.draw_rows(page, scene, plan.looks, rows)
    bands.draw_legend(page, scene, plan.looks, legend, sorted({one.drift.impulse for one in plan.ghosts}))
    return page.picture


def draw_tactical(plan: TacticalPlan, theme: Theme, extent: tuple[int, int]) -> Image.Image:
    """A picture of that extent with everything that a plan has; what is drawn over the field's rim is for bands to
    cover."""
    picture = paint_ground(plan.sheet, extent)
    on = DrawnPlan(picture, plan)
    for sign in plan.scene.terrain:
        draw_terrain(picture, theme, plan.sheet, sign)
    for place in plan.units:
        draw_trail(on, place)
    for place in plan.units:
        draw_drift(on, place)
    draw_between(on)
    for plot in plan.scene.plots:
        draw_plot(on, plot)
    draw_ghosts(on)
    for place in plan.units:
        draw_leader(on, place)
    draw_label_leaders(on)
    draw_numbers(picture, rim_numbers(plan.sheet, plan.room))
    for place in plan.units:
        unit = place.unit
        look = UnitLook(place.look, unit.form, unit.facing, _ring_of(plan, place.r, unit.form), unit.shields)
        stamp(picture, unit_sprite(look), *place.at)
    _draw_labels(picture, plan)
    return picture


def _ring_of(plan: TacticalPlan, r: int, form: str) -> int:
    """The radius by which a unit is drawn: what has no ring is drawn by that of a ship."""
    return r if form == "ship" else plan.sizes.r


def _draw_labels(picture: Image.Image, plan: TacticalPlan) -> None:
    inks = {place.unit.code: place.look for place in plan.units}
    vectors = {place.unit.code: place.unit.vector if place.unit.speed else "at rest" for place in plan.units}
    names = {text.plain(code)[:8]: code for code in inks}
    for one in plan.labels:
        code = names[one.code]
        stamp(picture, chip_sprite(one.code, inks[code], plan.sizes.chip), *one.chip.middle)
        if one.vector:
            _say(picture, vectors[code], one.vector, plan.sizes.vector)
    for words, size, ink in ((plan.names, GROUND_NAME, "quiet"), (plan.events, EVENT, "text")):
        for box, said in words:
            x, y = box.middle
            stamp(picture, label(said, size, ink), x, y - text.capital_middle(size))
    if plan.range_box is not None:
        _boxed(picture, said_range(plan), plan.range_box, plan.sizes.range)
    page = Page(1)
    page.picture = picture
    for one in plan.pins:
        pin(page, one.number, *one.at, plan.sizes.pin)
    if plan.compass is not None:
        stamp(picture, compass_sprite(plan.sizes.compass), *plan.compass)
    for post in plan.posts:
        _draw_post(picture, plan, post)


def _say(picture: Image.Image, said: str, box: Rect, size: int) -> None:
    x, y = box.middle
    stamp(picture, label(said, size, "text", heavy=True), x, y - text.capital_middle(size))


def _boxed(picture: Image.Image, said: str, box: Rect, size: int) -> None:
    page = Page(1)
    page.picture = picture
    page.clear(box, lambda brush: brush.box(box, 14), PAPER)
    page.lay(box, lambda brush: brush.frame(box, 14, 4), "text")
    _say(picture, said, box, size)


def _draw_post(picture: Image.Image, plan: TacticalPlan, post: RimPost) -> None:
    """What lies beyond the rim, with an arrow that points there."""
    x, y = post.arrow
    stamp(picture, arrow(*_shortened_way(post), 16, "text"), x, y)
    if post.code:
        side = next(one.side for one in plan.scene.units if one.code == post.code)
        chip = chip_sprite(text.plain(post.code)[:8], plan.looks[side], plan.sizes.chip)
        stamp(picture, chip, *post.chip.middle)
    _say(picture, post.says, post.words, GROUND_NAME)


def _shortened_way(post: RimPost) -> Point:
    """Where an arrow points, in whole numbers small enough for few different arrows to be kept."""
    dx, dy = post.towards[0] - post.arrow[0], post.towards[1] - post.arrow[1]
    far = hypot(dx, dy) or 1.0
    return round(dx / far * 24), round(dy / far * 24)
