"""Pictures and words of maps of lanes: whole, in parts, inside a system; and nothing of what is beyond."""

import io
from fractions import Fraction
from itertools import pairwise

import pytest
from PIL import Image

from map_render import (
    ALT_LIMIT,
    MapImage,
    alt_text,
    describe,
    render_card_crop,
    render_card_map,
    render_crop,
    render_public,
    render_side,
)
from map_render.drawing.theme import Sizes, Theme
from rules_engine.core.grids.charts import Chart, ChartLane, ChartPlanet, ChartSystem
from rules_engine.core.grids.places import UnknownPlace
from rules_engine.core.knowledge.views import Board, Counter, PublicView, SideView
from tests.map_render.lanes.arm import chart, near_arm
from tests.map_render.lanes.positions import random_view

SMALL = Theme(sizes=Sizes(longest=1200))


def size_of(image: MapImage) -> tuple[int, int]:
    with Image.open(io.BytesIO(image.png)) as picture:
        assert picture.mode == "P"
        return picture.size


def with_chart(view: SideView, made: Chart) -> SideView:
    return view.model_copy(update={"board": view.board.model_copy(update={"places": made})})


@pytest.mark.parametrize(("move", "scale"), [(500, 1), (-90, 1), (0, 3), (37, Fraction(1, 4))])
def test_a_picture_leaves_no_room_beyond_what_is_known(move: int, scale: Fraction | int) -> None:
    """Where the known part lies on the whole map, and how large it is there, changes no pixel."""
    view = near_arm()
    moved = tuple(one.with_values(x=one.x * scale + move, y=one.y * scale - move) for one in chart().systems)
    other = with_chart(view, Chart.model_validate(chart().model_dump() | {"systems": moved}))
    assert render_side(other, theme=SMALL).png == render_side(view, theme=SMALL).png


def test_the_whole_map_is_as_wide_as_the_theme_says_and_little_higher() -> None:
    image = render_side(near_arm())
    assert size_of(image) == (image.width, image.height)
    assert image.width == 2400
    assert 2200 < image.height < 2650


@pytest.mark.parametrize("count", [1, 2, 30])
def test_the_words_begin_with_the_numbered_places_and_fit(count: int) -> None:
    view = random_view(3, count)
    for image in (render_side(view, theme=SMALL), render_card_map(view)):
        assert len(image.alt) <= ALT_LIMIT
        assert image.alt.startswith("1. " if view.board.news else "Map of")


def test_words_say_who_is_where_by_names_and_jumps() -> None:
    said = describe(near_arm())
    for line in (
        "- G4 at Wolf 359–Porrima lane, 3 ships",
        "- E7 at Kruger–Izar lane (Centauri, seen, new or changed, 2 ships, 3 jumps from G2)",
        "- G2 at Teegarden: E7 at Kruger–Izar lane, 3 jumps",
        "- G4 from Wolf 359 to Porrima, arrives T12",
        "- G1 Sol > Minkar > Wolf 359",
        "- Sol 12, capital (Terran)",
        "- Vega: Gienah (normal, 1), Keid (normal, 1)",
        "- lacaille?1 from Lacaille (easy)",
    ):
        assert line in said.splitlines(), line


def test_a_numbered_place_is_shown_with_its_neighbourhood() -> None:
    image = render_crop(near_arm(), 2)
    assert size_of(image) == (800, 1000)
    assert image.filename == "map-2.png"
    assert image.alt.startswith("Place 2, Kruger–Izar lane.")
    assert "E7 at Kruger–Izar lane" in image.alt
    assert "Beyond: place 1, Wolf 359–Porrima lane, 4 jumps; place 3, Far Point, 6 jumps" in image.alt
    assert "G1 at Sol" not in image.alt


def test_an_area_is_a_crop_and_a_wide_one_a_part_of_the_map() -> None:
    view = near_arm()
    assert size_of(render_crop(view, area=("sol",))) == (800, 1000)
    wide = tuple(one.id for one in chart().systems[:30])
    image = render_crop(view, area=wide, theme=SMALL)
    assert image.width == 1200
    assert "Kraz" not in image.alt
    assert size_of(render_card_crop(view, area=("sol",))) == (800, 752)
    with pytest.raises(UnknownPlace):
        render_crop(view, area=("vulcan",))
    with pytest.raises(ValueError, match="no place number 4"):
        render_crop(view, 4)


def test_a_system_has_a_map_of_its_own() -> None:
    made = chart().model_dump()
    planets = [("sol/earth", "Earth", 1), ("sol/mars", "Mars", 5)]
    made["planets"] = tuple(
        ChartPlanet(id=key, system="sol", name=name, x=Fraction(x), y=Fraction(x)) for key, name, x in planets
    )
    made["lanes"] = (*chart().lanes, ChartLane(id="sol~sol/earth", a="sol", b="sol/earth", kind="normal"))
    view = with_chart(near_arm(), Chart.model_validate(made))
    probe = Counter(id="P1", hex="sol/mars", owner="terran", label="P1", ships=1)
    board: Board = view.board.model_copy(update={"counters": (*view.board.counters, probe)})
    view = view.model_copy(update={"board": board})
    image = render_crop(view, area=("sol/earth", "sol/mars"))
    assert size_of(image) == (800, 1000)
    assert image.alt.startswith("Part of the map, Inside Sol.")
    assert "P1 at Mars" in image.alt
    assert "G1 at Sol" in image.alt
    assert "G2" not in image.alt.partition("Beyond")[0]
    assert image.png != render_crop(view, area=("sol",)).png
    assert "P1" in render_side(view, theme=SMALL).alt


def test_a_map_of_which_nothing_is_known_is_a_map_too() -> None:
    board = near_arm().board.model_copy(
        update={"places": Chart(), "hexes": (), "counters": (), "courses": (), "transits": (), "news": ()}
    )
    image = render_public(PublicView(public=board), theme=SMALL)
    assert image.alt.startswith("Map of The Long Frontier, Turn 11, orders, as anybody may know it.")
    assert describe(PublicView(public=board)).startswith("Map of")


def test_what_is_on_no_place_of_the_map_is_not_drawn() -> None:
    view = near_arm()
    lost = Counter(id="G9", hex="between galaxies", owner="terran", label="G9", ships=2)
    more = view.model_copy(update={"board": view.board.model_copy(update={"counters": (*view.board.counters, lost)})})
    assert render_side(more, theme=SMALL).png == render_side(view, theme=SMALL).png
    assert "G9 at between galaxies" in alt_text(more)


@pytest.mark.parametrize(
    "change",
    [
        {"counters": ()},
        {"transits": ()},
        {"courses": ()},
        {"hexes": ()},
        {"news": ()},
    ],
)
def test_each_kind_of_thing_is_seen_on_the_picture(change: dict[str, object]) -> None:
    view = near_arm()
    other = view.model_copy(update={"board": view.board.model_copy(update=change)})
    assert render_side(other, theme=SMALL).png != render_side(view, theme=SMALL).png


@pytest.mark.parametrize("part", ["lanes", "uncharted"])
def test_each_lane_is_seen_on_the_picture(part: str) -> None:
    made = chart().model_dump()
    view = near_arm()
    fewer = with_chart(view, Chart.model_validate(made | {part: made[part][:-1]}))
    assert render_side(fewer, theme=SMALL).png != render_side(view, theme=SMALL).png


def test_classes_of_lanes_are_drawn_differently() -> None:
    view = near_arm()
    pictures: set[bytes] = set()
    for kind in ("major", "normal", "minor", "restricted"):
        made = chart().model_dump()
        made["lanes"] = tuple(one | {"kind": kind} for one in made["lanes"])
        pictures.add(render_side(with_chart(view, Chart.model_validate(made)), theme=SMALL).png)
    assert len(pictures) == 4


def test_contacts_far_beyond_a_part_are_left_to_the_whole_map() -> None:
    """Of a row of systems: five jumps away is told, fifteen are not."""
    names = [f"s{number}" for number in range(20)]
    row = Chart(
        systems=tuple(ChartSystem(id=one, name=one, x=Fraction(at), y=Fraction(0)) for at, one in enumerate(names)),
        lanes=tuple(ChartLane(id=f"{a}~{b}", a=a, b=b, kind="normal") for a, b in pairwise(names)),
        kinds=chart().kinds,
    )
    seen = (("E1", "s7"), ("E2", "s17"))
    near, far = (Counter(id=key, hex=at, owner="centauri", label=key, grade=1) for key, at in seen)
    empty = {"hexes": (), "courses": (), "transits": (), "news": ()}
    board = near_arm().board.model_copy(update={"places": row, "counters": (near, far), **empty})
    image = render_crop(SideView(side="terran", board=board), area=("s0",))
    assert "Beyond: E1 (Centauri), 5 jumps" in image.alt
    assert "E2" not in image.alt
