"""Parts of a map: an area that is too wide for a crop is drawn as the whole map is, without what lies beyond."""

import io

import pytest
from PIL import Image

from map_render import DEFAULT, MapImage, render_crop, render_side
from map_render.drawing.palette import index
from map_render.drawing.scene import part_of, scene_of
from map_render.theatre.courses import ticks_of
from map_render.theatre.frame import make_frame, shown_hexes
from map_render.theatre.picture import paint_plan
from map_render.theatre.placing.plan import TheatrePlan, plan_theatre
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.glance import News, Range, Stage
from rules_engine.core.knowledge.views import Course, HexNote, SideView
from tests.map_render import boards, looks
from tests.map_render.boards import with_parts
from tests.map_render.pictures import drawn

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
        assert image.size == (found.width, found.height)
        assert image.mode == "P"
    assert found.width == 2400
    assert found.filename == "map-area.png"
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
    said = render_crop(view, area=(names[1], "0112")).alt
    assert said.startswith("2. ")
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
    assert [tick.said for line in plan.lines for tick in ticks_of(line, plan.frame)] == ["T5", "T6"]
    picture, frame = drawn(leaving, area)
    x, low, bottom = frame.everywhere["1212"][0], frame.sheet[3], frame.field[3]
    own = {index("side0", strength) for strength in range(8, 16)}
    assert own & set(picture.crop((x - 4, low - frame.size, x + 4, low)).tobytes())
    assert not own & set(picture.crop((x - 4, low + 12, x + 4, bottom)).tobytes()), "it lies on no column's number"


def test_a_course_from_beyond_keeps_the_colour_of_its_owner() -> None:
    view = course("0515", "0514", "0513", "0512", "0511", "0510")
    foe = view.board.counters[0].model_copy(update={"owner": "kzinti", "label": "E1"})
    plan = planned(with_parts(view, counters=(foe,)), "0301", "1410")
    assert [line.ink for line in plan.lines] == ["side1"]


def test_a_space_that_goes_on_beyond_a_part_has_no_border_there() -> None:
    view = looks.alliance()
    notes = tuple(HexNote(hex=name, territory="a") for name in view.board.grid.hexes())
    everywhere = with_parts(view, hexes=notes, counters=(), courses=(), news=())
    picture, frame = drawn(everywhere, INNER)
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
    assert small.owners == scene.owners
    assert small.numbered == scene.numbered[:1]
    assert scene.numbered == tuple(enumerate(scene.board.news, 1))


def test_the_same_news_at_two_places_has_two_numbers() -> None:
    twice = News(hexes=("0505",), title="x", fact="y")
    scene = scene_of(with_parts(boards.wide(), news=(twice, twice)))
    assert [number for number, _ in scene.numbered] == [1, 2]


def test_a_part_that_is_all_of_the_map_looks_as_the_map() -> None:
    view = looks.alliance()
    assert part(view, "0101", "1722").png == render_side(view).png
