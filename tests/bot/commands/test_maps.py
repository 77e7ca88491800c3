"""The command that draws maps, and the names that a map may be shown around."""

from pathlib import Path
from typing import Any

import pytest

from bot.commands.areas import area_of, offered
from bot.delivery.drawing import Drawing, MapOrder, board_of
from bot.errors import Sorry
from bot.settings import BUILT_IN
from rules_engine.core.basics.base import When
from rules_engine.core.grids import charts, unbounded
from rules_engine.core.knowledge import glance, tactical_scene
from rules_engine.core.knowledge.views import Board, Counter, HexNote
from tests import toy
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.expected.kept import Kept, cases
from tests.map_render.written import read, view_on, written
from tests.message_words import pieces, words_of

NEWS = (
    glance.News(hexes=("0201",), title="Haven", fact="Haven: F1 sees smoke", aside="new"),
    glance.News(hexes=("0402",), title="0402", fact="0402: quiet"),
)
PINS = "❶ **Haven: F1 sees smoke** · new\n❷ **0402: quiet**"
Asked = list[tuple[Any, MapOrder, Any]]


@pytest.fixture
def with_news(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sides' boards number two places, and the boards of red show how far something reaches."""
    plain = toy.Toy.side_board

    def side_board(self: Any, state: Any, side: str, knowledge: Any) -> Board:
        kinds = ("detection", "supply") if side == "red" else ()
        ranges = tuple(glance.Range(kind=kind, hexes=("0101", "0102")) for kind in kinds)
        return plain(self, state, side, knowledge).model_copy(update={"news": NEWS, "ranges": ranges})

    monkeypatch.setattr(toy.Toy, "side_board", side_board)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """What is asked of the drawing, as it is asked: the view, how it is wanted, and the area."""
    found: Asked = []
    plain = Drawing.pictures

    def pictures(self: Drawing, view: Any, order: MapOrder | None = None, area: Any = None) -> Any:
        found.append((view, order or MapOrder(), area))
        return plain(self, view, order, area)

    monkeypatch.setattr(Drawing, "pictures", pictures)
    return found


async def drawn(here: SimulatedServer, who: Any, **options: Any) -> Any:
    """The answer to ``/map``."""
    result = await here.slash(who, "map", **options)
    assert result.ephemeral
    return (result.followups or [result.response])[0]


async def play_a_turn(here: SimulatedServer) -> None:
    """Red names the higher number, and takes the usual spoils."""
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    for who in (here.ann, here.leo):
        await here.press(who, "Orders for turn 1", "Ready")
    await here.resolve_now()


@pytest.mark.usefixtures("with_news")
async def test_each_numbered_place_has_a_crop_beside_the_map_in_one_answer(game: SimulatedServer) -> None:
    answer = await drawn(game, game.ann)
    assert len({one.filename for one in answer.attachments}) == len(answer.attachments) == 3
    galleries = [one["items"] for one in pieces(answer.components) if "items" in one]
    assert [len(items) for items in galleries] == [1, 1, 1], "each as wide as the message"
    assert all(item["description"] for items in galleries for item in items)
    assert PINS in words_of(answer)


@pytest.mark.usefixtures("with_news")
async def test_in_the_post_at_the_end_of_a_turn_each_has_the_number_of_its_pin(game: SimulatedServer) -> None:
    await play_a_turn(game)
    for side in ("red", "blue"):
        (post,) = [one for one in (await game.channel(f"side:{side}")).history() if one.attachments]
        assert post.content == "## Haven\nTurn 2\n❶ **Haven: F1 sees smoke**\nnew\n❷ **0402: quiet**"
        (small,) = post.attachments
        assert small.filename.startswith("map-")
    assert not any("❶" in one.content for one in (await game.channel("public")).history())


@pytest.mark.usefixtures("with_news")
async def test_an_area_is_shown_alone(here: SimulatedServer, asked: Asked) -> None:
    await here.begin()
    asked.clear()  # briefings have maps
    wanted = {"1": 1, "F1": ("0101",), "haven": ("0201",), "0102 0302": ("0102", "0302")}
    for typed, area in wanted.items():
        answer = await drawn(here, here.ann, area=typed)
        assert len(answer.attachments) == 1
        assert PINS not in answer.content
        assert asked[-1][2] == area
    assert "called “nowhere”" in (await drawn(here, here.ann, area="nowhere")).content


@pytest.mark.usefixtures("with_news")
async def test_everybody_is_offered_what_their_own_map_shows(here: SimulatedServer) -> None:
    campaign = await here.begin()

    async def offers(who: Any, option: str, typed: str = "") -> list[str]:
        return [one["value"] for one in await who.autocomplete(here.hall, "map", option, typed, campaign=campaign)]

    assert await offers(here.ann, "area") == ["1", "2", "F1", "Haven"]
    assert await offers(here.leo, "area", "040") == ["2", "F1", "0401", "0402", "0403"]
    assert await offers(here.sam, "area") == ["Haven"]
    assert await offers(here.zoe, "area") == []
    assert await offers(here.ann, "ranges") == ["detection", "supply", "all"]
    assert await offers(here.leo, "ranges") == []
    assert await offers(here.ann, "theme") == ["default", "paper", "as the campaign"]


@pytest.mark.usefixtures("with_news")
async def test_ranges_are_drawn_for_who_asks_and_are_posted_to_nobody(here: SimulatedServer, asked: Asked) -> None:
    await here.begin()
    asked.clear()  # briefings have maps
    await drawn(here, here.ann)
    await drawn(here, here.ann, ranges="supply")
    await drawn(here, here.ann, ranges="All")
    assert [set(order.ranges) for _, order, _ in asked] == [set(), {"supply"}, {"detection", "supply"}]
    assert "It can show: detection, supply, all." in (await drawn(here, here.ann, ranges="radar")).content
    assert "There are none to show." in (await drawn(here, here.leo, ranges="supply")).content
    asked.clear()
    await play_a_turn(here)
    assert asked
    assert not any(order.ranges or board_of(view).ranges for view, order, _ in asked)


@pytest.mark.usefixtures("with_news")
async def test_a_map_may_be_had_as_a_file_to_be_printed(here: SimulatedServer, asked: Asked) -> None:
    await here.begin()
    asked.clear()  # briefings have maps
    (file,) = (await drawn(here, here.ann, print=True, ranges="supply", theme="default")).attachments
    assert file.filename == "map.pdf"
    (file,) = (await drawn(here, here.ann, print=True, area="1")).attachments
    assert file.filename == "map.pdf"
    assert [(set(order.ranges), area) for _, order, area in asked] == [({"supply"}, None), (set(), 1)]
    assert {here.bot.drawing.look(order.theme).paper for _, order, _ in asked} == {"#ffffff"}


async def test_a_reader_chooses_a_theme_for_good_and_for_nobody_else(here: SimulatedServer, asked: Asked) -> None:
    await here.begin()
    asked.clear()  # briefings have maps
    for options in ({}, {"theme": "paper"}, {}):
        await drawn(here, here.ann, **options)
    await drawn(here, here.leo)
    await here.restart()
    await drawn(here, here.ann)
    await drawn(here, here.ann, theme="As the campaign")
    await drawn(here, here.ann)
    assert [order.theme for _, order, _ in asked] == ["", "paper", "paper", "", "paper", "", ""]


async def test_the_referee_chooses_the_theme_of_posts_and_of_who_has_none(here: SimulatedServer, asked: Asked) -> None:
    await here.begin()
    asked.clear()  # briefings have maps
    assert "look of the bot's host" in said(await here.slash(here.rita, "campaign settings"))
    assert "`paper`" in said(await here.slash(here.rita, "campaign settings", theme="paper"))
    assert "`paper`" in said(await here.slash(here.leo, "campaign settings"))
    await drawn(here, here.leo)
    await drawn(here, here.ann, theme="default")
    await here.slash(here.rita, "referee omniscient")
    assert [order.theme for _, order, _ in asked] == ["paper", "default", "paper"]
    asked.clear()
    await play_a_turn(here)
    assert {order.theme for _, order, _ in asked} == {"paper"}
    asked.clear()
    await here.slash(here.rita, "campaign settings", theme="as the host", orders="30h")
    await drawn(here, here.leo)
    assert [order.theme for _, order, _ in asked] == [""]
    assert "Orders: 1.2 days" in said(await here.slash(here.leo, "campaign settings"))


async def test_a_theme_that_is_not_there_changes_nothing(here: SimulatedServer, asked: Asked) -> None:
    await here.begin()
    asked.clear()  # briefings have maps
    told = said(await here.slash(here.ann, "map", theme="neon"))
    assert told == "There is no theme “neon”. There is: default, paper, as the campaign."
    told = said(await here.slash(here.rita, "campaign settings", theme="neon"))
    assert told == "There is no theme “neon”. There is: default, paper, as the host."
    assert "Only the campaign's referee" in said(await here.slash(here.ann, "campaign settings", theme="paper"))
    await drawn(here, here.ann)
    assert [order.theme for _, order, _ in asked] == [""]


async def test_a_theme_with_defects_is_not_taken(here: SimulatedServer, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text('paper = "blue"', encoding="utf-8")
    here.bot.drawing._others["bad"] = tmp_path / "bad.toml"  # private: as in a folder of the host's own
    await here.begin()
    assert "has defects" in said(await here.slash(here.ann, "map", theme="bad"))


def test_a_theme_that_went_bad_after_it_was_chosen_is_the_installations(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("", encoding="utf-8")
    drawing = Drawing(BUILT_IN / "themes" / "paper.toml", {"mine": file, "dark": BUILT_IN / "themes" / "default.toml"})
    assert drawing.names == ("dark", "mine")
    assert drawing.look("dark") == Drawing().theme != drawing.theme
    file.write_text("paper = 1", encoding="utf-8")
    assert drawing.look("mine") == drawing.look("gone") == drawing.look() == drawing.theme


# --- what a map may be shown around: by every name that its reader knows, and by no other -----------------------------
BOARD = written("areas").board


@cases("typed, hexes")
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
    assert (shown[0], shown[2]) == ("1 · Scene Flow: E1 met A1", "A1 Van · 5 ships · 0101")
    assert (shown[5], shown[6]) == ("E1 · Blue · ID1 · 0103", "E2 · found · 0104 · 2 turns ago")
    assert (shown[4], shown[7], shown[8]) == ("Raiders at 0401", "Raiders at 0402 · Blue", "Scene Flow · 0303")


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
ARM = read("areas_of_lanes")
LANES = view_on(charts.Chart.model_validate(ARM.pop("chart")), ARM).board


@cases("typed, places")
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
    campaign="C", rulebook="none", heading="Turn 1", when=When(turn=1), sides=BOARD.sides,
    grid=unbounded.Space(hexes=("0505", "0507", "-3.12")), hexes=(HexNote(hex="0507", name="Dusk"),),
    counters=(
        Counter(id="R1", hex="0505", owner="red", label="R1", sub="4A"),
        Counter(id="B1", hex="-3.12", owner="blue", label="B1"),
    ),
    tactical=tactical_scene.TacticalScene(title="Duel", turn=1, parties=(), units=()),
)  # fmt: skip
"""A battle on a sheet without an edge."""


@cases("typed, hexes")
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
