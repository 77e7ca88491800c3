"""Battles flown by vectors: everything has a place on the picture, and is told in words."""

from collections.abc import Callable
from functools import partial
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_render import ALT_LIMIT, alt_text, describe, render_card_crop, render_crop, render_side
from map_render.tactical import bands, ground, looks, picture, spots
from map_render.tactical.plan import TacticalPlan, sizes_for
from map_render.tactical.sheet import SMALLEST, planet_disc, sheet_for
from map_render.tactical_words import long_line, tactical_alt, tactical_table, way_words
from map_render.theatre.placing.room import Rect, Room
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.space import Lattice, column_row, hexes_between, lattice_of
from rules_engine.core.knowledge.tactical_scene import TacticalNews, TacticalScene, TacticalTerrainSign
from tests.expected.kept import Kept
from tests.map_render.tactical.duels import course, melee, nine, on_ground, public_view, side_view, unit

SCENES: dict[str, Callable[[], TacticalScene]] = {
    f"{count} units within {spread}, {seed}": partial(melee, seed, count, min(6, max(1, count)), spread)
    for count in (1, 2, 5, 9, 16, 24)
    for spread in (0, 3, 15, 60)
    for seed in range(2)
}
SCENES |= {
    f"{count} units on ground, {seed}": partial(on_ground, seed, count) for count in (2, 6, 14) for seed in range(4)
}
SCENES |= {"nine": nine, "course": course, "far apart": partial(melee, 3, 8, 2, 400)}
"""How each is made. Making them all takes longer than importing this file, so a test makes its own."""

scenes = pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES, indirect=True)


@pytest.fixture
def scene(request: pytest.FixtureRequest) -> TacticalScene:
    """Make the battle of a test's parameter."""
    make: Callable[[], TacticalScene] = request.param
    return make()


def signs_of(plan: TacticalPlan) -> dict[str, Rect]:
    """Everything that is to be read, by what it is."""
    found = {f"the chip of {one.code}": one.chip for one in plan.labels}
    found |= {f"the vector of {one.code}": one.vector for one in plan.labels if one.vector}
    found |= {f"pin {one.number}": spots.around(one.at, plan.sizes.pin) for one in plan.pins}
    found |= {f"the name {said}": box for box, said in plan.names}
    found |= {f"the post {one.code or one.says}": Rect(one.arrow[0], *one.words[1:]) for one in plan.posts}
    found |= {f"the event {said} at {box}": box for box, said in plan.events}
    found |= {
        f"{one.drift.impulse} at the ghost of {one.unit.code}": one.number
        for one in plan.ghosts
        if one.number is not None
    }
    if plan.range_box is not None:
        found["the range"] = plan.range_box
    if plan.compass is not None:
        found["the compass"] = spots.around(plan.compass, plan.sizes.compass)
    for said, (x, y) in ground.rim_numbers(plan.sheet, plan.room):
        found[f"the number {said} at {x} {y}"] = Rect(x - 8, y - 8, x + 8, y + 8)
    return found


@scenes
def test_nothing_on_a_map_lies_upon_another(scene: TacticalScene) -> None:
    plan = picture.planned(scene)
    signs = {f"unit {one.unit.code}": spots.around(one.at, one.r) for one in plan.units} | signs_of(plan)
    for what, box in signs.items():
        assert box.within(plan.field), f"{what} leaves the map"
    for (one, box), (other, other_box) in combinations(signs.items(), 2):
        assert not box.meets(other_box), f"{one} lies upon {other}"


@scenes
def test_every_unit_is_there_with_its_code(scene: TacticalScene) -> None:
    plan = picture.planned(scene)
    shown = {one.unit.code for one in plan.units} | {one.code for one in plan.posts if one.code}
    assert shown == {one.code for one in scene.units}
    assert {one.code for one in plan.labels} == {one.unit.code for one in plan.units}
    for one in plan.labels:
        assert one.chip.right - one.chip.left == looks.chip_wide(one.code, plan.sizes.chip)


@scenes
def test_pins_are_as_many_as_sentences(scene: TacticalScene) -> None:
    plan = picture.planned(scene)
    near = {one.unit.code for one in plan.units}
    wanted = [n for n, news in enumerate(scene.news, 1) if near & {*news.codes} or news.hexes]
    assert [one.number for one in plan.pins] == wanted


def test_codes_can_be_read_on_a_phone_with_24_ships() -> None:
    """A width of 1,600 is shown in 400: 30 pixels are the 7.5 that a code needs."""
    for count in (1, 6, 7, 12, 13, 24):
        sizes = sizes_for(count)
        assert round(sizes.chip * 0.64) >= 30
        assert min(sizes.vector, sizes.range) >= 30
    assert picture.planned(melee(1, 24, 6, 12)).sizes == sizes_for(24), "they are not drawn smaller"


@given(places=st.lists(st.tuples(st.integers(-200, 1900), st.integers(-200, 1500), st.integers(20, 70)), max_size=24))
def test_discs_are_spread_out_however_they_lie(places: list[tuple[int, int, int]]) -> None:
    field = Rect(0, 0, 1600, 1190)
    wanted = [((x, y), r) for x, y, r in places]
    boxes = [spots.around(at, r) for at, (_, r) in zip(spots.spread_out(wanted, field, 14), wanted, strict=True)]
    assert all(box.within(field) for box in boxes)
    assert not any(one.meets(other) for one, other in combinations(boxes, 2))


def test_units_that_are_in_nobodys_way_stand_in_their_hexes() -> None:
    plan = picture.planned(nine())
    assert [one.at for one in plan.units] == [one.hex_at for one in plan.units]
    assert not any(one.is_aside for one in plan.units)


def test_of_units_in_one_hex_each_is_joined_to_it() -> None:
    plan = picture.planned(melee(1, 5, 5, 0))
    assert len({one.unit.hex for one in plan.units}) == 1
    assert len({one.at for one in plan.units}) == 5
    assert sum(one.is_aside for one in plan.units) >= 4


@pytest.mark.parametrize(
    "scene", [partial(on_ground, seed, count) for count in (2, 6, 14) for seed in range(6)], indirect=True
)
def test_nothing_that_is_read_stands_on_a_planet(scene: TacticalScene) -> None:
    """Half a planet's radius from its middle no code, vector, name, pin or post is; ships may stand there."""
    plan = picture.planned(scene)
    planets = [planet_disc(plan.sheet, sign) for sign in scene.terrain if sign.kind == "planet"]
    taken = [one.hex for one in scene.units]
    for middle, r in planets:
        near = sum(hexes_between(plan.sheet.hex_of(middle), name) < 4 for name in taken)
        if near > 1 or r > 200:  # ships crowd round it: there is no room elsewhere
            continue
        for what, box in signs_of(plan).items():
            assert not box.meets(spots.around(middle, r // 2)), f"{what} stands on a planet"


def test_distances_at_the_rim_are_those_from_our_nearest_unit() -> None:
    scene = on_ground(1, 6)
    own = [one.hex for one in scene.units if one.side == "alliance"]
    plan = picture.planned(scene, tuple(own))
    edge = next(sign for sign in scene.terrain if sign.kind == "line")
    far = min(hexes_between(one, name) for one in own for name in edge.hexes)
    assert f"Far edge · {far}" in [one.says for one in plan.posts]
    other = picture.planned(scene, (scene.units[-1].hex,))
    nearest = min(hexes_between(scene.units[-1].hex, name) for name in edge.hexes)
    assert f"Far edge · {nearest}" in [one.says for one in other.posts]
    assert nearest != far


def with_edge(column: int, hexes: tuple[HexId, ...]) -> TacticalScene:
    """Nine ships on a map with an edge in a column; the scenario draws it at these hexes."""
    edge = TacticalTerrainSign(kind="line", hexes=hexes, name="Far edge", column=column)
    return nine().with_values(terrain=(edge,))


@pytest.mark.rule("vector", "CJD1.0")
def test_pointer_to_an_edge_points_at_its_nearest_hex_with_that_distance() -> None:
    """The edge is drawn from row 500 on, and has no end: from a ship in row 12 it is as many hexes as columns off."""
    ships = nine().units
    column = max(lattice_of(one.hex).c for one in ships) + 60
    scene = with_edge(column, tuple(f"{column}.{row}" for row in range(500, 520)))
    for start in {one.hex for one in ships}:
        plan = picture.planned(scene, (start,))
        (post,) = [one for one in plan.posts if one.says.startswith("Far edge")]
        at = lattice_of(start)
        assert post.says == f"Far edge · {column - at.c}"
        row = column_row(at)[1]
        assert post.towards == plan.sheet.at(f"{column}.{row}")


@pytest.mark.rule("vector", "CJD1.0")
def test_edge_is_drawn_wherever_it_comes_into_the_picture() -> None:
    """Its column lies among the ships; the scenario's own rows are far away."""
    columns = sorted(lattice_of(one.hex).c for one in nine().units)
    column = (columns[0] + columns[-1]) // 2
    scene = with_edge(column, tuple(f"{column}.{row}" for row in range(500, 520)))
    plan = picture.planned(scene)
    assert not [one for one in plan.posts if one.says.startswith("Far edge")]
    drawn = [name for name in plan.sheet.hexes_of(scene.terrain[0]) if plan.sheet.has(name)]
    _, top, _, bottom = plan.field
    assert len(drawn) >= (bottom - top) // plan.sheet.row
    assert {lattice_of(name).c for name in drawn} == {column}
    spots = [plan.sheet.at(name)[1] for name in drawn]
    assert min(spots) - top < plan.sheet.row
    assert bottom - max(spots) <= plan.sheet.row


def test_units_too_far_apart_are_told_of_at_the_rim() -> None:
    """As many as can be seen together are in the picture; the others' posts say how far they are."""
    scene = melee(3, 8, 2, 400)
    plan = picture.planned(scene)
    far = {one.code: one for one in plan.posts}
    assert far
    assert plan.sheet.row >= SMALLEST
    for code, post in far.items():
        unit = next(one for one in scene.units if one.code == code)
        (x, y), (to_x, to_y) = plan.field.middle, plan.sheet.at(unit.hex)
        assert (post.arrow[0] - x) * (to_x - x) + (post.arrow[1] - y) * (to_y - y) > 0, "it stands on that side"
        assert int(post.says) == min(hexes_between(one.unit.hex, unit.hex) for one in plan.units)


def test_a_picture_follows_the_units_wherever_they_are() -> None:
    near, far = melee(5, 4, 2, 6), melee(5, 4, 2, 6)
    shift = {one.hex: f"{int(one.hex[:2]) + 300}.{int(one.hex[2:]) - 700}" for one in near.units if len(one.hex) == 4}
    moved = [one.with_values(hex=shift.get(one.hex, one.hex), trail=(), drifts=()) for one in far.units]
    still = [one.with_values(trail=(), drifts=()) for one in near.units]
    field = bands.field_rect(bands.HEADER, 1190)
    one = sheet_for(near.with_values(units=tuple(still)), field, 50)
    other = sheet_for(far.with_values(units=tuple(moved)), field, 50)
    assert (one.row, one.col) == (other.row, other.col)
    for here, there in zip(still, moved, strict=True):
        assert abs(one.at(here.hex)[0] - other.at(there.hex)[0]) <= 1
        assert abs(one.at(here.hex)[1] - other.at(there.hex)[1]) <= 1


def test_sides_look_alike_for_whoever_looks() -> None:
    """The first seat has the first hull and chip, whatever the order in which the parties are named."""
    scene = melee(1, 6)
    turned = scene.with_values(parties=scene.parties[::-1])
    assert looks.tactical_looks(scene) == looks.tactical_looks(turned)
    assert [look.place for look in looks.tactical_looks(scene).values()] == [0, 1, 2, 3, 4, 5]
    assert len({look.ink for look in looks.tactical_looks(scene).values()}) == 6


@pytest.mark.parametrize(
    "scene", [nine, course, partial(melee, 1, 24)], ids=["nine", "course", "24 units"], indirect=True
)
def test_numbers_at_the_rim_are_those_of_the_hexes_there(scene: TacticalScene) -> None:
    """Above and below they are columns; at the sides rows, each at the height of such a hex of an odd column."""
    sheet = picture.planned(scene).sheet
    left, top, right, bottom = sheet.field
    rows = 0
    for said, (x, y) in ground.rim_numbers(sheet, Room()):
        if y in (top + 20, bottom - 20):
            assert sheet.spot(Lattice(int(said), 0))[0] == x
            continue
        assert x in (left + 26, right - 26)
        rows += 1
        column = round((x - sheet.origin[0]) / sheet.col) | 1
        assert sheet.spot(Lattice(column, int(said) - (column + 1) // 2))[1] == y
    assert rows >= 4


# --- words ------------------------------------------------------------------------------------------------------------
# battles flown by vectors in words: what a captain who cannot see the picture flies by. Ways are counted by hand.
def test_a_unit_is_said_with_all_that_it_flies_by() -> None:
    flying = unit("H1", "hydran", "0505", ("C", "4D"), 16, name="Ranger", kind="cruiser", turns_on=20, thrusts_on=35)
    assert long_line(flying) == (
        "H1 Ranger, cruiser: hex 0505, faces C, vector 4D, speed 4, coasts to 0506 at impulse 24, 0507 at impulse 32, "
        "may turn from impulse 20, may accelerate from impulse 3 of next turn"
    )


def test_what_it_may_do_from_the_same_impulse_on_is_said_together() -> None:
    free = unit("D1", "dominion", "0505", ("A", "0"), 16, name="", form="drone", turns_on=0, thrusts_on=0)
    assert long_line(free).endswith("speed 0, may turn and accelerate at once")


def test_a_unit_at_rest_coasts_nowhere() -> None:
    still = unit("D1", "dominion", "0505", ("A", "0"), 16, name="", form="drone", turns_on=0, remarks=("tumbling",))
    assert long_line(still) == "D1 drone: hex 0505, faces A, at rest, speed 0, may turn at once, tumbling"


def test_damage_and_shields_are_said_where_they_are_known() -> None:
    hurt = unit("D1", "dominion", "0505", ("A", "0"), whole=35, shields=(100, 0, 50, 100, 100, 100), name="Lance")
    assert long_line(hurt) == (
        "D1 Lance: hex 0505, faces A, at rest, speed 0, 35 % whole, "
        "shields from the bow clockwise 100 %, 0 %, 50 %, 100 %, 100 %, 100 %"
    )
    whole = hurt.with_values(whole=100, shields=(100,) * 6)
    assert long_line(whole) == "D1 Lance: hex 0505, faces A, at rest, speed 0"


def test_ways_are_said_as_vectors_are_written() -> None:
    """From 0505 two columns to the right and one row up is 2 towards B; three rows down 3 towards D."""
    here = unit("A1", "alliance", "0505", ("A", "0"))
    said = {at: way_words(here, here.with_values(hex=at)) for at in ("0505", "0504", "0704", "0508", "0702")}
    assert said == {"0505": "same hex", "0504": "1 hex 1A", "0704": "2 hexes 2B", "0508": "3 hexes 3D",
                    "0702": "4 hexes 2A+2B"}  # fmt: skip


def test_the_table_says_each_unit_and_how_far_every_other_is(kept: Kept) -> None:
    lines = tactical_table(nine()).splitlines()
    assert lines[:5] == kept()
    assert lines[5] == "  to others: DF3 22 hexes 17B+5C; DF2 30 hexes 20B+10A"
    assert lines[6] == "  to own side: AT2 10 hexes 7A+3F"


def test_plots_and_terrain_are_said() -> None:
    said = tactical_table(course())
    assert "Your plots\n- A1: 8: turn left in 1219; 20: +4 in 1617; ends in 2015, facing B, vector 9B+6C\n" in said
    assert "- planet Dusk: 2525, 2524, 2526, 2425, 2424, 2625, 2624" in said
    assert said.endswith("- buoy 1: 1610\n- buoy 2: 2614")


def test_what_matters_most_comes_first() -> None:
    assert tactical_alt(course()).startswith(
        "1. A1 is next to pass buoy 1. 2. H1 tumbles until impulse 9. Round the buoys, a race, turn 4 of 12"
    )
    assert "Round the buoys, a race, turn 4 of 12 begins." in tactical_alt(course().with_values(impulse=0))


def test_short_words_fit_and_count_what_they_leave_out() -> None:
    for count in (1, 6, 24):
        assert len(tactical_alt(melee(1, count))) <= ALT_LIMIT
    said = tactical_alt(melee(1, 24))
    assert "more." in said
    assert all(name in said for name in ("Alliance: A1", "Gorn: G1"))


def test_names_are_people_s_and_harmless() -> None:
    news = (TacticalNews(says="a\nb\u202ec" + "x" * 600, codes=("A1",)),)
    said = tactical_alt(melee(1, 2).with_values(title="T\u202e\n" + "y" * 300, news=news))
    assert "\u202e" not in said
    assert "\n" not in said
    assert len(said) <= ALT_LIMIT


def test_views_say_their_scene() -> None:
    view = side_view(nine())
    assert describe(view) == tactical_table(nine())
    assert alt_text(view) == render_side(view).alt == tactical_alt(nine())
    assert describe(public_view(nine())) == describe(view)


def test_a_crop_says_how_far_all_are_from_there() -> None:
    view = side_view(course())
    said = render_crop(view, area=("1322",)).alt
    flies = "Faces B, drifts 9B+2A, speed 11. May turn at once and may accelerate from impulse 5"
    assert said.startswith(f"D1, Hunter. {flies}. Round the buoys")
    others = ("A1 at 1020, faces C, 5B+6C, 3 away: 3F", "H1 at 0815, faces D, 4C+4D, tumbling, 9 away: 5F+4A")
    assert f"Around: {'; '.join(others)}." in said
    assert render_card_crop(view, area=("1322",)).alt == said


def test_a_crop_of_a_numbered_place_says_what_is_new() -> None:
    assert render_crop(side_view(course()), 2).alt.startswith("H1. H1 tumbles until impulse 9. Round the buoys")
