"""Battle sheets as cards."""

import io

import pytest
from PIL import Image

from map_render import describe_battle, render_battle
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.asks import BattleSetup

SHEET = BattleSetup(
    key="b3",
    title="Battle 3",
    where="Hex 0606",
    panels=(Panel(title="Alliance", rows=("CA Constellation", "DD Hawk")), Panel(title="Kzinti", rows=("2 frigates",))),
    secret={
        "alliance": (Panel(title="Hidden", rows=("cloaked scout in 0303",)),),
        "kzinti": (Panel(title="Hidden", rows=("minefield in 0404",)),),
    },
)


def test_a_card_is_a_palette_png_without_metadata() -> None:
    found = render_battle(SHEET)
    image = Image.open(io.BytesIO(found.png))
    assert image.size == (found.width, found.height)
    assert image.mode == "P"
    assert not image.info
    assert found.filename == "sheet.png"
    assert render_battle(SHEET) == found


def test_secret_panels_go_to_their_side_alone() -> None:
    public = SHEET.model_copy(update={"secret": {}})
    assert render_battle(SHEET) == render_battle(public)
    assert describe_battle(SHEET) == describe_battle(public)
    assert render_battle(SHEET, side="stranger") == render_battle(public)
    ours, theirs = render_battle(SHEET, side="alliance"), render_battle(SHEET, side="kzinti")
    assert ours.png != theirs.png != render_battle(SHEET).png
    assert "cloaked scout" in ours.alt
    assert "cloaked scout" not in theirs.alt + describe_battle(SHEET, "kzinti")
    only_ours = SHEET.model_copy(update={"secret": {"alliance": SHEET.secret["alliance"]}})
    assert render_battle(only_ours, side="alliance") == ours


def test_every_row_shows() -> None:
    for place, panel in enumerate(SHEET.panels):
        for row in range(len(panel.rows)):
            rows = panel.rows[:row] + panel.rows[row + 1 :]
            panels = tuple(
                one if at != place else Panel(title=panel.title, rows=rows) for at, one in enumerate(SHEET.panels)
            )
            assert render_battle(SHEET.model_copy(update={"panels": panels})).png != render_battle(SHEET).png


@pytest.mark.parametrize("rows", [0, 40, 400])
def test_long_sheets_stay_an_image_and_say_that_they_were_cut(rows: int) -> None:
    panels = tuple(
        Panel(title=f"Part {n}", rows=(f"row {n} with a good many words in it " * 3,) * rows) for n in range(3)
    )
    found = render_battle(SHEET.model_copy(update={"panels": panels}))
    assert found.width == 1200
    assert found.height <= 4000
    assert len(found.alt) <= 1024
    assert len(found.png) < 900_000


@pytest.mark.parametrize("word", ["😀", "שלום", "x" * 900, "", "\u202e"], ids=ascii)
def test_weird_words_on_a_card(word: str) -> None:
    sheet = BattleSetup(key="b", title=word, where=word, panels=(Panel(title=word, rows=(word, word)),))
    assert render_battle(sheet).width == 1200
