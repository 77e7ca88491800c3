"""Maps as images: sizes, bytes, and that everything on them comes from the view."""

import io
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from map_render import DEFAULT, MapImage, parse_theme, render_omniscient, render_public, render_side, warm
from rules_engine.core.basics.base import SideLabel
from rules_engine.core.knowledge.views import Counter, Course, HexNote, SideView
from tests.map_render import boards
from tests.map_render.boards import with_parts
from tests.map_render.forgetting import forget_all
from tests.map_render.pictures import chunks, pixels

ALL = {
    "convoy": boards.convoy,
    "empires": boards.empires,
    "crowded": boards.crowded,
    "wide": boards.wide,
    "crowded wide": lambda: boards.crowded(22, 17),
    "empty": boards.empty,
}


@pytest.mark.parametrize("name", ALL)
def test_an_image_is_a_palette_png_of_a_good_size(name: str) -> None:
    found = render_side(ALL[name]())
    image = Image.open(io.BytesIO(found.png))
    assert image.size == (found.width, found.height)
    assert image.mode == "P"
    assert 1600 <= max(image.size) <= 2400
    assert len(found.png) < 600_000
    assert found.filename == "map.png"


def test_an_image_carries_no_metadata() -> None:
    found = render_side(boards.convoy())
    kinds = chunks(found.png)
    assert kinds[0] == b"IHDR"
    assert kinds[-1] == b"IEND"
    assert set(kinds) == {b"IHDR", b"PLTE", b"IDAT", b"IEND"}
    assert not Image.open(io.BytesIO(found.png)).info


@pytest.mark.parametrize("name", ALL)
def test_equal_views_give_equal_bytes_with_and_without_what_was_kept(name: str) -> None:
    first = render_side(ALL[name]())
    forget_all()
    assert render_side(ALL[name]()) == first


def test_warming_changes_nothing_but_the_time() -> None:
    forget_all()
    cold = render_side(boards.convoy())
    forget_all()
    warm(boards.convoy())
    assert render_side(boards.convoy()) == cold


def test_many_threads_draw_what_one_draws() -> None:
    makers = [boards.convoy, boards.empires, boards.crowded, boards.wide]
    alone = [render_side(maker()) for maker in makers]
    forget_all()
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda maker: render_side(maker()), makers * 4))
    assert together == alone * 4


@pytest.mark.parametrize("part", ["counters", "courses", "hexes"])
def test_everything_on_the_board_shows(part: str) -> None:
    """Taking away any one counter, course or noted hex changes the picture."""
    view = boards.empires()
    whole = pixels(view).tobytes()
    things = getattr(view.board, part)
    for place in range(len(things)):
        assert pixels(with_parts(view, **{part: things[:place] + things[place + 1 :]})).tobytes() != whole, things[
            place
        ]


def test_what_is_not_drawn_does_not_change_the_picture() -> None:
    """Panels and details are for texts; the picture must not depend on them."""
    view = boards.convoy()
    plain = tuple(piece.model_copy(update={"details": ("changed",)}) for piece in view.board.counters)
    assert render_side(with_parts(view, counters=plain)).png == render_side(view).png


WEIRD = ("😀🚀", "שלום", "مرحبا", "中文", "\u202eevil\u202c", "a" * 5000, "W W " * 300, "", "\n\t", "é̂́Ž", "\x00\x07")


@pytest.mark.parametrize("name", WEIRD, ids=lambda name: ascii(name[:8]))
def test_weird_names_are_drawn_or_left_out_but_never_in_the_way(name: str) -> None:
    view = boards.convoy()
    board = view.board.model_copy(
        update={
            "campaign": name,
            "heading": name,
            "sides": tuple(SideLabel(key=one.key, name=name, emblem=name) for one in view.board.sides),
            "hexes": (HexNote(hex="0303", terrain=name, marks=(name,), name=name, owner="kzinti"),),
            "counters": (
                Counter(id="TF1", hex="0604", owner="alliance", label=name, sub=name, form=name or "force"),
                Counter(id="E1", hex="0405", owner="kzinti", label=name, level=1, grade=1, level_name=name, sub=name),
                Counter(id="E2", hex="0406", owner=name, label=name, level=1, grade=1, details=(name,)),
            ),
            "courses": (Course(counter="TF1", kind=name, hexes=("0604", "0504")),),
        }
    )
    found = render_side(SideView(side="alliance", board=board))
    assert 1600 <= max(found.width, found.height) <= 2400
    assert len(found.alt) <= 1024


def test_counters_and_courses_off_the_map_are_left_out() -> None:
    """A scenario's mistake, or a force in reserve, must not stop the map."""
    view = with_parts(
        boards.empty(),
        counters=(Counter(id="TF1", hex="", owner="alliance", label="TF1"),),
        courses=(
            Course(counter="TF1", kind="plotted", hexes=("9999", "0101")),
            Course(counter="X", kind="moved", hexes=()),
        ),
    )
    assert render_side(view).png == render_side(boards.empty()).png


def test_the_three_views_have_their_own_functions() -> None:
    view = boards.empires()
    found = [render_side(view), render_public(boards.public(view)), render_omniscient(boards.everything(view))]
    assert all(isinstance(one, MapImage) for one in found)
    assert len({one.png for one in found}) == 3
    assert {one.filename for one in found} == {"map.png"}


def test_another_theme_gives_another_picture() -> None:
    other = parse_theme('paper = "#000000"\n')
    assert render_side(boards.convoy(), theme=other).png != render_side(boards.convoy()).png


def test_a_theme_that_differs_in_a_texture_is_not_mistaken_for_the_default() -> None:
    """Themes hash by their colours; what is kept must still go by the whole theme."""
    plain = parse_theme('[terrain]\nnebula = { label = "nebula", ink = "gas", tint = 3, texture = "plain" }\n')
    assert hash(plain) == hash(DEFAULT)
    render_side(boards.convoy())
    assert render_side(boards.convoy(), theme=plain).png != render_side(boards.convoy()).png
