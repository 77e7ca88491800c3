"""Counters, places and courses of a map: each of their properties shows, and nothing is drawn twice."""

from math import hypot

import pytest

from map_render import DEFAULT, alt_text, describe, render_side
from map_render.drawing.palette import index
from map_render.drawing.scene import scene_of
from map_render.theatre.groups import contact_of
from map_render.theatre.pieces import pieces_of
from map_render.theatre.placing.plan import plan_theatre
from map_render.theatre.placing.stand import IN_HEX
from rules_engine.core.basics.base import SideLabel
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import Counter, Course, HexNote, SideView
from tests.map_render import boards
from tests.map_render.boards import GRIMHOLD, foe, own, view_of
from tests.map_render.pictures import drawn, pixels

E1 = Counter(id="E1", hex="0505", owner="kzinti", label="E1", level=2, grade=2, level_name="ID1")


@pytest.mark.parametrize(
    "change",
    [
        {"label": "E77"},
        {"age": 2},
        {"age": 1, "live": False},
        {"live": False},
        {"changed": True},
        {"grade": 4},
        {"grade": 0},
        {"owner": ""},
        {"form": "convoy"},
        {"hex": "0506"},
    ],
    ids=str,
)
def test_every_property_of_a_contact_shows(change: dict[str, object]) -> None:
    other = E1.model_copy(update=change)
    assert pixels(view_of(E1)).tobytes() != pixels(view_of(other)).tobytes()


@pytest.mark.parametrize(
    "change",
    [{"label": "TF77"}, {"ships": 7}, {"whole": 40}, {"docked": True}, {"form": "convoy"}, {"hex": "0506"}],
    ids=str,
)
def test_every_property_of_an_own_force_shows(change: dict[str, object]) -> None:
    piece = own(1, ships=3, whole=100)
    assert pixels(view_of(piece)).tobytes() != pixels(view_of(piece.model_copy(update=change))).tobytes()


def test_own_and_enemy_differ_without_colour() -> None:
    """Two forces that differ in their owner alone are told apart by form: their silhouettes differ."""

    def silhouette(owner: str) -> bytes:
        piece = E1.model_copy(update={"owner": owner, "grade": 3})
        view = boards.with_parts(boards.empires(), counters=(piece,), hexes=(), courses=())
        picture, frame = drawn(view)
        x, y = frame.centres["0505"]
        part = picture.crop((x - 90, y - 90, x + 90, y + 90))
        return part.point([255 if number and (number - 1) % 15 >= 7 else 0 for number in range(256)]).tobytes()

    owners = ("alliance", "kzinti", "lyran", "gorn", "", "traders")
    assert len({silhouette(owner) for owner in owners}) == len(owners)


def test_a_minefield_that_was_only_just_found_shows_its_sign_and_not_a_question_mark() -> None:
    mines = E1.model_copy(update={"form": "minefield", "grade": 0})
    scene = scene_of(view_of(mines))
    look = contact_of(scene, DEFAULT, mines, 48)
    assert (look.glyph, look.writing) == ("mines", "")
    force = contact_of(scene, DEFAULT, E1.model_copy(update={"grade": 0}), 48)
    assert (force.glyph, force.writing) == ("", "?")


def test_a_sighting_that_is_not_of_this_turn_is_paler() -> None:
    def strongest(age: int) -> int:
        inks = pixels(view_of(E1.model_copy(update={"age": age, "live": not age}))).tobytes()
        return max(number for number in inks if index("side1", 1) <= number <= index("side1"))

    assert (strongest(0), strongest(3)) == (index("side1"), index("side1", 10))


@pytest.mark.parametrize("count", [2, 3, 4, 9])
def test_counters_that_share_a_hex_all_show_or_are_counted(count: int) -> None:
    assert pixels(view_of(*map(own, range(count)))).tobytes() != pixels(view_of(*map(own, range(count - 1)))).tobytes()
    assert pixels(view_of(*map(foe, range(count)))).tobytes() != pixels(view_of(*map(foe, range(count - 1)))).tobytes()


@pytest.mark.parametrize(
    ("counters", "said"),
    [
        ((own(1), own(2)), []),
        (tuple(map(own, range(5))), ["×5"]),
        ((foe(1),), ["E1"]),
        ((foe(1), foe(2)), ["E1 +1"]),
        ((own(1), own(2), foe(3)), ["×2", "E3"]),
    ],
)
def test_beside_each_sign_stands_how_many_it_stands_for(counters: tuple[Counter, ...], said: list[str]) -> None:
    view = boards.with_parts(boards.wide(), counters=counters, hexes=(), courses=(), news=())
    plan = plan_theatre(scene_of(view), DEFAULT)
    boxes = {(word.x, word.y) for word in plan.words}
    assert len(boxes) == (len(said) if not plan.callouts else 0)
    bodies = [len(body.part.ids) for placed in plan.standing for body in placed.bodies if body.part.ids]
    assert sum(bodies) == len(counters)


# --- places -----------------------------------------------------------------------------------------------------------


def test_a_base_is_drawn_once() -> None:
    note = HexNote(hex="0505", marks=("base",), owner="kzinti", name="Grimhold")
    assert render_side(view_of(GRIMHOLD, hexes=(note,))).png == render_side(view_of(GRIMHOLD)).png
    scene = scene_of(view_of(GRIMHOLD, hexes=(note,)))
    found = pieces_of(scene, DEFAULT, ("0505",))
    assert [site.name for site in found.places] == ["Grimhold"]
    assert found.stands == ()


def test_a_base_in_a_planets_hex_leaves_the_letter_of_the_planets_owner_at_its_name() -> None:
    note = HexNote(hex="0505", marks=("planet",), owner="alliance", name="Deep")
    (site,) = pieces_of(scene_of(view_of(GRIMHOLD, hexes=(note,))), DEFAULT, ("0505",)).places
    assert (site.name, site.icon) == ("Deep (A)", "base")


def test_what_stands_at_a_place_leaves_its_sign_in_sight() -> None:
    note = HexNote(hex="0505", marks=("base",), owner="kzinti", name="Grimhold")
    for piece in (foe(1), own(1), foe(2).model_copy(update={"age": 4, "live": False})):
        plan = plan_theatre(scene_of(view_of(piece, hexes=(note,))), DEFAULT)
        (placed,) = plan.standing
        assert placed.bodies[0].box.bottom < plan.frame.centres["0505"][1] - 0.2 * plan.frame.size


def test_on_small_maps_somebody_else_at_a_place_stays_in_its_hex_and_the_name_says_whose_it_is() -> None:
    """Higher up he would seem to be in the next hex."""
    note = HexNote(hex="0505", marks=("base",), owner="kzinti", name="Grimhold")
    view = boards.with_parts(boards.wide(), counters=(foe(1),), hexes=(note,), courses=(), news=())
    plan = plan_theatre(scene_of(view), DEFAULT)
    (placed,) = plan.standing
    assert hypot(*placed.aside) <= IN_HEX * plan.frame.size
    x, y = plan.frame.centres["0505"]
    assert abs(placed.bodies[0].box.middle[1] - y) <= IN_HEX * plan.frame.size
    assert abs(placed.bodies[0].box.middle[0] - x) <= IN_HEX * plan.frame.size
    assert pixels(view).tobytes() != pixels(boards.with_parts(view, sides=_with_other_letter(view))).tobytes()


def _with_other_letter(view: SideView) -> tuple[SideLabel, ...]:
    """The sides with another letter for that which has the base; the sign on it bears none."""
    return tuple(side.model_copy(update={"emblem": "X"}) if side.key == "kzinti" else side for side in view.board.sides)


@pytest.mark.parametrize("label", ["Grimhold", "Grimhold Station", "Outpost Nine at the Rim"])
def test_the_last_letter_of_a_long_name_shows(label: str) -> None:
    whole = view_of(GRIMHOLD.model_copy(update={"label": label}))
    changed = view_of(GRIMHOLD.model_copy(update={"label": label[:-1] + "q"}))
    assert render_side(whole).png != render_side(changed).png


# --- courses ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["plotted", "moved", "route", "seen"])
def test_every_kind_of_course_is_drawn_and_told(kind: str) -> None:
    course = Course(counter="TF1", kind=kind, hexes=("0505", "0504"))
    view = view_of(own(1), courses=(course,))
    assert render_side(view).png != render_side(view_of(own(1))).png
    assert "TF1 0505-0504" in describe(view)
    assert ("TF1 0505-0504" in alt_text(view)) == (kind in ("plotted", "route"))


# --- maps of any kind -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (1, 20), (20, 1), (2, 3), (40, 30)], ids=str)
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_maps_of_any_proportion(columns: int, rows: int, orientation: str) -> None:
    grid = Grid.model_validate({"columns": columns, "rows": rows, "orientation": orientation})
    found = render_side(SideView(side="alliance", board=boards.board(grid)))
    assert 1600 <= max(found.width, found.height) <= 2400
