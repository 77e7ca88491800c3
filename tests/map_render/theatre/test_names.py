"""Names of places: all that can be are on the map, and none is taken for the name of the place next to it."""

from math import hypot

import pytest

from map_render import DEFAULT
from map_render.drawing.palette import index
from map_render.drawing.scene import scene_of
from map_render.theatre.grounds import sign_box
from map_render.theatre.picture import paint_plan
from map_render.theatre.placing.names import PlacedName
from map_render.theatre.placing.plan import TheatrePlan, plan_theatre
from map_render.theatre.placing.room import CALLOUT, COUNTER, NAME, PLACE, Rect, crosses
from rules_engine.core.knowledge.views import SideView
from tests.map_render import looks
from tests.map_render.kept.positions import recorded
from tests.map_render.theatre.positions import position

SEEDS = 60


@pytest.fixture(scope="module", name="plans")
def some_plans() -> list[TheatrePlan]:
    return [plan_theatre(scene_of(position(seed)), DEFAULT) for seed in range(SEEDS)]


def told(plan: TheatrePlan) -> set[str]:
    """The hexes whose names stand on the map, or in the title of a callout."""
    titled = {one.hex for one in plan.pieces.places for placed in plan.callouts if placed.callout.names(one)}
    return titled | {one.hex for one in plan.names}


@pytest.mark.parametrize("look", looks.THEATRES)
def test_on_the_maps_that_are_judged_each_place_has_its_name(look: str) -> None:
    plan = plan_theatre(scene_of(looks.THEATRES[look]()), DEFAULT)
    missing = {one.name for one in plan.pieces.places if one.name} - {
        one.name for one in plan.pieces.places if one.hex in told(plan)
    }
    assert missing == set()


def test_nearly_all_of_fifty_planets_have_their_names_on_a_phone() -> None:
    plan = plan_theatre(scene_of(recorded(SideView, "cutler-seven")), DEFAULT)
    named = {one.hex for one in plan.pieces.places if one.name}
    assert len(named) == 49
    # Three lie under counters with all around them, and two in the middle of a crowd.
    assert len(named - told(plan)) <= 5


def test_four_of_five_names_find_room_where_everything_is_crowded(plans: list[TheatrePlan]) -> None:
    named = [one.hex in told(plan) for plan in plans for one in plan.pieces.places if one.name]
    assert sum(named) >= 0.8 * len(named)


def test_a_name_beside_its_place_is_not_nearer_to_another(plans: list[TheatrePlan]) -> None:
    def apart(name: PlacedName, plan: TheatrePlan, hex_id: str) -> tuple[float, float]:
        """How far a name's edge is from a place's sign, and its middle from that of the sign."""
        (site,) = (one for one in plan.pieces.places if one.hex == hex_id)
        box, sign = name.box, sign_box(site, plan.frame)
        gaps = (box.left - sign.right, sign.left - box.right, box.top - sign.bottom, sign.top - box.bottom, 0)
        (x, y), (to_x, to_y) = box.middle, sign.middle
        return max(gaps), hypot(x - to_x, y - to_y)

    for plan in plans:
        for name in (one for one in plan.names if one.leader is None):
            gap, far = apart(name, plan, name.hex)
            for other in plan.pieces.places:
                if other.hex != name.hex:
                    its_gap, its_far = apart(name, plan, other.hex)
                    assert its_gap > gap or its_far > far, (name.hex, other.hex)


def test_a_leader_ends_in_its_hex_or_at_what_stands_on_it_and_crosses_nothing(plans: list[TheatrePlan]) -> None:
    led = [(plan, one) for plan in plans for one in plan.names if one.leader]
    assert len(led) > 20
    at_counters = 0
    for plan, name in led:
        start, end = name.leader or ((0, 0), (0, 0))
        if not plan.frame.holds(name.hex, end):
            x, y = plan.frame.centres[name.hex]
            dot = plan.frame.px(8)
            middle, edge = Rect(x - dot, y - dot, x + dot, y + dot), Rect(*end, *end).grown(2 * dot + 2)
            bodies = [body.box for one in plan.standing if one.hex == name.hex for body in one.bodies]
            assert any(body.meets(middle) and body.meets(edge) for body in bodies), name
            at_counters += 1
        assert name.box.left <= start[0] <= name.box.right
        assert name.box.top <= start[1] <= name.box.bottom
        for taken in plan.room.all:
            if taken.kind & (COUNTER | NAME) and taken.box != name.box:
                assert not crosses(start, end, taken.box), (name.hex, taken)
            if taken.kind == PLACE and taken.of != name.hex:
                assert not crosses(start, end, taken.box), (name.hex, taken)
                assert not taken.box.grown(plan.frame.px(24)).meets(name.box), (name.hex, taken)
        boxes = [one.box for one in plan.callouts]
        assert not any(crosses(start, end, box) for box in boxes)
        assert not any(
            taken.box.meets(name.box) for taken in plan.room.all if taken.kind == CALLOUT and taken.of != name.hex
        )
    assert at_counters


def test_a_leader_is_drawn() -> None:
    plan = plan_theatre(scene_of(looks.alliance()), DEFAULT)
    (harrow,) = (one for one in plan.names if one.hex == "1721")
    assert harrow.leader
    (x, y), (to_x, to_y) = harrow.leader
    middle = (round((x + to_x) / 2), round((y + to_y) / 2))
    assert paint_plan(plan, DEFAULT).getpixel(middle) == index("quiet")
