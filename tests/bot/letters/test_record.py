"""Letters in the record: in nobody's while play goes on, in everybody's at its end, where changes of them are found."""

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.store.tables import CampaignRow, LetterRow
from bot.verification.export_file import VerifyError, WholeRecord, read_record
from bot.verification.verify import verify
from tests.bot.worlds.simulated_server import SimulatedServer, said

WORDS = "Meet me at 0304."


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
