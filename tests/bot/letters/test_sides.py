"""Letters among three sides: copies that know nothing of each other; and sides that are out of play."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.records.letters.letter import Letter
from bot.store.tables import LetterRow
from tests import toy
from tests.bot.seats.test_out_of_play import Sinking, sink
from tests.bot.worlds.races_server import RacesServer, races_server
from tests.bot.worlds.simulated_server import SimulatedServer, said, simulated_server, use_toy


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
