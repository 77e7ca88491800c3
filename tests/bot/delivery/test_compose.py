"""Cards become components within Discord's limits; views become pictures with alt text and neutral names."""

from io import BytesIO

import discord
import pytest
from PIL import Image

from bot.delivery.compose import Unfit, files_of, view_of
from bot.delivery.drawing import Drawing
from bot.records.components import Card
from bot.records.files import BattleDetailsFile, BattleFile, PublicMapFile, SideMapFile, UnreadableFile
from bot.settings import BUILT_IN
from rules_engine.core.basics.base import Party, SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.battle_scene import BattleFigure, BattleForce, BattleScene, BattleUnit
from rules_engine.core.knowledge.views import Board, Counter, Panel, PublicView, SideView
from rules_engine.core.protocol.asks import BattleSetup
from tests.bot.delivery.world import World
from tests.expected.kept import Kept

BUTTON = {"type": "button", "id": "p|t|go|", "label": "Go", "style": "success", "disabled": True}
SELECT = {
    "type": "select",
    "id": "p|t|pick|",
    "placeholder": "Which?",
    "options": [
        {"value": "a", "label": "A", "description": "first", "default": True},
        {"value": "b", "label": "B", "description": "", "default": False},
    ],
    "min": 1,
    "max": 2,
}
BOARD = Board(
    campaign="Convoy",
    rulebook="pq17",
    heading="Turn 1",
    when=When(turn=1),
    sides=(SideLabel(key="alliance", name="Alliance", emblem="A"),),
    grid=Grid(columns=4, rows=4),
    counters=(Counter(id="TF1", hex="0203", owner="alliance", label="TF1"),),
)


async def test_a_card_becomes_components_with_its_ids() -> None:
    view = view_of(Card("", ((BUTTON, {**BUTTON, "id": "p|t|no|"}), (SELECT,))))
    assert view is not None
    buttons, select = view.to_components()
    assert [one["custom_id"] for one in buttons["components"]] == ["p|t|go|", "p|t|no|"]
    assert (buttons["components"][0]["style"], buttons["components"][0]["disabled"]) == (3, True)
    (menu,) = select["components"]
    assert (menu["custom_id"], menu["min_values"], menu["max_values"]) == ("p|t|pick|", 1, 2)
    assert [option["value"] for option in menu["options"]] == ["a", "b"]
    assert view.is_finished(), "discord.py would keep it"


@pytest.mark.parametrize("card", [None, Card("x"), Card("x", ((),))])
async def test_a_card_without_components_has_no_view(card: Card | None) -> None:
    assert view_of(card) is None


async def test_rows_that_were_shown_before_are_the_same_components() -> None:
    rows = ((SELECT,), (BUTTON,))
    shown = view_of(Card("", rows))
    assert shown is not None
    assert view_of(Card("another text", rows)) is shown
    assert view_of(Card("", (({**SELECT},), ({**BUTTON},)))) is shown
    assert view_of(Card("", ((SELECT,), ({**BUTTON, "label": "Stop"},)))) is not shown
    fresh = discord.ui.View.to_components(shown)
    assert shown.to_components() == fresh
    assert shown.to_components() == fresh, "as often as it is sent"


async def test_all_defects_of_a_card_are_named_at_once_with_their_places(kept: Kept) -> None:
    plain = {"description": "", "default": False}
    options = [
        {"value": "v" * 101, "label": "", **plain},
        *({"value": str(n), "label": "x", **plain} for n in range(25)),
    ]
    rows = (
        ({**BUTTON, "label": ""}, *({**BUTTON, "id": f"b{n}"} for n in range(5))),
        (SELECT, BUTTON),
        ({**SELECT, "id": "i" * 101, "options": options, "max": 30},),
    )
    with pytest.raises(Unfit) as found:
        view_of(Card("", rows))
    assert str(found.value).split("; ") == kept()


@pytest.mark.parametrize(
    "spec",
    [SideMapFile(view=SideView(side="alliance", board=BOARD)), PublicMapFile(view=PublicView(public=BOARD))],
    ids=["side", "public"],
)
async def test_a_map_is_a_picture_with_alt_text_and_a_neutral_name(spec: SideMapFile | PublicMapFile) -> None:
    (file,), notes = await files_of([spec], Drawing())
    assert (file.name, notes) == ("map.png", ())
    assert "TF1" in file.alt
    assert "0203" in file.alt
    assert Image.open(BytesIO(file.data)).format == "PNG"


def sheet(**secret: str) -> BattleFile:
    panels = {side: (Panel(title="Yours", rows=(text,)),) for side, text in secret.items()}
    made = BattleSetup(
        key="b1", title="Battle", where="0203", panels=(Panel(title="Forces", rows=("CA Kestrel",)),), secret=panels
    )
    return BattleFile(sheet=made)


async def test_a_battle_sheet_never_shows_what_is_one_sides_secret() -> None:
    """Drawn for both: byte for byte the same, whatever the secret panels hold."""
    with_secret, _ = await files_of([sheet(alliance="Mines at bearing 3")], Drawing())
    without, _ = await files_of([sheet()], Drawing())
    assert with_secret == without
    assert "Kestrel" in with_secret[0].alt


def scene_of_two() -> BattleScene:
    """A battle between a side with a destroyer and one without any unit."""
    labels = (
        SideLabel(key="alliance", name="Alliance", emblem="A"),
        SideLabel(key="kzinti", name="Kzinti", emblem="K"),
    )
    return BattleScene(
        title="Battle in 0203",
        parties=tuple(Party(label=label, seat=seat) for seat, label in enumerate(labels)),
        forces=(BattleForce(sides=("alliance",), does="defends"), BattleForce(sides=("kzinti",), does="attacks")),
        units=(BattleUnit(code="DF1", side="alliance", kind="Destroyer", cells=(BattleFigure(says="15"),)),),
        columns=("warp",),
    )


async def test_a_battle_with_a_scene_has_two_pictures_and_neither_shows_a_secret() -> None:
    plain = sheet().sheet.model_copy(update={"scene": scene_of_two()})
    told = sheet(alliance="Mines at bearing 3").sheet.model_copy(update={"scene": scene_of_two()})
    files, notes = await files_of([BattleFile(sheet=told), BattleDetailsFile(sheet=told)], Drawing())
    assert ([file.name for file in files], notes) == (["battle.png", "details.png"], ())
    assert (files, notes) == await files_of([BattleFile(sheet=plain), BattleDetailsFile(sheet=plain)], Drawing())
    assert "Alliance defends with 1 unit" in files[0].alt
    assert "warp 15" in files[1].alt
    themes = {"paper": BUILT_IN / "themes" / "paper.toml"}
    printed, _ = await files_of([BattleDetailsFile(sheet=told)], Drawing(others=themes), theme="paper")
    assert printed[0].data != files[1].data


async def test_a_battle_without_a_scene_has_one_picture() -> None:
    assert await files_of([BattleDetailsFile(sheet=sheet().sheet)], Drawing()) == ((), ())


async def test_two_maps_in_one_message_have_two_names() -> None:
    spec = PublicMapFile(view=PublicView(public=BOARD))
    files, _ = await files_of([spec, spec], Drawing())
    assert [file.name for file in files] == ["map.png", "map-2.png"]


async def test_an_unknown_kind_of_file_is_an_error() -> None:
    with pytest.raises(ValueError, match="not understood"):
        await files_of([UnreadableFile()], Drawing())


async def test_the_alt_text_arrives_at_discord(world: World) -> None:
    await world.post(
        "side:alliance",
        "Turn 1.",
        files=[{"kind": "side_map", "view": SideView(side="alliance", board=BOARD).model_dump(mode="json")}],
    )
    await world.deliver()
    (message,) = world.messages_in(await world.place("side:alliance"))
    (attachment,) = message.attachments
    assert attachment["filename"] == "map.png"
    assert "TF1" in attachment["description"]
