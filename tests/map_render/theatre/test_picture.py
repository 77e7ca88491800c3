"""A theatre's picture, the names on it, and posts."""

from math import atan2, cos, hypot, pi
from random import Random

import pytest

from map_render import DEFAULT, render, render_public, render_side
from map_render.drawing import palette, text
from map_render.drawing.scene import scene_of
from map_render.theatre import bands, callouts, grounds, groups, legend
from map_render.theatre.frame import make_frame
from map_render.theatre.picture import paint_plan
from map_render.theatre.pieces import pieces_of
from map_render.theatre.placing.names import PlacedName
from map_render.theatre.placing.plan import TheatrePlan, plan_theatre, space_of
from map_render.theatre.placing.posts import MOST
from map_render.theatre.placing.room import CALLOUT, COUNTER, LINE, NAME, PLACE, Rect, crosses
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.glance import News
from rules_engine.core.knowledge.views import Counter, HexNote, PublicView, SideView
from tests.expected.kept import Kept, cases
from tests.map_render import boards, looks
from tests.map_render.boards import with_parts
from tests.map_render.kept.positions import recorded
from tests.map_render.theatre.positions import position


def legend_of(view: SideView, ranges: tuple[str, ...] = ()) -> list[str]:
    scene = scene_of(view)
    pieces = pieces_of(scene, DEFAULT, view.board.grid.hexes())
    return [one.words for one in legend.entries_of(scene, pieces, space_of(scene), ranges, DEFAULT)]


@pytest.mark.parametrize(("columns", "rows"), [(22, 17), (11, 9), (9, 8), (1, 1), (1, 20), (40, 30), (60, 3)])
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("facts", [0, 3])
def test_a_theatre_is_seen_whole_on_a_phone(columns: int, rows: int, orientation: str, facts: int) -> None:
    grid = Grid.model_validate({"columns": columns, "rows": rows, "orientation": orientation})
    frame = make_frame(grid, DEFAULT, facts, 1)
    assert 1600 <= frame.width <= 2400
    assert frame.height <= 2400
    left, top, right, bottom = frame.field
    for x, y in frame.centres.values():
        for dx, dy in frame.corners:
            assert left <= x + dx <= right
            assert top <= y + dy <= bottom
    assert frame.plate * 400 / frame.width >= 13.9


def test_a_side_keeps_its_colour_on_everybodys_map_and_its_shape_follows_the_seats() -> None:
    board = looks.seven().board
    for reader in board.sides:
        scene = scene_of(SideView(side=reader.key, board=board))
        assert [look.ink for look in scene.side_looks.values()] == list(palette.SIDE_INKS)
        shapes = [look.shape for look in scene.side_looks.values() if look.key != reader.key]
        assert shapes == ["diamond", "triangle", "pentagon", "cross", "hexagon", "shield"]
        assert scene.look_of(reader.key).shape == "plate"


def test_meeting_somebody_earlier_changes_nobodys_look() -> None:
    board = looks.seven().board
    fewer = board.model_copy(update={"counters": tuple(one for one in board.counters if one.owner in ("h", "z"))})
    scenes = [scene_of(SideView(side="h", board=each)) for each in (board, fewer)]
    assert scenes[0].look_of("z") == scenes[1].look_of("z")


def test_both_sides_of_a_war_have_their_own_colour_on_both_maps() -> None:
    for view, own, other in ((looks.alliance(), "side0", "side1"), (looks.coalition(), "side1", "side0")):
        drawn = render.paint(scene_of(view), DEFAULT).tobytes()
        assert drawn.count(palette.index(own)) > 20_000
        assert drawn.count(palette.index(other)) > 3_000


def test_without_a_header_the_heading_and_the_campaign_stand_there() -> None:
    head = bands.head_of(scene_of(boards.convoy()))
    assert (head.title, head.below) == ("Alliance", "Convoy to Bastion")
    assert f"{head.turn}{head.day}".replace(" ", "") in boards.convoy().board.heading.replace(" ", "").replace(",", "")
    assert bands.head_of(scene_of(boards.public(boards.convoy()))).title == "Public map"


def test_the_header_changes_with_every_part_of_it() -> None:
    view = looks.alliance()
    header = view.board.header
    assert header.track is not None
    first = render.paint(scene_of(view), DEFAULT).tobytes()
    for update in (
        {"step": 2},
        {"turn": "Turn 30"},
        {"day": "day 16 AM"},
        {"scenario": "Southern Gap"},
        {"track": header.track.model_copy(update={"value": -2})},
        {"track": header.track.model_copy(update={"aim": 7})},
    ):
        other = with_parts(view, header=header.model_copy(update=update))
        assert render.paint(scene_of(other), DEFAULT).tobytes() != first, update


def test_the_legend_explains_what_is_there_and_nothing_else() -> None:
    assert legend_of(boards.empty()) == []
    said = legend_of(looks.alliance())
    assert {"plate: name, ships", "not seen this turn", "this turn", "later", "theirs, as known", "battle"} <= set(said)
    assert not {"Alliance", "Coalition"} & set(said)
    assert "detection" in legend_of(looks.coalition(), ("detection",))
    assert "detection" not in legend_of(looks.coalition())
    assert legend_of(with_parts(looks.alliance(), counters=(), courses=())) == ["theirs, as known", "nebula"]


def test_the_legend_is_one_line() -> None:
    for view in (looks.alliance(), looks.coalition(), looks.empires(), looks.seven()):
        scene = scene_of(view)
        spots = legend.set_out(
            legend.entries_of(scene, pieces_of(scene, DEFAULT, view.board.grid.hexes()), space_of(scene), (), DEFAULT)
        )
        assert spots
        assert {spot.row for spot in spots} == {0}


def test_ranges_are_drawn_on_request_only() -> None:
    view = looks.coalition()
    plain = render_side(view)
    assert render_side(view, ranges=("supply",)).png == plain.png
    assert render_side(view, ranges=("detection",)).png != plain.png


@cases("words, room, left")
def test_words_are_cut_part_by_part(words: str, room: int, left: str) -> None:
    found = callouts.cut(words, 52, room, heavy=True)
    assert found.rstrip("…").startswith(left.rstrip("…")[:6]) or found == left
    assert text.width(found, 52, heavy=True) <= room


def test_own_losses_come_first_and_there_are_three_callouts_at_most() -> None:
    view = looks.alliance()
    scene = scene_of(view)
    found = callouts.callouts_of(scene, pieces_of(scene, DEFAULT, view.board.grid.hexes()))
    assert [one.number for one in found] == [1, 2, 3]
    assert [row.words for row in found[0].rows] == ["5 ships", "E27 E30"]
    assert found[0].rows[1].aside == "4+"
    assert found[0].title == "Scene Flow 1217"
    silent = scene_of(with_parts(view, news=()))
    quiet = callouts.callouts_of(silent, pieces_of(silent, DEFAULT, view.board.grid.hexes()))
    assert {one.number for one in quiet} == {None}
    assert {one.hex for one in quiet} >= {"1217", "1719"}


def test_a_numbered_place_tells_of_what_was_seen_there_before() -> None:
    view = boards.view_of(
        boards.own(1, ships=3), Counter(id="E1", hex="0505", owner="kzinti", label="E1", grade=3, age=1, live=False)
    )
    news = (News(hexes=("0505",), title="Hex 0505", fact="E1 was still there"),)
    scene = scene_of(with_parts(view, news=news))
    (found,) = callouts.callouts_of(scene, pieces_of(scene, DEFAULT, view.board.grid.hexes()))
    assert [(row.words, row.aside) for row in found.rows] == [("3 ships", ""), ("E1", "1 t ago")]


def test_several_own_forces_beside_an_enemy_are_one_plate_with_all_their_ships() -> None:
    plan = plan_theatre(scene_of(looks.alliance()), DEFAULT)
    here = next(placed for placed in plan.standing if placed.hex == "1217" and len(placed.bodies) > 1)
    ours, theirs = sorted(here.bodies, key=lambda body: body.part.foe)
    assert set(ours.part.ids) == {"A6", "A3"}
    assert set(theirs.part.ids) == {"E27", "E30"}
    # Side by side they would seem to stand in the next hexes.
    assert ours.box.top >= theirs.box.bottom or theirs.box.top >= ours.box.bottom


def test_where_a_hex_is_large_ours_stand_left_in_it_and_theirs_right() -> None:
    plan = plan_theatre(scene_of(looks.empires()), DEFAULT)
    here = next(placed for placed in plan.standing if placed.hex == "0605")
    first, second, theirs = (body for body in here.bodies if body.part.ids)
    assert (first.part.ids, second.part.ids, theirs.part.foe) == (("F1",), ("F2",), True)
    assert max(first.box.right, second.box.right) <= theirs.box.left


def test_a_force_in_port_stands_higher_than_one_at_sea() -> None:
    place = HexNote(hex="0505", marks=("base",), owner="alliance", name="Bastion")
    heights: list[int] = []
    for notes, docked in (((), False), ((place,), True)):
        plan = plan_theatre(scene_of(boards.view_of(boards.own(1, ships=2, docked=docked), hexes=notes)), DEFAULT)
        heights.append(plan.standing[0].bodies[0].y - plan.frame.centres["0505"][1])
    assert heights[0] == 0
    assert heights[1] < -0.5 * plan.frame.size


def test_old_sightings_near_each_other_are_one_sign_with_their_number_and_ages() -> None:
    old = pieces_of(scene_of(looks.alliance()), DEFAULT, looks.alliance().board.grid.hexes()).old
    assert (6, (4, 18)) in [(len(one.members), one.ages) for one in old]
    assert (3, (13, 16)) in [(len(one.members), one.ages) for one in old]


def test_what_a_public_map_shows_has_a_header_and_no_reader() -> None:
    found = render_public(PublicView(public=looks.alliance().board))
    assert max(found.width, found.height) <= 2400
    assert found.png != render_side(looks.alliance()).png


def test_a_long_name_of_several_words_is_its_initials_on_a_plate() -> None:
    view = boards.view_of(boards.own(1, label="Police Cutter"))
    scene = scene_of(view)
    assert groups.plate_of(scene, DEFAULT, view.board.counters, 84).code == "PC"
    assert groups.plate_of(scene, DEFAULT, (boards.own(2, label="TF 12"),), 84).code == "TF 12"


# --- names of places: all that can be are on the map, and none is taken for the name of the place next to it ----------
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
        box, sign = name.box, grounds.sign_box(site, plan.frame)
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
        assert not any(crosses(start, end, box) for box in [one.box for one in plan.callouts])
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
    assert paint_plan(plan, DEFAULT).getpixel(middle) == palette.index("quiet")


# --- signposts of parts of a map: what lies just beyond is pointed at, and nothing that is shown is covered -----------
WEST = ("0805", "1717")


def planned(view: SideView, area: tuple[HexId, ...]) -> TheatrePlan:
    return plan_theatre(scene_of(view), DEFAULT, (), area)


@pytest.fixture(scope="module", name="parts")
def some_parts() -> list[tuple[SideView, TheatrePlan]]:
    """Parts between two hexes of random positions, around where something stands."""
    found: list[tuple[SideView, TheatrePlan]] = []
    for seed in range(2000, 2040):
        view, chance = position(seed), Random(seed)
        here = chance.choice(view.board.counters).hex
        found.append((view, planned(view, (here, chance.choice(view.board.grid.within(here, 5))))))
    return found


def test_the_whole_map_has_none() -> None:
    assert planned(looks.alliance(), ()).posts == ()


def test_other_numbered_places_come_first_with_their_pins_and_how_far_they_are() -> None:
    plan = planned(looks.alliance(), WEST)
    found = [(post.to.number, post.words) for post in plan.posts]
    assert found == [(3, "New Bergen · 1"), (2, "Morath · 3"), (0, "A34 · 1")]
    west = plan.posts[0].points
    assert west[0] < 0 < west[1], "south-west"


def test_contacts_come_before_own_forces_and_these_before_places(kept: Kept) -> None:
    posts = planned(with_parts(looks.alliance(), news=(), courses=()), ("0313", "1009")).posts
    assert [post.words for post in posts] == kept()
    assert [post.to.ink for post in posts] == ["side1", "side1", "text", "side1"]


@pytest.mark.parametrize(("at", "words"), [("1610", ["E1 · 8"]), ("1710", [])])
def test_contacts_that_are_far_away_are_left_to_the_whole_map(at: HexId, words: list[str]) -> None:
    contact = Counter(id="E1", hex=at, owner="c", label="E1", grade=4, level=4)
    alone = with_parts(looks.alliance(), counters=(contact,), news=(), courses=(), hexes=())
    assert [post.words for post in planned(alone, ("0510", "0710")).posts] == words


def test_each_points_to_what_is_not_shown_and_says_how_far_it_is(parts: list[tuple[SideView, TheatrePlan]]) -> None:
    seen = 0
    for view, plan in parts:
        assert len(plan.posts) <= MOST
        for post in plan.posts:
            seen += 1
            assert post.to.hex not in plan.frame.centres
            distances = [view.board.grid.distance(post.to.hex, one) for one in plan.frame.centres]
            assert post.to.far <= min(distances) + 1
            assert post.words.endswith(f" · {post.to.far}")
            left, top, right, bottom = plan.frame.sheet
            x, y = plan.frame.everywhere[post.to.hex]
            true = atan2(y - (top + bottom) // 2, x - (left + right) // 2)
            assert cos(true - atan2(post.points[1], post.points[0])) > cos(pi / 16)
    assert seen > 60


def test_they_lie_at_the_rim_on_nothing_else(parts: list[tuple[SideView, TheatrePlan]]) -> None:
    for _, plan in parts:
        left, top, right, bottom = plan.frame.sheet
        for post in plan.posts:
            box = post.box
            assert box.within(plan.frame.sheet)
            assert min(box.left - left, box.top - top, right - box.right, bottom - box.bottom) <= plan.frame.px(40)
            for taken in plan.room.all:
                if taken.of != f"post {post.to.hex}" and taken.kind & (COUNTER | NAME | LINE | PLACE | CALLOUT):
                    assert not taken.box.meets(box), (post, taken)


def test_a_signpost_is_drawn_with_its_arrow_in_the_ink_of_what_it_points_to() -> None:
    plan = planned(looks.alliance(), WEST)
    picture = paint_plan(plan, DEFAULT)
    for post in plan.posts:
        arrow = picture.crop((post.box.left, post.box.top, post.box.left + plan.frame.px(80), post.box.bottom))
        assert palette.index(post.to.ink) in set(arrow.tobytes())
