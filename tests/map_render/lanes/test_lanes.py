"""Maps of lanes: pictures and words, places for everything, and galaxies."""

import io
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise

import pytest
from PIL import Image

from map_render import (
    ALT_LIMIT,
    MapImage,
    alt_text,
    describe,
    render_card_crop,
    render_card_map,
    render_crop,
    render_public,
    render_side,
)
from map_render.drawing.scene import scene_of
from map_render.drawing.theme import DEFAULT, Sizes, Theme
from map_render.lanes.crop import LaneSubject, is_wide
from map_render.lanes.frame import Bands, share_of, thinned, whole_frame
from map_render.lanes.graph import graph_of
from map_render.lanes.picture import pins_of
from map_render.lanes.placing.plan import FEW, LanePlan, plan_lanes
from map_render.lanes.signs import reach_of
from map_render.theatre.placing.room import Rect
from rules_engine.core.grids.charts import Chart, ChartLane, ChartPlanet, ChartSystem
from rules_engine.core.grids.places import UnknownPlace
from rules_engine.core.knowledge.views import Board, Counter, PublicView, SideView
from tests.expected.kept import cases
from tests.expected.words import has_words
from tests.map_render.lanes.positions import LANE, chart, near_arm, random_view, two_galaxies
from tests.map_render.looks import played

SMALL = Theme(sizes=Sizes(longest=1200))


def size_of(image: MapImage) -> tuple[int, int]:
    with Image.open(io.BytesIO(image.png)) as picture:
        assert picture.mode == "P"
        return picture.size


def with_chart(view: SideView, made: Chart) -> SideView:
    return view.model_copy(update={"board": view.board.model_copy(update={"places": made})})


@pytest.mark.parametrize(("move", "scale"), [(500, 1), (-90, 1), (0, 3), (37, Fraction(1, 4))])
def test_a_picture_leaves_no_room_beyond_what_is_known(move: int, scale: Fraction | int) -> None:
    """Where the known part lies on the whole map, and how large it is there, changes no pixel."""
    view = near_arm()
    moved = tuple(one.with_values(x=one.x * scale + move, y=one.y * scale - move) for one in chart().systems)
    other = with_chart(view, Chart.model_validate(chart().model_dump() | {"systems": moved}))
    assert render_side(other, theme=SMALL).png == render_side(view, theme=SMALL).png


def test_the_whole_map_is_as_wide_as_the_theme_says_and_little_higher() -> None:
    image = render_side(near_arm())
    assert size_of(image) == (image.width, image.height)
    assert image.width == 2400
    assert 2200 < image.height < 2650


@pytest.mark.parametrize("count", [1, 2, 30])
def test_the_words_begin_with_the_numbered_places_and_fit(count: int) -> None:
    view = random_view(3, count)
    for image in (render_side(view, theme=SMALL), render_card_map(view)):
        assert len(image.alt) <= ALT_LIMIT
        assert image.alt.startswith("1. " if view.board.news else "Map of")


def test_words_say_who_is_where_by_names_and_jumps() -> None:
    said = describe(near_arm())
    for line in (
        "- G4 at Wolf 359–Porrima lane, 3 ships",
        "- E7 at Kruger–Izar lane (Centauri, seen, new or changed, 2 ships, 3 jumps from G2)",
        "- G2 at Teegarden: E7 at Kruger–Izar lane, 3 jumps",
        "- G4 from Wolf 359 to Porrima, arrives T12",
        "- G1 Sol > Minkar > Wolf 359",
        "- Sol 12, capital (Terran)",
        "- Vega: Gienah (normal, 1), Keid (normal, 1)",
        "- lacaille?1 from Lacaille (easy)",
    ):
        assert line in said.splitlines(), line


def test_a_numbered_place_is_shown_with_its_neighbourhood() -> None:
    image = render_crop(near_arm(), 2)
    assert size_of(image) == (800, 1000)
    assert image.filename == "map-2.png"
    assert image.alt.startswith("Place 2, Kruger–Izar lane.")
    assert "E7 at Kruger–Izar lane" in image.alt
    assert "Beyond: place 1, Wolf 359–Porrima lane, 4 jumps; place 3, Far Point, 6 jumps" in image.alt
    assert "G1 at Sol" not in image.alt


def test_an_area_is_a_crop_and_a_wide_one_a_part_of_the_map() -> None:
    view = near_arm()
    assert size_of(render_crop(view, area=("sol",))) == (800, 1000)
    image = render_crop(view, area=tuple(one.id for one in chart().systems[:30]), theme=SMALL)
    assert image.width == 1200
    assert "Kraz" not in image.alt
    assert size_of(render_card_crop(view, area=("sol",))) == (800, 752)
    with pytest.raises(UnknownPlace):
        render_crop(view, area=("vulcan",))
    with pytest.raises(ValueError, match="no place number 4"):
        render_crop(view, 4)


def test_a_system_has_a_map_of_its_own() -> None:
    made = chart().model_dump()
    planets = [("sol/earth", "Earth", 1), ("sol/mars", "Mars", 5)]
    made["planets"] = tuple(
        ChartPlanet(id=key, system="sol", name=name, x=Fraction(x), y=Fraction(x)) for key, name, x in planets
    )
    made["lanes"] = (*chart().lanes, ChartLane(id="sol~sol/earth", a="sol", b="sol/earth", kind="normal"))
    view = with_chart(near_arm(), Chart.model_validate(made))
    probe = Counter(id="P1", hex="sol/mars", owner="terran", label="P1", ships=1)
    board: Board = view.board.model_copy(update={"counters": (*view.board.counters, probe)})
    view = view.model_copy(update={"board": board})
    image = render_crop(view, area=("sol/earth", "sol/mars"))
    assert size_of(image) == (800, 1000)
    assert image.alt.startswith("Part of the map, Inside Sol.")
    has_words(image.alt, "P1 at Mars", "G1 at Sol")
    assert "G2" not in image.alt.partition("Beyond")[0]
    assert image.png != render_crop(view, area=("sol",)).png
    assert "P1" in render_side(view, theme=SMALL).alt


def test_a_map_of_which_nothing_is_known_is_a_map_too() -> None:
    board = near_arm().board.model_copy(
        update={"places": Chart(), "hexes": (), "counters": (), "courses": (), "transits": (), "news": ()}
    )
    image = render_public(PublicView(public=board), theme=SMALL)
    assert image.alt.startswith("Map of The Long Frontier, Turn 11, orders, as anybody may know it.")
    assert describe(PublicView(public=board)).startswith("Map of")


def test_what_is_on_no_place_of_the_map_is_not_drawn() -> None:
    view = near_arm()
    lost = Counter(id="G9", hex="between galaxies", owner="terran", label="G9", ships=2)
    more = view.model_copy(update={"board": view.board.model_copy(update={"counters": (*view.board.counters, lost)})})
    assert render_side(more, theme=SMALL).png == render_side(view, theme=SMALL).png
    assert "G9 at between galaxies" in alt_text(more)


@cases("change", "")
def test_each_kind_of_thing_is_seen_on_the_picture(change: dict[str, object]) -> None:
    view = near_arm()
    other = view.model_copy(update={"board": view.board.model_copy(update=change)})
    assert render_side(other, theme=SMALL).png != render_side(view, theme=SMALL).png


@pytest.mark.parametrize("part", ["lanes", "uncharted"])
def test_each_lane_is_seen_on_the_picture(part: str) -> None:
    made = chart().model_dump()
    view = near_arm()
    fewer = with_chart(view, Chart.model_validate(made | {part: made[part][:-1]}))
    assert render_side(fewer, theme=SMALL).png != render_side(view, theme=SMALL).png


def test_classes_of_lanes_are_drawn_differently() -> None:
    view = near_arm()
    pictures: set[bytes] = set()
    for kind in ("major", "normal", "minor", "restricted"):
        made = chart().model_dump()
        made["lanes"] = tuple(one | {"kind": kind} for one in made["lanes"])
        pictures.add(render_side(with_chart(view, Chart.model_validate(made)), theme=SMALL).png)
    assert len(pictures) == 4


def test_contacts_far_beyond_a_part_are_left_to_the_whole_map() -> None:
    """Of a row of systems: five jumps away is told, fifteen are not."""
    names = [f"s{number}" for number in range(20)]
    row = Chart(
        systems=tuple(ChartSystem(id=one, name=one, x=Fraction(at), y=Fraction(0)) for at, one in enumerate(names)),
        lanes=tuple(ChartLane(id=f"{a}~{b}", a=a, b=b, kind="normal") for a, b in pairwise(names)),
        kinds=chart().kinds,
    )
    seen = (("E1", "s7"), ("E2", "s17"))
    near, far = (Counter(id=key, hex=at, owner="centauri", label=key, grade=1) for key, at in seen)
    empty = {"hexes": (), "courses": (), "transits": (), "news": ()}
    board = near_arm().board.model_copy(update={"places": row, "counters": (near, far), **empty})
    image = render_crop(SideView(side="terran", board=board), area=("s0",))
    has_words(image.alt, "Beyond: E1 (Centauri), 5 jumps", never="E2")


# --- maps of lanes made at random: everything has a place on them, and nothing lies upon another ----------------------
SIZES = (1, 2, 7, 20, 40, 60)
SEEDS = range(5)


def planned(view: SideView) -> LanePlan:
    scene = scene_of(view)
    assert scene.board.chart is not None
    graph = graph_of(scene.board.chart)
    frame = thinned(whole_frame(graph, 2400, Bands(len(scene.numbered))), share_of(graph))
    return plan_lanes(scene, DEFAULT, graph, frame, pins=pins_of(scene, graph))


def signs(plan: LanePlan) -> dict[str, Rect]:
    """The boxes of the signs of systems, a little within their outlines."""
    found: dict[str, Rect] = {}
    for site in plan.pieces.sites:
        x, y = plan.frame.spots[site.id]
        r = plan.frame.px(reach_of(site)) - 8
        found[site.id] = Rect(x - r, y - r, x + r, y + r)
    return found


VIEWS: dict[str, Callable[[], SideView]] = {
    f"{count} systems, {seed}": partial(random_view, seed, count) for count in SIZES for seed in SEEDS
}
VIEWS |= {"the arm": near_arm, "played": played, "two galaxies": two_galaxies}

views = pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS, indirect=True)


@pytest.fixture
def view(request: pytest.FixtureRequest) -> SideView:
    """Make the view of a test's parameter: making all of them would delay every run of other tests."""
    make: Callable[[], SideView] = request.param
    return make()


@views
def test_nothing_on_a_map_lies_upon_another(view: SideView) -> None:
    plan = planned(view)
    field = plan.frame.field
    names = {f"the name of {one.of or one.words}": one.box for one in plan.words}
    groups = {f"the group at {key}": one.spot.box for key, one in plan.clusters.items()}
    systems = {f"the sign of {key}": box for key, box in signs(plan).items()}
    for what, box in (names | groups | systems).items():
        assert box.within(field), f"{what} leaves the map"
    for (one, box), (other, other_box) in combinations((names | groups).items(), 2):
        assert not box.meets(other_box), f"{one} lies upon {other}"
    for (one, box), (other, other_box) in ((a, b) for a in names.items() for b in systems.items()):
        assert not box.meets(other_box), f"{one} lies upon {other}"


@views
def test_every_group_and_every_system_is_there(view: SideView) -> None:
    plan = planned(view)
    chart = view.board.chart
    assert chart is not None
    shown = {name for one in plan.clusters.values() for name in one.cluster.ids}
    assert shown == {one.id for one in view.board.counters if one.form != "battle"}
    assert {one.of for one in plan.words if one.of} == {one.id for one in chart.systems}
    assert [number for number, _ in plan.pins] == [number for number, _ in plan.scene.numbered]
    assert len(plan.loose) == len(chart.uncharted)
    assert len(plan.ways) == len({(one.lane, one.start, one.end, one.done) for one in plan.pieces.under_way})


@pytest.mark.parametrize("seed", SEEDS)
def test_systems_do_not_crowd_on_a_large_map(seed: int) -> None:
    """Of 200 systems none lies on another, and most names still find room."""
    plan = planned(random_view(seed, 200))
    assert not any(one.meets(other) for one, other in combinations(list(signs(plan).values()), 2))
    assert sum(1 for one in plan.words if one.of) >= 150


def test_the_groups_of_a_lane_stand_beside_it_and_are_joined_to_it() -> None:
    plan = planned(near_arm())
    ways = {way.of.lane: way for way in plan.ways}
    for lane, way in ways.items():
        placed = next(one for key, one in plan.clusters.items() if key.startswith(lane))
        assert placed.leader is not None
        assert not placed.spot.box.meets(Rect(*way.ring, way.ring[0] + 1, way.ring[1] + 1))
    heads = ways["wolf-359~porrima"].heads
    assert heads is not None
    (x, _), (to_x, _) = heads
    assert x < to_x, "it goes from Wolf 359, which lies in the west, to Porrima"


def test_groups_stand_above_their_systems_where_there_is_room() -> None:
    plan = planned(near_arm())
    for key in ("sol", "teegarden", "far-point"):
        x, y = plan.frame.spots[key]
        box = plan.clusters[key].spot.box
        assert box.bottom < y
        assert abs(box.middle[0] - x) < 60


@pytest.mark.parametrize(("count", "every"), [(7, True), (FEW, True), (40, False)])
def test_a_card_names_all_systems_where_they_are_few(count: int, every: bool) -> None:
    scene = scene_of(random_view(1, count))
    assert scene.board.chart is not None
    graph = graph_of(scene.board.chart)
    frame = whole_frame(graph, 1600, Bands(header=False, legend=False))
    plan = plan_lanes(scene, DEFAULT, graph, frame, names=False, pins={})
    named = {one.of for one in plan.words}
    owned = {one.id for one in plan.pieces.sites if one.look}
    assert named == ({one.id for one in graph.dots} if every else owned)


# --- galaxies on a map of lanes: a line around each, its name on it, and groups in the lanes between them -------------
def boxes(plan: LanePlan) -> list[tuple[str, object]]:
    return [(one.name, one.box) for one in plan.frames]


def test_each_galaxy_has_its_systems_within_its_line_and_no_others() -> None:
    plan = planned(two_galaxies())
    (spiral, veil) = plan.frames
    assert (spiral.name, veil.name) == ("The Spiral", "The Veil")
    assert not spiral.box.meets(veil.box)
    for key, (x, y) in plan.frame.spots.items():
        if not key.startswith(LANE):
            left, top, right, bottom = (spiral if key.startswith("s") else veil).box
            assert left < x < right, key
            assert top < y < bottom, key
    assert spiral.box.within(plan.frame.field)
    assert veil.box.within(plan.frame.field)


def test_the_name_of_a_galaxy_stands_on_its_line() -> None:
    plan = planned(two_galaxies())
    named = {one.words: one.box for one in plan.words}
    for one in plan.frames:
        box = named[one.name.upper()]
        assert one.box.left < box.left < box.right < one.box.right
        assert any(box.top <= y <= box.bottom for y in (one.box.top, one.box.bottom))


@pytest.mark.parametrize("end", ["v2", "sector Near Veil"])
def test_a_group_between_galaxies_is_in_the_lane_from_one_line_to_the_other(end: str) -> None:
    plan = planned(two_galaxies(end=end))
    (spiral, veil) = plan.frames
    (line,) = (one for one in plan.graph.lines if one.id == LANE)
    assert line.crosses == "galaxy"
    (x, y), (to_x, to_y) = plan.frame.spots[line.a], plan.frame.spots[line.b]
    assert (x, y, to_y) == (to_x, spiral.box.bottom, veil.box.top)
    (way,) = plan.ways
    assert way.ring[0] == x
    assert spiral.box.bottom < way.ring[1] < veil.box.top
    assert way.heads is not None
    assert way.heads[1][1] > way.ring[1] > way.heads[0][1]


def test_a_group_on_its_way_back_heads_the_other_way() -> None:
    view = two_galaxies(end="s0")
    (told,) = view.board.transits
    update = {"board": view.board.model_copy(update={"transits": (told.with_values(start="v1"),)})}
    (way,) = planned(view.model_copy(update=update)).ways
    assert way.heads is not None
    assert way.heads[1][1] < way.ring[1] < way.heads[0][1]


@cases("veil, axis", "")
def test_galaxies_that_lie_near_each_other_are_kept_apart(veil: tuple[int, int], axis: str) -> None:
    (spiral, other) = planned(two_galaxies(veil=veil)).frames
    match axis:
        case "down":
            assert spiral.box.bottom < other.box.top
        case "up":
            assert other.box.bottom < spiral.box.top
        case "right":
            assert spiral.box.right < other.box.left
        case _:
            assert other.box.right < spiral.box.left


def test_galaxies_whose_systems_lie_among_each_other_have_no_lines() -> None:
    plan = planned(two_galaxies(veil=(10, 8)))
    assert plan.frames == ()
    assert len(plan.ways) == 1


def test_one_galaxy_alone_has_no_line() -> None:
    view = two_galaxies()
    chart = view.board.chart
    assert chart is not None
    assert planned(with_chart(view, chart.around({f"s{n}" for n in range(6)}))).frames == ()


def test_a_crop_of_a_group_between_galaxies_shows_both() -> None:
    view = two_galaxies()
    subject = LaneSubject(scene_of(view), (LANE,), DEFAULT)
    assert subject.systems == {*(f"s{n}" for n in range(6)), "v0", "v1", "v2"}
    assert not is_wide(subject)
    assert render_crop(view, area=(LANE,), theme=SMALL).png


def test_the_words_tell_the_lane_between_galaxies_and_who_is_in_it() -> None:
    view: SideView = two_galaxies()
    told = describe(view)
    assert "The Spiral–The Veil: normal, cost 1, from any system of one to any of the other" in told
    assert "T6 from System s4 to sector Near Veil, arrives T4" in told
    assert "T6 at The Spiral–The Veil lane" in render_side(view, theme=SMALL).alt
