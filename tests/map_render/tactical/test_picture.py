"""Battles flown by vectors as pictures and as films."""

import io
from itertools import combinations
from math import hypot

import pytest
from PIL import Image, ImageChops

from map_render import (
    ALT_LIMIT,
    DEFAULT,
    describe,
    on_white,
    render_card_map,
    render_crop,
    render_public,
    render_side,
    render_tactical,
    render_tactical_film,
    warm,
)
from map_render.drawing.palette import PAPER, index
from map_render.drawing.theme import rgb
from map_render.tactical.film import HEADER, HIGH, LAST, MOMENT, SMALL_ENOUGH, WIDE
from map_render.tactical.looks import HULLS, TacticalLook, UnitLook, chip_sprite, ghost_sprite, unit_sprite
from map_render.tactical.picture import paint_tactical, planned
from rules_engine.core.grids import places, space
from rules_engine.core.knowledge import tactical_scene, views
from tests.expected.kept import cases
from tests.map_render.kept.positions import paper
from tests.map_render.tactical.duels import (
    course,
    lattice,
    melee,
    moved,
    nine,
    pairs_of,
    public_view,
    side_view,
    unit,
    vector_said,
)


def opened(png: bytes) -> Image.Image:
    with Image.open(io.BytesIO(png)) as picture:
        assert picture.mode == "P"
        assert picture.info.keys() <= {"transparency"}
        return picture.convert("RGB")


@pytest.mark.parametrize("count", [1, 8, 9, 12, 13, 24])
def test_a_picture_is_small_enough_and_as_wide_as_all_are(count: int) -> None:
    made = render_tactical(melee(1, count))
    assert made.width == 1600
    assert made.height <= 1.45 * made.width
    assert len(made.png) < 330_000
    assert opened(made.png).size == (made.width, made.height)


def test_the_same_scene_is_the_same_picture() -> None:
    assert render_tactical(melee(2, 12)).png == render_tactical(melee(2, 12)).png
    assert render_tactical(nine()).png == render_side(side_view(nine())).png
    assert render_side(side_view(nine())).png == render_public(public_view(nine())).png


def test_whoever_looks_sees_the_same_but_for_plots() -> None:
    """A plot stands in the scene of its own side alone; nothing else of the picture depends on the reader."""
    scene = course()
    others = scene.with_values(plots=())
    assert render_side(side_view(others, "dominion")).png == render_public(public_view(others)).png
    assert render_side(side_view(scene)).png != render_side(side_view(others)).png
    assert "plot" in render_side(side_view(scene)).alt.lower()
    assert "plot" not in render_side(side_view(others)).alt.lower()


def test_courses_that_are_plotted_on_the_board_are_drawn() -> None:
    """What a captain has saved stands on his board as a course, and is drawn and said as a plot."""
    scene = course().with_values(plots=())
    plot = course().plots[0]
    bare = side_view(scene)
    board = bare.board.with_values(courses=(views.Course(counter="A1", kind="plotted", hexes=plot.hexes, plot=plot),))
    saved = bare.with_values(board=board)
    assert render_side(saved).png == render_side(side_view(course())).png
    assert render_side(saved).alt == render_side(side_view(course())).alt
    assert render_card_map(saved).png != render_card_map(bare).png
    assert describe(saved) == describe(side_view(course()))


def _changed(one: tactical_scene.TacticalScene, other: tactical_scene.TacticalScene) -> bool:
    pictures = [paint_tactical(scene, DEFAULT) for scene in (one, other)]
    return pictures[0].size != pictures[1].size or ImageChops.difference(*pictures).getbbox() is not None


@cases("case, values", "")
def test_what_is_known_of_a_unit_is_seen(values: dict[str, object]) -> None:
    scene = nine()
    assert _changed(scene, scene.with_values(units=(scene.units[0].model_copy(update=values), *scene.units[1:])))


@pytest.mark.parametrize("kind", ["planet", "asteroids", "dust", "web", "buoy", "line"])
def test_terrain_of_every_kind_is_seen(kind: str) -> None:
    scene = course()
    assert len(tuple(one for one in scene.terrain if one.kind != kind)) < len(scene.terrain)
    # Where the picture is cut out must not be the difference.
    kept = [one.with_values(name="") for one in scene.terrain]
    bare = [one.with_values(hexes=one.hexes[:1], kind="dust") if one.kind == kind else one for one in kept]
    assert _changed(scene.with_values(terrain=tuple(kept)), scene.with_values(terrain=tuple(bare)))


def test_the_impulse_is_on_the_ruler() -> None:
    """As far as the turn is flown the ruler has the colour of news."""
    begun = [nine().with_values(impulse=impulse) for impulse in (0, 8, 16, 32)]
    rulers = [paint_tactical(scene, DEFAULT).crop((0, 140, 1600, 160)) for scene in begun]
    gold = [ruler.histogram()[index("news")] for ruler in rulers]
    assert gold[0] == 0
    assert gold == sorted(gold)
    assert gold[3] > 3 * gold[1]


def test_sides_are_told_apart_without_colour() -> None:
    """Of six sides the hulls, the ghosts and the chips differ by more than a tenth of their pixels, in one ink."""
    looks = [TacticalLook("text", place) for place in range(6)]
    units = [unit_sprite(UnitLook(look, "ship", "B", 60)).image for look in looks]
    ghosts = [ghost_sprite(look, "ship", "B", 34).image for look in looks]
    chips = [chip_sprite("H2", look, 56).image for look in looks]
    assert len(HULLS) == 6
    for some in (units, ghosts, chips):
        inked = [sum(one.histogram()[1:]) for one in some]
        for (one, ink), (other, other_ink) in combinations(zip(some, inked, strict=True), 2):
            assert sum(ImageChops.difference(one, other).histogram()[1:]) > 0.1 * min(ink, other_ink)


CLOCKWISE = {
    "A": (0.0, -1.0), "B": (0.87, -0.5), "C": (0.87, 0.5), "D": (0.0, 1.0), "E": (-0.87, 0.5), "F": (-0.87, -0.5),
}  # fmt: skip
"""Where the directions point on a picture, to the right and down: A up, the others clockwise."""


def ink_at(picture: Image.Image, x: float, y: float) -> bool:
    return picture.getpixel((round(x), round(y))) != PAPER


@pytest.mark.parametrize("way", space.WAYS)
def test_a_ship_points_where_it_faces_and_its_first_shield_is_there(way: space.Way) -> None:
    """The dart's tip is towards the bow, its notch astern; where the first shield is down the ring has a gap ahead."""
    r, (dx, dy) = 60, CLOCKWISE[way]
    sprite = unit_sprite(UnitLook(TacticalLook("side0", 0), "ship", way, r, (0, 100, 100, 100, 100, 100)))
    x, y = -sprite.dx, -sprite.dy
    assert ink_at(sprite.image, x + 0.5 * r * dx, y + 0.5 * r * dy)
    assert not ink_at(sprite.image, x - 0.4 * r * dx, y - 0.4 * r * dy)
    assert not ink_at(sprite.image, x + 0.93 * r * dx, y + 0.93 * r * dy)
    assert ink_at(sprite.image, x - 0.93 * r * dx, y - 0.93 * r * dy)


def test_a_weak_shield_is_thinner_than_a_whole_one_and_none_is_fine_all_round() -> None:
    def inked(*shields: int) -> int:
        return sum(unit_sprite(UnitLook(TacticalLook("side0", 0), "ship", "A", 60, shields)).image.histogram()[1:])

    down, weak, whole = inked(*[0] * 6), inked(*[40] * 6), inked(*[100] * 6)
    assert down < weak < whole
    assert down < inked() < whole


def test_the_arrow_leads_where_a_unit_drifts() -> None:
    """On the way from a ship's ring to where it will be in 8 impulses all is in its side's ink."""
    scene = nine().with_values(pairs=(), news=(), terrain=())
    scene = scene.with_values(units=tuple(one.with_values(trail=()) for one in scene.units))
    plan, picture = planned(scene), paint_tactical(scene, DEFAULT)
    for place in plan.units:
        end = plan.sheet.at(place.unit.drifts[0].hex)
        far = hypot(end[0] - place.at[0], end[1] - place.at[1])
        if far < place.r + 30:
            continue
        ux, uy = (end[0] - place.at[0]) / far, (end[1] - place.at[1]) / far
        for along in range(place.r + 8, round(far) - 20, 4):
            x, y = place.at[0] + ux * along, place.at[1] + uy * along
            assert picture.getpixel((round(x), round(y))) in range(index(place.look.ink, 12), index(place.look.ink) + 1)


def test_themes_and_print_are_drawn() -> None:
    dark, light, white = (render_tactical(nine(), theme=one).png for one in (DEFAULT, paper(), on_white(paper())))
    grounds = [max(opened(png).getcolors(1 << 20) or [])[1] for png in (dark, light, white)]
    assert grounds == [rgb(DEFAULT.paper), rgb(paper().paper), (255, 255, 255)]


def test_crops_and_cards_are_for_phones() -> None:
    view = side_view(course())
    crop, card = render_crop(view, area=("1322",)), render_card_map(view)
    assert (crop.width, crop.height, crop.filename) == (800, 1000, "map-area.png")
    assert (card.width, card.height) == (800, 752)
    assert render_crop(view, 1).filename == "map-1.png"


def test_an_area_too_wide_for_a_crop_is_drawn_as_the_whole() -> None:
    assert render_crop(side_view(course()), area=("0101", "5050")).width == 1600


def test_what_is_no_hex_or_no_place_is_refused() -> None:
    view = side_view(course())
    with pytest.raises(places.UnknownPlace, match="no hex"):
        render_crop(view, area=("12x",))
    with pytest.raises(ValueError, match="no place number 3"):
        render_crop(view, 3)
    with pytest.raises(ValueError, match="numbered place or of an area"):
        render_crop(view)


def test_a_crop_is_of_any_hex_of_the_unbounded_sheet() -> None:
    assert render_crop(side_view(course()), area=("-40.-12",)).width == 800


def test_what_it_needs_is_made_before_it_is_asked_for() -> None:
    warm(side_view(nine()))


def test_a_battle_without_units_is_drawn() -> None:
    assert render_tactical(tactical_scene.TacticalScene(title="Nowhere", turn=1, parties=(), units=())).width == 1600


# --- the moments of a battle as one animated picture: all of them, in their order, small enough -----------------------
def flown(count: int, turns: int, sides: int = 2, slower: int = 3) -> list[tactical_scene.TacticalScene]:
    """A battle of so many turns, each in two pieces, in which all units drift on."""
    start = melee(7, count, sides, 14, forms=False)
    found: list[tactical_scene.TacticalScene] = []
    for moment in range(1, 2 * turns + 1):
        impulse = 32 if moment % 2 == 0 else 16
        units = []
        for one in start.units:
            way = lattice(one.vector)
            way = space.Lattice(way.c // slower, way.d // slower)
            at = moved(one.hex, way, 16 * moment)
            units.append(unit(one.code, one.side, at, (one.facing, vector_said(way)), impulse, name=one.name))
        turn = (moment + 1) // 2
        found.append(start.with_values(turn=turn, impulse=impulse, units=tuple(units), pairs=pairs_of(units), news=()))
    return found


def frames_of(gif: bytes) -> list[tuple[int, Image.Image]]:
    """Each frame with the milliseconds for which it is shown."""
    with Image.open(io.BytesIO(gif)) as film:
        assert film.format == "GIF"
        assert film.info["loop"] == 0, "it begins again"
        found: list[tuple[int, Image.Image]] = []
        for n in range(getattr(film, "n_frames", 1)):
            film.seek(n)
            found.append((film.info["duration"], film.convert("RGB")))
        return found


def test_all_moments_are_in_it_in_their_order() -> None:
    scenes = flown(4, 3)
    (made,) = render_tactical_film(scenes)
    frames = frames_of(made.gif)
    assert [shown for shown, _ in frames] == [MOMENT] * 5 + [LAST]
    assert {picture.size for _, picture in frames} == {(WIDE, HIGH)}
    for scene, (_, picture) in zip(scenes, frames, strict=True):
        (alone,) = render_tactical_film([scene])
        ((_, single),) = frames_of(alone.gif)
        assert picture.crop((0, 0, WIDE, HEADER)).tobytes() == single.crop((0, 0, WIDE, HEADER)).tobytes()
    assert made.filename == "battle.gif"


def test_twelve_turns_of_24_ships_are_one_picture() -> None:
    (made,) = render_tactical_film(flown(24, 12, 6))
    assert len(made.gif) < SMALL_ENOUGH / 2
    assert len(frames_of(made.gif)) == 24


def test_what_would_be_too_large_is_shared_out() -> None:
    scenes = flown(6, 4)
    (whole,) = render_tactical_film(scenes)
    parts = render_tactical_film(scenes, limit=len(whole.gif) // 2)
    assert len(parts) >= 2
    assert all(len(one.gif) <= len(whole.gif) // 2 for one in parts)
    assert [one.filename for one in parts] == [f"battle-{n}.gif" for n in range(1, len(parts) + 1)]
    counts = [len(frames_of(one.gif)) for one in parts]
    assert sum(counts) == len(scenes)
    assert [one.alt.split()[0] for one in parts] == [str(count) for count in counts]


def test_a_single_moment_is_never_left_out() -> None:
    assert len(render_tactical_film(flown(2, 1), limit=1)) == 2
    assert render_tactical_film([]) == ()


def test_the_words_say_where_each_began_and_ended() -> None:
    scenes = flown(4, 3)
    first, last = scenes[0].units[0], scenes[-1].units[0]
    (made,) = render_tactical_film(scenes)
    assert made.alt.startswith("6 moments from turn 1, impulse 16 on. The last: Melee at Kol")
    assert f"A1 from {first.hex} ends in {last.hex}, facing {last.facing}" in made.alt
    assert len(made.alt) <= ALT_LIMIT


def test_a_set_up_is_no_turn() -> None:
    scenes = flown(4, 1)
    first, none = scenes[0].with_values(turn=0, impulse=0), scenes[0].with_values(turn=1, impulse=0)
    (made,) = render_tactical_film([first, *scenes])
    assert made.alt.startswith("3 moments from the set-up on. The last: ")
    shown = [frames_of(render_tactical_film([one])[0].gif)[0][1] for one in (first, none)]
    assert shown[0].crop((0, HEADER, WIDE, HIGH)).tobytes() == shown[1].crop((0, HEADER, WIDE, HIGH)).tobytes()
    assert shown[0].tobytes() != shown[1].tobytes(), "its header says so"


def test_when_all_are_gone_the_last_moment_is_empty() -> None:
    scenes = flown(4, 1)
    scenes.append(scenes[-1].with_values(turn=2, units=(), pairs=()))
    (made,) = render_tactical_film(scenes)
    assert len(frames_of(made.gif)) == 3
    assert "No more there: " in made.alt


def test_who_is_gone_and_who_came_is_said() -> None:
    scenes = flown(4, 2)
    scenes[0] = scenes[0].with_values(units=scenes[0].units[1:])
    scenes[-1] = scenes[-1].with_values(units=scenes[-1].units[:-1])
    (made,) = render_tactical_film(scenes)
    assert "Alliance: A1 ends in" in made.alt
    assert "No more there: D2." in made.alt


def test_no_plot_is_in_what_stays_for_all() -> None:
    scene = course()
    assert render_tactical_film([scene]) == render_tactical_film([scene.with_values(plots=())])


@pytest.mark.parametrize("slower", [3, 1])
def test_a_battle_that_goes_far_is_followed(slower: int) -> None:
    """Near each other all the way, the moments show one part of the sheet; flying far, each shows its own."""
    (made,) = render_tactical_film(flown(4, 6, slower=slower))
    assert len(frames_of(made.gif)) == 12
