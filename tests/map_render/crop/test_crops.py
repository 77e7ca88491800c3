"""Crops as images, and the bare maps of cards: sizes, what may be asked for, and that nobody is hidden."""

import io
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations

import pytest
from PIL import Image

from map_render import MapImage, render_card_crop, render_card_map, render_crop, render_side
from map_render.crop import card_map, stands
from map_render.crop.frame import make_frame
from map_render.crop.placing.room import around, meet, within
from map_render.drawing import scene, theme
from rules_engine.core.basics.base import SideLabel
from rules_engine.core.grids.hexes import UnknownHex
from rules_engine.core.knowledge import glance, views
from tests.map_render import boards, pictures
from tests.map_render.boards import with_parts
from tests.map_render.crop.positions import GRID, gap, position
from tests.map_render.test_render import WEIRD


def opened(found: MapImage) -> Image.Image:
    """The image of the file."""
    return Image.open(io.BytesIO(found.png))


@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_crop_is_a_small_palette_png_of_800_by_1000(place: int) -> None:
    found = render_crop(gap(), place)
    assert (found.width, found.height) == (800, 1000)
    assert opened(found).size == (800, 1000)
    assert opened(found).mode == "P"
    assert set(pictures.chunks(found.png)) == {b"IHDR", b"PLTE", b"IDAT", b"IEND"}
    assert len(found.png) < 90_000
    assert found.filename == f"map-{place}.png"


def test_a_card_holds_the_same_without_its_bands() -> None:
    found = render_card_crop(gap(), 1)
    assert (found.width, found.height) == (800, 752)


def test_equal_views_give_equal_bytes_with_and_without_what_was_kept_from_any_thread() -> None:
    first = [render_crop(gap(), place) for place in (1, 2, 3)]
    pictures.forget_all()
    with ThreadPoolExecutor(6) as pool:
        again = list(pool.map(lambda place: render_crop(gap(), place), (1, 2, 3) * 4))
    assert again == first * 4


def test_a_crop_is_of_a_place_or_of_an_area() -> None:
    view = gap()
    for wrong in (
        lambda: render_crop(view),
        lambda: render_crop(view, 1, area=("1217",)),
        lambda: render_crop(view, 4),
        lambda: render_crop(view, 0),
    ):
        with pytest.raises(ValueError, match="place"):
            wrong()
    with pytest.raises(UnknownHex):
        render_crop(view, area=("9999",))


def test_an_area_may_be_given_in_any_order() -> None:
    assert render_crop(gap(), area=("1001", "1101")) == render_crop(gap(), area=("1101", "1001", "1101"))


def test_an_area_that_is_too_wide_is_drawn_as_a_part_of_the_map() -> None:
    assert render_crop(gap(), area=("0101", "1722")).png == render_side(gap()).png
    assert render_crop(gap(), area=("0505", "0914")).width == 2400


def test_an_area_of_some_hexes_around_a_place_is_a_crop() -> None:
    """Up to nine hexes side by side: counters keep their size, and stand beside their hexes where these are small."""
    for radius in range(5):
        assert render_crop(gap(), area=GRID.within("1217", radius)).height == 1000


def test_a_crop_at_the_rim_is_moved_inwards() -> None:
    """The place stays whole, and little is shown of what lies beyond the sheet."""
    for name in ("0101", "0122", "1701", "1722"):
        frame = make_frame(GRID, (name,), 800, 754)
        x, y = frame.centres[name]
        reach_x, reach_y = (max(corner[axis] for corner in frame.corners) for axis in (0, 1))
        assert x - reach_x >= 0
        assert x + reach_x <= 800
        assert y - reach_y >= 0
        assert y + reach_y <= 754
        assert min(x - reach_x, 800 - x - reach_x) <= 60 + reach_x  # every other row begins half a hex later
        assert min(y - reach_y, 754 - y - reach_y) <= 60


def test_an_area_needs_no_numbered_places_nor_any_of_what_boards_may_lack() -> None:
    for view in (boards.convoy(), boards.empires(), boards.crowded(), boards.empty()):
        grid = view.board.grid
        for name in (grid.hexes()[0], grid.hexes()[len(grid.hexes()) // 2], grid.hexes()[-1]):
            assert render_crop(view, area=(name,)).height == 1000


def test_what_is_far_away_and_of_no_weight_does_not_change_a_crop_but_what_is_there_does() -> None:
    view = gap()
    pieces = view.board.counters
    whole = render_crop(view, 1).png
    for code in ("A6", "A3", "E27", "E30", "A34", "E5"):
        less = with_parts(view, counters=tuple(one for one in pieces if one.id != code))
        assert render_crop(less, 1).png != whole, code


def test_words_tell_of_what_lies_beyond_with_distance_and_direction() -> None:
    """Other numbered places and contacts that are held, never what is a memory, and nothing of what is shown."""
    said = render_crop(gap(), 1).alt
    assert said.endswith(
        " Beyond: place 3, New Bergen 1719, 5 hexes south; Kiel (Coalition), 5 hexes south-east; "
        "mines (Coalition), 6 hexes south-east."
    )
    assert " Beyond: place 2, Morath and Gemn, 3 hexes east" in render_crop(gap(), area=("0505", "0914")).alt
    pieces = gap().board.counters
    old = tuple(one.model_copy(update={"live": False}) if one.label == "Kiel" else one for one in pieces)
    assert "Kiel" not in render_crop(with_parts(gap(), counters=old), 1).alt.partition("Beyond: ")[2]
    assert "Beyond" not in render_crop(gap(), area=("0101", "1722")).alt


def test_the_words_of_a_crop_begin_with_what_happened() -> None:
    said = render_crop(gap(), 1).alt
    assert said.startswith(
        "Place 1, Scene Flow 1217: Turn 29 · planning · Alliance. E27 searches A6 this turn. "
        "A6 and A3 may attack or slip away. There: 1217 A6 (3 ships); 1217 A3 (2 ships, 55% left); "
        "1217 E27 (Coalition, ID3 · 3 ships); 1217 E30 (Coalition, unknown). Near by: "
    )
    assert len(said) <= 1024


def test_public_and_omniscient_views_have_crops() -> None:
    view = gap()
    assert len({render_crop(one, 1).png for one in (view, boards.public(view), boards.everything(view))}) == 3


@pytest.mark.parametrize("name", WEIRD, ids=lambda name: ascii(name[:8]))
def test_weird_names_are_drawn_or_left_out_but_never_in_the_way(name: str) -> None:
    view = gap()
    odd = tuple(
        one.model_copy(update={"label": name, "sub": name, "form": name if one.form == "force" else one.form})
        for one in view.board.counters
    )
    board = view.board.model_copy(
        update={
            "campaign": name,
            "sides": tuple(SideLabel(key=one.key, name=name, emblem=name) for one in view.board.sides),
            "counters": odd,
            "hexes": tuple(
                views.HexNote(hex=one.hex, name=name, figure=name, marks=(name,), territory=name, owner=one.owner)
                for one in view.board.hexes
            ),
            "news": tuple(one.model_copy(update={"title": name, "fact": name[:48]}) for one in view.board.news),
            "header": view.board.header.model_copy(update={"turn": name, "steps": (name,), "step": 0}),
        }
    )
    weird = views.SideView(side="alliance", board=board)
    assert render_crop(weird, 1).height == 1000
    assert len(render_crop(weird, 2).alt) <= 1024
    assert render_card_map(weird, courses=True).width == 1228


def test_counters_courses_and_places_off_the_map_are_left_out() -> None:
    view = gap()
    board = view.board
    pieces = tuple(
        views.Counter(id=f"Z{n}", hex=at, owner="alliance", label="Z", form=form)
        for n, (at, form) in enumerate((("", "force"), ("9999", "base"), ("", "battle")))
    )
    courses = (
        views.Course(counter="A6", kind="plotted", hexes=("9999", "1217")),
        views.Course(counter="A", kind="x", hexes=()),
    )
    nowhere = views.HexNote(hex="9999", marks=("base",), name="Nowhere", owner="alliance", territory="alliance")
    counters = (*board.counters, *pieces)
    beyond = with_parts(view, counters=counters, courses=(*board.courses, *courses), hexes=(*board.hexes, nowhere))
    assert render_crop(beyond, 1).png == render_crop(view, 1).png
    assert render_card_map(beyond).png == render_card_map(view).png


def test_a_place_that_is_not_on_the_map_is_refused() -> None:
    view = gap()
    lost = with_parts(view, news=(view.board.news[0].model_copy(update={"hexes": ("9999",)}),))
    with pytest.raises(ValueError, match="not on the map"):
        render_crop(lost, 1)


def test_ranges_are_drawn_only_when_asked_for() -> None:
    view = gap()
    ranged = with_parts(view, ranges=(glance.Range(kind="detection", hexes=GRID.within("1217", 2)),))
    assert render_crop(ranged, 1).png == render_crop(view, 1).png
    assert render_crop(ranged, 1, ranges=("supply",)).png == render_crop(view, 1).png
    shown = render_crop(ranged, 3, ranges=("detection",))
    assert shown.png != render_crop(view, 3).png
    assert shown.alt == render_crop(view, 3).alt


# --- the bare maps of cards: nobody is hidden, pins and new counters are large, nothing covers anything ---------------
EACH = 40
SEEDS = range(1000, 1000 + 5 * EACH, EACH)
SHOWN_AT = 1228 / 307


@cache
def plans(first: int) -> list[tuple[views.SideView, card_map.CardPlan]]:
    """The plans of some positions, with a pin on each numbered place."""
    found: list[tuple[views.SideView, card_map.CardPlan]] = []
    for seed in range(first, first + EACH):
        view = position(seed)
        pins = tuple(news.hexes[0] for news in view.board.news)
        found.append((view, card_map.card_plan(scene.scene_of(view), theme.DEFAULT, pins, courses=seed % 2 == 0)))
    return found


def test_what_is_new_is_half_as_large_again_and_at_307_px_it_is_15_and_the_rest_11() -> None:
    assert card_map.NEW[0] / SHOWN_AT >= 14.9
    assert card_map.USUAL[0] / SHOWN_AT >= 10.9
    assert 2 * card_map.PIN / SHOWN_AT >= 14.4
    plan = card_map.card_plan(scene.scene_of(gap()), theme.DEFAULT, ("1217", "1001", "1719"), courses=False)
    sizes = {one.sign.code: one.size for one in plan.spotted if one.sign.is_plate}
    assert sizes["A6"] == sizes["A14"] == card_map.NEW[0]
    assert sizes["A11"] == sizes["A15"] == card_map.NEW[0]  # next to what may be raided
    assert sizes["A12"] == sizes["A9"] == card_map.USUAL[0]


@pytest.mark.parametrize("first", SEEDS)
def test_nothing_covers_a_counter(first: int) -> None:
    for _, plan in plans(first):
        counters = [one.box for one in plan.spotted]
        words = [one.box for one in plan.labels]
        for one, other in combinations([*counters, *words], 2):
            assert not meet(one, other)
        for _, x, y in plan.pins:
            assert not any(meet(around(x, y, 2 * card_map.PIN, 2 * card_map.PIN), box) for box in (*counters, *words))
        for box in (*counters, *words):
            assert within(box, plan.frame.bounds)


@pytest.mark.parametrize("first", SEEDS)
def test_each_owner_in_a_hex_has_a_sign(first: int) -> None:
    for view, plan in plans(first):
        for name, stand in stands.stands_of(scene.scene_of(view), theme.DEFAULT).items():
            owners = {sign.look.key for sign in (*stand.plates, *stand.shapes)}
            large = {one.sign.look.key for one in plan.spotted if one.sign.piece.hex == name}
            x, y = plan.frame.centres[name]
            small = {sign.look.key for sign, at_x, at_y in plan.dots if at_y == y and abs(at_x - x) < 120}
            assert owners <= large | small


@pytest.mark.parametrize("first", SEEDS)
def test_every_place_has_its_pin_in_order(first: int) -> None:
    for view, plan in plans(first):
        assert [number for number, _, _ in plan.pins] == list(range(1, len(view.board.news) + 1))


def test_pins_may_stand_elsewhere_than_on_news() -> None:
    view = gap()
    usual, moved, none = (render_card_map(view, pins=pins) for pins in (None, ("0419", "1715"), ()))
    assert len({usual.png, moved.png, none.png}) == 3
    assert render_card_map(view, pins=("1217", "1001", "1719")).png == usual.png


def test_equal_views_give_equal_bytes_with_and_without_what_was_kept() -> None:
    first = render_card_map(gap(), courses=True)
    pictures.forget_all()
    assert render_card_map(gap(), courses=True) == first
    assert first.width == 1228
    assert first.height <= 990
    assert len(first.png) < 120_000


def test_courses_are_shown_where_they_are_asked_for() -> None:
    assert render_card_map(gap(), courses=True).png != render_card_map(gap()).png
