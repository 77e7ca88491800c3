"""Planning a crop.

The order of placing is the order of what matters: counters of the place itself, other counters, the codes of others'
counters, names, notes, signposts, hex numbers. Nothing lies on a counter, and no text on another. What finds no place
is said in words.
"""

from math import hypot

from map_render.crop.box import Box
from map_render.crop.frame import CropFrame
from map_render.crop.placing.captions import place_codes, place_note_below, place_notes
from map_render.crop.placing.counters import place_block, place_burst, place_ways
from map_render.crop.placing.names import place_name, place_numbers
from map_render.crop.placing.plan import CropPlan
from map_render.crop.placing.posts import goals_of, posts_of
from map_render.crop.placing.room import CropRoom, around
from map_render.crop.stands import HexStand, PlaceSign
from map_render.drawing.scene import Scene
from map_render.drawing.theme import Theme
from rules_engine.core.basics.base import HexId

_EDGE = 8


def plan_of(
    scene: Scene,
    frame: CropFrame,
    there: tuple[dict[HexId, HexStand], dict[HexId, PlaceSign]],
    theme: Theme,
    title: str,
    *,
    news: bool,
) -> CropPlan:
    """The plan of a crop that is called ``title``; with ``news`` its place is ringed even if nothing fights there."""
    stands, places = there
    left, top, right, bottom = frame.bounds
    plan = CropPlan(frame, theme, CropRoom(Box(left + _EDGE, top + _EDGE, right - _EDGE, bottom - _EDGE)))
    inside = [name for name in frame.shown if frame.holds(name)]
    order = _by_weight(frame, inside)
    plan.rings = [
        name for name in order if (news and name in frame.focus) or (name in stands and stands[name].is_contested)
    ]
    for name in order:
        if name in stands:
            place_block(plan, stands[name])
    for name in order:
        if name in stands and stands[name].battle:
            place_burst(plan, name)
    place_ways(plan, scene)
    for name in order:
        if name in plan.blocks:
            place_codes(plan, name)
    for name in order:
        if name in places:
            place_name(plan, places[name], title)
    for name in order:
        if name in plan.blocks:
            place_notes(plan, name)
    for name, cell in plan.noteless:
        place_note_below(plan, name, cell)
    for name in plan.rings:
        plan.room.take(_around_hex(frame, name))
    drawn = {name for name in order if name in plan.blocks or name not in stands}
    plan.posts = posts_of(plan.room, scene, frame, goals_of(scene, frame, stands, places, drawn))
    place_numbers(plan, inside)
    return plan


def _by_weight(frame: CropFrame, names: list[HexId]) -> list[HexId]:
    """Hexes as they are placed: those that the crop is about, then the nearest to its middle."""
    left, top, right, bottom = frame.bounds
    middle = ((left + right) / 2, (top + bottom) / 2)

    def weight(name: HexId) -> tuple[bool, float, HexId]:
        x, y = frame.centres[name]
        return name not in frame.focus, hypot(x - middle[0], y - middle[1]), name

    return sorted(names, key=weight)


def _around_hex(frame: CropFrame, name: HexId) -> Box:
    """The box around a hex, nearly to its corners."""
    x, y = frame.centres[name]
    reach_x, reach_y = (max(corner[axis] for corner in frame.corners) for axis in (0, 1))
    return around(x, y, 2 * reach_x, 2 * reach_y)
