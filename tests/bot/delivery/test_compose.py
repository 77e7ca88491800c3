"""What messages are made of: components, prepared content, direct answers, and the queues they wait in."""

from io import BytesIO
from typing import Any

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from simcord.backend.models import Message as Stored

from bot.delivery import exit as way_out
from bot.delivery.compose import Unfit, files_of, view_of
from bot.delivery.drawing import Drawing
from bot.delivery.prepared import FILES_LIMIT, TEXT_LIMIT, Attachment, Message, document, grouped, picture, split
from bot.records import effects, places
from bot.records.components import Card
from bot.records.files import BattleDetailsFile, BattleFile, PublicMapFile, SideMapFile, UnreadableFile
from bot.settings import BUILT_IN
from rules_engine.core.basics.base import Party, SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.battle_scene import BattleFigure, BattleForce, BattleScene, BattleUnit
from rules_engine.core.knowledge.views import Board, Counter, Panel, PublicView, SideView
from rules_engine.core.protocol.asks import BattleSetup
from tests.bot.delivery.world import World
from tests.expected.kept import Kept, cases

BUTTON = {"type": "button", "id": "p|t|go|", "label": "Go", "style": "success", "disabled": True}
SELECT = {
    "type": "select", "id": "p|t|pick|", "placeholder": "Which?",
    "options": [
        {"value": "a", "label": "A", "description": "first", "default": True},
        {"value": "b", "label": "B", "description": "", "default": False},
    ],
    "min": 1, "max": 2,
}  # fmt: skip
BOARD = Board(
    campaign="Convoy", rulebook="pq17", heading="Turn 1", when=When(turn=1),
    sides=(SideLabel(key="alliance", name="Alliance", emblem="A"),), grid=Grid(columns=4, rows=4),
    counters=(Counter(id="TF1", hex="0203", owner="alliance", label="TF1"),),
)  # fmt: skip


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


@cases("case, spec", made="spec")
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
    files = [{"kind": "side_map", "view": SideView(side="alliance", board=BOARD).model_dump(mode="json")}]
    await world.posted("side:alliance", "Turn 1.", files=files)
    (message,) = world.messages_in(await world.place("side:alliance"))
    (attachment,) = message.attachments
    assert attachment["filename"] == "map.png"
    assert "TF1" in attachment["description"]


# --- prepared content: limits are kept by splitting, and nothing is cut silently --------------------------------------
def test_a_text_that_fits_is_left_as_it_is() -> None:
    assert split("one\n\ntwo") == ["one\n\ntwo"]


def test_an_empty_text_gives_no_piece() -> None:
    assert split("") == []
    assert split("\n\n") == []


def test_a_text_is_split_at_line_ends() -> None:
    assert split("a" * 60 + "\n" + "b" * 60 + "\n" + "c" * 20, limit=100) == ["a" * 60, "b" * 60 + "\n" + "c" * 20]


def test_a_line_that_is_too_long_is_split_at_spaces_and_else_hard() -> None:
    assert split("x" * 50 + " " + "y" * 50, limit=100) == ["x" * 50, "y" * 50]
    assert split("z" * 250, limit=100) == ["z" * 100, "z" * 100, "z" * 50]


def test_a_code_block_that_is_cut_is_closed_and_opened_again() -> None:
    text = "```ini\n" + "\n".join(f"line {n}" for n in range(30)) + "\n```\nafter"
    pieces = split(text, limit=150)
    assert len(pieces) > 1
    assert all(piece.count("```") % 2 == 0 for piece in pieces)
    assert all(piece.startswith("```ini\n") for piece in pieces[1:-1])
    found = [line for piece in pieces for line in piece.split("\n") if line.startswith("line")]
    assert found == [f"line {n}" for n in range(30)]


@given(st.text(st.sampled_from("ab `\n"), max_size=600))
def test_no_piece_is_too_long_and_no_letter_is_lost(text: str) -> None:
    pieces = split(text, limit=120)
    assert all(0 < len(piece) <= 120 for piece in pieces)
    letters = "".join(letter for letter in text if letter in "ab")
    if "```" not in text:  # a code block's opening line is repeated
        assert "".join(letter for piece in pieces for letter in piece if letter in "ab") == letters


def test_files_ride_on_the_last_part_and_pings_on_the_first() -> None:
    parts = Message("x\n" * 1500, files=(Attachment("a.txt", b"a"),), ping_users=(7,)).parts()
    assert [len(part.files) for part in parts] == [0, 1]
    assert [part.ping_users for part in parts] == [(7,), ()]


def test_more_files_than_a_message_takes_become_several_messages() -> None:
    parts = Message("Here.", files=tuple(Attachment(f"{n}.txt", b"") for n in range(FILES_LIMIT + 3))).parts()
    assert [(part.text, len(part.files)) for part in parts] == [("Here.", 10), ("", 3)]


def test_files_are_grouped_by_size_too() -> None:
    files = [Attachment("a", b"x" * 60), Attachment("b", b"x" * 60), Attachment("c", b"x" * 30)]
    assert [[file.name for file in group] for group in grouped(files, limit=100)] == [["a"], ["b", "c"]]


def test_a_message_of_nothing_is_no_message() -> None:
    assert Message().parts() == []


def test_an_edit_that_is_too_long_carries_the_whole_text_as_a_file() -> None:
    text = "line of orders\n" * 200
    whole = Message(text).whole()
    assert len(whole.text) <= TEXT_LIMIT
    assert whole.text.endswith("… continued in the attached file.")
    assert [file.data.decode() for file in whole.files] == [text]


def test_pings_are_written_in_front_once() -> None:
    assert Message("Hello", ping_users=(7, 9)).pinging().text == "<@7> <@9>\nHello"
    assert Message("Hello <@7>", ping_users=(7,)).pinging().text == "Hello <@7>"


def test_only_who_is_named_may_be_pinged() -> None:
    assert Message("@everyone <@1>").allowed_mentions().to_dict() == {"parse": [], "users": [], "roles": []}
    allowed = Message("x", ping_users=(7,)).allowed_mentions().to_dict()
    assert (allowed["parse"], allowed["users"], allowed["roles"]) == ([], [7], [])


def test_a_picture_that_is_too_big_is_replaced_by_the_words_for_it() -> None:
    files, note = picture("map.png", b"x" * 200, "short", limit=100, words=lambda: "TF1 in 0412")
    assert [(file.name, file.data) for file in files] == [("map.txt", b"TF1 in 0412")]
    assert "too big for Discord" in note


def test_a_picture_keeps_its_alt_text_and_one_too_long_is_a_defect() -> None:
    files, note = picture("map.png", b"x", "TF1 in 0412")
    assert [(file.alt, note) for file in files] == [("TF1 in 0412", "")]
    with pytest.raises(ValueError, match="alt text of 1025 characters"):
        picture("map.png", b"x", "x" * 1025)


def test_a_document_that_is_too_big_comes_in_pieces_that_join_to_it() -> None:
    files, note = document("export.json", b"abcdefghij", limit=4)
    assert [file.name for file in files] == ["export.json.1of3", "export.json.2of3", "export.json.3of3"]
    assert b"".join(file.data for file in files) == b"abcdefghij"
    assert "join its 3 pieces" in note


# --- direct answers to interactions: for the caller's eyes, whole, without pings, without state in discord.py ---------
CARD = Card("Plot.", (({"type": "button", "id": "p|tok|go|", "label": "Go", "style": "primary", "disabled": False},),))


async def pressed(world: World, answer: Any) -> Any:
    """Ann presses the button in her channel, and ``answer`` handles it; gives what came of it."""

    async def on_interaction(interaction: discord.Interaction[Any]) -> None:
        await answer(interaction)

    world.env.bot.on_interaction = on_interaction  # type: ignore[attr-defined]
    await world.posted("side:alliance", "Plot.", card=CARD)
    channel = await world.place("side:alliance")
    (message,) = next(one for one in world.guild.channels.values() if one.id == channel).history()
    return await world.ann.click(message, custom_id="p|tok|go|")


async def test_a_reply_is_for_the_caller_only(world: World) -> None:
    result = await pressed(world, lambda i: way_out.reply(i, Message(f"Saved. <@{world.leo.id}>")))
    assert result.response.content.startswith("Saved.")
    assert result.response.ephemeral


async def test_a_long_reply_comes_whole_and_every_part_is_for_the_caller_only(world: World) -> None:
    text = "\n".join(f"line {n} {'x' * 60}" for n in range(60))
    message = Message(text, files=(Attachment("full.txt", b"all"),), view=view_of(CARD))
    result = await pressed(world, lambda i: way_out.reply(i, message))
    parts = [result.response, *result.followups]
    assert len(parts) > 1
    assert all(part.ephemeral for part in parts)
    assert "\n".join(part.content for part in parts) == text


async def test_a_reply_after_a_defer_is_a_followup_for_the_caller_only(world: World) -> None:
    async def answer(interaction: discord.Interaction[Any]) -> None:
        await way_out.defer(interaction)
        await way_out.reply(interaction, Message("Done."))

    result = await pressed(world, answer)
    said = [part for part in (result.response, *result.followups) if part and part.content == "Done."]
    assert [part.ephemeral for part in said] == [True]


async def test_a_pressed_message_is_replaced(world: World) -> None:
    await pressed(world, lambda i: way_out.update_message(i, Message("Saved.")))
    (message,) = world.messages_in(await world.place("side:alliance"))
    assert (message.content, message.components) == ("Saved.", [])


async def test_a_pressed_message_is_replaced_after_a_silent_defer(world: World) -> None:
    async def answer(interaction: discord.Interaction[Any]) -> None:
        await way_out.defer(interaction, update=True)
        await way_out.update_message(interaction, Message("Saved.", view=view_of(CARD)))

    await pressed(world, answer)
    (message,) = world.messages_in(await world.place("side:alliance"))
    assert isinstance(message, Stored)
    assert message.content == "Saved."
    assert message.components


async def test_neither_views_nor_modals_are_kept_by_the_client(world: World) -> None:
    """What discord.py keeps under a custom id could be answered by another user's form."""

    class Form(discord.ui.Modal, title="Plot"):
        answer: discord.ui.TextInput[Any] = discord.ui.TextInput(label="Where to?")

    await pressed(world, lambda i: way_out.open_modal(i, Form(custom_id="p|tok|modal")))
    store = world.env.bot._connection._view_store
    assert not store._modals
    assert not store._views


# --- the outbox's queues keep order for each destination, and name none that is a secret ------------------------------
@pytest.mark.parametrize("place", ["side:alliance", "battle:T1/I4/combat/0505/vs/hydran/klingon/main"])
def test_a_lane_names_no_side_and_no_battle(place: str) -> None:
    lane = effects.Post(place=place).queue
    kind, _, rest = lane.partition("#")
    assert kind == place.partition(":")[0]
    assert len(rest) == 16
    assert not [word for word in ("alliance", "hydran", "0505", "T1") if word in lane]
    assert effects.Post(place=f"{place}2").queue != lane == places.lane_of(place)


@pytest.mark.parametrize("place", ["public", "referee", "battles", "category"])
def test_what_everybody_knows_of_has_its_own_name(place: str) -> None:
    assert effects.Post(place=place).queue == place
