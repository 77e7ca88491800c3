"""What a map may be shown around: by every name that its reader knows, and by no other."""

from fractions import Fraction

import pytest

from bot.commands.areas import area_of, offered
from bot.errors import Sorry
from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.charts import Chart, ChartLane, ChartPlanet, ChartSystem, LaneKind, Region
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.grids.unbounded import Space
from rules_engine.core.knowledge.glance import News
from rules_engine.core.knowledge.tactical_scene import TacticalScene
from rules_engine.core.knowledge.views import Board, Counter, HexNote
from tests.expected.kept import Kept, cases

BOARD = Board(
    campaign="C",
    rulebook="none",
    heading="Turn 1",
    when=When(turn=1),
    sides=tuple(SideLabel(key=key, name=key.title(), emblem=key[0].upper()) for key in ("red", "blue")),
    grid=Grid(columns=4, rows=4),
    hexes=(HexNote(hex="0303", name="Scene Flow", owner="red"), HexNote(hex="0404")),
    counters=(
        Counter(id="a", hex="0101", owner="red", label="A1", sub="Van", ships=5),
        Counter(id="b", hex="0202", owner="red", label="A12", ships=1),
        Counter(id="c", hex="0103", owner="blue", label="E1", level=1, level_name="ID1"),
        Counter(id="d", hex="0104", owner="", label="E2", level=0, level_name="found", live=False, age=2),
        Counter(id="e", hex="0401", owner="red", label="Raiders"),
        Counter(id="f", hex="0402", owner="blue", label="Raiders", level=4),
        Counter(id="g", hex="9999", owner="red", label="A9"),
    ),
    news=(
        News(hexes=("0303", "0304"), title="Scene Flow", fact="E1 met A1"),
        News(hexes=("0401",), title="0401", fact="x"),
    ),
)


@pytest.mark.parametrize(
    ("typed", "hexes"),
    [
        ("A1", ("0101",)),
        (" a12 ", ("0202",)),
        ("E1", ("0103",)),
        ("scene  flow", ("0303",)),
        ("0412", None),
        ("0404", ("0404",)),
        ("0102 0403", ("0102", "0403")),
        ("0102-0403", ("0102", "0403")),
        ("0102,0403", ("0102", "0403")),
        ("A1 e1", ("0101", "0103")),
        ("A1, Scene Flow", ("0101", "0303")),
        ("A1, 1", ("0101", "0303", "0304")),
        ("Raiders", ("0401", "0402")),
        ("Raiders at 0402", ("0402",)),
        ("raiders at 0401, A1", ("0401", "0101")),
        ("Scene Flow at 0303", ("0303",)),
        ("Raiders at 0303", None),
        ("1", 1),
        ("2", 2),
        ("3", None),
        ("A9", None),
    ],
)
def test_an_area_is_named_as_people_name_it(typed: str, hexes: object) -> None:
    if hexes is None:
        with pytest.raises(Sorry):
            area_of(BOARD, typed, "red")
    else:
        assert area_of(BOARD, typed, "red") == hexes


@pytest.mark.parametrize("typed", [None, "", "  "])
def test_no_area_is_the_whole_map(typed: str | None) -> None:
    assert area_of(BOARD, typed, "red") is None


def test_what_is_nowhere_is_named_with_what_may_be_meant() -> None:
    with pytest.raises(Sorry) as refused:
        area_of(BOARD, "Scene Flo", "red")
    assert refused.value.text == (
        "You know no force, contact or place called “Scene Flo”, and it is not a hex of this map. "
        "Did you mean Scene Flow?"
    )
    with pytest.raises(Sorry) as refused:
        area_of(BOARD, "0505", "red")
    assert refused.value.text.startswith("“0505” is not a hex of this map. The map goes from 0101 to 0404.")


@pytest.mark.parametrize("typed", ["-", ",", " , - ,"])
def test_signs_alone_name_nothing(typed: str) -> None:
    with pytest.raises(Sorry) as refused:
        area_of(BOARD, typed)
    assert refused.value.text == "That names no force, contact, place or hex of this map."


def test_a_force_that_is_called_like_a_pin_is_meant_before_it() -> None:
    counters = (Counter(id="x", hex="0201", owner="red", label="1"),)
    assert area_of(BOARD.model_copy(update={"counters": counters}), "1", "red") == ("0201",)


def test_numbered_places_own_forces_contacts_and_places_are_offered_in_that_order() -> None:
    assert [name for _, name in offered(BOARD, "red", "")] == [
        "1", "2", "A1", "A12", "Raiders at 0401", "E1", "E2", "Raiders at 0402", "Scene Flow",
    ]  # fmt: skip
    shown = [text for text, _ in offered(BOARD, "red", "")]
    assert shown[0] == "1 · Scene Flow: E1 met A1"
    assert shown[2] == "A1 Van · 5 ships · 0101"
    assert shown[5] == "E1 · Blue · ID1 · 0103"
    assert shown[6] == "E2 · found · 0104 · 2 turns ago"
    assert shown[4] == "Raiders at 0401"
    assert shown[7] == "Raiders at 0402 · Blue"
    assert shown[8] == "Scene Flow · 0303"


def test_of_several_of_one_name_each_is_offered_with_its_hex_and_shown_alone() -> None:
    battles = [Counter(id=f"b{at}", hex=at, owner="", form="battle", label="Battle") for at in ("0202", "0304", "0304")]
    board = BOARD.model_copy(update={"counters": tuple(battles), "news": ()})
    found = offered(board, "red", "batt")
    assert found == [("Battle at 0202", "Battle at 0202"), ("Battle at 0304", "Battle at 0304")]
    assert [area_of(board, name, "red") for _, name in found] == [("0202",), ("0304",)]
    assert area_of(board, "Battle", "red") == ("0202", "0304")
    alone = board.model_copy(update={"counters": tuple(battles[1:])})
    assert offered(alone, "red", "batt") == [("Battle · 0304", "Battle")]


def test_a_force_in_the_hex_of_a_place_of_its_name_is_offered_once() -> None:
    counters = (Counter(id="a", hex="0303", owner="red", label="Scene Flow"),)
    board = BOARD.model_copy(update={"counters": counters, "news": ()})
    assert [name for _, name in offered(board, "red", "scene")] == ["Scene Flow"]


def test_what_begins_with_what_is_typed_comes_first_and_hexes_last() -> None:
    assert [name for _, name in offered(BOARD, "red", "e")][:2] == ["E1", "E2"]
    assert [name for _, name in offered(BOARD, "red", "a1")] == ["A1", "A12", "1"]
    assert offered(BOARD, "red", "030") == [
        ("Scene Flow · 0303", "Scene Flow"),
        *((f"around {name}", name) for name in ("0301", "0302", "0303", "0304")),
    ]


def test_everything_that_is_offered_is_understood() -> None:
    for side in ("red", "blue", None):
        for typed in ("", "0", "e", "scene"):
            for _, name in offered(BOARD, side, typed):
                assert area_of(BOARD, name, side)


def test_a_long_text_is_refused_quickly_and_shown_in_part() -> None:
    with pytest.raises(Sorry) as refused:
        area_of(BOARD, "x" * 100, "red")
    assert len(str(refused.value.text)) < 250


# --- a map of lanes -----------------------------------------------------------------------------------------------


LANES = Board(
    campaign="C",
    rulebook="none",
    heading="Turn 1",
    when=When(turn=1),
    sides=BOARD.sides,
    grid=Chart(
        systems=tuple(
            ChartSystem(id=key, name=name, x=Fraction(at), y=Fraction(0))
            for at, (key, name) in enumerate((("sol", "Sol"), ("wolf-359", "Wolf 359"), ("vega", "Vega")))
        ),
        planets=tuple(
            ChartPlanet(id=f"sol/{name.lower()}", system="sol", name=name, x=Fraction(0), y=Fraction(0))
            for name in ("Earth", "Mars")
        ),
        lanes=(ChartLane(id="sol~wolf-359", a="sol", b="wolf-359", kind="normal"),),
        regions=(Region(level="sector", name="Near Arm", systems=("sol", "wolf-359")),),
        kinds=(LaneKind(key="normal", line="single", said="normal"),),
    ),
    hexes=(HexNote(hex="sol", name="Sol", owner="red"), HexNote(hex="wolf-359", name="Wolf 359")),
    counters=(
        Counter(id="a", hex="sol", owner="red", label="A1", ships=5),
        Counter(id="b", hex="sol~wolf-359", owner="red", label="A2", ships=1),
    ),
)


@pytest.mark.parametrize(
    ("typed", "places"),
    [
        ("Wolf 359", ("wolf-359",)),
        ("wolf-359", ("wolf-359",)),
        ("A1", ("sol",)),
        ("a2", ("sol~wolf-359",)),
        ("near arm", ("sol", "wolf-359")),
        ("inside Sol", ("sol/earth", "sol/mars")),
        ("Earth", ("sol/earth",)),
        ("Sol, Vega", ("sol", "vega")),
        ("Sol–Wolf 359 lane", ("sol~wolf-359",)),
    ],
)
def test_an_area_of_a_map_of_lanes_is_typed_by_names(typed: str, places: tuple[str, ...]) -> None:
    assert area_of(LANES, typed, "red") == places


def test_systems_that_nobody_knows_are_refused_with_the_nearest_that_is_known() -> None:
    with pytest.raises(Sorry) as refused:
        area_of(LANES, "Wolf 395", "red")
    assert refused.value.text == "You know no force, contact or place called “Wolf 395”. Did you mean Wolf 359?"
    with pytest.raises(Sorry) as refused:
        area_of(LANES, "12", "red")
    assert "hex" not in refused.value.text


def test_what_is_offered_of_a_map_of_lanes(kept: Kept) -> None:
    assert offered(LANES, "red", "") == kept()
    assert [name for _, name in offered(LANES, "red", "wolf")] == ["Wolf 359", "A2"]


DUEL = Board(
    campaign="C",
    rulebook="none",
    heading="Turn 1",
    when=When(turn=1),
    sides=BOARD.sides,
    grid=Space(hexes=("0505", "0507", "-3.12")),
    hexes=(HexNote(hex="0507", name="Dusk"),),
    counters=(
        Counter(id="R1", hex="0505", owner="red", label="R1", sub="4A"),
        Counter(id="B1", hex="-3.12", owner="blue", label="B1"),
    ),
    tactical=TacticalScene(title="Duel", turn=1, parties=(), units=()),
)
"""A battle on a sheet without an edge."""


@pytest.mark.parametrize(
    ("typed", "hexes"),
    [
        ("r1", ("0505",)),
        ("B1", ("-3.12",)),
        ("Dusk", ("0507",)),
        ("-3.12", ("-3.12",)),
        ("104.7", ("104.7",)),
        ("9912", ("9912",)),
        ("0505 0601", ("0505", "0601")),
        ("R1, 0601", ("0505", "0601")),
    ],
)
def test_any_hex_of_an_unbounded_sheet_is_an_area(typed: str, hexes: tuple[str, ...]) -> None:
    assert area_of(DUEL, typed, "red") == hexes


@cases("typed, said")
def test_what_an_unbounded_sheet_has_not_is_refused(typed: str, said: str) -> None:
    with pytest.raises(Sorry) as refused:
        area_of(DUEL, typed, "red")
    assert refused.value.text == said


def test_of_an_unbounded_sheet_units_and_the_hex_that_is_typed_are_offered() -> None:
    assert [name for _, name in offered(DUEL, "red", "")] == ["R1", "B1", "Dusk"]
    assert [name for _, name in offered(DUEL, "red", "05")] == ["R1", "Dusk", "0505", "0507"]
    assert offered(DUEL, "red", "2020") == [("around 2020", "2020")]
    assert offered(DUEL, "red", "-7.4") == [("around -7.4", "-7.4")]
    assert [name for _, name in offered(DUEL, "red", "0505")] == ["R1", "0505"]
