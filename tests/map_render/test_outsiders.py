"""Outsiders on maps: owners that are no seat are told from every side and from each other, also without colour."""

from pathlib import Path

import pytest
from PIL import Image, ImageChops

from map_render import DEFAULT, alt_text, describe, parse_theme
from map_render.crop.signs import contact_look
from map_render.crop.stands import stands_of
from map_render.drawing.palette import colours, index
from map_render.drawing.scene import OwnerLook, scene_of
from map_render.drawing.shapes import FOE_SHAPES, HORN, WAIST, CounterShape, Pen, draw_shape
from map_render.drawing.theme import contrast
from map_render.theatre.groups import contact_of
from map_render.theatre.legend import entries_of
from map_render.theatre.pieces import Stand
from map_render.theatre.placing.bodies import bodies_meet
from map_render.theatre.placing.plan import plan_theatre
from map_render.theatre.placing.room import Rect
from rules_engine.core.basics.base import Outsider, SideLabel
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import Board, Counter, HexNote, PublicView, SideView
from tests.map_render.crowds import HEX, ROOMY, SEATS, SMALL, board_of, force, forces
from tests.map_render.pictures import around, seen_at_400

MONSTERS = Outsider(key="monsters", name="Beasts of the Rim", emblem="B")
PIRATES = Outsider(key="pirates", name="Corsairs", emblem="Co")
THEMES = sorted((Path(__file__).parents[2] / "config" / "themes").glob("*.toml"))


def side_view(*counters: Counter, notes: tuple[HexNote, ...] = (), seats: int = 7) -> SideView:
    """The alliance's map with both outsiders on it."""
    board = board_of(ROOMY, counters, notes)
    sides = board.sides[:seats]
    return SideView(side="alliance", board=board.model_copy(update={"sides": sides, "outsiders": (MONSTERS, PIRATES)}))


def looks(seats: int) -> tuple[list[OwnerLook], list[OwnerLook]]:
    """(those of the sides, those of the outsiders)."""
    scene = scene_of(side_view(seats=seats))
    return list(scene.side_looks.values()), list(scene.outsider_looks.values())


def stand_of(view: SideView) -> Stand:
    """What stands in the contested hex."""
    (found,) = (one for one in plan_theatre(scene_of(view), DEFAULT).pieces.stands if one.hex == HEX)
    return found


def owners_in(view: SideView) -> list[str]:
    """Whose counters stand in the contested hex, in the order in which they are drawn."""
    return [owner for owner, _ in stand_of(view).others]


@pytest.mark.parametrize("seats", range(2, 8))
def test_they_share_neither_shape_nor_ink_with_any_seat(seats: int) -> None:
    sides, outsiders = looks(seats)
    assert len(sides) == seats
    unknown, unnamed = (scene_of(side_view()).look_of(key) for key in ("", "traders"))
    for outsider in outsiders:
        assert outsider.shape not in {one.shape for one in (*sides, unknown, unnamed)}
        assert outsider.ink not in {one.ink for one in (*sides, unknown)}


def test_they_are_told_from_each_other_by_their_letters() -> None:
    _, (monsters, pirates) = looks(7)
    assert (monsters.shape, monsters.ink) == (pirates.shape, pirates.ink)
    assert (monsters.emblem, pirates.emblem) == ("B", "Co")
    assert (monsters.name, pirates.name) == ("Beasts of the Rim", "Corsairs")


@pytest.mark.parametrize("file", THEMES, ids=lambda file: file.stem)
def test_their_ink_is_none_of_a_seats_in_any_theme(file: Path) -> None:
    theme = parse_theme(file.read_text(encoding="utf-8"))
    sides, (outsider, _) = looks(7)
    table = colours(theme)

    def colour(ink: str) -> tuple[int, ...]:
        return tuple(table[3 * index(ink) : 3 * index(ink) + 3])

    def far(one: tuple[int, ...], other: tuple[int, ...]) -> float:
        return sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5

    assert min(far(colour(outsider.ink), colour(side.ink)) for side in sides) > 40
    assert contrast(theme.inks.neutral, theme.paper) >= 3


def outline(shape: CounterShape) -> Image.Image:
    pen = Pen(40, 28)
    draw_shape(pen, shape)
    return pen.mask()


@pytest.mark.parametrize("shape", [*FOE_SHAPES, "plate", "disc", "clover"])
def test_their_shape_is_told_from_every_other_without_colour(shape: CounterShape) -> None:
    horned, other = outline("horned"), outline(shape)
    differs = sum(ImageChops.difference(horned, other).histogram()[128:])
    assert differs > 0.2 * sum(horned.histogram()[128:])


def test_a_horned_shape_reaches_as_far_as_it_says() -> None:
    drawn = outline("horned")
    left, top, right, bottom = drawn.point([0] * 128 + [255] * 128).getbbox() or (0, 0, 0, 0)
    for reach in (40 - left, 40 - top, right - 40, bottom - 40):
        assert abs(reach - HORN * 28) < 2
    middle = [drawn.getpixel((40, y)) for y in range(80)]
    assert abs(sum(value == 255 for value in middle) - 2 * WAIST * 28) < 3


def test_no_plate_lies_on_its_horns() -> None:
    horned = Rect(50, 50, 150, 150)
    corner = Rect(140, 140, 200, 200)
    assert bodies_meet("horned", horned, "plate", corner), "a corner that a disc would leave free"
    assert not bodies_meet("disc", horned, "plate", corner)
    assert not bodies_meet("horned", horned, "plate", corner.moved(10, 0))


# --- in a hex ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("grid", [ROOMY, SMALL], ids=["roomy", "small"])
def test_two_seats_and_a_monster_are_all_seen_on_a_phone(grid: Grid) -> None:
    crowd = (force("alliance", 1), force("kzinti", 1), force("monsters", 1))
    view = side_view(*crowd)
    view = SideView(side="alliance", board=view.board.model_copy(update={"places": grid}))
    seen = seen_at_400(view)
    for piece in crowd:
        assert seen.get(scene_of(view).look_of(piece.owner).ink, 0.0) >= 5, piece.owner


@pytest.mark.parametrize("changed", [False, True])
def test_they_stand_behind_the_sides(changed: bool) -> None:
    crowd = (force("monsters", 1, changed=changed), force("lyran", 2), force("kzinti", 1))
    assert owners_in(side_view(*crowd)) == ["kzinti", "lyran", "monsters"]


def test_in_a_crowd_they_stand_behind_the_seats_and_before_the_unknown() -> None:
    owners = ["traders", "", "pirates", "monsters", *reversed(SEATS)]
    crowd = side_view(*(force(owner, 1) for owner in owners))
    assert ["alliance", *owners_in(crowd)] == [*SEATS, "monsters", "pirates", "", "traders"]


def test_several_are_drawn_as_one_of_their_own() -> None:
    crowd = (*forces("alliance", 1), *forces("kzinti", 2), *forces("monsters", 3), *forces("pirates", 2))
    counts = {owner: len(group) for owner, group in stand_of(side_view(*crowd)).others}
    assert counts == {"kzinti": 2, "monsters": 3, "pirates": 2}


@pytest.mark.parametrize("form", ["force", "convoy", "minefield", "raider"])
@pytest.mark.parametrize("grade", [0, 4])
def test_whatever_they_are_their_letters_say_whose(form: str, grade: int) -> None:
    one, other = (force(owner, 1, id="E1", label="E1", form=form, grade=grade) for owner in ("monsters", "pirates"))
    for piece in (one, other):
        view = side_view(piece)
        scene = scene_of(view)
        assert contact_of(scene, DEFAULT, piece, 48).writing == scene.look_of(piece.owner).emblem
        (sign,) = stands_of(scene, DEFAULT)[HEX].shapes
        if form != "raider":  # of which a crop writes the first letter
            assert contact_look(sign, 80, DEFAULT).writing == scene.look_of(piece.owner).emblem
    assert around(side_view(one), HEX) != around(side_view(other), HEX)


# --- in the legend and in words ---------------------------------------------------------------------------------------


def legend_of(view: SideView) -> list[str]:
    """The owners that the legend names."""
    scene = scene_of(view)
    entries = entries_of(scene, plan_theatre(scene, DEFAULT).pieces, (), (), DEFAULT)
    return [one.words for one in entries if one.kind == "owner"]


def test_the_legend_lists_them_behind_the_sides_and_only_those_that_show() -> None:
    crowd = (force("monsters", 1), force("kzinti", 1), force("alliance", 1))
    assert legend_of(side_view(*crowd)) == ["Kzinti", "Beasts of the Rim"]
    lair = HexNote(hex="0101", marks=("base",), owner="pirates")
    assert legend_of(side_view(notes=(lair,))) == ["Corsairs"]


def test_texts_name_them_and_never_tell_their_keys() -> None:
    lair = HexNote(hex="0101", marks=("base",), owner="pirates", name="Lair")
    crowd = (force("monsters", 1, label="E1"), force("alliance", 1), force("kzinti", 1), force("", 1, label="E2"))
    view = side_view(*crowd, notes=(lair,))
    said = alt_text(view)
    assert "Contested: 0505 (Alliance 1, Kzinti 1, Beasts of the Rim 1, owner unknown 1)." in said
    assert "E1 at 0505 (Beasts of the Rim, ID1, in the hex of A1)" in said
    assert "0101 Lair, base (Corsairs)" in said
    public = PublicView(public=view.board)
    assert describe(public).index("\nKzinti\n") < describe(public).index("\nBeasts of the Rim\n- E1 at 0505, ID1")
    for text in (said, describe(view), alt_text(public), describe(public)):
        assert "monsters" not in text
        assert "pirates" not in text


def test_on_a_public_map_they_come_behind_all_sides_in_the_boards_order() -> None:
    board = side_view(force("pirates", 1), force("monsters", 1), force("lyran", 1), force("kzinti", 1)).board
    said = describe(PublicView(public=board))
    places = [said.index(f"\n{name}\n-") for name in ("Kzinti", "Lyran", "Beasts of the Rim", "Corsairs")]
    assert places == sorted(places)


def test_a_name_that_maps_have_no_letters_for_is_still_told() -> None:
    beast = Outsider(key="beast", name="Жнец", emblem="Ж")
    board: Board = board_of(ROOMY, (force("beast", 1),)).model_copy(update={"outsiders": (beast,)})
    look = scene_of(PublicView(public=board)).look_of("beast")
    assert (look.name, look.emblem) == ("beast", "B")
    assert "Жнец" in alt_text(PublicView(public=board))


def test_who_is_a_side_is_drawn_as_one_whatever_else_is_on_the_board() -> None:
    with_them, without = side_view(*forces("kzinti", 2)), board_of(ROOMY, forces("kzinti", 2))
    assert all(isinstance(one, SideLabel) for one in with_them.board.sides)
    assert around(with_them, HEX) == around(SideView(side="alliance", board=without), HEX)
