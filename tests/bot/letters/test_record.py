"""Letters in the record: in nobody's while play goes on, in everybody's at its end, where changes of them are found."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.records.campaigns import CampaignStatus
from bot.store.tables import CampaignRow, LetterRow
from bot.verification.export_file import VerifyError, WholeRecord, read_record
from bot.verification.verify import verify
from tests.bot.worlds.islands_server import IslandsServer, islands_server
from tests.bot.worlds.simulated_server import SimulatedServer, said

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


async def test_letters_are_in_the_record_at_the_end_alone_and_hold(here: SimulatedServer, tmp_path: Path) -> None:
    await here.begin()
    await here.slash(here.ann, "letter", to="blue", text=WORDS)
    await here.slash(here.leo, "offer", to="red", terms="Peace.")
    text, record = await exported(here, here.rita, tmp_path)
    assert WORDS not in text
    assert record.letters == []
    await to_the_end(here)
    text, record = await exported(here, here.sam, tmp_path)
    assert [one.text for one in record.letters] == [WORDS, "Peace."]
    verdict = verify(record.entries, letters=record.letters, receipts=[record.letters[0].receipt])
    assert verdict.letters == 2
    assert "the letters between sides" not in await here.texts("referee")
    refused = said(await here.slash(here.ann, "letter", to="blue", text="More."))
    assert refused == "The campaign is ended: letters are written while it is played."
    assert "**2 letters**" in said(await here.slash(here.rita, "letters"))


async def test_what_is_open_at_the_end_is_said_to_who_had_no_letters_and_to_a_referee_who_played(
    here: SimulatedServer,
) -> None:
    campaign = await here.found()
    for who, side in ((here.rita, "red"), (here.ann, "red"), (here.leo, "blue"), (here.sam, "spectator")):
        await here.slash(who, "campaign join", side=side, campaign=campaign)
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


async def test_a_letter_that_the_host_changes_or_drops_is_found(here: SimulatedServer, tmp_path: Path) -> None:
    await here.begin()
    for text in ("One.", "Two."):
        await here.slash(here.ann, "letter", to="blue", text=text)
    await to_the_end(here)
    await exported(here, here.rita, tmp_path)
    async with here.store.write() as tx:
        replaced = sa.func.replace(LetterRow.letter, "Two.", "Ten.")
        await tx.connection.execute(sa.update(LetterRow).values(letter=replaced))
    _, record = await exported(here, here.rita, tmp_path)
    with pytest.raises(VerifyError, match="letter 2 between blue and red, from red: its content was changed"):
        verify(record.entries, letters=record.letters)
    async with here.store.write() as tx:
        await tx.connection.execute(sa.delete(LetterRow).where(LetterRow.number == 2))
    _, record = await exported(here, here.rita, tmp_path)
    with pytest.raises(VerifyError, match="the letters here are not those of which it holds the hash"):
        verify(record.entries, letters=record.letters)


async def test_a_record_without_letters_is_as_it_was(here: SimulatedServer, tmp_path: Path) -> None:
    await here.begin()
    await to_the_end(here)
    text, record = await exported(here, here.rita, tmp_path)
    assert '"letters"' not in text.splitlines()[-1]
    assert verify(record.entries, letters=record.letters).letters == 0


def test_lines_behind_the_letters_or_unreadable_ones_are_named(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text('{"letter":{"text":"x"}}\n')
    with pytest.raises(VerifyError, match="line 1 is not a letter"):
        read_record(path)
