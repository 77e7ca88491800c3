"""Two who write at the same moment, on one database or two bots: each letter once, in one order, nothing twice."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.errors import Sorry
from bot.letters.corresponding import Writing
from bot.records.letters.letter import Letter, LetterKind
from bot.store.database import open_store
from tests.bot.worlds.simulated_server import use_toy
from tests.bot.worlds.two_bots import ANN, LEO, Bot, before_writing
from tests.databases import prepared_url


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
        return await bot.services.letters.writing.write(campaign, user, [to], Writing(text))

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
    ((offer, _),) = await writes(campaign, ANN, ["blue"], Writing("Peace.", LetterKind.OFFER))
    withdraw = Writing("Peace.", LetterKind.WITHDRAW, about=offer.number)
    before_writing(one.store, lambda: takes_back(campaign, ANN, ["blue"], withdraw))
    with pytest.raises(Sorry, match="not-now"):
        await writes(campaign, LEO, ["red"], Writing("Peace.", LetterKind.ACCEPT, about=offer.number))
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
        await one.services.letters.writing.write(campaign, ANN, ["blue"], Writing("Lost?"))
    assert await letters(one) == []
    monkeypatch.undo()
