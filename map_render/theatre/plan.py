"""The plan of a theatre: where everything stands. Nothing is drawn before all of it is known."""

from collections.abc import Iterable
from typing import NamedTuple

from map_render.drawing import text
from map_render.drawing.scene import Scene, part_of
from map_render.drawing.sprites import label
from map_render.drawing.theme import Theme
from map_render.theatre import courses, grounds, legend
from map_render.theatre.callout_places import PlacedCallout, place_callout, place_pin
from map_render.theatre.callouts import WIDTHS, Callout, callouts_of, draw_callout
from map_render.theatre.contested import Contest, place_contests
from map_render.theatre.courses import CourseLine, Drawn
from map_render.theatre.frame import Frame, Point, make_frame, shown_hexes
from map_render.theatre.ground import GroundLook, Space, number_width, sheet_of, take_numbers
from map_render.theatre.groups import Maker
from map_render.theatre.pieces import Old, Pieces, Stand, is_plate, pieces_of
from map_render.theatre.room import COUNTER, EVERYTHING, NAME, Bits, Rect, Room
from map_render.theatre.stand import PlacedGroup, Stander
from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.views import Counter

ROOMY = 80
"""Drawn pixels from a hex's middle to its corner from which on every hex has its number."""


class TheatrePlan(NamedTuple):
    """Where everything of a theatre stands. Nothing is drawn before all of it is known. ``scene`` is what it shows: all
    of a map or a part."""

    scene: Scene
    frame: Frame
    pieces: Pieces
    ground: GroundLook
    standing: tuple[PlacedGroup, ...]
    lines: tuple[CourseLine, ...]
    ghosts: tuple[Drawn, ...]
    callouts: tuple[PlacedCallout, ...]
    pins: tuple[tuple[int, Point], ...]
    homeless: tuple[Callout, ...]
    """The callouts that found no place: they stand in the band below."""
    words: tuple[Drawn, ...]
    numbers: tuple[tuple[str, Point], ...]
    legend: tuple[legend.SignSpot, ...]
    compass: Point | None
    scale: Point | None
    room: Room


def space_of(scene: Scene) -> tuple[Space, ...]:
    """Whose space the hexes of a scene's board are."""
    seats = list(scene.side_looks)
    looks = {owner: scene.look_of(owner) for owner in {note.territory for note in scene.board.hexes if note.territory}}
    alike = {
        owner: (look.ink, look.shape == "plate", seats.index(owner) if owner in seats else 0)
        for owner, look in looks.items()
    }
    return tuple(Space(note.hex, *alike[note.territory]) for note in scene.board.hexes if note.territory)


def plan_theatre(scene: Scene, theme: Theme, ranges: tuple[str, ...] = (), area: tuple[HexId, ...] = ()) -> TheatrePlan:
    """Choose a place for everything on a scene's map, or on the part of it around an area: first for what may not move,
    then counters, names, callouts, and small words last.

    Raises:
        UnknownHex: for an area with hexes that are not on the map.
    """
    everything, shown_here = space_of(scene), shown_hexes(scene.board.grid, area)
    if area:
        scene = part_of(scene, shown_here)
    board = scene.board
    pieces = pieces_of(scene, theme, shown_here)
    space = space_of(scene)
    shown = tuple(word for word in ranges if any(one.kind == word for one in board.ranges))
    spots = legend.set_out(legend.entries_of(scene, pieces, space, shown, theme))
    frame = make_frame(board.grid, theme, len(scene.numbered), legend.rows_of(spots), area)
    room = Room()
    lines = courses.lines_of(scene, frame)
    take_numbers(board.grid, frame, room)
    courses.take_lines(lines, frame, room)
    grounds.take_places(pieces.places, frame, room)
    standing = _stand(scene, theme, frame, pieces, room)
    ghosts, words = _ghosts(scene, frame, lines, room)
    words += _old_words(standing, frame, room)
    words += grounds.place_names(tuple(place for place in pieces.places if place.rank == 0), frame, room)
    placed, pins, homeless = _callouts(scene, theme, frame, pieces, room=room, standing=standing)
    words += grounds.place_names(tuple(place for place in pieces.places if place.rank > 0), frame, room)
    words += _contact_words(scene, theme, frame, room, standing=standing, placed=placed)
    if len(scene.side_looks) > 2:
        for look in scene.side_looks.values():
            mine = [note.hex for note in board.hexes if note.territory == look.key]
            drawn = grounds.owner_name_at(look, mine, frame, room)
            words += [drawn] if drawn else []
    if frame.size >= frame.px(ROOMY):
        words += _terrain_words(scene, theme, frame, room)
    compass, scale = _compass_at(frame, room), _scale_at(frame, room)
    numbers = tuple(_numbers(frame, pieces, room, scene))
    terrain = tuple((note.hex, note.terrain) for note in board.hexes if note.terrain != "space")
    invented = tuple(note.hex for note in board.hexes if note.invented)
    return TheatrePlan(
        scene, frame, pieces, GroundLook(terrain, everything, invented), tuple(standing), tuple(lines), tuple(ghosts),
        tuple(placed), tuple(pins), tuple(homeless), tuple(words), numbers, spots, compass, scale, room,
    )  # fmt: skip


def _stand(scene: Scene, theme: Theme, frame: Frame, pieces: Pieces, room: Room) -> list[PlacedGroup]:
    """Contested hexes first, then contacts, own forces, and old sightings last: these never hide what is new."""
    standing, maker = Stander(frame, room), Maker(scene, theme, frame)
    grounded = {place.hex for place in pieces.places}

    def rank(stand: Stand) -> tuple[int, str]:
        return (0 if stand.contested or stand.battle else 1 if stand.others else 2), stand.hex

    stands = sorted(pieces.stands, key=rank)
    contests = [Contest(stand, maker.ways(stand)) for stand in stands if rank(stand)[0] == 0]
    place_contests(standing, contests, far=2.6, weight=8.0)
    for stand in stands[len(contests) :]:
        docked = bool(stand.ours) and all(one.docked for one in stand.ours)
        upward = stand.hex in grounded or docked  # so that the place stays in sight
        weight = 2.0 if stand.others else 1.0
        standing.place(stand, maker.ways(stand), upward=upward, far=2.6, weight=weight)
    for old in pieces.old:
        standing.place(old, maker.old(old), upward=old.hex in grounded, far=4.0)
    return standing.placed


def _ghosts(scene: Scene, frame: Frame, lines: list[CourseLine], room: Room) -> tuple[list[Drawn], list[Drawn]]:
    """The hollow counters at the ends of own courses, and the words at the ends of turns."""
    counters = {piece.id: piece for piece in scene.board.counters}
    last: dict[str, CourseLine] = {}
    for line in lines:
        if not line.trail and line.course.counter in counters and is_plate(scene, counters[line.course.counter]):
            before = last.get(line.course.counter)
            if before is None or before.course.kind != "route":
                last[line.course.counter] = line
    ghosts: list[Drawn] = []
    words: list[Drawn] = []
    for name, line in sorted(last.items()):
        if line.hexes[-1] not in frame.centres:
            continue
        ghost = courses.place_ghost(line, counters[name], frame, room)
        if ghost:
            ghosts.append(ghost[0])
    for line in lines:
        legs = len(line.corners) - 1
        for tick in courses.ticks_of(line, frame):
            far = frame.px(46) if tick.after == legs else frame.px(30)
            found = courses.place_words(tick.said, tick.at, frame, room, frame.px(36), far=far)
            words += [found] if found else []
    return ghosts, words


def _old_words(standing: list[PlacedGroup], frame: Frame, room: Room) -> list[Drawn]:
    """Beside each old sighting how old it is, and of how many it is one."""
    words: list[Drawn] = []
    for placed in standing:
        if not isinstance(placed.of, Old):
            continue
        least, most = placed.of.ages
        count = len(placed.of.members)
        ages = f"{least}–{most} t ago" if most > least else f"{most} t ago" if most else "lost"
        lines = [(f"×{count}", 46, "text", True), (ages, 36, "quiet", False)] if count > 1 else [
            (f"{text.plain(placed.of.members[0].label[:12])} {ages}", 38, "quiet", False)]  # fmt: skip
        words += _lines_beside(placed, lines, frame, room)
    return words


def _lines_beside(
    placed: PlacedGroup, lines: list[tuple[str, int, str, bool]], frame: Frame, room: Room
) -> list[Drawn]:
    """Lines of words beside a counter, to the right, left, below or above; fewer where there is little room."""
    body = placed.bodies[0].box
    x, y = body.middle
    while lines:
        sizes = [frame.px(size) for _, size, _, _ in lines]
        wide = max(text.width(words, size, heavy) for (words, _, _, heavy), size in zip(lines, sizes, strict=True))
        high = sum(round(0.95 * size) for size in sizes)
        reach, down = (body.right - body.left) // 2 + frame.px(8), (body.bottom - body.top) // 2 + frame.px(6)
        for middle_x, middle_y in (
            (x + reach + wide // 2, y), (x - reach - wide // 2, y),
            (x, y + down + high // 2), (x, y - down - high // 2),
            (x + reach + wide // 2, y + down), (x - reach - wide // 2, y + down), (x + reach + wide // 2, y - down),
        ):  # fmt: skip
            box = Rect(middle_x - wide // 2 - 3, middle_y - high // 2, middle_x + wide // 2 + 3, middle_y + high // 2)
            if box.within(frame.field) and room.is_free(box):
                room.take(box, NAME, placed.hex)
                found: list[Drawn] = []
                top = box.top
                for (words, _, ink, heavy), size in zip(lines, sizes, strict=True):
                    sprite = label(words, size, ink, heavy=heavy, casing=frame.px(6))
                    left = box.left + 3 if middle_x > x else box.right - 3 - text.width(words, size, heavy)
                    left = middle_x - text.width(words, size, heavy) // 2 if abs(middle_x - x) < 3 else left
                    found.append(Drawn(sprite, left - sprite.dx, top + round(0.475 * size) - text.capital_middle(size)))
                    top += round(0.95 * size)
                return found
        lines = lines[:-1]
    return []


_SAID = {"mines": "mines"}
"""What is written beside a contact in place of its number, by its sign."""


def _contact_words(
    scene: Scene, theme: Theme, frame: Frame, room: Room, *, standing: list[PlacedGroup], placed: list[PlacedCallout]
) -> list[Drawn]:
    """The number of each contact that no callout names, and how many counters stand under one sign."""
    told = {one.callout.hex for one in placed}
    words: list[Drawn] = []
    for one in standing:
        if not isinstance(one.of, Stand) or one.hex in told:
            continue
        counters = {piece.id: piece for piece in one.of.counters}
        for body in one.bodies:
            said = _said(scene, theme, [counters[name] for name in body.part.ids])
            if said:
                words += _lines_beside(one._replace(bodies=(body,)), [(said, 40, "text", True)], frame, room)
    return words


def _said(scene: Scene, theme: Theme, under: list[Counter]) -> str:
    """What is written beside the sign of some counters."""
    count = len(under)
    if not under or is_plate(scene, under[0]) or under[0].label.startswith(scene.look_of(under[0].owner).name):
        return f"×{count}" if count > 1 else ""  # plates bear their codes, and whose others are shape and colour tell
    said = _SAID.get(theme.form_look(under[0].form).glyph, text.plain(under[0].label[:12]))
    return f"{said} +{count - 1}" if count > 1 else said


def _callouts(
    scene: Scene, theme: Theme, frame: Frame, pieces: Pieces, *, room: Room, standing: list[PlacedGroup]
) -> tuple[list[PlacedCallout], list[tuple[int, Point]], list[Callout]]:
    """The callouts that find a place, the pins of numbered places without one, and the callouts that found none."""
    placed: list[PlacedCallout] = []
    homeless: list[Callout] = []
    wanted, cells = callouts_of(scene, pieces), Bits(frame.px(8))
    for taken in room.all if wanted else ():
        cells.take(taken.box)
    for callout in wanted:
        bodies = tuple(body.box for one in standing if one.hex == callout.hex for body in one.bodies if body.part.ids)
        found: PlacedCallout | None = None
        for widest, parts in WIDTHS:
            if found is None:
                image = draw_callout(scene, theme, frame, callout, widest)
                found = place_callout(callout, image, frame, room, cells=cells, bodies=bodies, parts=parts)
        if found:
            placed.append(found)
        else:
            homeless.append(callout)
    there = {one.callout.number for one in placed}
    pins: list[tuple[int, Point]] = []
    for number, news in scene.numbered:
        at = next((name for name in news.hexes if name in frame.centres), None)
        if number in there or at is None:
            continue
        spot = place_pin(frame.centres[at], frame.px(44), frame, room)
        pins += [(number, spot)] if spot else []
    return placed, pins, homeless


def _numbers(frame: Frame, pieces: Pieces, room: Room, scene: Scene) -> Iterable[tuple[str, Point]]:
    """(hex, middle) of hex numbers: within one hex of something, or everywhere on roomy maps, where nothing lies."""
    size = number_size(frame)
    if size < 12:
        return
    grid = scene.board.grid
    if frame.size >= frame.px(ROOMY):
        near = set(frame.centres)
    else:
        something = {*(place.hex for place in pieces.places), *(stand.hex for stand in pieces.stands)}
        near = {other for name in something for other in grid.within(name, 1) if other in frame.centres}
    for name in sorted(near):
        x, y = frame.centres[name]
        at = y - round((0.7 if frame.flat else 0.66) * frame.size)
        half_wide, half_high = number_width(name, size) // 2 + 2, round(0.4 * size)
        if room.is_free(Rect(x - half_wide, at - half_high, x + half_wide, at + half_high), EVERYTHING):
            yield name, (x, at)


def _terrain_words(scene: Scene, theme: Theme, frame: Frame, room: Room) -> list[Drawn]:
    """The name of each stretch of terrain, once, in the lower part of one of its hexes."""
    looks = {note.hex: theme.terrain_look(note.terrain) for note in scene.board.hexes if note.hex in frame.centres}
    words: list[Drawn] = []
    told: set[str] = set()
    size = frame.px(38)
    for name, look in looks.items():
        if look is None or name in told:
            continue
        stretch, ahead = {name}, [name]
        while ahead:
            near = [one for one in scene.board.grid.neighbours(ahead.pop()) if looks.get(one) == look]
            ahead += [one for one in near if one not in stretch]
            stretch.update(near)
        told |= stretch
        said = text.plain(look.label)[:16]
        wide = text.width(said, size)
        for x, y in (frame.centres[one] for one in sorted(stretch)):
            middle = y + round(0.5 * frame.size)
            box = Rect(x - wide // 2 - 3, middle - size // 2, x + wide // 2 + 3, middle + size // 2)
            if box.within(frame.field) and room.is_free(box):
                room.take(box, NAME)
                sprite = label(said, size, "quiet", casing=frame.px(5))
                words.append(Drawn(sprite, x, middle - text.capital_middle(size)))
                break
    return words


def _compass_at(frame: Frame, room: Room) -> Point | None:
    """The middle of the compass, in a free corner of the sheet."""
    left, top, right, bottom = sheet_of(frame)
    r = frame.px(42)
    for y in (top + 3 * r, bottom - 2 * r):
        for x in (left + 2 * r, right - 2 * r):
            box = Rect(x - r - 6, y - 2 * r - 6, x + r + 6, y + r + 6)
            if room.is_free(box):
                room.take(box, COUNTER, "compass")
                return x, y
    return None


def scale_step(frame: Frame) -> int:
    """Pixels across between hexes in a row, or between columns; the scale is five of it."""
    return frame.corners[1][0] * (3 if frame.flat else 2)


def _scale_at(frame: Frame, room: Room) -> Point | None:
    """The middle of the scale, where the upper or lower edge is free."""
    left, top, right, bottom = sheet_of(frame)
    wide, middle = 5 * scale_step(frame), (left + right) // 2
    for y in (top + frame.px(86), bottom - frame.px(40)):
        for x in (middle, left + wide, right - wide, middle - wide, middle + wide):
            box = Rect(x - wide // 2 - 8, y - frame.px(56), x + wide // 2 + 8, y + frame.px(16))
            if box.left >= left and box.right <= right and room.is_free(box):
                room.take(box, COUNTER, "scale")
                return x, y
    return None


def number_size(frame: Frame) -> int:
    """The type size of hex numbers."""
    return max(frame.px(22), round(0.21 * frame.size) if frame.size >= frame.px(ROOMY) else 0)
