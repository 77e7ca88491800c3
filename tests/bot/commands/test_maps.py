"""The command that draws maps: around what is named, with ranges that are asked for, in the theme that is wanted."""

from pathlib import Path
from typing import Any

import pytest

from bot.delivery.drawing import Drawing, MapOrder, board_of
from bot.settings import BUILT_IN
from rules_engine.core.knowledge.glance import News, Range
from rules_engine.core.knowledge.views import Board
from tests import toy
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.message_words import pieces, words_of

NEWS = (
    News(hexes=("0201",), title="Haven", fact="Haven: F1 sees smoke", aside="new"),
    News(hexes=("0402",), title="0402", fact="0402: quiet"),
)
PINS = "❶ **Haven: F1 sees smoke** · new\n❷ **0402: quiet**"
Asked = list[tuple[Any, MapOrder, Any]]


@pytest.fixture
def with_news(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sides' boards number two places, and the boards of red show how far something reaches."""
    plain = toy.Toy.side_board

    def side_board(self: Any, state: Any, side: str, knowledge: Any) -> Board:
        kinds = ("detection", "supply") if side == "red" else ()
        ranges = tuple(Range(kind=kind, hexes=("0101", "0102")) for kind in kinds)
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
async def test_each_numbered_place_has_a_crop_beside_the_map_in_one_answer(here: SimulatedServer) -> None:
    await here.begin()
    answer = await drawn(here, here.ann)
    assert len({one.filename for one in answer.attachments}) == len(answer.attachments) == 3
    galleries = [one["items"] for one in pieces(answer.components) if "items" in one]
    assert [len(items) for items in galleries] == [1, 1, 1], "each as wide as the message"
    assert all(item["description"] for items in galleries for item in items)
    assert PINS in words_of(answer)


@pytest.mark.usefixtures("with_news")
async def test_in_the_post_at_the_end_of_a_turn_each_has_the_number_of_its_pin(here: SimulatedServer) -> None:
    await here.begin()
    await play_a_turn(here)
    for side in ("red", "blue"):
        (post,) = [one for one in (await here.channel(f"side:{side}")).history() if one.attachments]
        assert post.content == "## Haven\nTurn 2\n❶ **Haven: F1 sees smoke**\nnew\n❷ **0402: quiet**"
        (small,) = post.attachments
        assert small.filename.startswith("map-")
    assert not any("❶" in one.content for one in (await here.channel("public")).history())


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
    kinds = [set(order.ranges) for _, order, _ in asked]
    assert kinds == [set(), {"supply"}, {"detection", "supply"}]
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
