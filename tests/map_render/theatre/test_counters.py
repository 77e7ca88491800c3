"""Counters and parts of a theatre's map, and places in contested hexes."""

import io
from itertools import combinations
from math import hypot
from random import Random

import pytest
from PIL import Image

from map_render import DEFAULT, MapImage, alt_text, describe, render_crop, render_side
from map_render.drawing.palette import index
from map_render.drawing.scene import part_of, scene_of
from map_render.theatre import courses, groups
from map_render.theatre.frame import make_frame, shown_hexes
from map_render.theatre.picture import paint_plan
from map_render.theatre.pieces import Stand, pieces_of
from map_render.theatre.placing import room, stand
from map_render.theatre.placing.plan import TheatrePlan, plan_theatre
from rules_engine.core.basics.base import HexId, SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.glance import News, Range, Stage
from rules_engine.core.knowledge.views import Board, Counter, Course, HexNote, SideView
from tests.expected.kept import cases
from tests.map_render import boards, looks
from tests.map_render.boards import GRIMHOLD, foe, own, view_of, with_parts
from tests.map_render.pictures import drawn, pixels
from tests.map_render.theatre.positions import SIDES

E1 = Counter(id="E1", hex="0505", owner="kzinti", label="E1", level=2, grade=2, level_name="ID1")


@cases("case, change", "")
def test_every_property_of_a_contact_shows(change: dict[str, object]) -> None:
    other = E1.model_copy(update=change)
    assert pixels(view_of(E1)).tobytes() != pixels(view_of(other)).tobytes()


@cases("case, change", "")
def test_every_property_of_an_own_force_shows(change: dict[str, object]) -> None:
    piece = own(1, ships=3, whole=100)
    assert pixels(view_of(piece)).tobytes() != pixels(view_of(piece.model_copy(update=change))).tobytes()


def test_own_and_enemy_differ_without_colour() -> None:
    """Two forces that differ in their owner alone are told apart by form: their silhouettes differ."""

    def silhouette(owner: str) -> bytes:
        piece = E1.model_copy(update={"owner": owner, "grade": 3})
        picture, frame = drawn(boards.with_parts(boards.empires(), counters=(piece,), hexes=(), courses=()))
        x, y = frame.centres["0505"]
        part = picture.crop((x - 90, y - 90, x + 90, y + 90))
        return part.point([255 if number and (number - 1) % 15 >= 7 else 0 for number in range(256)]).tobytes()

    owners = ("alliance", "kzinti", "lyran", "gorn", "", "traders")
    assert len({silhouette(owner) for owner in owners}) == len(owners)


def test_a_minefield_that_was_only_just_found_shows_its_sign_and_not_a_question_mark() -> None:
    mines = E1.model_copy(update={"form": "minefield", "grade": 0})
    scene = scene_of(view_of(mines))
    look = groups.contact_of(scene, DEFAULT, mines, 48)
    assert (look.glyph, look.writing) == ("mines", "")
    force = groups.contact_of(scene, DEFAULT, E1.model_copy(update={"grade": 0}), 48)
    assert (force.glyph, force.writing) == ("", "?")


def test_a_sighting_that_is_not_of_this_turn_is_paler() -> None:
    def strongest(age: int) -> int:
        inks = pixels(view_of(E1.model_copy(update={"age": age, "live": not age}))).tobytes()
        return max(number for number in inks if index("side1", 1) <= number <= index("side1"))

    assert (strongest(0), strongest(3)) == (index("side1"), index("side1", 10))


@pytest.mark.parametrize("count", [2, 3, 4, 9])
def test_counters_that_share_a_hex_all_show_or_are_counted(count: int) -> None:
    assert pixels(view_of(*map(own, range(count)))).tobytes() != pixels(view_of(*map(own, range(count - 1)))).tobytes()
    assert pixels(view_of(*map(foe, range(count)))).tobytes() != pixels(view_of(*map(foe, range(count - 1)))).tobytes()


@cases("counters, said", "", made="counters")
def test_beside_each_sign_stands_how_many_it_stands_for(counters: tuple[Counter, ...], said: list[str]) -> None:
    view = boards.with_parts(boards.wide(), counters=counters, hexes=(), courses=(), news=())
    plan = plan_theatre(scene_of(view), DEFAULT)
    assert len({(word.x, word.y) for word in plan.words}) == (len(said) if not plan.callouts else 0)
    bodies = [len(body.part.ids) for placed in plan.standing for body in placed.bodies if body.part.ids]
    assert sum(bodies) == len(counters)


# --- places -----------------------------------------------------------------------------------------------------------
def test_a_base_is_drawn_once() -> None:
    note = HexNote(hex="0505", marks=("base",), owner="kzinti", name="Grimhold")
    assert render_side(view_of(GRIMHOLD, hexes=(note,))).png == render_side(view_of(GRIMHOLD)).png
    found = pieces_of(scene_of(view_of(GRIMHOLD, hexes=(note,))), DEFAULT, ("0505",))
    assert [site.name for site in found.places] == ["Grimhold"]
    assert found.stands == ()


def test_a_base_in_a_planets_hex_leaves_the_letter_of_the_planets_owner_at_its_name() -> None:
    note = HexNote(hex="0505", marks=("planet",), owner="alliance", name="Deep")
    (site,) = pieces_of(scene_of(view_of(GRIMHOLD, hexes=(note,))), DEFAULT, ("0505",)).places
    assert (site.name, site.icon) == ("Deep (A)", "base")


def test_what_stands_at_a_place_leaves_its_sign_in_sight() -> None:
    note = HexNote(hex="0505", marks=("base",), owner="kzinti", name="Grimhold")
    for piece in (foe(1), own(1), foe(2).model_copy(update={"age": 4, "live": False})):
        plan = plan_theatre(scene_of(view_of(piece, hexes=(note,))), DEFAULT)
        (placed,) = plan.standing
        assert placed.bodies[0].box.bottom < plan.frame.centres["0505"][1] - 0.2 * plan.frame.size


def test_on_small_maps_somebody_else_at_a_place_stays_in_its_hex_and_the_name_says_whose_it_is() -> None:
    """Higher up he would seem to be in the next hex."""
    note = HexNote(hex="0505", marks=("base",), owner="kzinti", name="Grimhold")
    view = boards.with_parts(boards.wide(), counters=(foe(1),), hexes=(note,), courses=(), news=())
    plan = plan_theatre(scene_of(view), DEFAULT)
    (placed,) = plan.standing
    assert hypot(*placed.aside) <= stand.IN_HEX * plan.frame.size
    x, y = plan.frame.centres["0505"]
    assert abs(placed.bodies[0].box.middle[1] - y) <= stand.IN_HEX * plan.frame.size
    assert abs(placed.bodies[0].box.middle[0] - x) <= stand.IN_HEX * plan.frame.size
    assert pixels(view).tobytes() != pixels(boards.with_parts(view, sides=_with_other_letter(view))).tobytes()


def _with_other_letter(view: SideView) -> tuple[SideLabel, ...]:
    """The sides with another letter for that which has the base; the sign on it bears none."""
    return tuple(side.model_copy(update={"emblem": "X"}) if side.key == "kzinti" else side for side in view.board.sides)


@pytest.mark.parametrize("label", ["Grimhold", "Grimhold Station", "Outpost Nine at the Rim"])
def test_the_last_letter_of_a_long_name_shows(label: str) -> None:
    whole = view_of(GRIMHOLD.model_copy(update={"label": label}))
    changed = view_of(GRIMHOLD.model_copy(update={"label": label[:-1] + "q"}))
    assert render_side(whole).png != render_side(changed).png


# --- courses ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["plotted", "moved", "route", "seen"])
def test_every_kind_of_course_is_drawn_and_told(kind: str) -> None:
    course = Course(counter="TF1", kind=kind, hexes=("0505", "0504"))
    view = view_of(own(1), courses=(course,))
    assert render_side(view).png != render_side(view_of(own(1))).png
    assert "TF1 0505-0504" in describe(view)
    assert ("TF1 0505-0504" in alt_text(view)) == (kind in ("plotted", "route"))


# --- maps of any kind -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (1, 20), (20, 1), (2, 3), (40, 30)], ids=str)
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_maps_of_any_proportion(columns: int, rows: int, orientation: str) -> None:
    grid = Grid.model_validate({"columns": columns, "rows": rows, "orientation": orientation})
    found = render_side(SideView(side="alliance", board=boards.board(grid)))
    assert 1600 <= max(found.width, found.height) <= 2400


# --- parts of a map: an area that is too wide for a crop is drawn as the whole map is, without what lies beyond -------
WEST = ("0805", "1717")
"""The corners of the south-west of the war: fourteen columns and eleven rows with what is shown around them."""

INNER = ("0505", "1216")
"""Those of a part that touches no edge of the map."""


def part(view: SideView, *area: HexId) -> MapImage:
    return render_crop(view, area=area)


def planned(view: SideView, *area: HexId) -> TheatrePlan:
    return plan_theatre(scene_of(view), DEFAULT, (), area)


def test_a_part_is_a_palette_png_of_a_maps_size_that_says_that_it_is_a_part() -> None:
    found = part(looks.alliance(), *WEST)
    with Image.open(io.BytesIO(found.png)) as image:
        assert (image.size, image.mode) == ((found.width, found.height), "P")
    assert (found.width, found.filename) == (2400, "map-area.png")
    assert "Part of the map, 0704 to 1718, of Northern Gap, Turn 29, as Alliance knows it." in found.alt
    assert "A2 at 0620" not in found.alt
    assert "A6 at 1217" in found.alt


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_a_part_shows_its_rectangle_and_one_hex_more_on_every_side(orientation: str) -> None:
    grid = Grid.model_validate({"columns": 22, "rows": 17, "orientation": orientation})
    shown = set(shown_hexes(grid, ("0505", "1612")))
    for name in ("0505", "1612", "0512", "1605", "1008"):
        assert {name, *grid.neighbours(name)} <= shown
    assert not {"0205", "1905", "1002", "1015"} & shown
    assert shown_hexes(grid, ()) == grid.hexes()


@pytest.mark.parametrize("area", [("0101", "2217"), ("0101", "0117"), ("0101", "2201"), ("0505", "1612")])
def test_a_part_is_seen_whole_on_a_phone(area: tuple[HexId, ...]) -> None:
    grid = Grid(columns=22, rows=17, orientation="flat")
    frame = make_frame(grid, DEFAULT, 3, 1, area)
    left, top, right, bottom = frame.field
    for x, y in frame.centres.values():
        for dx, dy in frame.corners:
            assert left <= x + dx <= right
            assert top <= y + dy <= bottom
    assert 1600 <= frame.width <= 2400
    assert frame.height <= 2400
    assert frame.plate * 400 / frame.width >= 13.9
    assert frame.size >= make_frame(grid, DEFAULT, 3, 1).size


def test_what_is_beyond_a_part_changes_nothing_but_signposts_and_what_is_in_it_does() -> None:
    view = looks.alliance()
    there = part(view, *WEST)
    shown = set(shown_hexes(view.board.grid, WEST))
    inside = next(one for one in view.board.counters if one.hex in shown and one.owner == "c")
    beyond = [one for one in view.board.counters if one.hex not in shown]
    assert beyond
    less = with_parts(view, counters=tuple(one for one in view.board.counters if one not in beyond))
    with_less, with_all = planned(less, *WEST), planned(view, *WEST)
    assert with_less.posts != with_all.posts
    plain = [paint_plan(plan._replace(posts=()), DEFAULT).tobytes() for plan in (with_less, with_all)]
    assert plain[0] == plain[1]
    assert part(less, *WEST).alt == there.alt
    fewer = with_parts(view, counters=tuple(one for one in view.board.counters if one != inside))
    assert part(fewer, *WEST).png != there.png


def test_numbered_places_keep_their_numbers_and_those_beyond_are_left_away() -> None:
    view = looks.alliance()
    names = [news.hexes[0] for news in view.board.news]
    shown = set(shown_hexes(view.board.grid, (names[1], "0112")))
    expected = [number for number, name in enumerate(names, 1) if name in shown]
    assert 2 in expected
    assert 1 not in expected
    plan = planned(view, names[1], "0112")
    assert [number for number, _ in plan.scene.numbered] == expected
    assert {number for number, _ in plan.pins} | {one.callout.number for one in plan.callouts} >= set(expected)
    assert render_crop(view, area=(names[1], "0112")).alt.startswith("2. ")
    every = plan_theatre(scene_of(view), DEFAULT)
    assert plan.frame.legend - plan.frame.field[3] < every.frame.legend - every.frame.field[3]


def course(*hexes: HexId) -> SideView:
    """Our force at the first of some hexes, bound for the last."""
    view = boards.wide()
    stages = tuple(Stage(after=n, said=f"T{4 + n}") for n in range(1, len(hexes)))
    counters = (boards.own(1, hex=hexes[0]),)
    ways = (Course(counter="TF1", kind="plotted", hexes=hexes, stages=stages),)
    return with_parts(view, counters=counters, courses=ways, hexes=(), news=())


def test_a_course_that_leaves_a_part_runs_to_its_edge_and_ends_nowhere_in_it() -> None:
    area, way = ("0301", "1210"), ("1209", "1210", "1211", "1212", "1213", "1214")
    inside, leaving = course(*way[:3]), course(*way)
    assert len(planned(inside, *area).ghosts) == 1
    plan = planned(leaving, *area)
    assert plan.ghosts == ()
    assert [tick.said for line in plan.lines for tick in courses.ticks_of(line, plan.frame)] == ["T5", "T6"]
    picture, frame = drawn(leaving, area)
    x, low, bottom = frame.everywhere["1212"][0], frame.sheet[3], frame.field[3]
    own = {index("side0", strength) for strength in range(8, 16)}
    assert own & set(picture.crop((x - 4, low - frame.size, x + 4, low)).tobytes())
    assert not own & set(picture.crop((x - 4, low + 12, x + 4, bottom)).tobytes()), "it lies on no column's number"


def test_a_course_from_beyond_keeps_the_colour_of_its_owner() -> None:
    view = course("0515", "0514", "0513", "0512", "0511", "0510")
    foe = view.board.counters[0].model_copy(update={"owner": "kzinti", "label": "E1"})
    assert [line.ink for line in planned(with_parts(view, counters=(foe,)), "0301", "1410").lines] == ["side1"]


def test_a_space_that_goes_on_beyond_a_part_has_no_border_there() -> None:
    view = looks.alliance()
    notes = tuple(HexNote(hex=name, territory="a") for name in view.board.grid.hexes())
    picture, frame = drawn(with_parts(view, hexes=notes, counters=(), courses=(), news=()), INNER)
    assert index("side0") not in set(picture.crop(frame.field).tobytes())


def test_a_range_that_goes_on_beyond_a_part_has_no_edge_there() -> None:
    view = looks.coalition()
    everywhere = (Range(kind="detection", hexes=view.board.grid.hexes()),)
    reach = with_parts(view, counters=(), courses=(), hexes=(), news=(), ranges=everywhere)
    plan = plan_theatre(scene_of(reach), DEFAULT, ("detection",), INNER)
    field = paint_plan(plan, DEFAULT, ("detection",)).crop(plan.frame.field)
    assert index("side1", 1) in set(field.tobytes())
    assert index("side1") not in set(field.tobytes())


def test_a_part_of_a_scene_still_knows_who_owns_what_is_beyond() -> None:
    scene = scene_of(looks.alliance())
    small = part_of(scene, ("1217",))
    assert {one.hex for one in small.board.counters} == {"1217"}
    assert (small.owners, small.numbered) == (scene.owners, scene.numbered[:1])
    assert scene.numbered == tuple(enumerate(scene.board.news, 1))


def test_the_same_news_at_two_places_has_two_numbers() -> None:
    twice = News(hexes=("0505",), title="x", fact="y")
    assert [number for number, _ in scene_of(with_parts(boards.wide(), news=(twice, twice))).numbered] == [1, 2]


def test_a_part_that_is_all_of_the_map_looks_as_the_map() -> None:
    view = looks.alliance()
    assert part(view, "0101", "1722").png == render_side(view).png


# --- contested places -------------------------------------------------------------------------------------------------
# contested hexes that are smaller than a counter: nobody may take what fights there for something in the next hex.
MAPS = ((22, 17, "flat"), (22, 17, "pointy"), (30, 12, "flat"), (30, 12, "pointy"))
SEEDS = 15


def war(seed: int, columns: int, rows: int, orientation: str) -> SideView:
    """Two to four contested hexes anywhere on a large map, some with a battle, and other forces elsewhere."""
    chance = Random(seed)
    grid = Grid.model_validate({"columns": columns, "rows": rows, "orientation": orientation})
    here = chance.sample(grid.hexes(), chance.randint(2, 4) + 12)
    contested, elsewhere = here[12:], here[:12]
    counters: list[Counter] = []

    def add(at: str, owner: str) -> None:
        number, known = len(counters), {"grade": chance.randint(0, 4), "changed": chance.random() < 0.3}
        label = f"{owner.upper()}{number}"
        fields = {"id": label, "hex": at, "owner": owner, "label": label, "ships": chance.choice((None, 1, 12))}
        damaged = {"whole": chance.choice((100, 40))}
        counters.append(Counter.model_validate(fields | (damaged if owner == "a" else known)))

    for at in contested:
        for _ in range(chance.randint(1, 2)):
            add(at, "a")
        for owner in chance.sample("klg", chance.choice((1, 1, 2))):
            add(at, owner)
        if chance.random() < 0.3:
            counters.append(Counter(id=f"B{at}", hex=at, owner="", form="battle", label="Battle"))
    for number, at in enumerate(elsewhere):
        add(at, "akl"[number % 3])
    board = Board(campaign="War", rulebook="none", heading="Turn 3", when=When(turn=3), sides=SIDES[:4], grid=grid,
                  counters=tuple(counters))  # fmt: skip
    return SideView(side="a", board=board)


@pytest.fixture(scope="module", params=MAPS, ids=lambda one: f"{one[0]} {one[2]}", name="wars")
def some_wars(request: pytest.FixtureRequest) -> list[TheatrePlan]:
    return [plan_theatre(scene_of(war(seed, *request.param)), DEFAULT) for seed in range(SEEDS)]


def test_every_counter_there_has_its_middle_in_its_hex_or_stands_in_a_box_that_is_joined_to_it(wars: list[TheatrePlan]):
    fights = 0
    for plan in wars:
        for placed in plan.standing:
            if not isinstance(placed.of, Stand) or not placed.of.contested:
                continue
            fights += 1
            bodies = [body for body in placed.bodies if body.part.ids]
            if not placed.boxed:
                assert all(plan.frame.holds(placed.hex, (body.x, body.y)) for body in bodies), placed.hex
                continue
            assert placed.leader is not None, placed.hex
            assert plan.frame.holds(placed.hex, placed.leader[1])
            others = [body.box for one in plan.standing if one is not placed for body in one.bodies]
            words = [taken.box for taken in plan.room.all if taken.kind == room.NAME]
            assert not any(room.crosses(*placed.leader, box) for box in (*others, *words))
    assert fights >= 2 * SEEDS


def test_nothing_there_hides_another_and_everybody_is_drawn(wars: list[TheatrePlan]) -> None:
    for plan in wars:
        bodies = [body for placed in plan.standing for body in placed.bodies if body.part.ids]
        assert not any(one.meets(other) for one, other in combinations(bodies, 2))
        drawn = sorted(name for body in bodies for name in body.part.ids)
        assert drawn == sorted(one.id for one in plan.scene.board.counters if one.form != "battle")


def test_on_hexes_higher_than_two_counters_hardly_any_needs_a_box(wars: list[TheatrePlan]) -> None:
    stands = [one for plan in wars for one in plan.standing if isinstance(one.of, Stand) and len(one.of.others) == 1]
    contested = [one.boxed for one in stands if one.of.ours]
    roomy = wars[0].frame.size > 0.67 * wars[0].frame.plate
    assert sum(contested) <= 0.25 * len(contested) if roomy else all(contested)


def test_a_dot_says_where_a_counter_belongs_that_has_no_room_there() -> None:
    grid = Grid(columns=22, rows=17, orientation="pointy")
    ours = Counter(id="A1", hex="1010", owner="a", label="A1", ships=1)
    beside = (Counter(id=at, hex=at, owner="k", label=at, grade=4) for at in ("0910", "1110"))
    counters = (ours, *beside)
    board = Board(campaign="War", rulebook="none", heading="Turn 3", when=When(turn=3), sides=SIDES[:2], grid=grid,
                  counters=counters)  # fmt: skip
    plan = plan_theatre(scene_of(SideView(side="a", board=board)), DEFAULT)
    (stray,) = (one for one in plan.standing if not one.is_in_hex(plan.frame))
    assert paint_plan(plan, DEFAULT).getpixel(plan.frame.centres[stray.hex]) == index("quiet")
