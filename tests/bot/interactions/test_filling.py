"""Filling in a sheet: by form, by typing, by quick buttons, by file; being ready; the deadline."""

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import event

from bot.cards import menus
from bot.delivery.exit import defer
from bot.interactions import prompt_presses, showing
from bot.orders.examples import example_of
from bot.orders.open_prompt import OpenPrompt
from bot.records import effects, prompts
from bot.records.components import Card
from bot.store import database, errors
from bot.store.tables import CampaignRow, OutboxRow, PromptRow
from bot.store.transaction import Transaction
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.protocol.asks import Ask
from tests.bot.worlds.simulated_server import SimulatedServer, message_of, modal_of, said
from tests.expected.words import has_words
from tests.message_words import pressable
from tests.toy import Orders


async def test_a_line_opens_a_form_with_its_fields_filled_in(game: SimulatedServer) -> None:
    shown = await game.ann.user.select(game.prompt(game.ann, "Orders for turn 1"), ["0.0"])
    assert modal_of(shown)["title"] == "The fleet"
    labels = [one["label"] for one in shown.modal["components"]]
    assert labels == ["Number", "Stance", "Escorts", "Make noise", "Motto"]
    number, stance, escorts, loud, motto = (one["component"] for one in shown.modal["components"])
    assert (number["type"], number["value"], number["required"]) == (4, "1", True)
    assert [one["value"] for one in stance["options"] if one.get("default")] == ["careful"]
    assert (escorts["min_values"], escorts["max_values"], escorts["required"]) == (0, 3, False)
    assert loud["type"] == 23
    assert motto["required"] is False


async def test_a_legal_form_is_journalled_and_receipted(game: SimulatedServer) -> None:
    result = await game.fill(
        game.ann, "Orders for turn 1", "0.0", f0="7", f1=["bold"], f2=["E1", "E3"], f3=True, f4="Onward"
    )
    assert result.response is not None
    message = game.prompt(game.ann, "Orders for turn 1")
    has_words(message.content, "number 7, bold", "Saved, receipt `")
    assert await game.journal() == ["genesis", "seated", "answered"]
    drafts = await game.rows(PromptRow.draft, PromptRow.side == "red", PromptRow.kind == "orders")
    assert drafts == [
        {"fleet": {"number": 7, "stance": "bold", "escorts": ["E1", "E3"], "loud": True, "motto": "Onward"}}
    ]


async def test_a_form_sent_asks_the_database_ten_times(game: SimulatedServer) -> None:
    """Each time waits twice for a thread to wake, which is most of what somebody waits for (tests/bench/README.md)."""
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7")
    shown = await game.choose(game.ann, "Orders for turn 1", "0.0")
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        asked.append(" ".join(statement.split()))

    engines = [one.sync_engine for one in (game.store._engines.reading, game.store._engines.writing)]
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    await game.submit(game.ann.user, shown, f0="8")
    for engine in engines:
        event.remove(engine, "before_cursor_execute", note)
    assert len(asked) <= 10, asked


async def test_the_second_part_keeps_what_the_first_part_said(game: SimulatedServer) -> None:
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="4", f1=["careful"])
    shown = await game.ann.user.select(game.prompt(game.ann, "Orders for turn 1"), ["0.1"])
    assert modal_of(shown)["components"][0]["component"]["type"] == 4  # thirty sectors do not fit a menu
    await game.submit(game.ann.user, shown, f0="S17")
    drafts = await game.rows(PromptRow.draft, PromptRow.side == "red", PromptRow.kind == "orders")
    assert (drafts[0]["fleet"]["number"], drafts[0]["fleet"]["sector"]) == (4, "s17")


async def test_what_is_refused_is_said_with_its_rule_and_its_form_opens_with_it_again(game: SimulatedServer) -> None:
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="2", f1=["bold"])
    message = game.prompt(game.ann, "Orders for turn 1")
    assert "a bold fleet names 3 or more (Toy 1.3). Legal: 3 to 9." in message.content
    assert await game.journal() == ["genesis", "seated"]
    shown = await game.ann.user.select(message, ["0.0"])
    assert modal_of(shown)["components"][0]["component"]["value"] == "2"


async def test_an_unknown_choice_is_refused_with_the_nearest_one(game: SimulatedServer) -> None:
    await game.fill(game.ann, "Orders for turn 1", "0.1", f0="s1O")
    content = game.prompt(game.ann, "Orders for turn 1").content
    has_words(content, "“s1O” is not one of the choices", "Did you mean s")


async def test_typed_orders_come_prefilled_and_are_read_back(game: SimulatedServer) -> None:
    shown = await game.press(game.leo, "Orders for turn 1", "Write them")
    assert "fleet: number 1; stance careful" in modal_of(shown)["components"][0]["component"]["value"]
    await game.submit(game.leo.user, shown, text='fleet: number 8; motto "a, b"')
    assert "number 8, careful" in game.prompt(game.leo, "Orders for turn 1").content


async def test_typed_nonsense_names_the_line_and_what_was_meant(game: SimulatedServer) -> None:
    shown = await game.press(game.leo, "Orders for turn 1", "Write them")
    await game.submit(game.leo.user, shown, text="fleet: nunber 8")
    content = game.prompt(game.leo, "Orders for turn 1").content
    has_words(content, "line 1", "Did you mean number?")
    assert await game.journal() == ["genesis", "seated"]


async def test_the_whole_sheet_comes_as_a_file_and_goes_back_as_one(game: SimulatedServer) -> None:
    result = await game.press(game.ann, "Orders for turn 1", "As a file")
    assert result.ephemeral
    (file,) = message_of(result).attachments
    assert file.filename == "orders.txt"
    text = (await file.read()).decode().replace("number 1", "number 6")
    sheet = await game.token("red", "orders")
    result = await game.dm_slash(game.ann, "orders upload", file=("orders.txt", text.encode()), sheet=sheet)
    assert "number 6, careful" in said(result)
    # The copy in the direct messages follows.
    assert "number 6, careful" in game.prompt(game.ann, "Orders for turn 1").content


async def test_files_that_are_no_orders_are_refused_before_they_are_read(game: SimulatedServer) -> None:
    sheet = await game.token("red", "orders")
    for content, word in (
        (b"x" * (256 * 1024 + 1), "at most 256 kB"),
        (b"\x89PNG\r\n\x1a\n\0\0", "not plain text"),
        ("Flotte: größer".encode("latin-1"), "not UTF-8"),
    ):
        assert word in said(await game.dm_slash(game.ann, "orders upload", file=("orders.txt", content), sheet=sheet))
    assert await game.journal() == ["genesis", "seated"]


async def test_start_over(game: SimulatedServer) -> None:
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7", f1=["bold"])
    asked = await game.press(game.ann, "Orders for turn 1", "Start over")
    assert "fleet: number 7; stance bold" in said(asked)
    await game.ann.user.click(message_of(asked), label="Throw it away")
    assert "number 1, careful" in game.prompt(game.ann, "Orders for turn 1").content


async def test_two_people_with_the_same_form_open_send_back_their_own(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.seat(campaign, ann="red", abe="red", leo="blue")
    await here.slash(here.rita, "campaign start")
    forms = {}
    for who in (here.ann, here.abe, here.leo):
        forms[who] = await who.user.select(here.prompt(who, "Orders for turn 1"), ["0.0"])
    assert len({form.modal["custom_id"] for form in forms.values()}) == 3
    await here.submit(here.leo.user, forms[here.leo], f0="9")
    await here.submit(here.ann.user, forms[here.ann], f0="5")
    assert "number 9" in here.prompt(here.leo, "Orders for turn 1").content
    assert "number 5" in here.prompt(here.ann, "Orders for turn 1").content
    # The other commander of the side sees it too, in their own copy.
    assert "number 5" in here.prompt(here.abe, "Orders for turn 1").content
    await here.submit(here.abe.user, forms[here.abe], f0="6")
    assert "number 6" in here.prompt(here.ann, "Orders for turn 1").content


async def test_components_work_after_a_restart(game: SimulatedServer) -> None:
    opened = await game.ann.user.select(game.prompt(game.ann, "Orders for turn 1"), ["0.0"])
    await game.restart()
    await game.submit(game.ann.user, opened, f0="8")
    assert "number 8" in game.prompt(game.ann, "Orders for turn 1").content
    await game.press(game.ann, "Orders for turn 1", "Ready")
    await game.restart()
    await game.press(game.leo, "Orders for turn 1", "Ready")
    assert await game.open_titles() == [("red", "The spoils")]


async def test_closed_direct_messages_fall_back_to_the_sides_channel(here: SimulatedServer) -> None:
    here.env.inject_error(
        "POST", "/users/@me/channels", status=403, code=50007, message="Cannot send messages to this user", times=None
    )
    await here.begin()
    cards = [one for one in (await here.channel("side:red")).history() if pressable(one)]
    assert all(one.content.startswith(f"{here.ann.mention} I could not reach you") for one in cards)
    await here.ann.click(next(one for one in cards if "Orders for turn 1" in one.content), label="Ready")
    assert await here.journal() == ["genesis", "seated", "readied"]


async def test_a_pressed_prompt_of_a_closed_turn_explains_itself_and_disappears(game: SimulatedServer) -> None:
    opened = await game.ann.user.select(game.prompt(game.ann, "Orders for turn 1"), ["0.0"])
    old = game.prompt(game.ann, "Orders for turn 1")
    await game.later(24 * 3600 + 60)
    result = await game.forge(game.ann.user, old, f"p|{await game.token('red', 'orders')}|ready|1")
    message = next(one for one in game.dms(game.ann) if one.id == old.id)
    assert not pressable(message)
    assert "Closed at its deadline." in message.content
    assert "is closed; nothing was changed" in said(result)
    assert "is closed; nothing was changed" in said(await game.submit(game.ann.user, opened, f0="8"))
    assert (await game.journal()).count("answered") == 0


@pytest.mark.parametrize(("number", "says"), [("7", "number 7, bold"), ("2", "names 3 or more (Toy 1.3)")])
async def test_an_older_card_that_comes_late_does_not_stay(game: SimulatedServer, number: str, says: str) -> None:
    """Discord held up a card; its owner filled the sheet in meanwhile, legally or not."""
    title = "Orders for turn 1"
    ann = game.ann.user.id
    old = effects.Refresh(token=await game.token("red", "orders"), card=Card(f"{title}: the older card"), dm=ann)
    (campaign,) = await game.rows(CampaignRow.id)
    async with game.store.write() as tx:
        await tx.outbox.put(campaign, old, now=game.now())
        held_up = game.now() + timedelta(seconds=60)
        await tx.connection.execute(sa.update(OutboxRow).where(OutboxRow.kind == "refresh").values(not_before=held_up))
    await game.fill(game.ann, title, "0.0", f0=number, f1=["bold"])
    await game.later(120)
    game.bot.delivery.kick()
    await game.bot.delivery.idle()
    texts = [message.content for message in game.dms(game.ann) if title in message.content]
    assert len(texts) == 1
    assert says in texts[0]
    assert await game.rows(OutboxRow.status, OutboxRow.kind == "refresh") == ["done", "done"]


async def test_a_form_that_could_not_be_opened_in_time_is_asked_for_again(
    game: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord takes a form only as the first answer, and a bot just started may need its three seconds."""
    opened = prompt_presses.open_text

    async def slowly(interaction: showing.Interaction, prompt: OpenPrompt, returned: prompts.Returned) -> None:
        await defer(interaction, update=True)  # as happens two seconds after the press
        await opened(interaction, prompt, returned)

    monkeypatch.setattr(prompt_presses, "open_text", slowly)
    result = await game.press(game.ann, "Orders for turn 1", "Write them")
    assert result.modal is None
    assert "Press once more" in said(result)
    monkeypatch.undo()
    assert (await game.press(game.ann, "Orders for turn 1", "Write them")).modal is not None


async def test_typed_orders_that_cannot_be_read_are_given_back_to_be_copied(game: SimulatedServer) -> None:
    shown = await game.press(game.leo, "Orders for turn 1", "Write them")
    await game.submit(game.leo.user, shown, text="fleet: number 8\nfleat: ```number``` 4")
    content = game.prompt(game.leo, "Orders for turn 1").content
    assert content.count("there is no line") == 1
    assert "You wrote:\n```\nfleet: number 8\nfleat: ˋˋˋnumberˋˋˋ 4\n```" in content
    shown = await game.press(game.leo, "Orders for turn 1", "Write them")
    await game.submit(game.leo.user, shown, text="fleet: number 2; stance bold")
    content = game.prompt(game.leo, "Orders for turn 1").content
    has_words(content, "names 3 or more", "You wrote:\n```\nfleet: number 2; stance bold\n```")


async def test_the_search_shows_the_lines_that_were_found(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(menus, "MOST_ENTRIES", 1)  # so that a line of two parts fills two pages
    await here.begin()
    title = "Orders for turn 1"
    for words, shown in (("FLEET", ["0.0", "page.find", "page.0"]), ("nobody", ["0.0", "page.1", "page.find"])):
        asked = await here.ann.user.select(here.prompt(here.ann, title), ["page.find"])
        assert [one["label"] for one in modal_of(asked)["components"]] == ["Find a line"]
        await here.submit(here.ann.user, asked, text=words)
        (menu,) = [one for one in pressable(here.prompt(here.ann, title)) if one["type"] == 3]
        assert [one["value"] for one in menu["options"]] == shown
        assert words in menu["placeholder"]


def test_a_long_sheet_is_typed_over_by_its_changes_alone() -> None:
    number = Field(key="number", label="Number", kind="number", least=0, most=9, value=1)
    motto = Field(key="motto", label="Motto", kind="text", most=20, optional=True)
    form = Form(lines=tuple(Line(key=f"F{n}", label=f"F{n}", fields=(number, motto)) for n in range(40)))
    ask = Ask(kind="o", parties=("red",), title="O", text="", model=Orders, form=form, rule="1", pace="battle")
    draft = {**form.prefilled(), "F7": {"number": 4, "motto": "a; b"}}
    prompt = OpenPrompt("t", None, "red", ask, None, draft)  # type: ignore[arg-type]
    assert prompt.changes() == 'F7: number 4; motto "a; b"\n'
    assert example_of(ask, None) == "F1: number 2"
    assert OpenPrompt("t", None, "red", ask, None, form.prefilled()).changes() == ""  # type: ignore[arg-type]


async def test_nothing_of_a_form_is_taken_that_cannot_be_read_whole(game: SimulatedServer) -> None:
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7")
    before = await game.journal()
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="seventy", f1=["bold"], f4="Onward")
    content = game.prompt(game.ann, "Orders for turn 1").content
    assert "“seventy” is not a whole number" in content
    assert "what was saved before still stands" in content
    assert "You wrote:\n```\nNumber: seventy\nStance: bold" in content
    assert "Motto: Onward" in content
    assert "number 7" in content
    assert await game.journal() == before
    drafts = await game.rows(PromptRow.draft, PromptRow.side == "red", PromptRow.kind == "orders")
    assert drafts[0]["fleet"]["number"] == 7
    assert drafts[0]["fleet"].get("motto") is None


async def test_an_order_that_cannot_be_saved_is_not_called_safe(game: SimulatedServer, monkeypatch: pytest.MonkeyPatch):
    """The disk is full, say, or the database file is gone."""
    before = await game.journal()

    async def full(_: database.Store, transaction: Transaction) -> None:
        await transaction.connection.close()
        raise errors.StoreUnavailable("The disk of the database is full.")

    with monkeypatch.context() as patched:
        patched.setattr(database.Store, "_commit", full)
        result = await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7", f1=["bold"])
        assert said(result).startswith("This could not be saved, so it does not count")
        has_words(said(result), "safe", never="receipt")
    assert await game.journal() == before
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="8", f1=["bold"])
    assert "Saved, receipt `" in game.prompt(game.ann, "Orders for turn 1").content
    assert await game.journal() == [*before, "answered"]
