"""Pictures of battles flown by vectors: what is on them, and that nothing is on them which a view has not."""

import io
from itertools import combinations
from math import hypot

import pytest
from PIL import Image, ImageChops

from map_render import (
    DEFAULT,
    describe,
    on_white,
    render_card_map,
    render_crop,
    render_public,
    render_side,
    render_tactical,
    warm,
)
from map_render.drawing.palette import PAPER, index
from map_render.drawing.theme import rgb
from map_render.tactical.looks import (
    HULLS,
    TacticalLook,
    UnitLook,
    chip_sprite,
    ghost_sprite,
    unit_sprite,
)
from map_render.tactical.picture import paint_tactical, planned
from rules_engine.core.grids.places import UnknownPlace
from rules_engine.core.grids.space import WAYS, Way
from rules_engine.core.knowledge.tactical_scene import TacticalScene
from rules_engine.core.knowledge.views import Course
from tests.map_render.kept.positions import paper
from tests.map_render.tactical.duels import course, melee, nine
from tests.map_render.tactical.views import public_view, side_view


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
    own = render_side(side_view(scene)).png
    assert own != render_side(side_view(others)).png
    assert "plot" in render_side(side_view(scene)).alt.lower()
    assert "plot" not in render_side(side_view(others)).alt.lower()


def test_courses_that_are_plotted_on_the_board_are_drawn() -> None:
    """What a captain has saved stands on his board as a course, and is drawn and said as a plot."""
    scene = course().with_values(plots=())
    plot = course().plots[0]
    bare = side_view(scene)
    board = bare.board.with_values(courses=(Course(counter="A1", kind="plotted", hexes=plot.hexes, plot=plot),))
    saved = bare.with_values(board=board)
    assert render_side(saved).png == render_side(side_view(course())).png
    assert render_side(saved).alt == render_side(side_view(course())).alt
    assert render_card_map(saved).png != render_card_map(bare).png
    assert describe(saved) == describe(side_view(course()))


def _changed(one: TacticalScene, other: TacticalScene) -> bool:
    pictures = [paint_tactical(scene, DEFAULT) for scene in (one, other)]
    return pictures[0].size != pictures[1].size or ImageChops.difference(*pictures).getbbox() is not None


@pytest.mark.parametrize(
    "values",
    [
        {"facing": "E"},
        {"form": "shuttle"},
        {"shields": (100, 100, 100, 100, 100, 0)},
        {"shields": ()},
        {"whole": 30},
        {"trail": ()},
        {"drifts": ()},
        {"name": "Other"},
        {"vector": "5A+7B"},
    ],
    ids=str,
)
def test_what_is_known_of_a_unit_is_seen(values: dict[str, object]) -> None:
    scene = nine()
    first = scene.units[0].model_copy(update=values)
    assert _changed(scene, scene.with_values(units=(first, *scene.units[1:])))


@pytest.mark.parametrize("kind", ["planet", "asteroids", "dust", "web", "buoy", "line"])
def test_terrain_of_every_kind_is_seen(kind: str) -> None:
    scene = course()
    left = tuple(one for one in scene.terrain if one.kind != kind)
    assert len(left) < len(scene.terrain)
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
            differing = sum(ImageChops.difference(one, other).histogram()[1:])
            assert differing > 0.1 * min(ink, other_ink)


CLOCKWISE = {
    "A": (0.0, -1.0),
    "B": (0.87, -0.5),
    "C": (0.87, 0.5),
    "D": (0.0, 1.0),
    "E": (-0.87, 0.5),
    "F": (-0.87, -0.5),
}
"""Where the directions point on a picture, to the right and down: A up, the others clockwise."""


def ink_at(picture: Image.Image, x: float, y: float) -> bool:
    return picture.getpixel((round(x), round(y))) != PAPER


@pytest.mark.parametrize("way", WAYS)
def test_a_ship_points_where_it_faces_and_its_first_shield_is_there(way: Way) -> None:
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
        look = UnitLook(TacticalLook("side0", 0), "ship", "A", 60, shields)
        return sum(unit_sprite(look).image.histogram()[1:])

    down, weak, whole = inked(*[0] * 6), inked(*[40] * 6), inked(*[100] * 6)
    assert down < weak < whole
    assert down < inked() < whole


def test_the_arrow_leads_where_a_unit_drifts() -> None:
    """On the way from a ship's ring to where it will be in 8 impulses all is in its side's ink."""
    scene = nine().with_values(pairs=(), news=(), terrain=())
    units = tuple(one.with_values(trail=()) for one in scene.units)
    scene = scene.with_values(units=units)
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
    with pytest.raises(UnknownPlace, match="no hex"):
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
    scene = TacticalScene(title="Nowhere", turn=1, parties=(), units=())
    assert render_tactical(scene).width == 1600
