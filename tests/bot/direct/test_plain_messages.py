"""Plain messages to the bot: orders and words, also those written while it was away."""

import asyncio
from typing import Any

import discord
import pytest

from bot.direct.missed import MOST_MISSED, MissedMessages
from bot.interactions.turns import MOST_WAITING
from bot.records.campaigns import CampaignStatus
from bot.store import errors, tables
from bot.store.repositories.typed import MOST_KEPT, TypedTexts
from tests.bot.worlds.simulated_server import SimulatedServer, modal_of
from tests.expected.words import has_words
from tests.message_words import pressable, words_of

TITLE = "Orders for turn 1"


async def written(here: SimulatedServer, who: Any, text: str, **options: Any) -> list[Any]:
    """Somebody writes to the bot; gives what it wrote back."""
    before = {one.id for one in here.dms(who)}
    sent = await who.user.send_dm(text, **options)
    await here.bot.delivery.settled()
    await here.env.settle()
    return [one for one in here.dms(who) if one.id not in before | {sent.id}]


async def answered(here: SimulatedServer, who: Any, text: str, **options: Any) -> Any:
    """The one answer to what somebody writes."""
    (answer,) = await written(here, who, text, **options)
    return answer


def labels(message: Any) -> list[str]:
    """What is offered below a message."""
    return [one["label"] for one in pressable(message) if "label" in one]


def newest(here: SimulatedServer, who: Any, message: Any) -> Any:
    """A message as it stands now."""
    return next(one for one in here.dms(who) if one.id == message.id)


async def test_orders_are_echoed_and_stand_on_the_sheet_only_once_they_are_saved(game: SimulatedServer) -> None:
    journal = await game.journal()
    echo = await answered(game, game.ann, "fleet: number 7; stance bold")
    assert echo.content.startswith(f"**First Duel** · {TITLE}\n__As I understand it__\n• ✏️ number 7, bold\n")
    assert "Nothing is saved yet" in echo.content
    assert labels(echo) == ["Save", "Change"]
    assert await game.journal() == journal
    assert "number 1, careful" in game.prompt(game.ann, "Name a number").content
    await game.restart()  # nothing is kept in memory
    await game.ann.user.click(echo, label="Save")
    receipt = newest(game, game.ann, echo)
    assert receipt.content.startswith(f"**First Duel** · {TITLE}: saved, receipt `")
    assert "• ✏️ number 7, bold" in receipt.content
    assert await game.journal() == [*journal, "answered"]
    assert "number 7, bold" in game.prompt(game.ann, "Name a number").content  # the card follows
    await game.ann.user.click(receipt, label="Ready")
    assert (await game.journal())[-1] == "readied"


async def test_what_a_sheet_warns_of_is_said_before_orders_are_saved_and_after(game: SimulatedServer) -> None:
    echo = await answered(game, game.ann, "fleet: number 1; motto Onward")
    assert "⚠️ one is the lowest number" in echo.content
    await game.ann.user.click(echo, label="Save")
    saved = newest(game, game.ann, echo)
    has_words(saved.content, "saved, receipt", "⚠️ one is the lowest number")


@pytest.mark.parametrize("label", ["Ready", "Open the sheet"])
async def test_a_sheet_that_was_opened_where_orders_were_read_back_is_kept_up_to_date_and_closes(
    game: SimulatedServer, label: str
) -> None:
    echo = await answered(game, game.ann, "fleet: number 7; stance bold")
    asked = await answered(game, game.ann, "next")
    for press in ("Save", label):
        await game.ann.user.click(newest(game, game.ann, echo), label=press)
    await game.fill(game.ann, TITLE, "0.0", f0="3")
    await game.bot.delivery.settled()
    assert "number 3, bold" in newest(game, game.ann, echo).content
    await game.press(game.ann, TITLE, "Ready")
    await game.press(game.leo, TITLE, "Ready")
    await game.bot.delivery.settled()
    await game.env.settle()
    for one in (echo, asked):
        assert "everybody was ready" in newest(game, game.ann, one).content
        assert labels(newest(game, game.ann, one)) == []


async def test_a_second_press_and_a_second_delivery_do_nothing_more(game: SimulatedServer) -> None:
    (echo,) = await written(game, game.ann, "number 7")
    message = next(one for one in game.dms(game.ann) if one.content == "number 7")
    before = len(game.dms(game.ann))
    await game.bot.on_message(message)
    await game.restart()
    await game.bot.on_message(message)  # delivered once more to a bot that does not remember it
    await game.bot.delivery.settled()
    assert len(game.dms(game.ann)) == before
    await game.ann.user.click(echo, label="Save")
    journal = await game.journal()
    await game.fill(game.ann, "Name a number", "0.0", f0="4")
    custom_id = next(one["custom_id"] for one in pressable(echo) if one.get("label") == "Save")
    await game.forge(game.ann.user, echo, custom_id)
    assert await game.journal() == [*journal, "answered"]  # the form's, and not the old text again
    assert "number 4" in newest(game, game.ann, echo).content


@pytest.mark.parametrize("word", ["; ready", ", done.", "\nReady!", " ready"])
async def test_a_last_word_that_they_are_all_is_no_order(game: SimulatedServer, word: str) -> None:
    echo = await answered(game, game.ann, f"number 7; stance bold{word}")
    assert "• ✏️ number 7, bold\n" in echo.content
    await game.ann.user.click(echo, label="Save")
    assert "readied" not in await game.journal(), "that is said by a press on what was read back"


async def test_refused_orders_say_why_and_may_be_changed(game: SimulatedServer) -> None:
    journal = await game.journal()
    echo = await answered(game, game.ann, "fleet: number 2; stance bold")
    has_words(echo.content, "Not accepted; nothing was changed", "a bold fleet names 3 or more (Toy 1.3)")
    assert labels(echo) == ["Change", "Open the sheet"]
    shown = await game.ann.user.click(echo, label="Change")
    assert modal_of(shown)["components"][0]["component"]["value"] == "fleet: number 2; stance bold"
    await game.submit(game.ann.user, shown, text="fleet: number 5; stance bold")
    assert "• ✏️ number 5, bold" in newest(game, game.ann, echo).content
    assert await game.journal() == journal
    await game.ann.user.click(newest(game, game.ann, echo), label="Save")
    assert "number 5, bold" in game.prompt(game.ann, "Name a number").content
    near = await answered(game, game.ann, "fleet: nummber 3")
    has_words(near.content, "fleet has no field “nummber”", "number")


async def test_what_reads_on_one_sheet_alone_goes_there(game: SimulatedServer) -> None:
    echo = await answered(game, game.ann, "spy: send yes")
    assert echo.content.startswith("**First Duel** · Missions\n")
    assert "a spy goes out" in echo.content
    await game.ann.user.click(echo, label="Save")
    same = await answered(game, game.ann, "spy: send yes")
    assert "says already" in same.content
    assert labels(same) == ["Open the sheet"]


@pytest.mark.parametrize("text", ["thanks, that was fun!", "1" * 1_900, "```\n```", '@everyone :;:;,"', "“", "❤️"])
async def test_anything_else_gets_one_kind_line(game: SimulatedServer, text: str) -> None:
    journal = await game.journal()
    answer = await answered(game, game.ann, text)
    assert answer.content.count("\n") == 0
    assert "**First Duel** · “Missions” waits for you" in answer.content
    assert "`spy: send yes`" in answer.content
    assert "**help**, **map**, **status** and **next**" in answer.content
    assert await game.journal() == journal


async def test_words_are_answered(game: SimulatedServer) -> None:
    assert "You command **Red Fleet**" in (await answered(game, game.ann, "Help!")).content
    status = (await answered(game, game.ann, "/status")).content
    has_words(status, "Blue Fleet: ", f"**{TITLE}**: nothing saved yet")
    shown = await answered(game, game.ann, "MAP")
    assert shown.content.startswith("**First Duel** · Turn 1")
    assert [one.filename for one in shown.attachments] == ["map.png"]
    following = await answered(game, game.ann, "What next?")
    assert "A spy learns" in following.content
    assert "Ready" in labels(following)
    assert [one.filename for one in (await answered(game, game.sam, "map")).attachments] == ["map.png"]
    assert "You are the referee" in (await answered(game, game.rita, "help")).content
    assert "`/map` alone" in (await answered(game, game.rita, "map")).content
    assert "You are in no campaign" in (await answered(game, game.mia, "fleet: number 7")).content


async def test_orders_in_a_file_are_read_and_other_files_refused(game: SimulatedServer) -> None:
    stored = game.env.backend.store_attachments(game.ann.user.dm_channel.id, [("orders.txt", b"fleet: number 6\n")])
    assert "• ✏️ number 6, careful" in (await answered(game, game.ann, "", attachments=stored)).content
    for name, data, said in (
        ("map.png", b"\x89PNG\r\n", "not plain text"),
        ("orders.txt", b"\xff\xfe", "not UTF-8"),
        ("orders.txt", b"x" * (257 * 1024), "256 kB"),
    ):
        stored = game.env.backend.store_attachments(game.ann.user.dm_channel.id, [(name, data)])
        assert said in (await answered(game, game.ann, "", attachments=stored)).content
    assert "nothing was changed" in (await answered(game, game.ann, "fleet: motto \u202e")).content.casefold()


async def test_bots_servers_and_what_discord_says_are_not_answered(game: SimulatedServer) -> None:
    other = game.env.create_user("robot", bot=True)
    before = len(game.env.http_requests)
    await game.ann.send(game.hall, "fleet: number 7")
    message = next(one for one in game.dms(game.ann))
    assert message.author.id == game.bot.user.id  # type: ignore[union-attr]
    await game.bot.on_message(message)
    await game.bot.delivery.settled()
    assert [one.method for one in game.env.http_requests[before:]] == []
    assert other.bot


async def test_another_person_cannot_press_and_a_closed_sheet_says_so(game: SimulatedServer) -> None:
    echo = await answered(game, game.ann, "fleet: number 7")
    custom_id = next(one["custom_id"] for one in pressable(echo) if one.get("label") == "Save")
    theirs = game.prompt(game.leo, "Name a number")
    journal = await game.journal()
    await game.forge(game.leo.user, theirs, custom_id)
    assert await game.journal() == journal
    await game.later(24 * 3600 + 60)
    await game.ann.user.click(echo, label="Save")
    assert "kept no more" in newest(game, game.ann, echo).content
    assert not pressable(newest(game, game.ann, echo))
    assert await game.rows(tables.TypedRow.text) == []


async def test_of_one_person_a_few_texts_are_kept(game: SimulatedServer) -> None:
    for number in range(MOST_KEPT + 2):
        await written(game, game.ann, f"fleet: number 3; motto m{number}")
    kept = await game.rows(tables.TypedRow.text)
    assert sorted(kept) == sorted(f"fleet: number 3; motto m{number}" for number in range(2, MOST_KEPT + 2))


async def test_a_paused_campaign_takes_no_orders(game: SimulatedServer) -> None:
    async with game.store.write() as tx:
        await tx.campaigns.set_status((await tx.campaigns.of_user(game.ann.id))[0].id, CampaignStatus.PAUSED)
    echo = await answered(game, game.ann, "fleet: number 7")
    journal = await game.journal()
    await game.ann.user.click(echo, label="Save")
    assert await game.journal() == journal


async def test_orders_are_read_as_people_write_them(game: SimulatedServer) -> None:
    echo = await answered(game, game.ann, "please set number 7 and bold, E1 and E2!")
    assert "• ✏️ number 7, bold" in echo.content
    await game.ann.user.click(echo, label="Save")
    assert "number 7, bold" in game.prompt(game.ann, "Name a number").content
    refused = await answered(game, game.ann, "number 7 unless they are bold")
    has_words(refused.content, "Not accepted", "“7 unless they are bold” is not a whole number")


async def test_who_writes_too_much_at_once_is_told_once(game: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = await game.ann.user.send_dm("help")
    go_on, said = asyncio.Event(), list[str]()
    plain = game.bot._plain

    async def slow(_: Any) -> str | None:
        await go_on.wait()
        return None

    async def at_once(_: Any, text: str) -> None:
        said.append(text)

    monkeypatch.setattr(plain._answers, "answer", slow)
    monkeypatch.setattr(plain, "_at_once", at_once)
    writing = [asyncio.ensure_future(plain.heard(sent)) for _ in range(MOST_WAITING + 20)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(*writing)
    assert len(said) == 1
    assert "too quick" in said[0]


async def test_an_order_that_cannot_be_kept_and_a_defect_are_said(
    game: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = await game.journal()
    for error, said in ((errors.StoreUnavailable("full"), "could not be saved"), (KeyError("secret"), "Incident `")):

        async def fails(*_: Any, raised: Exception = error, **__: Any) -> None:
            raise raised

        monkeypatch.setattr(TypedTexts, "keep", fails)
        answer = await answered(game, game.ann, "fleet: number 7")
        assert said in answer.content
        assert "secret" not in answer.content
    assert await game.journal() == journal


# --- missed messages --------------------------------------------------------------------------------------------------
# what was written to the bot while it was away is read when it is back: in order, each once, and nothing too old.
LATE = "while I was away."


async def away(here: SimulatedServer, who: Any, *texts: str) -> None:
    """Somebody writes while nothing reaches the bot."""

    async def unheard(_: discord.Message) -> None:
        """No bot is there."""

    here.bot.on_message = unheard  # type: ignore[method-assign]
    for text in texts:
        await who.user.send_dm(text)


async def back(here: SimulatedServer) -> None:
    """The bot is there again, in a process of its own."""
    await here.restart()
    await here.env.settle()
    await here.bot.delivery.settled()
    await here.env.settle()


def answers_of(here: SimulatedServer, who: Any) -> list[Any]:
    """What was answered late."""
    return [one for one in here.dms(who) if LATE in one.content]


async def test_orders_written_meanwhile_are_echoed_in_order_and_saved_by_a_press(game: SimulatedServer) -> None:
    journal = await game.journal()
    await away(game, game.ann, "number 7", "status", "number 9; stance bold")
    await back(game)
    seven, status, nine = answers_of(game, game.ann)
    assert seven.content.startswith(f"**First Duel** · {TITLE}\n__As I understand it__\n• ✏️ number 7")
    assert status.content.startswith("**First Duel**")
    assert "number 9, bold" in nine.content
    assert labels(nine) == ["Save", "Change"]
    assert await game.journal() == journal, "nothing is done by it"
    await game.ann.user.click(nine, label="Save")
    assert "number 9, bold" in words_of(game.prompt(game.ann, "Name a number"))
    assert "receipt" in words_of(newest(game, game.ann, nine))
    assert answers_of(game, game.leo) == []
    before = len(game.dms(game.ann))
    await back(game)
    assert len(game.dms(game.ann)) == before, "nothing is read again"


async def test_who_writes_before_all_was_looked_for_is_answered_in_order(game: SimulatedServer) -> None:
    """A message that comes at once brings what its writer wrote before it along."""
    await answered(game, game.ann, "number 3")
    await away(game, game.ann, "number 4")
    game.bot._plain.catch_up = nothing  # type: ignore[method-assign]
    del game.bot.on_message
    game.bot._plain.session_began()  # it was deaf, and has a fresh session
    await game.ann.user.send_dm("number 5")
    await game.bot.delivery.settled()
    await game.env.settle()
    asked = [one.content.split("• ✏️ ")[1][:8] for one in game.dms(game.ann) if "• ✏️ " in one.content]
    assert asked[-3:] == ["number 3", "number 4", "number 5"]


async def nothing() -> None:
    """Nobody is looked for."""


async def test_no_answer_is_given_twice_when_the_bot_dies_between(
    game: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was kept with an answer counts; what was refused at once is told once more at most."""
    await away(game, game.ann, "number 7", "number 8")
    found = MissedMessages.of

    async def only_first(self: MissedMessages, user_id: int, before: int | None) -> Any:
        missed = await found(self, user_id, before)
        return type(missed)(missed.messages[:1])

    with monkeypatch.context() as dies:
        dies.setattr(MissedMessages, "of", only_first)
        await back(game)
    assert len(answers_of(game, game.ann)) == 1
    await back(game)
    assert ["number 7" in one.content for one in answers_of(game, game.ann)] == [True, False]


async def test_what_discord_does_not_give_is_looked_for_again_and_nothing_passes_it(
    game: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await answered(game, game.ann, "number 3")
    (read,) = await game.rows(tables.HeardRow.message_id)
    await away(game, game.ann, "number 4")

    async def not_given(*_: Any, **__: Any) -> Any:
        raise ConnectionError

    with monkeypatch.context() as broken:
        broken.setattr("bot.delivery.gateway.ChannelHistory.written", not_given)
        await back(game)
        await answered(game, game.ann, "number 5")
    assert await game.rows(tables.HeardRow.message_id) == [read]
    await back(game)
    assert ["number 4" in one.content for one in answers_of(game, game.ann)] == [True]


async def test_only_the_last_are_read_and_nothing_from_before_the_sheets(here: SimulatedServer) -> None:
    await here.found()
    await here.slash(here.ann, "campaign join", side="red")
    await here.slash(here.leo, "campaign join", side="blue")
    await here.ann.user.send_dm("help")
    await away(here, here.ann, "number 2")
    del here.bot.on_message
    await here.later(2 * 3600)
    await here.slash(here.rita, "campaign start")
    await away(here, here.ann, *(f"number {3 + count % 6}" for count in range(MOST_MISSED + 2)))
    await back(here)
    late = answers_of(here, here.ann)
    assert len(late) == MOST_MISSED
    assert not any("number 2" in one.content for one in late)
    assert sum("You wrote more to me while I was away" in one.content for one in here.dms(here.ann)) == 1


async def test_who_has_no_sheet_is_read_back_a_day_and_a_stranger_not_at_all(game: SimulatedServer) -> None:
    await answered(game, game.rita, "help")
    await away(game, game.rita, "status")
    await away(game, game.zoe, "status")
    await game.later(26 * 3600)
    await away(game, game.rita, "help")
    await back(game)
    assert ["You are the referee" in one.content for one in answers_of(game, game.rita)] == [True]
    assert answers_of(game, game.zoe) == []
