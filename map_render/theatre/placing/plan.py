"""The plan of a theatre: where everything stands. Nothing is drawn before all of it is known."""

from functools import partial
from typing import NamedTuple

from map_render.drawing.scene import Scene, part_of
from map_render.drawing.theme import Theme
from map_render.theatre import courses, grounds, legend
from map_render.theatre.boxes import boxed
from map_render.theatre.callouts import Callout, callouts_of, draw_callout, looks_of
from map_render.theatre.compass import compass_at, scale_at
from map_render.theatre.courses import CourseLine, Drawn
from map_render.theatre.frame import Frame, Point, make_frame, shown_hexes
from map_render.theatre.ground import GroundLook, OwnedHex
from map_render.theatre.groups import Maker
from map_render.theatre.numbers import ROOMY, hex_numbers, number_boxes, take_numbers
from map_render.theatre.pieces import Pieces, Stand, is_plate, pieces_of
from map_render.theatre.placing.callout_places import PlacedCallout, place_callout, place_pin
from map_render.theatre.placing.captions import contact_words, old_words, terrain_words
from map_render.theatre.placing.contested import Contest, place_contests
from map_render.theatre.placing.names import PlacedName, place_names
from map_render.theatre.placing.posts import PlacedPost, outlying_of, place_posts
from map_render.theatre.placing.room import Bits, Rect, Room
from map_render.theatre.placing.stand import PlacedGroup, Stander, covered_by
from rules_engine.core.basics.base import HexId, Owner


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
    names: tuple[PlacedName, ...]
    posts: tuple[PlacedPost, ...]
    words: tuple[Drawn, ...]
    numbers: tuple[tuple[str, Point], ...]
    hidden: tuple[Rect, ...]
    """The boxes of row and column numbers that are left away, since counters lie on a part of them."""
    legend: tuple[legend.SignSpot, ...]
    compass: Point | None
    scale: Point | None
    room: Room


def space_of(scene: Scene) -> tuple[OwnedHex, ...]:
    """Whose space the hexes of a scene's board are."""
    seats = list(scene.side_looks)
    looks = {owner: scene.look_of(owner) for owner in {note.territory for note in scene.board.hexes if note.territory}}
    alike = {
        owner: (look.ink, look.shape == "plate", seats.index(owner) if owner in seats else 0)
        for owner, look in looks.items()
    }
    return tuple(OwnedHex(note.hex, *alike[note.territory]) for note in scene.board.hexes if note.territory)


def plan_theatre(scene: Scene, theme: Theme, ranges: tuple[str, ...] = (), area: tuple[HexId, ...] = ()) -> TheatrePlan:
    """Choose a place for everything on a scene's map, or on the part of it around an area: first for what may not move,
    then counters, names, callouts, and small words last.

    Raises:
        UnknownHex: for an area with hexes that are not on the map.
    """
    everything, shown_here, whole = space_of(scene), shown_hexes(scene.board.grid, area), scene
    space = everything
    if area:
        scene = part_of(scene, shown_here)
        space = space_of(scene)
    board = scene.board
    pieces = pieces_of(scene, theme, shown_here)
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
    words += old_words(standing, frame, room)
    named = place_names((place for place in pieces.places if place.rank == 0), frame, room)
    placed, pins, homeless = _callouts(scene, theme, frame, pieces, room=room, standing=standing)
    rest = (place for place in pieces.places if place.hex not in named)
    told = {place.hex for place in pieces.places for one in placed if one.callout.names(place)}
    named |= place_names(rest, frame, room, told=told)
    words += contact_words(scene, theme, frame, room, standing=standing, placed=placed)
    if len(scene.side_looks) > 2:
        theirs: dict[Owner, list[HexId]] = {}
        for note in board.hexes:
            theirs.setdefault(note.territory, []).append(note.hex)
        for look in scene.side_looks.values():
            drawn = grounds.owner_name_at(look, theirs.get(look.key, []), frame, room)
            words += [drawn] if drawn else []
    if frame.size >= frame.px(ROOMY):
        words += terrain_words(scene, theme, frame, room)
    compass, scale = compass_at(frame, room), scale_at(frame, room)
    numbers = tuple(hex_numbers(board.grid, frame, pieces, room))
    hidden = covered_by(standing, number_boxes(board.grid, frame), room)
    posts = (
        place_posts(outlying_of(whole, theme, frame), frame, room) if area else []
    )  # last: nothing makes way for them
    terrain = tuple((note.hex, note.terrain) for note in board.hexes if note.terrain != "space")
    invented = tuple(note.hex for note in board.hexes if note.invented)
    return TheatrePlan(
        scene, frame, pieces, GroundLook(terrain, everything, invented), tuple(standing), tuple(lines), tuple(ghosts),
        tuple(placed), tuple(pins), tuple(homeless), tuple(named.values()), tuple(posts),
        tuple(words), numbers, hidden, spots, compass, scale, room,
    )  # fmt: skip


def _stand(scene: Scene, theme: Theme, frame: Frame, pieces: Pieces, room: Room) -> list[PlacedGroup]:
    """Contested hexes first, then contacts, own forces, and old sightings last: these never hide what is new."""
    standing, maker = Stander(frame, room), Maker(scene, theme, frame)
    grounded = {place.hex for place in pieces.places}

    def rank(stand: Stand) -> tuple[int, str]:
        return (0 if stand.contested or stand.battle else 1 if stand.others else 2), stand.hex

    stands = sorted(pieces.stands, key=rank)
    contests = [
        Contest(stand, maker.ways(stand), partial(maker.boxed, stand)) for stand in stands if rank(stand)[0] == 0
    ]
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
        told = dict.fromkeys((callout.hex, *(one.hex for row in callout.rows for one in row.counters)))
        bodies: dict[HexId, list[Rect]] = {name: [] for name in told}
        for one in standing:
            if one.hex in told:
                bodies[one.hex] += [body.box for body in one.bodies if body.part.ids]
        looks = looks_of(scene, theme, frame, callout)
        found = place_callout(callout, looks, frame, room, cells=cells, bodies=bodies)
        if found:
            image = boxed(draw_callout(callout, found.look, frame, theme), frame)
            placed.append(PlacedCallout(callout, image, *found[1:]))
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
