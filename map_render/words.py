"""Maps in words: a short text that goes with every image, and a full one for readers who do not see it."""

from collections.abc import Iterable

from map_render.drawing.image import ALT_LIMIT
from map_render.drawing.scene import AnyView, Scene, scene_of
from map_render.glance_words import facts_of, header_of, places_of, stages_of, strength_of, words_of
from map_render.lane_words import lane_lines, region_lines, uncharted_lines, under_way_lines
from map_render.near_words import Nearest, by_nearness, nearest_lines, nearness
from map_render.sections import Section, fitted
from map_render.tactical_words import tactical_alt, tactical_table
from rules_engine.core.basics.base import HexId, Owner
from rules_engine.core.basics.counted import plural
from rules_engine.core.knowledge.views import Counter, Course, HexNote

_NOTHING_TERRAIN = ("", "space", "open", "clear")
_LONGEST_WORD = 60
_BATTLE = "battle"
_PLANET = "planet"
_PLANET_SIZES = ("capital", "major", "minor")
_COURSE_TITLES = (
    ("plotted", "Plotted courses"),
    ("moved", "Just moved"),
    ("route", "Routes"),
    ("seen", "Contacts were seen to come by"),
    ("", "Other ways"),
)


def alt_text(view: AnyView) -> str:
    """At most 1,024 characters from which a commander who cannot see the map could plan.

    The numbered places first; then own forces with hex and posture, contacts with level and age, and how near they are.
    What does not fit is counted.
    """
    scene = scene_of(view)
    return alt_of(scene) if scene.tactical is None else tactical_alt(scene.tactical)


def alt_of(scene: Scene, outside: tuple[str, ...] = ()) -> str:
    """The same of a scene, which may be a part of a map; then what is told of what lies ``outside``."""
    opening = f"{facts_of(scene.numbered)} {_opening(scene)}".strip()
    sections = [section for section in (*_short_sections(scene), Section("Beyond", outside)) if section.items]
    if not any(section.title == "Contacts" for section in sections) and scene.audience == "side":
        opening += " No contacts."
    return fitted(opening, sections, ALT_LIMIT)


def describe(view: AnyView) -> str:
    """The whole map in words, of any length: what is numbered, every force, contact, course, place and terrain, by hex
    number."""
    scene = scene_of(view)
    if scene.tactical is not None:
        return tactical_table(scene.tactical)
    lines = [*places_of(scene.numbered, scene.board.places.called), _opening(scene), *header_of(scene.board)]
    bare = len(lines)
    for section in _long_sections(scene):
        if section.items:
            lines += ["", section.title, *(f"- {item}" for item in section.items)]
    if len(lines) == bare:
        lines.append("Nothing is on the map.")
    return "\n".join(lines)


def _name(text: str) -> str:
    return words_of(text, _LONGEST_WORD)


def _opening(scene: Scene) -> str:
    board = scene.board
    names = {side.key: _name(side.name) for side in board.sides}
    whose = {
        "side": f"as {names.get(scene.own, _name(scene.own))} knows it",
        "public": "as anybody may know it",
        "everything": "with everything on it",
    }[scene.audience]
    parts = [_name(board.campaign), _name(board.heading)]
    span = (scene.shown[0], scene.shown[-1]) if scene.shown and board.places.is_numbered else ()
    part = f"Part of the map, {' to '.join(span)}, of" if span else "Part of the map of"
    what = part if scene.shown else "Map of"
    return f"{what} {', '.join(part for part in parts if part)}, {whose}."


# --- what is on the map -----------------------------------------------------------------------------------------------


def _short_sections(scene: Scene) -> list[Section]:
    own, others = _parted(scene)
    called = scene.board.places.called
    sections = [Section("Battles", tuple(_own_line(scene, piece) for piece in _battles(scene)))]
    contested = tuple(f"{called(name)} ({', '.join(said)})" for name, said in _contested(scene))
    sections.append(Section("Contested", contested))
    if scene.own:
        sections.append(Section("Own", tuple(_own_line(scene, piece) for piece in own)))
        near = [_contact_line(scene, piece, nearest) for piece, nearest in by_nearness(scene.board.places, own, others)]
        sections.append(Section("Contacts", tuple(near)))
    else:
        sections += [Section(title, items) for title, items in _by_side(scene)]
    for kind, title in (("plotted", "Plotted"), ("route", "Routes")):
        sections.append(Section(title, tuple(_course_line(scene, one) for one in _courses(scene, kind))))
    sections.append(Section("Under way", under_way_lines(scene)))
    sections.append(Section("Places", tuple(_place_line(scene, note) for note in _places(scene))))
    sections.append(Section("Unexplored lanes", uncharted_lines(scene)))
    return sections


def _long_sections(scene: Scene) -> list[Section]:
    own, others = _parted(scene)
    places = scene.board.places
    sections = [Section("Battles", tuple(_with_details(_own_line(scene, piece), piece) for piece in _battles(scene)))]
    contested = tuple(f"{places.called(name)}: {'; '.join(said)}" for name, said in _contested(scene, named=True))
    sections.append(Section(f"Contested {plural(places.spot)}", contested))
    if scene.own:
        sections.append(Section("Own forces", tuple(_with_details(_own_line(scene, piece), piece) for piece in own)))
        near = by_nearness(places, own, others)
        lines = tuple(_with_details(_contact_line(scene, piece, nearest), piece) for piece, nearest in near)
        sections.append(Section("Contacts, nearest first", lines))
        sections.append(Section("How near they are to each of ours", tuple(nearest_lines(places, own, others))))
    else:
        sections += [Section(title, items) for title, items in _by_side(scene, details=True)]
    for kind, title in _COURSE_TITLES:
        sections.append(Section(title, tuple(_course_line(scene, one) for one in _courses(scene, kind))))
    sections.append(Section("Under way", under_way_lines(scene)))
    sections.append(Section("Places", tuple(_place_line(scene, note) for note in _places(scene))))
    if (chart := scene.board.chart) is not None:
        sections.append(Section("Lanes", tuple(lane_lines(chart))))
        sections.append(Section("Unexplored lanes", uncharted_lines(scene)))
        sections.append(Section("Sectors and galaxies", region_lines(chart)))
    sections.append(Section("Terrain", tuple(_terrain_lines(scene.board.hexes))))
    sections.append(Section("Whose space it is", tuple(_space_lines(scene))))
    ranges = tuple(f"{_name(one.kind)}: {', '.join(map(places.called, one.hexes))}" for one in scene.board.ranges)
    sections.append(Section("Reached by own forces", ranges))
    made_up = [places.called(note.hex) for note in scene.board.hexes if note.invented]
    sections.append(Section("Made up, not from the book", (", ".join(made_up),) if made_up else ()))
    return sections


def _parted(scene: Scene) -> tuple[list[Counter], list[Counter]]:
    pieces = [piece for piece in scene.board.counters if piece.form != _BATTLE]
    own = [piece for piece in pieces if scene.is_own(piece)]
    return own, [piece for piece in pieces if not scene.is_own(piece)]


def _battles(scene: Scene) -> list[Counter]:
    """Battles belong to nobody."""
    return [piece for piece in scene.board.counters if piece.form == _BATTLE]


def _contested(scene: Scene, *, named: bool = False) -> Iterable[tuple[HexId, list[str]]]:
    """The hexes in which counters of several owners stand, ours first, each with what every owner has there."""
    there: dict[HexId, dict[Owner, list[Counter]]] = {}
    for piece in (*_parted(scene)[0], *_parted(scene)[1]):
        there.setdefault(piece.hex, {}).setdefault(piece.owner, []).append(piece)
    shared = [name for name, owners in there.items() if len(owners) > 1 and name in scene.board.places]
    for name in sorted(shared, key=lambda one: (scene.own not in there[one], one)):
        owners = sorted(there[name], key=scene.seat_order)
        yield name, [f"{_whose(scene, owner)} {_how_many(there[name][owner], named=named)}" for owner in owners]


def _whose(scene: Scene, owner: Owner) -> str:
    return _owner_name(scene, owner) or "owner unknown"


def _how_many(pieces: list[Counter], *, named: bool) -> str:
    """How many counters these are, or their labels; those that are no longer held apart."""
    parts: list[str] = []
    for live, after in ((True, ""), (False, " no longer held")):
        some = [_name(piece.label) for piece in pieces if piece.live == live]
        if some:
            parts.append((", ".join(some) if named else str(len(some))) + after)
    return " and ".join(parts)


def _by_side(scene: Scene, *, details: bool = False) -> Iterable[tuple[str, tuple[str, ...]]]:
    owners: dict[Owner, list[Counter]] = {key: [] for key in (*scene.side_looks, *scene.outsider_looks)}
    for piece in (*_parted(scene)[0], *_parted(scene)[1]):
        owners.setdefault(piece.owner, []).append(piece)
    for owner, pieces in owners.items():
        lines = [_own_line(scene, piece) for piece in pieces]
        if details:
            lines = [_with_details(line, piece) for line, piece in zip(lines, pieces, strict=True)]
        yield _owner_name(scene, owner) or "Of nobody known", tuple(lines)


def _owner_name(scene: Scene, owner: Owner) -> str:
    return _name(scene.board.name_of(owner))


def _state(piece: Counter) -> list[str]:
    """What is said of every counter after its hex: level, age, whether it is held, whether it changed."""
    words = [piece.level_name or (f"level {piece.level}" if piece.level is not None else "")]
    if piece.age:
        words.append(f"seen {piece.age} turn{'s' if piece.age > 1 else ''} ago")
    words += ["" if piece.live else "no longer held", "new or changed" if piece.changed else ""]
    return [_name(word) for word in words if word]


def _own_line(scene: Scene, piece: Counter) -> str:
    form = "" if piece.form in ("force", _BATTLE, piece.label.lower()) else f" {_name(piece.form)}"
    words = [_name(piece.sub), *strength_of(piece), *_state(piece)]
    said = ", ".join(word for word in words if word)
    return f"{_name(piece.label)}{form} at {scene.board.places.called(piece.hex)}" + (f", {said}" if said else "")


def _contact_line(scene: Scene, piece: Counter, nearest: Nearest | None) -> str:
    form = "" if piece.form == "force" else f" {_name(piece.form)}"
    words = [_whose(scene, piece.owner), *_state(piece), *strength_of(piece), _name(piece.sub)]
    if nearest is not None:
        words.append(nearness(scene.board.places, piece.hex, nearest))
    where = scene.board.places.called(piece.hex)
    return f"{_name(piece.label)}{form} at {where} ({', '.join(word for word in words if word)})"


def _with_details(line: str, piece: Counter) -> str:
    return ": ".join([line, "; ".join(words_of(detail) for detail in piece.details)]) if piece.details else line


def _courses(scene: Scene, kind: str) -> list[Course]:
    """The courses of a kind; "" stands for every kind that has no title of its own."""
    return [
        course
        for course in scene.board.courses
        if len(course.hexes) > 1 and (course.kind == kind or (not kind and course.kind not in dict(_COURSE_TITLES)))
    ]


def _course_line(scene: Scene, course: Course) -> str:
    names = {piece.id: piece.label for piece in scene.board.counters}
    ends, places = stages_of(course, scene.board.places.called), scene.board.places
    way = ("-" if places.is_numbered else " > ").join(map(places.called, course.hexes))
    said = ", ".join(filter(None, (words_of(course.waits), ends)))
    return f"{_name(names.get(course.counter, course.counter))} {way}{f' ({said})' if said else ''}"


def _places(scene: Scene) -> list[HexNote]:
    return [note for note in scene.board.hexes if note.marks or note.name]


def _marks(note: HexNote) -> list[str]:
    """What is in a hex; a planet with its size, where that is a mark of its own: ``minor planet``."""
    size = next((mark for mark in note.marks if mark in _PLANET_SIZES), None)
    if size is None or _PLANET not in note.marks:
        return [_name(mark) for mark in note.marks]
    return [f"{_name(size)} {_PLANET}" if mark == _PLANET else _name(mark) for mark in note.marks if mark != size]


def _place_line(scene: Scene, note: HexNote) -> str:
    words = [" ".join(filter(None, (_name(note.name), _name(note.figure)))), " and ".join(_marks(note))]
    owner = f"({_owner_name(scene, note.owner)})" if note.owner else ""
    number = note.hex if scene.board.places.is_numbered or not note.name else ""
    return " ".join(part for part in (number, ", ".join(word for word in words if word), owner) if part)


def _terrain_lines(notes: tuple[HexNote, ...]) -> Iterable[str]:
    kinds: dict[str, list[HexId]] = {}
    for note in notes:
        if note.terrain.lower() not in _NOTHING_TERRAIN:
            kinds.setdefault(_name(note.terrain), []).append(note.hex)
    for kind in sorted(kinds):
        yield f"{kind}: {', '.join(kinds[kind])}"


def _space_lines(scene: Scene) -> Iterable[str]:
    """The hexes of each owner's space, by seats."""
    owners = sorted({note.territory for note in scene.board.hexes if note.territory}, key=scene.seat_order)
    for owner in owners:
        called = scene.board.places.called
        hexes = [called(note.hex) for note in scene.board.hexes if note.territory == owner]
        yield f"{_owner_name(scene, owner)}: {', '.join(hexes)}"
