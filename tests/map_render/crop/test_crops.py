"""Crops as images: their size and bytes, and what may be asked for."""

import io
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from map_render import MapImage, render_card_crop, render_card_map, render_crop, render_side
from map_render.crop.frame import make_frame
from rules_engine.core.basics.base import SideLabel
from rules_engine.core.grids.hexes import UnknownHex
from rules_engine.core.knowledge.glance import Range
from rules_engine.core.knowledge.views import Counter, Course, HexNote, SideView
from tests.map_render import boards
from tests.map_render.boards import with_parts
from tests.map_render.crop.gap import GRID, gap
from tests.map_render.forgetting import forget_all
from tests.map_render.pictures import chunks
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
    assert set(chunks(found.png)) == {b"IHDR", b"PLTE", b"IDAT", b"IEND"}
    assert len(found.png) < 90_000
    assert found.filename == f"map-{place}.png"


def test_a_card_holds_the_same_without_its_bands() -> None:
    found = render_card_crop(gap(), 1)
    assert (found.width, found.height) == (800, 752)


def test_equal_views_give_equal_bytes_with_and_without_what_was_kept_from_any_thread() -> None:
    first = [render_crop(gap(), place) for place in (1, 2, 3)]
    forget_all()
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
    wide = render_crop(gap(), area=("0505", "0914")).alt
    assert " Beyond: place 2, Morath and Gemn, 3 hexes east" in wide
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
    found = [render_crop(one, 1).png for one in (view, boards.public(view), boards.everything(view))]
    assert len(set(found)) == 3


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
                HexNote(hex=one.hex, name=name, figure=name, marks=(name,), territory=name, owner=one.owner)
                for one in view.board.hexes
            ),
            "news": tuple(one.model_copy(update={"title": name, "fact": name[:48]}) for one in view.board.news),
            "header": view.board.header.model_copy(update={"turn": name, "steps": (name,), "step": 0}),
        }
    )
    weird = SideView(side="alliance", board=board)
    assert render_crop(weird, 1).height == 1000
    assert len(render_crop(weird, 2).alt) <= 1024
    assert render_card_map(weird, courses=True).width == 1228


def test_counters_courses_and_places_off_the_map_are_left_out() -> None:
    view = gap()
    board = view.board
    pieces = tuple(
        Counter(id=f"Z{n}", hex=at, owner="alliance", label="Z", form=form)
        for n, (at, form) in enumerate((("", "force"), ("9999", "base"), ("", "battle")))
    )
    courses = (
        Course(counter="A6", kind="plotted", hexes=("9999", "1217")),
        Course(counter="A", kind="x", hexes=()),
    )
    nowhere = HexNote(hex="9999", marks=("base",), name="Nowhere", owner="alliance", territory="alliance")
    beyond = with_parts(
        view,
        counters=(*board.counters, *pieces),
        courses=(*board.courses, *courses),
        hexes=(*board.hexes, nowhere),
    )
    assert render_crop(beyond, 1).png == render_crop(view, 1).png
    assert render_card_map(beyond).png == render_card_map(view).png


def test_a_place_that_is_not_on_the_map_is_refused() -> None:
    view = gap()
    lost = with_parts(view, news=(view.board.news[0].model_copy(update={"hexes": ("9999",)}),))
    with pytest.raises(ValueError, match="not on the map"):
        render_crop(lost, 1)


def test_ranges_are_drawn_only_when_asked_for() -> None:
    view = gap()
    reach = Range(kind="detection", hexes=GRID.within("1217", 2))
    ranged = with_parts(view, ranges=(reach,))
    assert render_crop(ranged, 1).png == render_crop(view, 1).png
    assert render_crop(ranged, 1, ranges=("supply",)).png == render_crop(view, 1).png
    shown = render_crop(ranged, 3, ranges=("detection",))
    assert shown.png != render_crop(view, 3).png
    assert shown.alt == render_crop(view, 3).alt
