"""Contested hexes and outsiders: everybody in a hex is drawn, counted, named, and told from the others."""

from collections import Counter as Tally
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from map_render import DEFAULT, alt_text, describe, parse_theme
from map_render.crop import signs, stands
from map_render.drawing import palette, shapes
from map_render.drawing.scene import AnyView, OwnerLook, Scene, scene_of
from map_render.drawing.theme import contrast
from map_render.theatre import callouts, groups, legend, pieces
from map_render.theatre.placing import bodies, room
from map_render.theatre.placing.plan import TheatrePlan, plan_theatre
from rules_engine.core.basics.base import Outsider, SideLabel
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import Board, Counter, HexNote, OmniscientView, PublicView, SideView
from tests.map_render.boards import CROWDS, HEX, KINDS, POINTED, ROOMY, SEATS, SMALL, board_of, force, forces
from tests.map_render.pictures import around, drawn, pixels, seen_at_400

AREA = ("0101", "1109")
"""The corners of a part of the small map, too wide for a crop."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("grid", [ROOMY, SMALL], ids=["roomy", "small"])
@pytest.mark.parametrize("crowd", CROWDS)
def test_every_side_in_a_hex_is_seen_on_a_phone(crowd: str, grid: Grid, kind: str) -> None:
    view: AnyView = KINDS[kind](board_of(grid, CROWDS[crowd]))
    scene = scene_of(view)
    for seen in (seen_at_400(view), *([seen_at_400(view, AREA)] if grid is SMALL else [])):
        for piece in CROWDS[crowd]:
            ink = scene.look_of(piece.owner).ink
            # A thin outline of six by six pixels covers about ten; a dashed and faded one, half of that.
            assert seen.get(ink, 0.0) >= (5 if piece.live else 2), (piece.owner, ink)


def test_one_more_of_any_side_changes_the_picture() -> None:
    crowd = CROWDS["some of each"]
    before = pixels(KINDS["everything"](board_of(ROOMY, crowd))).tobytes()
    for owner in SEATS:
        assert pixels(KINDS["everything"](board_of(ROOMY, (*crowd, force(owner, 99))))).tobytes() != before, owner


def test_the_texts_name_every_side_of_a_contested_hex_and_count_it() -> None:
    crowd = (*CROWDS["ours before six of theirs"], force("kzinti", 7, live=False, age=3), force("", 1, label="U1"))
    elsewhere = force("gorn", 1, hex="0101")
    for kind in KINDS.values():
        view = kind(board_of(SMALL, (*crowd, elsewhere)))
        assert "Contested: 0505 (Alliance 4, Kzinti 6 and 1 no longer held, owner unknown 1)." in alt_text(view)
        text = describe(view)
        assert "Contested hexes\n- 0505: Alliance A1, A2, A3, A4; Kzinti K1, K2, K3, K4, K5, K6 and K7" in text
        alone = kind(board_of(SMALL, (*forces("kzinti", 6), elsewhere)))
        assert "Contested" not in alt_text(alone) + describe(alone)


def test_contested_hexes_with_ours_come_first() -> None:
    theirs = tuple(force(owner, 1, hex="0102") for owner in ("kzinti", "lyran"))
    said = alt_text(SideView(side="alliance", board=board_of(ROOMY, (*theirs, *CROWDS["a lone enemy"]))))
    assert said.index("0505 (Alliance 9, Kzinti 1)") < said.index("0102 (Kzinti 1, Lyran 1)")


def test_a_callout_counts_every_side_of_a_crowd_for_itself() -> None:
    crowd = (*forces("alliance", 4), *forces("kzinti", 6), *forces("lyran", 1))
    scene = scene_of(SideView(side="alliance", board=board_of(SMALL, crowd)))
    (callout,) = callouts.callouts_of(scene, plan_theatre(scene, DEFAULT).pieces)
    assert [row.words for row in callout.rows] == ["+1", "K1 K2 K3 +3", "L1"]


@pytest.mark.parametrize("crowd", CROWDS)
def test_the_letter_of_a_places_owner_shows_beside_the_counters_of_others(crowd: str) -> None:
    """Whose a planet is can be told without colour, whoever stands there."""
    note = HexNote(hex=HEX, marks=("planet",), owner="tholian", name="Deep")
    board = board_of(ROOMY, CROWDS[crowd], (note,))
    other = SEATS | {"tholian": "W"}
    sides = tuple(SideLabel(key=key, name=key.title(), emblem=emblem) for key, emblem in other.items())
    one, two = SideView(side="alliance", board=board), board.model_copy(update={"sides": sides})
    assert around(one, HEX) != around(SideView(side="alliance", board=two), HEX)


# --- any counters -----------------------------------------------------------------------------------------------------
OWNERS = st.sampled_from([*SEATS, "", "traders", "pirates"])
FORMS = st.sampled_from(["force", "force", "force", "base", "minefield", "convoy", "battle", "raider"])


@st.composite
def crowds(draw: st.DrawFn, most: int = 24) -> tuple[Counter, ...]:
    """Any counters in the contested hex."""
    found: list[Counter] = []
    for number in range(draw(st.integers(1, most))):
        owner, form = draw(OWNERS), draw(FORMS)
        ours = owner == "alliance"
        grade = None if ours or form == "battle" else draw(st.integers(0, 4))
        live = ours or form == "battle" or draw(st.booleans())
        age = 0 if ours else draw(st.integers(0, 9))
        label = draw(st.sampled_from(["{0}", "E{0}", "Grimhold {0}", "Outpost at the Rim {0}"])).format(number)
        parts = {"form": form, "live": live, "age": age, "grade": grade, "level": grade, "changed": draw(st.booleans())}
        sub = "speed 2, passive, shadowing E4" if ours else ""
        found.append(force(owner, number, **parts, label=label, sub=sub))
    return tuple(found)


def scene_with(crowd: tuple[Counter, ...], grid: Grid, own: str) -> Scene:
    board = board_of(grid, crowd)
    return scene_of(SideView(side=own, board=board) if own else OmniscientView(omniscient=board))


def whose(piece: Counter) -> str:
    """The owner's key; battles are nobody's."""
    return "a battle" if piece.form == "battle" else piece.owner


def bodies_in(plan: TheatrePlan) -> list[bodies.PlacedPart]:
    """The counters drawn for the contested hex."""
    return [body for placed in plan.standing if placed.hex == HEX for body in placed.bodies if body.part.ids]


@settings(max_examples=60)
@given(crowd=crowds(), grid=st.sampled_from([ROOMY, POINTED, SMALL]), own=st.sampled_from(["", "alliance", "gorn"]))
def test_every_counter_is_drawn_in_its_own_sides_name(crowd: tuple[Counter, ...], grid: Grid, own: str) -> None:
    plan = plan_theatre(scene_with(crowd, grid, own), DEFAULT)
    owners = {one.id: one.owner for one in crowd}
    there = [one for one in crowd if one.form != "battle" and not (one.form == "base" and one.grade != 0)]
    assert Tally(name for body in bodies_in(plan) for name in body.part.ids) == Tally(one.id for one in there)
    for body in bodies_in(plan):
        assert len({owners[name] for name in body.part.ids}) == 1, "no side hides behind another's"
    for one, other in combinations(bodies_in(plan), 2):
        assert not one.meets(other)
    # What is held is never hidden behind what was lost.
    lost = {one.id for one in there if plan_is_old(plan, one)}
    for body in bodies_in(plan):
        assert set(body.part.ids) <= lost or lost.isdisjoint(body.part.ids)
    # What stands there is drawn the same way in whatever order the view lists it.
    again = plan_theatre(scene_with((*reversed(crowd),), grid, own), DEFAULT)
    found = [(body.part.ids, body.box) for body in bodies_in(again)]
    assert found == [(body.part.ids, body.box) for body in bodies_in(plan)]


def plan_is_old(plan: TheatrePlan, one: Counter) -> bool:
    """Whether a counter is drawn as a sighting that is not of this turn."""
    return any(one.id == member.id for old in plan.pieces.old for member in old.members)


@settings(max_examples=40)
@given(crowd=crowds(), own=st.sampled_from(["", "alliance"]))
def test_what_one_side_has_does_not_change_how_many_of_another_are_said(crowd: tuple[Counter, ...], own: str) -> None:
    forces_there = tuple(piece for piece in crowd if piece.form != "battle")
    rest = tuple(piece for piece in forces_there if piece.owner != "kzinti")
    said: list[list[int]] = []
    for some in (forces_there, rest):
        plan = plan_theatre(scene_with(some, ROOMY, own), DEFAULT)
        (stand,) = [one for one in plan.pieces.stands if one.hex == HEX] or [pieces.Stand(HEX, (), ())]
        owners = sorted({one.owner for one in rest})
        said.append([sum(one.owner == owner for one in stand.counters) for owner in owners])
    assert said[0] == said[1]


@settings(max_examples=25)
@given(
    crowd=crowds(most=12),
    beside=crowds(most=4),
    grid=st.sampled_from([ROOMY, POINTED, SMALL]),
    own=st.sampled_from(["", "alliance"]),
)
def test_no_word_lies_on_a_counter_and_every_side_shows(
    crowd: tuple[Counter, ...], beside: tuple[Counter, ...], grid: Grid, own: str
) -> None:
    near = grid.neighbours(HEX)
    neighbours = tuple(
        one.model_copy(update={"id": f"{one.id}b{place}", "hex": near[place % 6]}) for place, one in enumerate(beside)
    )
    board = board_of(grid, (*crowd, *neighbours))
    view: AnyView = SideView(side=own, board=board) if own else OmniscientView(omniscient=board)
    scene, plan = scene_of(view), plan_theatre(scene_of(view), DEFAULT)
    picture, _ = drawn(view)
    owners = {one.id: one.owner for one in board.counters}
    for body in bodies_in(plan):
        ink = scene.look_of(owners[body.part.ids[0]]).ink
        part = Tally(picture.crop(body.box).tobytes())
        strong = sum(count for number, count in part.items() if palette.index(ink, 8) <= number <= palette.index(ink))
        _, top, _, bottom = body.part.sprite.mask.getbbox() or (0, 0, 0, 0)
        r = (bottom - top) / 2
        assert strong >= 0.12 * r * r, (owners[body.part.ids[0]], r)


# --- outsiders on maps: owners that are no seat are told from every side and from each other, also without colour -----
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


def stand_of(view: SideView) -> pieces.Stand:
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
    table = palette.colours(theme)

    def colour(ink: str) -> tuple[int, ...]:
        return tuple(table[3 * palette.index(ink) : 3 * palette.index(ink) + 3])

    def far(one: tuple[int, ...], other: tuple[int, ...]) -> float:
        return sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5

    assert min(far(colour(outsider.ink), colour(side.ink)) for side in sides) > 40
    assert contrast(theme.inks.neutral, theme.paper) >= 3


def outline(shape: shapes.CounterShape) -> Image.Image:
    pen = shapes.Pen(40, 28)
    shapes.draw_shape(pen, shape)
    return pen.mask()


@pytest.mark.parametrize("shape", [*shapes.FOE_SHAPES, "plate", "disc", "clover"])
def test_their_shape_is_told_from_every_other_without_colour(shape: shapes.CounterShape) -> None:
    horned, other = outline("horned"), outline(shape)
    assert sum(ImageChops.difference(horned, other).histogram()[128:]) > 0.2 * sum(horned.histogram()[128:])


def test_a_horned_shape_reaches_as_far_as_it_says() -> None:
    drawn = outline("horned")
    left, top, right, bottom = drawn.point([0] * 128 + [255] * 128).getbbox() or (0, 0, 0, 0)
    for reach in (40 - left, 40 - top, right - 40, bottom - 40):
        assert abs(reach - shapes.HORN * 28) < 2
    assert abs(sum(value == 255 for value in [drawn.getpixel((40, y)) for y in range(80)]) - 2 * shapes.WAIST * 28) < 3


def test_no_plate_lies_on_its_horns() -> None:
    horned = room.Rect(50, 50, 150, 150)
    corner = room.Rect(140, 140, 200, 200)
    assert bodies.bodies_meet("horned", horned, "plate", corner), "a corner that a disc would leave free"
    assert not bodies.bodies_meet("disc", horned, "plate", corner)
    assert not bodies.bodies_meet("horned", horned, "plate", corner.moved(10, 0))


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
        scene = scene_of(side_view(piece))
        assert groups.contact_of(scene, DEFAULT, piece, 48).writing == scene.look_of(piece.owner).emblem
        (sign,) = stands.stands_of(scene, DEFAULT)[HEX].shapes
        if form != "raider":  # of which a crop writes the first letter
            assert signs.contact_look(sign, 80, DEFAULT).writing == scene.look_of(piece.owner).emblem
    assert around(side_view(one), HEX) != around(side_view(other), HEX)


# --- in the legend and in words ---------------------------------------------------------------------------------------
def legend_of(view: SideView) -> list[str]:
    """The owners that the legend names."""
    scene = scene_of(view)
    entries = legend.entries_of(scene, plan_theatre(scene, DEFAULT).pieces, (), (), DEFAULT)
    return [one.words for one in entries if one.kind == "owner"]


def test_the_legend_lists_them_behind_the_sides_and_only_those_that_show() -> None:
    crowd = (force("monsters", 1), force("kzinti", 1), force("alliance", 1))
    assert legend_of(side_view(*crowd)) == ["Kzinti", "Beasts of the Rim"]
    assert legend_of(side_view(notes=(HexNote(hex="0101", marks=("base",), owner="pirates"),))) == ["Corsairs"]


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
