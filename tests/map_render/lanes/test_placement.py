"""Maps of lanes made at random: everything has a place on them, and nothing lies upon another."""

from collections.abc import Callable
from functools import partial
from itertools import combinations

import pytest

from map_render.drawing.scene import scene_of
from map_render.drawing.theme import DEFAULT
from map_render.lanes.frame import Bands, share_of, thinned, whole_frame
from map_render.lanes.graph import graph_of
from map_render.lanes.picture import pins_of
from map_render.lanes.placing.plan import FEW, LanePlan, plan_lanes
from map_render.lanes.signs import reach_of
from map_render.theatre.placing.room import Rect
from rules_engine.core.knowledge.views import SideView
from tests.map_render.lanes.arm import near_arm
from tests.map_render.lanes.galaxies import two_galaxies
from tests.map_render.lanes.positions import random_view
from tests.map_render.looks import played

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
    boxes = list(signs(plan).values())
    assert not any(one.meets(other) for one, other in combinations(boxes, 2))
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
