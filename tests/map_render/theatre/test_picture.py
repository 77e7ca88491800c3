"""Theatres: what a header, a legend, a callout and the ground say, and who is drawn how."""

import pytest

from map_render import DEFAULT, render_public, render_side
from map_render.drawing import text
from map_render.drawing.palette import SIDE_INKS, index
from map_render.drawing.scene import scene_of
from map_render.render import paint
from map_render.theatre.bands import head_of
from map_render.theatre.callouts import callouts_of, cut
from map_render.theatre.frame import make_frame
from map_render.theatre.groups import plate_of
from map_render.theatre.legend import entries_of, set_out
from map_render.theatre.pieces import pieces_of
from map_render.theatre.placing.plan import plan_theatre, space_of
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.glance import News
from rules_engine.core.knowledge.views import Counter, HexNote, PublicView, SideView
from tests.map_render import boards, looks
from tests.map_render.boards import with_parts


def legend_of(view: SideView, ranges: tuple[str, ...] = ()) -> list[str]:
    scene = scene_of(view)
    pieces = pieces_of(scene, DEFAULT, view.board.grid.hexes())
    return [one.words for one in entries_of(scene, pieces, space_of(scene), ranges, DEFAULT)]


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
        assert [look.ink for look in scene.side_looks.values()] == list(SIDE_INKS)
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
        drawn = paint(scene_of(view), DEFAULT).tobytes()
        assert drawn.count(index(own)) > 20_000
        assert drawn.count(index(other)) > 3_000


def test_without_a_header_the_heading_and_the_campaign_stand_there() -> None:
    head = head_of(scene_of(boards.convoy()))
    assert head.title == "Alliance"
    assert head.below == "Convoy to Bastion"
    assert f"{head.turn}{head.day}".replace(" ", "") in boards.convoy().board.heading.replace(" ", "").replace(",", "")
    assert head_of(scene_of(boards.public(boards.convoy()))).title == "Public map"


def test_the_header_changes_with_every_part_of_it() -> None:
    view = looks.alliance()
    header = view.board.header
    assert header.track is not None
    first = paint(scene_of(view), DEFAULT).tobytes()
    for update in (
        {"step": 2},
        {"turn": "Turn 30"},
        {"day": "day 16 AM"},
        {"scenario": "Southern Gap"},
        {"track": header.track.model_copy(update={"value": -2})},
        {"track": header.track.model_copy(update={"aim": 7})},
    ):
        other = with_parts(view, header=header.model_copy(update=update))
        assert paint(scene_of(other), DEFAULT).tobytes() != first, update


def test_the_legend_explains_what_is_there_and_nothing_else() -> None:
    assert legend_of(boards.empty()) == []
    said = legend_of(looks.alliance())
    assert {"plate: name, ships", "not seen this turn", "this turn", "later", "theirs, as known", "battle"} <= set(said)
    assert not {"Alliance", "Coalition"} & set(said)
    assert "detection" in legend_of(looks.coalition(), ("detection",))
    assert "detection" not in legend_of(looks.coalition())
    bare = with_parts(looks.alliance(), counters=(), courses=())
    assert legend_of(bare) == ["theirs, as known", "nebula"]


def test_the_legend_is_one_line() -> None:
    for view in (looks.alliance(), looks.coalition(), looks.empires(), looks.seven()):
        scene = scene_of(view)
        spots = set_out(
            entries_of(scene, pieces_of(scene, DEFAULT, view.board.grid.hexes()), space_of(scene), (), DEFAULT)
        )
        assert spots
        assert {spot.row for spot in spots} == {0}


def test_ranges_are_drawn_on_request_only() -> None:
    view = looks.coalition()
    plain = render_side(view)
    assert render_side(view, ranges=("supply",)).png == plain.png
    assert render_side(view, ranges=("detection",)).png != plain.png


@pytest.mark.parametrize(
    ("words", "room", "left"),
    [
        ("5 ships", 400, "5 ships"),
        ("5 ships", 60, "5"),
        ("slow · speed 0", 200, "slow"),
        ("Scene Flow 1217", 360, "Scene Flow"),
        ("Murzank Anchorage", 300, "Murzank…"),
    ],
)
def test_words_are_cut_part_by_part(words: str, room: int, left: str) -> None:
    found = cut(words, 52, room, heavy=True)
    assert found.rstrip("…").startswith(left.rstrip("…")[:6]) or found == left
    assert text.width(found, 52, heavy=True) <= room


def test_own_losses_come_first_and_there_are_three_callouts_at_most() -> None:
    view = looks.alliance()
    scene = scene_of(view)
    found = callouts_of(scene, pieces_of(scene, DEFAULT, view.board.grid.hexes()))
    assert [one.number for one in found] == [1, 2, 3]
    assert [row.words for row in found[0].rows] == ["5 ships", "E27 E30"]
    assert found[0].rows[1].aside == "4+"
    assert found[0].title == "Scene Flow 1217"
    silent = scene_of(with_parts(view, news=()))
    quiet = callouts_of(silent, pieces_of(silent, DEFAULT, view.board.grid.hexes()))
    assert {one.number for one in quiet} == {None}
    assert {one.hex for one in quiet} >= {"1217", "1719"}


def test_a_numbered_place_tells_of_what_was_seen_there_before() -> None:
    view = boards.view_of(
        boards.own(1, ships=3), Counter(id="E1", hex="0505", owner="kzinti", label="E1", grade=3, age=1, live=False)
    )
    news = (News(hexes=("0505",), title="Hex 0505", fact="E1 was still there"),)
    scene = scene_of(with_parts(view, news=news))
    (found,) = callouts_of(scene, pieces_of(scene, DEFAULT, view.board.grid.hexes()))
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
        view = boards.view_of(boards.own(1, ships=2, docked=docked), hexes=notes)
        plan = plan_theatre(scene_of(view), DEFAULT)
        heights.append(plan.standing[0].bodies[0].y - plan.frame.centres["0505"][1])
    assert heights[0] == 0
    assert heights[1] < -0.5 * plan.frame.size


def test_old_sightings_near_each_other_are_one_sign_with_their_number_and_ages() -> None:
    scene = scene_of(looks.alliance())
    old = pieces_of(scene, DEFAULT, looks.WAR.hexes()).old
    assert (6, (4, 18)) in [(len(one.members), one.ages) for one in old]
    assert (3, (13, 16)) in [(len(one.members), one.ages) for one in old]


def test_what_a_public_map_shows_has_a_header_and_no_reader() -> None:
    board = looks.alliance().board
    found = render_public(PublicView(public=board))
    assert max(found.width, found.height) <= 2400
    assert found.png != render_side(looks.alliance()).png


def test_a_long_name_of_several_words_is_its_initials_on_a_plate() -> None:
    view = boards.view_of(boards.own(1, label="Police Cutter"))
    scene = scene_of(view)
    assert plate_of(scene, DEFAULT, view.board.counters, 84).code == "PC"
    assert plate_of(scene, DEFAULT, (boards.own(2, label="TF 12"),), 84).code == "TF 12"
