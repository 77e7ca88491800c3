"""Works out where everything stands on a tactical picture, so that nothing lies upon another."""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from math import hypot

from map_render.drawing import text
from map_render.tactical.labels import GROUND, NOT_ON, Wanted, first_free, placed_label
from map_render.tactical.looks import SMALL, chip_wide, tactical_looks
from map_render.tactical.plan import (
    BUOY,
    EVENT,
    GHOST_NUMBER,
    GROUND_NAME,
    GhostPlace,
    PinPlace,
    RimPost,
    TacticalPlan,
    TacticalSizes,
    UnitPlace,
    place_of,
    said_range,
    smaller,
)
from map_render.tactical.sheet import Point, TacticalSheet, nearest_of, planet_disc
from map_render.tactical.spots import NoRoom, around, outwards, spread_out
from map_render.theatre.placing.room import COUNTER, EVERYTHING, LINE, NAME, PLACE, Rect, span_in
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.space import hexes_between
from rules_engine.core.knowledge.tactical_scene import TacticalScene

_TRIES = 12
_ALONG = (0.5, 0.4, 0.6, 0.32, 0.68, 0.25, 0.75, 0.18, 0.82)


def plan_tactical(
    scene: TacticalScene,
    sheet_of: Callable[[int], TacticalSheet],
    sizes: TacticalSizes,
    afar: tuple[HexId, ...] = (),
) -> TacticalPlan:
    """The plan of a scene on a part of the sheet that is chosen by the radius of a ship. Where units have no room in
    these sizes all of them are drawn smaller. How far it is to what lies beyond the sheet is said from the nearest hex
    of ``afar``, without any from the nearest unit that is shown."""
    for _ in range(_TRIES):
        try:
            return _plan(scene, sheet_of(sizes.r), sizes, afar)
        except NoRoom:
            sizes = smaller(sizes)
    raise NoRoom


def _plan(scene: TacticalScene, sheet: TacticalSheet, sizes: TacticalSizes, afar: tuple[HexId, ...]) -> TacticalPlan:
    plan = TacticalPlan(scene, sheet, sizes, tactical_looks(scene))
    inner = sheet.field.grown(-8)
    _stand(plan, inner)
    _take_terrain(plan)
    _compass(plan)
    _ghosts(plan)
    _take_lines(plan)
    ranged = _range(plan)
    _pins(plan, inner)
    _posts(plan, inner, afar or tuple(place.unit.hex for place in plan.units))
    for place in _by_crowd(plan):
        unit = place.unit
        vector = (unit.vector if unit.speed else "at rest") if sizes.vector else ""
        wanted = Wanted(text.plain(unit.code)[:8], vector, place.at, place.r, sizes.chip, sizes.vector)
        plan.labels.append(placed_label(wanted, inner, plan.room))
    if ranged:
        _range_label(plan, inner)
    _plot_words(plan, inner)
    plan.ghosts = [ghost._replace(number=_number_box(plan, ghost, inner)) for ghost in plan.ghosts]
    _ground_names(plan, inner)
    return plan


def _stand(plan: TacticalPlan, inner: Rect) -> None:
    here = [one for one in plan.scene.units if plan.sheet.has(one.hex)]
    radii = [plan.sizes.r if one.form == "ship" else round(plan.sizes.r * SMALL) + 2 for one in here]
    wanted = [(plan.sheet.at(one.hex), r) for one, r in zip(here, radii, strict=True)]
    for unit, (at, r), spot in zip(here, wanted, spread_out(wanted, inner, 14), strict=True):
        plan.units.append(UnitPlace(unit, plan.looks[unit.side], at, spot, r))
        plan.room.take(around(spot, r + 3), COUNTER, unit.code)


def _take_terrain(plan: TacticalPlan) -> None:
    """Buoys are read, so nothing is written on them; other terrain is better left free."""
    half = max(4, plan.sheet.row // 2 - 2)
    for sign in plan.scene.terrain:
        if sign.kind == "planet" and sign.hexes:
            _take_disc(plan, *planet_disc(plan.sheet, sign))
        for name in plan.sheet.hexes_of(sign):
            if not plan.sheet.has(name, -plan.sheet.row):
                continue
            at = plan.sheet.at(name)
            if sign.kind == "buoy":
                plan.room.take(around(at, max(BUOY, round(plan.sheet.row * 0.4))), NAME, f"buoy {sign.number}")
            elif sign.kind != "planet":
                plan.room.take(around(at, half), GROUND, sign.kind)


def _take_disc(plan: TacticalPlan, middle: Point, r: int) -> None:
    """A disc as boxes, one below the other."""
    x, y = middle
    high = max(6, r // 6)
    for top in range(-r, r, high):
        nearest = min(abs(top), abs(top + high)) if top * (top + high) > 0 else 0
        half = round((r * r - nearest * nearest) ** 0.5)
        plan.room.take(Rect(x - half, y + top, x + half, y + min(r, top + high)), GROUND, "planet")


def _compass(plan: TacticalPlan) -> None:
    left, top, right, bottom = plan.field
    edge = plan.sizes.compass + 20
    corners = ((right - edge, bottom - edge), (left + edge, bottom - edge), (left + edge, top + edge),
               (right - edge, top + edge))  # fmt: skip
    ends = [plan.sheet.at(drift.hex) for one in plan.units for drift in one.unit.drifts]
    free = [at for at in corners if plan.room.is_free(around(at, plan.sizes.compass), COUNTER | NAME)]
    clear = [at for at in free if plan.room.is_free(around(at, plan.sizes.compass))]
    clear = [at for at in clear if not any(_is_in(one, around(at, plan.sizes.compass + 30)) for one in ends)]
    found = next(iter(clear or free), None)
    if found is not None:
        plan.compass = found
        plan.room.take(around(found, plan.sizes.compass), COUNTER, "compass")


def _is_in(point: Point, box: Rect) -> bool:
    return box.left <= point[0] < box.right and box.top <= point[1] < box.bottom


def _ghosts(plan: TacticalPlan) -> None:
    """Where units will be: the last impulse of each first, since where a unit ends matters most."""
    wanted = [(place, place.unit.drifts[1:][-plan.sizes.ghosts :][::-1]) for place in plan.units]
    for rank in range(plan.sizes.ghosts):
        for place, drifts in wanted:
            for drift in drifts[rank : rank + 1]:
                at = plan.sheet.at(drift.hex)
                box = around(at, plan.sizes.ghost)
                if drift.hex != place.unit.hex and box.within(plan.field) and plan.room.is_free(box, COUNTER | PLACE):
                    plan.ghosts.append(GhostPlace(place.unit, place.look, drift, at))
                    plan.room.take(box, PLACE, place.unit.code)


def _take_lines(plan: TacticalPlan) -> None:
    for place in plan.units:
        ends = [place.hex_at, *(plan.sheet.at(drift.hex) for drift in place.unit.drifts)]
        for start, end in pairwise(ends):
            if start != end:
                plan.room.take_line(start, end, plan.sizes.arrow // 2 + 2, place.unit.code)
    for plot in plan.scene.plots:
        spots = [plan.sheet.at(name) for name in plot.hexes]
        for start, end in pairwise(spots):
            plan.room.take_line(start, end, 8, plot.code)


def _range(plan: TacticalPlan) -> bool:
    """The line between the two nearest that are not of one side."""
    pair = next(iter(plan.scene.pairs), None)
    ends = [place_of(plan, code) for code in (pair.one, pair.other)] if pair else []
    if pair is None or len(ends) < 2 or ends[0] is None or ends[1] is None:
        return False
    one, other = ends[0], ends[1]
    far = hypot(other.at[0] - one.at[0], other.at[1] - one.at[1])
    if far < one.r + other.r + 60:
        return False
    plan.range_ends = (_edge(one, other.at, 10), _edge(other, one.at, 10))
    plan.room.take_line(*plan.range_ends, 4, "range")
    return True


def _edge(place: UnitPlace, to: Point, more: int) -> Point:
    """Where a line from a unit leaves its ring."""
    (x, y), far = place.at, hypot(to[0] - place.at[0], to[1] - place.at[1]) or 1.0
    reach = place.r + more
    return round(x + (to[0] - x) * reach / far), round(y + (to[1] - y) * reach / far)


def _range_label(plan: TacticalPlan, inner: Rect) -> None:
    assert plan.range_ends is not None
    size = plan.sizes.range
    wide, high = text.width(said_range(plan), size, heavy=True) + size, round(1.6 * size)
    boxes = (_centred(at, wide, high) for at in _along(*plan.range_ends))
    plan.range_box = first_free(boxes, inner, plan.room, COUNTER | NAME | PLACE | GROUND, "range")


def _along(start: Point, end: Point) -> Iterator[Point]:
    for share in _ALONG:
        yield round(start[0] + (end[0] - start[0]) * share), round(start[1] + (end[1] - start[1]) * share)


def _centred(at: Point, wide: int, high: int) -> Rect:
    left, top = at[0] - wide // 2, at[1] - high // 2
    return Rect(left, top, left + wide, top + high)


def _pins(plan: TacticalPlan, inner: Rect) -> None:
    for number, news in enumerate(plan.scene.news, 1):
        ends = tuple(plan.sheet.at(name) for name in news.hexes if plan.sheet.has(name, plan.sizes.pin))
        spots = list(_pin_spots(plan, ends, next(iter(news.codes), "")))
        boxes = [around(at, plan.sizes.pin + 4) for at in spots]
        box = first_free(iter(boxes), inner, plan.room, NOT_ON | GROUND, f"pin {number}")
        box = box or first_free(iter(boxes), inner, plan.room, NOT_ON, f"pin {number}")
        if box is not None:
            line = _shortened(ends, plan.sizes.ghost + 12) if len(ends) == 2 else ()
            plan.pins.append(PinPlace(number, box.middle, line))
            if line:
                plan.room.take_line(line[0], line[1], 4, f"pin {number}")


def _pin_spots(plan: TacticalPlan, ends: tuple[Point, ...], code: str) -> Iterator[Point]:
    if len(ends) == 2:
        yield from _along(*ends)
    place = place_of(plan, code)
    middle = ends[0] if ends else place.at if place else None
    if middle is not None:
        reach = plan.sizes.pin + 6 + (plan.sizes.ghost if ends or place is None else place.r)
        for farther in (1.0, 1.6, 2.4):
            for dx, dy in ((1, -0.6), (-1, -0.6), (0.6, -1), (-0.6, -1), (1, 0.6), (-1, 0.6), (0.6, 1), (-0.6, 1)):
                yield round(middle[0] + dx * reach * farther), round(middle[1] + dy * reach * farther)


def _shortened(ends: tuple[Point, ...], by: int) -> tuple[Point, ...]:
    (x, y), (to_x, to_y) = ends
    far = hypot(to_x - x, to_y - y)
    if far <= 4 * by:
        return ()
    dx, dy = (to_x - x) / far * by, (to_y - y) / far * by
    return (round(x + dx), round(y + dy)), (round(to_x - dx), round(to_y - dy))


def _by_crowd(plan: TacticalPlan) -> list[UnitPlace]:
    """The units, those first that have most others near them: they have the least room."""

    def crowd(place: UnitPlace) -> float:
        ways = (hypot(place.at[0] - one.at[0], place.at[1] - one.at[1]) for one in plan.units if one is not place)
        return sum(1 / (60 + far) for far in ways)

    return sorted(plan.units, key=lambda place: (-crowd(place), place.unit.code))


def _number_box(plan: TacticalPlan, ghost: GhostPlace, inner: Rect) -> Rect | None:
    wide, high = text.width(str(ghost.drift.impulse), GHOST_NUMBER, heavy=True) + 6, GHOST_NUMBER
    (x, y), reach = ghost.at, plan.sizes.ghost + 4
    beside = ((0, 1), (1, 0), (-1, 0), (0, -1), (0.8, 0.8), (-0.8, 0.8), (0.8, -0.8), (-0.8, -0.8))
    boxes = (
        _centred((round(x + dx * (reach + wide / 2)), round(y + dy * (reach + high / 2))), wide, high)
        for dx, dy in beside
    )
    return first_free(boxes, inner, plan.room, EVERYTHING, "")


def _plot_words(plan: TacticalPlan, inner: Rect) -> None:
    """What a plot does, beside the hex where it does it, and the vector that it ends with."""
    for plot in plan.scene.plots:
        words = [(name, said, 10) for name, said in plot.events]
        words += [(plot.hexes[-1], plot.vector, plan.sizes.ghost)] if plot.hexes else []
        for name, said, r in words:
            written = text.elide(text.plain(said), EVENT, 420)
            wide, high = text.width(written, EVENT) + 8, EVENT + 6
            at = plan.sheet.at(name)
            boxes = (
                _centred((at[0] + dx * (r + 8 + wide // 2), at[1] + dy * (r + 8 + high // 2)), wide, high)
                for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
            )
            box = first_free(boxes, inner, plan.room, EVERYTHING & ~LINE, "")
            if box is not None:
                plan.events.append((box, written))


def _ground_names(plan: TacticalPlan, inner: Rect) -> None:
    """The names of terrain, below or above it."""
    for sign in plan.scene.terrain:
        said = text.elide(text.plain(sign.name), GROUND_NAME, 420)
        spots = [plan.sheet.at(name) for name in plan.sheet.hexes_of(sign) if plan.sheet.has(name)]
        if not said or not spots:
            continue
        wide, high = text.width(said, GROUND_NAME) + 8, GROUND_NAME + 8
        x = (min(at[0] for at in spots) + max(at[0] for at in spots)) // 2
        low = max(at[1] for at in spots) + max(plan.sheet.row // 2, 44 if sign.kind in ("buoy", "planet") else 0)
        top = min(at[1] for at in spots) - max(plan.sheet.row // 2, 44 if sign.kind in ("buoy", "planet") else 0)
        boxes = [_centred((x, y), wide, high) for y in (low + high // 2, top - high // 2)]
        boxes += [_centred((x + way * (wide // 2 + 60), (low + top) // 2), wide, high) for way in (1, -1)]
        # A name may stand on its own rocks or dust, but on no planet.
        own = sign.kind if sign.kind in ("asteroids", "dust", "web") else ""
        box = first_free(iter(boxes), inner, plan.room, EVERYTHING & ~LINE, own)
        if box is not None:
            plan.names.append((box, said))


def _posts(plan: TacticalPlan, inner: Rect, afar: tuple[HexId, ...]) -> None:
    """What lies beyond the field: units, and the nearest hex of each piece of terrain."""
    starts = afar or (plan.sheet.middle(),)

    def nearest(names: Iterable[HexId]) -> tuple[int, HexId]:
        return min((hexes_between(start, name), name) for start in starts for name in names)

    outside = [(*nearest([one.hex]), one.code) for one in plan.scene.units if not plan.sheet.has(one.hex)]
    for far, name, code in sorted(outside)[: plan.sizes.posts]:
        _post(plan, inner, (code, str(far)), name)
    for sign in plan.scene.terrain:
        if sign.hexes and not any(plan.sheet.has(name) for name in plan.sheet.hexes_of(sign)):
            far, name = nearest([nearest_of(sign, start) for start in starts])
            said = text.plain(sign.name) or (f"buoy {sign.number}" if sign.number else sign.kind)
            _post(plan, inner, ("", f"{said[:24]} · {far}"), name)


def _post(plan: TacticalPlan, inner: Rect, says: tuple[str, str], name: HexId) -> None:
    """A post, of a code and words, where the way from the middle to a hex leaves the field, or as near to there as
    there is room: first where no terrain is."""
    code, words = says
    (x, y), (to_x, to_y) = plan.field.middle, plan.sheet.at(name)
    share = span_in((x, y), (to_x, to_y), inner.grown(-30))
    if share is None:
        return
    rim = (round(x + (to_x - x) * share[1]), round(y + (to_y - y) * share[1]))
    high = plan.sizes.chip if code else GROUND_NAME + 10
    chip = chip_wide(text.plain(code)[:8], high) + 8 if code else 0
    wide = 44 + chip + text.width(words, GROUND_NAME, heavy=True) + 6
    for at, kinds in ((at, kinds) for kinds in (NOT_ON | PLACE | GROUND, NOT_ON) for at in outwards(rim, 20)):
        box = _centred(at, wide, high)
        moved = box.moved(max(0, inner.left - box.left) - max(0, box.right - inner.right),
                          max(0, inner.top - box.top) - max(0, box.bottom - inner.bottom))  # fmt: skip
        if moved.within(inner) and plan.room.is_free(moved, kinds):
            plan.room.take(moved, NAME, f"post {code or words}")
            arrow = (moved.left + 22, moved.middle[1])
            chipped = Rect(moved.left + 44, moved.top, moved.left + 44 + max(0, chip - 8), moved.bottom)
            plan.posts.append(
                RimPost(code, words, chipped, Rect(moved.left + 44 + chip, moved.top, moved.right, moved.bottom), arrow,
                     (to_x, to_y))
            )  # fmt: skip
            return
