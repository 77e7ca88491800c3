"""What is drawn is drawn in the theme of the installation."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from bot.delivery.compose import files_of
from bot.delivery.drawing import AnyView, Drawing, MapOrder, ThemeDefects
from bot.records.files import BattleFile, FileSpec, PublicMapFile, SideMapFile, WholeMapFile
from bot.settings import BUILT_IN
from map_render import MapImage
from rules_engine.core.knowledge.glance import News
from rules_engine.core.knowledge.views import OmniscientView, PublicView, SideView
from rules_engine.core.protocol.asks import BattleSetup, Panel
from rules_engine.rulebooks.vector.records.aims import FarEdge
from rules_engine.rulebooks.vector.shown.boards import side_board
from tests.bot.delivery.test_compose import BOARD
from tests.expected.kept import cases
from tests.rulebooks.vector.duels import duel

PAPER = """
name = "blank"
paper = "#fefefe"
"""
SETUP = BattleSetup(key="b1", title="Battle", where="0203", panels=(Panel(title="Forces", rows=("CA Kestrel",)),))
SPECS: list[FileSpec] = [
    SideMapFile(view=SideView(side="alliance", board=BOARD)),
    PublicMapFile(view=PublicView(public=BOARD)),
    BattleFile(sheet=SETUP),
    WholeMapFile(view=OmniscientView(omniscient=BOARD)),
]

pytestmark = pytest.mark.pictures


def colours_of(png: bytes) -> set[tuple[int, ...]]:
    """All colours of a picture."""
    with Image.open(BytesIO(png)) as image:
        return {colour for _, colour in image.convert("RGB").getcolors(1 << 24) or ()}


@pytest.mark.parametrize("spec", SPECS, ids=["side", "public", "battle", "whole"])
async def test_what_is_posted_has_the_themes_paper(spec: FileSpec) -> None:
    paper = Drawing(BUILT_IN / "themes" / "paper.toml")
    (plain,), _ = await files_of([spec], Drawing())
    (themed,), _ = await files_of([spec], paper)
    ground = tuple(bytes.fromhex(paper.theme.paper.removeprefix("#")))
    assert ground in colours_of(themed.data)
    assert ground not in colours_of(plain.data)
    assert themed.alt == plain.alt


@cases("view", made="view")
def test_so_has_a_map_that_is_asked_for(view: SideView | PublicView | OmniscientView) -> None:
    paper = Drawing(BUILT_IN / "themes" / "paper.toml")
    assert colours_of(paper.map(view).png) != colours_of(Drawing().map(view).png)
    assert paper.pictures(view, area=BOARD.grid.hexes()[:2])[0].png != paper.map(view).png


def test_the_built_in_default_is_the_same_from_its_file() -> None:
    assert Drawing(BUILT_IN / "themes" / "default.toml").theme == Drawing().theme


def test_a_theme_that_cannot_be_used_is_told_by_its_file_and_with_every_defect(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('paper = "blue"\nsorts = 1\n', encoding="utf-8")
    with pytest.raises(ThemeDefects) as told:
        Drawing(wrong).theme  # noqa: B018  reading it is what is tried
    assert str(wrong) in str(told.value)
    assert "paper" in str(told.value)
    assert "sorts" in str(told.value)
    with pytest.raises(ThemeDefects, match="cannot be read"):
        Drawing(tmp_path / "away.toml").theme  # noqa: B018  the same


def with_news() -> SideView:
    """A view with two numbered places."""
    news = (News(hexes=("0203",), title="Dusk", fact="TF1 is there"), News(hexes=("0104", "0204"), title="B", fact="x"))
    return SideView(side="alliance", board=BOARD.model_copy(update={"news": news}))


def test_the_map_comes_first_and_then_a_crop_of_each_numbered_place() -> None:
    view = with_news()
    drawing = Drawing()
    whole, *crops = drawing.pictures(view)
    assert whole == drawing.map(view)
    assert crops == [drawing.pictures(view, area=rank)[0] for rank in (1, 2)]
    assert len({one.png for one in (whole, *crops)}) == 3


def test_a_battle_flown_by_vectors_is_one_picture_and_a_ship_large_when_asked_for() -> None:
    board = side_board(duel("C1 courier 0410 8C | H1 hunter 0415 6C", edge=FarEdge(column=40)), "c")
    view = SideView(side="c", board=board)
    assert board.news
    drawing = Drawing()
    assert drawing.pictures(view) == (drawing.map(view),)
    assert drawing.pictures(view, area=1)[0].png != drawing.map(view).png


async def test_a_crop_that_cannot_be_drawn_keeps_the_map_back_from_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Drawing._crop

    def crop(self: Drawing, view: AnyView, area: tuple[str, ...] | int, order: MapOrder) -> MapImage:
        if area == 1:
            raise RuntimeError("a renderer's mistake")
        return plain(self, view, area, order)

    monkeypatch.setattr(Drawing, "_crop", crop)
    drawing = Drawing()
    files, notes = await files_of([SideMapFile(view=with_news())], drawing)
    assert [file.name for file in files] == ["map.png", "map-2.png"]
    assert notes == ()
    with pytest.raises(RuntimeError):
        drawing.pictures(with_news(), area=1)


async def test_a_map_of_everything_is_one_picture_that_says_so() -> None:
    files, notes = await files_of([WholeMapFile(view=OmniscientView(omniscient=with_news().board))], Drawing())
    assert [file.name for file in files] == ["map.png"]
    assert "with everything on it" in files[0].alt
    assert notes == ()


@pytest.mark.parametrize("theme", ["", "paper", "gone"])
async def test_what_is_posted_has_the_campaigns_theme(theme: str) -> None:
    drawing = Drawing(others={"paper": BUILT_IN / "themes" / "paper.toml"})
    ground = tuple(bytes.fromhex(drawing.named("paper").paper.removeprefix("#")))
    for spec in SPECS:
        (file,), _ = await files_of([spec], drawing, theme=theme)
        assert (ground in colours_of(file.data)) == (theme == "paper")
