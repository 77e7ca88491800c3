"""What stands where on a crop, over hundreds of random positions: nobody is hidden, nothing covers anything."""

from functools import cache
from itertools import combinations

import pytest

from map_render.crop import frame, picture, signs
from map_render.crop.box import Box
from map_render.crop.placing import blocks, room, ways
from map_render.crop.placing.lettering import shortened
from map_render.crop.placing.plan import CropPlan
from map_render.crop.stands import HexStand, code_of, is_base, ranges
from map_render.drawing.scene import is_battle, scene_of
from map_render.drawing.theme import DEFAULT
from map_render.theatre.courses import lines_of
from map_render.theatre.frame import make_frame as theatre_frame
from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge import glance, views
from tests.expected.kept import cases
from tests.map_render.crop.positions import GRID, gap, position
from tests.seeds import IS_THOROUGH

EACH = 40
SEEDS = range(0, (6 if IS_THOROUGH else 3) * EACH, EACH)


def planned(view: views.SideView, number: int, wide: int = 0) -> tuple[CropPlan, dict[HexId, HexStand]]:
    """The plan of the crop of a numbered place, or of an area ``wide`` hexes around it; and what stands in each hex."""
    scene = scene_of(view)
    news = view.board.news[number - 1]
    focus = view.board.grid.within(news.hexes[0], wide) if wide else news.hexes
    subject = picture.CropSubject(scene, focus, DEFAULT, 0 if wide else number)
    return subject.plan(picture.CARD_HEIGHT), subject.stands


@cache
def plans(first: int) -> list[tuple[CropPlan, dict[HexId, HexStand], views.SideView]]:
    """All crops of some positions, and of areas in them."""
    found: list[tuple[CropPlan, dict[HexId, HexStand], views.SideView]] = []
    for seed in range(first, first + EACH):
        view = position(seed)
        found += [(*planned(view, n + 1), view) for n in range(len(view.board.news))]
        if seed % 2:
            found.append((*planned(view, 1, wide=1 + seed % 5), view))
    return found


def covers(words: Box, cell: blocks.PlacedSign) -> bool:
    """Whether words lie on a sign. The corners of a diamond's box are free."""
    if not room.meet(words, cell.box) or cell.sign.look.shape != "diamond":
        return room.meet(words, cell.box)
    x, y = (cell.box.left + cell.box.right) // 2, cell.box.top + cell.size // 2
    across, down = max(words.left - x, x - words.right, 0), max(words.top - y, y - words.bottom, 0)
    return across + down < cell.size // 2


@pytest.mark.parametrize("first", SEEDS)
def test_no_counter_is_hidden_and_nothing_covers_another(first: int) -> None:
    for plan, stands, view in plans(first):
        cells = list(plan.cells())
        solid = [*(cell.box for cell in cells), *(post.box for post in plan.posts), *(one[0] for one in plan.ghosts)]
        words = [one.box for one in plan.labels]
        for one, other in combinations(solid, 2):
            assert not room.meet(one, other)
        for one, other in combinations(words, 2):
            assert not room.meet(one, other)
        for box in words:
            assert not any(room.meet(box, one) for one in solid[len(cells) :])
            assert not any(covers(box, cell) for cell in cells)
        for box in (*solid, *words):
            assert room.within(box, plan.frame.bounds)
        for cell in cells:
            assert cell.size >= (blocks.SMALL[0] if cell.sign.is_plate else blocks.SMALL[1]) >= 68
            if cell.sign.look.shape == "diamond":  # from point to point, without the outline of what is new
                assert signs.contact_look(cell.sign, cell.size, DEFAULT).r * 2.12 >= 67.5
        _nobody_is_left_out(plan, stands, view)


def _nobody_is_left_out(plan: CropPlan, stands: dict[HexId, HexStand], view: views.SideView) -> None:
    """Every counter in a hex that is shown stands there, is part of what stands there, or is named in words."""
    scene = scene_of(view)
    said = {code for codes in plan.unplaced.values() for code in codes}
    drawn = {piece.id for cell in plan.cells() for piece in cell.sign.pieces}
    for piece in view.board.counters:
        if is_base(DEFAULT, piece) or not plan.frame.holds(piece.hex):
            continue
        if is_battle(DEFAULT, piece):
            assert plan.bursts or "battle" in said
            continue
        apart = not any(piece in one.pieces for one in stands[piece.hex].shapes) if piece.hex in stands else True
        old = piece.owner != view.side and apart  # joined with older sightings near by
        assert piece.id in drawn or code_of(piece) in said or old, (piece.id, scene.own)
    for name, stand in stands.items():
        if plan.frame.holds(name) and name in plan.blocks:
            there = {sign.look.key for sign in (*stand.plates, *stand.shapes)}
            assert there == {cell.sign.look.key for cell in plan.blocks[name].cells}


@pytest.mark.parametrize("first", SEEDS)
def test_no_course_runs_under_a_counter(first: int) -> None:
    for plan, _, _ in plans(first):
        for leg in plan.legs:
            for x, y in [(leg.x + leg.stroke.dx * n // 20, leg.y + leg.stroke.dy * n // 20) for n in range(21)]:
                assert not any(_holds(cell.box, x, y) for cell in plan.cells())


def _holds(box: Box, x: int, y: int) -> bool:
    return box.left < x < box.right and box.top < y < box.bottom


@pytest.mark.parametrize("first", SEEDS)
def test_codes_of_others_stand_beside_them_or_are_said(first: int) -> None:
    for plan, _, _ in plans(first):
        written = [line.words for label in plan.labels for line in label.lines]
        for name, block in plan.blocks.items():
            for cell in block.cells:
                if not cell.sign.is_plate and not block.under:
                    assert cell.sign.code in written or cell.sign.code in plan.unplaced[name]


def test_a_contested_hex_has_ours_on_the_left_and_theirs_on_the_right_one_by_one() -> None:
    plan, _ = planned(gap(), 1)
    cells = plan.blocks["1217"].cells
    assert [cell.sign.code for cell in cells] == ["A6", "A3", "E27", "E30"]
    found = max(cell.box.right for cell in cells if cell.sign.is_plate)
    assert found < min(cell.box.left for cell in cells if not cell.sign.is_plate)
    assert "1217" in plan.rings
    ring = plan.frame.centres["1217"][0] + max(x for x, _ in plan.frame.corners)
    for label in plan.labels:
        if label.lines[0].words in ("E27", "E30"):
            assert label.box.left >= ring


def test_contacts_seen_long_ago_are_one_sign_with_their_number_and_ages() -> None:
    plan, _ = planned(gap(), 1)
    assert next(label for label in plan.labels if label.lines[0].words == "×3").lines[1].words == "13–16 t ago"


def test_signposts_point_to_other_numbered_places_and_to_what_is_near() -> None:
    plan, _ = planned(gap(), 1)
    said = [post.words for post in plan.posts]
    assert "Downbelow · A2 A4 · 6" in said
    assert "Kiel (C) · 5" in said
    numbered = [post for post in plan.posts if post.number]
    assert [(post.number, post.words) for post in numbered] == [(3, "New Bergen · battle · 5")]
    assert next(post for post in plan.posts if post.words.startswith("Downbelow")).arrow[1] < -900


def test_places_that_share_a_crop_are_both_ringed_and_named() -> None:
    plan, _ = planned(gap(), 2)
    assert {"1001", "1101"} <= set(plan.rings)
    written = [label.lines[0].words for label in plan.labels]
    assert {"Morath", "Gemn", "E11", "E29"} <= set(written)


@pytest.mark.parametrize(("number", "codes"), [(1, {"E27", "E30"}), (2, {"E11", "E29"})])
def test_what_is_known_of_a_contact_stands_outside_its_ring_whole_even_at_the_maps_rim(number: int, codes: set[str]):
    plan, stands = planned(gap(), number)
    told = {label.lines[0].words: label for label in plan.labels if label.lines[0].words in codes}
    assert set(told) == codes
    for name in plan.rings:
        for sign in stands[name].shapes:
            label = told[sign.code]
            assert label.box.left >= plan.frame.centres[name][0] + max(x for x, _ in plan.frame.corners)
            assert " · ".join(line.words for line in label.lines[1:]) == sign.note


@pytest.mark.parametrize("first", SEEDS)
def test_no_note_below_a_contact_crosses_its_ring(first: int) -> None:
    for plan, _, _ in plans(first):
        for name, note in {(name, note) for name, cell in plan.noteless for note in shortened(cell.sign.note)}:
            x, y = plan.frame.centres[name]
            for label in plan.labels:
                (words, *more), box = [line.words for line in label.lines], label.box
                here = box.left < x < box.right and abs((box.top + box.bottom) // 2 - y) < plan.frame.size
                if name in plan.rings and here and words == note and not more:
                    assert plan.frame.has_inside(name, box)


def test_plans_are_equal_for_equal_views() -> None:
    for seed in range(20):
        one, other = planned(position(seed), 1)[0], planned(position(seed), 1)[0]
        assert (one.posts, one.labels, one.blocks) == (other.posts, other.labels, other.blocks)


@pytest.mark.parametrize("kind", ["plotted", "route"])
@pytest.mark.parametrize(("after", "now"), [((0, 2), 0), ((1, 3), 1), ((2,), 2), ((), None)])
def test_what_is_flown_this_turn_is_solid_and_the_rest_is_dashed(kind: str, after: tuple[int, ...], now: int | None):
    """A force whose first turn ends where it is does not move this turn."""
    view = gap()
    stages = tuple(glance.Stage(after=n, said=f"T{30 + place}") for place, n in enumerate(after))
    flown = views.Course(counter="A6", kind=kind, hexes=("1217", "1117", "1017"), stages=stages)
    scene = scene_of(view.model_copy(update={"board": view.board.model_copy(update={"courses": (flown,)})}))
    (way,) = ways.ways_of(scene, frame.make_frame(GRID, ("1117",), frame.WIDTH, picture.CARD_HEIGHT), {})
    wanted = (2 if kind == "plotted" else 0) if now is None else now
    legs = [leg.stroke for leg in ways.legs_of(way, (), Box(0, 0, frame.WIDTH, picture.CARD_HEIGHT))]
    assert [not leg.dashed for leg in legs] == [n < wanted for n in range(2)]
    (line,) = lines_of(scene, theatre_frame(GRID, DEFAULT, 3, 1))
    assert line.later_from == wanted


@cases("labels, said")
def test_labels_in_a_row_are_said_as_one(labels: list[str], said: list[str]) -> None:
    assert ranges(labels) == said
