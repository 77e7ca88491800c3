"""Letters in the record, among three sides, and written as plain messages."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.letters.names import addressed, sides_named
from bot.records.campaigns import CampaignStatus
from bot.records.letters.letter import Letter
from bot.store.tables import CampaignRow, LetterDraftRow, LetterRow
from bot.verification.export_file import VerifyError, WholeRecord, read_record
from bot.verification.verify import verify
from tests import toy
from tests.bot.seats.test_seats import Sinking, sink
from tests.bot.worlds.islands_server import IslandsServer, islands_server
from tests.bot.worlds.races_server import RacesServer, races_server
from tests.bot.worlds.simulated_server import SimulatedServer, said, simulated_server, use_toy
from tests.expected.kept import cases
from tests.message_words import pressable

WORDS = "Meet me at 0304."


@pytest.fixture
async def islands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[IslandsServer]:
    """A server of four sides with a bot that runs."""
    async with islands_server(tmp_path, monkeypatch) as made:
        yield made


async def exported(here: SimulatedServer, who: Any, folder: Path) -> tuple[str, WholeRecord]:
    result = await here.slash(who, "referee export")
    (file,) = (result.followups or [result.response])[0].attachments  # type: ignore[union-attr]
    path = folder / "record.jsonl"
    path.write_bytes(await file.read())
    return path.read_text(), read_record(path)


async def to_the_end(here: SimulatedServer) -> None:
    for turn in (1, 2, 3):
        await here.fill(here.ann, f"Orders for turn {turn}", "0.0", f0="7")
        await here.resolve_now()
        await here.resolve_now()
    assert await here.rows(CampaignRow.status) == ["ended"]


async def over(here: SimulatedServer, campaign: str) -> None:
    """The end, without the play that leads there."""
    async with here.store.write() as tx:
        await tx.campaigns.set_status(campaign, CampaignStatus.ENDED, "Over.")


async def test_letters_are_in_the_record_at_the_end_alone_and_hold(game: SimulatedServer, tmp_path: Path) -> None:
    await game.slash(game.ann, "letter", to="blue", text=WORDS)
    await game.slash(game.leo, "offer", to="red", terms="Peace.")
    text, record = await exported(game, game.rita, tmp_path)
    assert WORDS not in text
    assert record.letters == []
    await to_the_end(game)
    text, record = await exported(game, game.sam, tmp_path)
    assert [one.text for one in record.letters] == [WORDS, "Peace."]
    assert verify(record.entries, letters=record.letters, receipts=[record.letters[0].receipt]).letters == 2
    assert "the letters between sides" not in await game.texts("referee")
    refused = said(await game.slash(game.ann, "letter", to="blue", text="More."))
    assert refused == "The campaign is ended: letters are written while it is played."
    assert "**2 letters**" in said(await game.slash(game.rita, "letters"))


async def test_what_is_open_at_the_end_is_said_to_who_had_no_letters_and_to_a_referee_who_played(here: SimulatedServer):
    campaign = await here.found()
    await here.seat(campaign, rita="red", ann="red", leo="blue", sam="spectator")
    await here.slash(here.leo, "campaign start")
    await here.slash(here.rita, "campaign start")
    assert said(await here.slash(here.leo, "letters")) == "There are no letters yet. `/letter` writes one."
    assert said(await here.slash(here.rita, "letters")) == "There are no letters yet. `/letter` writes one."
    await over(here, campaign)
    assert said(await here.slash(here.rita, "letters")) == "No letters were written in this campaign."
    for who, side in ((here.ann, "red"), (here.leo, "blue")):
        assert said(await here.slash(who, "letters")) == (
            "You had no letters. What others wrote is open now: `/referee export` has it."
        ), side


async def test_a_referee_who_played_reads_at_the_end_what_other_sides_wrote(islands: IslandsServer) -> None:
    here, referee = islands, islands.rita
    campaign = await here.found()
    for side, who in {"ash": referee, **{one: here.commander(one) for one in ("birch", "cedar", "dogwood")}}.items():
        await here.slash(who, "campaign join", side=side, campaign=campaign)
    await here.slash(here.commander("birch"), "campaign start")
    await here.slash(referee, "campaign start")
    await here.slash(here.commander("birch"), "letter", to="cedar", text=WORDS)
    assert "There are no letters yet. `/letter` writes one." in said(await here.slash(referee, "letters"))
    await over(here, campaign)
    listed = await here.slash(referee, "letters")
    assert "Letter 1 from **Birch** to **Cedar**" in said(listed)
    assert WORDS in said(await referee.click(listed.response, label="1"))
    assert WORDS not in said(await here.slash(here.commander("dogwood"), "letters"))


async def test_a_letter_that_the_host_changes_or_drops_is_found(game: SimulatedServer, tmp_path: Path) -> None:
    for text in ("One.", "Two."):
        await game.slash(game.ann, "letter", to="blue", text=text)
    await to_the_end(game)
    await exported(game, game.rita, tmp_path)
    async with game.store.write() as tx:
        replaced = sa.func.replace(LetterRow.letter, "Two.", "Ten.")
        await tx.connection.execute(sa.update(LetterRow).values(letter=replaced))
    _, record = await exported(game, game.rita, tmp_path)
    with pytest.raises(VerifyError, match="letter 2 between blue and red, from red: its content was changed"):
        verify(record.entries, letters=record.letters)
    async with game.store.write() as tx:
        await tx.connection.execute(sa.delete(LetterRow).where(LetterRow.number == 2))
    _, record = await exported(game, game.rita, tmp_path)
    with pytest.raises(VerifyError, match="the letters here are not those of which it holds the hash"):
        verify(record.entries, letters=record.letters)


async def test_a_record_without_letters_is_as_it_was(game: SimulatedServer, tmp_path: Path) -> None:
    await to_the_end(game)
    text, record = await exported(game, game.rita, tmp_path)
    assert '"letters"' not in text.splitlines()[-1]
    assert verify(record.entries, letters=record.letters).letters == 0


def test_lines_behind_the_letters_or_unreadable_ones_are_named(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text('{"letter":{"text":"x"}}\n')
    with pytest.raises(VerifyError, match="line 1 is not a letter"):
        read_record(path)


# --- letters among three sides: copies that know nothing of each other; and sides that are out of play ----------------
@pytest.fixture
async def races(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RacesServer]:
    """A server with three seats."""
    async with races_server(tmp_path, monkeypatch) as made:
        yield made


@pytest.fixture
async def sinking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SimulatedServer]:
    """A server where a side without ships is out of play."""
    use_toy(monkeypatch)
    monkeypatch.setattr(toy, "RULEBOOK", Sinking())
    async with simulated_server(tmp_path) as made:
        yield made


async def letters(here: SimulatedServer) -> list[Letter]:
    async with here.store.read() as tx:
        found = await tx.connection.execute(sa.select(LetterRow.letter).order_by(LetterRow.pair, LetterRow.number))
        return [Letter.model_validate_json(one) for one in found.scalars()]


async def test_a_letter_to_several_is_a_copy_to_each_who_learn_of_no_other(races: RacesServer) -> None:
    await races.begin()
    await races.slash(races.leo, "letter", to="seat-3", text="Between us.")
    told = said(await races.slash(races.ann, "letter", to="all", text="To everybody."))
    assert told.count("Sent: Letter 1 to") == 2
    leo, zoe = races.dms(races.leo)[-1].content, races.dms(races.zoe)[-1].content
    assert "> To everybody." in leo
    assert "> To everybody." in zoe
    for text in (leo, zoe):
        assert "Letter 1 from" in text, "each pair counts for itself"
    assert races.dms(races.leo)[-1].content.count("**Seat") == 1
    assert {one.pair for one in await letters(races)} == {"seat-1 & seat-2", "seat-1 & seat-3", "seat-2 & seat-3"}
    listed = said(await races.slash(races.ann, "letters"))
    assert "Between us" not in listed
    assert "**2 letters**" in listed


async def test_names_are_those_that_sides_have_now(races: RacesServer) -> None:
    await races.begin()
    await races.wish(then=False)
    await races.slash(races.ann, "letter", to="seat 2", text="Before the draw.")
    await races.resolve_now()
    names = dict(zip(("seat-1", "seat-2", "seat-3"), await races.kept_names(), strict=True))
    assert names["seat-2"] not in ("Seat 2", "seat-2")
    answer = said(await races.slash(races.ann, "letter", to=names["seat-2"], text="After it."))
    assert f"Letter 2 to **{names['seat-2']}**" in answer
    assert f"from **{names['seat-1']}**" in said(await races.slash(races.leo, "letters"))


async def test_a_side_that_is_out_of_play_neither_writes_nor_is_written_to_and_reads_what_it_has(
    sinking: SimulatedServer,
) -> None:
    await sinking.begin()
    await sinking.slash(sinking.ann, "offer", to="blue", terms="Peace.")
    await sinking.slash(sinking.leo, "letter", to="red", text="Before I sink.")
    await sink(sinking)
    for who, to in ((sinking.leo, "red"), (sinking.ann, "blue")):
        answer = said(await sinking.slash(who, "letter", to=to, text="Too late."))
        assert "out of play" in answer or "You can write to no side called" in answer
    for label in ("Accept", "Reply"):
        refused = await sinking.leo.user.click(sinking.prompt(sinking.leo, "Offer 1"), label=label)
        assert refused.modal is None
        assert "out of play" in said(refused)
    assert len(await letters(sinking)) == 2
    assert "**2 letters**" in said(await sinking.slash(sinking.leo, "letters"))
    shown = said(await sinking.slash(sinking.ann, "diplomacy"))
    assert "With **Blue Fleet**, who is out of play, nothing holds: Peace." in shown
    await sinking.slash(sinking.leo, "campaign leave")
    assert said(await sinking.slash(sinking.leo, "letters", campaign="First Duel")).startswith("Only ")


# --- letters written as plain messages: shown as they would go, sent by a button, and no orders taken for letters -----
async def wrote(here: SimulatedServer, who: Any, text: str) -> str:
    """What the bot answers a plain message."""
    await who.user.send_dm(text)
    await here.bot.delivery.settled()
    await here.env.settle()
    return here.dms(who)[-1].content


async def kept(here: SimulatedServer) -> list[str]:
    async with here.store.read() as tx:
        return list((await tx.connection.execute(sa.select(LetterRow.letter))).scalars())


async def test_it_is_read_back_and_sent_by_a_button(game: SimulatedServer) -> None:
    answer = await wrote(game, game.ann, "to Blue: Meet me\nat 0304.")
    assert "To **Blue Fleet**:\n> Meet me\n> at 0304.\n-# Nothing is sent yet" in answer
    assert await kept(game) == []
    assert "Sent: Letter 1 to **Blue Fleet**" in said(await game.ann.user.click(game.dms(game.ann)[-1], label="Send"))
    assert "> Meet me\n> at 0304." in game.dms(game.leo)[-1].content
    assert pressable(game.dms(game.ann)[-1]) == []
    assert await game.rows(LetterDraftRow.token) == []


async def test_not_sent_after_all(game: SimulatedServer) -> None:
    await wrote(game, game.ann, "Letter to the Blue Fleet: Never mind.")
    await game.ann.user.click(game.dms(game.ann)[-1], label="Do not send")
    assert await kept(game) == []
    assert await game.rows(LetterDraftRow.token) == []


async def test_orders_stay_orders(game: SimulatedServer) -> None:
    assert "As I understand it" in await wrote(game, game.ann, "fleet: number 7")
    assert await game.rows(LetterDraftRow.token) == []


async def test_a_side_that_there_is_not_is_named(game: SimulatedServer) -> None:
    assert "You can write to no side called “blu fleet”. Did you mean" in await wrote(game, game.ann, "to Blu Fleet: x")
    assert "Nothing is sent yet" not in await wrote(game, game.ann, "to red fleet: x")
    assert await game.rows(LetterDraftRow.token) == []


async def test_who_commands_no_side_writes_no_letter(game: SimulatedServer) -> None:
    for who in (game.sam, game.rita):
        await wrote(game, who, "to Blue: Secrets.")
        assert "Secrets" not in game.dms(who)[-1].content
    assert await game.rows(LetterDraftRow.token) == []


async def test_of_several_campaigns_it_asks_which(game: SimulatedServer) -> None:
    other = await game.found("Second Duel")
    await game.seat(other, ann="red", leo="blue")
    await game.slash(game.rita, "campaign start", campaign=other)
    assert "That may be meant for" in await wrote(game, game.ann, "to Blue: x")
    assert await game.rows(LetterDraftRow.token) == []


async def test_of_many_drafts_the_last_few_are_kept(game: SimulatedServer) -> None:
    for number in range(10):
        await wrote(game, game.ann, f"to Blue: {number}")
    assert len(await game.rows(LetterDraftRow.token)) == 8
    first = next(one for one in game.dms(game.ann) if "> 0" in one.content)
    assert "is not kept any more" in said(await game.ann.user.click(first, label="Send"))


OTHERS = {"klingon": "Klingon Empire", "gorn": "Gorn Confederation", "hydran": "Hydran Kingdom"}


@cases("typed, found")
def test_sides_as_people_name_them(typed: str, found: tuple[str, ...]) -> None:
    assert sides_named(typed, OTHERS) == found


@cases("text, found", made="text")
def test_what_is_addressed(text: str, found: tuple[str, str] | None) -> None:
    assert addressed(text) == found
