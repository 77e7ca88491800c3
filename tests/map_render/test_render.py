"""Maps as images: sizes, bytes, and that everything on them comes from the view."""

import io
from concurrent.futures import ThreadPoolExecutor

import map_boards as boards
import pytest
from PIL import Image

from map_render import DEFAULT, MapImage, parse_theme, render_omniscient, render_public, render_side
from map_render.drawing.keeping import forget_all
from map_render.drawing.palette import INKS, index
from map_render.map.layout import make_layout
from map_render.map.scene import scene_of
from map_render.render import paint
from rules_engine.core.base import SideLabel
from rules_engine.core.hexes import Grid, UnknownHex
from rules_engine.core.views import Counter, Course, HexNote, SideView

ALL = {
    "convoy": boards.convoy,
    "empires": boards.empires,
    "crowded": boards.crowded,
    "wide": boards.wide,
    "crowded wide": lambda: boards.crowded(22, 17),
    "empty": boards.empty,
}


def with_parts(view: SideView, **parts: object) -> SideView:
    """The view with other parts on its board."""
    return SideView(side=view.side, board=view.board.model_copy(update=parts))


def chunks(png: bytes) -> list[bytes]:
    """The kinds of chunk in a PNG, in order."""
    kinds, at = [], 8
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        kinds.append(png[at + 4 : at + 8])
        at += 12 + length
    return kinds


def pixels(view: SideView) -> Image.Image:
    """The picture in palette numbers."""
    return paint(scene_of(view), DEFAULT, None)


def ink_of(number: int) -> str:
    """The ink to which a palette number belongs."""
    return INKS[(number - 1) // 15] if 0 < number < 241 else ""


def inks_near(view: SideView, hex_id: str) -> dict[str, int]:
    """How many pixels of each ink, at half strength or more, lie around the middle of a hex."""
    layout = make_layout(view.board.grid, None, DEFAULT)
    x, y = layout.centres[hex_id]
    far = layout.px(0.6)
    found: dict[str, int] = {}
    for number in pixels(view).crop((x - far, y - far, x + far, y + far)).tobytes():
        if number and (number - 1) % 15 >= 7:
            found[ink_of(number)] = found.get(ink_of(number), 0) + 1
    return found


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


@pytest.mark.parametrize(
    "change",
    [
        {"label": "E77"},
        {"age": 2},
        {"age": 1, "live": False},
        {"live": False},
        {"changed": True},
        {"level": 4, "level_name": "ID3"},
        {"level": 0, "level_name": "U"},
        {"owner": ""},
        {"form": "convoy"},
        {"sub": "slow"},
        {"hex": "0506"},
    ],
    ids=str,
)
def test_every_property_of_a_contact_shows(change: dict[str, object]) -> None:
    piece = Counter(id="E1", hex="0505", owner="kzinti", label="E1", level=2, level_name="ID1")
    view = with_parts(boards.empty(), counters=(piece,))
    other = with_parts(boards.empty(), counters=(piece.model_copy(update=change),))
    assert pixels(view).tobytes() != pixels(other).tobytes()


def test_what_is_not_drawn_does_not_change_the_picture() -> None:
    """Panels and details are for texts; the picture must not depend on them."""
    view = boards.convoy()
    plain = tuple(piece.model_copy(update={"details": ("changed",)}) for piece in view.board.counters)
    assert render_side(with_parts(view, counters=plain)).png == render_side(view).png


def test_own_and_enemy_differ_without_colour() -> None:
    """Two forces that differ in their owner alone are told apart by form: their silhouettes differ."""

    def silhouette(owner: str) -> bytes:
        piece = Counter(id="E1", hex="0505", owner=owner, label="E1", level=3, level_name="ID2")
        view = with_parts(boards.empires(), counters=(piece,), hexes=(), courses=())
        x, y = make_layout(view.board.grid, None, DEFAULT).centres["0505"]
        part = pixels(view).crop((x - 70, y - 70, x + 70, y + 70))
        return part.point([255 if number and (number - 1) % 15 >= 7 else 0 for number in range(256)]).tobytes()

    owners = ("alliance", "kzinti", "lyran", "gorn", "", "traders")
    assert len({silhouette(owner) for owner in owners}) == len(owners)


def test_identification_is_told_by_the_form_of_the_counter() -> None:
    """Each level fills more of the shape than the one before."""
    filled = []
    for level, name in enumerate(("ID0", "ID1", "ID2", "ID3")):
        piece = Counter(id="E1", hex="0505", owner="kzinti", label="E1", level=level, level_name=name)
        filled.append(inks_near(with_parts(boards.empty(), counters=(piece,)), "0505")["foe0"])
    assert filled == sorted(filled)
    assert len(set(filled)) == 4


def test_an_unidentified_contact_is_hollow() -> None:
    piece = Counter(id="E1", hex="0505", owner="kzinti", label="E1", level=0, level_name="U")
    known = piece.model_copy(update={"level": 4, "level_name": "ID3"})
    hollow = inks_near(with_parts(boards.empty(), counters=(piece,)), "0505")["foe0"]
    full = inks_near(with_parts(boards.empty(), counters=(known,)), "0505")["foe0"]
    assert hollow * 2 < full


def test_changed_counters_and_only_they_are_ringed() -> None:
    piece = Counter(id="TF1", hex="0505", owner="alliance", label="TF1")
    assert "changed" not in inks_near(with_parts(boards.empty(), counters=(piece,)), "0505")
    ringed = piece.model_copy(update={"changed": True})
    assert inks_near(with_parts(boards.empty(), counters=(ringed,)), "0505")["changed"] > 200


def test_age_fades() -> None:
    """The strongest tone of a contact's ink weakens turn by turn."""
    strongest = []
    for age in range(4):
        piece = Counter(id="E1", hex="0505", owner="kzinti", label="E1", level=4, level_name="ID3", age=age)
        view = with_parts(boards.empty(), counters=(piece,))
        x, y = make_layout(view.board.grid, None, DEFAULT).centres["0505"]
        part = pixels(view).crop((x - 60, y - 60, x + 60, y + 40)).tobytes()
        strongest.append(max(number for number in part if ink_of(number) == "foe0"))
    assert strongest == [index("foe0", step) for step in (15, 12, 10, 9)]


@pytest.mark.parametrize("count", [2, 3, 4, 9])
def test_counters_that_share_a_hex_all_show_or_are_counted(count: int) -> None:
    pieces = tuple(Counter(id=f"TF{n}", hex="0505", owner="alliance", label=f"TF{n}") for n in range(count))
    view = with_parts(boards.empty(), counters=pieces)
    fewer = with_parts(boards.empty(), counters=pieces[:-1])
    assert pixels(view).tobytes() != pixels(fewer).tobytes()
    contact = Counter(id="E1", hex="0505", owner="kzinti", label="E1", level=0, level_name="U")
    mixed = with_parts(boards.empty(), counters=(*pieces, contact))
    assert inks_near(mixed, "0505").get("foe0", 0) > 50, "own counters must not hide the enemy's"


def test_a_crop_shows_its_hexes_and_leaves_out_the_rest() -> None:
    view = boards.convoy()
    near = render_side(view, crop=("0604", "0403"))
    assert 1600 <= max(near.width, near.height) <= 2400
    assert near.png != render_side(view).png
    far_away = with_parts(view, counters=tuple(one for one in view.board.counters if one.hex != "0307"))
    assert render_side(far_away, crop=("0604", "0403")).png == near.png
    within = with_parts(view, counters=tuple(one for one in view.board.counters if one.id != "TF4"))
    assert render_side(within, crop=("0604", "0403")).png != near.png


def test_a_crop_of_one_hex_is_still_a_map() -> None:
    found = render_side(boards.convoy(), crop=("0604",))
    assert max(found.width, found.height) >= 1600


def test_a_course_that_leaves_the_crop_has_no_arrowhead_in_it() -> None:
    """Cut off by the crop, a course runs on; it must not seem to end there."""
    short = Course(counter="TF1", kind="plotted", hexes=("0604", "0504"))
    long = Course(counter="TF1", kind="plotted", hexes=("0604", "0504", "0404", "0304"))
    crop = ("0604", "0504")
    shorter = with_parts(boards.convoy(), courses=(short,))
    longer = with_parts(boards.convoy(), courses=(long,))
    assert render_side(shorter, crop=crop).png != render_side(longer, crop=crop).png


def test_bad_crops_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one hex"):
        render_side(boards.convoy(), crop=())
    with pytest.raises(UnknownHex):
        render_side(boards.convoy(), crop=("9999",))


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
                Counter(id="E1", hex="0405", owner="kzinti", label=name, level=1, level_name=name, sub=name),
                Counter(id="E2", hex="0406", owner=name, label=name, level=1, details=(name,)),
            ),
            "courses": (Course(counter="TF1", kind=name, hexes=("0604", "0504")),),
        }
    )
    found = render_side(SideView(side="alliance", board=board))
    assert 1600 <= max(found.width, found.height) <= 2400
    assert len(found.alt) <= 1024


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (1, 20), (20, 1), (2, 3), (40, 30)], ids=str)
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_maps_of_any_proportion(columns: int, rows: int, orientation: str) -> None:
    grid = Grid.model_validate({"columns": columns, "rows": rows, "orientation": orientation})
    found = render_side(SideView(side="alliance", board=boards.board(grid)))
    assert 1600 <= max(found.width, found.height) <= 2400


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
