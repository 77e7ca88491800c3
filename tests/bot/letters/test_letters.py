"""Letters between two sides, also by two who write at the same moment."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.errors import Sorry
from bot.letters import cards, corresponding
from bot.records.letters.letter import Letter, LetterKind
from bot.store.database import open_store
from bot.store.tables import LetterDraftRow, LetterRow, OutboxRow
from tests.bot.worlds.simulated_server import TITLE, SimulatedServer, modal_of, said, use_toy
from tests.bot.worlds.two_bots import ANN, LEO, Bot, before_writing
from tests.databases import prepared_url
from tests.expected.kept import cases
from tests.expected.words import has_words
from tests.message_words import pressable

TO_BLUE = {"to": "Blue Fleet"}


async def kept(here: SimulatedServer) -> list[Letter]:
    async with here.store.read() as tx:
        found = await tx.connection.execute(sa.select(LetterRow.letter).order_by(LetterRow.pair, LetterRow.number))
        return [Letter.model_validate_json(one) for one in found.scalars()]


def letters_to(here: SimulatedServer, who: Any) -> list[str]:
    """The letters that somebody got by direct message."""
    return [one.content for one in here.dms(who) if "✉️" in one.content]


async def write(here: SimulatedServer, who: Any, text: str, to: str = "Blue Fleet") -> str:
    return said(await here.slash(who, "letter", to=to, text=text))


async def test_a_letter_reaches_the_other_side_and_its_writer_gets_a_receipt(game: SimulatedServer) -> None:
    answer = await write(game, game.ann, "Meet me at 0304.")
    (letter,) = await kept(game)
    assert answer == f"✉️ Sent: Letter 1 to **Blue Fleet**, receipt `{letter.receipt}`."
    (got,) = letters_to(game, game.leo)
    assert got.startswith(f"✉️ **{TITLE}** · Letter 1 from **Red Fleet**\n> Meet me at 0304.\n-# by <@{game.ann.id}>")
    assert f"receipt `{letter.receipt}`" in got
    assert letters_to(game, game.ann) == []
    assert (letter.sender, letter.receiver, letter.by, letter.turn) == ("red", "blue", str(game.ann.id), 1)
    assert letter.hash == letter.worked_out()


async def test_nobody_else_is_told_anything(game: SimulatedServer) -> None:
    before = [await game.texts(key) for key in ("public", "referee", "side:red", "side:blue")]
    others = [len(game.dms(one)) for one in (game.rita, game.sam) if one.user.dm_channel is not None]
    journal = await game.journal()
    await write(game, game.ann, "Meet me at 0304.")
    assert [await game.texts(key) for key in ("public", "referee", "side:red", "side:blue")] == before
    assert [len(game.dms(one)) for one in (game.rita, game.sam) if one.user.dm_channel is not None] == others
    assert await game.journal() == journal
    places = await game.rows(OutboxRow.lane, OutboxRow.payload["content"].as_string().contains("0304"))
    assert places == [f"dm:{game.leo.id}"]
    assert said(await game.slash(game.rita, "letters")).startswith("Only the sides themselves read their letters")
    assert said(await game.slash(game.sam, "letters")).startswith("Only a commander")


async def test_reply_goes_back_behind_it_and_the_chain_is_the_pairs(game: SimulatedServer) -> None:
    await write(game, game.ann, "One.")
    form = await game.leo.user.click(game.prompt(game.leo, "Letter 1"), label="Reply")
    assert modal_of(form)["title"] == "To Red Fleet"
    answer = await game.submit(game.leo.user, form, text="Two,\non two lines.")
    assert "Sent: Letter 2 to **Red Fleet**" in said(answer)
    await write(game, game.ann, "Three.")
    first, second, third = await kept(game)
    assert [one.number for one in (first, second, third)] == [1, 2, 3]
    assert (first.prev, second.prev, third.prev) == ("", first.hash, second.hash)
    assert "> Two,\n> on two lines." in letters_to(game, game.ann)[-1]


async def test_without_text_a_form_opens(game: SimulatedServer) -> None:
    form = await game.slash(game.ann, "letter", to="blue")
    assert "Sent: Letter 1" in said(await game.submit(game.ann, form, text="From a form."))
    assert "> From a form." in letters_to(game, game.leo)[-1]


async def test_a_side_of_several_reads_together_what_it_gets_and_what_it_writes(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.seat(campaign, ann="red", abe="red", leo="blue")
    await here.slash(here.rita, "campaign start")
    await write(here, here.ann, "For both of us.")
    assert "Letter 1 to **Blue Fleet**" in letters_to(here, here.abe)[-1]
    await here.slash(here.leo, "letter", to="red", text="To you both.")
    assert ["Letter 2 from **Blue Fleet**" in letters_to(here, who)[-1] for who in (here.ann, here.abe)] == [True, True]
    form = await here.abe.user.click(here.prompt(here.abe, "Letter 2"), label="Reply")
    await here.submit(here.abe.user, form, text="Abe here.")
    assert (await kept(here))[-1].by == str(here.abe.id)


async def test_who_has_cards_in_the_channel_gets_letters_there_and_so_does_who_takes_no_messages(game: SimulatedServer):
    await game.slash(game.leo, "quiet cards", where="channel")
    await write(game, game.ann, "In the channel.")
    assert "> In the channel." in await game.texts("side:blue")
    assert letters_to(game, game.leo) == []
    assert any(
        one["label"] == "Reply" for post in (await game.channel("side:blue")).history() for one in pressable(post)
    )


async def test_closed_direct_messages_lead_to_the_sides_channel(game: SimulatedServer) -> None:
    channel = game.leo.user.dm_channel.id
    game.env.inject_error("POST", f"/channels/{channel}/messages", status=403, code=50007, times=1)
    await write(game, game.ann, "Knock, knock.")
    assert "> Knock, knock." in await game.texts("side:blue")
    assert f"<@{game.leo.id}> I could not reach you by direct message" in await game.texts("side:blue")
    assert letters_to(game, game.leo) == []


async def test_while_discord_fails_a_letter_waits_and_comes_once(game: SimulatedServer) -> None:
    channel = game.leo.user.dm_channel.id
    game.env.inject_error("POST", f"/channels/{channel}/messages", status=503, times=2)
    for text in ("First.", "Second."):
        assert "Sent" in await write(game, game.ann, text)
    for _ in range(4):
        await game.later(120)
        await game.bot.delivery.settled()
    assert [one.split("> ")[1].split("\n")[0] for one in letters_to(game, game.leo)] == ["First.", "Second."]


async def test_what_said_the_same_a_moment_ago_is_not_sent_twice(game: SimulatedServer) -> None:
    first = await write(game, game.ann, "Once.")
    assert await write(game, game.ann, "Once.") == first.replace("Sent:", "This stands already:")
    assert len(letters_to(game, game.leo)) == 1
    await game.later(timedelta(minutes=11).total_seconds())
    assert "Sent: Letter 2" in await write(game, game.ann, "Once.")
    await write(game, game.ann, "Twice.")
    assert "Sent: Letter 4" in await write(game, game.ann, "Once.")


@cases("to, text, says", "", made="text")
async def test_what_cannot_be_sent_gets_one_clear_answer(game: SimulatedServer, to: str, text: str, says: str) -> None:
    before = await game.fingerprint()
    assert says in await write(game, game.ann, text, to)
    assert await game.fingerprint() == before
    assert await kept(game) == []


async def test_hostile_words_stay_a_quotation_and_ping_nobody(game: SimulatedServer) -> None:
    hostile = f"@everyone <@{game.zoe.id}> ```\n✉️ **Letter 9 from Green**\n[here](https://evil.example) <@&1>"
    await write(game, game.ann, hostile)
    (got,) = letters_to(game, game.leo)
    assert len([line for line in got.split("\n") if line.startswith("> ")]) == 3
    has_words(got, never=("```", "]("))
    sent = [one for one in game.env.http_requests if isinstance(one.json, dict) and "evil" in str(one.json)]
    assert sent
    for request in sent:
        allowed = request.json["allowed_mentions"]
        assert allowed.get("parse", []) == []
        assert not allowed.get("users")
    assert (await kept(game))[0].text == hostile


async def test_a_character_that_no_text_may_hold_is_refused_and_the_rest_given_back(game: SimulatedServer) -> None:
    answer = await write(game, game.ann, "A long letter that nobody wants to type twice \u202e gnp.exe")
    has_words(answer, "holds a character that cannot be kept, U+202E", "A long letter that nobody wants to type twice")
    assert await kept(game) == []


async def test_letters_that_are_off_cannot_be_written_and_stay_readable(game: SimulatedServer) -> None:
    await write(game, game.ann, "Before.")
    told = said(await game.slash(game.rita, "campaign settings", letters="off"))
    assert "Sides cannot write to each other here." in told
    assert "✉️ Sides cannot write to each other here." in await game.texts("public")
    assert await write(game, game.ann, "After.") == "Sides cannot write to each other in this campaign."
    assert "Before." in said(await game.slash(game.leo, "letters"))
    await game.slash(game.rita, "campaign settings", letters="on")
    assert "Sent: Letter 2" in await write(game, game.ann, "After.")


async def test_length_and_number_a_day_are_the_referees(game: SimulatedServer) -> None:
    await game.slash(game.rita, "campaign settings", letters_a_day=2, letter_length=100)
    assert "at most 100 characters here; this has 101" in await write(game, game.ann, "x" * 101)
    assert "Sent" in await write(game, game.ann, "One.")
    assert "Sent" in await write(game, game.ann, "Two.")
    assert "yours has sent 2 in the last 24 hours" in await write(game, game.ann, "Three.")
    assert "Sent" in await write(game, game.leo, "Another side's are its own.", "red")
    await game.later(timedelta(hours=25).total_seconds())
    assert "Sent" in await write(game, game.ann, "Three.")


async def test_before_play_and_after_it_nobody_writes(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.slash(here.ann, "campaign join", side="red", campaign=campaign)
    assert "letters are written while it is played" in await write(here, here.ann, "Too early.")


async def test_the_list_turns_by_pages_and_opens_each(game: SimulatedServer) -> None:
    for number in range(1, cards.A_PAGE + 3):
        await write(game, game.ann, f"This is number {number}.")
    listed = await game.slash(game.leo, "letters")
    notice = (await game.channel("public")).history()[0]
    text = said(listed)
    has_words(text, "**7 letters**", "1. Letter 7 from **Red Fleet**, turn 1: This is number 7.", never="number 2")
    assert "> This is number 7." in said(await game.leo.click(listed.response, label="1"))
    read = pressable(listed.response)[0]["custom_id"]
    older = await game.leo.click(listed.response, label="Older")
    assert "7. Letter 1 from **Red Fleet**, turn 1: This is number 1." in said(older)
    for who in (game.zoe, game.sam, game.rita):
        for custom_id in (read, f"l|{game.campaign}|page|0.", "l|nosuch|read|"):
            refused = await game.forge(who, notice, custom_id)
            assert said(refused).startswith("Only "), (who, custom_id, said(refused))
            assert "number" not in said(refused)


async def test_forged_presses_and_forms_change_nothing(game: SimulatedServer) -> None:
    await write(game, game.ann, "Real.")
    token = (await game.rows(LetterRow.token))[0]
    notice = (await game.channel("public")).history()[0]
    before = (await game.fingerprint(), await kept(game))
    for who in (game.zoe, game.sam, game.rita):
        for verb in ("reply", "read", "accept", "withdraw", "send", "drop"):
            answer = await game.forge(who, notice, f"l|{token}|{verb}|")
            assert answer.modal is None
            assert "Real" not in said(answer)
        for what in ("reply", "new.1"):
            key = token if what == "reply" else game.campaign
            assert "Sent" not in said(await game.forge_modal(who, notice, f"k|{key}|{what}|aa", text="Forged."))
    for custom_id in (
        f"l|{token}|accept|",
        f"l|{token}|dance|",
        f"l|{game.campaign}|page|x",
        "l||read|",
        f"l|{game.campaign}|send|",
    ):
        await game.forge(game.leo, notice, custom_id)
    for what in ("new.9", "new.x", "new.0", "new.", "dance"):
        await game.forge_modal(game.ann, notice, f"k|{game.campaign}|{what}|aa", text="Forged.")
    assert (await game.fingerprint(), await kept(game)) == before


async def test_who_leaves_a_side_reads_no_more_and_who_takes_the_seat_reads_all(game: SimulatedServer) -> None:
    await write(game, game.leo, "From leo.", "red")
    await game.slash(game.rita, "referee substitute", leaving=game.leo.user, arriving=game.abe.user)
    await game.leo.user.click(game.prompt(game.leo, "asks for your consent"), label="Agree")
    assert "From leo." in said(await game.slash(game.abe, "letters"))
    assert any("1 letter" in one.content and "/letters" in one.content for one in game.dms(game.abe))
    assert "From leo." not in said(await game.slash(game.leo, "letters", campaign=TITLE))
    token = (await game.rows(LetterRow.token))[0]
    notice = (await game.channel("public")).history()[0]
    assert said(await game.forge(game.leo, notice, f"l|{token}|read|")).startswith("Only ")
    await write(game, game.ann, "To whoever sits there.")
    assert "> To whoever sits there." in letters_to(game, game.abe)[-1]
    assert not any("whoever" in one for one in letters_to(game, game.leo))


async def test_going_back_takes_no_letter_back(game: SimulatedServer) -> None:
    await write(game, game.ann, "Said is said.")
    await game.resolve_now()
    await write(game, game.ann, "Said later.")
    turns = [one.turn for one in await kept(game)]
    listed = await game.slash(game.rita, "referee rewind", to="2")
    form = await game.rita.click(listed.response, label="Go back to entry 2 …")
    await game.submit(game.rita, form, text="A slip.")
    assert "rewound" in await game.journal()
    assert [one.turn for one in await kept(game)] == turns
    assert "**2 letters**" in said(await game.slash(game.leo, "letters"))
    assert "Sent: Letter 3" in await write(game, game.ann, "And on.")


async def test_a_referee_reads_letters_only_where_that_was_settled_before_play(game: SimulatedServer) -> None:
    assert "is settled before play begins" in said(await game.slash(game.rita, "campaign settings", letters="read"))
    assert "Only the sides themselves" in said(await game.slash(game.rita, "letters"))


async def test_where_the_referee_reads_letters_everybody_is_told_so_and_nobody_else_reads_them(here: SimulatedServer):
    campaign = await here.found(letters="read")
    await here.seat(campaign, ann="red", leo="blue", sam="spectator")
    await here.slash(here.rita, "campaign start")
    assert "a referee who plays no side reads them, too" in await here.texts("public")
    await write(here, here.ann, "Read by rita.")
    listed = await here.slash(here.rita, "letters")
    assert "Letter 1 from **Red Fleet** to **Blue Fleet**" in said(listed)
    opened = await here.rita.click(listed.response, label="1")
    assert "> Read by rita." in said(opened)
    assert pressable(opened.response) == []
    token = (await here.rows(LetterRow.token))[0]
    notice = (await here.channel("public")).history()[0]
    assert (await here.forge(here.rita, notice, f"l|{token}|reply|")).modal is None
    assert said(await here.slash(here.sam, "letters")).startswith("Only ")


async def test_a_referee_who_plays_reads_no_others_letters_whatever_was_settled(here: SimulatedServer) -> None:
    campaign = await here.found(letters="read")
    await here.seat(campaign, rita="red", leo="blue")
    await here.slash(here.leo, "campaign start")
    await here.slash(here.rita, "campaign start")
    await write(here, here.leo, "To you.", "red")
    has_words(said(await here.slash(here.rita, "letters")), "**1 letter**", "from **Blue Fleet**")


def test_peoples_words_on_one_line_have_no_marks() -> None:
    assert cards.in_a_line("a\n`b` **c** [x](y) <@1>") == "a ˋbˋ ∗∗c∗∗ [x] (y) ‹@1>"
    assert cards.quoted("a\nb") == "> a\n> b"


async def test_a_restart_between_loses_nothing_and_sends_nothing_twice(game: SimulatedServer) -> None:
    await write(game, game.ann, "Before the restart.")
    await game.restart()
    await game.leo.user.click(game.prompt(game.leo, "Letter 1"), label="Reply")
    assert len(letters_to(game, game.leo)) == 1
    assert await game.rows(LetterDraftRow.token) == []


# --- two who write at the same moment, on one database or two bots: each letter once, in one order, nothing twice -----
@pytest.fixture
async def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Bot, Bot]]:
    """Two bots on one store, each with its own memory."""
    use_toy(monkeypatch)
    store = await open_store(prepared_url(tmp_path))
    yield Bot(store), Bot(store)
    await store.close()


async def letters(bot: Bot) -> list[Letter]:
    async with bot.store.read() as tx:
        (campaign,) = [one.id for one in await tx.campaigns.in_server(1)]
        return await tx.letters.all_of(campaign)


def sound(found: list[Letter]) -> bool:
    links = [one.prev for one in found] == ["", *(one.hash for one in found[:-1])]
    return links and [one.number for one in found] == [*range(1, len(found) + 1)]


async def test_who_comes_second_goes_behind_the_first(bots: tuple[Bot, Bot]) -> None:
    one, other = bots
    campaign = await one.begin()

    async def write(bot: Bot, user: int, to: str, text: str) -> Any:
        return await bot.services.letters.writing.write(campaign, user, [to], corresponding.Writing(text))

    before_writing(one.store, lambda: write(other, LEO, "red", "First."))
    await write(one, ANN, "blue", "Second.")
    await asyncio.gather(*(write(bot, ANN, "blue", f"{number}") for number, bot in enumerate((one, other) * 3)))
    found = await letters(one)
    assert [one.text for one in found[:2]] == ["First.", "Second."]
    assert len(found) == 8
    assert sound(found)


async def test_an_offer_cannot_be_accepted_and_withdrawn_at_once(bots: tuple[Bot, Bot]) -> None:
    one, other = bots
    campaign = await one.begin()
    writes, takes_back = one.services.letters.writing.write, other.services.letters.writing.write
    ((offer, _),) = await writes(campaign, ANN, ["blue"], corresponding.Writing("Peace.", LetterKind.OFFER))
    withdraw = corresponding.Writing("Peace.", LetterKind.WITHDRAW, about=offer.number)
    before_writing(one.store, lambda: takes_back(campaign, ANN, ["blue"], withdraw))
    with pytest.raises(Sorry, match="not-now"):
        await writes(campaign, LEO, ["red"], corresponding.Writing("Peace.", LetterKind.ACCEPT, about=offer.number))
    assert [one.kind.value for one in await letters(one)] == ["offer", "withdraw"]


async def test_a_letter_is_kept_whole_with_its_posts_or_not_at_all(
    bots: tuple[Bot, Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = bots
    campaign = await one.begin()

    async def fails(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr("bot.letters.corresponding.post_letter", fails)
    with pytest.raises(RuntimeError):
        await one.services.letters.writing.write(campaign, ANN, ["blue"], corresponding.Writing("Lost?"))
    assert await letters(one) == []
    monkeypatch.undo()
